/* Golden cases: tests/ptx/NAME.ptx, parsed and printed, equals tests/ptx/NAME.txt. LANESCOPE_UPDATE=1 rewrites the
 * latter; read the difference before you commit it. */
#include "ptx/parse.h"
#include "base/file.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
// clang-format off
#include <cmocka.h>
// clang-format on

struct dump {
    FILE *out;
    const struct ptx_module *module;
    const struct ptx_function *function;
};

static const char *variable_name(const struct dump *d, const struct ptx_operand *operand)
{
    switch (operand->scope) {
    case PTX_SCOPE_MODULE:
        return d->module->variables[operand->index].name;
    case PTX_SCOPE_FUNCTION:
        return d->function->variables[operand->index].name;
    case PTX_SCOPE_PARAMETER:
        return d->function->parameters[operand->index].name;
    default:
        return d->function->results[operand->index].name;
    }
}

static void dump_simple(const struct dump *d, const struct ptx_operand *operand, enum ptx_operand_kind kind)
{
    if (operand->negated)
        fputc('!', d->out);
    switch (kind) {
    case PTX_OPERAND_REGISTER:
        fputs(d->function->registers[operand->index].name, d->out);
        if (operand->second)
            fprintf(d->out, "|%s", d->function->registers[operand->second - 1].name);
        break;
    case PTX_OPERAND_IMMEDIATE:
        fprintf(d->out, "#%llx", (unsigned long long)operand->bits);
        break;
    case PTX_OPERAND_SPECIAL:
        fprintf(d->out, "%s.%c", ptx_special_word((enum ptx_special)operand->index), "xyzw"[operand->component]);
        break;
    case PTX_OPERAND_VARIABLE:
        fprintf(d->out, "&%s(%d:%u)", variable_name(d, operand), (int)operand->scope, operand->index);
        break;
    case PTX_OPERAND_FUNCTION:
        fprintf(d->out, "%s()", d->module->functions[operand->index].name);
        break;
    case PTX_OPERAND_LABEL:
        fprintf(d->out, "->%u", operand->index);
        break;
    case PTX_OPERAND_SINK:
        fputc('_', d->out);
        break;
    default:
        break;
    }
    if (operand->offset)
        fprintf(d->out, "%+lld", (long long)operand->offset);
}

static void dump_list(const struct dump *d, const struct ptx_operand *operands, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct ptx_operand *operand = &operands[i];
        fputs(i ? ", " : " ", d->out);
        if (operand->kind == PTX_OPERAND_ADDRESS) {
            fputc('[', d->out);
            dump_simple(d, operand, operand->base);
        } else if (operand->kind == PTX_OPERAND_VECTOR) {
            fputc('{', d->out);
        } else {
            dump_simple(d, operand, operand->kind);
        }
        for (uint32_t k = 0; k < operand->count; k++) {
            if (k || operand->kind == PTX_OPERAND_ADDRESS)
                fputs(", ", d->out);
            dump_simple(d, &operand->elements[k], operand->elements[k].kind);
        }
        if (operand->kind == PTX_OPERAND_ADDRESS || operand->kind == PTX_OPERAND_VECTOR)
            fputc(operand->kind == PTX_OPERAND_ADDRESS ? ']' : '}', d->out);
    }
}

static void dump_instruction(const struct dump *d, uint32_t number)
{
    const struct ptx_instruction *i = &d->function->instructions[number];
    fprintf(d->out, "%5u ", number);
    if (i->predicate != PTX_NO_INDEX)
        fprintf(d->out, "@%s%s ", i->predicate_negated ? "!" : "", d->function->registers[i->predicate].name);
    fputs(ptx_opcode_name(i->opcode), d->out);
    for (int m = 0; m < PTX_MODIFIER_COUNT; m++)
        if (ptx_has(i->modifiers, (enum ptx_modifier)m))
            fprintf(d->out, ".%s", ptx_modifier_word((enum ptx_modifier)m));
    if (i->space != PTX_SPACE_GENERIC)
        fprintf(d->out, ".%s", ptx_space_name(i->space));
    if (i->source_space != PTX_SPACE_GENERIC)
        fprintf(d->out, ".%s", ptx_space_name(i->source_space));
    if (i->vector != 1)
        fprintf(d->out, ".v%u", i->vector);
    for (int t = 0; t < i->type_count; t++)
        fprintf(d->out, ".%s", ptx_type_name(i->types[t]));
    dump_list(d, i->operands, i->operand_count);
    if (i->opcode == PTX_OP_call) {
        fputs(" (", d->out);
        dump_list(d, i->call_arguments, i->call_argument_count);
        fputs(" ) ->", d->out);
        dump_list(d, i->call_results, i->call_result_count);
    }
    for (uint32_t t = 0; t < i->target_count; t++)
        fprintf(d->out, " ->%u", i->targets[t]);
    fprintf(d->out, "  ; ptx %u", i->ptx_line);
    if (i->file != PTX_NO_INDEX)
        fprintf(d->out, " %s:%u:%u", d->module->files[i->file], i->line, i->column);
    if (i->reconvergence != PTX_NO_INDEX)
        fprintf(d->out, " meets %u", i->reconvergence);
    if (i->site != PTX_NO_INDEX)
        fprintf(d->out, " site %u", i->site);
    fputc('\n', d->out);
}

