// CUDA C has what a kernel needs of <device_functions.h> already.
#pragma once
