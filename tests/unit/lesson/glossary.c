/* The glossary: its file is read or refused with a line, terms are found in words of both languages, and keys lead to
 * them. */
#include "lesson/glossary.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define HEAD "| term | Korean | rule | never | English | explained in Korean |\n|---|---|---|---|---|---|\n"
static const char table[] =
    "# Glossary\n\nwords\n\n" HEAD "| array of structs | 구조체 배열 | strict | | A layout. | 배치입니다. |\n"
    "| bank | 뱅크 | strict | | A part of shared memory. | 공유 메모리의 부분입니다. |\n"
    "| bank conflict | 뱅크 충돌 | strict | | Several words. | 여러 워드입니다. |\n"
    "| latency | 지연 시간 | strict | | The time. | 시간입니다. |\n"
    "| matrix | 행렬 | open | | Rows. | 행입니다. |\n"
    "| pass | 패스 | open | | One turn. | 한 차례입니다. |\n"
    "| transpose | 전치 | open | | To turn. | 바꾸는 일입니다. |\n"
    "| warp | 워프 | open | | 32 threads. | 스레드 32개입니다. |\n";

static struct arena arena;
static struct glossary glossary;

static int read_table(void **state)
{
    struct error error;
    (void)state;
    return glossary_parse(&arena, "terms.md", table, sizeof table - 1, &glossary, &error) ? 0 : -1;
}

