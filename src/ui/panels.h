/* Numbers and flags of the panels in ui/panels.def. A step of a lesson uses the flags to select the panels that it
 * shows and the panels in focus. */
#ifndef LANESCOPE_UI_PANELS_H
#define LANESCOPE_UI_PANELS_H

enum { /* index of each panel in the table */
#define PANEL(name, FLAG, ...) STAGE_AT_##name,
#define FIXTURE(name, ...) STAGE_AT_##name,
#include "ui/panels.def"
#undef FIXTURE
#undef PANEL
       STAGE_PANELS
};

enum { /* number of each panel that a lesson can name, among these */
#define PANEL(name, FLAG, ...) STAGE_NUMBER_##name,
#define FIXTURE(name, ...)
#include "ui/panels.def"
#undef FIXTURE
#undef PANEL
       STAGE_NAMED
};

enum { /* their flags */
#define PANEL(name, FLAG, ...) STAGE_##FLAG = 1 << STAGE_NUMBER_##name,
#define FIXTURE(name, ...)
#include "ui/panels.def"
#undef FIXTURE
#undef PANEL
       STAGE_ALL = (int)(~0u >> (32 - STAGE_NAMED))
};

/* What a covered question asks about: no panel may show it before the answer. */
enum stage_secret {
    SECRET_LANES = 1, /* which lanes are active */
    SECRET_WARPS = 2, /* how many warps a block has */
    SECRET_STATES = 4 /* what became of the warps: waiting, ended, stopped by a fault */
};
#endif
