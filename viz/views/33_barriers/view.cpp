// The barriers view: two threads that use one word of shared memory, with the barrier between them or without one.
#include "viz/view.h"
#include "viz/analysis/barriers.h"
#include "viz/draw/focus.h"
#include "viz/figure/draw_figure.h"
#include "viz/figure/layout.h"
#include "viz/text/figures.h"
#include "viz/text/known.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace viz {

std::unique_ptr<View> make_barriers_view();

namespace {

using recording::Recording;

// Two accesses of different threads to one word of shared memory, in the order of the recording.
struct AccessPair {
    std::string word; // "As(3, 4)"
    recording::RaceAccess first, second;
    bool knows_lanes = false;
    // The barrier between them, counted from 0, with the number of such accesses after it and of all accesses of the
    // second one's kind. Empty: nothing is between them, so they race.
    std::optional<std::size_t> barrier = {};
    uint64_t accesses = 0, all = 0;
    recording::Index3 block = {};

    bool races() const { return !barrier; }
    const char* wanted() const { return races() && first.warp == second.warp ? "__syncwarp()" : "__syncthreads()"; }
};

std::vector<AccessPair> races_of(const Recording& recording)
{
    std::vector<AccessPair> pairs;
    if (!recording.executed)
        return pairs;
    for (const recording::Race& race : recording.executed->races) {
        const recording::Array& array = recording.arrays[race.array];
        const auto cell = Elements(array).at(race.offset);
        pairs.push_back(
            {.word = cell ? element_name(array.name, {*cell}) : fmt::format("byte {} of {}", race.offset, array.name),
             .first = race.first,
             .second = race.second,
             .knows_lanes = true,
             .block = race.block});
    }
    return pairs;
}

std::shared_ptr<const BlockBarriers> block_barriers(const Recording& recording, const recording::BlockTrace& block)
{
    return std::make_shared<BlockBarriers>(recording, block);
}

// Returns what the barrier keeps in order: at most a read and an overwrite of what another warp uses before it.
std::vector<AccessPair> guarded_by(const Recording& recording, const std::shared_ptr<const BlockBarriers>& barriers,
                                   std::size_t barrier, uint32_t warp)
{
    std::vector<AccessPair> pairs;
    const BarrierRaces guarded = barriers->races(barrier, warp);
    for (const auto& [race, reads] : {std::pair{&guarded.read, true}, std::pair{&guarded.overwrite, false}}) {
        if (race->accesses == 0 || !race->example)
            continue;
        const RaceExample& example = *race->example;
        pairs.push_back({.word = element_name(recording.arrays[example.array].name, {example.cell}),
                         .first = {example.before_warp, 0, example.before_line, reads},
                         .second = {example.after_warp, 0, example.after_line, !reads},
                         .barrier = barrier,
                         .accesses = race->accesses,
                         .all = race->all});
    }
    return pairs;
}

// Returns the step of the warp that is at this line and nearest to `near`.
std::optional<std::size_t> step_at_line(const recording::WarpTrace& warp, uint32_t line, std::size_t near)
{
    return nearest_step(warp, near, [&](std::size_t i) { return warp.accesses[i].line == line; });
}

const char* verb(const recording::RaceAccess& access)
{
    return access.writes ? "writes" : "reads";
}

Rich words_of(const AccessPair& pair)
{
    const char* const early = pair.second.writes ? "overwrite" : "read";
    const char* const before = pair.first.writes ? "writes" : "reads";
    if (!pair.races())
        return rich("*Without this barrier, warp {} could {} it before warp {} {} it.* It holds back **{}** of **{}** "
                    "{} up to the next one.",
                    pair.second.warp, early, pair.first.warp, before, pair.accesses, pair.all,
                    pair.second.writes ? "stores" : "reads");
    if (pair.first.warp == pair.second.warp)
        return rich(
            "*Lane {} may {} it before lane {} {} it: the lanes of a warp need not run in step.* `__syncwarp()` "
            "between the two lines orders them.",
            pair.second.lane, early, pair.first.lane, before);
    return rich("*Warp {} may {} it before warp {} {} it: warps run in any order.* `__syncthreads()` between the two "
                "lines orders them.",
                pair.second.warp, early, pair.first.warp, before);
}

// Two rows of time, one for each thread, with the barrier across both.
class PairPanel {
public:
    // `number` is the pair's, from 1.
    PairPanel(const StagePart& part, const Focus& focus, const AccessPair& pair, std::size_t number, const Box& box)
        : theme_(part.theme()), part_(part), focus_(focus), pair_(pair), number_(number)
    {
        const float text = theme_.px(40), top = box.min.y + title_height(theme_) + theme_.px(22);
        words_ = {{box.min.x, box.max.y - text}, box.max};
        rows_ = {{box.min.x + theme_.px(pair.knows_lanes ? 110 : 70), top}, {box.max.x, words_.min.y - theme_.px(22)}};
        middle_ = (rows_.min.x + rows_.max.x) / 2;
        wide_ = std::min(theme_.px(150), (rows_.max.x - rows_.min.x) * 0.2f);
        apart_ = std::min(theme_.px(90), (rows_.max.x - rows_.min.x) * 0.13f);
    }

