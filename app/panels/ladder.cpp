#include "app/data/recordings.h"
#include "app/panels/header/origins.h"
#include "app/panels/panels.h"
#include "app/panels/tables.h"
#include "app/panels/widgets.h"
#include "app/text/format.h"

#include "viz/analysis/comparison.h"
#include "viz/figure/figure.h"
#include "viz/origin.h"
#include "viz/text/known.h"
#include "viz/text/rich.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace app {

namespace {

struct LadderStyle {
    const viz::Theme& theme;
    bool gpu;                     // speeds are measured, so rows have bars
    const ShippedSpeeds* shipped; // shown if no speeds are measured; null: none are shipped
    double peak;                  // GFLOPS; 0: unknown
    std::optional<double> cublas;
    float left, right;   // horizontal extent of a row's content
    bool hidden = false; // speeds are hidden until they are revealed: see Presenting

    bool has_speeds() const { return gpu || shipped != nullptr; }
};

// Fills the background of a shown stage's row with the stage's color.
void draw_shown_row(const viz::Theme& theme, ImVec2 min, ImVec2 max, viz::Colour accent)
{
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(min, max, viz::draw::with_alpha(accent, 0.2f));
    list.AddRectFilled(min, {min.x + theme.px(3), max.y}, accent);
}

// At scale 1.
constexpr float name_indent = 10;
constexpr float first_line = 3, second_line = 21, row_height = 41, row_height_without_speed = 26;

// Describes the result of a file's last version. `run` is null if the file is not shown.
std::string figures_of(const RunPtr& run)
{
    if (run == nullptr)
        return "your own";
    if (run->gflops)
        return fmt::format("{} GFLOPS", thousands(*run->gflops));
    const recording::Totals totals = run->recorded.recording->totals();
    if (totals.shared_load.instructions + totals.shared_store.instructions > 0)
        return fmt::format("{} conflicts", thousands(totals.shared_load.conflicts + totals.shared_store.conflicts));
    return fmt::format("{} sectors", thousands(totals.global_load.sectors + totals.global_store.sectors));
}

void draw_own_row(const Snapshot& snapshot, Session& session, State& state, const LadderStyle& style,
                  const std::filesystem::path& file)
{
    const viz::Theme& theme = state.theme;
    const std::string name = file.stem().string();
    const float height = theme.px(style.has_speeds() ? row_height : row_height_without_speed);
    ImGui::PushID(name.c_str());
    if (ImGui::InvisibleButton("own", {ImGui::GetContentRegionAvail().x, height}))
        ImGui::GetIO().KeyShift ? state.change([&](Choice& choice) { choice.compare(file); }) : session.open(file);
    viz::mark_shown_item(state.marks, fmt::format("own:{}", name));
    const bool hovered = ImGui::IsItemHovered(), shown = snapshot.choice.columns[0].file == file;
    const bool second = snapshot.choice.columns[1].file == file;
    const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
    if (shown || second)
        draw_shown_row(theme, min, max, shown ? theme.accent() : theme.accent(1));
    if (hovered) {
        state.pointed_file = file;
        draw_hovered_row(theme, min, max);
        state.hint = fmt::format("Your own: {} · Shift and a click: compare it with what is shown", file.string());
    }
    const float y = min.y + theme.px(style.has_speeds() ? first_line : first_line + 1);
    const float x = min.x + theme.px(name_indent), mark = style.right - theme.px(12);
    draw_text_within(theme.text, {x, y}, mark - theme.px(3) - x, theme.ink, name);
    const RunPtr run = shown ? snapshot.details[0].run : second ? snapshot.details[1].run : nullptr;
    if (run != nullptr && run->check)
        draw_check_or_cross(theme, {mark, y + theme.px(3)}, run->check->ok);
    if (style.has_speeds())
        draw_text_within(theme.text, {x, min.y + theme.px(second_line)}, style.right - x, theme.ink_faint,
                         figures_of(run));
    ImGui::PopID();
}

// Draws a row that opens a list of sample kernels.
void draw_new_row(const Snapshot& snapshot, Session& session, State& state, const LadderStyle& style)
{
    const viz::Theme& theme = state.theme;
    const float height = theme.px(row_height_without_speed);
    if (ImGui::InvisibleButton("new kernel", {ImGui::GetContentRegionAvail().x, height}))
        ImGui::OpenPopup("new kernels");
    viz::mark_shown_item(state.marks, "new kernel");
    const bool hovered = ImGui::IsItemHovered();
    const ImVec2 min = ImGui::GetItemRectMin();
    if (hovered)
        state.hint =
            fmt::format("Begin a CUDA file of your own, which is run as you type: a small kernel, or a copy of this "
                        "stage. It is put into {}",
                        snapshot.own_folder.string());
    const float x = min.x + theme.px(name_indent);
    draw_text_within(theme.text, {x, min.y + theme.px(first_line + 1)}, style.right - x,
                     hovered ? theme.ink : theme.ink_faint, "+ your kernel");
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {theme.px(8), theme.px(6)});
    if (ImGui::BeginPopup("new kernels")) {
        const auto begin = [&](const std::string& words, const std::string& mark) {
            const bool chosen = ImGui::Selectable(words.c_str());
            viz::mark_item(state.marks, "new kernel:" + mark);
            if (chosen)
                state.edit.open = state.edit.take = true;
            return chosen;
        };
        for (const kernels::Sample& sample : kernels::samples())
            if (begin(std::string(sample.title), std::string(sample.name)))
                session.begin_kernel(sample);
        if (const auto stage = snapshot.leading_rung(); stage && !snapshot.choice.columns[0].file)
            if (begin(fmt::format("a copy of {}", snapshot.ladder()[*stage].slug), "copy"))
                session.edit_copy(*stage);
        if (ImGui::Selectable("open a file ..."))
            state.finds = "open ";
        viz::mark_item(state.marks, "new kernel:open");
        end_popup(state);
    }
    ImGui::PopStyleVar();
}

