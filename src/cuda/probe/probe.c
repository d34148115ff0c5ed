/* Adds probes to PTX. The text is copied once, from start to end, with insertions on the way. The head gets a newer
 * .version and .target where the probes need them, the control variable, and a small kernel that finds the windows of
 * memory. Each function gets its registers at its start and, before its first event, a test whether this block is
 * recorded. Each site gets its probe. Other kernels stay unchanged. */
#include "cuda/probe/probe.h"
#include "cuda/cuda.h"
#include "cuda/record/plan.h"
#include "ptx/lexer.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NEEDED_MAJOR = 6, NEEDED_MINOR = 2, NEEDED_TARGET = 61 }; /* for activemask and dp2a */

/* The head of a module, as byte ranges of the text. */
struct head {
    size_t version_start, version_end; /* of the number, "6.0" */
    size_t target_start, target_end;   /* of the digits, "30" */
    size_t end;                        /* after .address_size 64 */
};

static bool word_is(const char *text, const struct token *token, const char *word)
{
    size_t const length = token->end - token->start;
    return token->kind == TOKEN_WORD && length == strlen(word) && memcmp(text + token->start, word, length) == 0;
}

static bool find_head(const struct ptx_module *module, struct head *head, struct error *error)
{
    const char *text = module->text;
    struct lexer lexer = {.text = text, .size = (uint32_t)module->text_size, .line = 1};
    *head = (struct head){0};
    for (struct token token = lexer_next(&lexer); token.kind != TOKEN_END && !head->end;) {
        struct token const value = lexer_next(&lexer);
        if (word_is(text, &token, "version")) {
            head->version_start = value.start;
            head->version_end = value.end;
        } else if (word_is(text, &token, "target")) {
            head->target_start = value.start + strcspn(text + value.start, "0123456789");
            head->target_end = head->target_start + strspn(text + head->target_start, "0123456789");
        } else if (word_is(text, &token, "address_size") && value.kind == TOKEN_INTEGER && value.bits == 64) {
            head->end = value.end;
        } else if (token.kind == TOKEN_WORD) { /* behind the head */
            break;
        }
        token = value;
    }
    if (head->version_end && head->target_end > head->target_start && head->end)
        return true;
    error_set(error, ERROR_INPUT, "the PTX has no .version, .target and .address_size 64 at its head");
    return error_remedy(error, "compile for 64-bit addresses");
}

/* Returns a prefix that occurs nowhere in the text. */
static const char *free_prefix(struct arena *arena, const char *text)
{
    const char *prefix = "lanescope";
    for (unsigned n = 2; strstr(text, prefix); n++)
        prefix = arena_format(arena, "lanescope%u", n);
    return prefix;
}

static void copy(FILE *out, const char *text, size_t from, size_t to)
{
    fwrite(text + from, 1, to - from, out);
}

/* Writes the module's control variable and window kernel. */
static void write_module(struct probe_writer *writer)
{
    probe_write(writer, "\n\n.visible .const .align 8 .b8 ~control[#];\n", sizeof(struct record_control));
    probe_write(writer,
                ".visible .entry ~window(.param .u64 ~out)\n"
                "{\n"
                "\t.shared .align 16 .b8 ~mark[16];\n"
                "\t.reg .b32 ~shared_base;\n"
                "\t.reg .b64 ~to, ~offset, ~generic;\n"
                "\tld.param.u64 ~to, [~out];\n"
                "\tcvta.to.global.u64 ~to, ~to;\n"
                "\tmov.u32 ~shared_base, ~mark;\n"
                "\tst.global.u32 [~to], ~shared_base;\n",
                0);
    probe_write(writer,
                "\tmov.u64 ~offset, 0;\n"
                "\tcvta.shared.u64 ~generic, ~offset;\n"
                "\tst.global.u64 [~to+#], ~generic;\n",
                offsetof(struct record_windows, shared_generic));
    probe_write(writer,
                "\tcvta.local.u64 ~generic, ~offset;\n"
                "\tst.global.u64 [~to+#], ~generic;\n",
                offsetof(struct record_windows, local_generic));
    probe_write(writer,
                "\tmov.u64 ~offset, ~control;\n"
                "\tst.global.u64 [~to+#], ~offset;\n"
                "\tret;\n"
                "}\n",
                offsetof(struct record_windows, constant_generic));
}

