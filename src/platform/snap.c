#include "platform/snap.h"
#include <math.h>

struct pixel_rect shape_snap(struct rect rect)
{
    struct pixel_rect snapped = {(int)floorf(rect.x + 0.5f), (int)floorf(rect.y + 0.5f),
                                 (int)floorf(rect.x + rect.w + 0.5f), (int)floorf(rect.y + rect.h + 0.5f)};
    if (snapped.x1 <= snapped.x0 && rect.w > 0.05f)
        snapped.x1 = snapped.x0 + 1;
    if (snapped.y1 <= snapped.y0 && rect.h > 0.05f)
        snapped.y1 = snapped.y0 + 1;
    return snapped;
}
