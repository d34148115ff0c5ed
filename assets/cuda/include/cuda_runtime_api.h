// CUDA C has what a kernel needs of <cuda_runtime_api.h> already.
#pragma once
