/* Small scalars and structures by value reach a kernel on the GPU as they do on the emulator. */
#include "cuda/cuda.h"
#include "run/file.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
// clang-format off
#include <cmocka.h>
// clang-format on

static const char ptx[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".visible .entry keep(.param .u64 out, .param .u8 c, .param .u16 s, .param .align 8 .b8 p[24])\n"
    "{\n.reg .b64 %d<6>; .reg .b16 %h<3>;\n"
    "ld.param.u64 %d1, [out]; ld.param.s8 %h1, [c]; ld.param.u16 %h2, [s];\n"
    "ld.param.u64 %d2, [p]; ld.param.u64 %d3, [p+8]; ld.param.u64 %d4, [p+16];\n"
    "st.global.u16 [%d1], %h1; st.global.u16 [%d1+2], %h2; st.global.u64 [%d1+8], %d2;\n"
    "st.global.u64 [%d1+16], %d3; st.global.u64 [%d1+24], %d4; ret;\n}\n";

static void keep(const char *path, enum executor executor, uint8_t bytes[32])
{
    static const char *const arguments[] = {"u8[32]=zero", "i8=-2", "u16=65000",
                                            "struct{f64=1.5,i16[3]={1,2,-3},struct{u8=7,f32=0.5}}"};
    struct run_file_request const request = {.path = path,
                                             .block = {1, 1, 1},
                                             .grid = {1, 1, 1},
                                             .arguments = arguments,
                                             .argument_count = 4,
                                             .options.executor = executor};
    struct run *run;
    struct error error = {0};
    if (!run_file(&request, &run, &error))
        fail_msg("%s", error.message);
    memcpy(bytes, run->launch.buffers[0].data, 32);
    run_free(run);
}

static void small_scalars_and_structures_reach_the_kernel(void **state)
{
    (void)state;
    char path[] = "/tmp/lanescope-arguments-XXXXXX.ptx";
    int const file = mkstemps(path, 4);
    assert_true(file >= 0 && write(file, ptx, sizeof ptx - 1) == sizeof ptx - 1);
    close(file);
    uint8_t emulated[32], ran[32];
    int16_t small[2];
    keep(path, EXECUTOR_EMULATOR, emulated);
    memcpy(small, emulated, sizeof small);
    assert_true(small[0] == -2 && (uint16_t)small[1] == 65000);
    assert_int_equal(emulated[24], 7); /* behind f64 and i16[3], which end at 14, the structure begins at 16 */
    keep(path, EXECUTOR_GPU, ran);
    assert_memory_equal(ran, emulated, sizeof ran);
    unlink(path);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(small_scalars_and_structures_reach_the_kernel)};
    if (cuda_serve(argc, argv))
        return 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
