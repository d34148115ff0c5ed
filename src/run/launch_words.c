/* A table of options, each with its reader. A comment is split at white space: a word names its option, and the next
 * word or the text after a `=` is its value. Quotes are taken off as a shell does. Options of the command line override
 * those of the comment. */
#include "run/launch_words.h"
#include "base/file.h"
#include "base/words.h"
#include "run/fill.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef bool read_words(struct arena *arena, struct run_file_request *request, const char *value);

bool launch_number(const char *text, uint64_t minimum, uint64_t maximum, uint64_t *value)
{
    char *end;
    errno = 0;
    *value = strtoull(text, &end, strncmp(text, "0x", 2) == 0 ? 16 : 10);
    return *text >= '0' && *text <= '9' && *end == '\0' && errno == 0 && *value >= minimum && *value <= maximum;
}

static bool read_shape(struct arena *arena, const char *value, uint32_t shape[3])
{
    char *rest = arena_text(arena, value);
    shape[0] = shape[1] = shape[2] = 1;
    for (int axis = 0; rest; axis++) {
        const char *part = strsep(&rest, ",");
        uint64_t size;
        if (axis == 3 || !launch_number(part, 1, UINT32_MAX, &size))
            return false;
        shape[axis] = (uint32_t)size;
    }
    return true;
}

static bool read_kernel(struct arena *arena, struct run_file_request *request, const char *value)
{
    request->kernel = arena_text(arena, value);
    return *value;
}

static bool read_grid(struct arena *arena, struct run_file_request *request, const char *value)
{
    return read_shape(arena, value, request->grid);
}

static bool read_block(struct arena *arena, struct run_file_request *request, const char *value)
{
    return read_shape(arena, value, request->block);
}

static bool read_shared(struct arena *arena, struct run_file_request *request, const char *value)
{
    uint64_t bytes;
    (void)arena;
    if (!launch_number(value, 0, UINT32_MAX, &bytes))
        return false;
    request->shared_bytes = (uint32_t)bytes;
    return request->shared_said = true;
}

static bool read_argument(struct arena *arena, struct run_file_request *request, const char *value)
{
    size_t const count = request->argument_count;
    const char **arguments = arena_array(arena, const char *, count + 1);
    for (size_t i = 0; i < count; i++)
        arguments[i] = request->arguments[i];
    arguments[count] = arena_text(arena, value);
    request->arguments = arguments;
    request->argument_count = count + 1;
    return true;
}

static void add_define(struct arena *arena, struct run_file_request *request, struct compile_define define)
{
    size_t const count = request->define_count;
    struct compile_define *defines = arena_array(arena, struct compile_define, count + 1);
    for (size_t i = 0; i < count; i++)
        defines[i] = request->defines[i];
    defines[count] = define;
    request->defines = defines;
    request->define_count = count + 1;
}

static bool read_define(struct arena *arena, struct run_file_request *request, const char *value)
{
    char *name = arena_text(arena, value), *equals = strchr(name, '=');
    if (equals)
        *equals = '\0';
    add_define(arena, request, (struct compile_define){name, equals ? equals + 1 : "1"});
    return *name;
}

static bool read_budget(struct arena *arena, struct run_file_request *request, const char *value)
{
    (void)arena;
    return launch_number(value, 1, UINT64_MAX, &request->options.budget);
}

static bool read_compiler(struct arena *arena, struct run_file_request *request, const char *value)
{
    static const char *const names[] = {"any", "nvrtc", "clang", "shipped"};
    (void)arena;
    for (int i = 0; i < 4; i++)
        if (strcmp(value, names[i]) == 0) {
            request->compiler = (enum compiler)i;
            return true;
        }
    return false;
}

struct launch_row {
    const char *name;
    read_words *read;
    const char *complaint;
    int most; /* of a size, named in the complaint; 0: none */
};
static const struct launch_row rows[] = {
    {"kernel", read_kernel, N_("--kernel takes the name of a kernel, not '%s'"), 0},
    {"grid", read_grid, N_("--grid takes X[,Y[,Z]], each from 1 to %d, not '%s'"), LAUNCH_GRID_X_MAX},
    {"block", read_block, N_("--block takes X[,Y[,Z]], each from 1 to %d, not '%s'"), LAUNCH_THREADS_MAX},
    {"shared", read_shared, N_("--shared takes 0 to 4294967295 bytes, not '%s'"), 0},
    {"arg", read_argument, NULL, 0},
    {"define", read_define, N_("--define takes NAME=VALUE, not '%s'"), 0},
    {"budget", read_budget, N_("--budget takes a number of warp instructions, not '%s'"), 0},
    {"compiler", read_compiler, N_("--compiler takes any, nvrtc, clang or shipped, not '%s'"), 0},
};

