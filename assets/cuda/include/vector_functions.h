// Empty: CUDA C provides everything that a kernel needs of <vector_functions.h>.
#pragma once
