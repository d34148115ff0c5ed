/* Well-formed but wrong PTX, in a fixed order: each form of an instruction with one operand replaced by each kind of
 * operand, one word by each type, space and vector, one operand too few and one too many; the forms of the first file
 * also with each modifier that there is. The files are tests/fuzz/forms.txt, tests/instructions/results.txt and
 * tests/matrix/results.txt.
 *
 *     forms [--every N] [--from K] [--print | --verdicts] FILE...
 *
 * runs every Nth input from the Kth on. Each input is parsed; one that is accepted gets its probes, whose text must
 * parse again, and runs in several ways: with and without a guard, whole and partial warps, all blocks with every check
 * or quickly. Each must end as a result or an error with a message. The inputs run in a process of their own, so that a
 * crash is reported with its instruction and the next inputs still run. With --verdicts nothing runs: the text around
 * the instruction is printed, then for each input whether the parser accepts it (tests/instructions/operands.py
 * compares that with ptxas). */
#include "emulator/emulator.h"
#include "fuzz.h"
#include "ptx/parse.h"
#include "stages.h"
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LINE = 1024, OPERANDS_MOST = 10, BUFFER_BYTES = 16384, PROBES_EVERY = 4, SECONDS_MOST = 600 };

static const char head[] =
    ".version 8.8\n.target sm_90a\n.address_size 64\n"
    ".global .align 16 .b8 g[64];\n.const .align 16 .b8 c[64];\n.shared .align 16 .b8 s[4096];\n"
    ".func (.param .b32 fr) f (.param .b32 fa) { .reg .b32 %x; ld.param.b32 %x, [fa]; st.param.b32 [fr], %x; ret; }\n"
    ".func (.reg .b64 %y) q (.reg .b64 %x) { add.u64 %y, %x, 1; ret; }\n.func h () { ret; }\n"
    ".extern .func (.param .b32 vr) vprintf (.param .b64 v0, .param .b64 v1);\n"
    ".visible .entry k (.param .u64 a, .param .u32 b) {\n"
    ".local .align 16 .b8 l[64];\n.param .b32 cp0; .param .b32 cp1; .param .b64 cp2;\n"
    ".reg .pred %p<20>; .reg .b16 %h<20>; .reg .b32 %r<40>; .reg .b64 %d<20>; .reg .b128 %q<8>;\n"
    ".reg .u16 %uh<4>; .reg .u32 %ur<4>; .reg .u64 %ud<4>; .reg .s16 %sh<4>; .reg .s32 %sr<4>; .reg .s64 %sd<4>;\n"
    ".reg .f32 %fr<4>; .reg .f64 %fd<4>; .reg .f16 %fh<4>; .reg .f16x2 %f2<4>; .reg .b8 %by<4>; .reg .u8 %ub<4>;\n"
    ".reg .b32 %a<8>, %b<8>, %c<16>, %o<16>;\n"
    "mov.u32 %r1, %tid.x; ld.param.u64 %d14, [a]; cvta.to.global.u64 %d14, %d14;\n"
    "mul.wide.u32 %d13, %r1, 64; add.u64 %d13, %d13, %d14; mov.u64 %d12, %d13;\n"
    "mov.u32 %r13, s; shl.b32 %r2, %r1, 4; add.u32 %r13, %r13, %r2; mov.u32 %r14, s; mov.u32 %r12, s;\n"
    "mov.u32 %r11, s; mov.u64 %d1, %d14; mov.b64 %d9, 5; mov.u32 %r9, 16; mov.u32 %r3, 4;\n"
    "and.b32 %r4, %r1, 1; setp.ne.u32 %p1, %r4, 0; setp.lt.u32 %p2, %r1, 9; mov.b64 %d3, {%r1, %r2};\n"
    "cvt.u16.u32 %h1, %r1; cvt.u16.u32 %h2, %r2; mov.b32 %fr1, %r2; mov.b64 %fd1, %d3;\n";
static const char tail[] =
    "L0:\n@%p0 mov.u32 %r5, 1;\nst.global.u32 [%d14], %r0; st.global.u64 [%d14+8], %d0; st.global.u16 [%d14+16], %h0;\n"
    "st.global.u32 [%d14+20], %r5; ret;\n}\n";

