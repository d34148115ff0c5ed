// Empty: CUDA C provides everything that a kernel needs of <stdio.h>.
#pragma once