// Draws the user's files below the ladder's stages.
void draw_own_rows(const Snapshot& snapshot, Session& session, State& state, const LadderStyle& style)
{
    for (const std::filesystem::path& file : snapshot.own_files)
        draw_own_row(snapshot, session, state, style, file);
    if (!snapshot.own_folder.empty())
        draw_new_row(snapshot, session, state, style);
}

// Returns the shipped speed of a baseline that needs a GPU on a machine without one. Null if none is shipped.
const TimedRow* shipped_instead(const LadderStyle& style, const BaselineMeasurement& measured)
{
    const kernels::Baseline& baseline = *measured.baseline;
    return style.shipped != nullptr && baseline.needs_gpu() ? style.shipped->find(baseline.slug, {}) : nullptr;
}

std::vector<viz::Rich> baseline_help(const LadderStyle& style, const BaselineMeasurement& measured)
{
    const kernels::Baseline& baseline = *measured.baseline;
    const viz::Rich name = viz::rich("{}: {}.", baseline.slug, baseline.idea);
    if (const TimedRow* shipped = shipped_instead(style, measured))
        return {
            name,
            viz::rich("{} GFLOPS alone, {}; measure here with a GPU. A stage's share is of cuBLAS's runs between its "
                      "own.",
                      thousands(shipped->gflops.value_or(0)), viz::how_had(provenance_of(*style.shipped, *shipped)))};
    if (!measured.missing.empty())
        return {name, viz::rich("{}", measured.missing)};
    if (!measured.result)
        return {name, viz::rich("Not measured yet.")};
    const kernels::BaselineResult& result = *measured.result;
    std::vector<viz::Rich> said{
        name, viz::rich("{} GFLOPS at {}, median of {}. Against float64: relative error {}, allowed {}.",
                        thousands(result.gflops), size_text(measured.problem, kernels::Operation::gemm),
                        result.timing.samples, fmt::format("{:.1e}", result.relative_error),
                        fmt::format("{:.1e}", result.tolerance))};
    if (baseline.precision.type != type_fp32)
        said.push_back(viz::rich("With A and B rounded from FP32, its error in all is {}.",
                                 fmt::format("{:.1e}", result.total_error)));
    if (result.rows_timed < measured.problem.M)
        said.push_back(
            viz::rich("{} of {} rows of C were timed: all cost the same.", result.rows_timed, measured.problem.M));
    return said;
}

