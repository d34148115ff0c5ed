// Empty: CUDA C provides everything that a kernel needs of <stdlib.h>.
#pragma once
