// Why is it faster: two rungs on one page. What changed in the source, who computes what, what each does per
// multiplication and takes of an SM, and what that bought.
#include "viz/view.h"
#include "viz/view_options.h"

#include "viz/analysis/comparison_messages.h"
#include "viz/analysis/timeline.h"
#include "viz/draw/focus.h"
#include "viz/draw/heading.h"
#include "viz/draw/prose.h"
#include "viz/views/70_faster/block_mapping.h"
#include "viz/views/70_faster/comparison_table.h"
#include "viz/views/70_faster/cost_picture.h"
#include "viz/views/70_faster/layout_picture.h"
#include "viz/views/70_faster/library_table.h"
#include "viz/views/70_faster/mix_picture.h"
#include "viz/views/70_faster/source_changes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

namespace viz {

std::unique_ptr<View> make_faster_view();

namespace {

// What is shown of one column.
struct ComparedStage {
    const recording::Recording& recording;
    Per per = Per::multiplications;
    const KernelFigures& figures;
    const RecordedWork& work;
    std::optional<int> under_way; // k-tiles, in the recording's first block
    const BlockMapping& mapping;  // of the selected warp and lane
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
            column.memo<mapping_of>(*focus.block, focus.warp_index, lane)};
}

// All accesses of both are looked through.
Messages reservations_beside(const recording::Recording& first, const std::string& slug, const RecordingPtr& second,
                             const std::string& other_slug)
{
    return reservations({slug, first, {}, {}}, {other_slug, *second, {}, {}});
}

struct FasterOptions {
    bool library = false; // what cuBLAS launches instead of the costs
    bool pipes = false;   // instructions by the pipe that executes them, where both kinds are known
};

void fields(auto& visit, kernels::Like<FasterOptions> auto& options)
{
    visit("library", options.library);
    visit("pipes", options.pipes);
}

class FasterView final : public View {
public:
    std::string_view name() const override { return "faster"; }
    std::string_view title() const override { return "Why faster"; }
    ViewGroup group() const override { return ViewGroup::speed; }
    std::vector<Numbers> numbers() const override
    {
        std::vector<Numbers> all = {{Numbers::How::recorded, "accesses"},
                                    {Numbers::How::derived, "their costs"},
                                    {Numbers::How::timed, "GFLOPS"}};
        if (counted_from)
            all.push_back({Numbers::How::counted, "instructions, wavefronts", counted_from});
        if (mix_from)
            all.push_back({Numbers::How::counted,
                           mix_kind == MixKind::by_class ? "instructions by kind" : "instructions by pipe", mix_from});
        return all;
    }
    ViewCommands commands() override
    {
        return {
            {"k", "show or hide the comments in the changes", [this](const ViewScene&) { toggle_comments(); }},
            {"l", "what cuBLAS launches, or the costs", [this](const ViewScene&) { chosen.library = !chosen.library; }},
            {"p", "instructions by kind, or by the pipe that executes them",
             [this](const ViewScene&) { toggle_pipes(); }}};
    }
    bool compares() const override { return true; }
    void draw(ViewFrame& frame) override;
    std::string options() const override { return text_of_options(chosen); }
    void set_options(std::string_view text) override { chosen = options_of<FasterOptions>(text); }

private:
    struct Pair {
        const ComparedRung& first;
        const ComparedRung& second;
        std::vector<WorkPair> work;
        std::optional<std::vector<WorkPair>> further; // of `first` and column 2, in the costs; none: two are compared
        std::optional<recording::Problem> counted_at = {}; // all of them; none: not, or at different sizes
    };
    void explain(ViewFrame& frame, const Pair& pair);
    float draw_head(ViewFrame& frame, const Pair& pair, const draw::Box& box);
    void draw_left(ViewFrame& frame, const Pair& pair, const draw::Box& box);
    void draw_right(ViewFrame& frame, const Pair& pair, draw::Box box);
    void draw_mappings(ViewFrame& frame, const Pair& pair, const draw::Box& box);

    static std::optional<MixOfLaunch> mix_of(const ViewFrame& frame, const ComparedRung& rung, MixKind kind);
    void draw_mixes(ViewFrame& frame, const Pair& pair, draw::Box& box);

    std::vector<ComparedStage> stages; // of this frame
    void toggle_comments() { comments = !comments; }
    void toggle_pipes() { chosen.pipes = chosen.pipes != offers_pipes; }

