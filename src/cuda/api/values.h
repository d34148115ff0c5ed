/* Numbers of the driver's interface. Source: cuda.h of CUDA 13.0, which names each as CUresult, CUdevice_attribute,
 * CUfunction_attribute, CUjit_option or a flag; they do not change from one version to the next. */
#ifndef LANESCOPE_CUDA_API_VALUES_H
#define LANESCOPE_CUDA_API_VALUES_H

enum { /* results; those of the runtime are the same */
       CUDA_API_INVALID_VALUE = 1,
       CUDA_API_OUT_OF_MEMORY = 2,
       CUDA_API_STUB_LIBRARY = 34,
       CUDA_API_UNAVAILABLE = 46,
       CUDA_API_NO_DEVICE = 100,
       CUDA_API_NO_BINARY = 209,
       CUDA_API_INVALID_PTX = 218,
       CUDA_API_NO_COMPILER = 221,
       CUDA_API_NEWER_PTX = 222,
       CUDA_API_NO_SUCH_BARRIER = 225,
       CUDA_API_NOT_FOUND = 500,
       CUDA_API_NOT_READY = 600,
       CUDA_API_ILLEGAL_ADDRESS = 700,
       CUDA_API_OUT_OF_RESOURCES = 701,
       CUDA_API_TIMEOUT = 702,
       CUDA_API_ASSERT = 710,
       CUDA_API_STACK_ERROR = 714,
       CUDA_API_ILLEGAL_INSTRUCTION = 715,
       CUDA_API_MISALIGNED_ADDRESS = 716,
       CUDA_API_INVALID_SPACE = 717,
       CUDA_API_INVALID_PC = 718,
       CUDA_API_LAUNCH_FAILED = 719,
       CUDA_API_SYSTEM_NOT_READY = 802,
       CUDA_API_DRIVER_MISMATCH = 803
};

enum { /* attributes of a device */
       CUDA_API_ATTRIBUTE_SHARED = 8,
       CUDA_API_ATTRIBUTE_CLOCK = 13, /* kHz */
       CUDA_API_ATTRIBUTE_MULTIPROCESSORS = 16,
       CUDA_API_ATTRIBUTE_MEMORY_CLOCK = 36, /* kHz */
       CUDA_API_ATTRIBUTE_BUS_WIDTH = 37,    /* bits */
       CUDA_API_ATTRIBUTE_L2 = 38,           /* bytes */
       CUDA_API_ATTRIBUTE_MAJOR = 75,
       CUDA_API_ATTRIBUTE_MINOR = 76,
       CUDA_API_ATTRIBUTE_SHARED_OPTIN = 97
};

enum { /* options of the PTX compiler */
       CUDA_API_MOST_REGISTERS = 0,
       CUDA_API_LOG = 5,
       CUDA_API_LOG_BYTES = 6
};

enum {
    CUDA_API_COPY_UNIFIED = 4,   /* a memory type: the address says where the memory lies */
    CUDA_API_DYNAMIC_SHARED = 8, /* an attribute of kernels */
    CUDA_API_MANAGED_GLOBAL = 1, /* managed memory that every stream may use */
    CUDA_API_HOST_PORTABLE = 1,  /* pinned memory for all contexts */
    CUDA_API_HOST_MAPPED = 2     /* pinned memory that kernels reach at its own address */
};
#endif