static void write_head(struct probe_writer *writer, const struct head *head)
{
    const struct ptx_module *module = writer->module;
    const char *text = module->text;
    bool const old_version = module->version_major < NEEDED_MAJOR ||
                             (module->version_major == NEEDED_MAJOR && module->version_minor < NEEDED_MINOR);
    copy(writer->out, text, 0, head->version_start);
    if (old_version)
        fprintf(writer->out, "%d.%d", NEEDED_MAJOR, NEEDED_MINOR);
    else
        copy(writer->out, text, head->version_start, head->version_end);
    copy(writer->out, text, head->version_end, head->target_start);
    if (module->target < NEEDED_TARGET)
        fprintf(writer->out, "%d", NEEDED_TARGET);
    else
        copy(writer->out, text, head->target_start, head->target_end);
    copy(writer->out, text, head->target_end, head->end);
    write_module(writer);
}

/* The kinds of insertions, in their order at one offset of the text. */
enum place_kind { BEHIND /* an instruction */, FUNCTION_END, FUNCTION_START, PROLOGUE, BEFORE };
struct place {
    size_t at;
    uint32_t function, instruction; /* instruction: for BEHIND and BEFORE */
    enum place_kind kind;
};

static int compare_places(const void *left, const void *right)
{
    const struct place *a = left, *b = right;
    if (a->at != b->at)
        return a->at < b->at ? -1 : 1;
    return (int)a->kind - (int)b->kind;
}

/* Returns true for an instruction that every lane passes, that makes no event and that writes no predicate. (The
 * compiler turns a short branch into predicates only when the comparison and the branch stand together.) */
static bool is_quiet(const struct ptx_function *function, const struct ptx_instruction *instruction)
{
    enum ptx_kind const kind = ptx_opcode_kind(instruction->opcode);
    const struct ptx_operand *result = &instruction->operands[0];
    bool const compares = instruction->operand_count && result->kind == PTX_OPERAND_REGISTER &&
                          function->registers[result->index].type == PTX_PRED;
    return instruction->site == PTX_NO_INDEX && (kind == PTX_KIND_PLAIN || kind == PTX_KIND_LOAD) && !compares;
}

/* Returns the offset of the function's prologue, behind the declarations that the body begins with. A block of a kernel
 * without a loop is short, so the latency of the prologue would show; the prologue then stands after the kernel's first
 * quiet instructions, which hide it and which both copies of the body share. With a loop the latency does not show, and
 * values shared by both copies would cost registers. */
static size_t prologue_at(const char *text, const struct ptx_function *function)
{
    size_t at = probe_code_at(text, function->body_start, function->instructions[0].text_start);
    if (!function->is_kernel || probe_has_loop(function))
        return at;
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const struct ptx_instruction *instruction = &function->instructions[i];
        if (!is_quiet(function, instruction) || !probe_is_straight(text, at, instruction->text_start))
            break;
        at = instruction->text_end;
    }
    return at;
}

/* Lists the insertions in the order of the text, which may differ from the order of the functions. */
static struct place *find_places(struct arena *arena, const struct ptx_module *module,
                                 const struct ptx_function *kernel, size_t *count)
{
    size_t most = 0, made = 0;
    for (uint32_t f = 0; f < module->function_count; f++)
        most += 3 + 2 * (size_t)module->functions[f].instruction_count;
    struct place *places = arena_array(arena, struct place, most);
    for (uint32_t f = 0; f < module->function_count; f++) {
        const struct ptx_function *function = &module->functions[f];
        if (!function->has_body || (function->is_kernel && function != kernel))
            continue;
        if (!function->instruction_count)
            continue;
        places[made++] = (struct place){function->body_start, f, PTX_NO_INDEX, FUNCTION_START};
        places[made++] = (struct place){prologue_at(module->text, function), f, PTX_NO_INDEX, PROLOGUE};
        for (uint32_t i = 0; i < function->instruction_count; i++) {
            places[made++] = (struct place){function->instructions[i].text_start, f, i, BEFORE};
            places[made++] = (struct place){function->instructions[i].text_end, f, i, BEHIND};
        }
        places[made++] = (struct place){function->body_end, f, PTX_NO_INDEX, FUNCTION_END};
    }
    qsort(places, made, sizeof *places, compare_places);
    *count = made;
    return places;
}

