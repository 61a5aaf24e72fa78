#include "viz/views/08_placement/first_row.h"

#include "viz/draw/heading.h"
#include "viz/draw/prose.h"

namespace viz {

float draw_headline(ViewFrame& frame, const StageColumn& stage, const Message& said, const FirstRow& row)
{
    const bool beside = draw::headline_is_beside(frame, stage, said, row.box.width());
    return draw::stage_headline(frame, stage, said, beside ? row.left() : row.box);
}

void say_why(const ViewFrame& frame, const StageColumn& stage, const Message& why, const FirstRow& row)
{
    const draw::Box head = row.left();
    const float height = draw::stage_heading(frame.theme, stage).draw(head.min, head.width());
    Prose(frame.theme).write(why).draw({row.box.min.x, head.min.y + height + frame.theme.px(6)}, row.box.width());
}

} // namespace viz
