/* The table of sites, made from a module. The facts that files do not hold are read from the text of each instruction.
 */
#include "trace/sites.h"
#include "ptx/listing.h"
#include "ptx/matrix.h"
#include "ptx/parse.h"
#include "trace/waits.h"
#include <string.h>

static bool has(const struct ptx_instruction *instruction, enum ptx_modifier modifier)
{
    return ptx_has(instruction->modifiers, modifier);
}

static enum trace_unit unit_of(const struct trace_site *site, const struct ptx_instruction *instruction)
{
    bool const loads_a_or_b = instruction->opcode == PTX_OP_wmma && has(instruction, PTX_MOD_load) &&
                              (has(instruction, PTX_MOD_a) || has(instruction, PTX_MOD_b));
    if (instruction->opcode == PTX_OP_cp && has(instruction, PTX_MOD_bulk) && !has(instruction, PTX_MOD_reduce))
        return TRACE_IN_BULK;
    return site->bytes == 16 &&
                   (instruction->opcode == PTX_OP_ldmatrix || instruction->opcode == PTX_OP_stmatrix || loads_a_or_b)
               ? TRACE_BY_ROWS
               : TRACE_BY_LANES;
}

/* Returns whether the text's last operand is this number. */
static bool ends_in(const char *text, const char *number)
{
    const char *comma = strrchr(text, ',');
    return comma && strcmp(comma + 1 + strspn(comma + 1, " "), number) == 0;
}

/* Returns whether ptxas 13.0 makes an ATOMS.POPC.INC of an atomic: it adds 1 to a word of shared memory, as u32, and
 * nothing reads the result. An inc whose bound is the largest number is such an addition, too. */
static bool is_count(const struct trace_site *site, const struct ptx_instruction *instruction)
{
    bool const unread = site->operation == TRACE_REDUCTION || (site->operation == TRACE_ATOMIC && site->unread);
    if (!unread || site->space != PTX_SPACE_SHARED || site->type != PTX_U32)
        return false;
    return (has(instruction, PTX_MOD_add) && ends_in(site->text, "1")) ||
           (has(instruction, PTX_MOD_inc) && ends_in(site->text, "-1"));
}

/* Returns the number of events that hold the registers of a product, 0 when its form is not known. */
static uint8_t parts_of(const struct trace_site *site, const struct ptx_instruction *instruction)
{
    struct ptx_module const alone = {.text = site->text, .text_size = strlen(site->text)};
    struct ptx_instruction product = *instruction;
    struct ptx_matrix matrix;
    product.text_start = 0;
    product.text_end = (uint32_t)alone.text_size;
    if (site->operation != TRACE_PRODUCT || !ptx_is_product(instruction) || !ptx_matrix_read(&alone, &product, &matrix))
        return 0;
    struct ptx_fragment const last = ptx_matrix_fragment(&matrix, 'd');
    return (uint8_t)(last.first_part + last.parts);
}

/* Sets the fields that follow from the instruction's words: see struct trace_site. */
static void set_facts(struct trace_site *site, const struct ptx_instruction *instruction)
{
    bool const others_write = has(instruction, PTX_MOD_volatile) || has(instruction, PTX_MOD_relaxed) ||
                              has(instruction, PTX_MOD_acquire) || has(instruction, PTX_MOD_mmio);
    site->unit = unit_of(site, instruction);
    site->type = instruction->type_count ? instruction->types[instruction->type_count - 1] : PTX_TYPE_NONE;
    site->by_table = site->operation == TRACE_BRANCH && instruction->opcode == PTX_OP_brx;
    site->by_pieces = ptx_opcode_kind(instruction->opcode) == PTX_KIND_MATRIX || ptx_is_product(instruction) ||
                      (ptx_opcode_kind(instruction->opcode) == PTX_KIND_COPY && has(instruction, PTX_MOD_bulk));
    site->parts = parts_of(site, instruction);
    site->compares = has(instruction, PTX_MOD_cas);
    site->counts = is_count(site, instruction);
    site->past_l1 = instruction->opcode == PTX_OP_cp && has(instruction, PTX_MOD_cg);
    site->timed = site->operation == TRACE_ATOMIC || (site->operation == TRACE_LOAD && others_write);
}

void trace_sites_read(struct trace_site *sites, uint32_t count)
{
    struct ptx_words *words = ptx_words_new();
    struct ptx_instruction instruction;
    for (uint32_t i = 0; i < count; i++)
        if (ptx_words_read(words, sites[i].text, &instruction))
            set_facts(&sites[i], &instruction);
    ptx_words_free(words);
}

