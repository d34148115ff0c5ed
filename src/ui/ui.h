/* Immediate-mode widgets over a draw list. One ui_begin .. ui_end a frame; a widget draws itself, says whether it was
 * used, and works with mouse and keyboard (Tab is the lesson's: focus moves with F6/Shift+F6 and is shown by a ring).
 * Ids are any non-zero number unique in the frame: ui_id_text("name") or ui_id_child(parent, index). */
#ifndef LANESCOPE_UI_UI_H
#define LANESCOPE_UI_UI_H
#include "ui/draw.h"
#include "ui/theme.h"

typedef uint32_t ui_id;
ui_id ui_id_text(const char *text);
ui_id ui_id_child(ui_id parent, uint32_t index);

struct ui_input { /* what happened since the last frame; the app fills it from events */
    struct point mouse;
    bool mouse_inside, down, pressed, released; /* left button: held, and its edges */
    float wheel;
    bool activate;  /* Enter on the focused widget */
    int focus_step; /* F6: +1, Shift+F6: -1 */
    int adjust;     /* -1 or +1 on the focused slider or choice */
};

struct ui {
    struct draw_list draw;
    struct text_metrics metrics;
    const struct theme *theme;
    struct ui_input input;
    struct rect screen;
    float unit; /* pixels in a 1/1080 of the design height times the user's text size: sizes are multiples of it */
    float minimum_text;       /* labels shrink no further, pixels an em; 0: 16 units */
    ui_id hot, active, focus; /* kept between frames */
    const char *tooltip;      /* what the hovered thing says, in the frame's arena; drawn by ui_end */
    struct point tooltip_at;
    /* focus order of this frame */
    ui_id *order;
    uint32_t order_count, order_capacity;
};

/* Before the first frame: zero the struct, then set metrics, theme and unit. Set input before each ui_begin; it is used
 * up by ui_end. */
void ui_begin(struct ui *ui, struct arena *frame, struct rect screen);
void ui_end(struct ui *ui);
/* The theme's colour of a role. */
struct color ui_color(const struct ui *ui, enum color_role role);

enum ui_align { UI_LEFT, UI_CENTER, UI_RIGHT };
/* One line in a box, vertically centred; cut with an ellipsis only if even a smaller size (down to minimum) will not
 * fit. Returns the width drawn. */
float ui_label(struct ui *ui, struct rect box, enum font_role role, float size, enum ui_align align, struct color color,
               const char *text);
/* One line centred in a cell that another mark already explains: exempt from the minimum size, shrunk to fit, and left
 * out below half its size. */
void ui_chip_label(struct ui *ui, struct rect box, enum font_role role, float size, struct color color,
                   const char *text);
/* A paragraph: wraps at spaces (Korean too) and at newlines, line height 1.35 for Latin and 1.5 when the text has
 * Hangul; bold and code runs are spans. Returns the height used; draws nothing when measure_only. */
struct ui_span {
    const char *text;
    enum font_role role;
    enum color_role color;
};
float ui_paragraph(struct ui *ui, struct rect box, float size, const struct ui_span *spans, size_t count,
                   bool measure_only);
/* One colour, one font. */
float ui_text(struct ui *ui, struct rect box, enum font_role role, float size, enum color_role color, const char *text);
/* How much height the paragraph needs at this width. */
float ui_paragraph_height(struct ui *ui, float width, float size, const struct ui_span *spans, size_t count);
float ui_text_width(struct ui *ui, enum font_role role, float size, const char *text);

bool ui_button(struct ui *ui, ui_id id, struct rect box, const char *label, bool primary);
/* Track and round knob in the middle of box; value moves in whole steps of its range, by drag, wheel over it, or
 * input.adjust with focus; true when it changed. */
bool ui_slider(struct ui *ui, ui_id id, struct rect box, int *value, int minimum, int maximum);
/* A whole knob as one row: its name, the slider with its range's ends below, its value in bold ("4 bytes"). */
struct ui_knob {
    const char *name, *value_text;
    int minimum, maximum;
    float name_width, value_width; /* columns left and right of the slider; 0: a quarter, a fifth of box */
};
bool ui_knob_row(struct ui *ui, ui_id id, struct rect box, const struct ui_knob *knob, int *value);
/* One of several, side by side; true when it changed. */
bool ui_choice(struct ui *ui, ui_id id, struct rect box, const char *const *labels, int count, int *chosen);
/* An invisible place that can be clicked; true on click. Takes no focus unless ui_focusable is called with its id. */
bool ui_area(struct ui *ui, ui_id id, struct rect box);
/* Puts id in the focus order and draws the ring (corners of `radius`) when it has the focus, which is returned. */
bool ui_focusable(struct ui *ui, ui_id id, struct rect box, float radius);
/* Held and dragged: true while it is; position 0..1 along the width. */
bool ui_drag(struct ui *ui, ui_id id, struct rect box, float *position);
bool ui_hovered(const struct ui *ui, struct rect box);
/* Sets the tooltip when the mouse is in the box. */
void ui_tip(struct ui *ui, struct rect box, const char *format, ...) __attribute__((format(printf, 3, 4)));
void ui_card(struct ui *ui, struct rect box); /* panel background with a hairline */
/* A keycap-like tag with solid, dashed or grey border: the badge and the time card's source. */
enum ui_border { UI_SOLID, UI_DASHED, UI_GREY };
void ui_badge(struct ui *ui, struct rect box, enum ui_border border, const char *text);

/* Rectangles cut apart: each takes a strip off `rect` and returns it. */
struct rect rect_cut_left(struct rect *rect, float width);
struct rect rect_cut_right(struct rect *rect, float width);
struct rect rect_cut_top(struct rect *rect, float height);
struct rect rect_cut_bottom(struct rect *rect, float height);
struct rect rect_column(struct rect rect, int index, int count, float gap); /* equal columns, gap between them */
struct rect rect_inset(struct rect rect, float x, float y);
bool rect_holds(struct rect rect, struct point point);
#endif
