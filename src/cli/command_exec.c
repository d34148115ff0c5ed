/* `exec`: a built CUDA program, on the emulator or a GPU. */
#include "base/file.h"
#include "cli/cli.h"
#include "compile/process.h"
#include <limits.h>
#include <string.h>

/* Returns a program that is no file here as the one that $PATH has, as a shell does. */
static const char *found_program(struct cli_options *options, const char *name)
{
    char found[PATH_MAX];
    bool const by_path = !strchr(name, '/') && !file_exists(name) && process_find(name, found, sizeof found);
    return by_path ? arena_text(&options->arena, found) : name;
}

int command_exec(struct cli_options *options)
{
    if (options->json && options->csv)
        return cli_usage("--json and --csv both take all of standard output; give one of them");
    if (!options->targets.count && options->words.count) { /* exec -- python3 x.py */
        options->targets.items[options->targets.count++] = options->words.items[0];
        options->words.count--;
        memmove(options->words.items, options->words.items + 1,
                (size_t)options->words.count * sizeof *options->words.items);
    }
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
    return cli_run_program(options, found_program(options, options->targets.items[0]), NULL);
}
