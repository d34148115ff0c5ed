/* What a covered question leaves of the stage: a sheet, marked cells, or the code. */
#include "view/stage.h"

bool stage_is_code(const struct stage_view *stage)
{
    return stage->compact && !stage->shown && stage->code && stage->question;
}

bool stage_sheet(const struct stage_view *stage)
{
    bool const aside = stage->marks && (stage->marks->cells != CELLS_LANES || stage->access == SCENE_EMPTY);
    return stage->covered && !aside;
}
