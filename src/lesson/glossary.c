#include "lesson/glossary.h"
#include "base/file.h"
#include <ctype.h>
#include <string.h>
#include <strings.h>

enum { CELLS = 6, CELL_TERM = 0, CELL_KOREAN = 1, CELL_ENGLISH_SAID = 4, CELL_KOREAN_SAID = 5 };
static const char *const head[CELLS] = {"term", "Korean", "rule", "never", "English", "explained in Korean"};

/* Returns the code point at the text, and its length in bytes; 0 and 1 for a byte that is not UTF-8 here. */
static uint32_t code_at(const char *text, size_t *length)
{
    const unsigned char *s = (const unsigned char *)text;
    unsigned const more = *s < 0x80 ? 0 : *s >= 0xC2 && *s < 0xE0 ? 1 : (*s & 0xF0) == 0xE0 ? 2 : *s >= 0xF0 ? 3 : 4;
    uint32_t code = more == 0 ? *s : more == 1 ? *s & 0x1Fu : more == 2 ? *s & 0x0Fu : *s & 0x07u;
    *length = 1;
    if (more == 4 || *s > 0xF4)
        return 0;
    for (unsigned i = 1; i <= more; i++) {
        if ((s[i] & 0xC0) != 0x80)
            return 0;
        code = code << 6 | (s[i] & 0x3Fu);
    }
    *length = more + 1;
    return code;
}

static bool is_utf8(const char *text)
{
    for (size_t length; *text; text += length)
        if (code_at(text, &length) == 0)
            return false;
    return true;
}

/* Splits a row into its cells. Returns their number, at most `most` + 1. */
static int split_row(struct arena *arena, const char *line, size_t length, const char **cells, int most)
{
    int count = 0;
    while (length && strchr(" \t\r", line[length - 1]))
        length--;
    if (length && line[length - 1] == '|')
        length--;
    for (size_t at = 1; at <= length && count <= most; count++) {
        size_t end = at;
        while (end < length && line[end] != '|')
            end++;
        size_t from = at, to = end;
        while (from < to && line[from] == ' ')
            from++;
        while (to > from && line[to - 1] == ' ')
            to--;
        if (count < most)
            cells[count] = arena_text_n(arena, line + from, to - from);
        at = end + 1;
    }
    return count;
}

static bool is_rule(const char *cell) /* below the head: "---" */
{
    return *cell && strspn(cell, "-:") == strlen(cell);
}

/* Puts a row into the glossary. */
static bool take_row(struct glossary *glossary, const char *file, int line, const char *const cells[CELLS],
                     struct error *error)
{
    static const int needed[] = {CELL_TERM, CELL_KOREAN, CELL_ENGLISH_SAID, CELL_KOREAN_SAID};
    for (int i = 0; i < CELLS; i++)
        if (strlen(cells[i]) > GLOSSARY_CELL || !is_utf8(cells[i]))
            return error_at(error, ERROR_INPUT, file, line, 0,
                            "the cell \"%s\" of the glossary is longer than %d bytes, or no UTF-8", head[i],
                            (int)GLOSSARY_CELL);
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (!*cells[needed[i]])
            return error_at(error, ERROR_INPUT, file, line, 0, "the cell \"%s\" of the glossary is empty",
                            head[needed[i]]);
    for (uint32_t i = 0; i < glossary->count; i++)
        if (strcmp(glossary->terms[i].name[LANGUAGE_EN], cells[CELL_TERM]) == 0)
            return error_at(error, ERROR_INPUT, file, line, 0, "the glossary has \"%s\" twice", cells[CELL_TERM]);
    if (glossary->count == GLOSSARY_TERMS)
        return error_at(error, ERROR_INPUT, file, line, 0, "the glossary has more than %d terms", (int)GLOSSARY_TERMS);
    glossary->terms[glossary->count++] = (struct glossary_term){
        .name = {cells[CELL_TERM], cells[CELL_KOREAN]}, .said = {cells[CELL_ENGLISH_SAID], cells[CELL_KOREAN_SAID]}};
    return true;
}

