// The CUDA runtime API as a whole program sees it: types and functions of liblanescope_cudart. Names, values and
// layouts are those of CUDA 12, so that a program compiles and prints as with the CUDA Toolkit. docs/programs.md lists
// what is supported.
#pragma once
#include <stddef.h>
#include <stdint.h> // programs use uint64_t without it, because the Toolkit's headers bring it
#ifndef __CUDACC__
#include "lanescope_plain_types.h"
#endif
#define CUDART_VERSION 12040
#define CUDA_VERSION 12040
#define CUDART_CB
#define CUDARTAPI
#define __CUDA_RUNTIME_API_H__
// helper_cuda.h of NVIDIA's samples asks for this guard before it defines checkCudaErrors.
#define __DRIVER_TYPES_H__

typedef enum cudaError {
    cudaSuccess = 0,
    cudaErrorInvalidValue = 1,
    cudaErrorMemoryAllocation = 2,
    cudaErrorInitializationError = 3,
    cudaErrorCudartUnloading = 4,
    cudaErrorProfilerDisabled = 5,
    cudaErrorProfilerNotInitialized = 6,
    cudaErrorProfilerAlreadyStarted = 7,
    cudaErrorProfilerAlreadyStopped = 8,
    cudaErrorInvalidConfiguration = 9,
    cudaErrorInvalidPitchValue = 12,
    cudaErrorInvalidSymbol = 13,
    cudaErrorInvalidHostPointer = 16,
    cudaErrorInvalidDevicePointer = 17,
    cudaErrorInvalidTexture = 18,
    cudaErrorInvalidTextureBinding = 19,
    cudaErrorInvalidChannelDescriptor = 20,
    cudaErrorInvalidMemcpyDirection = 21,
    cudaErrorAddressOfConstant = 22,
    cudaErrorTextureFetchFailed = 23,
    cudaErrorTextureNotBound = 24,
    cudaErrorSynchronizationError = 25,
    cudaErrorInvalidFilterSetting = 26,
    cudaErrorInvalidNormSetting = 27,
    cudaErrorMixedDeviceExecution = 28,
    cudaErrorNotYetImplemented = 31,
    cudaErrorMemoryValueTooLarge = 32,
    cudaErrorStubLibrary = 34,
    cudaErrorInsufficientDriver = 35,
    cudaErrorCallRequiresNewerDriver = 36,
    cudaErrorInvalidSurface = 37,
    cudaErrorDuplicateVariableName = 43,
    cudaErrorDuplicateTextureName = 44,
    cudaErrorDuplicateSurfaceName = 45,
    cudaErrorDevicesUnavailable = 46,
    cudaErrorIncompatibleDriverContext = 49,
    cudaErrorMissingConfiguration = 52,
    cudaErrorPriorLaunchFailure = 53,
    cudaErrorLaunchMaxDepthExceeded = 65,
    cudaErrorLaunchFileScopedTex = 66,
    cudaErrorLaunchFileScopedSurf = 67,
    cudaErrorSyncDepthExceeded = 68,
    cudaErrorLaunchPendingCountExceeded = 69,
    cudaErrorInvalidDeviceFunction = 98,
    cudaErrorNoDevice = 100,
    cudaErrorInvalidDevice = 101,
    cudaErrorDeviceNotLicensed = 102,
    cudaErrorSoftwareValidityNotEstablished = 103,
    cudaErrorStartupFailure = 127,
    cudaErrorInvalidKernelImage = 200,
    cudaErrorDeviceUninitialized = 201,
    cudaErrorMapBufferObjectFailed = 205,
    cudaErrorUnmapBufferObjectFailed = 206,
    cudaErrorArrayIsMapped = 207,
    cudaErrorAlreadyMapped = 208,
    cudaErrorNoKernelImageForDevice = 209,
    cudaErrorAlreadyAcquired = 210,
    cudaErrorNotMapped = 211,
    cudaErrorNotMappedAsArray = 212,
    cudaErrorNotMappedAsPointer = 213,
    cudaErrorECCUncorrectable = 214,
    cudaErrorUnsupportedLimit = 215,
    cudaErrorDeviceAlreadyInUse = 216,
    cudaErrorPeerAccessUnsupported = 217,
    cudaErrorInvalidPtx = 218,
    cudaErrorInvalidGraphicsContext = 219,
    cudaErrorNvlinkUncorrectable = 220,
    cudaErrorJitCompilerNotFound = 221,
    cudaErrorUnsupportedPtxVersion = 222,
    cudaErrorJitCompilationDisabled = 223,
    cudaErrorUnsupportedExecAffinity = 224,
    cudaErrorUnsupportedDevSideSync = 225,
    cudaErrorContained = 226,
    cudaErrorInvalidSource = 300,
    cudaErrorFileNotFound = 301,
    cudaErrorSharedObjectSymbolNotFound = 302,
    cudaErrorSharedObjectInitFailed = 303,
    cudaErrorOperatingSystem = 304,
    cudaErrorInvalidResourceHandle = 400,
    cudaErrorIllegalState = 401,
    cudaErrorLossyQuery = 402,
    cudaErrorSymbolNotFound = 500,
    cudaErrorNotReady = 600,
    cudaErrorIllegalAddress = 700,
    cudaErrorLaunchOutOfResources = 701,
    cudaErrorLaunchTimeout = 702,
    cudaErrorLaunchIncompatibleTexturing = 703,
    cudaErrorPeerAccessAlreadyEnabled = 704,
    cudaErrorPeerAccessNotEnabled = 705,
    cudaErrorSetOnActiveProcess = 708,
    cudaErrorContextIsDestroyed = 709,
    cudaErrorAssert = 710,
    cudaErrorTooManyPeers = 711,
    cudaErrorHostMemoryAlreadyRegistered = 712,
    cudaErrorHostMemoryNotRegistered = 713,
    cudaErrorHardwareStackError = 714,
    cudaErrorIllegalInstruction = 715,
    cudaErrorMisalignedAddress = 716,
    cudaErrorInvalidAddressSpace = 717,
    cudaErrorInvalidPc = 718,
    cudaErrorLaunchFailure = 719,
    cudaErrorCooperativeLaunchTooLarge = 720,
    cudaErrorTensorMemoryLeak = 721,
    cudaErrorNotPermitted = 800,
    cudaErrorNotSupported = 801,
    cudaErrorSystemNotReady = 802,
    cudaErrorSystemDriverMismatch = 803,
    cudaErrorCompatNotSupportedOnDevice = 804,
    cudaErrorMpsConnectionFailed = 805,
    cudaErrorMpsRpcFailure = 806,
    cudaErrorMpsServerNotReady = 807,
    cudaErrorMpsMaxClientsReached = 808,
    cudaErrorMpsMaxConnectionsReached = 809,
    cudaErrorMpsClientTerminated = 810,
    cudaErrorCdpNotSupported = 811,
    cudaErrorCdpVersionMismatch = 812,
    cudaErrorStreamCaptureUnsupported = 900,
    cudaErrorStreamCaptureInvalidated = 901,
    cudaErrorStreamCaptureMerge = 902,
    cudaErrorStreamCaptureUnmatched = 903,
    cudaErrorStreamCaptureUnjoined = 904,
    cudaErrorStreamCaptureIsolation = 905,
    cudaErrorStreamCaptureImplicit = 906,
    cudaErrorCapturedEvent = 907,
    cudaErrorStreamCaptureWrongThread = 908,
    cudaErrorTimeout = 909,
    cudaErrorGraphExecUpdateFailure = 910,
    cudaErrorExternalDevice = 911,
    cudaErrorInvalidClusterSize = 912,
    cudaErrorFunctionNotLoaded = 913,
    cudaErrorInvalidResourceType = 914,
    cudaErrorInvalidResourceConfiguration = 915,
    cudaErrorUnknown = 999
} cudaError_t;
typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef struct CUmemPoolHandle_st *cudaMemPool_t;
enum cudaMemcpyKind {
    cudaMemcpyHostToHost = 0,
    cudaMemcpyHostToDevice = 1,
    cudaMemcpyDeviceToHost = 2,
    cudaMemcpyDeviceToDevice = 3,
    cudaMemcpyDefault = 4
};
enum cudaDeviceAttr {
    cudaDevAttrMaxThreadsPerBlock = 1,
    cudaDevAttrMaxBlockDimX = 2,
    cudaDevAttrMaxBlockDimY = 3,
    cudaDevAttrMaxBlockDimZ = 4,
    cudaDevAttrMaxGridDimX = 5,
    cudaDevAttrMaxGridDimY = 6,
    cudaDevAttrMaxGridDimZ = 7,
    cudaDevAttrMaxSharedMemoryPerBlock = 8,
    cudaDevAttrTotalConstantMemory = 9,
    cudaDevAttrWarpSize = 10,
    cudaDevAttrMaxPitch = 11,
    cudaDevAttrMaxRegistersPerBlock = 12,
    cudaDevAttrClockRate = 13,
    cudaDevAttrTextureAlignment = 14,
    cudaDevAttrGpuOverlap = 15,
    cudaDevAttrMultiProcessorCount = 16,
    cudaDevAttrKernelExecTimeout = 17,
    cudaDevAttrIntegrated = 18,
    cudaDevAttrCanMapHostMemory = 19,
    cudaDevAttrComputeMode = 20,
    cudaDevAttrConcurrentKernels = 31,
    cudaDevAttrEccEnabled = 32,
    cudaDevAttrPciBusId = 33,
    cudaDevAttrPciDeviceId = 34,
    cudaDevAttrTccDriver = 35,
    cudaDevAttrMemoryClockRate = 36,
    cudaDevAttrGlobalMemoryBusWidth = 37,
    cudaDevAttrL2CacheSize = 38,
    cudaDevAttrMaxThreadsPerMultiProcessor = 39,
    cudaDevAttrAsyncEngineCount = 40,
    cudaDevAttrUnifiedAddressing = 41,
    cudaDevAttrPciDomainId = 50,
    cudaDevAttrComputeCapabilityMajor = 75,
    cudaDevAttrComputeCapabilityMinor = 76,
    cudaDevAttrStreamPrioritiesSupported = 78,
    cudaDevAttrGlobalL1CacheSupported = 79,
    cudaDevAttrLocalL1CacheSupported = 80,
    cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
    cudaDevAttrMaxRegistersPerMultiprocessor = 82,
    cudaDevAttrManagedMemory = 83,
    cudaDevAttrIsMultiGpuBoard = 84,
    cudaDevAttrMultiGpuBoardGroupID = 85,
    cudaDevAttrHostNativeAtomicSupported = 86,
    cudaDevAttrSingleToDoublePrecisionPerfRatio = 87,
    cudaDevAttrPageableMemoryAccess = 88,
    cudaDevAttrConcurrentManagedAccess = 89,
    cudaDevAttrComputePreemptionSupported = 90,
    cudaDevAttrCanUseHostPointerForRegisteredMem = 91,
    cudaDevAttrCooperativeLaunch = 95,
    cudaDevAttrCooperativeMultiDeviceLaunch = 96,
    cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
    cudaDevAttrHostRegisterSupported = 99,
    cudaDevAttrPageableMemoryAccessUsesHostPageTables = 100,
    cudaDevAttrDirectManagedMemAccessFromHost = 101,
    cudaDevAttrMaxBlocksPerMultiprocessor = 106,
    cudaDevAttrMaxPersistingL2CacheSize = 108,
    cudaDevAttrMaxAccessPolicyWindowSize = 109,
    cudaDevAttrReservedSharedMemoryPerBlock = 111,
    cudaDevAttrMemoryPoolsSupported = 115,
    cudaDevAttrClusterLaunch = 120,
    cudaDevAttrIpcEventSupport = 125
};
enum cudaDeviceP2PAttr {
    cudaDevP2PAttrPerformanceRank = 1,
    cudaDevP2PAttrAccessSupported = 2,
    cudaDevP2PAttrNativeAtomicSupported = 3,
    cudaDevP2PAttrCudaArrayAccessSupported = 4
};
enum cudaFuncCache {
    cudaFuncCachePreferNone = 0,
    cudaFuncCachePreferShared = 1,
    cudaFuncCachePreferL1 = 2,
    cudaFuncCachePreferEqual = 3
};
enum cudaSharedMemConfig {
    cudaSharedMemBankSizeDefault = 0,
    cudaSharedMemBankSizeFourByte = 1,
    cudaSharedMemBankSizeEightByte = 2
};
enum cudaSharedCarveout {
    cudaSharedmemCarveoutDefault = -1,
    cudaSharedmemCarveoutMaxL1 = 0,
    cudaSharedmemCarveoutMaxShared = 100
};
enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout = 9
};
enum cudaLimit {
    cudaLimitStackSize = 0,
    cudaLimitPrintfFifoSize = 1,
    cudaLimitMallocHeapSize = 2,
    cudaLimitDevRuntimeSyncDepth = 3,
    cudaLimitDevRuntimePendingLaunchCount = 4,
    cudaLimitMaxL2FetchGranularity = 5,
    cudaLimitPersistingL2CacheSize = 6
};
enum cudaComputeMode {
    cudaComputeModeDefault = 0,
    cudaComputeModeExclusive = 1,
    cudaComputeModeProhibited = 2,
    cudaComputeModeExclusiveProcess = 3
};
enum cudaMemoryType {
    cudaMemoryTypeUnregistered = 0,
    cudaMemoryTypeHost = 1,
    cudaMemoryTypeDevice = 2,
    cudaMemoryTypeManaged = 3
};
enum cudaMemoryAdvise {
    cudaMemAdviseSetReadMostly = 1,
    cudaMemAdviseUnsetReadMostly = 2,
    cudaMemAdviseSetPreferredLocation = 3,
    cudaMemAdviseUnsetPreferredLocation = 4,
    cudaMemAdviseSetAccessedBy = 5,
    cudaMemAdviseUnsetAccessedBy = 6
};
struct cudaPointerAttributes {
    enum cudaMemoryType type;
    int device;
    void *devicePointer;
    void *hostPointer;
};
struct cudaFuncAttributes {
    size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
    int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA, maxDynamicSharedSizeBytes;
    int preferredShmemCarveout, clusterDimMustBeSet, requiredClusterWidth, requiredClusterHeight, requiredClusterDepth;
    int clusterSchedulingPolicyPreference, nonPortableClusterSizeAllowed;
    int reserved[16];
};
struct cudaExtent {
    size_t width, height, depth;
};
struct cudaPitchedPtr {
    void *ptr;
    size_t pitch, xsize, ysize;
};
struct cudaPos {
    size_t x, y, z;
};
typedef struct cudaArray *cudaArray_t;
typedef const struct cudaArray *cudaArray_const_t;
struct cudaMemcpy3DParms {
    cudaArray_t srcArray;
    struct cudaPos srcPos;
    struct cudaPitchedPtr srcPtr;
    cudaArray_t dstArray;
    struct cudaPos dstPos;
    struct cudaPitchedPtr dstPtr;
    struct cudaExtent extent;
    enum cudaMemcpyKind kind;
};
typedef struct CUuuid_st {
    char bytes[16];
} cudaUUID_t;
struct cudaDeviceProp {
    char name[256];
    cudaUUID_t uuid;
    char luid[8];
    unsigned int luidDeviceNodeMask;
    size_t totalGlobalMem, sharedMemPerBlock;
    int regsPerBlock, warpSize;
    size_t memPitch;
    int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate;
    size_t totalConstMem;
    int major, minor;
    size_t textureAlignment, texturePitchAlignment;
    int deviceOverlap, multiProcessorCount, kernelExecTimeoutEnabled, integrated, canMapHostMemory, computeMode;
    int maxTexture1D, maxTexture1DMipmap, maxTexture1DLinear, maxTexture2D[2], maxTexture2DMipmap[2];
    int maxTexture2DLinear[3], maxTexture2DGather[2], maxTexture3D[3], maxTexture3DAlt[3], maxTextureCubemap;
    int maxTexture1DLayered[2], maxTexture2DLayered[3], maxTextureCubemapLayered[2], maxSurface1D, maxSurface2D[2];
    int maxSurface3D[3], maxSurface1DLayered[2], maxSurface2DLayered[3], maxSurfaceCubemap;
    int maxSurfaceCubemapLayered[2];
    size_t surfaceAlignment;
    int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver, asyncEngineCount;
    int unifiedAddressing, memoryClockRate, memoryBusWidth, l2CacheSize, persistingL2CacheMaxSize;
    int maxThreadsPerMultiProcessor, streamPrioritiesSupported, globalL1CacheSupported, localL1CacheSupported;
    size_t sharedMemPerMultiprocessor;
    int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID, hostNativeAtomicSupported;
    int singleToDoublePrecisionPerfRatio, pageableMemoryAccess, concurrentManagedAccess, computePreemptionSupported;
    int canUseHostPointerForRegisteredMem, cooperativeLaunch, cooperativeMultiDeviceLaunch;
    size_t sharedMemPerBlockOptin;
    int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost, maxBlocksPerMultiProcessor;
    int accessPolicyMaxWindowSize;
    size_t reservedSharedMemPerBlock;
    int hostRegisterSupported, sparseCudaArraySupported, hostRegisterReadOnlySupported;
    int timelineSemaphoreInteropSupported, memoryPoolsSupported, gpuDirectRDMASupported;
    unsigned int gpuDirectRDMAFlushWritesOptions;
    int gpuDirectRDMAWritesOrdering;
    unsigned int memoryPoolSupportedHandleTypes;
    int deferredMappingCudaArraySupported, ipcEventSupported, clusterLaunch, unifiedFunctionPointers;
    int reserved[63];
};
#define cudaGetDeviceProperties cudaGetDeviceProperties_v2
typedef void (*cudaStreamCallback_t)(cudaStream_t stream, cudaError_t status, void *data);
typedef void (*cudaHostFn_t)(void *data);