static const struct launch_row *row_of(const char *name, struct error *error)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(name, rows[i].name) == 0)
            return &rows[i];
    error_set(error, ERROR_INPUT, "'--%s' is not a launch option", name);
    error_remedy(error,
                 "launch options are --kernel, --grid, --block, --shared, --arg, --define, --budget and --compiler");
    return NULL;
}

bool launch_option(struct arena *arena, struct run_file_request *request, const char *name, const char *value,
                   struct error *error)
{
    enum { LISTED_MOST = 1000 }; /* a kernel takes fewer; the limit bounds an endless comment */
    const struct launch_row *row = row_of(name, error);
    if (!row)
        return false;
    if (request->argument_count + request->define_count == LISTED_MOST)
        return error_set(error, ERROR_INPUT, "--arg and --define can be given %d {time|times} at most", LISTED_MOST);
    if (!value)
        return error_set(error, ERROR_INPUT, "option '--%s' needs a value", name);
    return row->read(arena, request, value) ||
           (row->most ? error_set(error, ERROR_INPUT, row->complaint, row->most, value)
                      : error_set(error, ERROR_INPUT, row->complaint, value));
}

static const char mark[] = "// lanescope:";

/* Returns the end of a part of the line in quotes, or NULL if `at` begins none. */
static const char *quote_end(const char *at)
{
    if (*at != '\'' && *at != '"')
        return NULL;
    const char *end = at + 1 + strcspn(at + 1, *at == '"' ? "\"\n" : "'\n");
    return *end == *at ? end : NULL;
}

/* Returns a copy of the next word of the line without the quotes of a shell, or NULL at the line's end. Moves *at past
 * the word. */
static const char *next_word(struct arena *arena, const char **at)
{
    *at += strspn(*at, " \t\r");
    const char *start = *at;
    char *word = arena_alloc(arena, strcspn(start, "\n") + 1);
    size_t length = 0;
    while (**at && !strchr(" \t\r\n", **at)) {
        const char *end = quote_end(*at);
        size_t const part = end ? (size_t)(end - *at) - 1 : 1;
        memcpy(word + length, *at + (end != NULL), part);
        length += part;
        *at += part + (end ? 2 : 0);
    }
    return *at > start ? word : NULL;
}

/* Splits `--grid 4`, `--grid=4`, `-D N=4` or `-DN=4` into name and value. The value is NULL when it is missing. */
static bool split_option(struct arena *arena, const char *word, const char **at, const char **name, const char **value)
{
    const char *equals = strchr(word, '=');
    *value = NULL;
    if (strncmp(word, "--", 2) == 0 && word[2]) {
        *name = equals ? arena_text_n(arena, word + 2, (size_t)(equals - word - 2)) : word + 2;
        *value = equals ? equals + 1 : next_word(arena, at);
    } else if (strncmp(word, "-D", 2) == 0) {
        *name = "define";
        *value = word[2] ? word + 2 : next_word(arena, at);
    } else {
        return false;
    }
    return true;
}

/* Sets the error of a word in the source, with its line and column. */
static bool wrong_word(const struct run_file_request *request, const char *source, const char *word_at,
                       const struct error *why, struct error *error)
{
    const char *start = source;
    int line = 1;
    for (const char *c = source; c < word_at; c++)
        if (*c == '\n') {
            start = c + 1;
            line++;
        }
    error_at(error, ERROR_INPUT, request->path, line, (int)(word_at - start) + 1, "%s", why->message);
    return *why->remedy ? error_remedy(error, "%s", why->remedy) : false;
}

/* A comment's file is below the folder of the file that holds the comment: whoever opens that file did not name it. */
static bool keep_inside(struct arena *arena, struct run_file_request *request, const char *value, struct error *why)
{
    const char *slash = strrchr(request->path, '/');
    const char *folder = slash ? arena_text_n(arena, request->path, (size_t)(slash - request->path) + 1) : ".";
    const char *kept = "", *at = value, *name;
    for (size_t length; (name = argument_file(value, at, &length)); at = name + length) {
        const char *own = arena_text_n(arena, name, length), *path = path_inside(arena, folder, own, why);
        if (!path)
            return error_set(why, ERROR_INPUT, "%s lies outside the folder of this file; give it on the command line",
                             own);
        kept = arena_format(arena, "%s%.*s%s", kept, (int)(name - at), at, path);
    }
    const char **arguments = (const char **)(uintptr_t)request->arguments;
    arguments[request->argument_count - 1] = arena_format(arena, "%s%s", kept, at);
    return true;
}

