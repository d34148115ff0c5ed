/* PTX text: the lexer, the parser and the survey of `inspect`. For any bytes, the result is an error with a message, or
 * a program in which every index points into its table. The emulator and the probes rely on that without checks. */
#include "fuzz.h"
#include "mutate.h"
#include "ptx/parse.h"
#include "trace/trace.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

/* Half of the changes keep the text near PTX; the others are arbitrary. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    return seed & 1 ? mutate_ptx(data, size, most, seed) : LLVMFuzzerMutate(data, size, most);
}

static void check_operand(const struct ptx_module *module, const struct ptx_function *function,
                          const struct ptx_operand *operand)
{
    enum ptx_operand_kind const kind = operand->kind == PTX_OPERAND_ADDRESS ? operand->base : operand->kind;
    if (kind == PTX_OPERAND_REGISTER) {
        require(operand->index < function->register_count);
        require(operand->second <= function->register_count);
    } else if (kind == PTX_OPERAND_VARIABLE) {
        uint32_t const counts[] = {module->variable_count, function->variable_count, function->parameter_count,
                                   function->result_count};
        require(operand->index < counts[operand->scope]);
    } else if (kind == PTX_OPERAND_FUNCTION) {
        require(operand->index < module->function_count);
    } else if (kind == PTX_OPERAND_LABEL) {
        require(operand->index <= function->instruction_count);
    } else if (kind == PTX_OPERAND_SPECIAL) {
        require(operand->index < PTX_SPECIAL_COUNT && operand->component < 4);
    }
    for (uint32_t i = 0; i < operand->count; i++)
        check_operand(module, function, &operand->elements[i]);
}

static void check_instruction(const struct ptx_module *module, const struct ptx_function *function,
                              const struct ptx_instruction *instruction)
{
    require(instruction->opcode < PTX_OPCODE_COUNT);
    require(instruction->operand_count <= PTX_OPERANDS_MAX && instruction->type_count <= PTX_TYPES_MAX);
    require(instruction->text_start < instruction->text_end && instruction->text_end <= module->text_size);
    require(instruction->predicate == PTX_NO_INDEX || instruction->predicate < function->register_count);
    require(instruction->site == PTX_NO_INDEX || instruction->site < module->site_count);
    require(instruction->file == PTX_NO_INDEX || instruction->file < module->file_count);
    require(instruction->reconvergence == PTX_NO_INDEX || instruction->reconvergence <= function->instruction_count);
    for (unsigned i = 0; i < instruction->operand_count; i++)
        check_operand(module, function, &instruction->operands[i]);
    for (uint32_t i = 0; i < instruction->call_argument_count; i++)
        check_operand(module, function, &instruction->call_arguments[i]);
    for (uint32_t i = 0; i < instruction->call_result_count; i++)
        check_operand(module, function, &instruction->call_results[i]);
    for (uint32_t i = 0; i < instruction->target_count; i++)
        require(instruction->targets[i] <= function->instruction_count);
}

static void check_variables(const struct ptx_module *module, const struct ptx_variable *variables, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        require(variables[i].name && variables[i].space <= PTX_SPACE_REGISTER);
        for (uint32_t r = 0; r < variables[i].relocation_count; r++) {
            const struct ptx_relocation *relocation = &variables[i].relocations[r];
            require(variables[i].initial && relocation->at + 8 <= variables[i].size);
            require(relocation->index < (relocation->function ? module->function_count : module->variable_count));
        }
    }
}

static void check_module(const struct ptx_module *module)
{
    check_variables(module, module->variables, module->variable_count);
    for (uint32_t f = 0; f < module->function_count; f++) {
        const struct ptx_function *function = &module->functions[f];
        check_variables(module, function->parameters, function->parameter_count);
        check_variables(module, function->results, function->result_count);
        check_variables(module, function->variables, function->variable_count);
        require(function->body_start <= module->text_size);
        for (uint32_t i = 0; i < function->instruction_count; i++)
            check_instruction(module, function, &function->instructions[i]);
    }
}

/* Checks that memory stays in proportion to the text, except for initialised variables, which the parser bounds. */
static void check_growth(const struct arena *arena, size_t size)
{
    require(arena->bytes < 2 * (size_t)(64 << 20) + 4096 * (size + 64));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {0};
    struct ptx_module *module = NULL, *surveyed = NULL;
    struct ptx_unknown *unknown = NULL;
    struct error error = {0}, other = {0};
    size_t count = 0;
    bool const parsed = ptx_parse(&arena, "fuzz.ptx", (const char *)data, size, &module, &error);
    check_growth(&arena, size);
    bool const listed = ptx_survey(&arena, "fuzz.ptx", (const char *)data, size, &surveyed, &unknown, &count, &other);
    if (parsed) {
        require(listed && count == 0);
        check_module(module);
        uint32_t sites;
        trace_sites(&arena, module, &sites);
        for (uint32_t f = 0; f < module->function_count; f++)
            ptx_shared_bytes(module, &module->functions[f]);
    } else {
        require(error.kind == ERROR_INPUT && error.message[0]);
    }
    if (listed) {
        require(parsed || count > 0);
        check_module(surveyed);
        for (size_t i = 0; i < count; i++)
            require(unknown[i].instruction && unknown[i].function);
    } else {
        require(other.kind == ERROR_INPUT && other.message[0]);
    }
    arena_free(&arena);
    return 0;
}
