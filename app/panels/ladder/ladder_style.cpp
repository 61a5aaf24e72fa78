#include "app/panels/ladder/ladder_style.h"

#include "app/data/recordings.h"
#include "app/panels/widgets.h"
#include "app/text/format.h"

#include "viz/origin.h"
#include "viz/text/known.h"
#include "viz/text/rich.h"

#include <fmt/format.h>

namespace app {

namespace {

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
        if (state.escaped)
            ImGui::CloseCurrentPopup();
        ImGui::EndPopup();
    }
    ImGui::PopStyleVar();
}

} // namespace

void draw_own_rows(const Snapshot& snapshot, Session& session, State& state, const LadderStyle& style)
{
    for (const std::filesystem::path& file : snapshot.own_files)
        draw_own_row(snapshot, session, state, style, file);
    if (!snapshot.own_folder.empty())
        draw_new_row(snapshot, session, state, style);
}

namespace {

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

} // namespace

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

} // namespace app
