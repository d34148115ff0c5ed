#define real double
#define CALL(name) cublasD##name
#define FIND(name) cublasId##name
#define CBLAS(name) cblas_d##name
#include "cublas/operations.inc"
