#include "screen/drawing.h"

static struct action action_of(const struct panel_action *want, const struct playhead *playhead)
{
    int const index = want->index, value = want->value;
    switch (want->kind) {
    case WANT_SEEK:
        return (struct action){.kind = want->animate ? ACTION_SEEK : ACTION_SCRUB, .position = want->position};
    case WANT_WARP:
        return (struct action){.kind = ACTION_GO_WARP, .value = index};
    case WANT_BLOCK:
        return (struct action){.kind = ACTION_STEP_BLOCK, .value = value};
    case WANT_LINE:
        return (struct action){.kind = ACTION_FILTER, .value = index, .other = value};
    case WANT_LANE:
        return (struct action){.kind = ACTION_PIN_LANE, .value = index};
    case WANT_PTX:
        return (struct action){.kind = ACTION_PTX};
    case WANT_PTX_LIGHT:
        return (struct action){.kind = ACTION_PTX_LIGHT, .value = index, .other = value, .position = want->position};
    case WANT_PTX_ROW:
        return (struct action){.kind = ACTION_PTX_ROW, .value = index, .other = value};
    case WANT_KNOB:
        return (struct action){.kind = ACTION_CHOOSE_KNOB, .value = index};
    case WANT_TURN:
        return (struct action){.kind = ACTION_SET_KNOB, .value = index, .other = value};
    case WANT_VARIANT:
        return (struct action){.kind = ACTION_CHOOSE_VARIANT, .value = value};
    case WANT_DRAM:
        return (struct action){.kind = ACTION_DRAM, .value = value};
    case WANT_DRAM_MAPPING:
        return (struct action){.kind = ACTION_DRAM, .value = 0};
    case WANT_FINDING:
        return (struct action){.kind = ACTION_GO_FINDING, .value = index};
    case WANT_RACE_SIDE:
        return (struct action){.kind = ACTION_GO_FINDING, .value = playhead->finding, .other = index};
    case WANT_MEASURE:
        return (struct action){.kind = ACTION_MEASURE};
    case WANT_CHOOSE:
        return (struct action){.kind = ACTION_ANSWER, .value = index};
    case WANT_COMMIT:
        return (struct action){.kind = ACTION_COMMIT};
    case WANT_VOTE:
    case WANT_SKIP:
        return (struct action){.kind = ACTION_SKIP, .value = want->kind == WANT_VOTE};
    case WANT_CODE:
        return (struct action){.kind = ACTION_SCROLL_CODE, .value = index, .other = value};
    case WANT_DEFINITION:
        return (struct action){
            .kind = index ? ACTION_GO_DEFINITION : ACTION_LEAVE_DEFINITION, .value = index, .other = value};
    case WANT_MARK:
        return (struct action){.kind = ACTION_MARK_CELL, .value = index, .other = value, .position = want->animate};
    case WANT_STEP:
        return (struct action){.kind = ACTION_GO_BEAT, .value = index};
    case WANT_COMPARE:
        return (struct action){.kind = ACTION_COMPARE};
    case WANT_NEXT_LESSON:
        return (struct action){.kind = ACTION_NEXT_LESSON};
    case WANT_LESSONS:
        return (struct action){.kind = ACTION_HOME};
    case WANT_CELLS:
        return (struct action){.kind = ACTION_CELLS, .value = value};
    case WANT_ACCESS:
        return (struct action){.kind = ACTION_STEP_ACCESS, .value = value};
    case WANT_PASS:
        return (struct action){.kind = ACTION_STEP_PASS, .value = value};
    case WANT_END:
        return (struct action){.kind = ACTION_GO_END, .value = value};
    case WANT_PLAY:
        return (struct action){.kind = ACTION_PLAY};
    case WANT_FASTER:
        return (struct action){.kind = ACTION_SPEED, .value = 1};
    case WANT_SLOWER:
        return (struct action){.kind = ACTION_SPEED, .value = -1};
    case WANT_OVERVIEW:
        return (struct action){.kind = ACTION_OVERVIEW, .value = OVERVIEW_MAP};
    case WANT_EVENT:
        return (struct action){.kind = ACTION_GO_EVENT, .position = want->position};
    case WANT_ROW:
        return (struct action){.kind = ACTION_OVERVIEW_ROW, .value = index};
    case WANT_FIELD:
        return (struct action){.kind = ACTION_CHOOSE_FIELD, .value = index, .other = value};
    case WANT_OWN_VALUES:
        return (struct action){.kind = ACTION_OWN_VALUES};
    case WANT_LESSON:
        return (struct action){.kind = ACTION_LEARN, .value = index};
    case WANT_CALL:
    case WANT_CALL_ROW:
        return (struct action){.kind = ACTION_GO_CALL, .value = index, .other = want->kind == WANT_CALL};
    case WANT_NOTHING:
        break;
    }
    return (struct action){.kind = ACTION_NONE};
}

void drawing_want(struct drawing *drawing, struct panel_action want)
{
    for (int i = 0; want.stroke && i < want.stroke->count; i++)
        action_ask(drawing->actions,
                   (struct action){.kind = ACTION_MARK_CELL, .value = want.stroke->cells[i], .other = want.value});
    if (want.stroke)
        return;
    struct action action = action_of(&want, drawing->playhead);
    if (action.kind == ACTION_FILTER && document_asks_line(drawing->document))
        action.kind = ACTION_PICK_LINE;
    if (action.kind != ACTION_NONE)
        action_ask(drawing->actions, action);
}
