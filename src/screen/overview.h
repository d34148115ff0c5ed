/* Which page of the overview of the run is shown. */
#ifndef LANESCOPE_SCREEN_OVERVIEW_H
#define LANESCOPE_SCREEN_OVERVIEW_H
#include "ui/action.h"

struct overview {
    bool open;
    enum overview_page page;
    size_t chosen; /* a row of the list */
};
#endif
