// CUDA C has what a kernel needs of <stdbool.h> already.
#pragma once