#define cudaStreamDefault 0x00
#define cudaStreamNonBlocking 0x01
#define cudaStreamLegacy ((cudaStream_t)0x1)
#define cudaStreamPerThread ((cudaStream_t)0x2)
#define cudaEventDefault 0x00
#define cudaEventBlockingSync 0x01
#define cudaEventDisableTiming 0x02
#define cudaEventInterprocess 0x04
#define cudaEventRecordDefault 0x00
#define cudaEventWaitDefault 0x00
#define cudaEventRecordExternal 0x01
#define cudaEventWaitExternal 0x01
#define cudaHostAllocDefault 0x00
#define cudaHostAllocPortable 0x01
#define cudaHostAllocMapped 0x02
#define cudaHostAllocWriteCombined 0x04
#define cudaHostRegisterDefault 0x00
#define cudaHostRegisterPortable 0x01
#define cudaHostRegisterMapped 0x02
#define cudaHostRegisterIoMemory 0x04
#define cudaHostRegisterReadOnly 0x08
#define cudaMemAttachGlobal 0x01
#define cudaMemAttachHost 0x02
#define cudaMemAttachSingle 0x04
#define cudaDeviceScheduleAuto 0x00
#define cudaDeviceScheduleSpin 0x01
#define cudaDeviceScheduleYield 0x02
#define cudaDeviceScheduleBlockingSync 0x04
#define cudaDeviceBlockingSync 0x04
#define cudaDeviceScheduleMask 0x07
#define cudaDeviceMapHost 0x08
#define cudaDeviceLmemResizeToMax 0x10
#define cudaOccupancyDefault 0x00
#define cudaOccupancyDisableCachingOverride 0x01
#define cudaCpuDeviceId ((int)-1)
#define cudaInvalidDeviceId ((int)-2)

