#include "lesson/limits.h"
#include "base/lines.h"
#include "base/memory.h"
#include "run/options.h"
#include <string.h>

struct lesson_limits limits_of(bool installed)
{
    enum { COMPILER_SECONDS = 10, MEMORY_SHARE = 4 };
    static const uint64_t bytes = UINT64_C(1) << 30, block = 50000000, launch = 1000000000, own_block = 1000000000;
    if (installed) /* a lesson's blocks take far fewer: the limit ends an endless loop */
        return (struct lesson_limits){.block = own_block, .launch = run_most_work(own_block), .bytes = UINT64_MAX};
    uint64_t const share = memory_available() / MEMORY_SHARE;
    return (struct lesson_limits){
        .compiler_seconds = COMPILER_SECONDS, .block = block, .launch = launch, .bytes = share < bytes ? share : bytes};
}

unsigned lesson_compiler_seconds(const struct lesson *lesson)
{
    return lesson->plan->limits.compiler_seconds;
}

bool limits_allow_text(const char *path, const char *text, size_t size, struct error *error)
{
    unsigned braces = 0;
    if (size > LIMIT_TEXT_BYTES)
        return error_at(error, ERROR_INPUT, path, 0, 0, "has more than %d KiB", LIMIT_TEXT_BYTES >> 10);
    for (const char *word = text; *word;) {
        size_t const length = strcspn(word, " \t\r\n");
        if (length > LIMIT_WORD_BYTES)
            return error_at(error, ERROR_INPUT, path, (int)line_of(text, word), 0,
                            "has a word of more than %d {byte|bytes}", LIMIT_WORD_BYTES);
        for (size_t i = 0; i < length; i++)
            if (word[i] == '{' && ++braces > LIMIT_BRACES)
                return error_at(error, ERROR_INPUT, path, (int)line_of(text, word), 0,
                                "has more than %d opening {brace|braces}", LIMIT_BRACES);
        word += length + (word[length] != '\0');
    }
    return true;
}

bool limits_allow_launch(const struct lesson_plan *plan, const struct launch *launch, struct error *error)
{
    uint64_t bytes = 0; /* the counts are below 2^40 */
    for (uint32_t i = 0; i < launch->buffer_count; i++)
        bytes += launch->buffers[i].count * ptx_type_size(launch->buffers[i].type);
    if (plan->check >= 0 && launch->arguments[plan->check].is_buffer) { /* the expected values, as read and as stored */
        const struct launch_buffer *checked = &launch->buffers[launch->arguments[plan->check].buffer];
        bytes += checked->count * (sizeof(double) + ptx_type_size(checked->type));
    }
    return bytes <= plan->limits.bytes ||
           error_set(error, ERROR_INPUT,
                     "the buffers of this launch and their check take %.1f GB; a lesson that is not installed may take "
                     "%.1f GB here: a quarter of the free memory, and 1 GiB at most",
                     (double)bytes * 1e-9, (double)plan->limits.bytes * 1e-9);
}
