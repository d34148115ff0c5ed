/* A host access to device memory raises SIGSEGV. The record then says which allocation it was, and the program ends as
 * it would on a computer with a GPU. An access to managed memory that a launch may still use is a mistake that a GPU
 * often hides: it is recorded, and the program goes on. */
#include "cudart/layer/signals.h"
#include "base/file.h"
#include "cudart/layer/line.h"
#include <execinfo.h>
#include <link.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

static struct sigaction before[NSIG];
static struct {
    uintptr_t from, to;
} program; /* where its code lies */

/* The first object of the process is the program. */
static int note_program(struct dl_phdr_info *object, size_t size, void *context)
{
    (void)size, (void)context;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X))
            continue;
        program.from = (uintptr_t)(object->dlpi_addr + part->p_vaddr);
        program.to = program.from + (uintptr_t)part->p_memsz;
    }
    return 1;
}

#ifdef LANESCOPE_SANITIZED
static bool const has_own_free = true; /* the sanitizer's, which is linked into the program */
#else
static bool const has_own_free = false;
#endif

static bool in_program(const void *place)
{
    return (uintptr_t)place >= program.from && (uintptr_t)place < program.to;
}

/* Where the program's functions would return to, the innermost first: what happened in a library, or in a function of
 * its headers, is told at the program's own line. */
static void write_frames(void)
{
    void *frames[64];
    int const count = backtrace(frames, sizeof frames / sizeof *frames);
    line_open_list("frames");
    for (int i = 0; i < count; i++)
        if (in_program(frames[i]))
            line_number(NULL, (uint64_t)(uintptr_t)frames[i]);
    line_close();
}

/* free reads what malloc keeps in the 16 bytes before the memory it was given: returns that memory when it is the
 * device's. */
static const void *freed_by_malloc(uint64_t address)
{
    enum { HEAD = 16 };
    for (uint64_t at = address + 1; at <= address + HEAD; at++) {
        const struct allocation *allocation = space_find(at);
        if (allocation && allocation->address == at && allocation->kind == ALLOCATION_DEVICE)
            return (const void *)(uintptr_t)at;
    }
    return NULL;
}

static const void *place_of(void *context)
{
#if defined(__x86_64__)
    const ucontext_t *at = context;
    return (const void *)(uintptr_t)at->uc_mcontext.gregs[REG_RIP];
#else
    (void)context;
    return NULL;
#endif
}

/* Returns whether the access of a SIGSEGV was a write. */
static bool is_write(void *context)
{
#if defined(__x86_64__)
    enum { WRITES = 2 }; /* bit 1 of the page fault's code */
    const ucontext_t *at = context;
    return at->uc_mcontext.gregs[REG_ERR] & WRITES;
#else
    (void)context;
    return false;
#endif
}

static void say(const char *text)
{
    if (write(STDERR_FILENO, text, strlen(text)) < 0)
        return;
}

/* Records the signal. Returns true when the access may be repeated because it is open to the host now, or has become so
 * by another thread's call meanwhile. */
static bool record_signal(int signal, const siginfo_t *info, void *context)
{
    uint64_t const address = (uint64_t)(uintptr_t)info->si_addr;
    struct allocation *allocation = signal == SIGSEGV || signal == SIGBUS ? space_find(address) : NULL;
    bool const both = allocation && (allocation->kind == ALLOCATION_MANAGED || allocation->kind == ALLOCATION_HOST);
    bool const early = allocation && allocation->closed;
    uint64_t const offset = early ? address - allocation->address : 0;
    const void *place = place_of(context);
    if (both && signal == SIGSEGV && allocation->mapped && !early && info->si_addr != place) /* no jump to data */
        return true;
    if (early && (offset < allocation->closed_from || offset >= allocation->closed_to)) {
        space_open(allocation); /* the device uses another part of it */
        return true;
    }
    bool const outside = !in_program(place);
    bool const by_free = signal == SIGSEGV && !allocation && (outside || has_own_free);
    const void *freed = by_free ? freed_by_malloc(address) : NULL;
    struct call const call = {
        .name = early ? "host access" : "signal", .from = outside ? NULL : place, .begin = clock_seconds()};
    line_drop();
    line_number("signal", (uint64_t)signal);
    write_frames();
    if (signal == SIGSEGV || signal == SIGBUS)
        line_pointer("address", info->si_addr);
    if (freed)
        line_pointer("freed_by_malloc", freed);
    if (signal == SIGSEGV)
        line_number("write", is_write(context));
    bool const device = allocation && (allocation->kind == ALLOCATION_DEVICE ||
                                       allocation->kind == ALLOCATION_VARIABLE || allocation->kind == ALLOCATION_ARRAY);
    if (!early && (device || space_is_device_range(address)))
        say("lanescope: host code accessed device memory\n");
    line_write(&call, STATUS_SUCCESS, NULL);
    if (early)
        space_open(allocation);
    return early;
}

/* An access of a thread to memory that only the device has must wait for the call of another thread, which may close
 * and open memory. Any other signal ends the program, and waits for nothing. */
static void handle(int signal, siginfo_t *info, void *context)
{
    bool const access = signal == SIGSEGV && space_is_device_range((uint64_t)(uintptr_t)info->si_addr);
    bool const mine = runtime_lock(access);
    bool const again = record_signal(signal, info, context);
    if (mine)
        runtime_unlock();
    if (again)
        return;
    sigaction(signal, &before[signal], NULL); /* the access is repeated, and ends the program */
    if (signal == SIGABRT)
        raise(signal);
}

void signals_start(void)
{
    static const int watched[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    static char stack[64 << 10];
    stack_t const own = {.ss_sp = stack, .ss_size = sizeof stack};
    void *first[1];
    backtrace(first, 1); /* loads its library, which a signal handler must not do */
    dl_iterate_phdr(note_program, NULL);
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigaltstack(&own, NULL);
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof watched / sizeof *watched; i++)
        sigaction(watched[i], &action, &before[watched[i]]);
}
