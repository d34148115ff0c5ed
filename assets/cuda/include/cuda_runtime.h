// CUDA C has what a kernel needs of <cuda_runtime.h> already.
#pragma once
