// The part of the runtime API that has places of memory, pools, graphs and attributes of launches and streams. Included
// by cuda_runtime_api.h, between its extern "C" braces.
#pragma once
// ---- places and pools ----
enum cudaMemLocationType {
    cudaMemLocationTypeInvalid = 0,
    cudaMemLocationTypeDevice = 1,
    cudaMemLocationTypeHost = 2,
    cudaMemLocationTypeHostNuma = 3,
    cudaMemLocationTypeHostNumaCurrent = 4
};
struct cudaMemLocation {
    enum cudaMemLocationType type;
    int id;
};
enum cudaMemAccessFlags {
    cudaMemAccessFlagsProtNone = 0,
    cudaMemAccessFlagsProtRead = 1,
    cudaMemAccessFlagsProtReadWrite = 3
};
struct cudaMemAccessDesc {
    struct cudaMemLocation location;
    enum cudaMemAccessFlags flags;
};
enum cudaMemAllocationType { cudaMemAllocationTypeInvalid = 0, cudaMemAllocationTypePinned = 1 };
enum cudaMemAllocationHandleType {
    cudaMemHandleTypeNone = 0,
    cudaMemHandleTypePosixFileDescriptor = 1,
    cudaMemHandleTypeWin32 = 2,
    cudaMemHandleTypeWin32Kmt = 4,
    cudaMemHandleTypeFabric = 8
};
struct cudaMemPoolProps {
    enum cudaMemAllocationType allocType;
    enum cudaMemAllocationHandleType handleTypes;
    struct cudaMemLocation location;
    void *win32SecurityAttributes;
    size_t maxSize;
    unsigned short usage;
    unsigned char reserved[54];
};
enum cudaMemPoolAttr {
    cudaMemPoolReuseFollowEventDependencies = 1,
    cudaMemPoolReuseAllowOpportunistic = 2,
    cudaMemPoolReuseAllowInternalDependencies = 3,
    cudaMemPoolAttrReleaseThreshold = 4,
    cudaMemPoolAttrReservedMemCurrent = 5,
    cudaMemPoolAttrReservedMemHigh = 6,
    cudaMemPoolAttrUsedMemCurrent = 7,
    cudaMemPoolAttrUsedMemHigh = 8
};
LANESCOPE_API cudaError_t cudaMemPrefetchAsync_v2(const void *pointer, size_t size, struct cudaMemLocation location,
                                                  unsigned flags, cudaStream_t stream LANESCOPE_DEFAULT(0));
LANESCOPE_API cudaError_t cudaMemAdvise_v2(const void *pointer, size_t size, enum cudaMemoryAdvise advice,
                                           struct cudaMemLocation location);
LANESCOPE_API cudaError_t cudaMallocFromPoolAsync(void **pointer, size_t size, cudaMemPool_t pool, cudaStream_t stream);
LANESCOPE_API cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device);
LANESCOPE_API cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device);
LANESCOPE_API cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool);
LANESCOPE_API cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *properties);
LANESCOPE_API cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool);
LANESCOPE_API cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value);
LANESCOPE_API cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value);
LANESCOPE_API cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t size);
LANESCOPE_API cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *list, size_t count);
LANESCOPE_API cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t pool,
                                               struct cudaMemLocation *location);
LANESCOPE_API cudaError_t cudaMemPoolExportToShareableHandle(void *handle, cudaMemPool_t pool,
                                                             enum cudaMemAllocationHandleType type, unsigned flags);
LANESCOPE_API cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t *pool, void *handle,
                                                               enum cudaMemAllocationHandleType type, unsigned flags);

// ---- other processes: declared, so that a program compiles; each call is an error ----
typedef struct {
    char reserved[64];
} cudaIpcMemHandle_t;
typedef struct {
    char reserved[64];
} cudaIpcEventHandle_t;
#define cudaIpcMemLazyEnablePeerAccess 0x01
LANESCOPE_API cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *pointer);
LANESCOPE_API cudaError_t cudaIpcOpenMemHandle(void **pointer, cudaIpcMemHandle_t handle, unsigned flags);
LANESCOPE_API cudaError_t cudaIpcCloseMemHandle(void *pointer);
LANESCOPE_API cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event);
LANESCOPE_API cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t handle);

