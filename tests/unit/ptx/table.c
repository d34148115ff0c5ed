/* docs/ptx.md shows the opcode table with the evidence for each opcode in the emulator: the forms whose results are
 * compared with a GPU's (instructions_match, matrix_match), another test, or the reason for a refusal. */
#include "base/file.h"
#include "base/words.h"
#include "ptx/module.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
// clang-format off
#include <cmocka.h>
// clang-format on

#define PLACE "<!-- opcode table: LANESCOPE_UPDATE=1 and the test ptx_table write it -->\n"

static const struct { /* the reasons of the emulator itself */
    enum ptx_opcode opcode;
    enum ptx_modifier modifier; /* PTX_MODIFIER_COUNT: all forms */
    const char *reason;
} refused[] = {
#define REFUSED(opcode, reason) {PTX_OP_##opcode, PTX_MODIFIER_COUNT, reason},
#define REFUSED_WITH(opcode, modifier, reason) {PTX_OP_##opcode, PTX_MOD_##modifier, reason},
#include "emulator/decode/refused.def"
#undef REFUSED
#undef REFUSED_WITH
};

static const struct {
    enum ptx_opcode opcode;
    const char *why;
} without_forms[] = {
    {PTX_OP_mbarrier, "runs; what it leaves in memory is opaque: test emulator_barriers"},
    {PTX_OP_trap, "ends the launch: test emulator_faults"},
    {PTX_OP_brkpt, "nothing happens: no debugger listens"},
    {PTX_OP_setmaxnreg, "nothing happens: a warp has all registers"},
};

struct evidence { /* of one opcode */
    unsigned forms;
    bool types[PTX_TYPE_COUNT];
    bool counted; /* the form that is being read already counted for this opcode */
};

static void note_word(struct evidence *evidence, char *word)
{
    char *rest = word + strcspn(word, ".");
    bool const more = *rest == '.';
    *rest = 0;
    for (int opcode = 0; opcode < PTX_OPCODE_COUNT; opcode++) {
        if (strcmp(word, ptx_opcode_name((enum ptx_opcode)opcode)) != 0)
            continue;
        struct evidence *e = &evidence[opcode];
        e->forms += !e->counted;
        e->counted = true;
        for (char *part = more ? rest + 1 : NULL, *next; part; part = next) {
            next = strchr(part, '.');
            if (next)
                *next++ = 0;
            for (int type = PTX_TYPE_NONE + 1; type < PTX_TYPE_COUNT; type++)
                e->types[type] |= strcmp(part, ptx_type_name((enum ptx_type)type)) == 0;
        }
    }
}

/* Counts the forms that the emulator takes, by opcode. Labels, predicates and braces stand in the text too. */
static void read_forms(const char *path, unsigned fields, struct evidence *evidence)
{
    static char line[2048];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        char *text = line, *state;
        for (unsigned i = 0; i < fields && text; i++)
            text = strchr(text, ' ') ? strchr(text, ' ') + 1 : NULL;
        if (line[0] == '-' || !text)
            continue;
        for (int opcode = 0; opcode < PTX_OPCODE_COUNT; opcode++)
            evidence[opcode].counted = false;
        for (char *word = strtok_r(text, " ;{}\n", &state); word; word = strtok_r(NULL, " ;{}\n", &state))
            note_word(evidence, word);
    }
    fclose(file);
}