#ifdef __cplusplus
#define LANESCOPE_DEFAULT(VALUE) = VALUE
extern "C" {
#else
#define LANESCOPE_DEFAULT(VALUE)
#endif
#ifdef __CUDACC__
// A kernel may ask for its launch's errors and synchronise; neither does anything there.
#define LANESCOPE_API __attribute__((host))
#else
#define LANESCOPE_API
#endif
// ---- errors ----
LANESCOPE_API cudaError_t cudaGetLastError(void);
LANESCOPE_API cudaError_t cudaPeekAtLastError(void);
LANESCOPE_API const char *cudaGetErrorName(cudaError_t error);
LANESCOPE_API const char *cudaGetErrorString(cudaError_t error);
// ---- devices ----
LANESCOPE_API cudaError_t cudaGetDeviceCount(int *count);
LANESCOPE_API cudaError_t cudaGetDevice(int *device);
LANESCOPE_API cudaError_t cudaSetDevice(int device);
LANESCOPE_API cudaError_t cudaSetDeviceFlags(unsigned flags);
LANESCOPE_API cudaError_t cudaGetDeviceFlags(unsigned *flags);
LANESCOPE_API cudaError_t cudaInitDevice(int device, unsigned deviceFlags, unsigned flags);
LANESCOPE_API cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *properties);
LANESCOPE_API cudaError_t cudaGetDeviceProperties_v2(struct cudaDeviceProp *properties, int device);
LANESCOPE_API cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device);
LANESCOPE_API cudaError_t cudaDeviceSynchronize(void);
LANESCOPE_API cudaError_t cudaThreadSynchronize(void);
LANESCOPE_API cudaError_t cudaDeviceReset(void);
LANESCOPE_API cudaError_t cudaThreadExit(void);
LANESCOPE_API cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit);
LANESCOPE_API cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value);
LANESCOPE_API cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config);
LANESCOPE_API cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config);
LANESCOPE_API cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config);
LANESCOPE_API cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config);
LANESCOPE_API cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest);
LANESCOPE_API cudaError_t cudaDeviceGetPCIBusId(char *name, int length, int device);
LANESCOPE_API cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer);
LANESCOPE_API cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags);
LANESCOPE_API cudaError_t cudaDeviceDisablePeerAccess(int peer);
LANESCOPE_API cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attribute, int device, int peer);
LANESCOPE_API cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *name);
LANESCOPE_API cudaError_t cudaDriverGetVersion(int *version);
LANESCOPE_API cudaError_t cudaRuntimeGetVersion(int *version);
LANESCOPE_API cudaError_t cudaProfilerStart(void);
LANESCOPE_API cudaError_t cudaProfilerStop(void);
// ---- memory ----
LANESCOPE_API cudaError_t cudaMalloc(void **pointer, size_t size);
LANESCOPE_API cudaError_t cudaFree(void *pointer);
LANESCOPE_API cudaError_t cudaMallocHost(void **pointer, size_t size);
LANESCOPE_API cudaError_t cudaHostAlloc(void **pointer, size_t size, unsigned flags);
LANESCOPE_API cudaError_t cudaFreeHost(void *pointer);
LANESCOPE_API cudaError_t cudaHostRegister(void *pointer, size_t size, unsigned flags);
LANESCOPE_API cudaError_t cudaHostUnregister(void *pointer);
LANESCOPE_API cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags);
LANESCOPE_API cudaError_t cudaHostGetFlags(unsigned *flags, void *host);
LANESCOPE_API cudaError_t cudaMallocManaged(void **pointer, size_t size,
                                            unsigned flags LANESCOPE_DEFAULT(cudaMemAttachGlobal));
