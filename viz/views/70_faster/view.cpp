// The comparison view: why one of two rungs is faster. Compares the source, the mapping of results to threads, the work
// per multiplication and on an SM, and the speeds.
#include "viz/view_options.h"

#include "viz/analysis/comparison_messages.h"
#include "viz/analysis/timeline.h"
#include "viz/draw/controls.h"
#include "viz/draw/focus.h"
#include "viz/draw/rich_text.h"
#include "viz/figure/draw_figure.h"
#include "viz/figure/layout.h"
#include "viz/views/70_faster/facts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

namespace viz {

std::unique_ptr<View> make_faster_view();

namespace {

// Facts about one column.
struct ComparedStage {
    const recording::Recording& recording;
    Per per = Per::multiplications;
    const KernelFigures& figures;
    const RecordedWork& work;
    std::optional<int> under_way; // k-tiles in flight in the first recorded block
    const BlockMapping& mapping;  // of the selected warp and lane
    uint32_t warp = 0;
};

std::optional<int> k_tiles_of_first_block(const recording::Recording& recording)
{
    return k_tiles_under_way(recording, recording.blocks.front());
}

ComparedStage compared_stage(const StageColumn& column, const Focus& focus, Per per, uint32_t lane)
{
    return {*column.recording,
            per,
            column.memo<figures_of>(*focus.block, per),
            column.memo<recorded_work>(*focus.block),
            column.memo<k_tiles_of_first_block>(),
            column.memo<mapping_of>(*focus.block, focus.warp_index, lane),
            focus.warp_index};
}

// Visits all accesses of both recordings.
Rich reservations_beside(const recording::Recording& first, const std::string& slug, const RecordingPtr& second,
                         const std::string& other_slug)
{
    return reservations({slug, first, {}, {}}, {other_slug, *second, {}, {}});
}

struct FasterOptions {
    bool library = false; // shows the launch of cuBLAS instead of the costs
    bool pipes = false;   // groups instructions by pipe, if both groupings are known
};

void fields(auto& visit, kernels::Like<FasterOptions> auto& options)
{
    visit("library", options.library);
    visit("pipes", options.pipes);
}

// Places of the controls in a figure. Empty for missing controls.
struct Places {
    std::optional<Box> switches, pipes, comments; // rows of buttons, which are at the right ends
    std::optional<Box> changes;                   // the list of lines
};

ComparedRung compared(const StageColumn& shown, const ComparedStage& stage, const Speed& speed)
{
    ComparedRung rung{shown.slug, stage.recording, stage.figures, speed};
    rung.figures.values[static_cast<std::size_t>(Measure::speed)] = speed.gflops.value();
    return rung;
}

Per per_of(const ViewFrame& frame)
{
    for (std::size_t i = 1; i < frame.columns.size(); ++i)
        if (!frame.columns[i].recording ||
            compared_per(*frame.columns.front().recording, *frame.columns[i].recording) == Per::multiplications)
            return Per::multiplications;
    return Per::launch;
}

bool known_of_both(const std::vector<WorkPair>& pairs)
{
    return std::ranges::any_of(pairs, [](const WorkPair& one) { return one.first && one.second; });
}

// Returns the size at which all stages were counted, if it is the same one.
std::optional<recording::Problem> one_size(const std::vector<StageWork>& sides)
{
    const recording::Problem& size = sides[0].counted->problem;
    const bool same = std::ranges::all_of(sides, [&](const StageWork& one) { return one.counted->problem == size; });
    return same ? std::optional(size) : std::nullopt;
}

// Returns the mix for exactly these parameters. Returns nothing if the instructions were not counted.
std::optional<MixOfLaunch> mix_of(const LadderFacts& ladder_facts, const ComparedRung& rung, MixKind kind)
{
    const StageFacts* facts = ladder_facts.of(rung.recording);
    if (facts == nullptr)
        return std::nullopt;
    if (kind == MixKind::by_class)
        return facts->run ? std::optional(by_class(*facts->run)) : std::nullopt;
    const auto largest = std::ranges::find_if(facts->counted.rbegin(), facts->counted.rend(),
                                              [](const HardwareFigures& one) { return !one.pipes.empty(); });
    return largest == facts->counted.rend() ? std::nullopt : std::optional(by_pipe(*largest));
}

// Says why the rung is compared with the second one, and why one that stands before it in the ladder may be faster.
// Returns nothing if the user chose another second stage.
Rich order_words(const LadderFacts& ladder_facts, const ComparedRung& first, const ComparedRung& second)
{
    const StageFacts* const own = ladder_facts.find(first.slug);
    if (own == nullptr || own->builds_on.empty() || own->builds_on != second.slug)
        return {};
    std::vector<Rich> said{
        rich("*{}* is compared with *{}* because its source is a change of that one.", first.slug, second.slug)};
    if (const auto ratio = speed_ratio(first, second); ratio && *ratio < 1 - same_speed)
        said.push_back(rich("It is slower: what the change adds costs more than it saves."));
    const StageFacts* const before = own == ladder_facts.rungs.data() ? nullptr : own - 1;
    const auto comparable = [](const StageFacts& a, const StageFacts& b) {
        return a.speed && b.speed && a.type == b.type && a.speed->problem == b.speed->problem &&
               a.speed.from().shipped == b.speed.from().shipped;
    };
    if (before != nullptr && before->slug != second.slug && comparable(*before, *own) &&
        own->speed->gflops < before->speed->gflops * (1 - same_speed))
        said.push_back(
            rich("The rung above it, *{}*, is faster: its change is not a part of *{}*.", before->slug, first.slug));
    return joined(std::move(said));
}

// The picture of two comparable stages.
class FasterFigure {
public:
    FasterFigure(const ViewFrame& what, std::vector<ComparedStage> both, const FasterOptions& options, bool comments)
        : chosen(options), with_comments(comments), frame(what), theme(what.theme), stages(std::move(both)),
          first(compared(frame.columns[0], stages[0], comparable_speeds(frame.columns[0], frame.columns[1]).first)),
          second(compared(frame.columns[1], stages[1], comparable_speeds(frame.columns[0], frame.columns[1]).second)),
          comparison{theme, first, second, {}, {}, {}, stages[0].per}
    {
        compare_work();
    }

