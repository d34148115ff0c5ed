/* The forms of tests/matrix that are recorded, several per kernel: loads and stores, or products. */
#ifndef LANESCOPE_TESTS_MATRIX_HELPER_H
#define LANESCOPE_TESTS_MATRIX_HELPER_H
#include "../matrix/matrix.h"

enum { FORMS_BLOCKS = 2, FORMS_KERNEL = 1 << 16 };

/* Folds the form's result into %r4, so that all of it affects the kernel's result. */
static inline void forms_fold(struct form_text *to, const struct form *form)
{
    form_add(to, "%s\nbar.warp.sync -1;\n", form->text);
    for (unsigned i = 0; i < 8 && form->result == 'r'; i++)
        form_add(to, "xor.b32 %%r4, %%r4, %%o%u;\n", i);
    for (unsigned i = 0; i < 4 && form->result == 'd'; i++)
        form_add(to, "mov.b64 {%%r5, %%r6}, %%O%u;\nxor.b32 %%r4, %%r4, %%r5;\nxor.b32 %%r4, %%r4, %%r6;\n", i);
}

/* Writes the next kernel `k`, of at most `most` forms of the file, as a module. Returns false at the file's end. count:
 * its number of forms. products: the forms that multiply; else those that load or store. */
static inline bool forms_next(FILE *file, bool products, unsigned most, char text[FORMS_KERNEL], unsigned *count)
{
    static char line[1024], body[FORMS_KERNEL];
    struct form_text to = {body, sizeof body, 0};
    form_add(&to, "mov.b32 %%r4, 0;\n");
    for (*count = 0; *count < most && fgets(line, sizeof line, file);) {
        struct form form;
        char *words;
        line[strcspn(line, "\n")] = 0;
        strtoull(line, &words, 16);
        bool const moves = strstr(words, " wmma.load") || strstr(words, " wmma.store") || strstr(words, " ldmatrix") ||
                           strstr(words, " stmatrix");
        bool const multiplies = strstr(words, " mma.") || strstr(words, " wmma.mma");
        if (!(products ? multiplies : moves) || !form_read(words, &form))
            continue;
        forms_fold(&to, &form);
        (*count)++;
    }
    form_add(&to, "st.shared.b32 [%%r2+124], %%r4;");
    strcpy(text, FORM_HEAD);
    form_kernel(text + strlen(FORM_HEAD), FORMS_KERNEL - strlen(FORM_HEAD), "k",
                &(struct form){.blocks = FORMS_BLOCKS, .kinds = "iii", .result = 'm', .text = body});
    return *count > 0;
}
#endif
