#include "base/words.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum words_language words_language(void)
{
    return strcmp(_("en"), "ko") == 0 ? WORDS_KOREAN : WORDS_ENGLISH; /* a catalogue translates "en" to its own code */
}

const char *words_count(struct arena *arena, uint64_t value)
{
    char digits[32];
    int const length = snprintf(digits, sizeof digits, "%" PRIu64, value);
    char *text = arena_alloc(arena, 48);
    char *out = text;
    for (int i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0)
            *out++ = ',';
        *out++ = digits[i];
    }
    *out = 0;
    return text;
}
