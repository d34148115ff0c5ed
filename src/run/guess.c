/* Completes the launch of a kernel's file. A comment in its source can give the launch (run/launch_words.h). Where it
 * does not, the constants of a launch between <<< and >>> in the source count (source/launch.h). What is still
 * missing is guessed: 4 blocks of 256 threads, a thread for each element. If the kernel takes the number of elements,
 * that is 992: the last warp has no element, so that a missing `i < n` is found. If it does not, there are 1024
 * elements. If the kernel multiplies by an integer parameter, the array is taken as a matrix of 56 x 56 with a thread
 * for each row; if it uses threadIdx.y, a thread for each element. Arrays have exactly this many elements, so that an
 * index beyond is found. */
#include "run/guess.h"
#include "base/mangled.h"
#include "base/words.h"
#include "ptx/element.h"
#include "ptx/uses.h"
#include "run/fill.h"
#include "run/kernel_words.h"
#include "run/launch_words.h"
#include "source/kernel.h"
#include "source/launch.h"
#include <inttypes.h>
#include <string.h>

static const struct ptx_function *first_kernel(const struct ptx_module *module)
{
    for (uint32_t i = 0; i < module->function_count; i++)
        if (module->functions[i].is_kernel && module->functions[i].has_body)
            return &module->functions[i];
    return NULL;
}

/* Returns whether the parameter can be the length of a row. The factor of `a * x[i]` cannot. */
static bool is_whole(const struct source_parameter *parameter)
{
    return !parameter->pointer && !ptx_is_real(parameter->type);
}

