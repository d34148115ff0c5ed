/* Gives a function of the library a second name. A jump passes on what the caller passed, and the place it returns to.
 */
#ifndef LANESCOPE_CUDART_AGAIN_H
#define LANESCOPE_CUDART_AGAIN_H
#if defined __x86_64__
#define AGAIN_JUMP "jmp "
#define AGAIN_PLACE "@PLT"
#elif defined __aarch64__
#define AGAIN_JUMP "b "
#define AGAIN_PLACE ""
#else
#error "how this processor jumps is not known"
#endif
#define AGAIN(name, second)                                                                                            \
    __asm__(".pushsection .text\n.globl " #second "\n.type " #second ", %function\n" #second                           \
            ":\n\t" AGAIN_JUMP #name AGAIN_PLACE "\n.size " #second ", . - " #second "\n.popsection");
#endif
