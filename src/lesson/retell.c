/* A sentence is matched against the forms it can have; what stands at each %s is told again by itself and put where the
 * translation of the form wants it. The first form that fits counts, so those with more words stand first. A %s behind
 * "byte" is the s of the plural, or nothing. Where the forms come from: src/emulator, and `what:` of the lessons. */
#include "lesson/retell.h"
#include "base/words.h"
#include <stdbool.h>
#include <string.h>

static const char *const forms[] = {
    /* of memory */
    N_("Invalid write of size %s byte%s to %s, which is constant"),
    N_("Invalid %s of size %s byte%s through a null pointer (address %s)"),
    N_("Invalid %s of size %s byte%s: %s"),
    N_("Invalid bulk copy of %s byte%s from %s to %s: all must be multiples of 16"),
    N_("address %s is misaligned, it must be a multiple of %s"),
    N_("address %s is out of bounds, and no buffer is near"),
    N_("address %s is out of bounds: it %s"),
    N_("address %s is out of bounds and %s"),
    N_("offset %s is out of bounds of the %s byte%s of shared memory and %s"),
    N_("offset %s is out of bounds of the %s byte%s of shared memory"),
    N_("offset %s is out of bounds of the thread's %s byte%s"),
    N_("offset %s is out of bounds and %s, in %s"),
    N_("offset %s is out of bounds and %s"),
    N_("begins in %s of %s byte%s and ends beyond it"),
    N_("is %s byte%s after %s of %s byte%s, where %s would be"),
    N_("is %s byte%s before %s of %s byte%s, where %s would be"),
    N_("is %s byte%s after %s of %s byte%s"),
    N_("is %s byte%s before %s of %s byte%s"),
    N_("%s byte%s after the nearest memory that malloc gave"),
    N_("the memory was freed before"),
    N_("__global__ read"),
    N_("__global__ write"),
    N_("__shared__ read"),
    N_("__shared__ write"),
    N_("__local__ read"),
    N_("__local__ write"),
    N_("Uninitialized __shared__ memory read: nobody in the block has written byte %s of %s"),
    N_("Uninitialized __shared__ memory read: nobody in the block has written offset %s"),
    N_("Uninitialized __global__ memory read of size %s byte%s: nobody has written byte %s of %s"),
    /* of barriers, masks and waiting */
    N_("Divergent thread(s) in block: warp %s waits here, others at the barrier of line %s"),
    N_("Divergent thread(s) in warp %s: %s of its %s threads are at the barrier, the others elsewhere"),
    N_("Barrier %s for %s threads: barriers are numbered 0 to 15 and wait for a multiple of 32 threads"),
    N_("Barrier %s waits for %s threads, the block has %s"),
    N_("Barrier that some of the %s threads left never reach; these wait: %s"),
    N_("Lane %s waits for others with a mask, %s, that does not name it"),
    N_("Lane %s runs an instruction whose mask %s does not name it"),
    N_("Lanes %s wait for lanes %s, which their mask %s names and which never come; these wait: %s"),
    N_("A matrix instruction needs all 32 lanes of its warp; lanes %s are here"),
    N_("A phase that never completes: %s; these wait: %s"),
    N_("the mbarrier at offset %s of shared memory still waits for %s of %s arrivals and %s bytes"),
    N_("The mbarrier at offset %s of shared memory was never initialized"),
    N_("The mbarrier at offset %s of shared memory is to wait for %s bytes: at most %s can be counted"),
    N_("%s arrivals at the mbarrier at offset %s of shared memory, which waits for %s more in this phase"),
    N_("An mbarrier for %s arrivals: 1 to %s can be"),
    N_("Warp %s waits here for memory that no thread changes any more; %s"),
    N_("Warp %s waits here for memory that no thread changes any more"),
    N_("The block ran %s warp instructions without coming to its end; %s"),
    N_("The block ran %s warp instructions without coming to its end"),
    N_("meanwhile these wait: %s; %s"),
    N_("meanwhile these wait: %s"),
    N_("1 other block has begun and waits as well"),
    N_("%s other blocks have begun and wait as well"),
    N_("warp %s (%s threads) at line %s, %s"),
    N_("warp %s (%s threads) at line %s"),
    /* of all else */
    N_("Integer division by zero: hardware gives a number all the same"),
    N_("Branch table has %s targets, entry %s was asked for"),
    N_("Kernel executed trap"),
    N_("Call through a pointer that is no function"),
    N_("Call of %s through a pointer to a function with other parameters"),
    N_("Calls are %s deep and need more than the %s bytes of stack of a thread"),
    N_("No memory is left for another call"),
    N_("alloca of %s bytes, of %s that a thread has for it %s are left"),
    N_("stackrestore of what no stacksave gave"),
    N_("Assertion `%s` failed in %s"),
    N_("uninitialized read"),
    N_("write to read-only memory"),
    N_("invalid program counter"),
    N_("invalid stack pointer"),
    N_("Read after write: one thread reads what another wrote, with no barrier between"),
    N_("Write after read: one thread overwrites what another reads, with no barrier between"),
    N_("Write after write: two threads write the same place, with no barrier between"),
    N_("Read after write: one thread reads what another wrote, with nothing that orders them"),
    N_("Write after read: one thread overwrites what another reads, with nothing that orders them"),
    N_("Write after write: two threads write the same place, with nothing that orders them"),
    N_("--check was left out: only the emulator looks (--on emulator)"),
    N_("Races in global memory were looked for in the first %s MiB that the kernel used, not in the other %s"),
    N_("%s × float, block %s"),
    N_("%s × 32 lanes, %s rounds"),
};

