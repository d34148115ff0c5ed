// Empty: CUDA C provides everything that a kernel needs of <sm_20_atomic_functions.h>.
#pragma once
