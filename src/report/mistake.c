/* The sentences about mistakes of host code. English is the key of the Korean catalogue; the words are those of
 * compute-sanitizer where it has them. */
#include "report/mistake.h"
#include "base/words.h"
#include "report/datum.h"
#include "report/json.h"
#include "report/speech.h"
#include <inttypes.h>
#include <string.h>

/* A heading and a remedy for each kind. */
static const struct {
    const char *title, *advice; /* advice: NULL where it has figures */
} words[] = {
    [MISTAKE_HOST_POINTER] = {N_("host pointer in a kernel"),
                              N_("Allocate memory with cudaMalloc, copy the data to it with cudaMemcpy, and pass that "
                                 "pointer to the kernel.")},
    [MISTAKE_NO_POINTER] = {N_("pointer without memory in a kernel"),
                            N_("Give the pointer memory with cudaMalloc before the launch, and pass the arguments in "
                               "the order of the parameters.")},
    [MISTAKE_FREED_POINTER] = {N_("freed pointer in a kernel"),
                               N_("Free the memory after the last launch and copy that use it.")},
    [MISTAKE_DEVICE_ON_HOST] = {N_("device memory accessed by the host"),
                                N_("Copy the data to an array of the host with cudaMemcpy(..., "
                                   "cudaMemcpyDeviceToHost) and use that, or allocate with cudaMallocManaged.")},
    [MISTAKE_FREED_ON_HOST] = {N_("freed memory accessed by the host"), N_("Free the memory after its last use.")},
    [MISTAKE_EARLY_ACCESS] = {N_("host access before synchronization"),
                              N_("Call cudaDeviceSynchronize(), or synchronize the stream or an event, before the "
                                 "host uses this memory.")},
    [MISTAKE_EARLY_TIME] = {N_("time before synchronization"),
                            N_("Call cudaEventSynchronize() for the second event first.")},
    [MISTAKE_HOST_FUNCTION] = {N_("CUDA call in a host function"),
                               N_("Let the host function only tell a thread of the program, which makes the call.")},
    [MISTAKE_COPY_DIRECTION] = {N_("wrong copy direction"),
                                N_("cudaMemcpy takes the destination first, then the source, and a direction that "
                                   "fits both.")},
    [MISTAKE_COPY_BEYOND] = {N_("copy beyond an allocation"),
                             N_("Copy as many bytes as were allocated: both sizes are bytes, the number of elements "
                                "times sizeof.")},
    [MISTAKE_COPY_BEYOND_ARRAY] = {N_("copy beyond an array"),
                                   N_("Compare the position and the size of the copy with the width, height and depth "
                                      "of the array.")},
    [MISTAKE_COPY_ELEMENTS] = {N_("elements given for bytes"),
                               N_("The size is in bytes: multiply the number of elements by sizeof.")},
    [MISTAKE_ALLOCATED_ELEMENTS] = {N_("elements allocated for bytes"),
                                    N_("The size of an allocation is in bytes: multiply the number of elements by "
                                       "sizeof.")},
    [MISTAKE_COPY_FREED] = {N_("copy of freed memory"), N_("Free the memory after the last copy.")},
    [MISTAKE_COPY_UNWRITTEN] = {N_("copy of memory never written"),
                                N_("Let a kernel, cudaMemcpy or cudaMemset write these bytes, or copy fewer.")},
    [MISTAKE_OPERAND_HOST] = {N_("host pointer in a library call"),
                              N_("Pass memory of cudaMalloc: the library's kernels run on the device.")},
    [MISTAKE_OPERAND_BEYOND] = {N_("library call beyond an allocation"),
                                N_("Compare the sizes, strides and leading dimensions of the call with what was "
                                   "allocated.")},
    [MISTAKE_OPERAND_FREED] = {N_("freed memory in a library call"),
                               N_("Free the memory after the last launch and copy that use it.")},
    [MISTAKE_OPERAND_UNWRITTEN] = {N_("uninitialized memory in a library call"),
                                   N_("Let a kernel, cudaMemcpy or cudaMemset write these bytes first.")},
    [MISTAKE_DOUBLE_FREE] = {N_("double free"), N_("Free each allocation once.")},
    [MISTAKE_FREE_INSIDE] = {N_("free inside an allocation"), N_("Free the pointer that the allocation returned.")},
    [MISTAKE_FREE_HOST] = {N_("free of host memory"),
                           N_("Memory of malloc is freed with free, memory of new with delete.")},
    [MISTAKE_FREE_FUNCTION] = {N_("free by the wrong function"),
                               N_("cudaFree frees memory of cudaMalloc and cudaMallocManaged, cudaFreeHost memory of "
                                  "cudaMallocHost and cudaHostAlloc, cudaFreeArray arrays.")},
    [MISTAKE_FREE_BY_MALLOC] = {N_("device memory given to free"),
                                N_("free and delete are for memory of malloc and new: free this with cudaFree.")},
    [MISTAKE_LEAK] = {N_("leak"), N_("Free each allocation when it is no longer needed.")},
    [MISTAKE_EMPTY_LAUNCH] = {N_("launch of no threads"),
                              N_("Round up when you divide: (n + threads - 1) / threads blocks.")},
    [MISTAKE_TOO_MANY_THREADS] = {N_("too many threads in a block"), NULL},
    [MISTAKE_LAUNCH_LIMIT] = {N_("launch beyond a limit"), NULL},
    [MISTAKE_LAUNCH_BOUNDS] = {N_("launch beyond the kernel's launch bounds"),
                               N_("Use smaller blocks, or a larger number in the kernel's __launch_bounds__.")},
    [MISTAKE_LAUNCH_SHARED] = {N_("launch with too much shared memory"),
                               N_("More than 48 KiB must be allowed first: cudaFuncSetAttribute(kernel, "
                                  "cudaFuncAttributeMaxDynamicSharedMemorySize, bytes).")},
    [MISTAKE_SWAPPED] = {N_("grid and block swapped"),
                         N_("Between <<< and >>> the number of blocks comes first, then the threads of a block.")},
    [MISTAKE_UNCOVERED] = {N_("grid too small"),
                           N_("Round up when you divide: (n + threads - 1) / threads blocks, with if (i < n) in the "
                              "kernel.")},
    [MISTAKE_LOST_ERROR] = {N_("unchecked error"),
                            N_("Compare what each call returns with cudaSuccess, and ask cudaGetLastError() after "
                               "each launch.")},
    [MISTAKE_LOST_OUTPUT] = {N_("printf never shown"), N_("Call cudaDeviceSynchronize() before the program ends.")},
};
_Static_assert(sizeof words / sizeof *words == MISTAKE_KINDS, "a kind a row");

