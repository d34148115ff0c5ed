#include "cudart/layer/line.h"
#include "base/file.h"
#include <fcntl.h>
#include <inttypes.h>
#include <link.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RECORD_LONG = 16 << 20, RECORD_MOST = 64 << 20, DEPTH_MAX = 8 };

static struct {
    int file; /* 0: none */
    const char *folder;
    struct {
        char *items;
        size_t count, capacity;
    } line;
    char close[DEPTH_MAX];
    unsigned depth;
    bool comma, full;
    uint64_t lines, bytes;
} record;

bool line_is_open(void)
{
    return record.file > 0;
}

bool line_is_long(void)
{
    return record.bytes > RECORD_LONG;
}

void line_path(char *path, size_t size, const char *name)
{
    snprintf(path, size, "%s/%s", record.folder ? record.folder : ".", name);
}

/* The first object of the process is the program: where it was loaded. */
static int note_base(struct dl_phdr_info *object, size_t size, void *base)
{
    (void)size;
    *(uintptr_t *)base = object->dlpi_addr;
    return 1;
}

void line_open(const char *folder, const char *device)
{
    char path[4096];
    record.folder = folder;
    line_path(path, sizeof path, "program.record");
    int const file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
    record.file = file > 0 ? file : 0;
    if (!record.file)
        return;
    uintptr_t base = 0;
    char start[512];
    dl_iterate_phdr(note_base, &base);
    int const length = snprintf(
        start, sizeof start, "{\"lanescope_program_record\":1,\"process\":%d,\"base\":%" PRIu64 "%s%s%s}\n",
        (int)getpid(), (uint64_t)base, device ? ",\"device\":\"" : "", device ? device : "", device ? "\"" : "");
    record.bytes += (uint64_t)(write(record.file, start, (size_t)length) > 0 ? length : 0);
}

void line_leave(void)
{
    if (record.file)
        close(record.file);
    record.file = 0;
}

