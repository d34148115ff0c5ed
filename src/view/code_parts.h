/* For the card of the code: the cost of a line, and the name below the mouse. */
#ifndef LANESCOPE_VIEW_CODE_PARTS_H
#define LANESCOPE_VIEW_CODE_PARTS_H
#include "view/cards.h"

/* Returns the cost of a line, "8 passes", "4 sectors" or both, or NULL if it accesses no memory. bad: the cost is
 * higher than the access width requires. */
const char *code_cost_text(struct view *view, const struct code_view *code, uint32_t line, bool *bad, bool brief);
void code_cost_tip(struct view *view, struct rect box, const struct code_view *code, uint32_t line);

struct code_word {
    size_t length;       /* of the name below the mouse; 0: there is none */
    uint32_t definition; /* the line that defines it; 0: this line, or unknown */
};
/* Returns the name below the mouse in a row of a line, underlines it if a click leads to its definition, and shows the
 * value or the place that it has in this run. The row has `length` bytes of `words`, the whole line, from byte `from`
 * on. */
struct code_word code_word_below(struct view *view, struct rect row, const struct code_view *code, uint32_t line,
                                 const char *words, size_t from, size_t length);
#endif