LANESCOPE_API cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height);
LANESCOPE_API cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pointer, struct cudaExtent extent);
LANESCOPE_API cudaError_t cudaMallocAsync(void **pointer, size_t size, cudaStream_t stream);
LANESCOPE_API cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream);
LANESCOPE_API cudaError_t cudaMemGetInfo(size_t *free, size_t *total);
LANESCOPE_API cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *pointer);
LANESCOPE_API cudaError_t cudaMemcpy(void *to, const void *from, size_t size, enum cudaMemcpyKind kind);
LANESCOPE_API cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t size, enum cudaMemcpyKind kind,
                                          cudaStream_t stream LANESCOPE_DEFAULT(0));
LANESCOPE_API cudaError_t cudaMemcpy2D(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width,
                                       size_t height, enum cudaMemcpyKind kind);
LANESCOPE_API cudaError_t cudaMemcpy2DAsync(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width,
                                            size_t height, enum cudaMemcpyKind kind,
                                            cudaStream_t stream LANESCOPE_DEFAULT(0));
LANESCOPE_API cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *parameters);
LANESCOPE_API cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *parameters,
                                            cudaStream_t stream LANESCOPE_DEFAULT(0));
LANESCOPE_API cudaError_t cudaMemcpyPeer(void *to, int toDevice, const void *from, int fromDevice, size_t size);
LANESCOPE_API cudaError_t cudaMemcpyPeerAsync(void *to, int toDevice, const void *from, int fromDevice, size_t size,
                                              cudaStream_t stream LANESCOPE_DEFAULT(0));