    Panel make(std::size_t barriers, const Box& box)
    {
        const ImVec2 from = add_use(pair_.first, middle_ - apart_ - wide_, 0.0f, "first");
        const ImVec2 to = add_use(pair_.second, middle_ + apart_, 1.0f, "second");
        pair_.races() ? add_missing_barrier() : add_barrier();
        add_arrow({from.x + wide_, from.y}, to);
        if (pair_.races())
            add_other_order(to.y);
        Panel panel{.id = name("pair"),
                    .box = box,
                    .title = pair_.races() ? fmt::format("race: {} {}, {} {} {}", line(pair_.first), verb(pair_.first),
                                                         line(pair_.second), verb(pair_.second), pair_.word)
                                           : fmt::format("barrier {} of {}: {} {}, {} {} {}", *pair_.barrier + 1,
                                                         barriers, line(pair_.first), verb(pair_.first),
                                                         line(pair_.second), verb(pair_.second), pair_.word),
                    .shorter = {pair_.races() ? "race" : fmt::format("barrier {}", *pair_.barrier + 1)},
                    .layers = {}};
        panel.layers = {std::move(shapes_), std::move(labels_),
                        RichTextLayer{.words = words_of(pair_), .box = words_, .whole = true}};
        return panel;
    }

private:
    static std::string line(const recording::RaceAccess& access)
    {
        return access.line == 0 ? "a line" : fmt::format("line {}", access.line);
    }
    std::string name(const std::string& thing) const { return part_.name(fmt::format("{} {}", thing, number_)); }
    float high() const { return std::min(theme_.px(30), (rows_.max.y - rows_.min.y) * 0.36f); }
    Colour colour(const recording::RaceAccess& access) const { return access.writes ? theme_.store : theme_.load; }

    // Adds one access to its thread's row, 0 for the upper one. Returns the middle of its left edge.
    ImVec2 add_use(const recording::RaceAccess& access, float left, float row, const char* role)
    {
        const float y = rows_.min.y + high() / 2 + row * (rows_.max.y - rows_.min.y - high());
        shapes_.shapes.push_back(
            {.kind = Shape::Kind::line, .points = {{rows_.min.x, y}, {rows_.max.x, y}}, .stroke = theme_.border});
        const Box box{{left, y - high() / 2}, {left + wide_, y + high() / 2}};
        shapes_.shapes.push_back(
            said_of({.box = box, .fill = colour(access), .radius = 3},
                    {.name = name(fmt::format("{} {}", role, verb(access))),
                     .words = verb(access),
                     .tip = said_tip(rich("Warp {}{} {} **{}** at {}.", access.warp,
                                          pair_.knows_lanes ? fmt::format(", lane {}", access.lane) : "", verb(access),
                                          pair_.word, line(access))),
                     .click = to_step(access)}));
        labels_.labels.push_back(mono_label(pair_.knows_lanes ? fmt::format("warp {} lane {}", access.warp, access.lane)
                                                              : fmt::format("warp {}", access.warp),
                                            {rows_.min.x - theme_.px(8), y}, theme_.ink_quiet, Label::Side::left,
                                            true));
        // Below its box, because the barrier's name is above.
        labels_.labels.push_back({.words = line(access),
                                  .at = {(box.min.x + box.max.x) / 2, box.max.y},
                                  .distance = 2,
                                  .colour = theme_.ink,
                                  .side = Label::Side::below,
                                  .must = true});
        return {left, y};
    }

