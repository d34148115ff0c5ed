/* Functions by name, and those that are refused. */
#include "cudart/driver/driver.h"
#include "cudart/layer/again.h"
#include <string.h>

typedef void any_function(void);

static const struct {
    const char *name;
    any_function *function;
} table[] = {
#define DRIVER(name, parameters, support, note) {#name, (any_function *)name},
#define REFUSED(name, note) {#name, (any_function *)name},
#include "cudart/driver/driver.def"
};

/* The CUDA version that brought a form of a function with other parameters. */
static const struct {
    const char *name;
    int version;
} since[] = {{"cuCtxCreate_v3", 11040},
             {"cuCtxCreate_v4", 12050},
             {"cuGetProcAddress_v2", 12000},
             {"cuGraphAddKernelNode_v2", 12000},
             {"cuGraphKernelNodeGetParams_v2", 12000},
             {"cuGraphKernelNodeSetParams_v2", 12000},
             {"cuGraphExecKernelNodeSetParams_v2", 12000},
             {"cuGraphExecUpdate_v2", 12000},
             {"cuGraphAddDependencies_v2", 12030},
             {"cuGraphAddNode_v2", 12030},
             {"cuMemAdvise_v2", 12020},
             {"cuMemPrefetchAsync_v2", 12020},
             {"cuMemcpyBatchAsync_v2", 13000},
             {"cuStreamGetCtx_v2", 12050},
             {"cuGraphGetEdges_v2", 12030},
             {"cuGraphNodeGetDependencies_v2", 12030},
             {"cuGraphNodeGetDependentNodes_v2", 12030},
             {"cuStreamGetCaptureInfo_v3", 12030},
             {"cuStreamUpdateCaptureDependencies_v2", 12030}};

static bool is_known(const char *name, int version)
{
    for (size_t i = 0; i < sizeof since / sizeof *since; i++)
        if (strcmp(since[i].name, name) == 0)
            return version >= since[i].version;
    return true;
}

static any_function *find(const char *name, int version)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].name, name) == 0)
            return is_known(name, version) ? table[i].function : NULL;
    return NULL;
}

/* Returns the newest form of a function that the version has: the header of that version calls it by the plain name. */
static any_function *newest(const char *name, int version)
{
    any_function *found = NULL;
    char form[128];
    if (version >= 12000 && strcmp(name, "cuGraphInstantiate") == 0) /* the header's name for another one */
        name = "cuGraphInstantiateWithFlags";
    for (int i = 4; i > 1 && !found; i--) {
        snprintf(form, sizeof form, "%s_v%d", name, i);
        found = find(form, version);
    }
    return found ? found : find(name, version);
}

/* Returns whether there is such a function; otherwise its address is NULL. */
static bool address(const char *name, void **function, int version)
{
    any_function *const known = newest(name, version);
    memcpy(function, &known, sizeof known);
    return known != NULL;
}

CUresult cuGetProcAddress(const char *name, void **function, int version, uint64_t flags)
{
    (void)flags;
    if (!name || !function)
        return CUDA_ERROR_INVALID_VALUE;
    return address(name, function, version) ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CUresult cuGetProcAddress_v2(const char *name, void **function, int version, uint64_t flags, int *found)
{
    enum { FOUND, NOT_FOUND }; /* CUdriverProcAddressQueryResult; with it, such a name is no error */
    (void)flags;
    if (!name || !function)
        return CUDA_ERROR_INVALID_VALUE;
    bool const known = address(name, function, version);
    if (found)
        *found = known ? FOUND : NOT_FOUND;
    return known || found ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

/* What NVIDIA's own libraries ask of their driver; nobody else knows what such a table holds. */
CUresult cuGetExportTable(const void **table_of, const void *id)
{
    (void)id;
    if (table_of)
        *table_of = NULL;
    return table_of ? CUDA_ERROR_NOT_FOUND : CUDA_ERROR_INVALID_VALUE;
}

static CUresult refuse(const char *name, const char *what, const void *from, bool *named)
{
    struct call const call = driver_begin(name, NULL, from);
    if (!*named)
        fprintf(stderr, "lanescope: %s (%s) is not supported: docs/hosts.md lists what is\n", name, what);
    *named = true;
    return driver_end(&call, STATUS_NOT_SUPPORTED);
}

#define DRIVER(name, parameters, support, note)
#define REFUSED(name, note)                                                                                            \
    CUresult name(void)                                                                                                \
    {                                                                                                                  \
        static bool named;                                                                                             \
        return refuse(#name, note, __builtin_return_address(0), &named);                                               \
    }
#define THREAD(name, suffix) AGAIN(name, name##_##suffix)
#include "cudart/driver/driver.def"