static const char *place_text(const struct speech *s, const struct program_place *at)
{
    return at->file && *at->file ? arena_format(s->arena, "%s:%d", at->file, at->line) : say(s, N_("an unknown line"));
}

/* "the 400 bytes of cudaMalloc at sum.cu:12" */
static const char *allocation_text(const struct speech *s, const struct mistake_allocation *a)
{
    return arena_format(s->arena, say(s, N_("the %s of %s at %s")), bytes_text(s, a->bytes), a->by,
                        place_text(s, &a->at));
}

/* "<<<(4, 1, 1), (2048, 1, 1)>>>" */
static const char *shape_text(const struct speech *s, const struct mistake_launch *launch)
{
    const uint32_t *g = launch->grid, *b = launch->block;
    return arena_format(s->arena, "<<<(%u, %u, %u), (%u, %u, %u)>>>", g[0], g[1], g[2], b[0], b[1], b[2]);
}

static const char *say_argument(const struct speech *s, const struct mistake *m)
{
    const struct mistake_argument *a = &m->argument;
    const char *name = *a->parameter ? a->parameter : say(s, N_("a parameter"));
    switch (m->kind) {
    case MISTAKE_HOST_POINTER:
        return arena_format(s->arena,
                            say(s, N_("Parameter %s of kernel %s is a host pointer, and the kernel accessed it")), name,
                            m->call);
    case MISTAKE_NO_POINTER:
        return arena_format(s->arena,
                            say(s, N_("Parameter %s of kernel %s points to no memory, and the kernel accessed it")),
                            name, m->call);
    default:
        return arena_format(
            s->arena, say(s, N_("Kernel %s accessed freed memory through its parameter %s: %s, freed by %s at %s")),
            m->call, name, allocation_text(s, &a->allocation), a->allocation.freed_by ? a->allocation.freed_by : "?",
            place_text(s, &a->allocation.freed_at));
    }
}