static bool longer(const char *a, const char *b)
{
    return strlen(a) > strlen(b);
}

static bool earlier(const char *a, const char *b) /* Hangul syllables are in order as bytes, too */
{
    return strcasecmp(a, b) < 0;
}

/* Returns the indices of the terms by their names in a language. */
static uint32_t *order_by(struct arena *arena, const struct glossary *glossary, enum language language,
                          bool (*before)(const char *, const char *))
{
    uint32_t *order = arena_array(arena, uint32_t, (size_t)glossary->count + 1);
    for (uint32_t i = 0; i < glossary->count; i++) {
        const char *name = glossary->terms[i].name[language];
        uint32_t at = i;
        for (; at > 0 && before(name, glossary->terms[order[at - 1]].name[language]); at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    return order;
}

static bool read_rows(struct arena *arena, const char *file, const char *text, size_t size, struct glossary *glossary,
                      struct error *error)
{
    int line = 0, rows = 0;
    for (size_t at = 0, length; at < size; at += length + 1) {
        const char *cells[CELLS] = {0};
        const char *newline = memchr(text + at, '\n', size - at);
        length = newline ? (size_t)(newline - (text + at)) : size - at;
        line++;
        if (memchr(text + at, 0, length))
            return error_at(error, ERROR_INPUT, file, line, 0, "the glossary has a byte 0");
        if (text[at] != '|')
            continue;
        if (split_row(arena, text + at, length, cells, CELLS) != CELLS)
            return error_at(error, ERROR_INPUT, file, line, 0, "a row of the glossary has %d cells", (int)CELLS);
        rows++;
        for (int i = 0; rows == 1 && i < CELLS; i++)
            if (strcmp(cells[i], head[i]) != 0)
                return error_at(error, ERROR_INPUT, file, line, 0, "column %d of the glossary is \"%s\"", i + 1,
                                head[i]);
        if (rows == 2 && !is_rule(cells[0]))
            return error_at(error, ERROR_INPUT, file, line, 0, "below the head of the glossary stands |---|");
        if (rows > 2 && !take_row(glossary, file, line, cells, error))
            return false;
    }
    return true;
}

bool glossary_parse(struct arena *arena, const char *file, const char *text, size_t size, struct glossary *glossary,
                    struct error *error)
{
    *glossary = (struct glossary){.terms = arena_array(arena, struct glossary_term, GLOSSARY_TERMS)};
    bool good = size <= GLOSSARY_BYTES;
    if (!good)
        error_at(error, ERROR_INPUT, file, 0, 0, "the glossary is larger than %d KB", GLOSSARY_BYTES / 1024);
    good = good && read_rows(arena, file, text, size, glossary, error);
    if (!good)
        glossary->count = 0;
    for (enum language language = 0; language < LANGUAGE_COUNT; language++) {
        glossary->longest[language] = order_by(arena, glossary, language, longer);
        glossary->sorted[language] = order_by(arena, glossary, language, earlier);
    }
    return good;
}

bool glossary_load(struct arena *arena, struct glossary *glossary, struct error *error)
{
    char *text;
    size_t size;
    const char *path = data_path(arena, "assets/glossary/terms.md");
    *glossary = (struct glossary){0};
    return file_read(arena, path, &text, &size, error) && glossary_parse(arena, path, text, size, glossary, error);
}

/* ---- terms in a text ---- */

/* Returns whether the byte belongs to an English word, or to a name or path around it. */
static bool joins(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '/' || c == '-';
}

/* Returns the length of an English term at the text, with its plural or its "d": 0 if it is not there. */
static size_t english_length(const char *text, const char *name)
{
    static const struct {
        const char *singular, *ending;
    } forms[] = {{"", ""}, {"", "s"}, {"", "es"}, {"e", "ed"}, {"y", "ies"}, {"ix", "ices"}};
    if (tolower((unsigned char)*text) != tolower((unsigned char)*name))
        return 0;
    size_t const whole = strlen(name);
    size_t same = 1;
    while (same < whole && tolower((unsigned char)text[same]) == tolower((unsigned char)name[same]))
        same++;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        size_t const cut = strlen(forms[i].singular), end = strlen(forms[i].ending);
        if (cut > whole || same < whole - cut || strcmp(name + whole - cut, forms[i].singular) != 0)
            continue;
        size_t const stem = whole - cut;
        if (strncmp(text + stem, forms[i].ending, end) == 0 && !joins(text[stem + end]))
            return stem + end;
    }
    return 0;
}

static bool is_hangul(uint32_t code)
{
    return code >= 0xAC00 && code <= 0xD7A3;
}

/* Returns whether a Korean word may end here: at something else than Hangul, at a particle, or at the syllable that
 * makes a verb of a noun. */
static bool ends_word(const char *text)
{
    static const char *const followers[] = {
        "이",   "가",   "은",   "는", "을", "를", "의", "에", "와", "과", "도", "만", "로", "으로", "부터", "까지",
        "보다", "마다", "처럼", "들", "하", "한", "할", "합", "해", "했", "되", "된", "될", "됩",   "돼",   "인",
        "입",   "라",   "끼리", "별", "당", "씩", "쪽", "안", "밖", "수", "째", "나", "든", "뿐",   "같",   "께"};
    size_t length;
    if (!is_hangul(code_at(text, &length)))
        return true;
    for (size_t i = 0; i < sizeof followers / sizeof *followers; i++)
        if (strncmp(text, followers[i], strlen(followers[i])) == 0)
            return true;
    return false;
}

static size_t korean_length(const char *text, const char *name)
{
    if (*text != *name)
        return 0;
    size_t const length = strlen(name);
    return strncmp(text, name, length) == 0 && ends_word(text + length) ? length : 0;
}

/* Returns whether a word may begin at this byte of the text. */
static bool begins_word(enum language language, const char *text, size_t at)
{
    if (at == 0)
        return true;
    if (language == LANGUAGE_EN)
        return !joins(text[at - 1]) && text[at - 1] != '.' && ((unsigned char)text[at] & 0xC0) != 0x80;
    size_t before = at - 1, length;
    while (before > 0 && ((unsigned char)text[before] & 0xC0) == 0x80)
        before--;
    return ((unsigned char)text[at] & 0xC0) != 0x80 && !is_hangul(code_at(text + before, &length)) &&
           !isalpha((unsigned char)text[before]);
}

bool glossary_find(const struct glossary *glossary, enum language language, const char *text, size_t from,
                   struct glossary_match *match)
{
    for (size_t at = from; text[at]; at++) {
        if (!begins_word(language, text, at))
            continue;
        for (uint32_t i = 0; i < glossary->count; i++) {
            uint32_t const term = glossary->longest[language][i];
            const char *name = glossary->terms[term].name[language];
            size_t const length =
                language == LANGUAGE_EN ? english_length(text + at, name) : korean_length(text + at, name);
            if (!length)
                continue;
            *match = (struct glossary_match){term, at, length};
            return true;
        }
    }
    return false;
}

/* A list of spans that grows in an arena. */
struct spans {
    struct arena *arena;
    struct text_span *items;
    size_t count, capacity;
};

static void add_span(struct spans *spans, enum text_style style, const char *text, size_t length, uint32_t term)
{
    if (!length)
        return;
    spans->items = arena_grow(spans->arena, spans->items, spans->count, &spans->capacity, sizeof *spans->items);
    spans->items[spans->count++] = (struct text_span){style, arena_text_n(spans->arena, text, length), term};
}

struct lesson_text glossary_mark(const struct glossary *glossary, enum language language, struct arena *arena,
                                 const struct lesson_text *text, uint32_t not_this)
{
    bool *used = arena_array(arena, bool, (size_t)glossary->count + 1);
    struct text_paragraph *paragraphs = arena_array(arena, struct text_paragraph, text->count + 1);
    used[not_this] = true; /* used[0] is of no term */
    for (size_t p = 0; p < text->count; p++) {
        const struct text_paragraph *from = &text->paragraphs[p];
        struct spans spans = {.arena = arena};
        for (size_t s = 0; s < from->span_count; s++) {
            enum text_style const style = from->spans[s].style;
            const char *words = from->spans[s].text;
            size_t done = 0;
            struct glossary_match match;
            for (size_t at = 0; style != TEXT_CODE && glossary_find(glossary, language, words, at, &match);
                 at = match.at + match.length) {
                if (used[match.term + 1])
                    continue;
                used[match.term + 1] = true;
                add_span(&spans, style, words + done, match.at - done, 0);
                add_span(&spans, style, words + match.at, match.length, match.term + 1);
                done = match.at + match.length;
            }
            add_span(&spans, style, words + done, strlen(words + done), 0);
        }
        paragraphs[p] = (struct text_paragraph){from->item, spans.items, spans.count};
    }
    return (struct lesson_text){paragraphs, text->count};
}

/* ---- typing ---- */

/* The consonants of the keys a to z; "": a vowel. */
static const char *const keys[26] = {"ㅁ", "", "ㅊ", "ㅇ", "ㄷ", "ㄹ", "ㅎ", "", "",   "",   "",   "", "",
                                     "",   "", "",   "ㅂ", "ㄱ", "ㄴ", "ㅅ", "", "ㅍ", "ㅈ", "ㅌ", "", "ㅋ"};

const char *glossary_consonant(char letter)
{
    int const lower = tolower((unsigned char)letter);
    return lower >= 'a' && lower <= 'z' ? keys[lower - 'a'] : "";
}

/* Returns the initial consonant of a Hangul syllable; the single one for a double one. */
static const char *consonant_of(uint32_t syllable)
{
    static const char *const initials[19] = {"ㄱ", "ㄱ", "ㄴ", "ㄷ", "ㄷ", "ㄹ", "ㅁ", "ㅂ", "ㅂ", "ㅅ",
                                             "ㅅ", "ㅇ", "ㅈ", "ㅈ", "ㅊ", "ㅋ", "ㅌ", "ㅍ", "ㅎ"};
    return initials[(syllable - 0xAC00) / 588];
}

const char *glossary_initial(const char *name, struct arena *arena)
{
    size_t length;
    uint32_t const code = code_at(name, &length);
    if (is_hangul(code)) {
        static const char *const syllables[19] = {"가", "가", "나", "다", "다", "라", "마", "바", "바", "사",
                                                  "사", "아", "자", "자", "차", "카", "타", "파", "하"};
        return syllables[(code - 0xAC00) / 588];
    }
    return code < 0x80 ? arena_format(arena, "%c", toupper((int)code)) : arena_text_n(arena, name, length);
}

/* Returns whether the initial consonants of a Korean name begin, at a syllable, with those on the typed keys. A double
 * consonant answers to the key of the single one. */
static bool consonants_begin(const char *name, const char *typed)
{
    for (size_t length; *typed; name += length) {
        uint32_t const code = code_at(name, &length);
        if (!*name)
            return false;
        if (!is_hangul(code))
            continue;
        while (*typed == ' ')
            typed++;
        if (*typed && strcmp(consonant_of(code), glossary_consonant(*typed)) != 0)
            return false;
        typed += *typed != 0;
    }
    return true;
}

bool glossary_typed(const struct glossary_term *term, enum language language, const char *typed)
{
    const char *english = term->name[LANGUAGE_EN], *korean = term->name[LANGUAGE_KO];
    size_t const length = strlen(typed);
    if (!length)
        return true;
    for (size_t at = 0; english[at]; at++) {
        size_t same = 0;
        while (same < length && tolower((unsigned char)english[at + same]) == tolower((unsigned char)typed[same]))
            same++;
        if (same == length && (at == 0 || !isalnum((unsigned char)english[at - 1])))
            return true;
    }
    for (size_t at = 0; language == LANGUAGE_KO && korean[at]; at++)
        if ((at == 0 || korean[at - 1] == ' ') && consonants_begin(korean + at, typed))
            return true;
    return false;
}
