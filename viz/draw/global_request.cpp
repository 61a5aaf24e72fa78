#include "viz/draw/global_request.h"

#include "viz/analysis/sectors.h"
#include "viz/draw/heading.h"
#include "viz/draw/prose.h"
#include "viz/draw/sector_diagram.h"
#include "viz/figure/draw_figure.h"
#include "viz/text/templates.h"

#include <algorithm>

namespace viz::draw {

void global_request(ViewFrame& frame, const StageColumn& stage, const Focus& focus, Box box)
{
    const bool has_tiles = has_shared_tile(focus.recording->arrays);
    const auto say_headline = [&](const Messages& instead) {
        box.min.y +=
            stage_headline(frame, stage, {"banks.no_shared_memory", {{"tiles", has_tiles}, {"instead", instead}}}, box);
    };
    if (has_tiles) { // sectors of C would be taken for banks
        say_headline({});
        Prose(frame.theme)
            .strong(plain({"banks.why_no_lanes"}))
            .draw(box.min, std::min(box.width(), frame.theme.px(640)));
        return;
    }
    frame.explain({{"banks.why_no_shared_memory"}});
    const auto step = nearest_global(*focus.warp, focus.step);
    if (!step || focus.warp->accesses[*step].array >= focus.recording->arrays.size())
        return say_headline({});
    const recording::Access& access = focus.warp->accesses[*step];
    const recording::Array& array = focus.recording->arrays[access.array];
    const SectorPicture picture = sector_picture(access, array);
    const Meaning meaning = picture.sectors > picture.least_sectors ? Meaning::conflict : Meaning::good;
    say_headline({{"banks.global_instead", {{"sectors", Value(picture.sectors).as(meaning)}}}});
    const Elements elements(array);
    draw_panel(sector_panel(frame, stage, {picture, access, array, elements, box, picture.lines.size()}), frame);
}

} // namespace viz::draw