// Returns why the row has no figure.
recording::Missing why_none(const LadderStyle& style, const BaselineMeasurement& measured)
{
    if (measured.result)
        return recording::Missing::wrong_result;
    if (measured.missing.empty())
        return measured.under_way ? recording::Missing::in_progress : recording::Missing::not_asked;
    return measured.baseline->needs_gpu() && !style.gpu ? recording::Missing::no_gpu : recording::Missing::unknown;
}

void draw_baseline_row(Session& session, State& state, const LadderStyle& style, const BaselineMeasurement& measured)
{
    const viz::Theme& theme = state.theme;
    ImGui::Dummy({ImGui::GetContentRegionAvail().x, theme.px(row_height_without_speed)});
    const ImVec2 row = ImGui::GetItemRectMin();
    viz::mark_shown_item(state.marks, fmt::format("baseline:{}", measured.baseline->slug));
    if (ImGui::IsItemHovered()) {
        draw_hovered_row(theme, row, ImGui::GetItemRectMax());
        const std::filesystem::path traced = traced_library(shipped_folder(), measured.baseline->slug);
        std::vector<viz::Rich> help = baseline_help(style, measured);
        if (!traced.empty())
            help.push_back(viz::rich("Click: the kernel that it launches at 512³, as traced on an H200."));
        state.hint = viz::plain(viz::joined(std::move(help)));
        if (!traced.empty() && ImGui::IsMouseClicked(ImGuiMouseButton_Left))
            session.open(traced);
    }
    // The row has no number, so the name gets its space.
    const float y = row.y + theme.px(first_line), name_x = style.left;
    float right = style.right;
    if (const TimedRow* shipped = shipped_instead(style, measured)) {
        const std::string figure = thousands(shipped->gflops.value_or(0));
        draw_text_right(theme.mono, {right, y}, theme.ink_quiet, figure);
        right -= text_width(theme.mono, figure) + theme.px(10); // the same mark as in the ladder's heading
        viz::draw_origin(*ImGui::GetWindowDrawList(), viz::NumberOrigin::shipped,
                         {right, y + line_height(theme.mono) / 2}, theme.px(3.5f), theme.ink_quiet);
        right -= theme.px(4);
    } else if (measured.result && measured.result->right()) {
        const std::string figure = thousands(measured.result->gflops);
        draw_text_right(theme.mono, {right, y}, theme.ink, figure);
        right -= text_width(theme.mono, figure);
    } else {
        std::string words = viz::plain(viz::in_short({why_none(style, measured)}));
        if (name_x + text_width(theme.text, measured.baseline->title) + theme.px(8) >
            right - text_width(theme.text, words))
            words = "\xe2\x80\xa6"; // the name has priority: the status line shows both
        draw_text_right(theme.text, {right, y}, theme.ink_faint, words);
        right -= text_width(theme.text, words);
    }
    // Omits the common prefix if the title does not fit.
    std::string_view title = measured.baseline->title;
    if (constexpr std::string_view common = "cuBLAS ";
        title.starts_with(common) && text_width(theme.text, title) > right - theme.px(8) - name_x)
        title.remove_prefix(common.size());
    draw_text_within(theme.text, {name_x, y}, right - theme.px(8) - name_x, theme.ink_quiet, title);
}

// Draws the baselines at the end of the ladder, with their speeds. A library's row also shows its traced kernel. A
// click opens the kernel's recording if it is shipped.
void draw_baselines(const Snapshot& snapshot, Session& session, State& state, const LadderStyle& style)
{
    const viz::Theme& theme = state.theme;
    ImGui::Dummy({ImGui::GetContentRegionAvail().x, theme.px(26)});
    const ImVec2 row = ImGui::GetItemRectMin();
    draw_text(theme.text, {style.left, row.y + theme.px(8)}, theme.ink_quiet, "To compare with");
    if (style.left + text_width(theme.text, "To compare with   GFLOPS") < style.right)
        draw_text_right(theme.text, {style.right, row.y + theme.px(8)}, theme.ink_quiet, "GFLOPS");
    for (const BaselineMeasurement& measured : snapshot.baselines)
        draw_baseline_row(session, state, style, measured);
}

float bar_share(double gflops, const LadderStyle& style)
{
    return style.peak > 0 ? static_cast<float>(std::clamp(gflops / style.peak, 0.0, 1.0)) : 0;
}