    Figure make(const Box& box)
    {
        figure.numbers = {{Numbers::How::recorded, "accesses"},
                          {Numbers::How::derived, "their costs"},
                          {Numbers::How::timed, "GFLOPS"}};
        if (counted_from)
            figure.numbers.push_back({Numbers::How::counted, "instructions, wavefronts", counted_from});
        explain();
        Heading head = stage_heading(frame, theme, frame.columns[0], step_headline(first, second, comparison.work));
        head.box = {box.min, {box.max.x, box.min.y + heading_height(theme, head, box.width())}};
        const Box below{{box.min.x, head.box.max.y}, box.max};
        figure.headings.push_back(std::move(head));
        const std::vector<Box> sides = columns(below, {share_of_rest(0.48f), share_of_rest(0.52f)}, theme.px(8));
        add_left(sides[0]);
        add_right(sides[1]);
        return std::move(figure);
    }
    const Places& places() const { return places_; }

private:
    // Compares counted values if all stages have them.
    void compare_work()
    {
        const auto side = [&](const ComparedRung& rung, const ComparedStage& stage) {
            return StageWork{rung, largest_counted(frame.ladder_facts.find(rung.recording.stage)), stage.work};
        };
        std::vector<StageWork> sides{side(first, stages[0]), side(second, stages[1])};
        std::optional<ComparedRung> further;
        if (frame.columns.size() > 2) {
            further.emplace(
                compared(frame.columns[2], stages[2], comparable_speeds(frame.columns[0], frame.columns[2]).second));
            sides.push_back(side(*further, stages[2]));
        }
        if (std::ranges::all_of(sides, [](const StageWork& one) { return one.counted != nullptr; })) {
            counted_from = sides[0].counted->from;
            comparison.counted_at = one_size(sides);
        } else { // all as in the source, or all as executed
            for (StageWork& one : sides)
                one.counted = nullptr;
        }
        const auto& known = frame.ladder_facts.gpu.properties;
        const recording::GpuProperties* properties = known ? &*known : nullptr;
        comparison.work = work_of(sides[0], sides[1], properties);
        if (further)
            comparison.further = work_of(sides[0], sides[2], properties);
    }

    void say(Rich words) { figure.said.push_back(std::move(words)); }

