// Empty: CUDA C provides everything that a kernel needs of <device_launch_parameters.h>.
#pragma once
