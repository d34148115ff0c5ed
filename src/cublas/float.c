#define real float
#define CALL(name) cublasS##name
#define FIND(name) cublasIs##name
#define CBLAS(name) cblas_s##name
#include "cublas/operations.inc"
