/* Debian's libexpat takes random numbers from glibc 2.36. In the archive it is linked anew with this function, so that
 * it runs with older ones. */
#include <stddef.h>
#include <stdlib.h>
#include <sys/random.h>

__attribute__((visibility("hidden"))) void arc4random_buf(void *buffer, size_t bytes);

void arc4random_buf(void *buffer, size_t bytes)
{
    unsigned char *at = buffer;
    while (bytes) {
        ssize_t const got = getrandom(at, bytes, 0);
        if (got <= 0)
            abort();
        at += got;
        bytes -= (size_t)got;
    }
}
