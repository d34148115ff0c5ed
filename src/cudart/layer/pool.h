/* Memory in the order of a stream, and the pools that it is said to come from: a pool only counts its bytes. */
#ifndef LANESCOPE_CUDART_POOL_H
#define LANESCOPE_CUDART_POOL_H
#include "cudart/layer/state.h"

extern struct pool *const pool_default;
extern struct pool *pool_current;
/* Returns the pool of a handle, or NULL if it is none. */
struct pool *pool_of(struct pool *handle);
/* Returns NULL if there is not enough memory. */
struct pool *pool_new(void);
/* Returns false if the pool is none that pool_new made. */
bool pool_destroy(struct pool *handle);
/* Reads or sets an attribute by its number. */
enum status pool_attribute(struct pool *handle, int number, void *value, bool set);

/* from: the address in the program that asked for it. pool NULL: it is none. */
enum status pool_allocate(void **pointer, uint64_t size, struct pool *pool, struct stream *stream, const void *from);
enum status pool_release(void *pointer, struct stream *stream, const void *from);
/* Counts memory that is freed. */
void pool_freed(const struct allocation *allocation);
#endif
