/* `--version`: the version, and what this program was built from. */
#include "base/words.h"
#include "cli/cli.h"
#include "commit.h" /* made by commit.cmake */
#include <stdio.h>

#ifdef __clang__
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

void cli_version(void)
{
    puts("lanescope " LANESCOPE_VERSION);
    printf(_("commit %s; built by %s, %s\n"), LANESCOPE_COMMIT, COMPILER, LANESCOPE_BUILD);
}