LANESCOPE_API cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t size,
                                             size_t offset LANESCOPE_DEFAULT(0),
                                             enum cudaMemcpyKind kind LANESCOPE_DEFAULT(cudaMemcpyHostToDevice));
LANESCOPE_API cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t size,
                                               size_t offset LANESCOPE_DEFAULT(0),
                                               enum cudaMemcpyKind kind LANESCOPE_DEFAULT(cudaMemcpyDeviceToHost));
LANESCOPE_API cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t size, size_t offset,
                                                  enum cudaMemcpyKind kind, cudaStream_t stream LANESCOPE_DEFAULT(0));
LANESCOPE_API cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t size, size_t offset,
                                                    enum cudaMemcpyKind kind, cudaStream_t stream LANESCOPE_DEFAULT(0));
LANESCOPE_API cudaError_t cudaGetSymbolAddress(void **pointer, const void *symbol);
LANESCOPE_API cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol);
LANESCOPE_API cudaError_t cudaMemset(void *pointer, int value, size_t size);
LANESCOPE_API cudaError_t cudaMemsetAsync(void *pointer, int value, size_t size,
                                          cudaStream_t stream LANESCOPE_DEFAULT(0));
LANESCOPE_API cudaError_t cudaMemset2D(void *pointer, size_t pitch, int value, size_t width, size_t height);
LANESCOPE_API cudaError_t cudaMemset2DAsync(void *pointer, size_t pitch, int value, size_t width, size_t height,
                                            cudaStream_t stream LANESCOPE_DEFAULT(0));
