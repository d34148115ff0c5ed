#include "trace/executor.h"
#include <string.h>

static const char *const words[] = {
    [EXECUTOR_BEST] = "", [EXECUTOR_GPU] = "gpu", [EXECUTOR_EMULATOR] = "emulator", [EXECUTOR_RECORDING] = "recording"};

const char *executor_word(enum executor executor)
{
    return words[executor];
}

bool executor_from_word(const char *word, enum executor *executor)
{
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i], word) == 0) {
            *executor = (enum executor)i;
            return true;
        }
    return false;
}