static const char *say_access(const struct speech *s, const struct mistake *m)
{
    const struct mistake_memory *memory = &m->memory;
    const char *which = allocation_text(s, &memory->allocation);
    unsigned long long const offset = memory->offset;
    if (m->kind == MISTAKE_DEVICE_ON_HOST)
        return arena_format(s->arena,
                            memory->write ? say(s, N_("Invalid write of host code to device memory: byte %llu of %s"))
                                          : say(s, N_("Invalid read of device memory by host code: byte %llu of %s")),
                            offset, which);
    if (m->kind == MISTAKE_FREED_ON_HOST)
        return arena_format(s->arena,
                            memory->write ? say(s, N_("Invalid write of host code to freed memory: byte %llu of %s, "
                                                      "freed by %s at %s"))
                                          : say(s, N_("Invalid read of freed memory by host code: byte %llu of %s, "
                                                      "freed by %s at %s")),
                            offset, which, memory->allocation.freed_by ? memory->allocation.freed_by : "?",
                            place_text(s, &memory->allocation.freed_at));
    return arena_format(s->arena,
                        memory->write
                            ? say(s, N_("Host code wrote byte %llu of %s while the device may still use it"))
                            : say(s, N_("Host code read byte %llu of %s while the device may still write it")),
                        offset, which);
}

static const char *say_memory(const struct speech *s, const struct mistake *m)
{
    const struct mistake_memory *memory = &m->memory;
    const char *which = allocation_text(s, &memory->allocation), *bytes = bytes_text(s, memory->bytes);
    const char *freed = place_text(s, &memory->allocation.freed_at);
    unsigned long long const offset = memory->offset, elements = memory->elements;
    const char *element = bytes_text(s, memory->element);
    switch (m->kind) {
    case MISTAKE_COPY_BEYOND:
    case MISTAKE_OPERAND_BEYOND:
        return arena_format(s->arena, say(s, N_("%s of %s from byte %llu on goes beyond %s")), m->call, bytes, offset,
                            which);
    case MISTAKE_COPY_ELEMENTS:
        return arena_format(s->arena, say(s, N_("%s of %s: that is the number of elements, each of %s, of %s")),
                            m->call, bytes, element, which);
    case MISTAKE_ALLOCATED_ELEMENTS:
        return arena_format(s->arena, say(s, N_("%s of %s goes beyond %s: %llu is the number of elements, each of %s")),
                            m->call, bytes, which, elements, element);
    case MISTAKE_COPY_FREED:
    case MISTAKE_OPERAND_FREED:
        return arena_format(s->arena, say(s, N_("%s uses freed memory: %s, freed at %s")), m->call, which, freed);
    case MISTAKE_COPY_UNWRITTEN:
    case MISTAKE_OPERAND_UNWRITTEN:
        return arena_format(s->arena, say(s, N_("%s reads uninitialized device memory: %s from byte %llu on, of %s")),
                            m->call, bytes, offset, which);
    case MISTAKE_DOUBLE_FREE:
        return arena_format(s->arena, say(s, N_("%s of memory that was already freed: %s, freed at %s")), m->call,
                            which, freed);
    case MISTAKE_FREE_INSIDE:
        return arena_format(s->arena, say(s, N_("%s of a pointer to byte %llu of %s")), m->call, offset, which);
    case MISTAKE_FREE_FUNCTION:
        return arena_format(s->arena, say(s, N_("%s cannot free %s")), m->call, which);
    case MISTAKE_FREE_BY_MALLOC:
        return arena_format(s->arena, say(s, N_("free or delete was given device memory: %s")), which);
    case MISTAKE_LEAK:
        return m->times > 1 ? arena_format(s->arena, say(s, N_("Leaked %s in %u {allocation|allocations} of %s")),
                                           bytes, m->times, m->call)
                            : arena_format(s->arena, say(s, N_("Leaked %s of %s")), bytes, m->call);
    default:
        return say_access(s, m);
    }
}

