/* The functions that the rest of the program calls. They make a job, have the child do it (or do it here, in a program
 * without a child), and read its answer. The link to the child lives as long as the process: callers need not know
 * about it, and it stays warm between runs. */
#include "base/file.h"
#include "cuda/gpu/gpu.h"
#include "cuda/probe/probe.h"
#include "cuda/process/link.h"
#include <dlfcn.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>

#define CHILD_WORD "--work-on-the-gpu"

static struct {
    pthread_mutex_t lock;       /* one job at a time, because two kernels would disturb each other's times */
    pthread_mutex_t known_lock; /* a question about the GPU does not wait for a job */
    bool has_child, known;
    struct cuda_device device;
    struct link link;
} process = {.lock = PTHREAD_MUTEX_INITIALIZER, .known_lock = PTHREAD_MUTEX_INITIALIZER};

/* Does a job in this process. */
static void work(struct job *job, const struct job_host *host)
{
    static struct cuda_gpu gpu;
    struct job_answer *answer = &job->answer;
    struct error *error = &answer->error;
    host->say(host->context, JOB_LOADING);
    answer->good =
        cuda_gpu_open(&gpu, error) && (job->kind == JOB_DEVICE  ? job_device(&gpu, &answer->device, error)
                                       : job->kind == JOB_TRACE ? job_trace(&gpu, job, host, error)
                                       : job->kind == JOB_PITCH ? job_pitch(&gpu, job->row_bytes, &answer->pitch, error)
                                       : job->kind == JOB_COPY  ? job_copy(&gpu, &job->copy, &answer->copy_us, error)
                                                                : job_time(&gpu, job, host, error));
    if (!answer->good)
        cuda_gpu_failed(&gpu);
}

bool cuda_serve(int argc, char **argv)
{
    static char name[] = "lanescope", child_word[] = CHILD_WORD;
    static char *const arguments[] = {name, child_word, NULL};
    if (argc == 2 && strcmp(argv[1], CHILD_WORD) == 0) {
        link_serve(work);
        return true;
    }
    process.link = (struct link){.program = "/proc/self/exe", .arguments = arguments, .load_seconds = 90};
    process.has_child = true;
    cuda_wait_at_most(20);
    return false;
}

void cuda_wait_at_most(double seconds)
{
    const char *asked = getenv("LANESCOPE_GPU_SECONDS");
    double const said = asked ? strtod(asked, NULL) : 0;
    process.link.run_seconds = said > 0 ? said : seconds;
}

/* Returns false without a driver, so that no child is started in vain. The library is looked up, but nothing in it is
 * called. */
static bool driver_there(struct error *error)
{
    void *library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (library) {
        dlclose(library);
        return true;
    }
    error_set(error, ERROR_MISSING, "there is no NVIDIA driver on this machine");
    return error_remedy(error, "install it (Debian: nvidia-driver), or use --on emulator");
}

struct here { /* work done in this process */
    const struct job_space *space;
    link_batch batch;
    void *context;
    struct error error;
};

static bool say_here(void *context, enum job_word word)
{
    struct here *here = context;
    return word != JOB_BATCH || here->batch(here->context, here->space, &here->error);
}

static bool do_job(const struct job_space *space, link_batch batch, void *context, struct error *error)
{
    struct here here = {.space = space, .batch = batch, .context = context};
    struct job_host const host = {.context = &here, .say = say_here};
    bool good;
    if (!driver_there(error))
        return false;
    pthread_mutex_lock(&process.lock);
    if (process.has_child) {
        good = link_do(&process.link, space, batch, context, error);
    } else {
        work(space->job, &host);
        good = space->job->answer.good;
        if (!good && error)
            *error = here.error.kind ? here.error : space->job->answer.error;
    }
    pthread_mutex_unlock(&process.lock);
    return good;
}

bool cuda_device(struct cuda_device *device, struct error *error)
{
    struct job_space space;
    *device = (struct cuda_device){0};
    pthread_mutex_lock(&process.known_lock);
    if (!process.known && driver_there(error) && job_new(&space, JOB_DEVICE, NULL, NULL, NULL, 0, error)) {
        process.known = do_job(&space, NULL, NULL, error);
        process.device = space.job->answer.device;
        job_free(&space);
    }
    bool const known = process.known;
    if (known)
        *device = process.device;
    pthread_mutex_unlock(&process.known_lock);
    return known;
}