// Returns the column that shows a stage, or nothing.
std::optional<std::size_t> column_of(const Snapshot& snapshot, std::size_t rung)
{
    if (snapshot.leading_rung() == rung)
        return 0;
    for (std::size_t column = 1; column < viz::most_columns; ++column)
        if (snapshot.choice.columns[column].rung == rung)
            return column;
    return {};
}

// The speed of a stage on one machine.
struct SpeedLine {
    std::string name; // name of its bar in tests and files
    float y = 0;
    const viz::Speed& speed;
    viz::Colour colour = 0;
};

// Draws a bar from 0 to the FP32 peak, with a mark at cuBLAS. The bar is hollow if the speed was not measured here. For
// a stage on the faster tensor cores, its share of cuBLAS in the same type determines the length.
void draw_bar(const State& state, const LadderStyle& style, const SpeedLine& line, float right)
{
    const viz::Theme& theme = style.theme;
    const float left = style.left, width = std::floor(right - left);
    if (style.peak <= 0 || width < theme.px(20) || !ImGui::IsItemVisible())
        return;
    const float top = std::round(line.y + line_height(theme.mono) / 2 - theme.px(2)),
                bottom = top + std::round(theme.px(4));
    const viz::Speed& speed = line.speed;
    const double gflops = speed.of_cublas && style.cublas ? *speed.of_cublas * *style.cublas : *speed.gflops;
    viz::Shape bar{.box = {{left, top}, {left + std::max(width * bar_share(gflops, style), 1.0f), bottom}}};
    (style.gpu ? bar.fill : bar.stroke) = line.colour;
    const viz::Shape ground = viz::box_shape({{left, top}, {left + width, bottom}}, with_alpha(theme.border, 0.7f));
    viz::ShapeLayer layer{.shapes = {viz::said_of(ground, {.name = line.name, .value = *speed.gflops}), bar},
                          .clipped = false};
    if (style.cublas) {
        const float x = std::floor(left + width * bar_share(*style.cublas, style));
        layer.shapes.push_back(
            viz::box_shape({{x, top - theme.px(2)}, {x + theme.px(1.5f), bottom + theme.px(2)}}, theme.ink_quiet));
    }
    draw_still(state, {.id = "ladder", .box = {{left, top}, {right, bottom}}, .layers = {std::move(layer)}});
}

void draw_verdict(const LadderStyle& style, ImVec2 at, const StageStatus& rung)
{
    const viz::Theme& theme = style.theme;
    if (rung.verdict == Verdict::unknown || rung.verdict == Verdict::absent)
        draw_text(theme.text, {at.x + theme.px(3), at.y - theme.px(3)}, theme.ink_faint, "·");
    else
        draw_check_or_cross(theme, at, rung.verdict == Verdict::right);
}

// Returns the meaning of the mark at the right.
std::string verdict_help(const kernels::Stage& stage, const StageStatus& rung)
{
    switch (rung.verdict) {
    case Verdict::unknown: return fmt::format("{}: not checked yet.", stage.slug);
    case Verdict::absent:
        return fmt::format(
            "{}: not checked, as this machine cannot run it; what is shown of it was made on another. {}", stage.slug,
            rung.said);
    case Verdict::right:
    case Verdict::wrong:
    case Verdict::failed: break;
    }
    return fmt::format("{}: {}", stage.slug, rung.said);
}

// Draws the second line of a row: the bar, and at the right edge the speed and its share of cuBLAS, aligned in all
// rows.
void draw_speed(const State& state, const LadderStyle& style, const SpeedLine& line)
{
    const viz::Theme& theme = style.theme;
    const viz::Speed& speed = line.speed;
    if (!speed.gflops) {
        const std::string why = viz::plain(viz::in_short(speed.gflops.missing()));
        const float left = std::max(style.right - text_width(theme.text, why), style.left);
        draw_text_within(theme.text, {left, line.y}, style.right - left + 1, theme.ink_faint, why);
        return;
    }
    // In a narrow panel only the bar shows the share.
    const float gflops = text_width(theme.mono, "100,000") + theme.px(10);
    const float percent_width = text_width(theme.mono, "100.0%") + theme.px(8);
    const float share = style.right - style.left >= gflops + percent_width + theme.px(40) ? percent_width : 0;
    if (speed.of_cublas && share > 0)
        draw_text_right(theme.mono, {style.right, line.y}, theme.ink_quiet, percent(*speed.of_cublas));
    draw_text_right(theme.mono, {style.right - share, line.y}, style.gpu ? theme.ink : theme.ink_quiet,
                    thousands(*speed.gflops));
    const float figures = share + gflops;
    draw_bar(state, style, line, style.right - figures);
}

