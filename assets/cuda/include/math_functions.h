// Empty: CUDA C provides everything that a kernel needs of <math_functions.h>.
#pragma once
