/* Immediate-mode widgets over a draw list. A frame is one ui_begin .. ui_end. A widget draws itself, returns whether
 * the user used it, and works with mouse and keyboard. F6 and Shift+F6 move the focus, which a ring shows; Tab belongs
 * to the lesson. An id is any non-zero number that is unique in the frame: ui_id_text("name") or ui_id_child(parent,
 * index). */
#ifndef LANESCOPE_UI_UI_H
#define LANESCOPE_UI_UI_H
#include "ui/draw.h"
#include "ui/theme.h"

typedef uint32_t ui_id;
ui_id ui_id_text(const char *text);
ui_id ui_id_child(ui_id parent, uint32_t index);

struct ui_input { /* input since the last frame; the app fills it from events */
    struct point mouse;
    struct point from; /* where the mouse was in the last frame or, if it was pressed since, where it was pressed */
    bool mouse_inside, down, pressed, released; /* left button: held, and the moments it went down and came up */
    bool second;                                /* the right button went down */
    float wheel;
    bool activate;  /* Enter on the focused widget */
    int focus_step; /* F6: +1, Shift+F6: -1 */
    int adjust;     /* -1 or +1 for the focused slider or choice */
    int read_on;    /* P: +1, Shift+P: -1 */
    int read_code;  /* J: +1, Shift+J: -1 */
};

/* A piece of text with a mark, where it stands in this frame. A marked text that is broken between lines has two. */
struct ui_mark {
    uint32_t mark;
    struct rect box;
    bool shown; /* false: it is above or below the window of a text that scrolls */
};

/* A box that the mouse can use or, if it has a tip, the tip that stands for a box. */
struct ui_noted {
    struct rect box;
    const char *tip; /* NULL: the mouse can use it */
};

struct ui {
    struct draw_list draw;
    struct text_metrics metrics;
    const struct theme *theme;
    struct ui_input input;
    bool passive; /* see ui_passive */
    bool paper;   /* buttons are left out */
    bool quiet;   /* sliders and choices are drawn as idle; they work as ever */
    struct rect screen;
    float unit; /* pixels of 1/1080 of the design height times the user's text size; all sizes are multiples of it */
    float minimum_text;       /* pixels per em; labels shrink no further; 0: 16 units */
    ui_id hot, active, focus; /* kept between frames */
    bool windowed;            /* see ui_window */
    struct rect window;
    float window_cut;
    const char *tooltip; /* text for the widget under the mouse, in the frame's arena; ui_end draws it */
    struct point tooltip_at;
    struct ui_mark *marks; /* of this frame, in the order of drawing */
    size_t mark_count, mark_capacity;
    uint32_t mark_open; /* this mark is drawn as chosen */
    bool notes;         /* keep `noted` in each frame, for tests */
    struct ui_noted *noted;
    size_t noted_count, noted_capacity;
    /* ids in the focus order of this frame */
    ui_id *order;
    size_t order_count, order_capacity;
};

/* Before the first frame: zero the struct, then set metrics, theme and unit. Set input before each ui_begin; ui_end
 * clears its events. */
void ui_begin(struct ui *ui, struct arena *frame, struct rect screen);
void ui_end(struct ui *ui);
/* While passive, widgets are only drawn: none is used, hovered or focused. */
void ui_passive(struct ui *ui, bool passive);
/* From here to ui_window_end, lines of text and controls are drawn only where they are wholly inside the box: the
 * content of a box that scrolls. No line is cut through. */
void ui_window(struct ui *ui, struct rect box);
/* Returns the top of the first thing left out below the box; INFINITY: there is none. */
float ui_window_end(struct ui *ui);
/* Returns whether a thing of this size is drawn. Things of several parts ask once, for all of them. */
bool ui_shown(struct ui *ui, struct rect box);
/* Returns the theme's colour of a role. */
struct color ui_color(const struct ui *ui, enum color_role role);

enum ui_align { UI_LEFT, UI_CENTER, UI_RIGHT };
/* Draws one line in a box, vertically centred, and returns its width in pixels. A text that is too wide first shrinks,
 * down to minimum_text; an ellipsis cuts it when that is not enough. */
