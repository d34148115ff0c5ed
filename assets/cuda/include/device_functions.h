// Empty: CUDA C provides everything that a kernel needs of <device_functions.h>.
#pragma once