LANESCOPE_API cudaError_t cudaMemset3D(struct cudaPitchedPtr pointer, int value, struct cudaExtent extent);
LANESCOPE_API cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr pointer, int value, struct cudaExtent extent,
                                            cudaStream_t stream LANESCOPE_DEFAULT(0));
LANESCOPE_API cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t size, int device,
                                               cudaStream_t stream LANESCOPE_DEFAULT(0));
LANESCOPE_API cudaError_t cudaMemAdvise(const void *pointer, size_t size, enum cudaMemoryAdvise advice, int device);
// ---- streams and events ----
LANESCOPE_API cudaError_t cudaStreamCreate(cudaStream_t *stream);
LANESCOPE_API cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags);
LANESCOPE_API cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority);
LANESCOPE_API cudaError_t cudaStreamDestroy(cudaStream_t stream);
LANESCOPE_API cudaError_t cudaStreamSynchronize(cudaStream_t stream);
LANESCOPE_API cudaError_t cudaStreamQuery(cudaStream_t stream);
LANESCOPE_API cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                              unsigned flags LANESCOPE_DEFAULT(0));
LANESCOPE_API cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data,
                                                unsigned flags);
LANESCOPE_API cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data);
LANESCOPE_API cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *pointer, size_t size LANESCOPE_DEFAULT(0),
                                                   unsigned flags LANESCOPE_DEFAULT(cudaMemAttachSingle));