static const char *const operands[] = {"%p1",
                                       "!%p1",
                                       "%by1",
                                       "%ub1",
                                       "%h1",
                                       "%uh1",
                                       "%sh1",
                                       "%fh1",
                                       "%r1",
                                       "%ur1",
                                       "%sr1",
                                       "%fr1",
                                       "%f21",
                                       "%d1",
                                       "%ud1",
                                       "%sd1",
                                       "%fd1",
                                       "%q1",
                                       "1",
                                       "0",
                                       "-1",
                                       "16",
                                       "1.5",
                                       "0f3F800000",
                                       "%tid.x",
                                       "%clock64",
                                       "%laneid",
                                       "[%d13]",
                                       "[%d3]",
                                       "[%r13]",
                                       "[%p1]",
                                       "[%h1]",
                                       "[s]",
                                       "[g]",
                                       "[g+60]",
                                       "[a]",
                                       "[cp0]",
                                       "[l]",
                                       "[c]",
                                       "[4]",
                                       "s",
                                       "g",
                                       "c",
                                       "l",
                                       "a",
                                       "cp0",
                                       "cp2",
                                       "f",
                                       "k",
                                       "L0",
                                       "_",
                                       "%p1|%p2",
                                       "%r1|%p2",
                                       "%r1|%r2",
                                       "_|%p2",
                                       "{%r1}",
                                       "{%r1,%r2}",
                                       "{%d1,%d2}",
                                       "{%h1,%h2}",
                                       "{%p1,%p2}",
                                       "{%r1,%d1}",
                                       "{_}",
                                       "{_,%r1}",
                                       "{}",
                                       "{%r1,%r2,%r3,%r4}",
                                       "{%h1,%h2,%h1,%h2}",
                                       "{%r1,%r2,%r3,%r4,%r1,%r2,%r3,%r4}",
                                       "{%r1,1,s,%tid.x}",
                                       "%r1.b0",
                                       "%r1.h1",
                                       "[%d1,{%r1}]",
                                       "(%r1)"};
static const char *const words[] = {"b8",     "b16",   "b32",   "b64",   "b128",  "u8",   "u16",    "u32",
                                    "u64",    "s8",    "s16",   "s32",   "s64",   "f16",  "f16x2",  "bf16",
                                    "bf16x2", "f32",   "f64",   "u16x2", "s16x2", "pred", "global", "shared",
                                    "local",  "const", "param", "v2",    "v4",    "v8",   ""};
enum { OPERAND_COUNT = sizeof operands / sizeof *operands, WORD_COUNT = sizeof words / sizeof *words };

struct form { /* its words, then its operands, each ended by 0 */
    char text[LINE];
    size_t parts[OPERANDS_MOST]; /* where the operands begin */
    unsigned count;
};
static struct {
    struct form *items;
    size_t count, capacity;
    size_t of_first_file; /* these get every modifier that there is */
} forms;

/* Divides an instruction into its words and operands. Returns false for text that is not one instruction. */
static bool form_read(struct form *form, const char *text)
{
    size_t const length = strcspn(text, ";");
    if (text[length] != ';' || text[length + 1] || length >= LINE || *text == '@' || *text == '{')
        return false;
    memcpy(form->text, text, length);
    form->text[length] = 0;
    form->count = 0;
    char *at = form->text + strcspn(form->text, " ");
    int depth = 0;
    while (*at) {
        *at++ = 0;
        at += strspn(at, " ");
        if (!*at)
            break;
        if (form->count == OPERANDS_MOST)
            return false;
        form->parts[form->count++] = (size_t)(at - form->text);
        for (; *at && (*at != ',' || depth); at++)
            depth += (strchr("[{(", *at) != NULL) - (strchr("]})", *at) != NULL);
    }
    return true;
}

/* Forms with the same words and as many operands are the same. */
static bool form_is_known(const struct form *form)
{
    for (size_t i = 0; i < forms.count; i++)
        if (forms.items[i].count == form->count && strcmp(forms.items[i].text, form->text) == 0)
            return true;
    return false;
}

