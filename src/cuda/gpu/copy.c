/* Times a copy between two events, as a program's own cuEventElapsedTime would. */
#include "cuda/gpu/gpu.h"
#include "trace/time.h"
#include <stdlib.h>
#include <string.h>

enum { WARM_UP = 5, RUNS = 31 };

struct ends {
    const struct cuda_api *api;
    void *host;
    uint64_t device[2];
    void *begin, *end;
};

static int make(struct ends *ends, const struct cuda_copy *copy)
{
    const struct cuda_api *api = ends->api;
    int code = api->allocate(&ends->device[0], copy->bytes);
    if (!code)
        code = api->allocate(&ends->device[1], copy->bytes);
    if (!code && copy->pinned)
        code = api->allocate_host(&ends->host, copy->bytes, 0);
    if (!code && !copy->pinned && !(ends->host = malloc(copy->bytes)))
        code = CUDA_API_OUT_OF_MEMORY;
    if (!code)
        memset(ends->host, 1, copy->bytes); /* its pages are there before the first copy */
    if (!code)
        code = api->event_create(&ends->begin, 0);
    return code ? code : api->event_create(&ends->end, 0);
}

static void drop(struct ends *ends, const struct cuda_copy *copy)
{
    if (ends->begin)
        ends->api->event_destroy(ends->begin);
    if (ends->end)
        ends->api->event_destroy(ends->end);
    if (!copy->pinned)
        free(ends->host);
    else if (ends->host)
        ends->api->release_host(ends->host);
    cuda_release(ends->api, ends->device[0]);
    cuda_release(ends->api, ends->device[1]);
}

static int time_one(const struct ends *ends, const struct cuda_copy *copy, double *microseconds)
{
    const struct cuda_api *api = ends->api;
    uint64_t const host = (uint64_t)(uintptr_t)ends->host;
    float milliseconds = 0;
    int code = api->event_record(ends->begin, NULL);
    if (!code)
        code = api->copy(copy->way == CUDA_FROM_DEVICE ? host : ends->device[0],
                         copy->way == CUDA_TO_DEVICE ? host : ends->device[1], copy->bytes);
    if (!code)
        code = api->event_record(ends->end, NULL);
    if (!code)
        code = api->event_wait(ends->end);
    if (!code)
        code = api->event_elapsed(&milliseconds, ends->begin, ends->end);
    *microseconds = (double)milliseconds * 1e3;
    return code;
}

bool job_copy(const struct cuda_gpu *gpu, const struct cuda_copy *copy, double *microseconds, struct error *error)
{
    double times[RUNS];
    struct ends ends = {.api = &gpu->api};
    int code = make(&ends, copy);
    for (int i = -WARM_UP; i < RUNS && !code; i++)
        code = time_one(&ends, copy, &times[i < 0 ? 0 : i]);
    drop(&ends, copy);
    if (!cuda_api_did(&gpu->api, code, "timing a copy", error))
        return false;
    times_sort(times, RUNS);
    *microseconds = time_quantile(times, RUNS, 0.5);
    return true;
}
