/* Calls of both interfaces of CUDA, mixed and made at random: handles that are none or are gone, wrong sizes, NULL.
 * None may end the program. Each sequence has a process of its own. call_sequences --from 0 --sequences 100000
 *     call_sequences --from 17 --sequences 1 --say     the calls of one, and what the sanitizers say of it
 * An argument is made after the declaration of its parameter. Pointers to host memory are good or NULL, because a
 * program that passes others crashes in any library; so structures hold no sizes, and functions that would trust them
 * are left out: those are for unit tests. */
#include "cudart/calls/api.h"
#include "cudart/driver/driver.h"
#include "unit/cudart_helper.h"
#include <fcntl.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_leaks=0"; /* a program that ends may leave what it has */
}

typedef uint64_t any_function(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                              uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);
static const struct {
    const char *name, *parameters;
    void (*function)(void);
} functions[] = {
#define CALL(name, parameters, support, note) {#name, #parameters, (void (*)(void))name},
#define MISSING(name, note) {#name, "(void)", (void (*)(void))name},
#include "cudart/calls/calls.def"
#define DRIVER(name, parameters, support, note) {#name, #parameters, (void (*)(void))name},
#define REFUSED(name, note) {#name, "(void)", (void (*)(void))name},
#include "cudart/driver/driver.def"
};
enum { FUNCTIONS = sizeof functions / sizeof *functions, CALLS = 80, WORDS = 14, KEPT = 64 };
enum { SCRATCHES = 4, SCRATCH_BYTES = 64 << 20, FILLED = 1024 };

static const char kernels[] = PTX_HEAD ".global .align 4 .u32 variable;\n"
                                       ".entry nothing() { ret; }\n"
                                       ".entry store(.param .u64 to) { .reg .b64 %a; ld.param.u64 %a, [to];"
                                       " st.global.u32 [%a], 7; ret; }\n";
static uint8_t *scratch[SCRATCHES];
static uint64_t state, handles[KEPT], places[KEPT]; /* places: of memory of the device, also in arrays */
static unsigned handle_count, place_count;
static bool says;

static uint64_t any(uint64_t below)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (state >> 33) % below;
}

