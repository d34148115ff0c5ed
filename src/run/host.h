/* Host functions from the files in kernels/; see host.c. */
#ifndef LANESCOPE_RUN_HOST_H
#define LANESCOPE_RUN_HOST_H
void adjdiff_host(float *b, const float *a, int n);
#endif