static void add(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void add(const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    int const length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    size_t const bytes = length < 0 ? 0 : (size_t)length < sizeof text ? (size_t)length : sizeof text - 1;
    record.line.items = array_grow(record.line.items, &record.line.capacity, record.line.count + bytes + 1, 1);
    memcpy(record.line.items + record.line.count, text, bytes + 1);
    record.line.count += bytes;
}

static void add_quoted(const char *text)
{
    add("\"");
    for (; *text; text++) {
        unsigned char const c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            add("\\%c", c);
        else if (c < 0x20)
            add("\\u%04x", c);
        else
            add("%c", c);
    }
    add("\"");
}

static void add_key(const char *key)
{
    if (record.comma)
        add(",");
    record.comma = true;
    if (key) {
        add_quoted(key);
        add(":");
    }
}

static bool has_line(void)
{
    return record.file && !call_is_aside();
}

void line_text(const char *key, const char *text)
{
    if (!has_line())
        return;
    add_key(key);
    add_quoted(text);
}

void line_number(const char *key, uint64_t value)
{
    if (!has_line())
        return;
    add_key(key);
    add("%" PRIu64, value);
}

void line_truth(const char *key, bool value)
{
    if (!has_line())
        return;
    add_key(key);
    add("%s", value ? "true" : "false");
}

void line_signed(const char *key, int64_t value)
{
    if (!has_line())
        return;
    add_key(key);
    add("%" PRId64, value);
}

void line_real(const char *key, double value)
{
    if (!has_line())
        return;
    add_key(key);
    if (isfinite(value))
        add("%.9g", value);
    else
        add("null");
}

static void open_level(const char *key, char begin, char end)
{
    if (!record.file || record.depth >= DEPTH_MAX)
        return;
    add_key(key);
    add("%c", begin);
    record.close[record.depth++] = end;
    record.comma = false;
}

void line_open_list(const char *key)
{
    open_level(key, '[', ']');
}

void line_open_object(const char *key)
{
    open_level(key, '{', '}');
}

void line_close(void)
{
    if (!has_line() || !record.depth)
        return;
    add("%c", record.close[--record.depth]);
    record.comma = true;
}

/* Returns whether the process has memory at the address. */
static bool is_mapped(uint64_t address)
{
    enum { PAGE = 4096 };
    return msync((void *)(uintptr_t)(address / PAGE * PAGE), 1, MS_ASYNC) == 0;
}

void line_pointer(const char *key, const void *pointer)
{
    uint64_t const address = (uint64_t)(uintptr_t)pointer;
    const struct allocation *allocation = space_find(address);
    line_open_object(key);
    if (allocation) {
        line_number("allocation", allocation->number);
        line_number("offset", address - allocation->address);
        if (allocation->freed)
            line_number("freed", 1);
        if (allocation->name)
            line_text("variable", allocation->name);
    } else {
        line_number("host", address);
        if (address && !is_mapped(address))
            line_number("unmapped", 1);
    }
    line_close();
}

void line_shape(const char *key, const uint32_t shape[3])
{
    line_open_list(key);
    for (unsigned i = 0; i < 3; i++)
        line_number(NULL, shape[i]);
    line_close();
}

/* Returns how many bytes the program has printed so far, where its output goes to a file. */
static uint64_t printed_bytes(void)
{
    struct stat file;
    return fstat(STDOUT_FILENO, &file) == 0 && S_ISREG(file.st_mode) ? (uint64_t)file.st_size : 0;
}

void line_drop(void)
{
    record.line.count = 0;
    record.comma = false;
    record.depth = 0;
}

uint64_t line_next(void)
{
    return record.lines + 1;
}

void line_measured(uint64_t line, double begin_us, double microseconds)
{
    char text[160];
    int const length = snprintf(text, sizeof text, "{\"measured\":%" PRIu64 ",\"begin_us\":%.9g,\"us\":%.9g}\n", line,
                                begin_us, microseconds);
    if (!record.file || record.full || record.bytes + (uint64_t)length > RECORD_MOST)
        return;
    if (write(record.file, text, (size_t)length) > 0)
        record.bytes += (uint64_t)length;
}

void line_write(const struct call *call, enum status status, const char *status_name)
{
    if (!record.file)
        return;
    while (record.depth)
        line_close();
    char *members = record.line.items;
    size_t const count = record.line.count;
    bool const any = count > 0;
    record.line.items = NULL;
    record.line.count = record.line.capacity = 0;
    record.comma = false;
    add("{");
    line_number("n", ++record.lines);
    line_text("call", call->name);
    line_number("from", (uint64_t)(uintptr_t)call->from);
    line_signed("error", (int)status);
    if (status)
        line_text("error_name", status_name);
    line_real("begin_s", call->begin);
    line_real("end_s", clock_seconds());
    line_number("printed", printed_bytes());
    if (any)
        add(",%s", "");
    record.line.items = array_grow(record.line.items, &record.line.capacity, record.line.count + count + 4, 1);
    if (any)
        memcpy(record.line.items + record.line.count, members, count);
    memcpy(record.line.items + record.line.count + count, "}\n", 3);
    size_t const bytes = record.line.count + count + 2;
    if (record.bytes + bytes > RECORD_MOST && !record.full) {
        static const char end[] = "{\"call\":\"record full\"}\n";
        record.full = true;
        record.bytes += (uint64_t)(write(record.file, end, sizeof end - 1) > 0);
    }
    if (!record.full && write(record.file, record.line.items, bytes) > 0)
        record.bytes += bytes;
    free(record.line.items);
    free(members);
    record.line.items = NULL;
    record.line.capacity = 0;
    line_drop();
}

void line_progress(const char *kernel, const struct executor_progress *at)
{
    static bool written;
    char path[4096], text[512];
    if (!record.file || (!kernel && !written))
        return;
    line_path(path, sizeof path, "progress");
    written = kernel != NULL;
    int const file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0)
        return;
    if (kernel) { /* one write over what is there: the program may be ended at any time, and the place is read then */
        int const length =
            snprintf(text, sizeof text, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %u %d %.200s\n",
                     at->done, at->blocks, at->block, at->instructions, at->budget, at->line, (int)at->doing, kernel);
        file_put(file, text, (size_t)length);
    } else if (ftruncate(file, 0) != 0) {
        unlink(path);
    }
    close(file);
}
