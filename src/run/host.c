/* The host's loops: the very text of the kernel files, compiled as C with CUDA's qualifiers empty. Built optimised in
 * every configuration, because it is timed. */
#include "run/host.h"
#define __host__
#define __device__
#include "../../kernels/adjdiff_host.cu"
