/* `exec`: a built CUDA program, on the emulator or a GPU. */
#include "cli/cli.h"

int command_exec(struct cli_options *options)
{
    if (!options->targets.count)
        return cli_usage("give a program; its arguments follow after --");
    for (int i = 1; i < options->targets.count; i++) { /* arguments without dashes need no -- before them */
        if (options->words.count == CLI_LIST_MAX)
            return cli_usage("too many arguments; give at most 4096");
        for (int k = options->words.count; k >= i; k--)
            options->words.items[k] = options->words.items[k - 1];
        options->words.items[i - 1] = options->targets.items[i];
        options->words.count++;
    }
    return cli_run_program(options, options->targets.items[0], NULL);
}