LANESCOPE_API cudaError_t cudaEventCreate(cudaEvent_t *event);
LANESCOPE_API cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags);
LANESCOPE_API cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream LANESCOPE_DEFAULT(0));
LANESCOPE_API cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream LANESCOPE_DEFAULT(0),
                                                   unsigned flags LANESCOPE_DEFAULT(0));
LANESCOPE_API cudaError_t cudaEventSynchronize(cudaEvent_t event);
LANESCOPE_API cudaError_t cudaEventQuery(cudaEvent_t event);
LANESCOPE_API cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end);
LANESCOPE_API cudaError_t cudaEventDestroy(cudaEvent_t event);
// ---- kernels ----
LANESCOPE_API cudaError_t cudaFuncSetAttribute(const void *function, enum cudaFuncAttribute attribute, int value);
LANESCOPE_API cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *function);
LANESCOPE_API cudaError_t cudaFuncGetName(const char **name, const void *function);
LANESCOPE_API cudaError_t cudaFuncSetCacheConfig(const void *function, enum cudaFuncCache config);
LANESCOPE_API cudaError_t cudaFuncSetSharedMemConfig(const void *function, enum cudaSharedMemConfig config);
LANESCOPE_API cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments, size_t shared,
                                           cudaStream_t stream);
LANESCOPE_API cudaError_t cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                                                      size_t shared LANESCOPE_DEFAULT(0),
                                                      cudaStream_t stream LANESCOPE_DEFAULT(0));
LANESCOPE_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function, int threads,
                                                                        size_t shared);
LANESCOPE_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *function,
                                                                                 int threads, size_t shared,
                                                                                 unsigned flags);
LANESCOPE_API cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *size, const void *function, int blocks,
                                                                    int threads);
#include "lanescope_graphs.h"
#include "lanescope_textures.h"
#ifdef __cplusplus
LANESCOPE_API unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = 0);
LANESCOPE_API cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream);
}
#endif
