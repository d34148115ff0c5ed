/* What a step asks about. The stage hides these parts of the run until the question is answered. */
#include "document/document.h"
#include "lesson/expression.h"
#include "lesson/facts.h"

static void note(void *context, const char *text, size_t length)
{
    unsigned *secrets = context;
    *secrets |= fact_gives(text, length);
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
