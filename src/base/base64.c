#include "base/base64.h"
#include <string.h>

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void base64_write(FILE *out, const uint8_t *bytes, size_t size)
{
    enum { LINE = 76 / 4 * 3 };
    for (size_t i = 0; i < size; i += 3) {
        size_t const left = size - i;
        uint32_t const word = (uint32_t)bytes[i] << 16 | (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
                              (left > 2 ? (uint32_t)bytes[i + 2] : 0);
        if (i && i % LINE == 0)
            fputc('\n', out);
        fputc(alphabet[word >> 18], out);
        fputc(alphabet[word >> 12 & 63], out);
        fputc(left > 1 ? alphabet[word >> 6 & 63] : '=', out);
        fputc(left > 2 ? alphabet[word & 63] : '=', out);
    }
}

bool base64_read(const char *text, size_t size, uint8_t *bytes, size_t *count)
{
    uint32_t word = 0;
    unsigned letters = 0, padding = 0;
    *count = 0;
    for (size_t i = 0; i < size; i++) {
        char const c = text[i];
        if (c == '\n' || c == '\r' || c == ' ' || c == '\t')
            continue;
        const char *found = c ? strchr(alphabet, c) : NULL;
        if (c == '=' && letters >= 2)
            padding++;
        else if (!found || padding)
            return false;
        word = word << 6 | (found ? (uint32_t)(found - alphabet) : 0);
        if (++letters < 4)
            continue;
        for (unsigned k = 0; k + padding < 3; k++)
            bytes[(*count)++] = (uint8_t)(word >> (16 - 8 * k));
        letters = 0;
        word = 0;
        if (padding) { /* the end: only white space may follow */
            for (i++; i < size; i++)
                if (!strchr("\n\r \t", text[i]))
                    return false;
            return true;
        }
    }
    return letters == 0;
}
