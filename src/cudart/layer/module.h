/* The program's modules: PTX with its kernels and variables, as the compiled host code registers them. */
#ifndef LANESCOPE_CUDART_MODULE_H
#define LANESCOPE_CUDART_MODULE_H
#include "base/arena.h"
#include "base/error.h"
#include "cudart/layer/state.h"

struct kernel {
    const void *host;                          /* the address that the host code knows it by */
    const char *name;                          /* in the PTX */
    const struct source_parameter *parameters; /* as the source names them, once it is launched; NULL: not known */
    bool launched;
    struct module *module;
    uint32_t max_dynamic_shared; /* that the program allowed */
    void *driver;                /* on a GPU: the driver's kernel, once it is used */
    bool counted;                /* on a GPU: a launch of it had probes */
    struct kernel *next;
};

struct module_variable {
    const void *host;
    const char *name;
    size_t size;
    bool managed;
    struct module_variable *next;
};

struct module {
    struct arena arena;
    const char *source, *source_name, *compiler;   /* "" where they are not known */
    const char *included;                          /* the text of the files that the source includes */
    const struct source *tokens, *included_tokens; /* of the two; NULL until a kernel is launched */
    const char *ptx;
    size_t ptx_size;
    struct ptx_module *ptx_module; /* NULL until module_load */
    bool failed;
    struct error error;                /* of a module that cannot be read */
    struct launch_variable *variables; /* one for each of the program's */
    void *driver;                      /* on a GPU: the driver's module */
    struct kernel *kernels;
    struct module_variable *host_variables;
    bool of_driver; /* loaded by a call of the driver's interface */
    struct module *next;
};

/* Parses the PTX and places the variables, once. */
bool module_load(struct module *module);
/* Makes a module of what host code holds: a fat binary, or the source and the PTX behind a line of ours. */
struct module *module_new(const char *data);
/* Makes a module of what a host gives the driver: PTX, a fat binary or its wrapper. Its memory stays the host's. What
 * cannot be taken is the module's error, which module_load tells. */
struct module *module_of_image(const void *image);
/* Takes a module out of the device: its handles are none any more. Its memory stays, as messages may name what it
 * held. */
void module_drop(struct module *module);
void module_add_kernel(struct module *module, const void *host, const char *name);
void module_add_variable(struct module *module, const struct module_variable *variable);
/* __managed__ variables: the host has its own copy of each, which is brought to the device before each launch and back
 * after it. */
void module_move_managed(bool to_host);
/* Returns whether a variable is the table of curand_kernel.h, whose name clang may lengthen. */
bool module_is_jumps(const struct ptx_variable *variable);
/* Returns whether a loaded module calls a function that the driver provides. */
bool module_calls(const struct module *module, const char *name);
/* Returns the kernel or the variable that host code knows by an address, or NULL. */
struct kernel *module_kernel(const void *host);
/* Returns a kernel of the module's PTX, which host code need not know. */
struct kernel *module_entry(struct module *module, const char *name);
const struct allocation *module_variable(const void *host);
const struct allocation *module_variable_named(struct module *module, const char *name);
/* Returns the PTX function of a kernel, loading its module, or NULL. */
const struct ptx_function *module_function(const struct kernel *kernel);
#endif
