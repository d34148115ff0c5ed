/* The class of an opcode agrees with its kind, and with the ops that the emulator makes of it. An opcode without a
 * class, or without a row in decode/families.def, does not compile. */
#include "emulator/decode/decode.h"
#include "emulator_helper.h"

static enum ptx_class class_of_kind(enum ptx_kind kind)
{
    switch (kind) {
    case PTX_KIND_LOAD:
    case PTX_KIND_STORE:
    case PTX_KIND_ATOMIC:
    case PTX_KIND_REDUCTION:
    case PTX_KIND_COPY:
        return PTX_CLASS_MEMORY;
    case PTX_KIND_MATRIX:
        return PTX_CLASS_WARP;
    case PTX_KIND_BARRIER:
        return PTX_CLASS_WAIT;
    case PTX_KIND_BRANCH:
    case PTX_KIND_CALL:
    case PTX_KIND_END:
        return PTX_CLASS_CONTROL;
    case PTX_KIND_PLAIN:
        break;
    }
    return 0;
}

static void class_of_an_opcode_fits_its_kind(void **state)
{
    (void)state;
    for (int i = 0; i < PTX_OPCODE_COUNT; i++) {
        enum ptx_opcode const opcode = (enum ptx_opcode)i;
        enum ptx_class const wanted = class_of_kind(ptx_opcode_kind(opcode));
        if (wanted && ptx_opcode_class(opcode) != wanted)
            fail_msg("%s is of class %d, its kind wants %d", ptx_opcode_name(opcode), ptx_opcode_class(opcode), wanted);
    }
}

/* Liveness relies on this. */
static void loads_write_their_first_operand_and_stores_do_not(void **state)
{
    (void)state;
    static const struct ptx_operand operand = {.kind = PTX_OPERAND_REGISTER};
    for (int i = 0; i < PTX_OPCODE_COUNT; i++) {
        struct ptx_instruction const instruction = {
            .opcode = (enum ptx_opcode)i, .operand_count = 1, .operands = {operand}};
        bool const writes = ptx_writes_first(&instruction);
        enum ptx_kind const kind = ptx_opcode_kind(instruction.opcode);
        bool const result = kind == PTX_KIND_LOAD || kind == PTX_KIND_ATOMIC;
        bool const none = kind == PTX_KIND_STORE || kind == PTX_KIND_REDUCTION || kind == PTX_KIND_BARRIER ||
                          kind == PTX_KIND_BRANCH || kind == PTX_KIND_CALL || kind == PTX_KIND_END;
        if ((result && !writes) || (none && writes))
            fail_msg("%s: is its first operand written?", ptx_opcode_name(instruction.opcode));
    }
}

static void check_instruction(const struct ptx_instruction *instruction, const struct op *ops, uint32_t count)
{
    enum ptx_class const class = ptx_opcode_class(instruction->opcode);
    bool ends = false, other = false;
    for (uint32_t i = 0; i < count; i++) {
        ends |= ops[i].flags & OP_ENDS;
        other |= ops[i].class != PTX_CLASS_ARITHMETIC;
    }
    bool const leads_elsewhere =
        ptx_opcode_kind(instruction->opcode) == PTX_KIND_BRANCH || ptx_opcode_kind(instruction->opcode) == PTX_KIND_END;
    if (leads_elsewhere && !ends)
        fail_msg("%s does not end its straight run", ptx_opcode_name(instruction->opcode));
    if (instruction->predicate != PTX_NO_INDEX) /* it may have become a branch around the instruction */
        return;
    if (ends && class != PTX_CLASS_CONTROL && class != PTX_CLASS_WAIT)
        fail_msg("%s ends its straight run, but is of class %d", ptx_opcode_name(instruction->opcode), class);
    if (other && class == PTX_CLASS_ARITHMETIC)
        fail_msg("%s is arithmetic, and the emulator does more", ptx_opcode_name(instruction->opcode));
}

static unsigned check_code(const struct code *code)
{
    unsigned seen = 0;
    for (uint32_t i = 0, next; code->ops && i < code->op_count; i = next) {
        const struct ptx_instruction *source = code->ops[i].source;
        for (next = i + 1; next < code->op_count && code->ops[next].source == source; next++)
            continue;
        seen += source != NULL;
        if (source)
            check_instruction(source, &code->ops[i], next - i);
    }
    return seen;
}

static void ops_are_of_their_opcode_s_class(void **state)
{
    (void)state;
    static const char *const files[] = {"emulator/programs.ptx", "emulator/features.ptx",    "emulator/math.ptx",
                                        "emulator/faults.ptx",   "emulator/barriers_90.ptx", "emulator/objects.ptx"};
    unsigned seen = 0;
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        struct bench b;
        bench_file(&b, files[f]);
        for (uint32_t k = 0; k < b.module->function_count; k++) {
            struct emulation emulation = {.module = b.module, .kernel = &b.module->functions[k], .arena = &b.arena};
            if (!emulation.kernel->is_kernel)
                continue;
            emulation.variable_address = arena_array(&b.arena, uint64_t, (size_t)b.module->variable_count + 1);
            assert_true(decode_kernel(&emulation, lanes_best(), &b.error));
            for (uint32_t i = 0; i < b.module->function_count; i++)
                seen += check_code(&emulation.codes[i]);
        }
        arena_free(&b.arena);
    }
    assert_true(seen > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(class_of_an_opcode_fits_its_kind),
        cmocka_unit_test(loads_write_their_first_operand_and_stores_do_not),
        cmocka_unit_test(ops_are_of_their_opcode_s_class),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