    // Returns an action that selects the step of the access. The action is empty if the access is not in the recorded
    // block of the first stage.
    Action to_step(const recording::RaceAccess& access) const
    {
        if (part_.stage.number != 0 || focus_.block == nullptr || (pair_.races() && focus_.block->block != pair_.block))
            return {};
        const auto step = step_at_line(focus_.block->warps[access.warp], access.line, focus_.step);
        if (!step)
            return {};
        return
            [warp = access.warp, lane = access.lane, step = *step, knows = pair_.knows_lanes](const ViewScene& scene) {
                scene.selection.warp = warp;
                scene.selection.step = step;
                if (knows)
                    scene.selection.lane = lane;
            };
    }

    void add_barrier()
    {
        const float half = theme_.px(3);
        shapes_.shapes.push_back(
            said_of(box_shape({{middle_ - half, rows_.min.y}, {middle_ + half, rows_.max.y}}, theme_.barrier),
                    {.name = name("barrier"),
                     .value = static_cast<double>(*pair_.barrier + 1),
                     .tip = said_tip(rich("Each warp waits here until all warps of the block have come."))}));
        add_name(pair_.wanted(), theme_.ink);
    }

    void add_missing_barrier()
    {
        for (float y = rows_.min.y; y < rows_.max.y; y += theme_.px(9))
            shapes_.shapes.push_back(box_shape(
                {{middle_ - theme_.px(1.5f), y}, {middle_ + theme_.px(1.5f), std::min(rows_.max.y, y + theme_.px(5))}},
                theme_.warning));
        add_name(std::string("no ") + pair_.wanted(), theme_.warning);
    }

    void add_name(std::string words, Colour colour)
    {
        labels_.labels.push_back({.words = std::move(words),
                                  .at = {middle_, rows_.min.y},
                                  .distance = 2,
                                  .colour = colour,
                                  .side = Label::Side::above,
                                  .strong = true,
                                  .must = true,
                                  .name = name(pair_.races() ? "missing" : "kept")});
    }

    // Adds an arrow from the first access to the second one, labelled with the word that both access.
    void add_arrow(ImVec2 from, ImVec2 to)
    {
        const float tip = theme_.px(7);
        const ImVec2 end{to.x - tip, to.y};
        const Colour colour = pair_.races() ? theme_.warning : theme_.ink;
        shapes_.shapes.push_back({.kind = Shape::Kind::curve,
                                  .points = {from, {to.x, from.y}, {from.x, end.y}, end},
                                  .stroke = colour,
                                  .thick = 2});
        shapes_.shapes.push_back({.kind = Shape::Kind::polygon,
                                  .points = {to, {to.x - tip, to.y - tip / 2}, {to.x - tip, to.y + tip / 2}},
                                  .fill = colour});
        labels_.labels.push_back({.words = pair_.word,
                                  .at = {middle_, (from.y + to.y) / 2},
                                  .distance = 0,
                                  .colour = theme_.ink,
                                  .side = Label::Side::middle,
                                  .strong = true,
                                  .plate = true,
                                  .must = true,
                                  .name = name("word")});
    }

    // Adds a box that shows where the second access is if it runs before the first one.
    void add_other_order(float y)
    {
        const float left = rows_.min.x + theme_.px(4), right = middle_ - apart_ - wide_ - theme_.px(8);
        const Box box{{left, y - high() / 2}, {std::min(left + wide_, right), y + high() / 2}};
        if (box.max.x - box.min.x < theme_.px(24))
            return;
        shapes_.shapes.push_back(
            said_of({.box = box, .fill = theme_.background, .stroke = theme_.warning, .thick = 1.5f, .radius = 3},
                    {.name = name("other order"),
                     .words = "or first",
                     .tip = said_tip(rich("A GPU may run the second access here, before the first one."))}));
    }

