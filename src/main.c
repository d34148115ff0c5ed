#include "cli/cli.h"
#include "cuda/cuda.h"

int main(int argc, char **argv)
{
    return cuda_serve(argc, argv) ? 0 : cli_main(argc, argv);
}
