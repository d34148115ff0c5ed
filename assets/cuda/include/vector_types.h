// CUDA C has what a kernel needs of <vector_types.h> already.
#pragma once