/* Writes the end of a function: the cold code of its probes, and the copy of the body for blocks that are not recorded.
 */
static bool end_function(struct probe_writer *writer, char **cold, size_t plain, size_t end)
{
    bool const kept = fclose(writer->cold) == 0;
    if (kept)
        probe_end(writer, *cold);
    if (kept && writer->function->is_kernel)
        probe_plain(writer, plain, end);
    free(*cold);
    *cold = NULL;
    writer->cold = NULL;
    return kept;
}

/* Writes the insertions at one place. The lanes are remembered as the instruction finds them, before its probe. */
static void write_at(struct probe_writer *writer, struct probe_place place)
{
    if (!place.after)
        probe_meets_wait(writer, place.instruction);
    if (!place.after)
        probe_meets_remember(writer, place);
    probe_at(writer, place);
    if (place.after)
        probe_meets_remember(writer, place);
}

/* Writes the text of all functions with their insertions. */
static bool write_body(struct probe_writer *writer, const struct probe_runs *runs, const struct probe_meets *meets,
                       const struct place *places, size_t count, size_t from)
{
    const struct ptx_module *module = writer->module;
    size_t at = from, plain = from, declared = from, cold_size = 0;
    unsigned depth = 0, base = 0;
    char *cold = NULL;
    writer->cold = NULL;
    for (size_t i = 0; i < count; i++) {
        const struct place *place = &places[i];
        probe_copy(writer, at, place->at);
        depth = probe_depth(module->text, at, place->at, depth);
        at = place->at;
        writer->function = &module->functions[place->function];
        writer->runs = &runs[place->function];
        writer->meets = probe_meets_of(meets, place->function);
        if (place->kind == FUNCTION_START) {
            base = depth;
            declared = probe_declared_until(module->text, writer->function);
        }
        writer->names_differ = depth > base || at < declared;
        switch (place->kind) {
        case FUNCTION_START:
            writer->cold = open_memstream(&cold, &cold_size);
            if (!writer->cold)
                return false;
            probe_declare(writer);
            probe_meets_declare(writer);
            if (writer->layout->values)
                probe_values_registers(writer);
            break;
        case PROLOGUE:
            plain = at;
            if (writer->function->is_kernel)
                probe_write_late(writer);
            probe_prologue(writer);
            break;
        case FUNCTION_END:
            if (!end_function(writer, &cold, plain, at))
                return false;
            break;
        case BEFORE:
        case BEHIND:
            write_at(writer, (struct probe_place){place->instruction, place->kind == BEHIND});
        }
    }
    probe_copy(writer, at, module->text_size);
    return true;
}

/* Returns the most braces that are open inside each other in the kernel's body. */
static unsigned deepest(const struct ptx_module *module, const struct ptx_function *kernel)
{
    unsigned depth = 0, most = 0;
    struct lexer lexer = {
        .text = module->text, .size = (uint32_t)kernel->body_end, .at = (uint32_t)kernel->body_start, .line = 1};
    for (struct token token = lexer_next(&lexer); token.kind != TOKEN_END; token = lexer_next(&lexer)) {
        depth += token.kind == TOKEN_MARK && token.mark == '{';
        depth -= token.kind == TOKEN_MARK && token.mark == '}' && depth;
        most = depth > most ? depth : most;
    }
    return most;
}