/* Reads a file of forms: lines of instructions, or of results that end with one. */
static void forms_read(const char *name)
{
    FILE *file = fopen(name, "r");
    char line[4096];
    require(file);
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        const char *text = line;
        bool const result = strspn(line + (*line == '-'), "0123456789abcdef") == 16;
        unsigned const numbers = strstr(name, "matrix") ? 4 : 3; /* words before the instruction */
        for (unsigned i = 0; result && i < numbers; i++)
            text += strcspn(text, " ") + strspn(text + strcspn(text, " "), " ");
        struct form *form = calloc(1, sizeof *form);
        require(form);
        if (form_read(form, text) && !form_is_known(form)) {
            if (forms.count == forms.capacity) {
                forms.capacity = forms.capacity ? 2 * forms.capacity : 256;
                forms.items = realloc(forms.items, forms.capacity * sizeof *forms.items);
                require(forms.items);
            }
            form_read(&forms.items[forms.count++], text);
        }
        free(form);
    }
    fclose(file);
    if (!forms.of_first_file)
        forms.of_first_file = forms.count;
}

static size_t word_count(const struct form *form)
{
    size_t count = 0;
    for (const char *at = form->text; (at = strchr(at, '.')); at++)
        count++;
    return count;
}

static size_t form_inputs(const struct form *form)
{
    bool const modified = (size_t)(form - forms.items) < forms.of_first_file;
    return 3 + form->count * OPERAND_COUNT + word_count(form) * WORD_COUNT + (modified ? PTX_MODIFIER_COUNT : 0);
}

static void append(char *text, const char *more)
{
    size_t const length = strlen(text);
    snprintf(text + length, LINE - length, "%s", more);
}

/* Writes the opcode with one of its words replaced. */
static void append_words(char *text, const struct form *form, size_t word, const char *with)
{
    const char *at = form->text;
    for (size_t i = 0; i <= word; i++)
        at = strchr(at, '.') + 1;
    size_t const start = (size_t)(at - form->text), length = strcspn(at, ".");
    char rest[LINE];
    snprintf(text, LINE, "%.*s", (int)(start - 1), form->text);
    snprintf(rest, sizeof rest, "%s%s%s", *with ? "." : "", with, at + length);
    append(text, rest);
}

static void form_input(const struct form *form, size_t which, char text[LINE])
{
    size_t const replaced = form->count * OPERAND_COUNT;
    size_t place = SIZE_MAX, count = form->count;
    const char *operand = "%r1";
    snprintf(text, LINE, "%s", form->text);
    if (which == 1)
        count -= count > 0;
    else if (which == 2)
        count++;
    else if (which >= 3 && which - 3 < replaced) {
        place = (which - 3) / OPERAND_COUNT;
        operand = operands[(which - 3) % OPERAND_COUNT];
    } else if (which >= 3 && which - 3 - replaced >= word_count(form) * WORD_COUNT) {
        append(text, ".");
        append(text, ptx_modifier_word((enum ptx_modifier)(which - 3 - replaced - word_count(form) * WORD_COUNT)));
    } else if (which >= 3) {
        size_t const at = which - 3 - replaced;
        append_words(text, form, at / WORD_COUNT, words[at % WORD_COUNT]);
    }
    for (size_t i = 0; i < count; i++) {
        append(text, i ? ", " : " ");
        append(text, i == place || i >= form->count ? operand : form->text + form->parts[i]);
    }
    append(text, ";");
}

/* ---- what is done with an input ---- */

struct totals {
    size_t at; /* the input under way */
    size_t inputs, accepted, runs, ended, probed, failed;
    char text[LINE];
};

static void run(const struct ptx_module *module, uint32_t threads, bool watched, bool values, struct totals *totals)
{
    static _Alignas(256) uint8_t memory[BUFFER_BYTES];
    memset(memory, 0, sizeof memory);
    struct launch_buffer buffer = {.name = "a", .type = PTX_U32, .count = BUFFER_BYTES / 4, .data = memory};
    struct launch_argument const arguments[] = {{.is_buffer = true}, {.type = PTX_U32, .bits = 37}};
    struct launch launch = {.kernel = "k",
                            .grid = {2, 1, 1},
                            .block = {threads, 1, 1},
                            .shared_bytes = 256,
                            .arguments = arguments,
                            .argument_count = 2,
                            .buffers = &buffer,
                            .buffer_count = 1};
    struct emulator_options const options = {.recorded = watched ? LAUNCH_ALL_BLOCKS : (struct launch_blocks){1, 0},
                                             .timer = stages_timer(),
                                             .checks = {.memory = watched, .races = watched, .values = values},
                                             .budget = 3000,
                                             .threads = 1};
    struct emulator_result result = {0};
    struct error error = {0};
    totals->runs++;
    if (!emulator_run(module, &launch, &options, &result, &error)) {
        require(error.message[0]);
        return;
    }
    totals->ended++;
    stages_ask(result.trace);
    trace_free(result.trace);
}

