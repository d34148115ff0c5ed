/* The flags of the panels in ui/panels.def: what a step of a lesson shows and what it speaks of. */
#ifndef LANESCOPE_UI_PANELS_H
#define LANESCOPE_UI_PANELS_H

enum { /* places in the table */
#define PANEL(name, FLAG, ...) STAGE_AT_##name,
#define FIXTURE(name, ...) STAGE_AT_##name,
#include "ui/panels.def"
#undef FIXTURE
#undef PANEL
       STAGE_PANELS
};

enum {
#define PANEL(name, FLAG, ...) STAGE_##FLAG = 1 << STAGE_AT_##name,
#define FIXTURE(name, ...)
#include "ui/panels.def"
#undef FIXTURE
#undef PANEL
    STAGE_ALL = (1 << STAGE_PANELS) - 1
};
#endif