/* "(64, 4, 1)" */
static const char *box_text(const struct speech *s, const uint64_t box[3])
{
    return arena_format(s->arena, "(%" PRIu64 ", %" PRIu64 ", %" PRIu64 ")", box[0], box[1], box[2]);
}

static const char *say_box(const struct speech *s, const struct mistake *m)
{
    const struct mistake_box *box = &m->box;
    return arena_format(s->arena,
                        say(s, N_("%s of %s from %s on goes beyond an array of %s (bytes of a row, rows, layers): %s")),
                        m->call, box_text(s, box->copied), box_text(s, box->from), box_text(s, box->array),
                        allocation_text(s, &box->allocation));
}

static const char *direction(const struct speech *s, int copy)
{
    static const char *const names[] = {N_("from the host to the host"), N_("from the host to the device"),
                                        N_("from the device to the host"), N_("within the device")};
    return copy >= 0 && copy < 4 ? say(s, names[copy]) : "?";
}

static const char *say_direction(const struct speech *s, const struct mistake *m)
{
    static const char *const names[] = {"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice", "cudaMemcpyDeviceToHost",
                                        "cudaMemcpyDeviceToDevice"};
    int const said = m->copy.said;
    return arena_format(s->arena, say(s, N_("%s with %s, but the pointers lead %s")), m->call,
                        said >= 0 && said < 4 ? names[said] : "?", direction(s, m->copy.is));
}

static const char *say_launch(const struct speech *s, const struct mistake *m)
{
    const struct mistake_launch *l = &m->launch;
    const char *shape = shape_text(s, l);
    unsigned long long const threads = (unsigned long long)l->block[0] * l->block[1] * l->block[2];
    switch (m->kind) {
    case MISTAKE_EMPTY_LAUNCH:
        return arena_format(s->arena, say(s, N_("%s%s did not run: the grid or the block has a size of 0")), m->call,
                            shape);
    case MISTAKE_TOO_MANY_THREADS:
        return arena_format(s->arena,
                            l->like_swapped
                                ? say(s, N_("%s%s did not run: %llu {thread|threads} in a block, at most %d can be; "
                                            "grid and block may be "
                                            "swapped"))
                                : say(s, N_("%s%s did not run: %llu {thread|threads} in a block, at most %d can be")),
                            m->call, shape, threads, LAUNCH_THREADS_MAX);
    case MISTAKE_LAUNCH_BOUNDS:
        return arena_format(
            s->arena,
            say(s, N_("%s%s did not run: its __launch_bounds__ allow fewer than %llu {thread|threads} in a block")),
            m->call, shape, threads);
    case MISTAKE_LAUNCH_SHARED:
        return arena_format(s->arena, say(s, N_("%s%s did not run: %s of dynamic shared memory")), m->call, shape,
                            bytes_text(s, l->shared_bytes));
    case MISTAKE_SWAPPED:
        return arena_format(s->arena,
                            say(s, N_("%s%s has the threads of a block first and the number of blocks second")),
                            m->call, shape);
    default:
        return arena_format(s->arena, say(s, N_("%s%s did not run: a size is beyond its limit")), m->call, shape);
    }
}

