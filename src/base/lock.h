/* A lock between threads. The type is opaque, so that a build without threads can have one that does nothing. */
#ifndef LANESCOPE_BASE_LOCK_H
#define LANESCOPE_BASE_LOCK_H

struct lock;
/* Returns a free lock, or NULL without memory. */
struct lock *lock_new(void);
void lock_take(struct lock *lock);
void lock_release(struct lock *lock);
/* Accepts NULL. */
void lock_free(struct lock *lock);
#endif
