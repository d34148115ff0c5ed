// CUDA C has what a kernel needs of <vector_functions.h> already.
#pragma once
