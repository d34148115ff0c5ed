// Empty apart from the runtime API, which declares what programs need of this header.
#pragma once
#include "cuda_runtime.h"
