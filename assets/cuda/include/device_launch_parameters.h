// CUDA C has what a kernel needs of <device_launch_parameters.h> already.
#pragma once
