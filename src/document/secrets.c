/* What a step asks about. The stage hides these parts of the run until the question is answered. */
#include "document/document.h"
#include "lesson/expression.h"
#include "view/stage.h"
#include <string.h>

struct secret {
    const char *fact; /* a name, or the end of one behind the prefix of an access */
    unsigned secrets;
};

static const struct secret secrets_of[] = {
    {"lanes_active", SECRET_LANES},
    {"lanes_all", SECRET_LANES},
    {"bytes_used", SECRET_LANES},
    {"value_first", SECRET_LANES},
    {"value_last", SECRET_LANES},
    {"steps", SECRET_LANES},
    {"thread_instructions", SECRET_LANES},
    {"branches_divergent", SECRET_LANES},
    {"steps", SECRET_LANES},
    {"warps", SECRET_WARPS},
    {"faults", SECRET_STATES},
    {"hazards", SECRET_STATES},
    {"right", SECRET_STATES},
    {"wrong", SECRET_STATES},
    {"wrong_count", SECRET_STATES},
};

static void note(void *context, const char *text, size_t length)
{
    unsigned *secrets = context;
    for (size_t i = 0; i < sizeof secrets_of / sizeof *secrets_of; i++) {
        const char *fact = secrets_of[i].fact;
        size_t const size = strlen(fact);
        bool const ends = length >= size && strncmp(text + length - size, fact, size) == 0;
        if (ends && (length == size || text[length - size - 1] == '_'))
            *secrets |= secrets_of[i].secrets;
    }
}

unsigned document_secrets(const struct document *document)
{
    unsigned secrets = 0;
    if (!document_covered(document))
        return 0;
    const struct lesson_beat *beat = document_beat(document);
    if (beat->kind == BEAT_MARK)
        return beat->mark == CELLS_LANES || beat->mark == CELLS_THREADS ? SECRET_LANES : 0;
    expression_names(beat->answer, note, &secrets);
    return secrets;
}
