#include "viz/views/08_placement/work_page.h"

#include "viz/analysis/access.h"
#include "viz/draw/prose.h"
#include "viz/origin.h"
#include "viz/views/08_placement/work_messages.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace viz {

namespace {

constexpr std::size_t quick_accesses = 6'000;          // that are followed within a frame
constexpr uint64_t quick_products = uint64_t{1} << 28; // M x N x K, with which the number of parts grows

bool is_quick(const recording::Recording& recording)
{
    std::size_t accesses = 0;
    for (const recording::BlockTrace& block : recording.blocks)
        accesses += access_count(block);
    const recording::Problem& problem = recording.problem;
    return accesses <= quick_accesses && uint64_t{problem.M} * problem.N <= quick_products / std::max(1u, problem.K);
}

} // namespace

void WorkSide::take(const std::shared_ptr<const recording::Recording>& of, Told<WorkFacts> now)
{
    recording = of;
    facts_ = std::move(now);
    map.reset();
    columns.reset();
    whole.reset();
    cut.reset();
}

std::optional<uint32_t> WorkSide::next_block(std::optional<uint32_t> from, int blocks, int lanes) const
{
    if (!facts_)
        return from;
    const WorkCase& shown = facts_->launched();
    const auto& all = shown.lanes.lanes;
    const auto block_of = [&](const WorkLanes::Span& span) { return shown.work.parts[span.part].block; };
    for (std::size_t lane = 0; lane < all.size(); ++lane)
        for (std::size_t i = 0; i < all[lane].size(); ++i) {
            if (!from)
                return block_of(all[lane][i]);
            if (block_of(all[lane][i]) != *from)
                continue;
            if (lanes != 0) {
                for (auto next = static_cast<int64_t>(lane) + lanes; next >= 0 && next < std::ssize(all); next += lanes)
                    if (const auto& spans = all[static_cast<std::size_t>(next)]; !spans.empty())
                        return block_of(spans.front());
                return from;
            }
            for (auto next = static_cast<int64_t>(i) + blocks; next >= 0 && next < std::ssize(all[lane]);
                 next += blocks)
                if (const uint32_t block = block_of(all[lane][static_cast<std::size_t>(next)]); block != *from)
                    return block;
            return from;
        }
    return from;
}

std::optional<uint32_t> WorkSide::answer(ViewFrame& frame, const Under& under) const
{
    if (under.idle)
        frame.point_out(idle_lane_message(*facts_, *under.of, *under.idle));
    if (!under.part)
        return {};
    frame.point_out(part_message(*facts_, *under.of, *under.part, recording->problem.K));
    if (under.of != &facts_->launched() || !ImGui::IsMouseClicked(ImGuiMouseButton_Left))
        return {};
    return under.of->work.parts[*under.part].block;
}

void WorkSide::draw_chart(const WorkPicture& picture, const WorkCase& shown, const ChartRoom& room, Under& under)
{
    const Theme& theme = picture.theme;
    const bool recorded = facts_->placed && &shown == &facts_->launched();
    Prose title(theme);
    title.origin(recorded ? NumberOrigin::recorded : NumberOrigin::derived);
    for (const Message& words : lanes_title(*facts_, shown))
        title.write(words);
    const float below = title.draw(ImGui::GetWindowDrawList(), room.box.min, room.box.width()) + theme.px(2);
    const WorkChart chart{picture, shown, static_cast<double>(std::max<uint64_t>(1, room.most)), room.axis};
    const LaneUnder now = draw_work_lanes(chart, &shown == &facts_->cut ? cut : whole,
                                          {{room.box.min.x, room.box.min.y + below}, room.box.max});
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
        const float tiles =
            std::max(std::min(box.height(), box.width() * 0.3f), draw::measure(theme.text, name_of_map(*facts_)).x);
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
    Wanted now;
    if (frame.board.gpu.properties)
        now.of_gpu.count = frame.board.gpu.properties->sm_count;
    for (std::size_t i = 0; i < (frame.comparing() ? 2 : 1); ++i)
        now.recordings[i] = stages[i].recording;
    if (now != wanted) {
        Works known;
        Pictures pictures;
        bool quick = true;
        for (std::size_t i = 0; i < now.recordings.size(); ++i) {
            for (std::size_t before = 0; before < works.size() && now.recordings[i]; ++before)
                if (wanted.recordings[before] == now.recordings[i] && works[before])
                    known[i] = works[before];
            if (now.recordings[i]) {
                pictures[i] = stages[i].picture;
                quick = quick && is_quick(*now.recordings[i]);
            }
        }
        wanted = now;
        works = known;
        computing.start([now, pictures = std::move(pictures), known] { return compute(now, pictures, known); }, quick);
    }
    if (auto done = computing.take()) {
        works = done->works;
        for (std::size_t i = 0; i < sides.size(); ++i)
            sides[i].take(wanted.recordings[i], std::move(done->facts[i]));
    }
}

WorkPage::Computed WorkPage::compute(const Wanted& wanted, const Pictures& pictures, Works known)
{
    Computed computed{.works = std::move(known), .facts = {NoWork::no_tile, NoWork::no_tile}};
    const auto picture = [&](std::size_t i) { return pictures[i] ? &*pictures[i] : nullptr; };
    std::array<std::optional<WorkPlaces>, 2> own;
    for (std::size_t i = 0; i < own.size(); ++i) {
        auto& work = computed.works[i];
        if (wanted.recordings[i] && !work)
            work = std::make_shared<const Told<TileWork>>(tile_work(*wanted.recordings[i]));
        if (work && *work)
            own[i] = own_places(**work, picture(i));
    }
    for (std::size_t i = 0; i < own.size(); ++i)
        if (const auto& work = computed.works[i])
            computed.facts[i] =
                *work ? work_facts(**work, picture(i), own[1 - i].value_or(wanted.of_gpu)) : Told<WorkFacts>(work->why);
    return computed;
}

Message WorkPage::why_not(std::size_t stage) const
{
    return busy() ? Message{"placement.work_under_way"} : no_work(sides[stage].why_not());
}

std::optional<uint32_t> WorkPage::draw(ViewFrame& frame, std::size_t stage, std::optional<uint32_t> selected,
                                       const draw::Box& box)
{
    const bool comparing = frame.comparing();
    // On one scale where a k-tile is as much work, and as many blocks do it.
    const WorkFacts& own = *facts(stage);
    const WorkFacts* const other = comparing ? facts(1 - stage) : nullptr;
    for (Messages& paragraph : work_messages(own, !comparing))
        frame.explain(std::move(paragraph));
    const auto unit = [](const WorkFacts& one) {
        const TileWork& work = one.launched().work;
        return uint64_t{work.BM} * work.BN * work.BK;
    };
    const bool alike = other != nullptr && unit(*other) == unit(own) && other->places == own.places;
    return sides[stage].draw(frame, selected, stage == 0 ? frame.marks : nullptr,
                             {box, !comparing, alike ? other->launched().lanes.length : 0});
}

} // namespace viz