bool cuda_pitch(uint64_t row_bytes, uint64_t *pitch, struct error *error)
{
    struct job_space space;
    if (!driver_there(error) || !job_new(&space, JOB_PITCH, NULL, NULL, NULL, 0, error))
        return false;
    space.job->row_bytes = row_bytes;
    bool const good = do_job(&space, NULL, NULL, error);
    *pitch = good ? space.job->answer.pitch : 0;
    job_free(&space);
    return good;
}

bool cuda_copy_time(const struct cuda_copy *copy, double *microseconds, struct error *error)
{
    struct job_space space;
    if (!driver_there(error) || !job_new(&space, JOB_COPY, NULL, NULL, NULL, 0, error))
        return false;
    space.job->copy = *copy;
    bool const good = do_job(&space, NULL, NULL, error);
    *microseconds = good ? space.job->answer.copy_us : 0;
    job_free(&space);
    return good;
}

static bool check_arguments(const struct ptx_function *kernel, const struct launch *launch, struct error *error)
{
    if (launch->argument_count != kernel->parameter_count)
        return error_set(error, ERROR_INPUT,
                         "wrong number of arguments: kernel %s takes %" PRIu32 ", but the launch gives %" PRIu32,
                         kernel->name, kernel->parameter_count, launch->argument_count);
    for (uint32_t i = 0; i < launch->argument_count; i++) {
        const struct launch_argument *argument = &launch->arguments[i];
        if (argument->is_buffer && argument->buffer >= launch->buffer_count)
            return error_set(error, ERROR_INPUT, "argument %" PRIu32 " of kernel %s names a buffer that does not exist",
                             i, kernel->name);
        for (uint32_t k = 0; k < argument->inner_count; k++)
            if (argument->inner[k].buffer >= launch->buffer_count)
                return error_set(error, ERROR_INPUT,
                                 "argument %" PRIu32 " of kernel %s names a buffer that does not exist", i,
                                 kernel->name);
        size_t const size = launch_argument_size(argument);
        if (size != kernel->parameters[i].size)
            return error_set(error, ERROR_INPUT,
                             "wrong size of argument %" PRIu32
                             " of kernel %s: it takes %zu B, but the launch gives %zu B",
                             i, kernel->name, kernel->parameters[i].size, size);
    }
    return true;
}

/* Checks that the arguments fit the kernel's parameters and that the shape can be launched. */
static bool check_launch(const struct ptx_module *module, const struct launch *launch,
                         const struct ptx_function **kernel, struct error *error)
{
    *kernel = ptx_kernel(module, launch->kernel);
    if (!*kernel)
        return error_set(error, ERROR_INPUT, "there is no kernel %s", launch->kernel ? launch->kernel : "to run");
    return launch_allowed(*kernel, launch, error) && check_arguments(*kernel, launch, error);
}

bool cuda_time_kernel(const struct ptx_module *module, const struct launch *launch, const struct cuda_timing *timing,
                      struct cuda_time *time, struct error *error)
{
    const struct ptx_function *kernel;
    struct job_space space;
    *time = (struct cuda_time){0};
    if (!check_launch(module, launch, &kernel, error) || !driver_there(error) ||
        !job_new(&space, JOB_TIME, module, launch, NULL, 0, error))
        return false;
    space.job->timing = *timing;
    bool const good = do_job(&space, NULL, NULL, error);
    if (good)
        *time = space.job->answer.time;
    if (good && timing->read_back)
        job_results(&space, launch);
    job_free(&space);
    return good;
}

struct taking { /* the receiver of batches */
    struct trace *trace;
    const struct trace_listener *listener;
    const struct record_layout *layout;
    uint64_t bytes;
};

static bool take_batch(void *context, const struct job_space *space, struct error *error)
{
    struct taking *taking = context;
    struct record_batch batch = space->job->answer.batch;
    if (!batch.chunk_bytes || batch.chunk_count > space->job->room / batch.chunk_bytes)
        return error_set(error, ERROR_RUN, "the GPU's record is damaged: it holds more than its buffer has room for");
    batch.chunks = job_at(space->job, space->job->records);
    batch.layout = *taking->layout;
    batch.bytes = &taking->bytes;
    return record_decode(&batch, taking->listener, taking->trace, error);
}

