/* What the functions of the layer return. */
#ifndef LANESCOPE_CUDART_STATUS_H
#define LANESCOPE_CUDART_STATUS_H

enum status {
#define STATUS(name, value, runtime_name, text) STATUS_##name = value,
#include "cudart/layer/status.def"
};
#endif
