/* The sentences of findings, a function for each kind of arguments. English is the key of the Korean catalogue; its
 * sentences are those of compute-sanitizer where that has one. */
#include "base/words.h"
#include "report/report.h"
#include "report/speech.h"
#include <inttypes.h>
#include <string.h>

const char *bytes_text(const struct speech *s, uint64_t bytes)
{
    return bytes == 1 ? say(s, N_("1 byte"))
                      : arena_format(s->arena, say(s, N_("%llu bytes")), (unsigned long long)bytes);
}

/* "__shared__ read" */
static const char *access_text(const struct speech *s, const struct finding_memory *memory)
{
    bool const read = memory->access == FINDING_READ;
    if (memory->space == PTX_SPACE_SHARED)
        return read ? say(s, N_("__shared__ read")) : say(s, N_("__shared__ write"));
    if (memory->space == PTX_SPACE_LOCAL)
        return read ? say(s, N_("__local__ read")) : say(s, N_("__local__ write"));
    return read ? say(s, N_("__global__ read")) : say(s, N_("__global__ write"));
}

static const char *outside_buffers(const struct speech *s, const struct finding *finding)
{
    const struct finding_memory *m = &finding->memory;
    const char *access = access_text(s, m), *bytes = bytes_text(s, m->bytes), *size = bytes_text(s, m->size);
    const char *distance = bytes_text(s, m->distance);
    unsigned long long const address = finding->address;
    bool const before = m->side == FINDING_BEFORE;
    if (m->side == FINDING_NOWHERE)
        return arena_format(s->arena,
                            say(s, N_("Invalid %s of size %s: address 0x%llx is out of bounds, and no buffer is near")),
                            access, bytes, address);
    if (m->side == FINDING_ACROSS)
        return arena_format(s->arena,
                            say(s, N_("Invalid %s of size %s: address 0x%llx is out of bounds: it begins in %s of %s "
                                      "and ends beyond it")),
                            access, bytes, address, m->name, size);
    if (!m->indexed)
        return arena_format(
            s->arena,
            before ? say(s, N_("Invalid %s of size %s: address 0x%llx is out of bounds and is %s before %s of %s"))
                   : say(s, N_("Invalid %s of size %s: address 0x%llx is out of bounds and is %s after %s of %s")),
            access, bytes, address, distance, m->name, size);
    return arena_format(
        s->arena,
        before ? say(s, N_("Invalid %s of size %s: address 0x%llx is out of bounds and is %s before %s of %s, where "
                           "%s[%lld] would be"))
               : say(s, N_("Invalid %s of size %s: address 0x%llx is out of bounds and is %s after %s of %s, where "
                           "%s[%lld] would be")),
        access, bytes, address, distance, m->name, size, m->name, (long long)m->index);
}

static const char *outside_shared(const struct speech *s, const struct finding_memory *m)
{
    const char *access = access_text(s, m), *bytes = bytes_text(s, m->bytes), *all = bytes_text(s, m->space_bytes);
    const char *distance = bytes_text(s, m->distance), *size = bytes_text(s, m->size);
    long long const offset = m->offset;
    if (m->side == FINDING_NOWHERE)
        return arena_format(
            s->arena, say(s, N_("Invalid %s of size %s: offset %lld is out of bounds of the %s of shared memory")),
            access, bytes, offset, all);
    if (m->side == FINDING_ACROSS)
        return arena_format(s->arena,
                            say(s, N_("Invalid %s of size %s: offset %lld is out of bounds of the %s of shared memory "
                                      "and begins in %s of %s and ends beyond it")),
                            access, bytes, offset, all, m->name, size);
    return arena_format(s->arena,
                        m->side == FINDING_BEFORE
                            ? say(s, N_("Invalid %s of size %s: offset %lld is out of bounds of the %s of shared "
                                        "memory and is %s before %s of %s"))
                            : say(s, N_("Invalid %s of size %s: offset %lld is out of bounds of the %s of shared "
                                        "memory and is %s after %s of %s")),
                        access, bytes, offset, all, distance, m->name, size);
}