    void explain()
    {
        say(order_words(frame.ladder_facts, first, second));
        std::erase(figure.said, Rich{});
        if (comparison.per == Per::launch)
            say(joined({rich("*One scale.* Each bar is how long one SM would be busy with the whole launch."),
                        rich("What they compute is not known, but both write as many elements.")}));
        else if (known_of_both(comparison.work) || !no_costs(first, second))
            say(joined({rich("*One scale.* Each bar is how long a unit of an SM is busy per 1,000 multiplications."),
                        limit_words(comparison.work, first.slug, second.slug)}));
        Rich bought = what_it_bought(first, second);
        if (!comparison.traced())
            bought = joined({bought, rich("Accesses are counted as the source says them."),
                             rich("The compiler may merge some, or keep values in registers.")});
        say(std::move(bought));
        std::vector<Rich> settings;
        if (const auto all = setting_changes(second.recording, first.recording); !all.empty())
            settings.push_back(rich("{}.", listed(all)));
        if (const auto all = layout_changes(second.recording, first.recording); !all.empty())
            settings.push_back(rich("In shared memory {}.", listed(all)));
        if (!settings.empty())
            say(joined(std::move(settings)));
        const Rich& reserved =
            frame.columns[0].memo<reservations_beside>(first.slug, frame.columns[1].recording, second.slug);
        if (!reserved.empty())
            say(reserved);
    }

    // Adds a title: the first one that leaves room for buttons of this width. Returns the box below.
    Box add_title(const char* id, std::vector<std::string> titles, std::optional<NumberOrigin> origin, const Box& box,
                  float buttons)
    {
        const std::vector<Box> parts = rows(box, {pixels(ImGui::GetFrameHeight()), share_of_rest()}, 0);
        figure.panels.push_back({.id = id,
                                 .box = {parts[0].min, {parts[0].max.x - buttons, parts[0].max.y}},
                                 .title = titles.front(),
                                 .shorter = {titles.begin() + 1, titles.end()},
                                 .origin = origin});
        return parts[1];
    }

    void add_left(const Box& box)
    {
        const float buttons = draw::button_width("cost") + draw::button_width("cuBLAS") + theme.px(12);
        places_.switches = {box.min, {box.max.x, box.min.y + ImGui::GetFrameHeight()}};
        if (chosen.library) {
            const std::optional<int> under_way[] = {stages[0].under_way, stages[1].under_way};
            return add_library(figure, frame, under_way, add_title("beside", {"what each launches"}, {}, box, buttons));
        }
        if (const auto why = no_costs(first, second); why && !known_of_both(comparison.work)) {
            Box rest = add_title("beside", {""}, {}, box, buttons);
            const float height = RichText(theme).write(*why).height(rest.width()) + theme.px(12);
            const std::vector<Box> parts = rows(rest, {pixels(height), share_of_rest()}, 0);
            figure.panels.push_back(words_panel("why not", parts[0], *why));
            return add_measures(parts[1]);
        }
        const std::vector<std::string> scale =
            comparison.per == Per::launch
                ? std::vector<std::string>{"cycles of one SM, for the whole launch", "cycles of one SM", "cycles"}
                : std::vector<std::string>{"cycles of an SM, per 1,000 multiplications", "cycles per 1,000 products",
                                           "cycles"};
        const Box below = add_title("scale", scale, {}, box, buttons);
        BarLayer costs = cost_bars(comparison);
        const float half = std::max(std::floor(below.height() * 0.47f), bars_height(theme, costs));
        const bool alone = below.height() - half < theme.px(70); // the measures below are only shown if there is room
        const std::vector<Box> parts =
            rows(below, {alone ? share_of_rest() : pixels(half), alone ? pixels(0) : share_of_rest()}, theme.px(4));
        figure.panels.push_back({.id = "cost", .box = parts[0], .layers = {std::move(costs)}});
        if (!alone)
            add_measures(add_mixes(parts[1]));
    }

    void add_measures(const Box& box)
    {
        if (box.height() >= theme.px(40))
            figure.panels.push_back({.id = "measures", .box = box, .layers = {measure_bars(comparison, box.height())}});
    }

