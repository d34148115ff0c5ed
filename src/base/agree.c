#include "base/agree.h"
#include <stdint.h>
#include <string.h>

/* How a word ends: with a vowel, with ㄹ, or with another consonant. */
enum sound { VOWEL, RIEUL, CONSONANT };

struct marker {
    const char *first, *second;
    size_t first_length, second_length, length;
    bool korean;
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_capital(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_letter(char c)
{
    return is_capital(c) || (c >= 'a' && c <= 'z');
}

static bool is_vowel(char c)
{
    return strchr("aeiou", c) != NULL;
}

static bool form_letter(char c, bool korean)
{
    return korean ? (unsigned char)c >= 0x80 : is_letter(c) || c == ' ' || c == '-';
}

/* Reads "{A/B}" in Hangul or "{a|b}" in Latin letters at the start of a text. */
static bool read_marker(const char *text, struct marker *marker)
{
    if (*text != '{')
        return false;
    bool const korean = (unsigned char)text[1] >= 0x80;
    const char *at = text + 1;
    marker->korean = korean;
    marker->first = at;
    while (*at && form_letter(*at, korean))
        at++;
    marker->first_length = (size_t)(at - marker->first);
    if (*at != (korean ? '/' : '|'))
        return false;
    marker->second = ++at;
    while (*at && form_letter(*at, korean))
        at++;
    marker->second_length = (size_t)(at - marker->second);
    marker->length = (size_t)(at - text) + 1;
    return *at == '}' && marker->second_length && (marker->first_length || !korean);
}

bool agree_marked(const char *braces)
{
    struct marker marker;
    return read_marker(braces, &marker);
}

/* Returns the sound of a number's last digit as Korean reads it: 20 이십, 300 삼백, 50,000 오만. */
static enum sound number_sound(const char *text, size_t end)
{
    static const enum sound digits[] = {CONSONANT, RIEUL,     VOWEL, CONSONANT, VOWEL,
                                        VOWEL,     CONSONANT, RIEUL, RIEUL,     VOWEL};
    size_t zeros = 0, at = end;
    for (; at && (text[at - 1] == '0' || (text[at - 1] == ',' && at > 1 && is_digit(text[at - 2]))); at--)
        zeros += text[at - 1] == '0';
    bool const fraction = at && text[at - 1] == '.';
    if (!zeros)
        return digits[text[end - 1] - '0'];
    if (fraction || !at || !is_digit(text[at - 1])) /* all of it is zeros, or decimals, which are read one by one */
        return CONSONANT;
    return zeros >= 12 && zeros < 16 ? VOWEL : CONSONANT; /* 조 is the only unit of tens that ends with a vowel */
}

/* Returns whether digits that end at `end` are decimals. */
static bool is_fraction(const char *text, size_t end)
{
    while (end && is_digit(text[end - 1]))
        end--;
    return end > 1 && text[end - 1] == '.' && is_digit(text[end - 2]);
}

static enum sound letter_sound(char letter)
{
    switch (letter | 0x20) {
    case 'l': /* 엘 */
    case 'r': /* 알 */
        return RIEUL;
    case 'm':
    case 'n':
        return CONSONANT;
    default:
        return VOWEL;
    }
}

struct reading {
    const char *word;
    enum sound sound;
};

/* Words whose Korean reading does not follow from their spelling by the rules below. */
static const struct reading readings[] = {
    {"bit", VOWEL},       {"out", CONSONANT},  {"unit", CONSONANT}, {"group", CONSONANT}, {"flop", CONSONANT},
    {"type", CONSONANT},  {"shape", VOWEL},    {"size", VOWEL},     {"cache", VOWEL},     {"min", CONSONANT},
    {"ns", VOWEL},        {"ms", VOWEL},       {"s", VOWEL},        {"b", VOWEL},         {"bool", RIEUL},
    {"time", CONSONANT},  {"line", CONSONANT}, {"lane", CONSONANT}, {"launch", VOWEL},    {"sm", CONSONANT},
    {"clang", CONSONANT}, {"long", CONSONANT}, {"chunk", VOWEL},    {"nvcc", VOWEL},      {"hit", VOWEL},
};

/* Returns the last sound of a word in Latin letters that is read as a word. */
static enum sound word_sound(const char *word, size_t length)
{
    for (size_t i = 0; i < sizeof readings / sizeof *readings; i++)
        if (strlen(readings[i].word) == length && memcmp(readings[i].word, word, length) == 0)
            return readings[i].sound;
    char const last = word[length - 1], before = length > 1 ? word[length - 2] : ' ';
    bool const closed = is_vowel(before) && (length < 3 || !is_vowel(word[length - 3])); /* set 셋, but float 플로트 */
    switch (last) {
    case 'l':
        return RIEUL;
    case 'm':
    case 'n':
        return CONSONANT;
    case 'e': /* silent: tile 타일, name 네임; else 버스, 스트라이드 */
        return before == 'l' ? RIEUL : before == 'm' || before == 'n' ? CONSONANT : VOWEL;
    case 'g':
        return before == 'n' ? CONSONANT : VOWEL; /* string 스트링, flag 플래그 */
    case 'k':
        return before == 'c' || closed ? CONSONANT : VOWEL; /* block 블록, bank 뱅크 */
    case 'b':
    case 'c':
    case 'p':
    case 't':
        return closed ? CONSONANT : VOWEL; /* map 맵, warp 워프 */
    default:
        return VOWEL;
    }
}

/* Returns the last sound of the Latin letters that end at `end`. Capitals and single letters are read one by one. */
static enum sound latin_sound(const char *text, size_t end)
{
    size_t from = end;
    while (from && is_letter(text[from - 1]))
        from--;
    size_t const length = end - from;
    bool const letters = length == 1 || is_capital(text[end - 1]);
    if (length > 1 && length <= 3 && is_capital(text[end - 2]) && (text[end - 1] == 'B' || text[end - 1] == 'z'))
        return VOWEL; /* KB 킬로바이트, Hz 헤르츠 */
    if (length == 4 && memcmp(text + from, "FLOP", 4) == 0)
        return CONSONANT;
    return letters ? letter_sound(text[end - 1]) : word_sound(text + from, length);
}

/* Returns the character that ends at `end` as UTF-8, and how long it is. */
static uint32_t last_character(const char *text, size_t end, size_t *length)
{
    size_t from = end - 1;
    while (from && ((unsigned char)text[from] & 0xc0) == 0x80 && end - from < 4)
        from--;
    *length = end - from;
    unsigned char const first = (unsigned char)text[from];
    uint32_t code = first < 0x80 ? first : first < 0xe0 ? first & 0x1fu : first < 0xf0 ? first & 0xfu : first & 7u;
    for (size_t i = from + 1; i < end; i++)
        code = code << 6 | ((unsigned char)text[i] & 0x3fu);
    return code;
}

/* Returns the end of what is heard: before quotes, marks of emphasis, spaces, and a remark in parentheses. */
static size_t heard_end(const char *text, size_t end)
{
    while (end) {
        size_t length;
        uint32_t const last = last_character(text, end, &length);
        if (last < 0x80 && strchr(" \"'`*_]>", (int)last)) {
            end--;
        } else if (last == 0x2019 || last == 0x201d || last == 0x300d || last == 0x00bb) { /* ’ ” 」 » */
            end -= length;
        } else if (last == ')') {
            size_t open = end - 1;
            for (int depth = 1; open && depth; open--)
                depth += (text[open - 1] == ')') - (text[open - 1] == '(');
            if (!open) /* nothing stands before the parentheses: what is inside is heard */
                return heard_end(text, end - 1);
            end = open;
        } else {
            break;
        }
    }
    return end;
}

static enum sound last_sound(const char *text, size_t end)
{
    end = heard_end(text, end);
    if (!end)
        return VOWEL;
    char const last = text[end - 1];
    if (is_digit(last))
        return is_fraction(text, end) && last == '0' ? CONSONANT : number_sound(text, end);
    if (is_letter(last))
        return latin_sound(text, end);
    size_t length;
    uint32_t const code = last_character(text, end, &length);
    if (code >= 0xac00 && code <= 0xd7a3) {
        uint32_t const final = (code - 0xac00) % 28;
        return final == 0 ? VOWEL : final == 8 ? RIEUL : CONSONANT;
    }
    return code == '#' || code == 0xb2 || code == 0xb3 ? CONSONANT : VOWEL; /* 샵, 제곱, 세제곱; % is 퍼센트 */
}

/* Returns whether the last number of a text is 1. */
static bool counts_one(const char *text, size_t end)
{
    while (end && !is_digit(text[end - 1]))
        end--;
    if (!end || text[end - 1] != '1')
        return false;
    char const before = end > 1 ? text[end - 2] : ' ';
    return !is_digit(before) && before != '.' && before != ',' && !is_letter(before);
}

static bool takes_first(const struct marker *marker, const char *text, size_t end)
{
    if (!marker->korean)
        return counts_one(text, end);
    enum sound const sound = last_sound(text, end);
    bool const direction = marker->first_length >= 6 && memcmp(marker->first, "으로", 6) == 0;
    return sound == CONSONANT || (sound == RIEUL && !direction);
}

char *agree(char *text, const char *before)
{
    char *to = text;
    for (const char *from = text; *from;) {
        struct marker marker;
        if (!read_marker(from, &marker)) {
            *to++ = *from++;
            continue;
        }
        bool const own = to > text;
        bool const first = takes_first(&marker, own ? text : before, own ? (size_t)(to - text) : strlen(before));
        size_t const length = first ? marker.first_length : marker.second_length;
        size_t const whole = marker.length;
        memmove(to, first ? marker.first : marker.second, length);
        to += length;
        from += whole;
    }
    *to = '\0';
    return text;
}

char *agree_format(char *text, const char *format)
{
    for (const char *at = strchr(format, '{'); at; at = strchr(at + 1, '{'))
        if (agree_marked(at))
            return agree(text, "");
    return text;
}
