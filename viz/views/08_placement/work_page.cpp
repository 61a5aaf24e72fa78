#include "viz/views/08_placement/work_page.h"

#include "viz/analysis/hierarchy.h"
#include "viz/draw/prose.h"
#include "viz/origin.h"

#include <algorithm>
#include <cmath>

namespace viz {

void WorkSide::update(const std::shared_ptr<const recording::Recording>& wanted, const PlacementPicture* picture,
                      const WorkPlaces& others)
{
    if (recording == wanted && places.count == others.count && places.sms == others.sms)
        return;
    recording = wanted;
    places = others;
    facts_ = wanted ? work_facts(*wanted, picture, others) : std::nullopt;
    for (WorkImage* image : {&map, &columns, &whole, &cut})
        image->of = nullptr;
}

std::optional<WorkPlaces> WorkSide::own_places() const
{
    if (!facts_ || (!facts_->placed && facts_->launched().work.at_once == 0))
        return {};
    return WorkPlaces{facts_->places, facts_->on_sms};
}

std::optional<uint32_t> WorkSide::next_block(std::optional<uint32_t> from, int blocks, int lanes) const
{
    if (!facts_ || (blocks == 0 && lanes == 0))
        return from;
    const WorkCase& shown = facts_->launched();
    const auto& all = shown.lanes.lanes;
    for (std::size_t lane = 0; lane < all.size(); ++lane)
        for (std::size_t i = 0; i < all[lane].size(); ++i) {
            if (from && shown.work.parts[all[lane][i].part].block != *from)
                continue;
            if (!from)
                return shown.work.parts[all[lane][i].part].block;
            if (lanes != 0) {
                for (auto next = static_cast<int64_t>(lane) + lanes; next >= 0 && next < std::ssize(all); next += lanes)
                    if (!all[static_cast<std::size_t>(next)].empty())
                        return shown.work.parts[all[static_cast<std::size_t>(next)].front().part].block;
                return from;
            }
            for (auto next = static_cast<int64_t>(i) + blocks; next >= 0 && next < std::ssize(all[lane]);
                 next += blocks)
                if (const uint32_t block = shown.work.parts[all[lane][static_cast<std::size_t>(next)].part].block;
                    block != *from)
                    return block;
            return from;
        }
    return from;
}

Message WorkSide::headline() const
{
    const WorkCase& own = facts_->launched();
    const WorkCase& other = facts_->launched_cut ? facts_->whole : facts_->cut;
    return {"placement.work_head",
            {{"length", own.lanes.length},
             {"idle", Value(share(own.lanes.idle())).as(own.lanes.idle() > 0.1 ? Meaning::conflict : Meaning::good)},
             {"cut", facts_->launched_cut},
             {"other", other.lanes.length},
             {"other_idle", share(other.lanes.idle())}}};
}

void WorkSide::explain(ViewFrame& frame) const
{
    const WorkCase& own = facts_->launched();
    const TileWork& work = own.work;
    frame.explain({{"placement.work_rule",
                    {{"tiles", work.tiles()},
                     {"k_tiles", work.k_tiles},
                     {"places", facts_->places},
                     {"sm", facts_->on_sms},
                     {"deep", work.BK}}}});
    const auto recorded = static_cast<uint64_t>(std::ranges::count(work.parts, true, &WorkPart::recorded));
    Messages how;
    if (!own.by_tile.cut.empty())
        how.push_back({"placement.work_cut_rule",
                       {{"cut", own.by_tile.cut.size()}, {"whole", work.tiles() - own.by_tile.cut.size()}}});
    how.push_back({"placement.work_known", {{"recorded", recorded}, {"parts", work.parts.size()}}});
    frame.explain(how);
    if (!facts_->launched_cut)
        frame.explain({{"placement.work_as_if", {{"places", facts_->places}, {"sm", facts_->on_sms}}}});
}

Message WorkSide::part_message(const Under& under) const
{
    const TileWork& work = under.of->work;
    const WorkPart& part = work.parts[*under.part];
    const Cell place = work.places[part.tile];
    const uint32_t end = std::min((part.first + part.count) * work.BK, recording->problem.K);
    const bool launched = under.of == &facts_->launched();
    return {"placement.work_part",
            {{"block", index(part.block)},
             {"first", index(part.first)},
             {"last", index(part.first + part.count - 1)},
             {"all", work.k_tiles},
             {"from", index(part.first * work.BK)},
             {"until", index(end - 1)},
             {"row", index(place.row)},
             {"col", index(place.col)},
             {"launched", launched},
             {"recorded", part.recorded && launched},
             {"origin", part.recorded && launched ? NumberOrigin::recorded : NumberOrigin::derived}}};
}

std::optional<uint32_t> WorkSide::answer(ViewFrame& frame, const Under& under) const
{
    if (under.idle) {
        const WorkLanes& lanes = under.of->lanes;
        const uint64_t end = lanes.end_of(*under.idle, under.of->work);
        frame.point_out(
            {"placement.work_idle",
             {{"sm", facts_->on_sms}, {"lane", index(*under.idle)}, {"end", end}, {"length", lanes.length}}});
    }
    if (!under.part)
        return {};
    frame.point_out(part_message(under));
    if (under.of != &facts_->launched() || !ImGui::IsMouseClicked(ImGuiMouseButton_Left))
        return {};
    return under.of->work.parts[*under.part].block;
}

// The lanes of one case, below their name with how long they take and how much of that is idle.
void WorkSide::draw_chart(const WorkPicture& picture, const WorkCase& shown, const Room& room, Under& under)
{
    const Theme& theme = picture.theme;
    const bool is_cut = &shown == &facts_->cut, launched = &shown == &facts_->launched();
    Prose title(theme);
    title.origin(launched && facts_->placed ? NumberOrigin::recorded : NumberOrigin::derived)
        .write(is_cut ? Message{"placement.work_lanes_cut", {{"launched", launched}}}
                      : Message{"placement.work_lanes_whole", {{"launched", launched}}})
        .write({"placement.work_length",
                {{"length", shown.lanes.length}, {"idle", Value(share(shown.lanes.idle())).as(Meaning::conflict)}}});
    const float below = title.draw(ImGui::GetWindowDrawList(), room.box.min, room.box.width()) + theme.px(2);
    const WorkChart chart{picture, shown, static_cast<double>(std::max<uint64_t>(1, room.most)), room.alone};
    const LaneUnder now =
        draw_work_lanes(chart, is_cut ? cut : whole, {{room.box.min.x, room.box.min.y + below}, room.box.max});
    if (now.part || now.idle)
        under = {&shown, now.part, now.idle};
}

std::optional<uint32_t> WorkSide::draw(ViewFrame& frame, std::optional<uint32_t> selected, Marks* marks,
                                       const Room& room)
{
    const Theme& theme = frame.theme;
    const WorkPicture picture{*facts_, selected, theme, marks};
    const draw::Box& box = room.box;
    const float gap = theme.px(12);
    const WorkCase& own = facts_->launched();
    Under under;
    const auto take = [&](const PartUnder& part) {
        if (part)
            under = {&own, part, {}};
    };
    if (!room.alone) { // C, its columns and the lanes beside each other
        const float tiles = std::min(box.height(), box.width() * 0.3f);
        take(draw_work_map(picture, map, {box.min, {box.min.x + tiles, box.max.y}}));
        const float middle = box.min.x + tiles + gap, right = middle + (box.max.x - middle) * 0.36f;
        take(draw_work_columns(picture, columns, {{middle, box.min.y}, {right, box.max.y}}));
        draw_chart(picture, own, {{{right + gap, box.min.y}, box.max}, true, std::max(room.most, own.lanes.length)},
                   under);
        return answer(frame, under);
    }
    const float top = box.min.y + box.height() * 0.46f;
    const float tiles = std::min(top - box.min.y, box.width() * 0.4f);
    take(draw_work_map(picture, map, {box.min, {box.min.x + tiles, top - gap}}));
    take(draw_work_columns(picture, columns, {{box.min.x + tiles + gap, box.min.y}, {box.max.x, top - gap}}));
    const uint64_t most = std::max({room.most, facts_->whole.lanes.length, facts_->cut.lanes.length});
    const float axis = draw::measure(theme.mono, "0").y + theme.px(7);
    const float middle = std::round(top + (box.max.y - top - axis) / 2);
    draw_chart(picture, facts_->whole, {{{box.min.x, top}, {box.max.x, middle - theme.px(4)}}, false, most}, under);
    draw_chart(picture, facts_->cut, {{{box.min.x, middle}, box.max}, true, most}, under);
    return answer(frame, under);
}

void WorkPage::update(const ViewFrame& frame, std::span<const PlacementSide, 2> stages)
{
    const bool comparing = frame.second != nullptr;
    WorkPlaces of_gpu;
    if (frame.board && frame.board->gpu.properties)
        of_gpu.count = frame.board->gpu.properties->sm_count;
    const auto take = [&](std::size_t i, const WorkPlaces& places) {
        sides[i].update(stages[i].recording, stages[i].picture ? &*stages[i].picture : nullptr, places);
    };
    if (!comparing)
        return take(0, of_gpu);
    take(1, sides[0].own_places().value_or(of_gpu));
    take(0, sides[1].own_places().value_or(of_gpu));
    take(1, sides[0].own_places().value_or(of_gpu));
}

std::optional<uint32_t> WorkPage::draw(ViewFrame& frame, std::size_t stage, std::optional<uint32_t> selected,
                                       const draw::Box& box)
{
    const bool comparing = frame.second != nullptr;
    sides[stage].explain(frame);
    // On one scale where a k-tile is as much work, and as many blocks do it.
    const WorkFacts& own = *facts(stage);
    const WorkFacts* const other = comparing ? facts(1 - stage) : nullptr;
    const auto unit = [](const WorkFacts& one) {
        const TileWork& work = one.launched().work;
        return uint64_t{work.BM} * work.BN * work.BK;
    };
    const bool alike = other != nullptr && unit(*other) == unit(own) && other->places == own.places;
    return sides[stage].draw(frame, selected, stage == 0 ? frame.marks : nullptr,
                             {box, !comparing, alike ? other->launched().lanes.length : 0});
}

} // namespace viz
