#include "platform/utf8.h"

uint32_t character_decode(const char *text, size_t length, size_t *used)
{
    const unsigned char *s = (const unsigned char *)text;
    size_t more = s[0] < 0x80 ? 0 : s[0] >= 0xF0 && s[0] < 0xF5 ? 3 : s[0] >= 0xE0 ? 2 : s[0] >= 0xC2 ? 1 : length;
    *used = 1;
    if (more == 0)
        return s[0];
    if (more >= length || s[0] >= 0xF5)
        return 0xFFFD;
    uint32_t code = s[0] & (0x3Fu >> more);
    for (size_t i = 1; i <= more; i++) {
        if ((s[i] & 0xC0) != 0x80)
            return 0xFFFD;
        code = code << 6 | (s[i] & 0x3Fu);
    }
    *used = more + 1;
    return code;
}

int character_encode(uint32_t code, char bytes[5])
{
    int const more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const unsigned char first[] = {0, 0xC0, 0xE0, 0xF0};
    for (int i = more; i > 0; i--, code >>= 6)
        bytes[i] = (char)(0x80 | (code & 0x3F));
    bytes[0] = (char)(first[more] | code);
    bytes[more + 1] = '\0';
    return more + 1;
}
