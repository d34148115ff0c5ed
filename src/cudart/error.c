/* Errors: the last one of a thread, names and texts. */
#include "cudart/record.h"

static const struct {
    cudaError_t code;
    const char *name, *text;
} table[] = {
#define ERROR_CODE(name, value, text) {value, #name, text},
#include "cudart/errors.def"
};

/* Returns the last error without a new line of the record's own meaning: the call is recorded, its result is not kept
 * as an error. */
static cudaError_t ask(const struct call *call, bool reset)
{
    cudaError_t const kept = runtime_last_error(reset);
    cudaError_t const error = kept ? kept : runtime.sticky;
    line_signed("result", error);
    call_end(call, cudaSuccess);
    return error;
}

cudaError_t cudaGetLastError(void)
{
    CALL_BEGIN(cudaGetLastError);
    return ask(&call, true);
}

cudaError_t cudaPeekAtLastError(void)
{
    CALL_BEGIN(cudaPeekAtLastError);
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