// Returns the speed of the reference stage, as in its own row.
recording::Measured<double> speed_of_naive(const Snapshot& snapshot, bool shipped)
{
    const auto naive = snapshot.rung(viz::first_rung);
    if (!naive)
        return recording::Missing::unknown;
    return (shipped ? snapshot.shipped_figures(*naive) : snapshot.stage(*naive).speed).gflops;
}

std::vector<viz::Rich> row_help(const kernels::Stage& stage, const StageStatus& rung, const viz::Speed& speed,
                                bool shipped, const recording::Measured<double>& naive)
{
    std::vector<viz::Rich> said{viz::rich("{}: {}.", stage.slug, stage.idea)};
    if (speed.gflops)
        said.push_back(viz::rich("{} GFLOPS, {}{}.", thousands(*speed.gflops), viz::how_had(speed.gflops.from()),
                                 shipped ? "; measure here with a GPU" : ""));
    else if (speed.gflops.missing().missing == recording::Missing::not_shipped)
        said.push_back(
            viz::rich("Not among the speeds that come with gemmscope. Where there is an NVIDIA GPU, it is timed."));
    if (const auto times = viz::speedup_over_naive(speed.gflops, naive); times && stage.slug != viz::first_rung)
        said.push_back(viz::rich("**{} ×** as fast as naive.", thousands(*times)));
    if (speed.gflops && speed.of_cublas && *speed.of_cublas > 0)
        said.push_back(
            viz::rich("That is **{}** of the {} GFLOPS that cuBLAS reached in between, in the same run. Alone, below "
                      "the ladder, it may reach another figure: clock and temperature differ from run to run.",
                      viz::share(*speed.of_cublas), thousands(*speed.gflops / *speed.of_cublas)));
    if (!rung.cublas_missing.empty())
        said.push_back(viz::rich("No share of cuBLAS: {}", rung.cublas_missing));
    return said;
}

// Returns the name, or "… registers" without the name of the stage that it builds on, which the row above has, if it is
// too wide.
std::string name_in(const kernels::Stage& stage, ImFont* font, float width)
{
    const std::string before = std::string(stage.builds_on) + "_", name(stage.slug);
    return text_width(font, name) <= width || !name.starts_with(before) ? name : "… " + name.substr(before.size());
}

void draw_row(const Snapshot& snapshot, State& state, const LadderStyle& style, std::size_t index)
{
    const viz::Theme& theme = state.theme;
    const kernels::Stage& stage = snapshot.ladder()[index];
    const StageStatus& rung = snapshot.stage(index);
    const viz::Speed speed = style.hidden               ? viz::Speed()
                             : style.shipped != nullptr ? snapshot.shipped_figures(index)
                                                        : rung.speed;
    const float height = theme.px(style.has_speeds() ? row_height : row_height_without_speed);
    ImGui::PushID(static_cast<int>(index));
    if (ImGui::InvisibleButton("row", {ImGui::GetContentRegionAvail().x, height})) {
        if (ImGui::GetIO().KeyCtrl)
            state.change([&](Choice& choice) { choice.toggle_beside(index); });
        else if (!ImGui::GetIO().KeyShift)
            state.change([&](Choice& choice) { choice.show(index); });
        else
            state.change([&](Choice& choice) {
                choice.compare(snapshot.choice.columns[1].rung == index ? std::nullopt : std::optional(index));
            });
    }
    viz::mark_shown_item(state.marks, fmt::format("stage:{}", stage.slug));
    const bool hovered = ImGui::IsItemHovered();
    const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
    const float top = ImGui::GetWindowPos().y;
    if (state.ladder_reveals == index && (min.y < top || max.y > top + ImGui::GetWindowHeight()))
        ImGui::SetScrollHereY(0.5f);
    const auto column = column_of(snapshot, index);
    const viz::Colour accent = theme.accent(column.value_or(0));
    if (column)
        draw_shown_row(theme, min, max, accent);
    if (column == 0 && snapshot.choice.columns[1].rung == index)
        ImGui::GetWindowDrawList()->AddRectFilled({max.x - theme.px(3), min.y}, max, theme.accent(1));
    if (hovered) {
        draw_hovered_row(theme, min, max);
        state.pointed_stage = index;
        std::vector<viz::Rich> help =
            row_help(stage, rung, speed, style.shipped != nullptr, speed_of_naive(snapshot, style.shipped != nullptr));
        tooltip(theme, viz::joined(help));
        state.tip = viz::plain(viz::joined(help));
        help.resize(std::min<std::size_t>(help.size(), 2)); // the status line has no room for all of it
        if (!rung.said.empty())
            help.push_back(viz::rich("{}", rung.said));
        state.hint = viz::plain(viz::joined(std::move(help)));
    }
    const float y = min.y + theme.px(style.has_speeds() ? first_line : first_line + 1);
    const float verdict_x = style.right - theme.px(12), name_x = min.x + theme.px(name_indent);
    draw_verdict(style, {verdict_x, y + theme.px(3)}, rung);
    if (hovered && ImGui::GetIO().MousePos.x >= verdict_x - theme.px(4))
        state.hint = verdict_help(stage, rung);
    const float name_width = verdict_x - theme.px(3) - name_x;
    draw_text_within(theme.text, {name_x, y}, name_width, theme.ink, name_in(stage, theme.text, name_width));
    if (style.has_speeds())
        draw_speed(state, style,
                   {.name = fmt::format("gflops:{}", stage.slug),
                    .y = min.y + theme.px(second_line),
                    .speed = speed,
                    .colour = accent});
    ImGui::PopID();
}

