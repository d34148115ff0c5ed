/* What the user's flags mean here. */
#include "program/build/build.h"
#include <string.h>

void build_sort_flags(struct build *build)
{
    static const char *const with_value[] = {
        "-arch", "--gpu-architecture", "-gencode", "--generate-code", "-code",   "-ccbin", "--threads",
        "-t",    "-maxrregcount",      "-Xptxas",  "-Xnvlink",        "-cudart", NULL};
    static const char *const alone[] = {"-lineinfo",
                                        "-G",
                                        "--expt-relaxed-constexpr",
                                        "--expt-extended-lambda",
                                        "-extended-lambda",
                                        "--extended-lambda",
                                        "-rdc=true",
                                        "-dc",
                                        "--use_fast_math",
                                        "-use_fast_math",
                                        "-lcudart",
                                        "-lcudadevrt",
                                        "-lcublas",
                                        "-lcublas_static",
                                        "-lcurand",
                                        "-lcurand_static",
                                        NULL};
    const struct program_build_request *request = build->request;
    for (size_t i = 0; i < request->flag_count; i++) {
        const char *flag = request->flags[i];
        const char *value = i + 1 < request->flag_count ? request->flags[i + 1] : NULL;
        bool skipped = false;
        for (size_t k = 0; with_value[k] && !skipped; k++) {
            size_t const length = strlen(with_value[k]);
            skipped = strncmp(flag, with_value[k], length) == 0 && (flag[length] == '=' || !flag[length]);
            i += skipped && !flag[length];
        }
        for (size_t k = 0; alone[k] && !skipped; k++)
            skipped = strcmp(flag, alone[k]) == 0;
        if (skipped)
            continue;
        if ((strcmp(flag, "-Xcompiler") == 0 || strcmp(flag, "-I") == 0 || strcmp(flag, "-D") == 0 ||
             strcmp(flag, "-include") == 0) &&
            value) {
            if (strcmp(flag, "-Xcompiler") != 0)
                words_add(&build->compile, flag);
            words_add(&build->compile, value);
            i++;
        } else if ((strcmp(flag, "-Xlinker") == 0 || strcmp(flag, "-L") == 0 || strcmp(flag, "-l") == 0) && value) {
            words_add(&build->link, flag);
            words_add(&build->link, value);
            i++;
        } else if (strncmp(flag, "-l", 2) == 0 || strncmp(flag, "-L", 2) == 0 || strncmp(flag, "-Wl,", 4) == 0) {
            words_add(&build->link, flag);
        } else {
            words_add(&build->compile, flag);
            if (strncmp(flag, "-f", 2) == 0 || strcmp(flag, "-pthread") == 0)
                words_add(&build->link, flag);
        }
    }
    for (size_t i = 0; i < request->define_count; i++) {
        const struct compile_define *d = &request->defines[i];
        bool const value = d->value && *d->value;
        words_add(&build->compile,
                  arena_format(build->arena, "-D%s%s%s", d->name, value ? "=" : "", value ? d->value : ""));
    }
}