static uint64_t number_of(const uint64_t *list, size_t count)
{
    return list[any(count)];
}
#define ONE_OF(...)                                                                                                    \
    number_of((const uint64_t[]){__VA_ARGS__}, sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

static uint64_t host_place(void)
{
    return any(8) ? (uint64_t)(uintptr_t)scratch[any(SCRATCHES)] : 0;
}

static uint64_t handle(void)
{
    uint64_t const kind = any(8);
    return kind == 0                    ? ONE_OF(0, 1, 2, 3, UINT64_MAX, 0x1234)
           : kind == 1 || !handle_count ? host_place()
           : kind == 2 && place_count   ? places[any(place_count)]
                                        : handles[any(handle_count)];
}

static uint64_t device_place(void)
{
    return place_count && any(8) ? places[any(place_count)] + (any(4) ? 0 : any(100)) : any(2) ? 0 : host_place();
}

static bool has(const char *text, const char *part)
{
    return strstr(text, part) != NULL;
}

static unsigned stars(const char *text)
{
    unsigned count = 0;
    for (; *text; text++)
        count += *text == '*';
    return count;
}

static uint64_t nothing(void)
{
    return 0;
}

/* Appends the words of an argument. */
static unsigned add_argument(const char *function, const char *parameter, uint64_t *words)
{
    static const char *const strings[] = {"store", "nothing", "variable", "missing", "", kernels, "/nowhere"};
    static const char *const by_value[] = {"CUstream ",  "cudaStream_t ", "CUevent ",  "cudaEvent_t ",
                                           "CUgraph ",   "CUgraphNode ",  "CUmodule ", "CUfunction ",
                                           "CUcontext ", "CUlinkState "};
    static const char *const by_pointer[] = {"struct graph *",     "struct graph_node *", "struct pool *",
                                             "struct generator *", "struct stream *",     "struct event *"};
    bool const copies = has(function, "Memcpy") || has(function, "Memset");
    bool const takes = has(function, "Free") || has(function, "Unregister") || has(function, "Advise") ||
                       has(function, "Attach") || has(function, "Prefetch"); /* looks at the address alone */
    if (has(parameter, "(*") || has(parameter, "callback"))
        return words[0] = any(8) ? (uint64_t)(uintptr_t)nothing : 0, 1;
    if (has(parameter, "struct dim3"))
        return words[0] = ONE_OF(0, 1, 2, 3) | ONE_OF(0, 1, 1, 2) << 32, words[1] = ONE_OF(0, 1, 1, 2), 2;
    if ((has(parameter, "const char *") && stars(parameter) == 1) || has(parameter, "const void *image"))
        return words[0] = any(8) ? (uint64_t)(uintptr_t)strings[any(sizeof strings / sizeof *strings)] : 0, 1;
    for (size_t i = 0; i < sizeof by_pointer / sizeof *by_pointer && stars(parameter) == 1; i++)
        if (has(parameter, by_pointer[i]))
            return words[0] = handle(), 1;
    if ((has(parameter, "CUarray ") || has(parameter, "cudaArray_t ")) && !stars(parameter))
        return words[0] = device_place(), 1;
    if (has(parameter, "CUdeviceptr ") && !stars(parameter))
        return words[0] = copies ? device_place() : handle(), 1;
    if (has(parameter, "void *") && stars(parameter) == 1)
        return words[0] = copies && any(2) ? device_place() : takes && any(2) ? handle() : host_place(), 1;
    if (stars(parameter))
        return words[0] = host_place(), 1;
    for (size_t i = 0; i < sizeof by_value / sizeof *by_value; i++)
        if (has(parameter, by_value[i]))
            return words[0] = handle(), 1;
    if (has(parameter, "grid") || has(parameter, "block"))
        return words[0] = ONE_OF(0, 1, 1, 2, 3, UINT32_MAX), 1;
    if (has(function, "Alloc") && !any(8))
        return words[0] = ONE_OF(UINT64_MAX, UINT64_C(1) << 62, UINT64_C(1) << 40), 1;
    return words[0] = any(8) ? ONE_OF(0, 0, 1, 1, 2, 3, 4, 8, 16, 64, 100) : ONE_OF(5, 7, 255, 256, 1024, 4096), 1;
}

/* Those whose structures or counts name host memory and its size, or functions; texts and structures that are results;
 * and cuRAND, whose generators are addresses that it trusts. */
static bool is_left_out(const char *name)
{
    static const char *const parts[] = {"Memcpy3D",
                                        "cuMemcpy2D",
                                        "MemcpyNode",
                                        "HostNode",
                                        "KernelNode",
                                        "cudaGetErrorName",
                                        "cudaGetErrorString",
                                        "cuGetError",
                                        "FatBinary",
                                        "cuLink",
                                        "Batch",
                                        "curand",
                                        "LaunchKernelEx",
                                        "PointerGetAttributes",
                                        "GetNodes",
                                        "GetRootNodes",
                                        "GetEdges",
                                        "GetDependencies",
                                        "CreateChannelDesc",
                                        "AddNode",
                                        "DotPrint",
                                        "Clusters"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (has(name, parts[i]))
            return true;
    return false;
}

/* Fills the beginnings of the scratch memory with what a structure may hold. */
static void fill_scratch(void)
{
    for (unsigned i = 0; i < SCRATCHES; i++)
        for (unsigned k = 0; k < FILLED / sizeof(uint64_t); k++) {
            uint64_t const word = any(3) ? host_place() : handle_count ? handles[any(handle_count)] : 0;
            /* a place that holds a handle may be taken for an address: only good ones */
            uint64_t const good = word >= (uint64_t)1 << 20 ? word : 0;
            memcpy(scratch[i] + k * sizeof good, &good, sizeof good);
        }
}

static void keep(uint64_t *list, unsigned *count, uint64_t value)
{
    if (value < 4096)
        return;
    list[*count < KEPT ? (*count)++ : any(KEPT)] = value;
}

/* Keeps what a call that succeeded wrote to its first parameter. */
static void keep_results(const char *name, const char *parameters, uint64_t first)
{
    uint64_t written;
    bool const creates = has(name, "Create") || has(name, "Get") || has(name, "Add") || has(name, "Instantiate") ||
                         has(name, "Clone") || has(name, "Load") || has(name, "Retain") || has(name, "Pop");
    bool const half = strncmp(parameters, "(int *", 6) == 0 || strncmp(parameters, "(unsigned *", 11) == 0;
    if (!first || parameters[1] == 'c' || !stars(parameters) || half)
        return;
    memcpy(&written, (const void *)(uintptr_t)first, sizeof written);
    if ((has(name, "Alloc") && !has(name, "Host")) || has(name, "Array") || has(name, "ConditionalHandle"))
        keep(places, &place_count, written);
    else if (creates)
        keep(handles, &handle_count, written);
}

static void one_call(void)
{
    size_t const which = any(FUNCTIONS);
    const char *name = functions[which].name, *at = functions[which].parameters + 1;
    uint64_t words[WORDS + 2] = {0};
    unsigned count = 0;
    if (is_left_out(name))
        return;
    if (any(4) == 0 || has(name, "Launch")) /* an earlier result of 4 bytes may lie in half of an argument's pointer */
        fill_scratch();
    for (char parameter[160]; *at && strcmp(at, "void)") != 0 && count < WORDS;) {
        size_t length = 0;
        int depth = 0;
        for (; at[length] && (depth || (at[length] != ',' && at[length] != ')')); length++)
            depth += (at[length] == '(') - (at[length] == ')');
        snprintf(parameter, sizeof parameter, "%.*s", (int)length, at);
        count += add_argument(name, parameter, words + count);
        at += length + (at[length] != '\0');
        if (at[-1] == ')')
            break;
    }
    if (says) {
        printf("%s", name);
        for (unsigned i = 0; i < count; i++)
            printf(" %llx", (unsigned long long)words[i]);
        printf("\n");
        fflush(stdout);
    }
    any_function *const function = (any_function *)functions[which].function;
    uint64_t const result = function(words[0], words[1], words[2], words[3], words[4], words[5], words[6], words[7],
                                     words[8], words[9], words[10], words[11], words[12], words[13]);
    if ((uint32_t)result == 0 && count && words[0] >= 4096 && !has(name, "Free") && !has(name, "Destroy"))
        for (unsigned i = 0; i < SCRATCHES; i++)
            if (words[0] == (uint64_t)(uintptr_t)scratch[i])
                keep_results(name, functions[which].parameters, words[0]);
}

static void run_sequence(uint64_t number)
{
    state = number * UINT64_C(0x9e3779b97f4a7c15) + 1;
    for (unsigned i = 0; i < SCRATCHES; i++)
        scratch[i] =
            mmap(NULL, SCRATCH_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    void **module = registered(kernels);
    registered_kernel(module, (const char *)scratch[0], "nothing");
    registered_kernel(module, (const char *)scratch[1], "store");
    CUcontext context = NULL;
    if (any(8) != 0) {
        cuInit(0);
        cuDevicePrimaryCtxRetain(&context, 0);
        cuCtxSetCurrent(context);
        CUmodule loaded = NULL;
        CUfunction function = NULL;
        cuModuleLoadData(&loaded, kernels);
        cuModuleGetFunction(&function, loaded, "store");
        keep(handles, &handle_count, (uint64_t)(uintptr_t)loaded);
        keep(handles, &handle_count, (uint64_t)(uintptr_t)function);
        CUdeviceptr memory = 0;
        cuMemAlloc_v2(&memory, 4096);
        keep(places, &place_count, memory);
    }
    struct channels const floats = {{32}, 2};
    cudaArray_t array = NULL;
    if (cudaMallocArray(&array, &floats, 16, 4, 0) == cudaSuccess)
        keep(places, &place_count, (uint64_t)(uintptr_t)array);
    for (unsigned i = 0; i < CALLS; i++)
        one_call();
}

int main(int argc, char **argv)
{
    uint64_t from = 0, sequences = 100, wrong = 0;
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--from") == 0 && i + 1 < argc)
            from = strtoull(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--sequences") == 0 && i + 1 < argc)
            sequences = strtoull(argv[++i], NULL, 10);
        else
            says = strcmp(argv[i], "--say") == 0;
    for (uint64_t number = from; number < from + sequences; number++) {
        int status = 0;
        fflush(stdout);
        pid_t const child = fork();
        if (child == 0) {
            int const nowhere = open("/dev/null", O_WRONLY);
            if (!says && nowhere >= 0)
                dup2(nowhere, STDERR_FILENO);
            run_sequence(number);
            exit(0);
        }
        if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
            wrong++;
            printf("sequence %llu ends with status %x\n", (unsigned long long)number, (unsigned)status);
        }
    }
    printf("%llu sequences of %d calls; %llu ended the program\n", (unsigned long long)sequences, CALLS,
           (unsigned long long)wrong);
    return wrong != 0;
}
