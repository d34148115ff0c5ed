#include "cli/cli.h"
#include "compile/compile.h"
#include "cuda/cuda.h"

int main(int argc, char **argv)
{
    int status = 0;
    if (compile_serve(argc, argv, &status) || cuda_serve(argc, argv))
        return status;
    return cli_main(argc, argv);
}
