// Empty: CUDA C provides everything that a kernel needs of <stddef.h>.
#pragma once
