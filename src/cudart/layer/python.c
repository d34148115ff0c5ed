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

static void add(struct python_lines *lines, void *frame)
{
    void *code = python.code(frame), *name = code ? python.member(code, "co_filename") : NULL;
    const char *path = name ? python.text(name) : NULL;
    if (path) {
        snprintf(lines->frames[lines->count].path, PYTHON_PATH, "%s", path);
        lines->frames[lines->count++].line = python.line(frame);
    }
    if (name)
        python.drop(name);
    if (code)
        python.drop(code);
}

void python_lines(struct python_lines *lines)
{
    void *error[3];
    lines->count = 0;
    if (!find() || !python.is_there())
        return;
    int const state = python.lock();
    void *frame = python.frame();
    python.fetch(&error[0], &error[1], &error[2]); /* a program's own, which is none of ours */
    if (frame)
        python.keep(frame);
    while (frame && lines->count < PYTHON_FRAMES) {
        add(lines, frame);
        void *next = python.back(frame);
        python.drop(frame);
        frame = next;
    }
    if (frame)
        python.drop(frame);
    python.clear();
    python.restore(error[0], error[1], error[2]);
    python.unlock(state);
}
