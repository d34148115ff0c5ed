/* Every opcode of docs/ptx.md's table has a form that is compared with the GPU (tests/instructions), or stands here
 * with the reason why not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "ptx/program.h"

static const char not_run[] = "the emulator refuses it", matrices[] = "of a whole warp: compared in matrix_match";
static const struct {
    enum ptx_opcode opcode;
    const char *reason;
} without[] = {
    {PTX_OP_istypep, not_run},
    {PTX_OP_multimem, not_run},
    {PTX_OP_mbarrier, "what it leaves in memory is opaque: emulator_barriers"},
    {PTX_OP_clusterlaunchcontrol, not_run},
    {PTX_OP_tensormap, not_run},
    {PTX_OP_wmma, matrices},
    {PTX_OP_mma, matrices},
    {PTX_OP_ldmatrix, matrices},
    {PTX_OP_stmatrix, matrices},
    {PTX_OP_movmatrix, matrices},
    {PTX_OP_wgmma, not_run},
    {PTX_OP_tcgen05, not_run},
    {PTX_OP_tex, not_run},
    {PTX_OP_tld4, not_run},
    {PTX_OP_txq, not_run},
    {PTX_OP_suld, not_run},
    {PTX_OP_sust, not_run},
    {PTX_OP_sured, not_run},
    {PTX_OP_suq, not_run},
    {PTX_OP_trap, "ends the launch: emulator_faults"},
    {PTX_OP_brkpt, "ends the launch where no debugger listens"},
    {PTX_OP_setmaxnreg, "the GPU takes it only in whole groups of four warps and in code for sm_90a"},
};

/* Opcodes of the instructions of a form: labels, predicates and braces stand before them. */
static void note(char *text, bool *seen)
{
    for (char *word = strtok(text, " ;{}\n"); word; word = strtok(NULL, " ;{}\n")) {
        word[strcspn(word, ".")] = 0;
        for (int opcode = 0; opcode < PTX_OPCODE_COUNT; opcode++)
            if (strcmp(word, ptx_opcode_name((enum ptx_opcode)opcode)) == 0)
                seen[opcode] = true;
    }
}

static void every_opcode_has_a_form_or_a_reason(void **state)
{
    (void)state;
    static char line[1024];
    bool seen[PTX_OPCODE_COUNT] = {false}, excused[PTX_OPCODE_COUNT] = {false};
    FILE *file = fopen("instructions/results.txt", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file))
        if (line[0] != '-')
            note(line + 16 + 1 + 4 + 1 + 1, seen); /* behind hash, inputs and result */
    fclose(file);
    for (size_t i = 0; i < sizeof without / sizeof *without; i++)
        excused[without[i].opcode] = true;
    for (int opcode = 0; opcode < PTX_OPCODE_COUNT; opcode++) {
        if (!seen[opcode] && !excused[opcode])
            fail_msg("%s has no form and no reason", ptx_opcode_name((enum ptx_opcode)opcode));
        if (seen[opcode] && excused[opcode])
            fail_msg("%s has a form and needs no reason", ptx_opcode_name((enum ptx_opcode)opcode));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_opcode_has_a_form_or_a_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
