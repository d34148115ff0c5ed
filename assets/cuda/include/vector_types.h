// Empty: CUDA C provides everything that a kernel needs of <vector_types.h>.
#pragma once