static const char *outside_array(const struct speech *s, const struct finding_memory *m)
{
    const char *access = access_text(s, m), *bytes = bytes_text(s, m->bytes);
    const char *distance = bytes_text(s, m->distance), *size = bytes_text(s, m->size);
    long long const offset = m->offset;
    bool const before = m->side == FINDING_BEFORE;
    if (m->side == FINDING_ACROSS)
        return arena_format(s->arena,
                            say(s, N_("Invalid %s of size %s: offset %lld is out of bounds and begins in %s of %s and "
                                      "ends beyond it")),
                            access, bytes, offset, m->name, size);
    if (m->inside && *m->inside)
        return arena_format(
            s->arena,
            before ? say(s, N_("Invalid %s of size %s: offset %lld is out of bounds and is %s before %s of %s, in %s"))
                   : say(s, N_("Invalid %s of size %s: offset %lld is out of bounds and is %s after %s of %s, in %s")),
            access, bytes, offset, distance, m->name, size, m->inside);
    return arena_format(
        s->arena,
        before ? say(s, N_("Invalid %s of size %s: offset %lld is out of bounds and is %s before %s of %s"))
               : say(s, N_("Invalid %s of size %s: offset %lld is out of bounds and is %s after %s of %s")),
        access, bytes, offset, distance, m->name, size);
}

static const char *say_memory(const struct speech *s, const struct finding *finding)
{
    const struct finding_memory *m = &finding->memory;
    const char *access = access_text(s, m), *bytes = bytes_text(s, m->bytes);
    unsigned long long const address = finding->address;
    switch (finding->form) {
    case FINDING_OUTSIDE_SHARED:
        return outside_shared(s, m);
    case FINDING_OUTSIDE_ARRAY:
        return outside_array(s, m);
    case FINDING_OUTSIDE_LOCAL:
        return arena_format(s->arena,
                            say(s, N_("Invalid %s of size %s: offset %lld is out of bounds of the thread's %s")),
                            access, bytes, (long long)m->offset, bytes_text(s, m->space_bytes));
    case FINDING_OUTSIDE_HEAP:
        return arena_format(s->arena, say(s, N_("Invalid %s of size %s: %s after the nearest memory that malloc gave")),
                            access, bytes, bytes_text(s, m->distance));
    case FINDING_FREED:
        return arena_format(s->arena, say(s, N_("Invalid %s of size %s: the memory was freed before")), access, bytes);
    case FINDING_NULL_ACCESS:
        return arena_format(s->arena, say(s, N_("Invalid %s of size %s through a null pointer (address 0x%llx)")),
                            access, bytes, address);
    case FINDING_MISALIGNED_ACCESS:
        return arena_format(
            s->arena, say(s, N_("Invalid %s of size %s: address 0x%llx is misaligned, it must be a multiple of %u")),
            access, bytes, address, m->bytes);
    case FINDING_CONSTANT_WRITE:
        return arena_format(s->arena, say(s, N_("Invalid write of size %s to %s, which is constant")), bytes, m->name);
    case FINDING_UNWRITTEN_GLOBAL:
        if (m->indexed)
            return arena_format(
                s->arena,
                say(s,
                    N_("Uninitialized __global__ memory read of size %s: %s[%lld], byte %lld, has not been written")),
                bytes, m->name, (long long)m->index, (long long)m->offset);
        return arena_format(
            s->arena,
            say(s, N_("Uninitialized __global__ memory read of size %s: byte %lld of %s has not been written")), bytes,
            (long long)m->offset, m->name);
    case FINDING_UNWRITTEN_SHARED:
        if (m->name && *m->name)
            return arena_format(
                s->arena,
                say(s, N_("Uninitialized __shared__ memory read: no thread of the block has written byte %lld of %s")),
                (long long)m->offset, m->name);
        return arena_format(
            s->arena,
            say(s, N_("Uninitialized __shared__ memory read: no thread of the block has written offset %lld")),
            (long long)m->offset);
    default:
        return outside_buffers(s, finding);
    }
}

