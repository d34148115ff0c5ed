/* A run that is older than its source. */
#include "base/words.h"
#include "document/document.h"
#include "document/program.h"

void document_say_stale(struct document *document)
{
    char line[900];
    struct newer_source newer;
    if (!document_newer_source(document, &newer))
        return;
    error_line(newer.error, line, (int)sizeof line);
    notice_say(document->notice, _("%s · greyed: the run before this version"), line);
    document->notice->bad = true;
}

bool document_newer_source(const struct document *document, struct newer_source *newer)
{
    const struct open_program *program = document->program;
    const struct open_file *file = &document->file;
    if (program && program->run && program->failed.kind)
        *newer = (struct newer_source){&program->failed, program->source, program->source_name};
    else if (!program && file->run && file->failed.kind)
        *newer = (struct newer_source){&file->failed, file->newer, file->newer_name};
    else
        return false;
    return true;
}
