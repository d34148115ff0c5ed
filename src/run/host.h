/* Host functions that stand in kernels/ files; see host.c. */
#ifndef LANESCOPE_RUN_HOST_H
#define LANESCOPE_RUN_HOST_H
void adjdiff_host(float *b, const float *a, int n);
#endif
