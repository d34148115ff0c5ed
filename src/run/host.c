/* Compiles the host loops in the kernel files as C, with CUDA's qualifiers defined empty. The file is optimised in
 * every configuration, because the loops are timed. */
#include "run/host.h"
#define __host__
#define __device__
#include "../../kernels/adjdiff_host.cu"