std::string foot_text(const Snapshot& snapshot, const LadderStyle& style)
{
    if (style.hidden)
        return times_hidden;
    const MachineFacts* machine = snapshot.machine();
    if (machine == nullptr)
        return "Looking for a GPU …";
    if (!machine->device)
        return machine->error;
    const recording::Device& device = *machine->device;
    if (style.shipped != nullptr)
        return fmt::format(
            "Bar: from 0 to the arithmetic peak; on tensor cores, the share of cuBLAS in their type. Mark: cuBLAS. "
            "Hollow: shipped with gemmscope, measured on {} on {}. Measuring here needs a GPU. {} "
            "Checking runs on this CPU.",
            style.shipped->from.device, style.shipped->from.date, machine->why_no_gpu);
    if (!style.gpu)
        return viz::plain(
            viz::rich("The stages' GFLOPS are missing: they need a GPU. {} Recording and checking run on this "
                      "CPU, access by access as on a GPU. {}",
                      machine->why_no_gpu, viz::in_sentences(snapshot.catalogue->speeds.missing)));
    const std::string bar =
        style.peak > 0
            ? fmt::format("Bar: from 0 to the arithmetic peak, {} GFLOPS; its mark: cuBLAS. ", thousands(style.peak))
            : "";
    return fmt::format("{}Median of many runs after warm-up, cuBLAS in between, at {} on {}.", bar,
                       size_text(snapshot.choice.sizes.timed, kernels::Operation::gemm), device.name);
}

void draw_foot(const Snapshot& snapshot, const State& state, const LadderStyle& style)
{
    const viz::Theme& theme = state.theme;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, theme.px(8)});
    ImGui::PushTextWrapPos(ImGui::GetWindowWidth() - theme.px(12));
    ImGui::Dummy({0, theme.px(2)});
    ImGui::Indent(theme.px(10));
    text(theme.ink_quiet, foot_text(snapshot, style));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw_check({at.x, at.y + theme.px(3)}, theme.px(12), theme.good);
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + theme.px(17));
    text(theme.ink_quiet, "its result equals a float64 reference");
    text(theme.ink_quiet, "·   not checked: yet, or this machine cannot run it");
    text(theme.ink_faint, "Click to look at a stage, Shift-click to compare, Ctrl-click for a third.");
    ImGui::Unindent(theme.px(10));
    ImGui::PopTextWrapPos();
    ImGui::PopStyleVar();
}