static void gather(struct arena *arena, const char *runs[PTX_OPCODE_COUNT])
{
    static struct evidence evidence[PTX_OPCODE_COUNT];
    memset(evidence, 0, sizeof evidence);
    read_forms("instructions/results.txt", 3, evidence); /* hash, inputs, result */
    read_forms("matrix/results.txt", 4, evidence);       /* and the number of cases */
    for (int opcode = 0; opcode < PTX_OPCODE_COUNT; opcode++) {
        const struct evidence *e = &evidence[opcode];
        char *text = arena_format(arena, "%u form%s", e->forms, e->forms == 1 ? "" : "s");
        bool first = true;
        for (int type = PTX_TYPE_NONE + 1; type < PTX_TYPE_COUNT; type++) {
            if (!e->types[type])
                continue;
            text = arena_format(arena, "%s%s%s", text, first ? ": " : " ", ptx_type_name((enum ptx_type)type));
            first = false;
        }
        runs[opcode] = e->forms ? text : NULL;
    }
    for (size_t i = 0; i < sizeof without_forms / sizeof *without_forms; i++) {
        enum ptx_opcode const opcode = without_forms[i].opcode;
        if (runs[opcode])
            fail_msg("%s has a form and needs no reason", ptx_opcode_name(opcode));
        runs[opcode] = without_forms[i].why;
    }
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        const char **row = &runs[refused[i].opcode];
        bool const whole = refused[i].modifier == PTX_MODIFIER_COUNT;
        if (whole && *row)
            fail_msg("%s has a form and is refused", ptx_opcode_name(refused[i].opcode));
        *row = whole ? arena_format(arena, "refused: %s", refused[i].reason)
                     : arena_format(arena, "%s; `.%s` refused: %s", *row, ptx_modifier_word(refused[i].modifier),
                                    refused[i].reason);
    }
}

static void every_opcode_has_a_test_or_a_reason(void **state)
{
    (void)state;
    struct arena arena = {0};
    const char *runs[PTX_OPCODE_COUNT];
    gather(&arena, runs);
    for (int opcode = 0; opcode < PTX_OPCODE_COUNT; opcode++)
        if (!runs[opcode])
            fail_msg("%s has no form and no reason", ptx_opcode_name((enum ptx_opcode)opcode));
    arena_free(&arena);
}

static const char *const summaries[] = {
#define PTX_OPCODE(name, text, group, kind, class, first, fewest, most, summary) summary,
#include "ptx/opcodes.def"
#undef PTX_OPCODE
};

/* Returns the tables of docs/ptx.md: one per group, one row per opcode. runs: the forms that the emulator runs, by
 * opcode. */
static char *table_of(struct arena *arena, const char *const runs[PTX_OPCODE_COUNT])
{
    static const char *const headings[PTX_GROUP_COUNT] = {
        "Integer arithmetic and arithmetic of both kinds",
        "Floating point",
        "Bits",
        "Comparison and selection",
        "Moves, conversions, addresses",
        "Memory",
        "Between lanes, warps and blocks",
        "Control flow",
        "Bytes and halves in a word",
        "Matrices",
        "Textures and surfaces",
    };
    char *text = arena_text(arena, "");
    for (int group = 0; group < PTX_GROUP_COUNT; group++) {
        char *rows = arena_text(arena, "");
        for (int i = 0; i < PTX_OPCODE_COUNT; i++)
            if ((int)ptx_opcode_group((enum ptx_opcode)i) == group)
                rows = arena_format(arena, "%s| `%s` | %s | %s |\n", rows, ptx_opcode_name((enum ptx_opcode)i),
                                    summaries[i], runs[i]);
        text = arena_format(arena, "%s%s### %s\n\n| opcode | what it does | in the emulator |\n|---|---|---|\n%s", text,
                            group ? "\n" : "", headings[group], rows);
    }
    return text;
}

/* The text after PLACE is generated. */
static void document_shows_the_opcode_table(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct error error = {0};
    const char *runs[PTX_OPCODE_COUNT];
    char *text;
    size_t size;
    gather(&arena, runs);
    assert_true(file_read(&arena, "../docs/ptx.md", &text, &size, &error));
    char *place = strstr(text, PLACE);
    assert_non_null(place);
    place += strlen(PLACE);
    const char *table = table_of(&arena, runs);
    if (getenv("LANESCOPE_UPDATE")) {
        const char *whole = arena_format(&arena, "%.*s%s", (int)(place - text), text, table);
        assert_true(file_write("../docs/ptx.md", whole, strlen(whole), &error));
    } else {
        assert_string_equal(place, table);
    }
    arena_free(&arena);
}

