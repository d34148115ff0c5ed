// Empty: CUDA C provides everything that a kernel needs of <stdbool.h>.
#pragma once
