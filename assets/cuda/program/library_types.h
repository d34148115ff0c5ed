// The runtime API, which declares most of what programs need of this header, and cudaDataType.
#pragma once
#include "cuda_runtime.h"
#include "lanescope_data_types.h"