/* The list of docs/ptx.md is written by hand. */
static void document_lists_each_refused_form_as_not_run(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct error error = {0};
    char *text;
    size_t size;
    assert_true(file_read(&arena, "../docs/ptx.md", &text, &size, &error));
    char *list = strstr(text, "\n## Not run\n");
    assert_non_null(list);
    *strstr(list + 1, "\n## ") = 0;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        const char *word = refused[i].modifier == PTX_MODIFIER_COUNT ? "" : ptx_modifier_word(refused[i].modifier);
        const char *form = arena_format(&arena, "`%s%s%s`", ptx_opcode_name(refused[i].opcode), *word ? "." : "", word);
        if (!strstr(list, form))
            fail_msg("\"Not run\" lacks %s", form);
    }
    arena_free(&arena);
}

static void every_opcode_is_in_the_table_once(void **state)
{
    (void)state;
    struct arena arena = {0};
    const char *runs[PTX_OPCODE_COUNT];
    gather(&arena, runs);
    const char *table = table_of(&arena, runs);
    for (int i = 0; i < PTX_OPCODE_COUNT; i++) {
        const char *row = arena_format(&arena, "\n| `%s` |", ptx_opcode_name((enum ptx_opcode)i));
        const char *found = strstr(table, row);
        assert_non_null(found);
        assert_null(strstr(found + 1, row));
    }
    arena_free(&arena);
}

static void operand_counts_fit_an_instruction(void **state)
{
    (void)state;
    for (int i = 0; i < PTX_OPCODE_COUNT; i++) {
        unsigned fewest, most;
        ptx_opcode_operands((enum ptx_opcode)i, &fewest, &most);
        assert_true(fewest <= most && most <= 8);
    }
}

static const enum ptx_opcode operand_rows[] = {
#define OPERANDS(opcode, ...) PTX_OP_##opcode,
#include "ptx/operands.def"
#undef OPERANDS
};
enum { OPERAND_ROWS = sizeof operand_rows / sizeof *operand_rows };

/* parser_check_operands searches the rows of operands.def by opcode. */
static void rows_of_operands_have_the_order_of_opcodes(void **state)
{
    (void)state;
    for (size_t i = 1; i < OPERAND_ROWS; i++)
        assert_true(operand_rows[i - 1] <= operand_rows[i]);
}

/* Calls have a check of their own, and no stage runs what the emulator refuses. */
static void every_opcode_that_runs_says_what_it_takes(void **state)
{
    (void)state;
    bool known[PTX_OPCODE_COUNT] = {0}, expected[PTX_OPCODE_COUNT];
    for (size_t i = 0; i < OPERAND_ROWS; i++)
        known[operand_rows[i]] = true;
    for (int i = 0; i < PTX_OPCODE_COUNT; i++)
        expected[i] = i != PTX_OP_call;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (refused[i].modifier == PTX_MODIFIER_COUNT)
            expected[refused[i].opcode] = false;
    for (int i = 0; i < PTX_OPCODE_COUNT; i++)
        if (known[i] != expected[i])
            fail_msg("%s", ptx_opcode_name((enum ptx_opcode)i));
}

static void type_sizes(void **state)
{
    (void)state;
    assert_int_equal(ptx_type_size(PTX_B8), 1);
    assert_int_equal(ptx_type_size(PTX_F16X2), 4);
    assert_int_equal(ptx_type_size(PTX_F64), 8);
    assert_int_equal(ptx_type_size(PTX_B128), 16);
    assert_int_equal(ptx_type_size(PTX_PRED), 0);
    for (int i = PTX_TYPE_NONE + 1; i < PTX_TYPE_COUNT; i++)
        assert_true(ptx_type_name((enum ptx_type)i)[0] != 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_opcode_has_a_test_or_a_reason),
        cmocka_unit_test(document_shows_the_opcode_table),
        cmocka_unit_test(document_lists_each_refused_form_as_not_run),
        cmocka_unit_test(every_opcode_is_in_the_table_once),
        cmocka_unit_test(operand_counts_fit_an_instruction),
        cmocka_unit_test(rows_of_operands_have_the_order_of_opcodes),
        cmocka_unit_test(every_opcode_that_runs_says_what_it_takes),
        cmocka_unit_test(type_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
