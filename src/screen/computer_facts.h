/* What this computer has to run kernels with, for the line on the first screen. */
#ifndef LANESCOPE_SCREEN_COMPUTER_FACTS_H
#define LANESCOPE_SCREEN_COMPUTER_FACTS_H

struct computer_facts {
    char gpu[128];      /* its name; "": none can be used */
    char compiler[128]; /* "NVRTC 13.0"; "": none */
};
#endif