static int forget(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

/* Returns the words found in a text: "warps bank", each as it stands there. */
static const char *found(enum language language, const char *text)
{
    struct glossary_match match;
    const char *words = "";
    for (size_t at = 0; glossary_find(&glossary, language, text, at, &match); at = match.at + match.length)
        words = arena_format(&arena, "%s%s%.*s", words, *words ? "|" : "", (int)match.length, text + match.at);
    return words;
}

static void english_words_are_found_in_their_forms(void **state)
{
    (void)state;
    assert_string_equal(found(LANGUAGE_EN, "A warp has banks; the Bank Conflict takes passes."),
                        "warp|banks|Bank Conflict|passes");
    assert_string_equal(found(LANGUAGE_EN, "Latencies of matrices, transposed."), "Latencies|matrices|transposed");
    assert_string_equal(found(LANGUAGE_EN, "bank\nwarp."), "bank|warp");
    assert_string_equal(found(LANGUAGE_EN, "(array of structs)"), "array of structs");
}

static void parts_of_other_words_are_none(void **state)
{
    (void)state;
    assert_string_equal(found(LANGUAGE_EN, "compass passing warped databank bank_id warp-wide a/warp x.warp"), "");
    assert_string_equal(found(LANGUAGE_KO, "하프워프 패스워드 행렬식"), "");
    assert_string_equal(found(LANGUAGE_EN, ""), "");
}

static void korean_words_are_found_before_particles(void **state)
{
    (void)state;
    assert_string_equal(found(LANGUAGE_KO, "워프가 뱅크에서 뱅크 충돌을 일으키면 패스마다 행렬의 원소입니다."),
                        "워프|뱅크|뱅크 충돌|패스|행렬");
    assert_string_equal(found(LANGUAGE_KO, "32개의 뱅크로, 워프들은, 패스입니다. 전치한 뱅크"),
                        "뱅크|워프|패스|전치|뱅크");
}

static void the_first_occurrence_outside_code_is_marked(void **state)
{
    (void)state;
    struct text_span const first[] = {{.style = TEXT_CODE, .text = "warp"},
                                      {.text = " of a warp: a bank."},
                                      {.style = TEXT_BOLD, .text = "2 passes"}};
    struct text_span const second[] = {{.text = "The warp and a pass, and a matrix"}};
    struct text_paragraph const paragraphs[] = {{.spans = first, .span_count = 3}, {true, second, 1}};
    struct lesson_text const text = {paragraphs, 2};
    struct lesson_text const marked = glossary_mark(&glossary, LANGUAGE_EN, &arena, &text, 0);
    const char *words = "", *all = "";
    for (size_t p = 0; p < marked.count; p++)
        for (size_t s = 0; s < marked.paragraphs[p].span_count; s++) {
            const struct text_span *span = &marked.paragraphs[p].spans[s];
            all = arena_format(&arena, "%s%s", all, span->text);
            if (span->term) {
                assert_true(span->style != TEXT_CODE);
                words = arena_format(&arena, "%s|%s=%s", words, span->text,
                                     glossary.terms[span->term - 1].name[LANGUAGE_EN]);
            }
        }
    assert_string_equal(words, "|warp=warp|bank=bank|passes=pass|matrix=matrix");
    assert_string_equal(all, "warp of a warp: a bank.2 passesThe warp and a pass, and a matrix");
    assert_int_equal(marked.paragraphs[0].spans[marked.paragraphs[0].span_count - 1].style, TEXT_BOLD);
    assert_true(marked.paragraphs[1].item);
    uint32_t const bank = 2; /* index + 1 */
    struct lesson_text const without = glossary_mark(&glossary, LANGUAGE_EN, &arena, &text, bank);
    for (size_t s = 0; s < without.paragraphs[0].span_count; s++)
        assert_int_not_equal(without.paragraphs[0].spans[s].term, bank);
}

static void keys_lead_to_terms_by_letters_and_by_initial_consonants(void **state)
{
    (void)state;
    const struct glossary_term *conflict = &glossary.terms[2];
    assert_true(glossary_typed(conflict, LANGUAGE_KO, ""));
    assert_true(glossary_typed(conflict, LANGUAGE_KO, "bank c"));
    assert_true(glossary_typed(conflict, LANGUAGE_KO, "conf"));
    assert_false(glossary_typed(conflict, LANGUAGE_KO, "ank"));
    assert_true(glossary_typed(conflict, LANGUAGE_KO, "qz"));   /* ㅂㅋ */
    assert_true(glossary_typed(conflict, LANGUAGE_KO, "qzc"));  /* ㅂㅋㅊ: 뱅크 충 */
    assert_true(glossary_typed(conflict, LANGUAGE_KO, "ce"));   /* ㅊㄷ: 충돌 */
    assert_false(glossary_typed(conflict, LANGUAGE_KO, "qzk")); /* a vowel */
    assert_false(glossary_typed(conflict, LANGUAGE_KO, "qzceq"));
    assert_true(glossary_typed(conflict, LANGUAGE_EN, "conf"));
    assert_false(glossary_typed(conflict, LANGUAGE_EN, "qz")); /* in English, letters are letters */
    assert_string_equal(glossary_initial("뱅크", &arena), "바");
    assert_string_equal(glossary_initial("bank", &arena), "B");
}

/* Expects the text to be refused at the line. */
static void refused(const char *text, size_t size, int line)
{
    struct glossary wrong;
    struct error error;
    assert_false(glossary_parse(&arena, "terms.md", text, size, &wrong, &error));
    assert_int_equal(error.kind, ERROR_INPUT);
    assert_int_equal(error.line, line);
    assert_string_equal(error.file, "terms.md");
    assert_int_equal(wrong.count, 0);
    struct glossary_match match;
    assert_false(glossary_find(&wrong, LANGUAGE_EN, "a warp", 0, &match));
}

static void a_wrong_file_is_refused_with_its_line(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int line;
    } wrong[] = {
        {"| term | Korean |\n", 1},
        {"| word | Korean | rule | never | English | explained in Korean |\n", 1},
        {"| term | Korean | rule | never | English | explained in Korean |\n| a | b | open | | C. | D. |\n", 2},
        {HEAD "| a | b | open | | C. |\n", 3},
        {HEAD "| a | b | open | | C. | D. | e |\n", 3},
        {HEAD "| | b | open | | C. | D. |\n", 3},
        {HEAD "| a | b | open | | C. | D. |\n| a | c | open | | C. | D. |\n", 4},
        {HEAD "| a | \xED\xA0 | open | | C. | D. |\n", 3},
        {HEAD "| a | \xFF | open | | C. | D. |\n", 3}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        refused(wrong[i].text, strlen(wrong[i].text), wrong[i].line);
    refused("a\n\0b", 4, 2);
}

static void a_huge_file_is_refused(void **state)
{
    (void)state;
    size_t const size = GLOSSARY_BYTES + 1;
    char *text = malloc(size);
    assert_non_null(text);
    memset(text, '|', size);
    refused(text, size, 0);
    refused(text, GLOSSARY_BYTES, 1);
    free(text);
    struct {
        char *items;
        size_t count, capacity;
    } rows = {0};
    for (const char *c = HEAD; *c; c++)
        array_push(&rows, *c);
    for (int i = 0; i <= GLOSSARY_TERMS; i++)
        for (const char *c = arena_format(&arena, "| t%d | k | open | | E. | K. |\n", i); *c; c++)
            array_push(&rows, *c);
    refused(rows.items, rows.count, GLOSSARY_TERMS + 3);
    free(rows.items);
    char cell[GLOSSARY_CELL + 2];
    memset(cell, 'x', sizeof cell - 1);
    cell[sizeof cell - 1] = 0;
    const char *longest = arena_format(&arena, "%s| a | b | open | | %s | D. |\n", HEAD, cell);
    refused(longest, strlen(longest), 3);
}

/* Any damage to the file gives a glossary or an error, and no other effect. */
static void a_damaged_file_does_no_harm(void **state)
{
    (void)state;
    uint32_t random = 1;
    for (int round = 0; round < 4000; round++) {
        char text[sizeof table];
        struct arena own = {0};
        struct glossary damaged;
        struct error error;
        struct glossary_match match;
        memcpy(text, table, sizeof text);
        for (int i = 0; i < 1 + round % 8; i++) {
            random = random * 1664525u + 1013904223u;
            text[random % (sizeof text - 1)] = (char)(random >> 24);
        }
        size_t const size = round % 3 ? sizeof text - 1 : random % sizeof text;
        if (glossary_parse(&own, "terms.md", text, size, &damaged, &error))
            for (size_t at = 0; glossary_find(&damaged, LANGUAGE_KO, "뱅크 충돌이 워프에 \xEB", at, &match);)
                at = match.at + match.length;
        else
            assert_int_equal(error.kind, ERROR_INPUT);
        arena_free(&own);
    }
}

static void the_installed_glossary_knows_its_own_terms(void **state)
{
    (void)state;
    struct glossary installed;
    struct error error;
    if (!glossary_load(&arena, &installed, &error))
        fail_msg("%s", error.message);
    assert_true(installed.count >= 50);
    for (uint32_t i = 0; i < installed.count; i++)
        for (enum language language = 0; language < LANGUAGE_COUNT; language++) {
            struct glossary_match match;
            const char *name = installed.terms[i].name[language];
            if (!glossary_find(&installed, language, name, 0, &match) || match.term != i)
                fail_msg("\"%s\" is not found as itself", name);
            assert_true(match.length >= strlen(name));
        }
}

int main(void)
{
    struct CMUnitTest const tests[] = {
        cmocka_unit_test(english_words_are_found_in_their_forms),
        cmocka_unit_test(parts_of_other_words_are_none),
        cmocka_unit_test(korean_words_are_found_before_particles),
        cmocka_unit_test(the_first_occurrence_outside_code_is_marked),
        cmocka_unit_test(keys_lead_to_terms_by_letters_and_by_initial_consonants),
        cmocka_unit_test(a_wrong_file_is_refused_with_its_line),
        cmocka_unit_test(a_huge_file_is_refused),
        cmocka_unit_test(a_damaged_file_does_no_harm),
        cmocka_unit_test(the_installed_glossary_knows_its_own_terms),
    };
    return cmocka_run_group_tests(tests, read_table, forget);
}
