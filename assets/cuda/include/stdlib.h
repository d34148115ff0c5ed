// CUDA C has what a kernel needs of <stdlib.h> already.
#pragma once
