/* What a library that works on the device's memory calls of liblanescope_cudart: cuRAND in it, cuBLAS in a library of
 * its own. The host does the work; the record names the call and its operands. One call at a time is begun. */
#ifndef LANESCOPE_CUDART_LIBRARY_H
#define LANESCOPE_CUDART_LIBRARY_H
#include <stdbool.h>
#include <stddef.h>

#ifndef API
#define API __attribute__((visibility("default")))
#endif

/* Returns false if the device can do no work: an earlier fault, a stream that captures or is none. `from`: the address
 * that the call returns to. lanescope_library_end follows in any case. */
API bool lanescope_library_begin(const char *name, const void *from, void *stream);
/* Each moves `height` rows of `width` bytes, `pitch` bytes apart in the device's memory, from or to packed rows of the
 * host. Returns false if they are not all in one allocation. */
API bool lanescope_library_read(const char *name, const void *pointer, size_t width, size_t height, size_t pitch,
                                void *bytes);
API bool lanescope_library_write(const char *name, const void *pointer, size_t width, size_t height, size_t pitch,
                                 const void *bytes);
/* A number of the call, for its record. */
API void lanescope_library_number(const char *name, long long number);
/* Ends the call. status: the library's own; its name, where it is no success. Returns it. */
API int lanescope_library_end(int status, const char *status_name);
#endif
