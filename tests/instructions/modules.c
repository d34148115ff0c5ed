/* Makes PTX of the forms on standard input: modules.c OUT COUNT writes OUT0.ptx, OUT1.ptx, ... with COUNT kernels each,
 * k0, k1, ... in the order of the lines. */
#include "instructions.h"
#include <stdlib.h>

int main(int argc, char **argv)
{
    static char line[1024], text[FORM_PTX_SIZE], name[4096];
    if (argc != 3 || atoi(argv[2]) < 1)
        return 2;
    unsigned in_module = (unsigned)atoi(argv[2]), at = 0;
    FILE *file = NULL;
    for (; fgets(line, sizeof line, stdin); at++) {
        line[strcspn(line, "\n")] = 0;
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
        form_kernel(text, sizeof text, name, line, -1);
        fputs(text, file);
    }
    if (file)
        fclose(file);
    return 0;
}
