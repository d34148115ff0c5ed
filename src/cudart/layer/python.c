/* Asks the interpreter that is in this process, by the names of its stable interface:
 * https://docs.python.org/3/c-api/frame.html. */
#include "cudart/layer/python.h"
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* member, name, result, parameters */
#define FUNCTIONS(X)                                                                                                   \
    X(is_there, Py_IsInitialized, int, (void))                                                                         \
    X(lock, PyGILState_Ensure, int, (void))                                                                            \
    X(unlock, PyGILState_Release, void, (int))                                                                         \
    X(frame, PyEval_GetFrame, void *, (void))                                                                          \
    X(line, PyFrame_GetLineNumber, int, (void *))                                                                      \
    X(code, PyFrame_GetCode, void *, (void *))                                                                         \
    X(back, PyFrame_GetBack, void *, (void *))                                                                         \
    X(member, PyObject_GetAttrString, void *, (void *, const char *))                                                  \
    X(text, PyUnicode_AsUTF8, const char *, (void *))                                                                  \
    X(clear, PyErr_Clear, void, (void))                                                                                \
    X(fetch, PyErr_Fetch, void, (void **, void **, void **))                                                           \
    X(restore, PyErr_Restore, void, (void *, void *, void *))                                                          \
    X(keep, Py_IncRef, void, (void *))                                                                                 \
    X(drop, Py_DecRef, void, (void *))

static struct python {
#define MEMBER(member, name, result, parameters) result(*member) parameters;
    FUNCTIONS(MEMBER)
} python;

/* Returns false without Python, or with one before 3.9. */
static bool find(void)
{
    static const char *const names[] = {
#define NAME(member, name, result, parameters) #name,
        FUNCTIONS(NAME)};
    enum { COUNT = sizeof names / sizeof *names };
    static int found; /* 1: yes, -1: no; more than one thread may look */
    void *addresses[COUNT];
    _Static_assert(sizeof addresses == sizeof python, "the table holds pointers to functions alone");
    for (size_t i = 0; i < COUNT && !found; i++)
        if (!(addresses[i] = dlsym(RTLD_DEFAULT, names[i])))
            found = -1;
    if (!found) {
        memcpy(&python, addresses, sizeof addresses);
        found = 1;
    }
    return found > 0;
}

/* How near a file is to what its user wrote. */
enum { ANY, NOT_INSTALLED, BESIDE_THE_FIRST };

static int nearness(const char *path, const char *first)
{
    static const char *const installed[] = {"/site-packages/", "/dist-packages/", "/lib/python", "/bin/"};
    const char *name = strrchr(first, '/');
    if (*path == '<') /* <frozen importlib> */
        return ANY;
    if (*path != '/') /* as its user named it; Python makes the path of what it finds by itself absolute */
        return BESIDE_THE_FIRST;
    for (size_t i = 0; i < sizeof installed / sizeof *installed; i++)
        if (strstr(path, installed[i]))
            return ANY;
    return *first && strncmp(path, first, name ? (size_t)(name - first) + 1 : 0) == 0 ? BESIDE_THE_FIRST
                                                                                      : NOT_INSTALLED;
}

/* Calls a function for each frame from the innermost on. */
static void walk(void (*look)(struct python_line *chosen, const char *path, int line), struct python_line *chosen)
{
    enum { MOST = 1000 };
    void *frame = python.frame();
    if (frame)
        python.keep(frame);
    for (int i = 0; frame && i < MOST; i++) {
        void *code = python.code(frame), *name = code ? python.member(code, "co_filename") : NULL;
        const char *path = name ? python.text(name) : NULL;
        if (path)
            look(chosen, path, python.line(frame));
        void *next = python.back(frame);
        if (name)
            python.drop(name);
        if (code)
            python.drop(code);
        python.drop(frame);
        frame = next;
    }
    if (frame)
        python.drop(frame);
}

static void take(struct python_line *chosen, const char *path, int line)
{
    snprintf(chosen->path, sizeof chosen->path, "%s", path);
    chosen->line = line;
}

static __thread const char *first_file; /* that the program began with, while the frames are looked at */
static __thread int best;

static void compare(struct python_line *chosen, const char *path, int line)
{
    int const near = nearness(path, first_file);
    if (near <= best)
        return;
    best = near;
    take(chosen, path, line);
}

void python_line(struct python_line *line)
{
    struct python_line first = {.path = ""};
    void *error[3];
    *line = first;
    if (!find() || !python.is_there())
        return;
    int const state = python.lock();
    python.fetch(&error[0], &error[1], &error[2]); /* the program's own, which is none of ours */
    walk(take, &first);                            /* the last one is the outermost */
    first_file = first.path;
    best = ANY - 1;
    walk(compare, line);
    python.clear();
    python.restore(error[0], error[1], error[2]);
    python.unlock(state);
}
