// CUDA C has what a kernel needs of <math_functions.h> already.
#pragma once
