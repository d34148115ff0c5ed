/* `build`: a CUDA program from its sources. */
#include "cli/cli.h"
#include "program/program.h"
#include <stdio.h>

int command_build(struct cli_options *options)
{
    struct error error;
    struct program_built built;
    struct program_build_request const request = {.files = options->targets.items,
                                                  .file_count = (size_t)options->targets.count,
                                                  .defines = options->launch.defines,
                                                  .define_count = options->launch.define_count,
                                                  .flags = options->words.items,
                                                  .flag_count = (size_t)options->words.count,
                                                  .output = options->output};
    if (!request.file_count)
        return cli_usage("give the files to build: .cu, .cpp, .c");
    if (!options->output)
        return cli_usage("give the program's path with -o");
    bool const fine = program_build(&options->arena, &request, &built, &error);
    if (!fine)
        return cli_fail(&error);
    fputs(built.log, stderr);
    return CLI_FINE;
}
