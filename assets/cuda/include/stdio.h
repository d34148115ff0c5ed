// CUDA C has what a kernel needs of <stdio.h> already.
#pragma once