/* A comment cannot make a run longer than it is without: whoever opens the file may not know of it. */
static bool keep_bounded(const struct run_file_request *request, struct error *why)
{
    static const uint64_t most = UINT64_C(10000000000);
    return request->options.budget <= most ||
           error_set(why, ERROR_INPUT, "--budget is at most 10,000,000,000 in a comment; give it on the command line");
}

/* Reads one comment. `at` points behind its mark in the source. */
static bool read_comment(struct arena *arena, const char *source, const char *at, struct run_file_request *request,
                         struct error *error)
{
    for (const char *word, *word_at = at + strspn(at, " \t\r"); (word = next_word(arena, &at));
         word_at = at + strspn(at, " \t\r")) {
        const char *name, *value;
        struct error why = {0};
        if (!split_option(arena, word, &at, &name, &value))
            error_set(
                &why, ERROR_INPUT,
                "'%s' is not an option; a comment \"// lanescope:\" holds launch options, such as --grid 4 --block 256",
                word);
        else if (launch_option(arena, request, name, value, &why) &&
                 (strcmp(name, "arg") != 0 || keep_inside(arena, request, value, &why)) && keep_bounded(request, &why))
            continue;
        return wrong_word(request, source, word_at, &why, error);
    }
    return true;
}

/* Takes from the comment what the command line leaves out. Macros are merged; the command line decides where both
 * define one. */
static void fill_gaps(struct arena *arena, struct run_file_request *request, const struct run_file_request *comment)
{
    request->kernel = request->kernel ? request->kernel : comment->kernel;
    if (!request->grid[0])
        memcpy(request->grid, comment->grid, sizeof request->grid);
    if (!request->block[0])
        memcpy(request->block, comment->block, sizeof request->block);
    if (!request->shared_said) {
        request->shared_bytes = comment->shared_bytes;
        request->shared_said = comment->shared_said;
    }
    if (!request->argument_count) {
        request->arguments = comment->arguments;
        request->argument_count = comment->argument_count;
    }
    request->options.budget = request->options.budget ? request->options.budget : comment->options.budget;
    request->compiler = request->compiler ? request->compiler : comment->compiler;
    for (size_t i = 0; i < comment->define_count; i++) {
        bool known = false;
        for (size_t k = 0; k < request->define_count; k++)
            known = known || strcmp(request->defines[k].name, comment->defines[i].name) == 0;
        if (!known)
            add_define(arena, request, comment->defines[i]);
    }
}

bool launch_comment(struct arena *arena, struct run_file_request *request, bool *found, struct error *error)
{
    struct run_file_request chosen = {0};
    char *source;
    *found = false;
    if (!file_read(arena, request->path, &source, NULL, NULL))
        return true;
    for (const char *at = source; (at = strstr(at, mark));) {
        struct run_file_request comment = {.path = request->path};
        at += sizeof mark - 1;
        if (!read_comment(arena, source, at, &comment, error))
            return false;
        bool const named = request->kernel && comment.kernel && strcmp(request->kernel, comment.kernel) == 0;
        bool const others = request->kernel && comment.kernel && !named;
        if (!others && (named || !*found)) {
            chosen = comment;
            *found = true;
        }
    }
    if (*found)
        fill_gaps(arena, request, &chosen);
    return true;
}

static const char *shape_text(struct arena *arena, const char *option, const uint32_t shape[3])
{
    if (shape[2] > 1)
        return arena_format(arena, "--%s %u,%u,%u", option, shape[0], shape[1], shape[2]);
    return shape[1] > 1 ? arena_format(arena, "--%s %u,%u", option, shape[0], shape[1])
                        : arena_format(arena, "--%s %u", option, shape[0]);
}

const char *launch_text(struct arena *arena, const struct run_file_request *request, const uint32_t grid[3],
                        const uint32_t block[3])
{
    const char *text = arena_format(arena, "%s %s", shape_text(arena, "grid", grid), shape_text(arena, "block", block));
    if (request->kernel)
        text = arena_format(arena, "--kernel %s %s", words_shell(arena, request->kernel), text);
    if (request->shared_bytes)
        text = arena_format(arena, "%s --shared %u", text, request->shared_bytes);
    for (size_t i = 0; i < request->define_count; i++)
        text = arena_format(
            arena, "%s -D %s", text,
            words_shell(arena, request->defines[i].value
                                   ? arena_format(arena, "%s=%s", request->defines[i].name, request->defines[i].value)
                                   : request->defines[i].name));
    for (size_t i = 0; i < request->argument_count; i++)
        text = arena_format(arena, "%s --arg %s", text, words_shell(arena, request->arguments[i]));
    return text;
}