static void place_buffers(struct trace *trace, const struct job_space *space)
{
    struct job *job = space->job;
    const struct job_buffer *buffers = job_at(job, job->buffers);
    const struct job_variable *variables = job_at(job, job->variables);
    for (uint32_t i = 0; i < job->buffer_count; i++)
        trace->buffers[i].address = buffers[i].address;
    for (uint32_t i = 0; i < job->variable_count; i++)
        trace->buffers[job->buffer_count + i].address = variables[i].address;
}

static void describe(struct trace *trace, const struct job_space *space)
{
    const struct job_answer *answer = &space->job->answer;
    char date[11];
    clock_date(date);
    trace->executor = EXECUTOR_GPU;
    trace->device = arena_text(&trace->arena, answer->device.name);
    trace->driver = arena_text(&trace->arena, answer->device.driver);
    trace->date = arena_text(&trace->arena, date);
    trace->clock = TRACE_CLOCK_GPU;
    trace->shared_base = answer->batch.windows.shared_base;
    trace->lost += answer->lost;
    place_buffers(trace, space);
}

/* Returns a quarter of the host's memory. */
static uint64_t room_for_records(void)
{
    struct sysinfo host;
    uint64_t const little = UINT64_C(1) << 30;
    return sysinfo(&host) == 0 ? (uint64_t)host.totalram * host.mem_unit / 4 / 4096 * 4096 : little;
}

static bool trace_made(const struct ptx_module *module, const struct launch *launch, const struct probed *probed,
                       const struct launch_blocks *all, const struct trace_listener *listener, struct trace *made,
                       struct cuda_cost *cost, struct error *error)
{
    struct taking taking = {.trace = made, .listener = listener, .layout = &probed->layout};
    struct job_space space;
    if (!job_new(&space, JOB_TRACE, module, launch, probed, room_for_records(), error))
        return false;
    space.job->first = all->first;
    space.job->last = all->last;
    space.job->repeats = cost->repeats;
    bool const good = do_job(&space, take_batch, &taking, error);
    if (good) {
        describe(made, &space);
        job_results(&space, launch);
        unsigned const repeats = cost->repeats;
        *cost = space.job->answer.cost;
        cost->repeats = repeats;
        cost->record_bytes = taking.bytes;
    }
    job_free(&space);
    return good;
}

static bool trace_launch(const struct ptx_module *module, const struct launch *launch, struct launch_blocks recorded,
                         bool values, const struct trace_listener *listener, struct trace **trace,
                         struct cuda_cost *cost, struct error *error)
{
    *trace = NULL;
    *cost = (struct cuda_cost){.repeats = cost->repeats};
    const struct ptx_function *kernel;
    if (!check_launch(module, launch, &kernel, error))
        return false;
    uint64_t const blocks = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
    if (recorded.last >= blocks)
        recorded.last = blocks - 1;
    if (recorded.first > recorded.last)
        return error_set(error, ERROR_INPUT, "there is no block %llu: the grid has %llu",
                         (unsigned long long)recorded.first, (unsigned long long)blocks);
    struct launch_blocks const all = {0, blocks - 1};
    struct arena arena = {0};
    struct probed probed = {0};
    struct trace *made = trace_new(module, launch);
    made->recorded = recorded;
    bool const good = driver_there(error) && probe_module(&arena, module, kernel, launch, values, &probed, error) &&
                      trace_made(module, launch, &probed, listener ? &all : &recorded, listener, made, cost, error);
    arena_free(&arena);
    if (good)
        *trace = made;
    else
        trace_free(made);
    return good;
}

bool cuda_trace_cost(const struct ptx_module *module, const struct launch *launch, struct launch_blocks recorded,
                     const struct trace_listener *listener, struct trace **trace, struct cuda_cost *cost,
                     struct error *error)
{
    return trace_launch(module, launch, recorded, false, listener, trace, cost, error);
}

bool cuda_trace(const struct ptx_module *module, const struct launch *launch, struct launch_blocks recorded,
                const struct trace_listener *listener, struct trace **trace, struct error *error)
{
    struct cuda_cost cost = {0};
    return trace_launch(module, launch, recorded, false, listener, trace, &cost, error);
}

bool cuda_trace_values(const struct ptx_module *module, const struct launch *launch, struct launch_blocks recorded,
                       const struct trace_listener *listener, struct trace **trace, struct error *error)
{
    struct cuda_cost cost = {0};
    return trace_launch(module, launch, recorded, true, listener, trace, &cost, error);
}