void draw_heading(State& state, const Snapshot& snapshot, const LadderStyle& style, const Area& area)
{
    const viz::Theme& theme = state.theme;
    const float y = area.y + theme.px(8);
    draw_text(theme.text, {area.x + theme.px(10), y}, theme.ink_quiet, "Ladder");
    const bool has_corner = style.has_speeds() || style.shipped != nullptr;
    const float corner_at = area.x + theme.px(30) + text_width(theme.text, "Ladder");
    const float name_end = corner_at + (has_corner ? theme.px(4) : -theme.px(10));
    const char* columns = style.gpu ? "GFLOPS · of cuBLAS" : style.shipped != nullptr ? "GFLOPS" : "verified";
    if (!style.has_speeds() && style.right - text_width(theme.text, columns) > name_end)
        draw_text_right(theme.text, {style.right, y}, theme.ink_quiet, columns);
    else if ((style.gpu || style.shipped != nullptr) && style.right - badge_width(theme, columns) > name_end)
        badge_right(state, style.gpu ? Origin::measured : Origin::shipped, {style.right, y}, columns,
                    style.gpu ? snapshot.machine()->device->name : viz::device_and_date(style.shipped->from));
    if (has_corner)
        draw_table_corner(state, "ladder", {corner_at, y - theme.px(1)});
    ImGui::SetCursorScreenPos({area.x, y + theme.px(26)});
}

// Scrolls a newly chosen stage into view. Afterwards the user may scroll it away.
void reveal_chosen(const Snapshot& snapshot, State& state)
{
    const std::array now{snapshot.leading_rung(), snapshot.choice.columns[1].rung};
    if (now[0] != state.ladder_shown[0])
        state.ladder_reveals = now[0];
    else if (now[1] != state.ladder_shown[1])
        state.ladder_reveals = now[1];
    state.ladder_shown = now;
}

} // namespace

void draw_ladder(const Snapshot& snapshot, Session& session, State& state, const Area& area)
{
    const viz::Theme& theme = state.theme;
    begin_area("##ladder", area, theme.panel, false);
    const MachineFacts* machine = snapshot.machine();
    const bool gpu = snapshot.gpu();
    const ShippedSpeeds& speeds = snapshot.catalogue->speeds;
    const ShippedSpeeds* shipped = machine != nullptr && !gpu && !speeds.rows.empty() ? &speeds : nullptr;
    const double peak = gpu ? machine->device->peak_gflops : shipped != nullptr ? shipped->peak_gflops.value_or(0) : 0;
    const bool hidden = state.at.panels.hides_times;
    const LadderStyle style{theme,
                            gpu && !hidden,
                            hidden ? nullptr : shipped,
                            hidden ? 0 : peak,
                            shipped != nullptr ? shipped->cublas_gflops : snapshot.cublas_gflops(),
                            area.x + theme.px(10),
                            area.right() - theme.px(14),
                            hidden};
    draw_heading(state, snapshot, style, area);
    reveal_chosen(snapshot, state);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    ImGui::BeginChild("rows", {area.width, area.bottom() - ImGui::GetCursorScreenPos().y});
    for (std::size_t i = 0; i < snapshot.ladder().size(); ++i)
        draw_row(snapshot, state, style, i);
    draw_own_rows(snapshot, session, state, style);
    if (!hidden)
        draw_baselines(snapshot, session, state, style);
    draw_foot(snapshot, state, style);
    if (!hidden)
        draw_ladder_questions(snapshot, state);
    state.ladder_reveals.reset();
    ImGui::EndChild();
    ImGui::PopStyleVar();
    ImGui::End();
}

bool draw_closed_panel(const State& state, const Area& area, const char* name)
{
    const viz::Theme& theme = state.theme;
    begin_area(name, area, theme.panel, false);
    ImGui::SetCursorScreenPos({area.x, area.y});
    const bool clicked = ImGui::InvisibleButton("open", {area.width, std::max(area.height, 1.0f)});
    const bool hovered = ImGui::IsItemHovered();
    tooltip(theme, name + 2); // without ImGui's "##" prefix
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const viz::Colour colour = hovered ? theme.ink : theme.ink_quiet;
    const float x = area.x + area.width / 2, y = area.y + theme.px(18), size = theme.px(4);
    const float towards = area.x > 0 ? -size : size;
    list.AddTriangleFilled({x - towards / 2, y - size}, {x - towards / 2, y + size}, {x + towards / 2, y}, colour);
    ImGui::End();
    return clicked;
}

} // namespace app
