/* NVRTC as libnvrtc.so.13 for tests/script/compilers.py: a comment in the source says what the compilation does.
 * "hang" does not end, "crash" ends the process, "talk" prints without end; anything else is refused with a log. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))
enum { SUCCESS = 0, COMPILATION = 6 };
static char source[4096];
static const char log_text[] = "k.cu(2): error: a fake compiler refuses everything\n";

EXPORT int nvrtcVersion(int *major, int *minor);
EXPORT int nvrtcCreateProgram(void **program, const char *text, const char *name, int header_count,
                              const char *const *headers, const char *const *names);
EXPORT int nvrtcCompileProgram(void *program, int count, const char *const *options);
EXPORT int nvrtcGetProgramLogSize(void *program, size_t *size);
EXPORT int nvrtcGetProgramLog(void *program, char *log);
EXPORT int nvrtcGetPTXSize(void *program, size_t *size);
EXPORT int nvrtcGetPTX(void *program, char *ptx);
EXPORT int nvrtcDestroyProgram(void **program);

int nvrtcVersion(int *major, int *minor)
{
    *major = 13;
    *minor = 0;
    return SUCCESS;
}

int nvrtcCreateProgram(void **program, const char *text, const char *name, int header_count, const char *const *headers,
                       const char *const *names)
{
    (void)name, (void)header_count, (void)headers, (void)names;
    snprintf(source, sizeof source, "%s", text);
    *program = source;
    return SUCCESS;
}

static void leave_own_number(void)
{
    const char *path = getenv("FAKE_NVRTC_PID");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (file) {
        fprintf(file, "%ld", (long)getpid());
        fclose(file);
    }
    const char *starts = getenv("FAKE_NVRTC_STARTS");
    if (starts && (file = fopen(starts, "a"))) {
        fputc('x', file);
        fclose(file);
    }
}

int nvrtcCompileProgram(void *program, int count, const char *const *options)
{
    (void)program, (void)count, (void)options;
    leave_own_number();
    if (strstr(source, "// hang"))
        for (;;)
            pause();
    if (strstr(source, "// crash"))
        abort();
    if (strstr(source, "// talk"))
        for (;;)
            puts("This compiler has so much to say that no disk could hold it, and it says it again and again.");
    return COMPILATION;
}

int nvrtcGetProgramLogSize(void *program, size_t *size)
{
    (void)program;
    *size = sizeof log_text;
    return SUCCESS;
}

int nvrtcGetProgramLog(void *program, char *log)
{
    (void)program;
    memcpy(log, log_text, sizeof log_text);
    return SUCCESS;
}

int nvrtcGetPTXSize(void *program, size_t *size)
{
    (void)program;
    *size = 0;
    return SUCCESS;
}

int nvrtcGetPTX(void *program, char *ptx)
{
    (void)program, (void)ptx;
    return SUCCESS;
}

int nvrtcDestroyProgram(void **program)
{
    *program = NULL;
    return SUCCESS;
}
