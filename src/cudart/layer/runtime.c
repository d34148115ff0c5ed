/* The frame of every call: lock, record, error. And the state itself. */
#include "base/file.h"
#include "cudart/backend/backend.h"
#include "cudart/layer/graph_objects.h"
#include "cudart/layer/line.h"
#include "cudart/layer/signals.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct runtime runtime = {.backend = &emulator_backend};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local __attribute__((tls_model("initial-exec"))) bool locked; /* by this thread; a handler reads it */
static bool started, forked;

bool runtime_lock(bool wait)
{
    if (locked)
        return false;
    locked = (wait ? pthread_mutex_lock(&lock) : pthread_mutex_trylock(&lock)) == 0;
    return locked;
}

void runtime_unlock(void)
{
    locked = false;
    pthread_mutex_unlock(&lock);
}

/* The end of the program: its last line, so that a reader knows a normal end from a crash. Nothing is freed. */
static void at_end(void)
{
    if (forked) /* memory and record are the parent's */
        return;
    bool const mine = runtime_lock(true);
    struct call const call = {.name = "exit", .begin = clock_seconds()};
    fflush(stdout);
    runtime.backend->finish();
    line_open_list("live");
    for (size_t i = 0; i < runtime.allocations.count; i++) {
        const struct allocation *a = &runtime.allocations.items[i];
        if (a->freed || a->kind == ALLOCATION_VARIABLE || a->of_graph || a->released)
            continue;
        line_open_object(NULL);
        line_number("allocation", a->number);
        line_number("bytes", a->size);
        line_close();
    }
    line_close();
    line_number("unflushed", runtime.output.count);
    line_signed("pending", (int)runtime.pending);
    line_number("input_ended", feof(stdin) != 0);
    line_write(&call, STATUS_SUCCESS, NULL);
    if (mine)
        runtime_unlock();
}

/* CUDA does not work in a process that was forked after the first call: each call is an error, as on a GPU. */
static void in_child(void)
{
    forked = true;
    locked = false;
    pthread_mutex_init(&lock, NULL); /* another thread of the parent may have it */
    runtime.sticky = STATUS_INITIALIZATION_ERROR;
    line_leave();
}

static void tell_forked(void)
{
    static bool told;
    if (forked && !told)
        fprintf(stderr, "lanescope: %s\n",
                "CUDA does not work in a process that was forked after its first call: fork before, or start a new "
                "program (Python: multiprocessing with \"spawn\")");
    told |= forked;
}

/* Without a GPU every call fails, as on such a computer. */
static void choose_backend(void)
{
    struct error error;
    char text[1200];
    if (!runtime.options.gpu)
        return;
    if (gpu_start(&error)) {
        runtime.backend = &gpu_backend;
    } else {
        fprintf(stderr, "lanescope: %s\n", error_line(&error, text, sizeof text));
        runtime.sticky = STATUS_NO_DEVICE;
    }
}

static void start(void)
{
    started = true;
    options_read(&runtime.options);
    choose_backend();
    if (runtime.options.folder) {
        line_open(runtime.options.folder, runtime.backend->gpu);
        setvbuf(stdout, NULL, _IOLBF, 0); /* so that the output has its place among the calls */
    }
    signals_start();
    atexit(at_end);
    pthread_atfork(NULL, NULL, in_child);
}

bool call_is_aside(void)
{
    return runtime.backend->gpu && stream_host_runs();
}

struct call call_begin(const char *name, const void *from)
{
    if (call_is_aside())
        return (struct call){.name = name};
    runtime_lock(true);
    if (!started)
        start();
    tell_forked();
    runtime.backend->enter();
    return (struct call){.name = name, .from = from, .begin = clock_seconds()};
}

void call_finish(const struct call *call, enum status status, const char *status_name)
{
    if (call_is_aside())
        return;
    void (*const function)(void *) = runtime.host_work.function;
    void *const data = runtime.host_work.data;
    line_write(call, status, status_name);
    struct user_object *const destroyed = objects_take_destroyed();
    runtime.host_work.function = NULL;
    runtime_unlock();
    if (function)
        function(data);
    objects_destroy(destroyed);
}

void runtime_print_flush(void)
{
    if (!runtime.output.count)
        return;
    fwrite(runtime.output.items, 1, runtime.output.count, stdout);
    fflush(stdout);
    runtime.output.count = 0;
}

enum status runtime_synchronize(void)
{
    enum status const status = runtime.backend->wait();
    if (!runtime.sticky)
        runtime.sticky = runtime.pending;
    runtime.pending = STATUS_SUCCESS;
    return runtime.sticky ? runtime.sticky : status;
}

enum status runtime_reset(void)
{
    if (runtime.sticky == STATUS_NO_DEVICE || forked)
        return runtime.sticky;
    runtime_synchronize();
    space_free_all();
    runtime.sticky = runtime.pending = STATUS_SUCCESS;
    return runtime.backend->reset();
}
