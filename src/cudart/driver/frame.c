/* The frame of the driver's calls, and its errors. */
#include "cudart/backend/backend.h"
#include "cudart/driver/driver.h"
#include "cudart/layer/python.h"

struct call driver_begin(const char *name, const char *same, const void *from)
{
    struct python_line python;
    python_line(&python);
    struct call const call = call_begin(name, from);
    if (same)
        line_text("as", same);
    if (*python.path) {
        line_text("python_file", python.path);
        line_signed("python_line", python.line);
    }
    return call;
}

CUresult driver_refuses(bool without_context)
{
    if (stream_host_runs())
        return CUDA_ERROR_NOT_PERMITTED;
    if (!context_initialized || runtime.sticky == STATUS_INITIALIZATION_ERROR) /* the latter: in a forked process */
        return CUDA_ERROR_NOT_INITIALIZED;
    if (!without_context || context_current())
        return CUDA_SUCCESS;
    return context_last() == context_primary() ? CUDA_ERROR_CONTEXT_IS_DESTROYED : CUDA_ERROR_INVALID_CONTEXT;
}

static const struct {
    CUresult code;
    const char *name, *text;
} table[] = {
#define RESULT(name, value, text) {name, #name, text},
#include "cudart/driver/results.def"
};

static const char *name_of(CUresult result, bool text)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].code == result)
            return text ? table[i].text : table[i].name;
    return NULL;
}

CUresult driver_result_of(enum status status)
{
    switch (status) {
    case STATUS_INVALID_CONFIGURATION:
    case STATUS_INVALID_PITCH_VALUE:
    case STATUS_INVALID_MEMCPY_DIRECTION:
        return CUDA_ERROR_INVALID_VALUE;
    case STATUS_INVALID_DEVICE_FUNCTION:
        return CUDA_ERROR_INVALID_HANDLE;
    case STATUS_INVALID_SYMBOL:
        return CUDA_ERROR_NOT_FOUND;
    default:
        return name_of((CUresult)status, false) ? (CUresult)status : CUDA_ERROR_UNKNOWN;
    }
}

CUresult driver_end(const struct call *call, enum status status)
{
    CUresult const result = driver_result_of(status);
    call_finish(call, (enum status)result, name_of(result, false));
    return result;
}

CUresult cuInit(unsigned flags)
{
    DRIVER_BEGIN_ANYWHERE(cuInit, NULL);
    if (flags)
        return driver_end(&call, STATUS_INVALID_VALUE);
    if (runtime.sticky == STATUS_NO_DEVICE || runtime.sticky == STATUS_INITIALIZATION_ERROR)
        return driver_end(&call, runtime.sticky);
    context_initialized = true;
    return driver_end(&call, STATUS_SUCCESS);
}

CUresult cuDriverGetVersion(int *version)
{
    DRIVER_BEGIN_ANYWHERE(cuDriverGetVersion, "cudaDriverGetVersion");
    return driver_end(&call, version ? runtime.backend->version(version) : STATUS_INVALID_VALUE);
}

static CUresult tell(CUresult result, const char **to, bool text)
{
    if (!to)
        return CUDA_ERROR_INVALID_VALUE;
    *to = name_of(result, text);
    return *to ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorName(CUresult result, const char **name)
{
    return tell(result, name, false);
}

CUresult cuGetErrorString(CUresult result, const char **text)
{
    return tell(result, text, true);
}

CUresult cuProfilerStart(void)
{
    DRIVER_BEGIN(cuProfilerStart, "cudaProfilerStart");
    return driver_end(&call, STATUS_SUCCESS);
}

CUresult cuProfilerStop(void)
{
    DRIVER_BEGIN(cuProfilerStop, "cudaProfilerStop");
    return driver_end(&call, STATUS_SUCCESS);
}
