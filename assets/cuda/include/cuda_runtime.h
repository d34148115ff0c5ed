// Empty: CUDA C provides everything that a kernel needs of <cuda_runtime.h>.
#pragma once
