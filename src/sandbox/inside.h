/* For src/sandbox only: what the parts of a sandbox share. The functions run in a child of one thread, before the
 * command starts. */
#ifndef LANESCOPE_SANDBOX_INSIDE_H
#define LANESCOPE_SANDBOX_INSIDE_H
#include "sandbox/sandbox.h"
#include <sys/types.h>

/* The folder's path, seen from inside. */
#define SANDBOX_FOLDER "/sandbox"

/* root.c. Leaves the user's namespaces of files, network, messages and, for children, processes. For root it keeps the
 * user, for others it makes one within. Returns false with `why`. */
bool sandbox_leave(char *why, size_t size);
/* Makes the system that the command sees. Only the first process of the sandbox calls it. */
bool sandbox_build(const struct sandbox_request *request, char *why, size_t size);
/* Gives up all rights of root and becomes a user who owns the folder alone. */
bool sandbox_drop(char *why, size_t size);

/* filter.c. Refuses system calls that no program to be graded needs: those that administrate, that look into other
 * processes, and that make namespaces. Holds for all programs that are started from here on. */
bool sandbox_filter(void);

/* watch.c. Waits for the command's end, and enforces the limits on all processes that /proc shows, which are those of
 * the sandbox. own: whether /proc shows those alone. */
void sandbox_watch(pid_t command, const struct sandbox_limits *limits, bool own, struct sandbox_end *end);
#endif
