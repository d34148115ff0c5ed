/* NVRTC in a child process: this program again, in a temporary folder that holds the source and receives the answer. */
#include "base/file.h"
#include "compile/compile.h"
#include "compile/nvrtc.h"
#include "compile/process.h"
#include <string.h>

#define CHILD_WORD "--compile-with-nvrtc"
enum { WORDS_BEFORE_OPTIONS = 4 }; /* program, CHILD_WORD, library, name of the source */
static const char source_file[] = "source", log_file[] = "log", ptx_file[] = "ptx";

static bool has_children;

static int serve(struct arena *arena, int argc, char **argv)
{
    struct nvrtc_job job = {.library = argv[2], .name = argv[3]};
    struct nvrtc_answer answer;
    char *text = NULL;
    job.options = (const char *const *)argv + WORDS_BEFORE_OPTIONS;
    job.option_count = argc - WORDS_BEFORE_OPTIONS;
    if (!file_read(arena, source_file, &text, NULL, NULL))
        return NVRTC_ABSENT;
    job.text = text;
    nvrtc_compile_here(arena, &job, &answer);
    bool const written = file_write(log_file, answer.log, strlen(answer.log), NULL) &&
                         file_write(ptx_file, answer.ptx, strlen(answer.ptx), NULL);
    return written ? answer.code : NVRTC_ABSENT;
}

bool compile_serve(int argc, char **argv, int *status)
{
    if (argc < WORDS_BEFORE_OPTIONS || strcmp(argv[1], CHILD_WORD) != 0) {
        has_children = true;
        return false;
    }
    struct arena arena = {0};
    *status = serve(&arena, argc, argv);
    arena_free(&arena);
    return true;
}

static const char *read_text(struct arena *arena, const char *folder, const char *name)
{
    char *text = NULL;
    return file_read(arena, arena_format(arena, "%s/%s", folder, name), &text, NULL, NULL) ? text : "";
}

static void ask_child(struct arena *arena, const char *folder, const struct nvrtc_job *job, struct nvrtc_answer *answer)
{
    const char **words = arena_array(arena, const char *, (size_t)job->option_count + WORDS_BEFORE_OPTIONS + 1);
    words[0] = "/proc/self/exe";
    words[1] = CHILD_WORD;
    words[2] = path_absolute(arena, job->library); /* the child has another folder */
    words[3] = job->name;
    for (int i = 0; i < job->option_count; i++)
        words[WORDS_BEFORE_OPTIONS + i] = job->options[i];
    int const code =
        process_compile(words, folder, arena_format(arena, "%s/output", folder), job->seconds, job->cancel);
    *answer = (struct nvrtc_answer){.code = code == PROCESS_ABSENT ? NVRTC_ABSENT : code};
    answer->log = read_text(arena, folder, log_file);
    answer->ptx = read_text(arena, folder, ptx_file);
}

bool nvrtc_compile_apart(struct arena *arena, const struct nvrtc_job *job, struct nvrtc_answer *answer,
                         struct error *error)
{
    struct workplace place;
    if (!has_children) {
        nvrtc_compile_here(arena, job, answer);
        return true;
    }
    if (!workplace_open(&place)) {
        error_set(error, ERROR_MISSING, "no temporary folder can be made for NVRTC");
        return error_remedy(error, "set TMPDIR to a writable folder");
    }
    const char *source = arena_format(arena, "%s/%s", place.folder, source_file);
    bool const written = file_write(source, job->text, strlen(job->text), error);
    if (written)
        ask_child(arena, place.folder, job, answer);
    workplace_close(&place);
    return written;
}
