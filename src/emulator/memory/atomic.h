/* The operations of atom and red. */
#ifndef LANESCOPE_EMULATOR_MEMORY_ATOMIC_H
#define LANESCOPE_EMULATOR_MEMORY_ATOMIC_H
enum atomic_operation {
    ATOMIC_ADD,
    ATOMIC_MIN,
    ATOMIC_MAX,
    ATOMIC_INC,
    ATOMIC_DEC,
    ATOMIC_AND,
    ATOMIC_OR,
    ATOMIC_XOR,
    ATOMIC_EXCH,
    ATOMIC_CAS
};
#endif