static const char *say_coverage(const struct speech *s, const struct mistake *m)
{
    const struct mistake_coverage *c = &m->coverage;
    return arena_format(
        s->arena,
        say(s, N_("The launch of %s has %llu {thread|threads} for %llu {element|elements} of %s: %llu of them, from "
                  "%s[%llu] on, were never written, and %s copies them")),
        m->call, (unsigned long long)c->threads, (unsigned long long)c->elements, c->parameter,
        (unsigned long long)c->unwritten, c->parameter, (unsigned long long)c->first, place_text(s, &c->copied_at));
}

const char *report_mistake_title(enum report_language language, const struct mistake *mistake)
{
    const char *title = words[mistake->kind].title;
    return language == REPORT_ENGLISH ? title : _(title);
}

const char *report_mistake(struct arena *arena, enum report_language language, const struct mistake *m)
{
    struct speech const s = {arena, language};
    switch (m->kind) {
    case MISTAKE_HOST_POINTER:
    case MISTAKE_NO_POINTER:
    case MISTAKE_FREED_POINTER:
        return say_argument(&s, m);
    case MISTAKE_COPY_DIRECTION:
        return say_direction(&s, m);
    case MISTAKE_COPY_BEYOND_ARRAY:
        return say_box(&s, m);
    case MISTAKE_EMPTY_LAUNCH:
    case MISTAKE_TOO_MANY_THREADS:
    case MISTAKE_LAUNCH_LIMIT:
    case MISTAKE_LAUNCH_BOUNDS:
    case MISTAKE_LAUNCH_SHARED:
    case MISTAKE_SWAPPED:
        return say_launch(&s, m);
    case MISTAKE_UNCOVERED:
        return say_coverage(&s, m);
    case MISTAKE_EARLY_TIME:
        return say(&s, N_("cudaEventElapsedTime before the second event has completed"));
    case MISTAKE_HOST_FUNCTION:
        return arena_format(arena, say(&s, N_("%s in a host function of a stream, where it is not permitted")),
                            m->call);
    case MISTAKE_FREE_HOST:
    case MISTAKE_OPERAND_HOST:
        return arena_format(arena, say(&s, N_("%s of a pointer to memory of the host")), m->call);
    case MISTAKE_LOST_ERROR:
        return arena_format(arena, say(&s, N_("%s is the first call that failed")), m->call);
    case MISTAKE_LOST_OUTPUT:
        return arena_format(arena, say(&s, N_("The program ended before %s of printf in %s were shown")),
                            bytes_text(&s, m->output.bytes), m->call);
    default:
        return say_memory(&s, m);
    }
}

const char *report_mistake_error(struct arena *arena, enum report_language language, const struct mistake *m)
{
    struct speech const s = {arena, language};
    if (!m->error || !m->unchecked)
        return NULL;
    return arena_format(arena, say(&s, N_("The program went on without looking at its error, %s (%d).")), m->error_name,
                        m->error);
}

/* What a call of the runtime is called in the driver's interface; longer texts before their beginnings. */
static const char *const driver_names[][2] = {
    {"cudaMemcpy(..., cudaMemcpyDeviceToHost)", "cuMemcpyDtoH"},
    {"cudaMemcpy(..., cudaMemcpyHostToDevice)", "cuMemcpyHtoD"},
    {"cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)",
     "cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, bytes)"},
    {"cudaMallocManaged", "cuMemAllocManaged"},
    {"cudaMallocHost", "cuMemAllocHost"},
    {"cudaMalloc", "cuMemAlloc"},
    {"cudaHostAlloc", "cuMemHostAlloc"},
    {"cudaFreeHost", "cuMemFreeHost"},
    {"cudaFreeArray", "cuArrayDestroy"},
    {"cudaFree", "cuMemFree"},
    {"cudaMemcpy", "cuMemcpy"},
    {"cudaMemset", "cuMemsetD8"},
    {"cudaDeviceSynchronize", "cuCtxSynchronize"},
    {"cudaEventSynchronize", "cuEventSynchronize"},
};