static const char *say_copy(const struct speech *s, const struct finding *finding)
{
    const struct finding_copy *copy = &finding->copy;
    return arena_format(s->arena,
                        say(s, N_("Invalid bulk copy of %s from 0x%llx to 0x%llx: all must be multiples of 16")),
                        bytes_text(s, copy->bytes), (unsigned long long)copy->from, (unsigned long long)copy->to);
}

static const char *say_race(const struct speech *s, const struct finding *finding)
{
    const struct finding_race *race = &finding->race;
    bool const shared = race->space == PTX_SPACE_SHARED;
    if (finding->form == FINDING_RACING_COPY)
        return race->order == FINDING_READ_AFTER_WRITE
                   ? say(s, N_("Read of a copy in flight: one thread reads a place that an asynchronous copy writes, "
                               "and the copy has not been waited for"))
                   : say(s, N_("Write under a copy in flight: one thread writes a place that an asynchronous copy "
                               "writes, and the copy has not been waited for"));
    switch (race->order) {
    case FINDING_READ_AFTER_WRITE:
        return shared
                   ? say(s,
                         N_("Read after write: one thread reads a value that another wrote, with no barrier between"))
                   : say(s, N_("Read after write: one thread reads a value that another wrote, with nothing that "
                               "orders them"));
    case FINDING_WRITE_AFTER_READ:
        return shared ? say(s, N_("Write after read: one thread overwrites a value that another reads, with no barrier "
                                  "between"))
                      : say(s, N_("Write after read: one thread overwrites a value that another reads, with nothing "
                                  "that orders them"));
    default:
        return shared
                   ? say(s, N_("Write after write: two threads write the same place, with no barrier between"))
                   : say(s, N_("Write after write: two threads write the same place, with nothing that orders them"));
    }
}

/* "warp 0 (32 threads) at line 24, warp 1 (32 threads) at line 24" */
static const char *waits_text(const struct speech *s, const struct finding *finding)
{
    const char *text = "";
    for (uint32_t i = 0; i < finding->wait_count; i++) {
        const struct finding_wait *wait = &finding->waits[i];
        const char *one = arena_format(s->arena,
                                       wait->near ? say(s, N_("warp %u (%u {thread|threads}) near line %u"))
                                                  : say(s, N_("warp %u (%u {thread|threads}) at line %u")),
                                       wait->warp, wait->threads, wait->line);
        text = i ? arena_format(s->arena, "%s, %s", text, one) : one;
    }
    if (finding->wait_total > finding->wait_count)
        text = arena_format(s->arena, say(s, N_("%s, and %u more {group|groups} of threads")), text,
                            finding->wait_total - finding->wait_count);
    return text;
}

static const char *say_barrier(const struct speech *s, const struct finding *finding)
{
    const struct finding_barrier *b = &finding->barrier;
    switch (finding->form) {
    case FINDING_BARRIER_TWO_LINES:
        return arena_format(s->arena,
                            say(s, N_("Divergent thread(s) in block: warp %u"
                                      " waits here, others at the barrier of line %u")),
                            b->warp, b->line);
    case FINDING_BARRIER_PART_OF_WARP:
        return arena_format(s->arena,
                            say(s, N_("Divergent thread(s) in warp %u: %u of its %u"
                                      " threads are at the barrier, the others elsewhere")),
                            b->warp, b->arrived, b->threads);
    case FINDING_BARRIER_NUMBER:
        return arena_format(s->arena,
                            say(s, N_("Barrier %llu for %llu threads: barriers are numbered 0 to 15 and wait for a "
                                      "multiple of 32 threads")),
                            (unsigned long long)b->number, (unsigned long long)b->expected);
    case FINDING_BARRIER_COUNT:
        return arena_format(s->arena, say(s, N_("Barrier %llu waits for %llu threads, the block has %u")),
                            (unsigned long long)b->number, (unsigned long long)b->expected, b->threads);
    default:
        return arena_format(s->arena,
                            say(s, N_("Barrier that some of the %u threads left never reach; these wait: %s")),
                            b->threads, waits_text(s, finding));
    }
}

