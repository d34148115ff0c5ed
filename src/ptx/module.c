/* Look-ups by number in the tables of module.h. */
#include "ptx/module.h"
#include "base/arena.h"
#include <string.h>

_Static_assert(PTX_MODIFIER_COUNT <= 256, "struct ptx_modifiers has a bit for each");

struct opcode_row {
    const char *text;
    enum ptx_group group;
    enum ptx_kind kind;
    enum ptx_class class;
    enum ptx_first first;
    unsigned char fewest, most;
};
static const struct opcode_row opcode_rows[] = {
#define PTX_OPCODE(name, text, group, kind, class, first, fewest, most, summary)                                       \
    {text, PTX_GROUP_##group, PTX_KIND_##kind, PTX_CLASS_##class, PTX_FIRST_##first, fewest, most},
#include "ptx/opcodes.def"
#undef PTX_OPCODE
};
static const char *const modifier_words[] = {
#define PTX_MODIFIER(name, word) word,
#include "ptx/modifiers.def"
#undef PTX_MODIFIER
};
static const char *const special_words[] = {
#define PTX_SPECIAL(name, word) word,
#include "ptx/specials.def"
#undef PTX_SPECIAL
};
static const struct {
    const char *name;
    size_t size;
} types[PTX_ELEMENT_COUNT] = {
    [PTX_TYPE_NONE] = {"", 0},  [PTX_B8] = {"b8", 1},         [PTX_B16] = {"b16", 2},   [PTX_B32] = {"b32", 4},
    [PTX_B64] = {"b64", 8},     [PTX_B128] = {"b128", 16},    [PTX_U8] = {"u8", 1},     [PTX_U16] = {"u16", 2},
    [PTX_U32] = {"u32", 4},     [PTX_U64] = {"u64", 8},       [PTX_S8] = {"s8", 1},     [PTX_S16] = {"s16", 2},
    [PTX_S32] = {"s32", 4},     [PTX_S64] = {"s64", 8},       [PTX_F16] = {"f16", 2},   [PTX_F16X2] = {"f16x2", 4},
    [PTX_BF16] = {"bf16", 2},   [PTX_BF16X2] = {"bf16x2", 4}, [PTX_F32] = {"f32", 4},   [PTX_F64] = {"f64", 8},
    [PTX_U16X2] = {"u16x2", 4}, [PTX_S16X2] = {"s16x2", 4},   [PTX_PRED] = {"pred", 0}, [PTX_E4M3] = {"e4m3", 1},
    [PTX_E5M2] = {"e5m2", 1},   [PTX_B1] = {"b1", 1},
};

size_t ptx_type_size(enum ptx_type type)
{
    return types[type].size;
}

const char *ptx_type_name(enum ptx_type type)
{
    return types[type].name;
}

const char *ptx_opcode_name(enum ptx_opcode opcode)
{
    return opcode_rows[opcode].text;
}

enum ptx_kind ptx_opcode_kind(enum ptx_opcode opcode)
{
    return opcode_rows[opcode].kind;
}

enum ptx_group ptx_opcode_group(enum ptx_opcode opcode)
{
    return opcode_rows[opcode].group;
}

enum ptx_class ptx_opcode_class(enum ptx_opcode opcode)
{
    return opcode_rows[opcode].class;
}

bool ptx_writes_first(const struct ptx_instruction *instruction)
{
    const struct opcode_row *row = &opcode_rows[instruction->opcode];
    if (instruction->operand_count == 0 || row->first != PTX_FIRST_FORM)
        return instruction->operand_count > 0 && row->first == PTX_FIRST_WRITTEN;
    if (row->kind == PTX_KIND_BARRIER)
        return ptx_has(instruction->modifiers, PTX_MOD_red);
    return instruction->operands[0].kind != PTX_OPERAND_ADDRESS;
}

const uint32_t *ptx_targets(const struct ptx_instruction *instruction, uint32_t *count)
{
    bool const direct = instruction->operand_count && instruction->operands[0].kind == PTX_OPERAND_LABEL;
    *count = direct ? 1 : instruction->target_count;
    return direct ? &instruction->operands[0].index : instruction->targets;
}

void ptx_opcode_operands(enum ptx_opcode opcode, unsigned *fewest, unsigned *most)
{
    *fewest = opcode_rows[opcode].fewest;
    *most = opcode_rows[opcode].most;
}

const char *ptx_modifier_word(enum ptx_modifier modifier)
{
    return modifier_words[modifier];
}

const char *ptx_special_word(enum ptx_special special)
{
    return special_words[special];
}

const char *ptx_space_name(enum ptx_space space)
{
    static const char *const names[] = {"generic", "global", "shared", "local", "const", "param", "reg"};
    return names[space];
}

const struct ptx_function *ptx_kernel(const struct ptx_module *module, const char *name)
{
    const struct ptx_function *found = NULL;
    for (uint32_t i = 0; i < module->function_count; i++) {
        const struct ptx_function *function = &module->functions[i];
        if (!function->is_kernel || !function->has_body)
            continue;
        if (name && strcmp(function->name, name) == 0)
            return function;
        if (!name && found)
            return NULL;
        if (!name)
            found = function;
    }
    return found;
}

size_t ptx_shared_bytes(const struct ptx_module *module, const struct ptx_function *function)
{
    (void)module;
    return function->shared_bytes;
}

void ptx_take_own_lines(struct arena *arena, struct ptx_module *module, const char *name)
{
    struct ptx_function *functions =
        arena_copy(arena, module->functions, module->function_count, sizeof *module->functions);
    const char **files = arena_array(arena, const char *, 1);
    for (uint32_t i = 0; i < module->function_count; i++) {
        uint32_t const count = functions[i].instruction_count;
        struct ptx_instruction *own = arena_copy(arena, functions[i].instructions, count, sizeof *own);
        for (uint32_t k = 0; k < count; k++) {
            own[k].file = 0;
            own[k].line = own[k].ptx_line;
        }
        functions[i].instructions = own;
    }
    files[0] = name;
    module->files = files;
    module->file_count = 1;
    module->functions = functions;
}