static const char *in_names_of_the_driver(struct arena *arena, const char *text)
{
    const char *result = "";
    while (*text) {
        const char *at = strstr(text, "cuda");
        size_t const before = at ? (size_t)(at - text) : strlen(text);
        result = arena_format(arena, "%s%.*s", result, (int)before, text);
        text += before;
        size_t length = at ? strlen("cuda") : 0;
        const char *name = "cuda";
        for (size_t i = sizeof driver_names / sizeof *driver_names; at && i-- > 0;)
            if (strncmp(text, driver_names[i][0], strlen(driver_names[i][0])) == 0) {
                length = strlen(driver_names[i][0]);
                name = driver_names[i][1];
            }
        if (at)
            result = arena_format(arena, "%s%s", result, name);
        text += length;
    }
    return result;
}

static const char *advice_of(const struct speech *speech, const struct mistake *m)
{
    struct speech const s = *speech;
    struct arena *arena = s.arena;
    if (m->kind == MISTAKE_DEVICE_ON_HOST && m->memory.write)
        return say(&s,
                   N_("Copy the data from an array of the host with cudaMemcpy(..., cudaMemcpyHostToDevice), write it "
                      "in a kernel, or allocate with cudaMallocManaged."));
    if (m->kind == MISTAKE_TOO_MANY_THREADS)
        return arena_format(arena, say(&s, N_("Use a block of at most %d {thread|threads}, and more blocks.")),
                            LAUNCH_THREADS_MAX);
    if (m->kind == MISTAKE_LAUNCH_LIMIT)
        return arena_format(
            arena,
            say(&s,
                N_("A block has at most %d x %d x %d {thread|threads}, a grid at most %d x %d x %d {block|blocks}.")),
            LAUNCH_THREADS_MAX, LAUNCH_THREADS_MAX, LAUNCH_BLOCK_Z_MAX, LAUNCH_GRID_X_MAX, LAUNCH_GRID_YZ_MAX,
            LAUNCH_GRID_YZ_MAX);
    return say(&s, words[m->kind].advice);
}

const char *report_mistake_advice(struct arena *arena, enum report_language language, const struct mistake *m)
{
    struct speech const s = {arena, language};
    if (!m->driver)
        return advice_of(&s, m);
    if (m->kind == MISTAKE_COPY_DIRECTION)
        return say(&s, N_("The destination comes first, then the source; the call's name says the direction."));
    if (m->kind == MISTAKE_LOST_ERROR)
        return say(&s, N_("Compare what each call returns with CUDA_SUCCESS."));
    if (m->kind == MISTAKE_SWAPPED)
        return say(&s, N_("cuLaunchKernel takes the numbers of blocks first, then those of the threads of a block."));
    return in_names_of_the_driver(arena, advice_of(&s, m));
}

const char *report_allocation(struct arena *arena, const struct mistake_allocation *a)
{
    struct speech const s = {arena, REPORT_TRANSLATED};
    return allocation_text(&s, a);
}

