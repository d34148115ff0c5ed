#include "cudart/calls/library.h"
#include "cudart/backend/backend.h"
#include "cudart/calls/call.h"
#include "cudart/layer/operand.h"

static struct call begun; /* the state is locked meanwhile */

bool lanescope_library_begin(const char *name, const void *from, void *stream)
{
    begun = call_begin(name, from);
    const struct stream *of = stream_of(stream);
    line_number("library", 1);
    if (of)
        line_number("stream", of->number);
    bool const can = of && !stream_host_runs() && !of->capture && !runtime.sticky && !runtime.pending;
    if (can && runtime.backend->gpu)
        runtime.backend->wait(); /* the bytes are copied beside its streams */
    space_pause();
    line_open_list("operands");
    return can;
}

bool lanescope_library_read(const char *name, const void *pointer, size_t width, size_t height, size_t pitch,
                            void *bytes)
{
    struct operand const operand = {name, pointer, width, height, pitch};
    return operand_read(&operand, bytes) == STATUS_SUCCESS;
}

bool lanescope_library_write(const char *name, const void *pointer, size_t width, size_t height, size_t pitch,
                             const void *bytes)
{
    struct operand const operand = {name, pointer, width, height, pitch};
    return operand_write(&operand, bytes) == STATUS_SUCCESS;
}

void lanescope_library_number(const char *name, long long number)
{
    line_open_object(NULL);
    line_text("name", name);
    line_signed("value", number);
    line_close();
}

int lanescope_library_end(int status, const char *status_name)
{
    struct call const call = begun;
    space_resume();
    line_close();
    call_finish(&call, (enum status)status, status_name);
    return status;
}