static void try_one(const char *instruction, const char *guard, unsigned way, struct totals *totals)
{
    static char text[sizeof head + sizeof tail + 2 * LINE];
    struct arena arena = {0};
    struct ptx_module *module;
    struct ptx_unknown *unknown;
    struct error error = {0};
    int const length = snprintf(text, sizeof text, "%s%s%s\n%s", head, guard, instruction, tail);
    if (!ptx_parse(&arena, "forms.ptx", text, (size_t)length, &module, &error)) {
        require(error.kind == ERROR_INPUT && error.message[0]);
    } else {
        totals->accepted++;
        emulator_unsupported(&arena, module, ptx_kernel(module, "k"), &unknown);
        run(module, way & 1 ? 40 : 64, (way & 2) != 0, (way & 2) != 0, totals);
        run(module, way & 1 ? 7 : 33, (way & 2) == 0, (way & 4) != 0, totals);
        if (totals->at % PROBES_EVERY == 0)
            totals->probed += stages_probe(module, ptx_kernel(module, "k"), (way & 1) != 0);
    }
    arena_free(&arena);
}

struct range {
    size_t from, every;
    bool print, verdicts;
};

static void print_verdict(const char *instruction)
{
    static char text[sizeof head + sizeof tail + LINE];
    struct arena arena = {0};
    struct ptx_module *module;
    struct error error = {0};
    int const length = snprintf(text, sizeof text, "%s%s\n%s", head, instruction, tail);
    bool const good = ptx_parse(&arena, "forms.ptx", text, (size_t)length, &module, &error);
    printf("%s\t%s\n", instruction, good ? "" : error.message);
    arena_free(&arena);
}

/* Runs the inputs from totals->at on. */
static void run_all(const struct range *range, struct totals *totals)
{
    size_t number = 0;
    for (size_t f = 0; f < forms.count; f++) {
        for (size_t i = 0; i < form_inputs(&forms.items[f]); i++, number++) {
            if (number < totals->at || number < range->from || (number - range->from) % range->every)
                continue;
            static const char *const guards[] = {"", "@%p1 ", "", "@!%p2 "};
            totals->at = number;
            form_input(&forms.items[f], i, totals->text);
            if (range->print)
                puts(totals->text);
            if (range->verdicts) {
                print_verdict(totals->text);
                continue;
            }
            alarm(SECONDS_MOST);
            totals->inputs++;
            unsigned const way = (unsigned)(number / range->every);
            try_one(totals->text, guards[way % 4], way / 2, totals);
            try_one(totals->text, guards[(way + 1) % 4], way / 2 + 1, totals);
        }
    }
}

int main(int argc, char **argv)
{
    struct range range = {.every = 1};
    struct totals *totals = mmap(NULL, sizeof *totals, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    require(totals != MAP_FAILED);
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--every") == 0 && i + 1 < argc)
            range.every = strtoull(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--from") == 0 && i + 1 < argc)
            range.from = strtoull(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--print") == 0)
            range.print = true;
        else if (strcmp(argv[i], "--verdicts") == 0)
            range.verdicts = true;
        else
            forms_read(argv[i]);
    }
    require(forms.count && range.every);
    if (range.verdicts) {
        printf("%s\f%s\f", head, tail);
        run_all(&range, totals);
        return 0;
    }
    for (bool whole = false; !whole;) {
        fflush(NULL);
        pid_t const child = fork();
        require(child >= 0);
        if (child == 0) {
            run_all(&range, totals);
            fflush(NULL);
            _exit(0);
        }
        int status;
        require(waitpid(child, &status, 0) == child);
        whole = WIFEXITED(status) && WEXITSTATUS(status) == 0;
        if (!whole) {
            fprintf(stderr, "FAILED: input %zu: %s\n", totals->at++, totals->text);
            totals->failed++;
        }
    }
    printf("%zu forms, %zu inputs: %zu texts accepted, %zu runs, %zu of them to a result, %zu probed; %zu failed\n",
           forms.count, totals->inputs, totals->accepted, totals->runs, totals->ended, totals->probed, totals->failed);
    return totals->failed != 0;
}