    // Adds the instruction mixes if there is room and both were counted. Returns the remaining box.
    Box add_mixes(const Box& box)
    {
        const float height =
            ImGui::GetFrameHeight() + std::ceil(2 * (draw::line_height(theme.text) + theme.px(5))) + theme.px(20);
        if (box.height() < height)
            return box;
        const auto mixes = [&](MixKind kind) {
            const auto a = mix_of(frame.ladder_facts, first, kind), b = mix_of(frame.ladder_facts, second, kind);
            return a && b ? std::optional(MixPair{kind, {*a, *b}, {first.slug, second.slug}}) : std::nullopt;
        };
        const std::optional<MixPair> kinds = mixes(MixKind::by_class), pipes = mixes(MixKind::by_pipe);
        if (!kinds && !pipes)
            return box;
        const bool choose = kinds && pipes;
        const MixPair& pair = pipes && (chosen.pipes || !kinds) ? *pipes : *kinds;
        explain_mix(pair);
        const float button = choose ? draw::button_width("pipes") + theme.px(4) : 0;
        const std::vector<Box> parts = rows(box, {pixels(height), share_of_rest()}, theme.px(6));
        if (choose)
            places_.pipes = {parts[0].min, {parts[0].max.x, parts[0].min.y + ImGui::GetFrameHeight()}};
        const Box bars = add_title("mix title", mix_titles(pair), NumberOrigin::counter, parts[0], button);
        figure.panels.push_back({.id = "mix", .box = bars, .layers = {mix_bars(theme, pair)}});
        return parts[1];
    }

    void explain_mix(const MixPair& pair)
    {
        const bool by_class = pair.kind == MixKind::by_class;
        figure.numbers.push_back(
            {Numbers::How::counted, by_class ? "instructions by kind" : "instructions by pipe", pair.mixes[0].from});
        if (by_class)
            say(joined({rich("*Instructions by kind.* Of 32 lanes, 1,000 multiplications are 31.25 warp instructions."),
                        rich("All else serves them, and takes turns at the same schedulers.")}));
        else
            say(joined(
                {rich("*Instructions by pipe.* A pipe is a part of an SM that executes instructions of some kinds."),
                 rich("A pipe that is always busy is what the kernel waits for, however idle others are.")}));
    }

    // Adds the changes in the source, or in shared memory if both run the same kernel. Also adds the mapping of results
    // to threads.
    void add_right(const Box& box)
    {
        const std::string languages[] = {language(first.recording), language(second.recording)};
        if (languages[0] != languages[1])
            return add_owners(below_words(
                rich("`.{}` beside `.{}`: other languages, no lines to compare", languages[0], languages[1]), box, 0));
        if (same_kernel(first.recording, second.recording)) {
            if (auto all = setting_changes(second.recording, first.recording); !all.empty())
                return add_owners(below_words(
                    rich("Both run the **same code** with other parameters: {}", listed(std::move(all))), box, 0));
            return add_layouts(below_words(rich("Both run the **same code**: only the layout differs"), box, 0));
        }
        auto& changes = frame.columns[0].tool<SourceChanges>(frame.columns[1].recording, with_comments);
        const float button = draw::button_width("comments") + theme.px(8);
        places_.comments = {box.min, {box.max.x, box.min.y + ImGui::GetFrameHeight()}};
        const StageFacts* const own = frame.ladder_facts.find(first.slug);
        const Box below = below_words(
            rich("**{}{}** **{}{}** lines{}", Value("+").as(of_column(0)), changes.added(),
                 Value("\xe2\x88\x92").as(of_column(1)), changes.removed(),
                 own != nullptr && own->builds_on == second.slug ? rich(": builds on {}", second.slug) : Rich()),
            box, button);
        const float least = std::min(std::floor(below.height() * 0.3f), theme.px(260));
        const float all = changes.height(theme, below.width()) + theme.px(10);
        const std::vector<Box> parts =
            rows(below, {share_of_rest(), pixels(std::max(least, std::floor(below.height() - all)))}, theme.px(8));
        places_.changes = parts[0];
        add_owners(parts[1]);
    }

    Box below_words(Rich words, const Box& box, float button)
    {
        const float width = box.width() - button, line = ImGui::GetFrameHeight();
        const float height =
            std::max(RichText(theme).write(words).height(width) + theme.px(2), button > 0 ? line : 0.0f);
        const std::vector<Box> parts = rows(box, {pixels(height), share_of_rest()}, theme.px(2));
        figure.panels.push_back({.id = "changed",
                                 .box = {parts[0].min, {parts[0].min.x + width, parts[0].max.y}},
                                 .layers = {RichTextLayer{std::move(words)}}}); // the label of the picture itself
        return parts[1];
    }

