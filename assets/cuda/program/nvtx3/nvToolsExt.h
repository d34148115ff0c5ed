// Marks and ranges for a profiler. None listens here, and the functions do then what they do on a GPU without one:
// nothing.
#pragma once
#include <stdint.h>
#include <wchar.h>
#define NVTX_VERSION 3
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))
typedef uint64_t nvtxRangeId_t;
typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 } nvtxColorType_t;
typedef enum nvtxMessageType_t {
    NVTX_MESSAGE_UNKNOWN = 0,
    NVTX_MESSAGE_TYPE_ASCII = 1,
    NVTX_MESSAGE_TYPE_UNICODE = 2
} nvtxMessageType_t;
typedef struct nvtxEventAttributes_t {
    uint16_t version, size;
    uint32_t category;
    int32_t colorType;
    uint32_t color;
    int32_t payloadType, reserved0;
    union {
        uint64_t ullValue;
        int64_t llValue;
        double dValue;
    } payload;
    int32_t messageType;
    union {
        const char *ascii;
        const wchar_t *unicode;
    } message;
} nvtxEventAttributes_t;
static inline void nvtxMarkA(const char *message)
{
    (void)message;
}
static inline void nvtxMarkEx(const nvtxEventAttributes_t *attributes)
{
    (void)attributes;
}
static inline int nvtxRangePushA(const char *message)
{
    return (void)message, -2;
}
static inline int nvtxRangePushEx(const nvtxEventAttributes_t *attributes)
{
    return (void)attributes, -2;
}
static inline int nvtxRangePop(void)
{
    return -2;
}
static inline nvtxRangeId_t nvtxRangeStartA(const char *message)
{
    return (void)message, 0;
}
static inline nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t *attributes)
{
    return (void)attributes, 0;
}
static inline void nvtxRangeEnd(nvtxRangeId_t id)
{
    (void)id;
}
static inline void nvtxNameOsThreadA(uint32_t thread, const char *name)
{
    (void)thread, (void)name;
}
#define nvtxMark nvtxMarkA
#define nvtxRangePush nvtxRangePushA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxNameOsThread nvtxNameOsThreadA