static enum trace_operation operation_of(const struct ptx_instruction *instruction)
{
    switch (ptx_opcode_kind(instruction->opcode)) {
    case PTX_KIND_MATRIX:
        if (ptx_is_product(instruction))
            return TRACE_PRODUCT;
        return instruction->operands[0].kind == PTX_OPERAND_ADDRESS ? TRACE_STORE : TRACE_LOAD;
    case PTX_KIND_COPY: /* the event is the read, except for a bulk copy to global memory */
        return instruction->space == PTX_SPACE_GLOBAL ? TRACE_STORE : TRACE_LOAD;
    case PTX_KIND_STORE:
        return TRACE_STORE;
    case PTX_KIND_ATOMIC:
        return TRACE_ATOMIC;
    case PTX_KIND_REDUCTION:
        return TRACE_REDUCTION;
    case PTX_KIND_BARRIER:
        return TRACE_BARRIER;
    case PTX_KIND_BRANCH:
        return TRACE_BRANCH;
    default:
        return ptx_is_product(instruction)          ? TRACE_PRODUCT
               : instruction->opcode == PTX_OP_shfl ? TRACE_EXCHANGE
                                                    : TRACE_LOAD;
    }
}

static uint8_t bytes_of(const struct ptx_module *module, const struct ptx_instruction *instruction)
{
    struct ptx_matrix matrix;
    if (ptx_opcode_kind(instruction->opcode) == PTX_KIND_MATRIX)
        return ptx_matrix_read(module, instruction, &matrix) ? matrix.bytes : 0;
    if (ptx_opcode_kind(instruction->opcode) == PTX_KIND_COPY && ptx_has(instruction->modifiers, PTX_MOD_bulk))
        return 16;
    if (ptx_opcode_kind(instruction->opcode) == PTX_KIND_COPY) /* cp.async [to], [from], bytes */
        return instruction->operand_count > 2 && instruction->operands[2].kind == PTX_OPERAND_IMMEDIATE
                   ? (uint8_t)instruction->operands[2].bits
                   : 0;
    if (!instruction->type_count)
        return 0;
    size_t const element = ptx_type_size(instruction->types[instruction->type_count - 1]);
    return (uint8_t)(element * (instruction->vector ? instruction->vector : 1));
}

static bool mentions(const struct ptx_operand *operand, uint32_t number)
{
    bool const names = operand->kind == PTX_OPERAND_REGISTER ||
                       (operand->kind == PTX_OPERAND_ADDRESS && operand->base == PTX_OPERAND_REGISTER);
    if ((names && operand->index == number) || operand->second == number + 1)
        return true;
    for (uint32_t i = 0; i < operand->count; i++)
        if (mentions(&operand->elements[i], number))
            return true;
    return false;
}

/* Returns whether an instruction of the function other than `writer` names a register. */
static bool is_named(const struct ptx_function *function, const struct ptx_instruction *writer, uint32_t number)
{
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const struct ptx_instruction *at = &function->instructions[i];
        bool named = at != writer && at->predicate == number;
        for (uint32_t k = 0; k < at->operand_count && !named; k++)
            named = (at != writer || k > 0) && mentions(&at->operands[k], number);
        for (uint32_t k = 0; k < at->call_argument_count && !named; k++)
            named = mentions(&at->call_arguments[k], number);
        for (uint32_t k = 0; k < at->call_result_count && !named; k++)
            named = mentions(&at->call_results[k], number);
        if (named)
            return true;
    }
    return false;
}

static bool is_unread(const struct ptx_function *function, const struct ptx_instruction *atomic)
{
    if (!atomic->operand_count)
        return false;
    const struct ptx_operand *result = &atomic->operands[0];
    return result->kind == PTX_OPERAND_SINK ||
           (result->kind == PTX_OPERAND_REGISTER && !is_named(function, atomic, result->index));
}

const struct trace_site *trace_sites(struct arena *arena, const struct ptx_module *module, uint32_t *count)
{
    struct trace_site *sites = arena_array(arena, struct trace_site, module->site_count);
    for (uint32_t i = 0; i < module->site_count; i++)
        sites[i] = (struct trace_site){.file = PTX_NO_INDEX, .text = ""};
    for (uint32_t f = 0; f < module->function_count; f++) {
        const struct ptx_function *function = &module->functions[f];
        for (uint32_t i = 0; i < function->instruction_count; i++) {
            const struct ptx_instruction *instruction = &function->instructions[i];
            if (instruction->site >= module->site_count)
                continue;
            struct trace_site *site = &sites[instruction->site];
            *site = (struct trace_site){.operation = operation_of(instruction),
                                        .space = instruction->space,
                                        .file = instruction->file,
                                        .line = instruction->line,
                                        .column = instruction->column,
                                        .ptx_line = instruction->ptx_line,
                                        .text = ptx_statement(arena, module, instruction)};
            if (site->operation != TRACE_BARRIER && site->operation != TRACE_BRANCH)
                site->bytes = bytes_of(module, instruction);
            site->unread = site->operation == TRACE_ATOMIC && is_unread(function, instruction);
            set_facts(site, instruction);
        }
        trace_mark_waits(function, sites);
    }
    *count = module->site_count;
    return sites;
}

bool trace_is_of(const struct trace *trace, const struct ptx_module *module)
{
    struct arena arena = {0};
    uint32_t count;
    const struct trace_site *sites = trace_sites(&arena, module, &count);
    bool same = count == trace->site_count;
    for (uint32_t i = 0; same && i < count; i++)
        same = sites[i].line == trace->sites[i].line && strcmp(sites[i].text, trace->sites[i].text) == 0;
    arena_free(&arena);
    return same;
}
