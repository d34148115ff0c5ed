// Types and functions of arrays and textures. Arrays are memory for copies. A program that names a texture or a surface
// compiles, but each call is an error by name, and a kernel that reads one is an error of the compiler. Included by
// cuda_runtime_api.h, between its extern "C" braces.
#pragma once
enum cudaChannelFormatKind {
    cudaChannelFormatKindSigned = 0,
    cudaChannelFormatKindUnsigned = 1,
    cudaChannelFormatKindFloat = 2,
    cudaChannelFormatKindNone = 3
};
struct cudaChannelFormatDesc {
    int x, y, z, w;
    enum cudaChannelFormatKind f;
};
enum cudaTextureAddressMode {
    cudaAddressModeWrap = 0,
    cudaAddressModeClamp = 1,
    cudaAddressModeMirror = 2,
    cudaAddressModeBorder = 3
};
enum cudaTextureFilterMode { cudaFilterModePoint = 0, cudaFilterModeLinear = 1 };
enum cudaTextureReadMode { cudaReadModeElementType = 0, cudaReadModeNormalizedFloat = 1 };
enum cudaResourceType {
    cudaResourceTypeArray = 0,
    cudaResourceTypeMipmappedArray = 1,
    cudaResourceTypeLinear = 2,
    cudaResourceTypePitch2D = 3
};
struct cudaResourceDesc {
    enum cudaResourceType resType;
    union {
        struct {
            cudaArray_t array;
        } array;
        struct {
            void *devPtr;
            struct cudaChannelFormatDesc desc;
            size_t sizeInBytes;
        } linear;
        struct {
            void *devPtr;
            struct cudaChannelFormatDesc desc;
            size_t width, height, pitchInBytes;
        } pitch2D;
        struct {
            int reserved[32];
        } reserved;
    } res;
    unsigned flags;
};
struct cudaTextureDesc {
    enum cudaTextureAddressMode addressMode[3];
    enum cudaTextureFilterMode filterMode;
    enum cudaTextureReadMode readMode;
    int sRGB;
    float borderColor[4];
    int normalizedCoords;
    unsigned maxAnisotropy;
    enum cudaTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
    int disableTrilinearOptimization, seamlessCubemap;
};
struct cudaResourceViewDesc;
#ifndef __CUDACC__
typedef unsigned long long cudaTextureObject_t;
#endif
typedef unsigned long long cudaSurfaceObject_t;
#define cudaArrayDefault 0x00
#define cudaArrayLayered 0x01
#define cudaArraySurfaceLoadStore 0x02
#define cudaArrayCubemap 0x04
#define cudaArrayTextureGather 0x08
#define cudaArrayColorAttachment 0x20
#define cudaArraySparse 0x40
#define cudaArrayDeferredMapping 0x80
LANESCOPE_API struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                                 enum cudaChannelFormatKind kind);
LANESCOPE_API cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *format, size_t width,
                                          size_t height LANESCOPE_DEFAULT(0), unsigned flags LANESCOPE_DEFAULT(0));
LANESCOPE_API cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *format,
                                            struct cudaExtent extent, unsigned flags LANESCOPE_DEFAULT(0));
LANESCOPE_API cudaError_t cudaFreeArray(cudaArray_t array);
LANESCOPE_API cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *format, struct cudaExtent *extent,
                                           unsigned *flags, cudaArray_t array);
LANESCOPE_API cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *format, cudaArray_const_t array);
LANESCOPE_API cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t size,
                                            enum cudaMemcpyKind kind);
LANESCOPE_API cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t size,
                                                 enum cudaMemcpyKind kind, cudaStream_t stream LANESCOPE_DEFAULT(0));
LANESCOPE_API cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y, size_t size,
                                              enum cudaMemcpyKind kind);
LANESCOPE_API cudaError_t cudaMemcpyFromArrayAsync(void *to, cudaArray_const_t from, size_t x, size_t y, size_t size,
                                                   enum cudaMemcpyKind kind, cudaStream_t stream LANESCOPE_DEFAULT(0));
LANESCOPE_API cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from,
                                                 size_t from_x, size_t from_y, size_t size,
                                                 enum cudaMemcpyKind kind LANESCOPE_DEFAULT(cudaMemcpyDeviceToDevice));
LANESCOPE_API cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                                              size_t width, size_t height, enum cudaMemcpyKind kind);
LANESCOPE_API cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                                                   size_t width, size_t height, enum cudaMemcpyKind kind,
                                                   cudaStream_t stream LANESCOPE_DEFAULT(0));
LANESCOPE_API cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y,
                                                size_t width, size_t height, enum cudaMemcpyKind kind);
LANESCOPE_API cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y,
                                                     size_t width, size_t height, enum cudaMemcpyKind kind,
                                                     cudaStream_t stream LANESCOPE_DEFAULT(0));
LANESCOPE_API cudaError_t cudaMemcpy2DArrayToArray(
    cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from, size_t from_x, size_t from_y, size_t width,
    size_t height, enum cudaMemcpyKind kind LANESCOPE_DEFAULT(cudaMemcpyDeviceToDevice));
LANESCOPE_API cudaError_t cudaCreateTextureObject(cudaTextureObject_t *texture, const struct cudaResourceDesc *resource,
                                                  const struct cudaTextureDesc *description,
                                                  const struct cudaResourceViewDesc *view);
LANESCOPE_API cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture);
LANESCOPE_API cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *surface,
                                                  const struct cudaResourceDesc *resource);
LANESCOPE_API cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface);
