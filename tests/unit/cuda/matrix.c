/* Loads and stores of matrices, bulk copies and barrier objects: the probes record the same events as the emulator,
 * with values and without. */
#include "compile/process.h"
#include "matrix_helper.h"
#include "probed_helper.h"
#include "sanitized.h"

static unsigned check_forms(bool products)
{
    static char text[FORMS_KERNEL];
    static uint32_t inputs[FORMS_BLOCKS * BLOCK_WORDS], outputs[FORMS_BLOCKS * BLOCK_WORDS];
    FILE *file = fopen("matrix/results.txt", "r");
    unsigned forms = 0, count;
    assert_non_null(file);
    input_fill("iii", FORMS_BLOCKS, inputs);
    for (unsigned set = 0; forms_next(file, products, 16, text, &count); set++) {
        struct bench b;
        forms += count;
        if (SANITIZED && set % 4)
            continue;
        bench_text(&b, text);
        bench_launch(&b, "k", FORMS_BLOCKS, LANES);
        memset(outputs, 0, sizeof outputs);
        bench_buffer(&b, PTX_U32, outputs, sizeof outputs / sizeof *outputs);
        bench_buffer(&b, PTX_U32, inputs, sizeof inputs / sizeof *inputs);
        probed_check(&b, 0);
        bench_free(&b);
    }
    fclose(file);
    return forms;
}

static void matrix_accesses_have_the_emulators_trace(void **state)
{
    (void)state;
    assert_int_equal(check_forms(false), 574);
}

static void products_have_the_emulators_registers(void **state)
{
    (void)state;
    assert_int_equal(check_forms(true), 194);
}

static void barrier_objects_and_bulk_copies_have_the_emulators_trace(void **state)
{
    (void)state;
    static const struct {
        const char *file, *kernel;
        uint32_t grid, block, sizes[3];
        int n;
    } cases[] = {
        {"barriers_90", "bulk", 2, 64, {512, 512}, 0},
        {"barriers_90", "pipeline", 1, 128, {128, 768}, 6},
        {"barriers_80", "pipeline", 1, 128, {128, 768}, 6},
        {"barriers_90", "thread_pipeline", 1, 64, {64, 384}, 6},
        {"barriers_80", "thread_pipeline", 1, 64, {64, 384}, 6},
        {"barriers_90", "groups", 2, 128, {256, 256}, 0},
        {"barriers_80", "groups", 2, 128, {256, 256}, 0},
        {"barriers_90", "phases", 1, 64, {32, 256}, 8},
        {"barriers_80", "phases", 1, 64, {32, 256}, 8},
        {"barriers_90", "async", 2, 128, {256, 256}, 0},
        {"barriers_80", "async", 2, 128, {256, 256}, 0},
        {"objects", "product", 1, 32, {256, 128, 128}, 0},
        {"objects", "rows", 1, 32, {64}, 32},
        {"objects", "parts", 1, 64, {2100, 2100}, 0},
        {"objects", "apart", 1, 32, {32, 128}, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static int values[3][2100];
        struct arena arena = {0};
        struct bench b;
        bench_file(&b, arena_format(&arena, "emulator/%s.ptx", cases[i].file));
        bench_launch(&b, cases[i].kernel, cases[i].grid, cases[i].block);
        for (int k = 0; k < 3 * 2100; k++)
            values[k / 2100][k % 2100] = k * 7919 % 1009;
        for (int k = 0; k < 3 && cases[i].sizes[k]; k++)
            bench_buffer(&b, PTX_S32, values[k], cases[i].sizes[k]);
        if (cases[i].n)
            bench_scalar(&b, PTX_S32, (uint64_t)cases[i].n);
        probed_check(&b, 0);
        bench_free(&b);
        arena_free(&arena);
    }
}

/* The forms of older GPUs: ldmatrix and wmma of sm_75. */
static const char turing[] =
    ".version 6.5\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"
    ".reg .pred %p<2>;\n.reg .b32 %r<16>;\n.reg .b64 %rd<4>;\n.shared .align 128 .b8 tile[1024];\n"
    "ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nshl.b32 %r2, %r1, 4;\nmov.u32 %r3, tile;\nadd.s32 %r4, %r3, %r2;\n"
    "setp.lt.u32 %p1, %r1, 64;\n"
    "@%p1 ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r5, %r6}, [%r4];\n"
    "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%r5, %r6, %r7, %r8, %r9, %r10, %r11, %r12}, [tile+64], 24;\n"
    "wmma.store.d.sync.aligned.col.m16n16k16.global.f16 [%rd1], {%r5, %r6, %r7, %r8}, %r1;\n"
    "ret;\n}\n";

/* Checks that ptxas accepts the kernel with probes without a message. */
static void assemble(const struct workplace *place, const char *ptxas, const char *text, const char *name,
                     const char *target)
{
    struct bench b;
    bench_text(&b, text);
    for (int values = 0; values < 2; values++) {
        struct probed probed = {0};
        if (!probe_module(&b.arena, b.module, ptx_kernel(b.module, name), NULL, values != 0, &probed, &b.error))
            fail_msg("%s", b.error.message);
        const char *input = arena_format(&b.arena, "%s/k.ptx", place->folder);
        const char *output = arena_format(&b.arena, "%s/output", place->folder);
        const char *const arguments[] = {ptxas, arena_format(&b.arena, "-arch=%s", target), "-o", "k.cubin", input,
                                         NULL};
        assert_true(file_write(input, probed.ptx, strlen(probed.ptx), &b.error));
        if (process_run(arguments, place->folder, output, 60, NULL) != 0) {
            char *said;
            assert_true(file_read(&b.arena, output, &said, NULL, &b.error));
            fail_msg("%s for %s: %s", name, target, said);
        }
    }
    bench_free(&b);
}

/* Runs only where CUDA's assembler is installed. */
static void ptxas_accepts_kernels_with_probes(void **state)
{
    (void)state;
    static const char *const kernels[][3] = {
        {"barriers_90", "bulk", "sm_90"}, {"barriers_90", "phases", "sm_90"}, {"barriers_80", "phases", "sm_80"},
        {"objects", "product", "sm_90"},  {"objects", "rows", "sm_90"},       {"objects", "parts", "sm_90"},
    };
    char ptxas[4096];
    struct workplace place;
    struct arena arena = {0};
    if (!process_find("ptxas", ptxas, sizeof ptxas))
        skip();
    assert_true(workplace_open(&place));
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        char *module;
        assert_true(file_read(&arena, arena_format(&arena, "emulator/%s.ptx", kernels[i][0]), &module, NULL, NULL));
        assemble(&place, ptxas, module, kernels[i][1], kernels[i][2]);
    }
    assemble(&place, ptxas, turing, "k", "sm_75");
    workplace_close(&place);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrix_accesses_have_the_emulators_trace),
        cmocka_unit_test(products_have_the_emulators_registers),
        cmocka_unit_test(barrier_objects_and_bulk_copies_have_the_emulators_trace),
        cmocka_unit_test(ptxas_accepts_kernels_with_probes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