// ---- attributes of streams and launches ----
enum cudaAccessProperty {
    cudaAccessPropertyNormal = 0,
    cudaAccessPropertyStreaming = 1,
    cudaAccessPropertyPersisting = 2
};
struct cudaAccessPolicyWindow {
    void *base_ptr;
    size_t num_bytes;
    float hitRatio;
    enum cudaAccessProperty hitProp, missProp;
};
enum cudaSynchronizationPolicy {
    cudaSyncPolicyAuto = 1,
    cudaSyncPolicySpin = 2,
    cudaSyncPolicyYield = 3,
    cudaSyncPolicyBlockingSync = 4
};
typedef enum cudaLaunchAttributeID {
    cudaLaunchAttributeIgnore = 0,
    cudaLaunchAttributeAccessPolicyWindow = 1,
    cudaLaunchAttributeCooperative = 2,
    cudaLaunchAttributeSynchronizationPolicy = 3,
    cudaLaunchAttributeClusterDimension = 4,
    cudaLaunchAttributeClusterSchedulingPolicyPreference = 5,
    cudaLaunchAttributeProgrammaticStreamSerialization = 6,
    cudaLaunchAttributeProgrammaticEvent = 7,
    cudaLaunchAttributePriority = 8
} cudaLaunchAttributeID;
typedef union cudaLaunchAttributeValue {
    char pad[64];
    struct cudaAccessPolicyWindow accessPolicyWindow;
    int cooperative;
    enum cudaSynchronizationPolicy syncPolicy;
    struct {
        unsigned x, y, z;
    } clusterDim;
    int programmaticStreamSerializationAllowed;
    int priority;
} cudaLaunchAttributeValue;
typedef struct cudaLaunchAttribute_st {
    cudaLaunchAttributeID id;
    char pad[8 - sizeof(cudaLaunchAttributeID)];
    cudaLaunchAttributeValue val;
} cudaLaunchAttribute;
typedef struct cudaLaunchConfig_st {
    dim3 gridDim, blockDim;
    size_t dynamicSmemBytes;
    cudaStream_t stream;
    cudaLaunchAttribute *attrs;
    unsigned numAttrs;
} cudaLaunchConfig_t;
typedef cudaLaunchAttributeID cudaStreamAttrID;
typedef cudaLaunchAttributeValue cudaStreamAttrValue;
#define cudaStreamAttributeAccessPolicyWindow cudaLaunchAttributeAccessPolicyWindow
#define cudaStreamAttributeSynchronizationPolicy cudaLaunchAttributeSynchronizationPolicy
#define cudaStreamAttributePriority cudaLaunchAttributePriority
LANESCOPE_API cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags);
LANESCOPE_API cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority);
LANESCOPE_API cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *number);
LANESCOPE_API cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device);
LANESCOPE_API cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                                 const cudaStreamAttrValue *value);
LANESCOPE_API cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                                 cudaStreamAttrValue *value);
LANESCOPE_API cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from);
LANESCOPE_API cudaError_t cudaCtxResetPersistingL2Cache(void);
LANESCOPE_API cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *function, void **arguments);

// ---- graphs ----
typedef struct CUgraph_st *cudaGraph_t;
typedef struct CUgraphExec_st *cudaGraphExec_t;
typedef struct CUgraphNode_st *cudaGraphNode_t;
enum cudaStreamCaptureStatus {
    cudaStreamCaptureStatusNone = 0,
    cudaStreamCaptureStatusActive = 1,
    cudaStreamCaptureStatusInvalidated = 2
};
enum cudaStreamCaptureMode {
    cudaStreamCaptureModeGlobal = 0,
    cudaStreamCaptureModeThreadLocal = 1,
    cudaStreamCaptureModeRelaxed = 2
};
enum cudaGraphNodeType {
    cudaGraphNodeTypeKernel = 0,
    cudaGraphNodeTypeMemcpy = 1,
    cudaGraphNodeTypeMemset = 2,
    cudaGraphNodeTypeHost = 3,
    cudaGraphNodeTypeGraph = 4,
    cudaGraphNodeTypeEmpty = 5,
    cudaGraphNodeTypeWaitEvent = 6,
    cudaGraphNodeTypeEventRecord = 7,
    cudaGraphNodeTypeMemAlloc = 10,
    cudaGraphNodeTypeMemFree = 11
};
enum cudaGraphExecUpdateResult {
    cudaGraphExecUpdateSuccess = 0,
    cudaGraphExecUpdateError = 1,
    cudaGraphExecUpdateErrorTopologyChanged = 2,
    cudaGraphExecUpdateErrorNodeTypeChanged = 3,
    cudaGraphExecUpdateErrorFunctionChanged = 4,
    cudaGraphExecUpdateErrorParametersChanged = 5,
    cudaGraphExecUpdateErrorNotSupported = 6
};
typedef struct cudaGraphExecUpdateResultInfo_st {
    enum cudaGraphExecUpdateResult result;
    cudaGraphNode_t errorNode, errorFromNode;
} cudaGraphExecUpdateResultInfo;
#define cudaGraphInstantiateFlagAutoFreeOnLaunch 1
#define cudaGraphInstantiateFlagUpload 2
#define cudaGraphInstantiateFlagDeviceLaunch 4
#define cudaGraphInstantiateFlagUseNodePriority 8
struct cudaKernelNodeParams {
    void *func;
    dim3 gridDim, blockDim;
    unsigned sharedMemBytes;
    void **kernelParams, **extra;
};
struct cudaMemsetParams {
    void *dst;
    size_t pitch;
    unsigned value, elementSize;
    size_t width, height;
};
struct cudaHostNodeParams {
    cudaHostFn_t fn;
    void *userData;
};
LANESCOPE_API cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode);
LANESCOPE_API cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph);
LANESCOPE_API cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status);
LANESCOPE_API cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                                      unsigned long long *number LANESCOPE_DEFAULT(0),
                                                      cudaGraph_t *graph LANESCOPE_DEFAULT(0),
                                                      const cudaGraphNode_t **needs LANESCOPE_DEFAULT(0),
                                                      size_t *count LANESCOPE_DEFAULT(0));
