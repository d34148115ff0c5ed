// CUDA C has what a kernel needs of <stddef.h> already.
#pragma once
