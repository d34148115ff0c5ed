#include "base/lock.h"
#include <pthread.h>
#include <stdlib.h>

struct lock {
    pthread_mutex_t mutex;
};

struct lock *lock_new(void)
{
    struct lock *lock = calloc(1, sizeof *lock);
    if (lock)
        pthread_mutex_init(&lock->mutex, NULL);
    return lock;
}

void lock_take(struct lock *lock)
{
    pthread_mutex_lock(&lock->mutex);
}

void lock_release(struct lock *lock)
{
    pthread_mutex_unlock(&lock->mutex);
}

void lock_free(struct lock *lock)
{
    if (!lock)
        return;
    pthread_mutex_destroy(&lock->mutex);
    free(lock);
}