    const Theme& theme_;
    const StagePart& part_;
    const Focus& focus_;
    const AccessPair& pair_;
    std::size_t number_;
    Box words_{}, rows_{};
    float middle_ = 0, wide_ = 0, apart_ = 0;
    ShapeLayer shapes_;
    LabelLayer labels_;
};

struct Shown {
    std::vector<AccessPair> pairs;
    std::size_t races = 0, barriers = 0;
    Rich why; // without pairs
};

// Returns the races of the launch, and what the next two barriers of the selected warp guard.
Shown shown_of(const StageColumn& column, const Focus& focus)
{
    Shown shown{.pairs = column.memo<races_of>(), .why = rich("{}", focus.why)};
    shown.races = shown.pairs.size();
    if (focus.block == nullptr)
        return shown;
    const std::shared_ptr<const BlockBarriers>& barriers = column.memo<block_barriers>(*focus.block);
    if (!has_shared_tile(focus.recording->arrays)) {
        shown.why = rich("*The threads of this kernel share no memory of the block: there is nothing to wait for.*");
    } else if (barriers->missing()) {
        shown.why = rich(*barriers->missing() == BlockBarriers::Missing::of_whole_tiles
                             ? "*No lane's addresses say what copies and products of whole tiles touch.*"
                             : "*The warps of this block do not all meet at the same barriers.*");
    } else {
        shown.barriers = barriers->count();
        const std::size_t next = std::min(barriers->next(focus.warp_index, focus.step),
                                          shown.barriers - std::min<std::size_t>(shown.barriers, 2));
        for (std::size_t i = next; i < std::min(next + 2, shown.barriers); ++i)
            for (const AccessPair& pair : column.memo<guarded_by>(barriers, i, focus.warp_index))
                shown.pairs.push_back(pair);
        shown.why = rich("*No word of shared memory is used by two warps, and no race was found.*");
    }
    return shown;
}

Rich headline(const Shown& shown)
{
    if (shown.races > 0)
        return rich("{} without a barrier", Value(counted(shown.races, "race")).as(Meaning::conflict));
    if (shown.pairs.empty())
        return rich("nothing to order");
    return rich("warps wait at {}", counted(shown.barriers, "barrier"));
}

class BarriersView final : public View {
public:
    std::string_view name() const override { return "barriers"; }
    std::string_view title() const override { return "Barriers"; }
    ViewGroup group() const override { return ViewGroup::flow; }
    Figure figure(const ViewFrame& frame, const Box& box) override
    {
        Figure figure;
        figure.numbers = {{Numbers::How::recorded, "accesses, barriers and races"}};
        std::vector<Shown> stages;
        for (const StageColumn& column : frame.columns)
            stages.push_back(shown_of(column, focus_on(frame, column)));
        const std::vector<Box> places = add_headings(
            figure, frame, box, [&](const StageColumn& column) { return headline(stages[column.number]); });
        for (const StageColumn& column : frame.columns)
            add_stage(figure, {frame, column}, stages[column.number], places[column.number]);
        return figure;
    }

private:
    static void add_stage(Figure& figure, const StagePart& part, const Shown& shown, const Box& place)
    {
        const Theme& theme = part.theme();
        if (shown.pairs.empty()) {
            figure.panels.push_back(
                {.id = part.name("no pairs"), .box = place, .layers = {RichTextLayer{shown.why}}, .is_picture = false});
            return;
        }
        const float gap = theme.px(18), least = theme.px(180), most = theme.px(320);
        const float room = place.max.y - place.min.y;
        const auto fitting = static_cast<std::size_t>(std::max(1.0f, (room + gap) / (least + gap)));
        const std::size_t count = std::min(shown.pairs.size(), fitting);
        const float high = std::min(most, (room - gap * static_cast<float>(count - 1)) / static_cast<float>(count));
        const Focus focus = focus_on(part.frame, part.stage);
        for (std::size_t i = 0; i < count; ++i) {
            const float top = place.min.y + static_cast<float>(i) * (high + gap);
            const Box box{{place.min.x, top}, {place.max.x, top + high}};
            figure.panels.push_back(PairPanel(part, focus, shown.pairs[i], i + 1, box).make(shown.barriers, box));
        }
        for (const AccessPair& pair : shown.pairs)
            figure.said.push_back(joined({rich("`{}`:", pair.word), words_of(pair)}));
        if (count < shown.pairs.size())
            figure.said.push_back(
                rich("*The picture has room for {} of {}.*", count, counted(shown.pairs.size(), "pair")));
    }
};

} // namespace

std::unique_ptr<View> make_barriers_view()
{
    return std::make_unique<BarriersView>();
}

} // namespace viz
