/* Lays out a job once, from front to back: the header, the tables, the texts, the buffers, and the room for records. */
#include "cuda/process/job.h"
#include "cuda/probe/probe.h"
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ALIGNMENT = 256 };

struct layout { /* base NULL: only the size is counted */
    char *base;
    uint64_t at;
};

static uint64_t put(struct layout *layout, const void *bytes, uint64_t size)
{
    uint64_t const at = (layout->at + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (layout->base && bytes && size)
        memcpy(layout->base + at, bytes, size);
    layout->at = at + size;
    return at;
}

static uint64_t put_text(struct layout *layout, const char *text)
{
    return put(layout, text ? text : "", text ? strlen(text) + 1 : 1);
}

static uint64_t buffer_bytes(const struct launch_buffer *buffer)
{
    return buffer->count * ptx_type_size(buffer->type);
}

static void put_launch(struct layout *layout, struct job *job, const struct launch *launch)
{
    memcpy(job->grid, launch->grid, sizeof job->grid);
    memcpy(job->block, launch->block, sizeof job->block);
    job->shared_bytes = launch->shared_bytes;
    job->argument_count = launch->argument_count;
    job->buffer_count = launch->buffer_count;
    job->kernel = put_text(layout, launch->kernel);
    job->arguments = put(layout, launch->arguments, launch->argument_count * sizeof *launch->arguments);
    for (uint32_t i = 0; i < launch->argument_count; i++) {
        if (!launch->arguments[i].bytes)
            continue;
        const struct launch_argument *argument = &launch->arguments[i];
        uint64_t const table = job_inner_at(argument);
        uint64_t const at = put(layout, NULL, table + argument->inner_count * sizeof *argument->inner);
        if (!layout->base)
            continue;
        memcpy(layout->base + at, argument->bytes, argument->size);
        if (argument->inner_count)
            memcpy(layout->base + at + table, argument->inner, argument->inner_count * sizeof *argument->inner);
        /* the child cannot follow the pointers */
        ((struct launch_argument *)job_at(job, job->arguments))[i].bits = at;
    }
    job->buffers = put(layout, NULL, launch->buffer_count * sizeof(struct job_buffer));
    for (uint32_t i = 0; i < launch->buffer_count; i++) {
        const struct launch_buffer *buffer = &launch->buffers[i];
        uint64_t const bytes = buffer_bytes(buffer), at = put(layout, buffer->data, bytes);
        if (layout->base)
            ((struct job_buffer *)job_at(job, job->buffers))[i] =
                (struct job_buffer){.at = at, .bytes = bytes, .read_only = buffer->read_only};
    }
}

static void put_variables(struct layout *layout, struct job *job, const struct ptx_module *module)
{
    job->variable_count = 0;
    for (uint32_t i = 0; i < module->variable_count; i++)
        job->variable_count += trace_is_buffer(&module->variables[i]);
    job->variables = put(layout, NULL, job->variable_count * sizeof(struct job_variable));
    struct job_variable *variable = layout->base ? job_at(job, job->variables) : NULL;
    for (uint32_t i = 0; i < module->variable_count; i++) {
        if (!trace_is_buffer(&module->variables[i]))
            continue;
        uint64_t const name = put_text(layout, module->variables[i].name);
        if (variable)
            *variable++ = (struct job_variable){.name = name, .bytes = module->variables[i].size};
    }
}

static void lay_out(struct layout *layout, struct job *job, const struct ptx_module *module,
                    const struct launch *launch, const struct probed *probed, uint64_t room)
{
    put(layout, NULL, sizeof *job);
    if (launch) {
        job->ptx = put_text(layout, probed ? probed->ptx : module->text);
        put_launch(layout, job, launch);
        put_variables(layout, job, module);
    }
    if (probed) {
        job->plain = put_text(layout, module->text);
        job->control = put_text(layout, probed->control);
        job->window = put_text(layout, probed->window);
        job->chunk_bytes = record_chunk_bytes(&probed->layout);
        job->record_bytes = record_most_bytes(&probed->layout);
    }
    job->room = room;
    job->records = put(layout, NULL, room);
}

bool job_map(struct job_space *space, int file)
{
    off_t const size = lseek(file, 0, SEEK_END);
    void *memory = MAP_FAILED;
    if (size >= (off_t)sizeof(struct job))
        memory = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
    *space = (struct job_space){.file = file};
    if (memory == MAP_FAILED)
        return false;
    space->job = memory;
    space->bytes = (size_t)size;
    return true;
}

/* Returns false for buffers that the computer cannot hold, before any memory is touched. */
static bool sizes_make_sense(const struct launch *launch, struct error *error)
{
    uint64_t const most = UINT64_C(1) << 40;
    uint64_t all = 0;
    for (uint32_t i = 0; launch && i < launch->buffer_count; i++) {
        uint64_t const bytes = launch->buffers[i].count > most ? most + 1 : buffer_bytes(&launch->buffers[i]);
        all = all + bytes > most ? most + 1 : all + bytes;
    }
    if (all <= most)
        return true;
    error_set(error, ERROR_MISSING, "the GPU has no room for buffers of more than 1 TiB");
    return error_remedy(error, "choose a smaller size");
}

bool job_new(struct job_space *space, enum job_kind kind, const struct ptx_module *module, const struct launch *launch,
             const struct probed *probed, uint64_t room, struct error *error)
{
    struct layout size = {0};
    struct job header = {0};
    *space = (struct job_space){.file = -1};
    if (!sizes_make_sense(launch, error))
        return false;
    lay_out(&size, &header, module, launch, probed, room);
    int const file = memfd_create("lanescope", MFD_CLOEXEC);
    if (file < 0 || ftruncate(file, (off_t)size.at) != 0 || !job_map(space, file)) {
        space->file = file;
        job_free(space);
        error_set(error, ERROR_MISSING, "no memory for the %llu MiB that the GPU process needs",
                  (unsigned long long)(size.at >> 20) + 1);
        return error_remedy(error, "choose a smaller size");
    }
    struct layout layout = {.base = (char *)space->job};
    space->job->kind = kind;
    lay_out(&layout, space->job, module, launch, probed, room);
    return true;
}

void job_results(const struct job_space *space, const struct launch *launch)
{
    const struct job_buffer *buffers = job_at(space->job, space->job->buffers);
    for (uint32_t i = 0; i < launch->buffer_count; i++)
        if (!launch->buffers[i].read_only && buffers[i].bytes)
            memcpy(launch->buffers[i].data, job_at(space->job, buffers[i].at), buffers[i].bytes);
}

void job_free(struct job_space *space)
{
    if (space->job)
        munmap(space->job, space->bytes);
    if (space->file >= 0)
        close(space->file);
    *space = (struct job_space){.file = -1};
}
