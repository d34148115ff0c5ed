#include "run/native.h"
#include "base/file.h"
#include "compile/cache.h"
#include "compile/clang.h"
#include "compile/process.h"
#include "emulator/emulator.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Warp instructions, done and ahead, from which on a kernel is compiled: compiling takes as long as to interpret some
 * 70 million, and saves a third of what is left. */
enum { WORTH_COMPILING = 200000000 };
enum state { STATE_ABSENT, STATE_BEING_MADE, STATE_THERE, STATE_FAILED };

struct unit {
    struct digest key;
    enum state state;
    const void *table;
    uint64_t done;
    char *text; /* while it is being made */
    size_t size;
    struct unit *next;
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t made; /* some unit's state has changed */
    struct unit *units;
    struct compiler_status clang;
    char stamp[64]; /* of the compiler */
    bool looked;
} native = {.lock = PTHREAD_MUTEX_INITIALIZER, .made = PTHREAD_COND_INITIALIZER};

static const char *architecture(void)
{
    const char *lanes = emulator_lanes();
    return strcmp(lanes, "portable") == 0 ? NULL : lanes;
}

static bool has_clang(void)
{
    struct stat file;
    if (!native.looked) {
        native.looked = true;
        clang_find(&native.clang);
        if (native.clang.present && stat(native.clang.path, &file) == 0)
            snprintf(native.stamp, sizeof native.stamp, "%lld", (long long)file.st_mtime);
    }
    return native.clang.present;
}

/* ---- the compiler ---- */

/* Compiles a unit in a folder. Returns the path of the shared object, or NULL. */
static const char *compile(struct arena *arena, const struct workplace *place, const char *text, size_t size)
{
    const char *source = arena_format(arena, "%s/unit.c", place->folder);
    const char *object = arena_format(arena, "%s/unit.so", place->folder);
    const char *log = arena_format(arena, "%s/log", place->folder), *march = architecture();
    /* The floating-point options are those of emulator/lanes, whose functions the unit holds. */
    const char *const fixed[] = {native.clang.path,
                                 "-O2",
                                 "-w",
                                 "-std=gnu17",
                                 "-shared",
                                 "-fPIC",
                                 "-fvisibility=hidden",
                                 "-fno-strict-aliasing",
                                 "-ffp-contract=off",
                                 "-fno-math-errno",
                                 "-fno-trapping-math",
                                 "-mprefer-vector-width=512",
                                 "-o",
                                 object,
                                 source,
                                 "-lm"};
    enum { FIXED = sizeof fixed / sizeof *fixed };
    const char *words[FIXED + 2] = {NULL}; /* the last one ends the list */
    memcpy(words, fixed, sizeof fixed);
    words[FIXED] = march ? arena_format(arena, "-march=%s", march) : NULL;
    return file_write(source, text, size, NULL) && process_compile(words, place->folder, log, 0, NULL) == 0 ? object
                                                                                                            : NULL;
}

static const void *load(const char *path)
{
    void *object = cache_trusts(path) ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    return object ? dlsym(object, EMULATOR_NATIVE_SYMBOL) : NULL;
}

static const char *path_of(struct arena *arena, const struct unit *unit)
{
    const char *cache = folder_cache();
    return cache ? arena_format(arena, "%s/native-%s.so", cache, unit->key.text) : NULL;
}

static void *make(void *context)
{
    struct unit *unit = context;
    struct arena arena = {0};
    struct workplace place;
    const void *table = NULL;
    const char *path = path_of(&arena, unit);
    if (path && workplace_open(&place)) {
        const char *object = compile(&arena, &place, unit->text, unit->size);
        char *bytes;
        size_t size;
        if (object && file_read(&arena, object, &bytes, &size, NULL) && cache_store(path, bytes, size, true))
            table = load(path);
        workplace_close(&place);
    }
    pthread_mutex_lock(&native.lock);
    unit->table = table;
    unit->state = table ? STATE_THERE : STATE_FAILED;
    free(unit->text);
    unit->text = NULL;
    pthread_cond_broadcast(&native.made);
    pthread_mutex_unlock(&native.lock);
    arena_free(&arena);
    return NULL;
}

/* ---- units ---- */

/* The key covers all that the code depends on: the text, the compiler, the processor's instruction set. */
static struct digest key_of(const char *text, size_t size)
{
    char all[PATH_MAX + 200];
    const char *march = architecture();
    snprintf(all, sizeof all, "1 %s %s %s %s", native.clang.path, native.stamp, march ? march : "",
             digest_of(text, size).text);
    return digest_of(all, strlen(all));
}

static struct unit *unit_of(const char *text, size_t size)
{
    struct digest const key = key_of(text, size);
    for (struct unit *unit = native.units; unit; unit = unit->next)
        if (strcmp(unit->key.text, key.text) == 0)
            return unit;
    struct unit *unit = calloc(1, sizeof *unit);
    if (!unit)
        return NULL;
    struct arena arena = {0};
    unit->key = key;
    const char *path = path_of(&arena, unit);
    unit->table = path ? load(path) : NULL;
    unit->state = unit->table ? STATE_THERE : path ? STATE_ABSENT : STATE_FAILED;
    unit->next = native.units;
    native.units = unit;
    arena_free(&arena);
    return unit;
}

/* Begins to make a unit, in a thread of its own. */
static void begin(struct unit *unit, const char *text, size_t size)
{
    pthread_t thread;
    unit->text = malloc(size);
    if (!unit->text)
        return;
    memcpy(unit->text, text, size);
    unit->size = size;
    unit->state = STATE_BEING_MADE;
    if (pthread_create(&thread, NULL, make, unit) == 0) {
        pthread_detach(thread);
    } else {
        unit->state = STATE_FAILED;
        free(unit->text);
        unit->text = NULL;
    }
}

static const void *find(void *context, const char *text, size_t size, uint64_t done, uint64_t ahead, bool *hopeless)
{
    const struct emulator_native *maker = context;
    const void *table = NULL;
    pthread_mutex_lock(&native.lock);
    struct unit *unit = has_clang() ? unit_of(text, size) : NULL;
    if (unit) {
        unit->done += done;
        if (unit->state == STATE_ABSENT && (maker->always || unit->done + ahead >= WORTH_COMPILING))
            begin(unit, text, size);
        while (maker->always && unit->state == STATE_BEING_MADE)
            pthread_cond_wait(&native.made, &native.lock);
        table = unit->table;
    }
    *hopeless = !unit || unit->state == STATE_FAILED;
    pthread_mutex_unlock(&native.lock);
    return table;
}

const struct emulator_native *native_maker(void)
{
    static const struct emulator_native when_long = {.context = (void *)&when_long, .find = find},
                                        always = {.context = (void *)&always, .always = true, .find = find};
    const char *tier = getenv("LANESCOPE_TIER");
    if (tier && strcmp(tier, "interpreter") == 0)
        return NULL;
    return tier && strcmp(tier, "compiled") == 0 ? &always : &when_long;
}

bool native_try(double *seconds)
{
    struct arena arena = {0};
    struct workplace place;
    size_t size;
    pthread_mutex_lock(&native.lock);
    char *text = has_clang() ? emulator_native_least(&size) : NULL;
    pthread_mutex_unlock(&native.lock);
    bool const ready = text && workplace_open(&place);
    double const begun = clock_seconds();
    bool const fine = ready && compile(&arena, &place, text, size);
    *seconds = clock_seconds() - begun;
    if (ready)
        workplace_close(&place);
    free(text);
    arena_free(&arena);
    return fine;
}
