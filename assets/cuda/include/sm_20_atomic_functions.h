// CUDA C has what a kernel needs of <sm_20_atomic_functions.h> already.
#pragma once