    void add_layouts(const Box& box)
    {
        const std::optional<std::size_t> moved[] = {moved_array(first.recording, second.recording),
                                                    moved_array(second.recording, first.recording)};
        if (!moved[0] || !moved[1])
            return add_owners(box);
        const std::vector<Box> parts = rows(box, {share_of_rest(0.4f), share_of_rest(0.6f)}, theme.px(6));
        add_owners(parts[0]);
        const std::vector<Box> halves = columns(parts[1], 2, theme.px(16));
        for (std::size_t i = 0; i < 2; ++i)
            figure.panels.push_back(layout_panel(theme, frame.columns[i], *moved[i], halves[i]));
    }

    void add_owners(const Box& box)
    {
        const std::vector<Box> halves = columns(box, 2, theme.px(16));
        for (std::size_t i = 0; i < 2; ++i)
            figure.panels.push_back(
                mapping_panel(theme, frame.columns[i], stages[i].mapping, stages[i].warp, halves[i]));
    }

    FasterOptions chosen;
    bool with_comments;
    const ViewFrame& frame;
    const Theme& theme;
    std::vector<ComparedStage> stages;
    ComparedRung first, second;
    Comparison comparison;
    std::optional<Provenance> counted_from;
    Figure figure;
    Places places_;
};

class FasterView final : public View {
public:
    std::string_view name() const override { return "faster"; }
    std::string_view title() const override { return "Why faster"; }
    ViewGroup group() const override { return ViewGroup::speed; }
    ViewCommands commands() override
    {
        return {
            {"k", "show or hide the comments in the changes", [this](const ViewScene&) { toggle_comments(); }},
            {"l", "what cuBLAS launches, or the costs", [this](const ViewScene&) { chosen.library = !chosen.library; }},
            {"p", "instructions by kind, or by the pipe that executes them",
             [this](const ViewScene&) { toggle_pipes(); }}};
    }
    bool compares() const override { return true; }
    Figure figure(const ViewFrame& frame, const Box& box) override;
    void draw_controls(ViewFrame& frame) override;
    std::string options() const override { return text_of_options(chosen); }
    void set_options(std::string_view text) override { chosen = options_of<FasterOptions>(text); }

private:
    void toggle_comments() { comments = !comments; }
    void toggle_pipes() { chosen.pipes = chosen.pipes != places.pipes.has_value(); }

    FasterOptions chosen;
    bool comments = false;
    Places places; // of the last figure
};

Figure FasterView::figure(const ViewFrame& frame, const Box& box)
{
    places = {};
    const auto only = [&](Rich words) {
        Figure said;
        said.panels.push_back(words_panel("nothing", box, std::move(words)));
        return said;
    };
    if (!frame.comparing() || !frame.columns[1].recording)
        return only(joined({rich("*There is no other stage to compare with.*"),
                            rich("Point at one in the ladder and press `c`, or click it with Shift.")}));
    const Per per = per_of(frame);
    std::vector<ComparedStage> stages;
    for (const StageColumn& column : frame.columns) {
        const Focus focus = focus_on(frame, column);
        if (!focus.block)
            return only(rich("*{}*", focus.why));
        stages.push_back(compared_stage(column, focus, per, frame.selection.lane));
    }
    FasterFigure made(frame, std::move(stages), chosen, comments);
    Figure shown = made.make(box);
    places = made.places();
    return shown;
}

void FasterView::draw_controls(ViewFrame& frame)
{
    if (places.switches) {
        draw::Controls row(frame, *places.switches);
        row.align_right({"cost", "cuBLAS"});
        if (row.choice("cost", !chosen.library, {.mark = "show cost"}))
            chosen.library = false;
        if (row.choice("cuBLAS", chosen.library, {.mark = "show library"}))
            chosen.library = true;
    }
    const auto toggle = [&](const std::optional<Box>& place, const char* words, bool on, const char* mark) {
        if (!place)
            return false;
        draw::Controls row(frame, *place);
        row.align_right({words});
        return row.choice(words, on, {.mark = mark});
    };
    if (toggle(places.pipes, "pipes", chosen.pipes, "mix pipes"))
        toggle_pipes();
    if (toggle(places.comments, "comments", comments, "comments"))
        toggle_comments();
    if (places.changes) {
        frame.columns[0]
            .tool<SourceChanges>(frame.columns[1].recording, comments)
            .draw(frame.theme, *places.changes, frame.marks);
        mark_picture(frame.marks, "changes", *places.changes);
    }
}

} // namespace

std::unique_ptr<View> make_faster_view()
{
    return std::make_unique<FasterView>();
}

} // namespace viz
