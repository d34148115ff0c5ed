// Empty: CUDA C provides everything that a kernel needs of <cuda.h>.
#pragma once
