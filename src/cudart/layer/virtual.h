/* Virtual memory: ranges of reserved addresses, physical memory, and mappings of the one into the other. A mapping that
 * the device may access is an allocation; it begins with the rights and ends with the mapping. */
#ifndef LANESCOPE_CUDART_VIRTUAL_H
#define LANESCOPE_CUDART_VIRTUAL_H
#include "cudart/layer/state.h"

enum { VIRTUAL_UNIT = 2 << 20 }; /* sizes and addresses are multiples of it */

enum virtual_rights { RIGHTS_NONE = 0, RIGHTS_READ = 1, RIGHTS_ALL = 3 }; /* as in CUmemAccess_flags */

struct physical; /* the memory behind a handle */
struct virtual_mapping {
    uint64_t address, size;
    struct physical *physical;
    enum virtual_rights rights;
    struct virtual_mapping *next; /* by address */
};

enum status virtual_reserve(uint64_t *address, uint64_t size, uint64_t alignment);
enum status virtual_release_range(uint64_t address, uint64_t size);
enum status virtual_create(struct physical **handle, uint64_t size);
/* Gives up one of the handles to the memory. It lives as long as it has a handle or is mapped. */
enum status virtual_release(struct physical *handle);
bool virtual_is_handle(const struct physical *handle);
enum status virtual_map(uint64_t address, uint64_t size, struct physical *handle);
/* Returns a further handle to what is mapped at an address, or NULL. */
struct physical *virtual_retain(uint64_t address);
/* Returns the first of the mappings that fill the bytes exactly, or NULL. */
struct virtual_mapping *virtual_mappings(uint64_t address, uint64_t size);
/* Returns the mapping that an address lies in, or NULL. */
struct virtual_mapping *virtual_mapping_at(uint64_t address);
/* Sets the device's rights to a mapping. Returns its new allocation, where it had none before. */
struct allocation *virtual_set_rights(struct virtual_mapping *mapping, enum virtual_rights rights);
void virtual_unmap(uint64_t address);
/* Returns whether mappings have bytes in common: some memory is mapped twice. */
bool virtual_overlaps(void);
/* Forgets all ranges and handles. */
void virtual_reset(void);
#endif