static bool refuse(const struct ptx_module *module, const struct ptx_function *kernel, struct error *error)
{
    enum { DEEPEST = 60 }; /* both copies stand in braces of their own, and the parser has a limit */
    if (deepest(module, kernel) > DEEPEST) {
        error_set(error, ERROR_INPUT,
                  "kernel \"%s\" has more than %d scopes inside each other, so it cannot be recorded on a GPU",
                  kernel->name, DEEPEST);
        return true;
    }
    if (module->local_bytes) {
        error_set(
            error, ERROR_INPUT,
            "the PTX has local memory outside functions, so it cannot be recorded on a GPU: probes need PTX %d.%d",
            NEEDED_MAJOR, NEEDED_MINOR);
        return true;
    }
    for (uint32_t f = 0; f < module->function_count; f++) {
        const struct ptx_function *function = &module->functions[f];
        for (uint32_t i = 0; i < function->instruction_count; i++) {
            const struct ptx_instruction *instruction = &function->instructions[i];
            const char *why = function->is_kernel && function != kernel ? NULL : probe_refused(module, instruction);
            if (!why)
                continue;
            error_set(error, ERROR_INPUT,
                      "the accesses of `%.*s` (line %" PRIu32 " of the PTX) cannot be recorded on a GPU: %s",
                      (int)(instruction->text_end - instruction->text_start), module->text + instruction->text_start,
                      instruction->ptx_line, why);
            return true;
        }
    }
    return false;
}

static unsigned dimensions(const uint32_t size[3])
{
    return size[2] > 1 ? 3 : size[1] > 1 ? 2 : 1;
}

static struct probe_shape shape_of(const struct launch *launch)
{
    if (!launch)
        return (struct probe_shape){.rows = true, .wide = true, .grid = 3, .block = 3};
    double const blocks = (double)launch->grid[0] * launch->grid[1] * launch->grid[2];
    return (struct probe_shape){.rows = record_row_shift(launch->block) < 5,
                                .wide = blocks > UINT32_MAX,
                                .grid = dimensions(launch->grid),
                                .block = dimensions(launch->block)};
}

bool probe_module(struct arena *arena, const struct ptx_module *module, const struct ptx_function *kernel,
                  const struct launch *launch, bool values, struct probed *probed, struct error *error)
{
    struct head head;
    struct probe_late late = {0};
    if (refuse(module, kernel, error) || !find_head(module, &head, error) ||
        (kernel->instruction_count &&
         !probe_find_late(arena, module, kernel, prologue_at(module->text, kernel), &late, error)))
        return false;
    if (module->site_count >= RECORD_SITE_MASK)
        return error_set(error, ERROR_INPUT,
                         "the PTX has %" PRIu32 " accesses, barriers and branches; at most %" PRIu32 " can be recorded",
                         module->site_count, RECORD_SITE_MASK - 1);
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return error_set(error, ERROR_RUN, "no memory for the PTX with probes");
    const struct probe_runs *runs = probe_find_runs(arena, module, kernel, launch, values, &probed->layout);
    probed->layout.unfolded = probe_find_unfolded(arena, module);
    struct probe_writer writer = {.out = out,
                                  .prefix = free_prefix(arena, module->text),
                                  .shape = shape_of(launch),
                                  .module = module,
                                  .layout = &probed->layout,
                                  .late = late};
    size_t count;
    struct place *places = find_places(arena, module, kernel, &count);
    write_head(&writer, &head);
    const struct probe_meets *meets = probe_find_meets(arena, module);
    bool const written = write_body(&writer, runs, meets, places, count, head.end);
    bool const good = fclose(out) == 0 && written;
    if (good) {
        probed->ptx = arena_text_n(arena, text, size);
        probed->control = arena_format(arena, "%s_control", writer.prefix);
        probed->window = arena_format(arena, "%s_window", writer.prefix);
    }
    free(text);
    return good || error_set(error, ERROR_RUN, "no memory for the PTX with probes");
}

bool cuda_add_probes(struct arena *arena, const struct ptx_module *module, const struct ptx_function *kernel,
                     char **ptx, struct error *error)
{
    struct probed probed = {0};
    if (!probe_module(arena, module, kernel, NULL, false, &probed, error))
        return false;
    *ptx = probed.ptx;
    return true;
}