static const char *say_cause(struct arena *arena, const struct cause *cause)
{
    struct speech const s = {arena, REPORT_TRANSLATED};
    const char *which = allocation_text(&s, &cause->allocation), *at = place_text(&s, &cause->at);
    unsigned long long const written = cause->written;
    switch (cause->kind) {
    case CAUSE_ELEMENTS:
        return arena_format(arena,
                            _("%s at %s wrote %llu of %s: its size is in bytes, so multiply the number of elements by "
                              "sizeof."),
                            cause->by, at, written, which);
    case CAUSE_SHORT:
        return arena_format(arena, _("%s at %s wrote %llu of %s: let it write all that the kernel reads."), cause->by,
                            at, written, which);
    case CAUSE_FAILED:
        return arena_format(arena, _("%s at %s failed, so nothing wrote %s: mend that call first."), cause->by, at,
                            which);
    default:
        return arena_format(arena,
                            _("No copy and no fill wrote %s before this launch: copy data to them with cudaMemcpy, or "
                              "set them with cudaMemset."),
                            which);
    }
}

const char *report_remedy(struct arena *arena, const struct report *report, const struct finding *finding)
{
    const struct cause *cause = report->causes ? &report->causes[finding - report->trace->findings] : NULL;
    return cause && cause->kind != CAUSE_UNKNOWN ? say_cause(arena, cause)
                                                 : report_advice(arena, report->trace, finding);
}

struct report_row report_row(struct arena *arena, const struct report *report, uint32_t index)
{
    const struct mistake *mistake = report->mistake;
    if (index >= report_count(report))
        return (struct report_row){
            .title = report_mistake_title(REPORT_TRANSLATED, mistake),
            .place = arena_format(arena, "%s:%d", *mistake->at.file ? mistake->at.file : "?", mistake->at.line),
            .message = report_mistake(arena, REPORT_TRANSLATED, mistake),
            .advice = report_mistake_advice(arena, REPORT_TRANSLATED, mistake)};
    const struct finding *finding = report_finding(report, index);
    return (struct report_row){.title = report_title(finding),
                               .place = report_place(arena, report->trace, finding),
                               .message = report_summary(arena, finding),
                               .advice = report_remedy(arena, report, finding),
                               .race = finding_is_race(finding)};
}

json_t *report_allocation_json(const struct mistake_allocation *a)
{
    return OBJECT(DATUM("number", a->number), DATUM("call", a->by), DATUM("bytes", a->bytes), DATUM("file", a->at.file),
                  DATUM("line", a->at.line), ITEM("freed_line", a->freed_by ? VALUE(a->freed_at.line) : NULL));
}

/* Returns the allocation of a mistake, or NULL: the member of the union that its kind fills. */
static const struct mistake_allocation *allocation_of(const struct mistake *m)
{
    enum arguments { none, memory, box, argument, copy, launch, coverage, output };
    static const enum arguments filled[] = {
#define MISTAKE(name, word, class, arguments) arguments,
#include "program/mistakes.def"
    };
    switch (filled[m->kind]) {
    case memory:
        return &m->memory.allocation;
    case box:
        return &m->box.allocation;
    case argument:
        return m->argument.allocation.number ? &m->argument.allocation : NULL;
    case coverage:
        return &m->coverage.allocation;
    default:
        return NULL;
    }
}

json_t *report_mistake_json(const struct mistake *m)
{
    struct arena arena = {0};
    const struct mistake_allocation *allocation = allocation_of(m);
    json_t *row = OBJECT(DATUM("kind", mistake_word(m->kind)), DATUM("fault", mistake_is_fault(m)),
                         DATUM("message", report_mistake(&arena, REPORT_ENGLISH, m)),
                         DATUM("remedy", report_mistake_advice(&arena, REPORT_ENGLISH, m)), DATUM("file", m->at.file),
                         DATUM("line", m->at.line), DATUM("call", m->call), DATUM("times", m->times),
                         DATUM("error", m->error), DATUM("unchecked", m->unchecked),
                         ITEM("allocation", allocation ? report_allocation_json(allocation) : json_null()),
                         ITEM("words", report_words_json(report_mistake(&arena, REPORT_TRANSLATED, m))),
                         ITEM("remedy_words", report_words_json(report_mistake_advice(&arena, REPORT_TRANSLATED, m))));
    arena_free(&arena);
    return row;
}
