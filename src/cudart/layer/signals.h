/* Host accesses that the processor refuses: which allocation, and where. */
#ifndef LANESCOPE_CUDART_SIGNALS_H
#define LANESCOPE_CUDART_SIGNALS_H
void signals_start(void);
#endif
