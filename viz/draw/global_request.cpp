#include "viz/draw/global_request.h"

#include "viz/analysis/bank_picture.h"
#include "viz/analysis/sectors.h"
#include "viz/draw/heading.h"
#include "viz/draw/prose.h"
#include "viz/draw/sector_diagram.h"
#include "viz/text/templates.h"

#include <algorithm>
#include <bit>

namespace viz::draw {

namespace {

Message word_message(const ShownStage& stage, const SectorDiagram& diagram, const SectorHit& hit, bool store)
{
    const uint64_t offset = hit.line->offset + uint64_t{hit.word} * 4;
    const auto cell = diagram.elements.at(offset);
    const uint32_t lanes = hit.line->lanes[hit.word];
    Message what{"global.not_moved"};
    if (lanes != 0)
        what = {"global.used", {{"store", store}, {"lanes", lane_list(lanes)}}};
    else if (hit.line->touches(hit.word / words_of_sector))
        what = {"global.wasted"};
    return {"global.word",
            {{"stage", stage.slug},
             {"element", cell ? element_name(diagram.array.name, {*cell}) : diagram.array.name},
             {"byte", offset},
             {"sector", offset / model::sector_bytes},
             {"what", what}}};
}

} // namespace

void global_request(ViewFrame& frame, const ShownStage& stage, const Focus& focus, Box box)
{
    const bool has_tiles = has_shared_tile(focus.recording->arrays);
    if (!has_tiles)
        frame.explain({{"banks.why_no_shared_memory"}});
    if (has_tiles) { // sectors of C would be taken for banks
        box.min.y +=
            stage_headline(frame, stage, {"banks.no_shared_memory", {{"tiles", true}, {"instead", Messages()}}}, box);
        Prose(frame.theme)
            .strong(plain({"banks.why_no_lanes"}))
            .draw(ImGui::GetWindowDrawList(), box.min, std::min(box.width(), frame.theme.px(640)));
        return;
    }
    const auto step = nearest_global(*focus.warp, focus.step);
    if (!step || focus.warp->accesses[*step].array >= focus.recording->arrays.size()) {
        stage_headline(frame, stage, {"banks.no_shared_memory", {{"tiles", false}, {"instead", Messages()}}}, box);
        return;
    }
    const recording::Access& access = focus.warp->accesses[*step];
    const recording::Array& array = focus.recording->arrays[access.array];
    const SectorPicture picture = sector_picture(access, array);
    const Meaning meaning = picture.sectors > picture.least_sectors ? Meaning::conflict : Meaning::good;
    const Messages instead{{"banks.global_instead", {{"sectors", Value(picture.sectors).as(meaning)}}}};
    box.min.y +=
        stage_headline(frame, stage, {"banks.no_shared_memory", {{"tiles", false}, {"instead", instead}}}, box);
    const Elements elements(array);
    const bool first = &stage == &frame.first;
    const SectorDiagram diagram{picture,
                                array,
                                elements,
                                frame.theme,
                                box,
                                frame.selection.lane,
                                picture.lines.size(),
                                first ? frame.marks : nullptr};
    ImGui::PushID(static_cast<int>(stage.accent));
    if (const auto hit = draw_sector_diagram(diagram)) {
        frame.point_out(word_message(stage, diagram, *hit, is_store(access.op)));
        if (const uint32_t lanes = hit->line->lanes[hit->word]; ImGui::IsItemClicked() && lanes != 0)
            frame.selection.lane = static_cast<uint32_t>(std::countr_zero(lanes));
    }
    ImGui::PopID();
    mark_picture(frame.marks, stage.slug, box.min, box.max);
}

} // namespace viz::draw
