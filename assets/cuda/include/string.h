// Empty: CUDA C provides everything that a kernel needs of <string.h>.
#pragma once