static void dump_variable(const struct dump *d, const char *what, const struct ptx_variable *v)
{
    fprintf(d->out, "  %s %s %s.%s align %u size %zu offset %zu%s", what, v->name, ptx_space_name(v->space),
            ptx_type_name(v->type), v->align, v->size, v->offset, v->external ? " extern" : "");
    for (size_t i = 0; v->initial && i < v->size; i++)
        fprintf(d->out, "%s%02x", i ? " " : " = ", v->initial[i]);
    for (uint32_t i = 0; i < v->relocation_count; i++) {
        const struct ptx_relocation *r = &v->relocations[i];
        fprintf(d->out, " at %zu %s%s%+lld", r->at, r->generic ? "generic " : "",
                r->function ? d->module->functions[r->index].name : d->module->variables[r->index].name,
                (long long)r->addend);
    }
    fputc('\n', d->out);
}

static void dump_function(struct dump *d, const struct ptx_function *f)
{
    d->function = f;
    fprintf(d->out, "%s %s%s%s threads %u %u %u parameters %zu local %zu call %zu shared %zu\n",
            f->is_kernel ? "kernel" : "function", f->name, f->has_body ? "" : " declared",
            f->noreturn ? " noreturn" : "", f->max_threads[0], f->max_threads[1], f->max_threads[2], f->parameter_bytes,
            f->local_bytes, f->call_bytes, f->shared_bytes);
    for (uint32_t i = 0; i < f->result_count; i++)
        dump_variable(d, "result", &f->results[i]);
    for (uint32_t i = 0; i < f->parameter_count; i++)
        dump_variable(d, "parameter", &f->parameters[i]);
    for (uint32_t i = 0; i < f->variable_count; i++)
        dump_variable(d, "variable", &f->variables[i]);
    for (uint32_t i = 0; i < f->register_count; i++)
        fprintf(d->out, "%s%s.%s", i ? " " : "  registers ", f->registers[i].name, ptx_type_name(f->registers[i].type));
    fputs(f->register_count ? "\n" : "", d->out);
    for (uint32_t i = 0; i < f->instruction_count; i++)
        dump_instruction(d, i);
}

static char *dump_module(const struct ptx_module *module)
{
    char *text = NULL;
    size_t size = 0;
    struct dump d = {.out = open_memstream(&text, &size), .module = module};
    fprintf(d.out, "version %u.%u target %u sites %u\n", module->version_major, module->version_minor, module->target,
            module->site_count);
    for (uint32_t i = 0; i < module->file_count; i++)
        fprintf(d.out, "file %u %s\n", i, module->files[i]);
    for (uint32_t i = 0; i < module->variable_count; i++)
        dump_variable(&d, "module", &module->variables[i]);
    for (uint32_t i = 0; i < module->function_count; i++)
        dump_function(&d, &module->functions[i]);
    fclose(d.out);
    return text;
}

static void check_golden(const char *name)
{
    struct arena arena = {0};
    struct error error = {0};
    struct ptx_module *module;
    char *text, *expected, line[1024];
    size_t size, expected_size;
    const char *source = arena_format(&arena, "ptx/%s.ptx", name);
    const char *golden = arena_format(&arena, "ptx/%s.txt", name);
    if (!file_read(&arena, source, &text, &size, &error) || !ptx_parse(&arena, name, text, size, &module, &error))
        fail_msg("%s", error_line(&error, line, sizeof line));
    char *got = dump_module(module);
    if (getenv("LANESCOPE_UPDATE"))
        assert_true(file_write(golden, got, strlen(got), &error));
    if (!file_read(&arena, golden, &expected, &expected_size, &error))
        fail_msg("%s", error_line(&error, line, sizeof line));
    assert_string_equal(got, expected);
    free(got);
    arena_free(&arena);
}

static void nvcc_kernel_with_shared_memory_matches_golden(void **state)
{
    (void)state;
    check_golden("adjdiff_shared");
}

static void nvcc_calls_recursion_and_function_pointers_match_golden(void **state)
{
    (void)state;
    check_golden("calls");
}

static void clang_nested_loops_with_an_early_return_match_golden(void **state)
{
    (void)state;
    check_golden("loops");
}

static void rare_forms_match_golden(void **state)
{
    (void)state;
    check_golden("forms");
}

/* The probes are inserted before the text range of an instruction. */
static void text_ranges_hold_whole_statements(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct error error = {0};
    struct ptx_module *module;
    char *text;
    size_t size;
    assert_true(file_read(&arena, "ptx/forms.ptx", &text, &size, &error));
    assert_true(ptx_parse(&arena, "forms", text, size, &module, &error));
    const struct ptx_function *kernel = ptx_kernel(module, NULL);
    assert_non_null(kernel);
    assert_int_equal(module->text[kernel->body_start - 1], '{');
    for (uint32_t i = 0; i < kernel->instruction_count; i++) {
        const struct ptx_instruction *instruction = &kernel->instructions[i];
        const char *start = module->text + instruction->text_start;
        assert_int_equal(module->text[instruction->text_end - 1], ';');
        if (instruction->predicate != PTX_NO_INDEX)
            assert_int_equal(*start, '@');
        else
            assert_memory_equal(start, ptx_opcode_name(instruction->opcode),
                                strlen(ptx_opcode_name(instruction->opcode)));
        uint32_t line = 1;
        for (const char *at = module->text; at < start; at++)
            line += *at == '\n';
        assert_int_equal(line, instruction->ptx_line);
    }
    arena_free(&arena);
}

static void constant_expressions_have_the_values_that_ptxas_gives_them(void **state)
{
    (void)state;
    check_golden("constants");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nvcc_kernel_with_shared_memory_matches_golden),
        cmocka_unit_test(nvcc_calls_recursion_and_function_pointers_match_golden),
        cmocka_unit_test(clang_nested_loops_with_an_early_return_match_golden),
        cmocka_unit_test(constant_expressions_have_the_values_that_ptxas_gives_them),
        cmocka_unit_test(rare_forms_match_golden),
        cmocka_unit_test(text_ranges_hold_whole_statements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