float ui_label(struct ui *ui, struct rect box, enum font_role role, float size, enum ui_align align, struct color color,
               const char *text);
/* Draws one line centred in a cell that another mark already explains. It is exempt from the minimum size, shrinks to
 * fit, and is left out below half its size. */
void ui_chip_label(struct ui *ui, struct rect box, enum font_role role, float size, struct color color,
                   const char *text);
/* Draws a paragraph and returns its height in pixels; with measure_only it draws nothing. Lines wrap at spaces (Korean
 * too) and newlines. The line height is 1.35 em, or 1.5 em when the text has Hangul. Spans give bold and code runs. */
struct ui_span {
    const char *text;
    enum font_role role;
    enum color_role color;
};
float ui_paragraph(struct ui *ui, struct rect box, float size, const struct ui_span *spans, size_t count,
                   bool measure_only);
/* Draws a paragraph some of whose spans have a mark other than 0: they are underlined with dots and listed in
 * ui.marks. */
float ui_marked_paragraph(struct ui *ui, struct rect box, float size, const struct ui_span *spans,
                          const uint32_t *marks, size_t count, bool measure_only);
/* Draws a paragraph of one colour and one font and returns its height. */
float ui_text(struct ui *ui, struct rect box, enum font_role role, float size, enum color_role color, const char *text);
/* Returns the height of a paragraph at this width, in pixels. */
float ui_paragraph_height(struct ui *ui, float width, float size, const struct ui_span *spans, size_t count);
float ui_text_width(struct ui *ui, enum font_role role, float size, const char *text);

/* Returns true when the button was clicked, or activated with the keyboard. */
bool ui_button(struct ui *ui, ui_id id, struct rect box, const char *label, bool primary);
/* Draws a track with a round knob in the middle of box. Dragging, the wheel over it, or input.adjust with focus moves
 * the value in whole steps within its range. Returns true when the value changed. */
bool ui_slider(struct ui *ui, ui_id id, struct rect box, int *value, int minimum, int maximum);
/* Draws several labels side by side, one of them chosen. Returns true when the choice changed. */
bool ui_choice(struct ui *ui, ui_id id, struct rect box, const char *const *labels, int count, int *chosen);
/* Returns true when an invisible place was clicked. It takes no focus unless ui_focusable is called with its id. */
bool ui_area(struct ui *ui, ui_id id, struct rect box);
/* Puts id into the focus order and returns whether it has the focus. If so, draws the ring, with corners of
 * `radius`. */
bool ui_focusable(struct ui *ui, ui_id id, struct rect box, float radius);
/* Returns true while the mouse holds and drags the box; position is then 0..1 along its width. */
bool ui_drag(struct ui *ui, ui_id id, struct rect box, float *position);
/* Returns true when the mouse is in the box. */
bool ui_hovered(const struct ui *ui, struct rect box);
/* Returns true when the mouse was pressed in the box since the last frame, even if it has left it. The id then holds
 * the mouse. */
bool ui_pressed(struct ui *ui, ui_id id, struct rect box);
/* Returns true when the mouse went through the box since the last frame, even if no frame was drawn meanwhile. */
bool ui_crossed(const struct ui *ui, struct rect box);
/* Sets the tooltip when the mouse is in the box. */
void ui_tip(struct ui *ui, struct rect box, const char *format, ...) __attribute__((format(printf, 3, 4)));
void ui_card(struct ui *ui, struct rect box); /* draws a panel background with a hairline */
/* Draws a tag like a keycap, with a solid, dashed or grey border: the badge, and the source on the time card. */
enum ui_border { UI_SOLID, UI_DASHED, UI_GREY };
void ui_badge(struct ui *ui, struct rect box, enum ui_border border, const char *text);

/* Each cut takes a strip off `rect` and returns the strip. */
struct rect rect_cut_left(struct rect *rect, float width);
struct rect rect_cut_right(struct rect *rect, float width);
struct rect rect_cut_top(struct rect *rect, float height);
struct rect rect_cut_bottom(struct rect *rect, float height);
struct rect rect_column(struct rect rect, int index, int count, float gap); /* equal columns, gap between them */
struct rect rect_inset(struct rect rect, float x, float y);
bool rect_holds(struct rect rect, struct point point);
#endif