enum { PIECES = 8 };
struct piece {
    const char *start;
    size_t length;
};

/* Whether the sentence has this form; pieces: what stands at each %s, as short as can be, the last one to the end. */
static bool fits(const char *form, const char *sentence, struct piece pieces[PIECES])
{
    size_t count = 0;
    for (const char *gap; (gap = strstr(form, "%s")); form = gap + 2) {
        size_t const words = (size_t)(gap - form);
        if (strncmp(sentence, form, words) != 0 || count == PIECES)
            return false;
        sentence += words;
        const char *next = gap + 2, *following = strstr(next, "%s");
        size_t const wanted = following ? (size_t)(following - next) : strlen(next);
        const char *end = following                    ? memmem(sentence, strlen(sentence), next, wanted)
                          : strlen(sentence) >= wanted ? sentence + strlen(sentence) - wanted
                                                       : NULL;
        if (!end)
            return false;
        pieces[count++] = (struct piece){sentence, (size_t)(end - sentence)};
        sentence = end;
    }
    return strcmp(form, sentence) == 0;
}

/* The translation with the pieces in it: %s the next one, %2$s the second. */
static const char *filled(struct arena *arena, const char *form, const struct piece pieces[PIECES])
{
    const char *text = "";
    unsigned next = 0;
    for (const char *gap; (gap = strchr(form, '%'));) {
        bool const numbered = gap[1] >= '1' && gap[1] <= '8' && gap[2] == '$';
        const struct piece *piece = &pieces[numbered ? (unsigned)(gap[1] - '1') : next++ % PIECES];
        const char *words = retell(arena, arena_text_n(arena, piece->start ? piece->start : "", piece->length));
        text = arena_format(arena, "%s%.*s%s", text, (int)(gap - form), form, words);
        form = gap + (numbered ? 4 : 2);
    }
    return arena_format(arena, "%s%s", text, form);
}

const char *retell(struct arena *arena, const char *sentence)
{
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; ++i) {
        struct piece pieces[PIECES] = {0};
        const char *form = _(forms[i]);
        if (form != forms[i] && fits(forms[i], sentence, pieces))
            return filled(arena, form, pieces);
    }
    return sentence;
}
