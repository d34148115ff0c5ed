/* Makes PTX of the forms on standard input: modules.c OUT COUNT writes OUT0.ptx, OUT1.ptx, ... with COUNT kernels each,
 * k0, k1, ... in the order of the lines. With a third argument, the kernels are those of form_access, for counters. */
#include "matrix.h"

int main(int argc, char **argv)
{
    static char line[1024], text[FORM_PTX_SIZE], name[4096];
    if (argc < 3 || atoi(argv[2]) < 1)
        return 2;
    unsigned in_module = (unsigned)atoi(argv[2]);
    FILE *file = NULL;
    for (unsigned at = 0; fgets(line, sizeof line, stdin); at++) {
        struct form form;
        line[strcspn(line, "\n")] = 0;
        if (!form_read(line, &form))
            return 1;
        if (at % in_module == 0) {
            if (file)
                fclose(file);
            snprintf(name, sizeof name, "%s%u.ptx", argv[1], at / in_module);
            file = fopen(name, "w");
            if (!file)
                return 1;
            fputs(FORM_HEAD, file);
        }
        snprintf(name, sizeof name, "k%u", at);
        (argc > 3 ? form_access : form_kernel)(text, sizeof text, name, &form);
        fputs(text, file);
    }
    if (file)
        fclose(file);
    return 0;
}
