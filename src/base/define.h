/* A macro of the command line: -D NAME=VALUE. */
#ifndef LANESCOPE_BASE_DEFINE_H
#define LANESCOPE_BASE_DEFINE_H
struct compile_define {
    const char *name, *value;
};
#endif