static const char *say_mbarrier(const struct speech *s, const struct finding *finding)
{
    const struct finding_mbarrier *b = &finding->mbarrier;
    unsigned long long const offset = b->offset;
    switch (finding->form) {
    case FINDING_MBARRIER_UNINITIALIZED:
        return arena_format(s->arena, say(s, N_("The mbarrier at offset %llu of shared memory was never initialized")),
                            offset);
    case FINDING_MBARRIER_BYTES:
        return arena_format(s->arena,
                            say(s, N_("The mbarrier at offset %llu of shared memory is to wait for %lld bytes: at most "
                                      "%lld can be counted")),
                            offset, (long long)b->bytes, (long long)b->most);
    case FINDING_MBARRIER_ARRIVALS:
        return arena_format(
            s->arena,
            say(s, N_("%lld {arrival|arrivals} at the mbarrier at offset %llu of shared memory, which waits for "
                      "%lld more in this phase")),
            (long long)b->arrivals, offset, (long long)b->missing);
    case FINDING_MBARRIER_COUNT:
        return arena_format(s->arena, say(s, N_("An mbarrier for %lld {arrival|arrivals}: 1 to %lld can be")),
                            (long long)b->arrivals, (long long)b->most);
    default:
        return arena_format(
            s->arena,
            say(s, N_("A phase that never completes: the mbarrier at offset %llu of shared memory "
                      "still waits for %lld of %lld {arrival|arrivals} and %lld {byte|bytes}; these wait: %s")),
            offset, (long long)b->missing, (long long)b->expected, (long long)b->bytes, waits_text(s, finding));
    }
}

/* "0-15,31": the lanes of a mask. */
static const char *lanes_text(const struct speech *s, uint32_t mask)
{
    const char *text = "";
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        unsigned const first = lane;
        if (!(mask >> lane & 1))
            continue;
        while (lane + 1 < WARP_LANES && mask >> (lane + 1) & 1)
            lane++;
        const char *comma = *text ? "," : "";
        text = lane == first ? arena_format(s->arena, "%s%s%u", text, comma, first)
                             : arena_format(s->arena, "%s%s%u-%u", text, comma, first, lane);
    }
    return text;
}

static const char *say_mask(const struct speech *s, const struct finding *finding)
{
    const struct finding_mask *m = &finding->mask;
    switch (finding->form) {
    case FINDING_MASK_WAITS_WITHOUT_SELF:
        return arena_format(s->arena, say(s, N_("Lane %u waits for others with a mask, 0x%08x, that does not name it")),
                            m->lane, m->mask);
    case FINDING_MASK_RUNS_WITHOUT_SELF:
        return arena_format(s->arena, say(s, N_("Lane %u runs an instruction whose mask 0x%08x does not name it")),
                            m->lane, m->mask);
    case FINDING_MASK_UNMET:
        return arena_format(s->arena,
                            say(s, N_("Lanes %s wait for lanes %s, which their mask 0x%08x"
                                      " names and which never come; these wait: %s")),
                            lanes_text(s, m->here), lanes_text(s, m->missing), m->mask, waits_text(s, finding));
    default:
        return arena_format(s->arena,
                            say(s, N_("A matrix instruction needs all 32 lanes of its warp; lanes 0x%08x are here")),
                            m->here);
    }
}

static const char *both(const struct speech *s, const char *first, const char *second)
{
    return arena_format(s->arena, say(s, N_("%s; %s")), first, second);
}

