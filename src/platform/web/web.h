/* For src/platform/web and src/page.c only: what the page's scripts do for the program (library.js), and how frames get
 * there. */
#ifndef LANESCOPE_PLATFORM_WEB_WEB_H
#define LANESCOPE_PLATFORM_WEB_WEB_H
#include "app/app.h"

/* Measures with the browser's fonts. */
struct text_metrics text_of_page(void);
/* Shows a frame on the page. */
void paint_page(const struct draw_list *list, int width, int height, struct color background);
/* Offers the picture of a frame as a file of this name. */
void paint_file(const struct draw_list *list, int width, int height, struct color background, const char *name);

/* Return a width, and the ink of ordinary letters above (and below) the baseline, of text one pixel high. */
double page_advance(int role, int code);
double page_ink(int role, int below);
/* The numbers are those of paint.c. */
void page_paint(const void *numbers, int count, int width, int height);
void page_save(const void *numbers, int count, int width, int height, const char *name);
void page_title(const char *title);
void page_fullscreen(int on);
void page_pointer(int shown);
int page_choose(void);
int page_copy(const char *text);
#endif
