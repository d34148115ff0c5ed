/* For src/page.c, where it is compiled for this machine: tests/script/page.py. */
#define EMSCRIPTEN_KEEPALIVE __attribute__((used))
