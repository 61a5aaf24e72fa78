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

using Launch = std::shared_ptr<const LaunchFacts>;
using Work = std::shared_ptr<const Told<TileWork>>;

// These are of a launch that a column shows, which need not be the column's recording.
bool is_quick(const recording::Recording&, const Launch& launch)
{
    std::size_t accesses = 0;
    for (const recording::BlockTrace& block : launch->recording->blocks)
        accesses += access_count(block);
    const recording::Problem& problem = launch->recording->problem;
    return accesses <= quick_accesses && uint64_t{problem.M} * problem.N <= quick_products / std::max(1u, problem.K);
}

Work work_of_launch(const recording::Recording&, const Launch& launch)
{
    return std::make_shared<const Told<TileWork>>(tile_work(*launch->recording));
}

const PlacementPicture* picture_of(const Launch& launch)
{
    return launch->picture ? &*launch->picture : nullptr;
}

std::shared_ptr<const Told<WorkFacts>> facts_of_launch(const recording::Recording&, const Launch& launch,
                                                       const Work& work, const WorkPlaces& others)
{
    return std::make_shared<const Told<WorkFacts>>(*work ? work_facts(**work, picture_of(launch), others)
                                                         : Told<WorkFacts>(work->why));
}

} // namespace

void WorkSide::show(std::shared_ptr<const Told<WorkFacts>> facts, uint32_t of_product)
{
    K = of_product;
    if (facts == told)
        return;
    told = std::move(facts);
    map.reset();
    columns.reset();
    whole.reset();
    cut.reset();
}

std::optional<uint32_t> WorkSide::next_block(std::optional<uint32_t> from, int blocks, int lanes) const
{
    if (facts() == nullptr)
        return from;
    const WorkCase& shown = facts()->launched();
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
        frame.point_out(idle_lane_message(*facts(), *under.of, *under.idle));
    if (!under.part)
        return {};
    frame.point_out(part_message(*facts(), *under.of, *under.part, K));
    if (under.of != &facts()->launched() || !ImGui::IsMouseClicked(ImGuiMouseButton_Left))
        return {};
    return under.of->work.parts[*under.part].block;
}

void WorkSide::draw_chart(const WorkPicture& picture, const WorkCase& shown, const ChartRoom& room, Under& under)
{
    const Theme& theme = picture.theme;
    const bool recorded = facts()->placed && &shown == &facts()->launched();
    Prose title(theme);
    title.origin(recorded ? NumberOrigin::recorded : NumberOrigin::derived);
    for (const Message& words : lanes_title(*facts(), shown))
        title.write(words);
    const float below = title.draw(ImGui::GetWindowDrawList(), room.box.min, room.box.width()) + theme.px(2);
    const WorkChart chart{picture, shown, static_cast<double>(std::max<uint64_t>(1, room.most)), room.axis};
    const LaneUnder now = draw_work_lanes(chart, &shown == &facts()->cut ? cut : whole,
                                          {{room.box.min.x, room.box.min.y + below}, room.box.max});
    if (now.part || now.idle)
        under = {&shown, now.part, now.idle};
}

std::optional<uint32_t> WorkSide::draw(ViewFrame& frame, std::optional<uint32_t> selected, Marks* marks,
                                       const Room& room)
{
    const Theme& theme = frame.theme;
    const WorkPicture picture{*facts(), selected, theme, marks};
    const draw::Box& box = room.box;
    const float gap = theme.px(12);
    const WorkCase& own = facts()->launched();
    Under under;
    const auto take = [&](const PartUnder& part) {
        if (part)
            under = {&own, part, {}};
    };
    if (!room.alone) { // C, its columns and the lanes beside each other
        const float tiles =
            std::max(std::min(box.height(), box.width() * 0.3f), draw::measure(theme.text, name_of_map(*facts())).x);
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
    const uint64_t most = std::max({room.most, facts()->whole.lanes.length, facts()->cut.lanes.length});
    const float axis = draw::measure(theme.mono, "0").y + theme.px(7);
    const float middle = std::round(top + (box.max.y - top - axis) / 2);
    draw_chart(picture, facts()->whole, {{{box.min.x, top}, {box.max.x, middle - theme.px(4)}}, false, most}, under);
    draw_chart(picture, facts()->cut, {{{box.min.x, middle}, box.max}, true, most}, under);
    return answer(frame, under);
}

void WorkPage::show(const ViewFrame& frame, std::span<const PlacementSide, 2> stages)
{
    const std::size_t count = frame.comparing() ? 2 : 1;
    std::array<Work, 2> works;
    std::array<std::optional<WorkPlaces>, 2> own;
    bool known = true;
    for (std::size_t i = 0; i < count; ++i) {
        const Launch& launch = stages[i].facts;
        const bool quick = frame.columns[i].memo<is_quick>(launch);
        if (const Work* work = frame.columns[i].memo_later<work_of_launch>(quick, launch))
            works[i] = *work;
        known = known && works[i];
        if (works[i] && *works[i])
            own[i] = own_places(**works[i], picture_of(launch));
    }
    WorkPlaces of_gpu;
    if (frame.board.gpu.properties)
        of_gpu.count = frame.board.gpu.properties->sm_count;
    for (std::size_t i = 0; i < count; ++i) {
        const Launch& launch = stages[i].facts;
        const std::shared_ptr<const Told<WorkFacts>>* facts = nullptr;
        if (known)
            facts = frame.columns[i].memo_later<facts_of_launch>(frame.columns[i].memo<is_quick>(launch), launch,
                                                                 works[i], own[1 - i].value_or(of_gpu));
        sides[i].show(facts != nullptr ? *facts : nullptr, launch->recording->problem.K);
    }
}

Message WorkPage::why_not(std::size_t stage) const
{
    return sides[stage].busy() ? Message{"placement.work_under_way"} : no_work(sides[stage].why_not());
}

std::optional<uint32_t> WorkPage::draw(ViewFrame& frame, std::size_t stage, std::optional<uint32_t> selected,
                                       const draw::Box& box)
{
    const bool comparing = frame.comparing();
    // On one scale where a k-tile is as much work, and as many blocks do it.
    const WorkFacts& own = *facts(stage);
    const WorkFacts* const other = comparing ? facts(1 - stage) : nullptr;
    for (Messages& paragraph : work_messages(own, !comparing))
        frame.explain(paragraph);
    const auto unit = [](const WorkFacts& one) {
        const TileWork& work = one.launched().work;
        return uint64_t{work.BM} * work.BN * work.BK;
    };
    const bool alike = other != nullptr && unit(*other) == unit(own) && other->places == own.places;
    return sides[stage].draw(frame, selected, stage == 0 ? frame.marks : nullptr,
                             {box, !comparing, alike ? other->launched().lanes.length : 0});
}

} // namespace viz