static const char *say_loop(const struct speech *s, const struct finding *finding)
{
    const struct finding_loop *loop = &finding->loop;
    const char *text =
        finding->form == FINDING_DEADLOCKED
            ? arena_format(s->arena, say(s, N_("Warp %u waits here for memory that no thread changes any more")),
                           loop->warp)
        : finding->form == FINDING_SAME_AGAIN
            ? arena_format(s->arena,
                           say(s, N_("Warp %u never leaves this loop: it reads no memory, and each round ends "
                                     "with the same registers")),
                           loop->warp)
            : arena_format(s->arena, say(s, N_("The block ran %llu warp instructions without coming to its end")),
                           (unsigned long long)loop->instructions);
    if (finding->wait_count)
        text = both(s, text, arena_format(s->arena, say(s, N_("meanwhile these wait: %s")), waits_text(s, finding)));
    if (loop->other_blocks == 1)
        text = both(s, text, say(s, N_("1 other block has begun and waits as well")));
    else if (loop->other_blocks)
        text =
            both(s, text,
                 arena_format(s->arena, say(s, N_("%u other blocks have begun and wait as well")), loop->other_blocks));
    return text;
}

static const char *say_stack(const struct speech *s, const struct finding *finding)
{
    const struct finding_stack *stack = &finding->stack;
    if (finding->form == FINDING_STACK_CALLS)
        return arena_format(s->arena,
                            say(s, N_("Calls are %u deep and need more than the %llu bytes of stack of a thread")),
                            stack->depth, (unsigned long long)stack->size);
    return arena_format(
        s->arena, say(s, N_("alloca of %llu {byte|bytes}: a thread has %llu for it, and %llu of them {is|are} left")),
        (unsigned long long)stack->wanted, (unsigned long long)stack->size, (unsigned long long)stack->left);
}

static const char *say_assertion(const struct speech *s, const struct finding *finding)
{
    const struct finding_assertion *a = &finding->assertion;
    return arena_format(s->arena, say(s, N_("Assertion `%s` failed in %s (%s:%u)")), a->text, a->function, a->file,
                        a->line);
}

static const char *say_branch(const struct speech *s, const struct finding *finding)
{
    return arena_format(s->arena, say(s, N_("Branch table has %u {target|targets}, entry %llu was asked for")),
                        finding->branch.targets, (unsigned long long)finding->branch.index);
}

static const char *say_call(const struct speech *s, const struct finding *finding)
{
    return arena_format(s->arena, say(s, N_("Call of %s through a pointer to a function with other parameters")),
                        finding->call.function);
}

/* Returns the sentence of a trace file of version 1, which is English in every language. */
static const char *say_text(const struct speech *s, const struct finding *finding)
{
    (void)s; /* as all of these */
    return *finding->text.text ? finding->text.text : finding_word(finding);
}

/* Forms without arguments. */
static const char *say_none(const struct speech *s, const struct finding *finding)
{
    switch (finding->form) {
    case FINDING_DIVISION_BY_ZERO:
        return say(s, N_("Integer division by zero: hardware gives a number all the same"));
    case FINDING_STACK_MEMORY:
        return say(s, N_("No memory is left for another call"));
    case FINDING_STACK_RESTORE:
        return say(s, N_("stackrestore of a value that no stacksave returned"));
    case FINDING_TRAPPED:
        return say(s, N_("Kernel executed trap"));
    default:
        return say(s, N_("Call through a pointer to no function"));
    }
}

const char *report_message(struct arena *arena, enum report_language language, const struct finding *finding)
{
    struct speech const s = {arena, language};
    switch (finding->form) {
#define FINDING_FORM(name, word, kind, class, arguments)                                                               \
    case FINDING_##name:                                                                                               \
        return say_##arguments(&s, finding);
#include "trace/findings.def"
    default:
        return "";
    }
}

const char *report_unchecked(struct arena *arena, enum report_language language, const struct unchecked *unchecked)
{
    struct speech const s = {arena, language};
    enum { MIB = 1 << 20 };
    if (unchecked->reason == UNCHECKED_GPU)
        return say(&s, N_("--check was left out: only the emulator looks (--on emulator)"));
    if (unchecked->reason == UNCHECKED_MEMORY)
        return arena_format(
            arena,
            say(&s, N_("Races in global memory were looked for in the first %llu MiB that the kernel used, not in the "
                       "other %llu")),
            (unsigned long long)unchecked->watched_bytes / MIB,
            (unsigned long long)(unchecked->left_out_bytes + MIB - 1) / MIB);
    return NULL;
}