/* Returns whether the name is one that programs give to a number of elements. */
static bool names_length(const char *name)
{
    static const char *const names[] = {"n",     "N",      "len",  "length",  "size", "count",    "num",
                                        "width", "height", "rows", "columns", "cols", "elements", "num_elements",
                                        "m",     "M",      "k",    "K",       "nx",   "ny"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* What the launch is made from. */
struct guessing {
    const struct ptx_use *uses; /* of the parameters, in PTX */
    uint32_t use_count;
    struct arena *arena;
    const struct ptx_module *module;
    const struct ptx_function *kernel;
    const struct source *source;
    const struct source_parameter *named; /* NULL: the source does not show the parameters */
    struct source_launch launch;          /* of the source; line 0: it has none */
    bool square, matrix;                  /* threads of two dimensions; rows of a matrix */
    unsigned side, elements;              /* of a row or an array without rows; of all rows */
    unsigned dynamic;                     /* bytes of shared memory that the launch gives */
};

/* Returns whether the parameter is a whole number, and no structure. */
static bool is_number(const struct guessing *guessing, uint32_t index)
{
    const struct ptx_variable *parameter = &guessing->kernel->parameters[index];
    return is_whole(&guessing->named[index]) && parameter->size <= ptx_type_size(parameter->type);
}

/* Returns whether the parameter counts elements. */
static bool is_count(const struct guessing *guessing, uint32_t index)
{
    const char *name = guessing->named[index].name;
    return is_number(guessing, index) && (names_length(name) || source_compares(guessing->source, name));
}

static bool is_length(const struct guessing *guessing, uint32_t index)
{
    const struct source_parameter *named = &guessing->named[index];
    return is_number(guessing, index) && (names_length(named->name) || source_compares(guessing->source, named->name) ||
                                          source_multiplies(guessing->source, named->name));
}

/* Returns the number that the launch in the source gives a parameter, in words, or NULL. */
static const char *number_given(const struct guessing *guessing, uint32_t index)
{
    const struct source_launch *launch = &guessing->launch;
    return launch->argument_count == guessing->kernel->parameter_count ? launch->arguments[index] : NULL;
}

/* Returns how many elements arrays need by the lengths among the launch's numbers, and in *row the largest of them. 0:
 * no length is given. */
static uint64_t elements_given(const struct guessing *guessing, uint64_t *row)
{
    uint64_t largest = 0, second = 0;
    for (uint32_t i = 0; guessing->named && i < guessing->kernel->parameter_count; i++) {
        const char *words = number_given(guessing, i);
        uint64_t length;
        if (!words || !is_length(guessing, i) || !launch_number(words, 1, UINT32_MAX, &length))
            continue;
        second = length > largest ? largest : length > second ? length : second;
        largest = length > largest ? length : largest;
    }
    *row = largest;
    return guessing->matrix ? largest * (second ? second : largest) : largest;
}

/* Returns whether a structure among the parameters has the number of elements. */
static bool has_counting_member(const struct guessing *guessing)
{
    for (uint32_t i = 0; guessing->named && i < guessing->kernel->parameter_count; i++) {
        const struct ptx_layout *layout = guessing->named[i].pointer ? NULL : guessing->named[i].layout;
        for (uint32_t k = 0; layout && k < layout->field_count; k++)
            if (layout->fields[k].whole && names_length(layout->fields[k].name))
                return true;
    }
    return false;
}

/* Forgets the source's grid and numbers where an emulator would take minutes for them. */
static void bound_launch(struct guessing *guessing)
{
    enum { THREADS_MOST = 1 << 20, ELEMENTS_MOST = 1 << 22 };
    struct source_launch *launch = &guessing->launch;
    uint64_t row;
    bool const wide =
        launch->grid[0] > THREADS_MOST || launch->grid[1] > LAUNCH_GRID_YZ_MAX || launch->grid[2] > LAUNCH_GRID_YZ_MAX;
    bool const many = launch->grid[0] && (wide || launch_count(launch->grid) > THREADS_MOST ||
                                          launch_count(launch->grid) * launch_count(launch->block) > THREADS_MOST);
    if (launch_count(launch->block) > LAUNCH_THREADS_MAX)
        memset(launch->block, 0, sizeof launch->block);
    if (!many && elements_given(guessing, &row) <= ELEMENTS_MOST)
        return;
    memset(launch->grid, 0, sizeof launch->grid);
    launch->argument_count = 0;
}

static uint32_t blocks_for(uint64_t threads, uint32_t block)
{
    return (uint32_t)((threads + block - 1) / block);
}

/* Sets the block to the size that a constant of the source names: kernels count on it for their shared arrays. */
static void use_named_block(const struct guessing *guessing, struct run_file_request *request)
{
    static const char *const names[] = {
        "BLOCK",      "BLOCK_SIZE",  "BLOCKSIZE",  "BLOCK_DIM", "THREADS",   "THREADS_PER_BLOCK",
        "NTHREADS",   "NUM_THREADS", "TPB",        "TILE",      "TILE_DIM",  "TILE_SIZE",
        "TILE_WIDTH", "BS",          "kBlockSize", "blockSize", "block_size"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        uint32_t const size = source_size_named(guessing->source, names[i]);
        bool const fits = guessing->square ? size >= 2 && size <= 32 : size >= 16 && size <= LAUNCH_THREADS_MAX;
        if (!fits)
            continue;
        request->block[0] = size;
        request->block[1] = guessing->square ? size : 1;
        return;
    }
}

/* Sets grid and block, as far as they are not given, and the sizes of arrays. */
static void choose_shape(struct guessing *guessing, struct run_file_request *request, struct launch_guess *guess)
{
    static const uint32_t blocks[3][3] = {{256, 1, 1}, {32, 1, 1}, {16, 16, 1}};
    static const uint32_t grids[3][3] = {{4, 1, 1}, {2, 1, 1}, {4, 4, 1}};
    const struct source_launch *launch = &guessing->launch;
    int const kind = guessing->square ? 2 : guessing->matrix;
    bool counted = has_counting_member(guessing); /* the kernel takes the number of elements */
    for (uint32_t i = 0; guessing->named && i < guessing->kernel->parameter_count; i++)
        counted = counted || is_count(guessing, i);
    const uint32_t *required = guessing->kernel->required_threads;
    bool const said = request->block[0] != 0, must = !said && required[0];
    bool const taken = !said && !must && launch->block[0];
    uint64_t row, given = elements_given(guessing, &row);
    if (!said)
        memcpy(request->block, must ? required : taken ? launch->block : blocks[kind], sizeof request->block);
    if (!said && !must && !taken)
        use_named_block(guessing, request);
    uint64_t const bound = launch_bound(guessing->kernel);
    if (!said && !must && !taken && bound && (!guessing->named || launch_count(request->block) > bound))
        for (int i = 0; i < 3;
             i++) /* PTX without its source: compilers such as Triton declare the block that they need */
            request->block[i] = guessing->kernel->max_threads[i] ? guessing->kernel->max_threads[i] : 1;
    guess->block = said ? LAUNCH_SAID : must ? LAUNCH_REQUIRED : taken ? LAUNCH_FROM_SOURCE : LAUNCH_GUESSED;
    guessing->side = guessing->matrix ? (counted ? 56 : 64) : counted ? 992 : 1024;
    if (request->grid[0]) {
        guess->grid = LAUNCH_SAID;
    } else if (taken && launch->grid[0]) {
        memcpy(request->grid, launch->grid, sizeof request->grid);
        guess->grid = LAUNCH_FROM_SOURCE;
    } else {
        uint64_t const width = given ? row : kind == 0 ? 1024 : 64;
        guess->grid = LAUNCH_GUESSED;
        memcpy(request->grid, grids[kind], sizeof request->grid);
        request->grid[0] = blocks_for(width, request->block[0]);
        if (guessing->square)
            request->grid[1] = blocks_for(width, request->block[1]);
    }
    if (guess->grid != LAUNCH_GUESSED && !given) { /* a thread has an element, but the last ones have none */
        uint64_t const wide = (uint64_t)request->grid[0] * request->block[0];
        uint64_t const high = (uint64_t)request->grid[1] * request->block[1];
        uint64_t const most = guessing->square && high < wide ? high : wide, less = guessing->matrix ? 8 : 32;
        uint64_t const bounded = guessing->matrix && most > 1024 ? 1024 : most;
        guessing->side = (unsigned)(counted && bounded > 2 * less ? bounded - less : bounded);
    } else if (given) {
        guessing->side = (unsigned)row;
    }
    guessing->elements = given ? (unsigned)given : guessing->matrix ? guessing->side * guessing->side : guessing->side;
}

/* Returns whether the dynamic shared memory is declared with doubles. */
static bool has_wide_shared(const struct source *source)
{
    for (uint32_t i = 1; i < source->count; i++) {
        bool const dynamic = source_is(&source->tokens[i], "__shared__") && source_is(&source->tokens[i - 1], "extern");
        for (uint32_t k = i; dynamic && k < source->count && !source_is(&source->tokens[k], ";"); k++)
            if (strncmp(source->tokens[k].text, "double", 6) == 0)
                return true;
    }
    return false;
}

static bool has_dynamic_shared(const struct ptx_variable *variables, uint32_t count)
{
    bool found = false;
    for (uint32_t i = 0; i < count; i++)
        found = found || (variables[i].space == PTX_SPACE_SHARED && variables[i].size == 0);
    return found;
}

/* Sets the bytes of dynamic shared memory that a kernel needs with which nobody gives it any: two arrays of an element
 * for each thread. */
static void choose_shared(struct guessing *guessing, struct run_file_request *request, const struct launch_guess *guess)
{
    if (request->shared_said || guess->block == LAUNCH_SAID)
        return;
    request->shared_bytes = guessing->launch.shared_bytes;
    if (!request->shared_bytes && (has_dynamic_shared(guessing->module->variables, guessing->module->variable_count) ||
                                   has_dynamic_shared(guessing->kernel->variables, guessing->kernel->variable_count))) {
        bool const wide = has_wide_shared(guessing->source);
        request->shared_bytes = (uint32_t)(launch_count(request->block) * (wide ? 16 : 8));
        guessing->dynamic = request->shared_bytes;
    }
}

/* Returns the member of a structure as `--arg` writes it: 1, or the number of elements if its name says so. NULL: it
 * is made of others. */
static const char *member_words(const struct guessing *guessing, const struct ptx_field *field)
{
    static const char *const wholes[] = {[1] = "u8", [2] = "u16", [4] = "i32", [8] = "i64"};
    struct arena *arena = guessing->arena;
    if ((!field->whole && !field->real) || field->bytes > 8 || field->count > 64)
        return NULL;
    const char *type = field->real ? (field->bytes == 8 ? "f64" : "f32") : wholes[field->bytes];
    if (!field->count)
        return arena_format(arena, "%s=%u", type,
                            field->whole && field->bytes >= 4 && names_length(field->name) ? guessing->side : 1);
    const char *all = "1";
    for (uint64_t i = 1; i < field->count; i++)
        all = arena_format(arena, "%s,1", all);
    return arena_format(arena, "%s[%" PRIu64 "]={%s}", type, field->count, all);
}

/* Returns a buffer as `--arg` writes it. */
static const char *buffer_words(const struct guessing *guessing, enum ptx_type type, unsigned numbers)
{
    enum { NUMBERS_MOST = 1 << 26 };
    uint64_t const all = (uint64_t)guessing->elements * numbers;
    return arena_format(guessing->arena, "%s[%" PRIu64 "]=iota", fill_type_name(type ? type : PTX_F32),
                        all < NUMBERS_MOST ? all : NUMBERS_MOST);
}

/* Returns what the kernel reads at this place of a parameter, or NULL. */
static const struct ptx_use *use_at(const struct guessing *guessing, uint32_t index, uint64_t offset)
{
    for (uint32_t i = 0; i < guessing->use_count; i++)
        if (guessing->uses[i].parameter == index && guessing->uses[i].offset == offset)
            return &guessing->uses[i];
    return NULL;
}

/* Returns the member that the kernel reads as a buffer or a number. */
static const char *used_words(const struct guessing *guessing, const struct ptx_use *use)
{
    if (use->pointer)
        return buffer_words(guessing, use->type, 1);
    bool const one = ptx_is_real(use->type) || use->bytes < 4;
    return arena_format(guessing->arena, "%s=%u", fill_type_name(use->type), one ? 1 : guessing->side);
}

static void add_member(const struct guessing *guessing, const char **members, const char *member)
{
    *members = **members ? arena_format(guessing->arena, "%s,%s", *members, member) : member;
}

/* Adds zeros for the bytes of a structure of this size that the kernel never reads. No member is so wide that the
 * structure had to be padded for it. */
static void add_zeros(const struct guessing *guessing, const char **members, uint64_t from, uint64_t to, uint64_t size)
{
    static const char *const wholes[] = {[1] = "u8", [2] = "u16", [4] = "i32", [8] = "i64"};
    while (from < to) {
        uint64_t width = 8;
        while (from % width || size % width || width > to - from)
            width /= 2;
        uint64_t const count = width == 8 || size % 8 ? (to - from) / width : 1;
        add_member(guessing, members,
                   count > 1 ? arena_format(guessing->arena, "%s[%" PRIu64 "]={}", wholes[width], count)
                             : arena_format(guessing->arena, "%s=0", wholes[width]));
        from += count * width;
    }
}

/* Returns a structure whose members the source does not show: those that the kernel reads. */
static const char *used_structure(const struct guessing *guessing, uint32_t index)
{
    uint64_t const size = guessing->kernel->parameters[index].size;
    const char *members = "";
    uint64_t at = 0;
    for (uint32_t i = 0; i < guessing->use_count; i++) {
        const struct ptx_use *use = &guessing->uses[i];
        if (use->parameter != index || use->offset < at || use->offset % use->bytes)
            continue;
        add_zeros(guessing, &members, at, use->offset, size);
        add_member(guessing, &members, used_words(guessing, use));
        at = use->offset + use->bytes;
    }
    add_zeros(guessing, &members, at, size, size);
    return arena_format(guessing->arena, "struct{%s}", members);
}

/* Returns the structures of Warp's kernels, whose strides in bytes no number of elements replaces: the bounds of the
 * launch, which come first, or an array of one dimension. NULL: it is none. */
static const char *warp_structure(const struct guessing *guessing, uint32_t index)
{
    enum { BOUNDS = 32, ARRAY = 56 };
    size_t const size = guessing->kernel->parameters[index].size;
    const struct ptx_use *data = use_at(guessing, index, 0);
    unsigned const all = guessing->elements;
    if (!strstr(guessing->kernel->name, "_cuda_kernel_"))
        return NULL;
    if (index == 0 && size == BOUNDS)
        return arena_format(guessing->arena, "struct{i32[4]={%u,1,1,1},i32=1,i64=%u}", all, all);
    if (size != ARRAY || !data || !data->pointer)
        return NULL;
    const struct ptx_use *gradient = use_at(guessing, index, 8);
    unsigned const bytes = (unsigned)ptx_type_size(data->type ? data->type : PTX_F32);
    return arena_format(
        guessing->arena, "struct{%s,%s,i32[4]={%u,1,1,1},i32[4]={%u,%u,%u,%u},i32=1,i32=0}", used_words(guessing, data),
        gradient && gradient->pointer ? used_words(guessing, gradient) : "i64=0", all, bytes, bytes, bytes, bytes);
}

/* Returns the argument for a structure: its members where the source shows them, else those that the kernel reads. */
static const char *structure_argument(const struct guessing *guessing, uint32_t index)
{
    struct arena *arena = guessing->arena;
    size_t const size = guessing->kernel->parameters[index].size;
    const struct ptx_layout *layout = guessing->named ? guessing->named[index].layout : NULL;
    const char *members = layout && layout->element == size ? "" : NULL;
    for (uint32_t i = 0; members && i < layout->field_count; i++) {
        const struct ptx_use *use = use_at(guessing, index, layout->fields[i].offset);
        const char *member = use && use->pointer && layout->fields[i].bytes == 8 && !layout->fields[i].count
                                 ? used_words(guessing, use)
                                 : member_words(guessing, &layout->fields[i]);
        members = member ? arena_format(arena, "%s%s%s", members, i ? "," : "", member) : NULL;
    }
    if (members)
        return arena_format(arena, "struct{%s}", members);
    const char *of_warp = warp_structure(guessing, index);
    return of_warp ? of_warp : used_structure(guessing, index);
}

/* Returns the type of the numbers that a buffer for this parameter holds: float where it is not known. */
static enum ptx_type element_type(const struct source_parameter *named)
{
    return named && named->type ? named->type : PTX_F32;
}

/* Returns how many numbers an element of a pointer's array has: 4 of a float4, those of a structure. */
static unsigned numbers_of(const struct source_parameter *named, enum ptx_type type)
{
    enum { UNKNOWN = 4 }; /* of a structure of unknown size: long enough that no index is accused */
    size_t const width = ptx_type_size(type);
    return named->bytes ? (unsigned)((named->bytes + width - 1) / width) : UNKNOWN;
}

/* Returns the argument guessed for a parameter, or the number that the launch in the source gives it: then *taken. */
static const char *chosen_argument(struct guessing *guessing, uint32_t index, bool *taken)
{
    struct arena *arena = guessing->arena;
    const struct ptx_variable *parameter = &guessing->kernel->parameters[index];
    const struct source_parameter *named = guessing->named ? &guessing->named[index] : NULL;
    const char *number = number_given(guessing, index);
    bool const known = named && (named->pointer || named->bytes);
    const struct ptx_use *use = named ? NULL : use_at(guessing, index, 0);
    bool const wide = parameter->size == 8 && (parameter->type == PTX_U64 || parameter->type == PTX_B64);
    bool const pointer = known ? named->pointer : wide && (!use || use->pointer);
    *taken = false;
    if (pointer) {
        enum ptx_type const type = use ? use->type : element_type(named);
        return buffer_words(guessing, type, named ? numbers_of(named, type) : 1);
    }
    if (parameter->size > ptx_type_size(parameter->type))
        return structure_argument(guessing, index);
    bool const bits = parameter->type == PTX_B32 || parameter->type == PTX_B64 || parameter->size < 4; /* as declared */
    if (bits && use && ptx_is_real(use->type) && use->bytes == parameter->size)
        return arena_format(arena, "%s=1", fill_type_name(use->type));
    bool const real = parameter->type == PTX_F32 || parameter->type == PTX_F64;
    uint64_t whole;
    *taken = number && (real || (parameter->size >= 4 && launch_number(number, 0, INT32_MAX, &whole)));
    if (real)
        return arena_format(arena, "%s=%s", parameter->type == PTX_F32 ? "f32" : "f64", *taken ? number : "1");
    if (parameter->size < 4)
        return parameter->size == 1 ? "u8=1" : "u16=1";
    const char *type = parameter->size >= 8 ? "u64" : "i32";
    return *taken ? arena_format(arena, "%s=%s", type, number) : arena_format(arena, "%s=%u", type, guessing->side);
}

static void add_word(struct arena *arena, const char **list, const char *word)
{
    *list = **list ? arena_format(arena, "%s, %s", *list, word) : word;
}

static void choose_arguments(struct guessing *guessing, struct run_file_request *request, struct launch_guess *guess)
{
    struct arena *arena = guessing->arena;
    uint32_t const count = guessing->kernel->parameter_count;
    const char **arguments = arena_array(arena, const char *, (size_t)count + 1);
    const char **names = arena_array(arena, const char *, (size_t)count + 1);
    guess->names = names;
    for (uint32_t i = 0; i < count; i++) {
        bool taken;
        arguments[i] = chosen_argument(guessing, i, &taken);
        const char *name = guessing->named ? guessing->named[i].name : arena_format(arena, "arg%u", i);
        names[i] = name;
        add_word(arena, taken ? &guess->taken : &guess->guessed, name);
        if (strchr(arguments[i], '['))
            guess->elements = guessing->elements;
    }
    request->arguments = arguments;
    request->argument_count = count;
}

static void begin_guess(struct arena *arena, const struct run_file_request *request, const struct ptx_module *module,
                        const char *source, struct guessing *guessing)
{
    *guessing = (struct guessing){.arena = arena, .module = module};
    guessing->source = source_read(arena, source, request->defines, request->define_count, SOURCE_TAKEN);
    guessing->kernel = kernel_chosen(arena, module, request->kernel);
    if (!guessing->kernel && !request->kernel && request->first_kernel)
        guessing->kernel = first_kernel(module);
    if (!guessing->kernel)
        return;
    guessing->uses = ptx_uses(arena, guessing->kernel, &guessing->use_count);
    guessing->named = source_kernel_find(guessing->source, guessing->kernel).parameters;
    guessing->square = strstr(module->text, "%tid.y") || strstr(module->text, "%ctaid.y");
    guessing->matrix = guessing->square;
    for (uint32_t i = 0; guessing->named && i < guessing->kernel->parameter_count; i++)
        guessing->matrix = guessing->matrix ||
                           (is_number(guessing, i) && source_multiplies(guessing->source, guessing->named[i].name));
    if (!source_launch_find(guessing->source, mangled_name(arena, guessing->kernel->name), &guessing->launch))
        guessing->launch = (struct source_launch){0};
    bound_launch(guessing);
}

bool launch_guess(struct arena *arena, struct run_file_request *request, struct launch_guess *guess,
                  struct error *error)
{
    bool commented;
    struct target target;
    *guess = (struct launch_guess){.taken = "", .guessed = ""};
    if (!launch_comment(arena, request, &commented, error))
        return false;
    if (request->argument_count && request->block[0])
        return true;
    struct target_request const wanted = file_target(request);
    if (!target_load(arena, &wanted, &target, error))
        return false;
    launch_guess_of(arena, request, target.module, target.source, guess);
    return true;
}

void launch_guess_of(struct arena *arena, struct run_file_request *request, const struct ptx_module *module,
                     const char *source, struct launch_guess *guess)
{
    struct guessing guessing;
    *guess = (struct launch_guess){.taken = "", .guessed = ""};
    begin_guess(arena, request, module, source, &guessing);
    const struct ptx_function *kernel = guessing.kernel;
    if (!kernel) /* the run says what is wrong */
        return;
    if (request->argument_count || (!kernel->parameter_count && !guessing.launch.block[0])) { /* nothing is guessed */
        if (!request->block[0])
            memcpy(request->block, kernel->required_threads, sizeof request->block);
        return;
    }
    if (!ptx_kernel(guessing.module, NULL) && !request->kernel) /* of several kernels the first */
        request->kernel = kernel_words(arena, guessing.module, kernel);
    choose_shape(&guessing, request, guess);
    choose_shared(&guessing, request, guess);
    choose_arguments(&guessing, request, guess);
    guess->shared = guessing.dynamic;
    guess->line = guessing.launch.line;
    guess->any = guess->grid == LAUNCH_GUESSED || guess->block == LAUNCH_GUESSED || *guess->guessed || guess->shared;
}

const char *launch_guess_words(struct arena *arena, const struct launch_guess *guess)
{
    const char *taken = "", *guessed = "";
    if (guess->grid != LAUNCH_SAID)
        add_word(arena, guess->grid == LAUNCH_GUESSED ? &guessed : &taken, _("grid"));
    if (guess->block == LAUNCH_FROM_SOURCE || guess->block == LAUNCH_GUESSED)
        add_word(arena, guess->block == LAUNCH_GUESSED ? &guessed : &taken, _("block"));
    if (guess->shared)
        add_word(arena, &guessed, _("shared memory"));
    if (*guess->taken)
        add_word(arena, &taken, guess->taken);
    if (*guess->guessed)
        add_word(arena, &guessed, guess->guessed);
    const char *count = words_count(arena, guess->elements);
    guessed = guess->elements ? arena_format(arena, _("Guessed: %s; arrays of %s elements."), guessed, count)
                              : arena_format(arena, _("Guessed: %s."), guessed);
    return *taken && guess->line
               ? arena_format(arena, _("%s From the launch in line %u: %s."), guessed, guess->line, taken)
               : guessed;
}
