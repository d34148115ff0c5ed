// CUDA C has what a kernel needs of <string.h> already.
#pragma once
