/* Errors: the last one of a thread, names and texts. */
#include "cudart/calls/call.h"

static const struct {
    cudaError_t code;
    const char *name, *text;
} table[] = {
#define STATUS(name, value, runtime_name, text) {value, #runtime_name, text},
#include "cudart/layer/status.def"
};

/* A host function of a stream has the last error of the driver's thread. */
static __thread cudaError_t last_errors[2];
#define last_error last_errors[stream_host_runs()]

cudaError_t call_end(const struct call *call, cudaError_t error)
{
    if (error != cudaSuccess && error != cudaErrorNotReady)
        last_error = error;
    call_finish(call, (enum status)error, cudaGetErrorName(error));
    return error;
}

/* Returns the last error without a new line of the record's own meaning: the call is recorded, its result is not kept
 * as an error. */
static cudaError_t ask(const struct call *call, bool reset)
{
    cudaError_t const error = last_error ? last_error : (cudaError_t)runtime.sticky;
    if (reset)
        last_error = cudaSuccess;
    line_signed("result", error);
    call_end(call, cudaSuccess);
    return error;
}

cudaError_t cudaGetLastError(void)
{
    CALL_BEGIN_ANYWHERE(cudaGetLastError);
    return ask(&call, true);
}

cudaError_t cudaPeekAtLastError(void)
{
    CALL_BEGIN_ANYWHERE(cudaPeekAtLastError);
    return ask(&call, false);
}

const char *cudaGetErrorName(cudaError_t error)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].code == error)
            return table[i].name;
    return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].code == error)
            return table[i].text;
    return "unrecognized error code";
}