#define cudaStreamGetCaptureInfo cudaStreamGetCaptureInfo_v2
LANESCOPE_API cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode);
LANESCOPE_API cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned flags);
LANESCOPE_API cudaError_t cudaGraphDestroy(cudaGraph_t graph);
LANESCOPE_API cudaError_t cudaGraphClone(cudaGraph_t *copy, cudaGraph_t graph);
LANESCOPE_API cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *needs,
                                                 size_t count, const struct cudaKernelNodeParams *parameters);
LANESCOPE_API cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *needs,
                                                 size_t count, const struct cudaMemcpy3DParms *parameters);
LANESCOPE_API cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph,
                                                   const cudaGraphNode_t *needs, size_t count, void *to,
                                                   const void *from, size_t size, enum cudaMemcpyKind kind);
LANESCOPE_API cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *needs,
                                                 size_t count, const struct cudaMemsetParams *parameters);
LANESCOPE_API cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *needs,
                                               size_t count, const struct cudaHostNodeParams *parameters);
LANESCOPE_API cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *needs,
                                                size_t count);
LANESCOPE_API cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                                     const cudaGraphNode_t *needs, size_t count, cudaGraph_t child);
LANESCOPE_API cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                                   const cudaGraphNode_t *to, size_t count);
LANESCOPE_API cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count);
LANESCOPE_API cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count);
LANESCOPE_API cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                                            size_t *count);
LANESCOPE_API cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type);
LANESCOPE_API cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *nodes, size_t *count);
LANESCOPE_API cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *node, cudaGraphNode_t original, cudaGraph_t copy);
LANESCOPE_API cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, struct cudaKernelNodeParams *parameters);
LANESCOPE_API cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                                       const struct cudaKernelNodeParams *parameters);
LANESCOPE_API cudaError_t cudaGraphInstantiate(cudaGraphExec_t *instance, cudaGraph_t graph,
                                               unsigned long long flags LANESCOPE_DEFAULT(0));
LANESCOPE_API cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *instance, cudaGraph_t graph,
                                                        unsigned long long flags LANESCOPE_DEFAULT(0));
LANESCOPE_API cudaError_t cudaGraphUpload(cudaGraphExec_t instance, cudaStream_t stream);
LANESCOPE_API cudaError_t cudaGraphLaunch(cudaGraphExec_t instance, cudaStream_t stream);
LANESCOPE_API cudaError_t cudaGraphExecDestroy(cudaGraphExec_t instance);
LANESCOPE_API cudaError_t cudaGraphExecUpdate(cudaGraphExec_t instance, cudaGraph_t graph,
                                              cudaGraphExecUpdateResultInfo *result);
LANESCOPE_API cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t instance, cudaGraphNode_t node,
                                                           const struct cudaKernelNodeParams *parameters);
LANESCOPE_API cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t instance, cudaGraphNode_t node, void *to,
                                                             const void *from, size_t size, enum cudaMemcpyKind kind);
