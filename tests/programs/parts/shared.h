#pragma once
#include <cuda_runtime.h>
__global__ void multiply(int *place);
void show(int value, int result);