    FasterOptions chosen;
    bool comments = false;
    bool offers_pipes = false;                        // the last frame showed one kind and could show the other
    MixKind mix_kind = MixKind::by_class;             // of the last frame
    std::optional<Provenance> counted_from, mix_from; // in the last frame
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

// The one size at which all were counted.
std::optional<recording::Problem> one_size(const std::vector<WorkOf>& sides)
{
    const recording::Problem& size = sides[0].counted->problem;
    const bool same = std::ranges::all_of(sides, [&](const WorkOf& one) { return one.counted->problem == size; });
    return same ? std::optional(size) : std::nullopt;
}

Value::List list_of(const Messages& messages)
{
    return {messages.begin(), messages.end()};
}

// The stage with the headline; between them, or below where they leave no room, what is shown at the left. Returns the height.
float FasterView::draw_head(ViewFrame& frame, const Pair& pair, const draw::Box& box)
{
    const Theme& theme = frame.theme;
    const Message headline = step_headline(pair.first, pair.second, pair.work);
    Prose said(theme);
    said.write_large(headline);
    const float height = draw::stage_headline(frame, frame.columns.front(), headline, box), gap = theme.px(8);
    const float name = draw::stage_name_width(frame, frame.columns.front()) + theme.px(16);
    const float buttons = draw::button_width("cost") + draw::button_width("cuBLAS") + 2 * gap;
    const bool beside = name + buttons + theme.px(8) + said.width() <= box.width();
    ImGui::SetCursorScreenPos(beside ? ImVec2{box.min.x + name, box.min.y - theme.px(2)}
                                     : ImVec2{box.min.x, box.min.y + height});
    if (draw::choice(theme, {"cost", !chosen.library, {}}, frame.hint))
        chosen.library = false;
    mark_item(frame.marks, "show cost");
    ImGui::SameLine(0, gap);
    if (draw::choice(theme, {"cuBLAS", chosen.library, {}}, frame.hint))
        chosen.library = true;
    mark_item(frame.marks, "show library");
    return beside ? height : ImGui::GetItemRectMax().y + theme.px(6) - box.min.y;
}

// Of the very parameters shown; nothing: nobody counted what it executes.
std::optional<MixOfLaunch> FasterView::mix_of(const ViewFrame& frame, const ComparedRung& rung, MixKind kind)
{
    const RungFigures* facts = frame.board.of(rung.recording);
    if (facts == nullptr)
        return std::nullopt;
    if (kind == MixKind::by_class)
        return facts->run ? std::optional(by_class(*facts->run)) : std::nullopt;
    const auto largest = std::ranges::find_if(facts->counted.rbegin(), facts->counted.rend(),
                                              [](const HardwareFigures& one) { return !one.pipes.empty(); });
    return largest == facts->counted.rend() ? std::nullopt : std::optional(by_pipe(*largest));
}

// What both execute, where there is room and both were counted; takes its place from the box's top.
void FasterView::draw_mixes(ViewFrame& frame, const Pair& pair, draw::Box& box)
{
    const Theme& theme = frame.theme;
    if (box.height() < mix_height(theme))
        return;
    std::array<std::optional<MixOfLaunch>, 2> both[2];
    for (const MixKind kind : {MixKind::by_class, MixKind::by_pipe})
        both[static_cast<std::size_t>(kind)] = {mix_of(frame, pair.first, kind), mix_of(frame, pair.second, kind)};
    const auto had = [&](MixKind kind) {
        return std::ranges::all_of(both[static_cast<std::size_t>(kind)],
                                   [](const auto& one) { return one.has_value(); });
    };
    const bool choose = offers_pipes = had(MixKind::by_class) && had(MixKind::by_pipe);
    if (!had(MixKind::by_class) && !had(MixKind::by_pipe))
        return;
    mix_kind = had(MixKind::by_pipe) && (chosen.pipes || !choose) ? MixKind::by_pipe : MixKind::by_class;
    const auto& mixes = both[static_cast<std::size_t>(mix_kind)];
    mix_from = mixes[0]->from;
    frame.explain({{mix_kind == MixKind::by_class ? "faster.mix_meaning" : "faster.pipes_meaning"}});
    const float button = choose ? draw::button_width("pipes") : 0;
    draw_mix({frame, mix_kind, {*mixes[0], *mixes[1]}, {pair.first.slug, pair.second.slug}, button},
             {box.min, {box.max.x, box.min.y + mix_height(theme)}});
    if (choose) {
        ImGui::SetCursorScreenPos({box.max.x - button, box.min.y - theme.px(4)});
        if (draw::choice(theme, {"pipes", chosen.pipes, {}}, frame.hint))
            toggle_pipes();
        mark_item(frame.marks, "mix pipes");
    }
    box.min.y += mix_height(theme) + theme.px(6);
}

void FasterView::draw_left(ViewFrame& frame, const Pair& pair, const draw::Box& box)
{
    const Theme& theme = frame.theme;
    mark_picture(frame.marks, chosen.library ? "library" : "cost", box);
    mix_from.reset();
    offers_pipes = false;
    if (chosen.library) {
        draw_library({{frame.board.find(pair.first.recording.stage), frame.board.find(pair.second.recording.stage)},
                      {stages[0].under_way, stages[1].under_way},
                      frame},
                     box);
        return;
    }
    if (const auto why = no_costs(pair.first, pair.second); why && !known_of_both(pair.work)) {
        const float height = Prose(theme).write(*why).draw(box.min, box.width()) + theme.px(12);
        draw_comparison({frame, pair.first, pair.second, stages[0].per, true},
                        {{box.min.x, box.min.y + height}, box.max});
        return;
    }
    const float least = theme.px(20 + 50 * static_cast<float>(pair.work.size()));
    const float half = std::max(std::floor(box.height() * 0.5f), least);
    const float costs = box.height() - half < theme.px(70) ? box.height() : half; // the table where there is room
    draw_costs({frame, pair.first, pair.second, pair.work, pair.further, stages[0].per, pair.counted_at},
               {box.min, {box.max.x, box.min.y + costs}});
    draw::Box rest{{box.min.x, box.min.y + costs + theme.px(6)}, box.max};
    draw_mixes(frame, pair, rest);
    if (rest.height() >= theme.px(40))
        draw_comparison({frame, pair.first, pair.second, stages[0].per}, rest);
}

// Of the first stage, or of the second beside it.
draw::Box half(const Theme& theme, const draw::Box& box, int side)
{
    const float gap = theme.px(16), width = (box.width() - gap) / 2;
    const float x = box.min.x + static_cast<float>(side) * (width + gap);
    return {{x, box.min.y}, {x + width, box.max.y}};
}

void FasterView::draw_mappings(ViewFrame& frame, const Pair& pair, const draw::Box& box)
{
    const Theme& theme = frame.theme;
    for (int i = 0; i < 2; ++i) {
        const draw::Box place = half(theme, box, i);
        const MappingPicture picture{(i == 0 ? pair.first : pair.second).slug, stages[i].mapping, theme.accent(i),
                                     theme};
        draw_mapping(picture, place);
        if (draw::pointed_at(place))
            frame.point_out(mapping_message(picture));
    }
}

// What changed in the source, or where both run the same, in shared memory; and who computes what.
void FasterView::draw_right(ViewFrame& frame, const Pair& pair, draw::Box box)
{
    const Theme& theme = frame.theme;
    const bool same = same_kernel(pair.first.recording, pair.second.recording);
    const std::string first_language = language(pair.first.recording);
    if (const std::string second_language = language(pair.second.recording); first_language != second_language) {
        Prose why(theme);
        why.write({"faster.other_languages", {{"first", first_language}, {"second", second_language}}});
        box.min.y += why.draw(box.min, box.width()) + theme.px(4);
        draw_mappings(frame, pair, box);
        mark_picture(frame.marks, "owners", box);
        return;
    }
    auto& changes = frame.columns[0].tool<SourceChanges>(frame.columns[1].recording, comments);
    Prose caption(theme);
    if (same)
        caption.write({"faster.same_code"});
    else
        caption.write({"faster.lines",
                       {{"added", changes.added()},
                        {"plus", Value("+").as(of_column(0))},
                        {"removed", changes.removed()},
                        {"minus", Value("\xe2\x88\x92").as(of_column(1))}}});
    const float button = draw::button_width("comments");
    const float top = box.min.y; // what is written there is the picture's own label
    const float words = caption.draw(box.min, box.width() - (same ? 0 : button + theme.px(8)));
    if (!same) {
        ImGui::SetCursorScreenPos({box.max.x - button, box.min.y - theme.px(2)});
        if (draw::choice(theme, {"comments", comments, {}}, frame.hint))
            toggle_comments();
        mark_item(frame.marks, "comments");
    }
    box.min.y += std::max(words, same ? 0 : ImGui::GetFrameHeight()) + theme.px(4);
    draw::Box owners = box;
    if (!same) {
        const float least = std::min(std::floor(box.height() * 0.3f), theme.px(260));
        const float all = changes.height(theme, box.width()) + theme.px(10);
        owners.min.y = box.max.y - std::max(least, std::floor(box.height() - all));
        const draw::Box source{box.min, {box.max.x, owners.min.y - theme.px(10)}};
        changes.draw(theme, source, frame.marks);
        mark_picture(frame.marks, "changes", {source.min.x, top}, source.max);
    }
    const recording::Array* moved[2] = {moved_array(pair.first.recording, pair.second.recording),
                                        moved_array(pair.second.recording, pair.first.recording)};
    if (same && moved[0] != nullptr && moved[1] != nullptr) {
        owners.max.y = box.min.y + std::floor(box.height() * 0.4f);
        const draw::Box layouts{{box.min.x, owners.max.y + theme.px(6)}, box.max};
        for (int i = 0; i < 2; ++i)
            if (auto said =
                    draw_layout(theme, (i == 0 ? pair.first : pair.second).slug, *moved[i], half(theme, layouts, i)))
                frame.point_out(std::move(*said));
        mark_picture(frame.marks, "layouts", layouts);
    }
    draw_mappings(frame, pair, owners);
    mark_picture(frame.marks, "owners", {owners.min.x, same ? top : owners.min.y}, owners.max);
}

void FasterView::explain(ViewFrame& frame, const Pair& pair)
{
    Messages bought = what_it_bought(pair.first, pair.second);
    if (!pair.first.recording.executed || !pair.second.recording.executed)
        bought.push_back({"faster.source_accesses"});
    if (stages[0].per == Per::launch)
        frame.explain({{"faster.scale_launch"}});
    else if (known_of_both(pair.work) || !no_costs(pair.first, pair.second))
        frame.explain({{"faster.scale"}});
    frame.explain(std::move(bought));
    Messages settings;
    if (const auto all = setting_changes(pair.second.recording, pair.first.recording); !all.empty())
        settings.push_back({"faster.settings", {{"settings", list_of(all)}}});
    if (const auto all = layout_changes(pair.second.recording, pair.first.recording); !all.empty())
        settings.push_back({"faster.layouts", {{"layouts", list_of(all)}}});
    if (!settings.empty())
        frame.explain(std::move(settings));
    const Messages& reserved =
        frame.columns[0].memo<reservations_beside>(pair.first.slug, frame.columns[1].recording, pair.second.slug);
    if (!reserved.empty())
        frame.explain(reserved);
}

void FasterView::draw(ViewFrame& frame)
{
    const Theme& theme = frame.theme;
    ImGui::BeginChild("faster view", {0, 0}, false);
    const ImVec2 corner = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const auto say = [&](const Prose& words) {
        words.draw(corner, room.x);
        ImGui::EndChild();
    };
    if (!frame.comparing() || !frame.columns[1].recording)
        return say(Prose(theme).write({"faster.nothing_to_compare"}));
    const Per per = per_of(frame);
    stages.clear();
    for (const StageColumn& column : frame.columns) {
        const Focus focus = focus_on(frame, column);
        if (!focus.block)
            return say(Prose(theme).strong(focus.why));
        stages.push_back(compared_stage(column, focus, per, frame.selection.lane));
    }
    const auto [speed, other_speed] = comparable_speeds(frame.columns.front(), frame.columns[1]);
    const ComparedRung first = compared(frame.columns.front(), stages[0], speed);
    const ComparedRung second = compared(frame.columns[1], stages[1], other_speed);
    const auto side = [&](const ComparedRung& rung, const ComparedStage& stage) {
        return WorkOf{rung, largest_counted(frame.board.find(rung.recording.stage)), stage.work};
    };
    std::vector<WorkOf> sides{side(first, stages[0]), side(second, stages[1])};
    std::optional<ComparedRung> further;
    if (frame.columns.size() > 2) {
        further.emplace(
            compared(frame.columns[2], stages[2], comparable_speeds(frame.columns[0], frame.columns[2]).second));
        sides.push_back(side(*further, stages[2]));
    }
    const bool counted = std::ranges::all_of(sides, [](const WorkOf& one) { return one.counted != nullptr; });
    if (!counted) // all as the source says, or all as executed
        for (WorkOf& one : sides)
            one.counted = nullptr;
    counted_from = counted ? std::optional(sides[0].counted->from) : std::nullopt;
    const auto& known = frame.board.gpu.properties;
    const recording::GpuProperties* properties = known ? &*known : nullptr;
    Pair pair{first, second, work_of(sides[0], sides[1], properties)};
    if (further)
        pair.further = work_of(sides[0], sides[2], properties);
    pair.counted_at = counted ? one_size(sides) : std::nullopt;
    explain(frame, pair);
    draw::Box box{corner, {corner.x + room.x, corner.y + room.y - theme.px(2)}};
    box.min.y += draw_head(frame, pair, box);
    const float gap = theme.px(8), width = std::floor((room.x - gap) * 0.48f);
    draw_left(frame, pair, {box.min, {box.min.x + width, box.max.y}});
    draw_right(frame, pair, {{box.min.x + width + gap, box.min.y}, box.max});
    ImGui::EndChild();
}

} // namespace

std::unique_ptr<View> make_faster_view()
{
    return std::make_unique<FasterView>();
}

} // namespace viz
