// CUDA C has what a kernel needs of <cuda.h> already.
#pragma once
