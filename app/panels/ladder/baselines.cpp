#include "app/panels/ladder/baselines.h"

#include "app/panels/widgets.h"
#include "app/text/format.h"

#include "viz/origin.h"

#include <fmt/format.h>

namespace app {

namespace {

// A CPU's loop reaches fractions of what a GPU does.
std::string figure_text(double gflops)
{
    return gflops < 10 ? fmt::format("{:.2f}", gflops) : thousands(gflops);
}

// Of what needs a GPU, where there is none; null where nothing is shipped.
const TimedRow* shipped_instead(const LadderStyle& style, const BaselineMeasurement& measured)
{
    const kernels::Baseline& baseline = *measured.baseline;
    return style.shipped != nullptr && baseline.needs_gpu() ? style.shipped->find(baseline.slug, {}) : nullptr;
}

std::string baseline_help(const LadderStyle& style, const BaselineMeasurement& measured)
{
    const kernels::Baseline& baseline = *measured.baseline;
    std::string text = fmt::format("{}: {}. ", baseline.slug, baseline.idea);
    if (const TimedRow* shipped = shipped_instead(style, measured))
        return text + fmt::format("{} GFLOPS, {}; measure here with a GPU.", thousands(shipped->gflops.value_or(0)),
                                  shipped_words(*style.shipped, *shipped));
    if (!measured.missing.empty())
        return text + measured.missing;
    if (!measured.result)
        return text + "Not measured yet.";
    const kernels::BaselineResult& result = *measured.result;
    text += fmt::format("{} at {}, median of {}. Against float64: relative error {:.1e}, allowed {:.1e}.",
                        figure_text(result.gflops) + " GFLOPS", size_text(measured.problem, kernels::Operation::gemm),
                        result.timing.samples, result.relative_error, result.tolerance);
    if (baseline.precision.type != type_fp32)
        text += fmt::format(" With A and B rounded from FP32, its error in all is {:.1e}.", result.total_error);
    if (result.rows_timed < measured.problem.M)
        text +=
            fmt::format(" {} of {} rows of C were timed: all cost the same.", result.rows_timed, measured.problem.M);
    return text;
}

void draw_baseline_row(State& state, const LadderStyle& style, const BaselineMeasurement& measured)
{
    const viz::Theme& theme = state.theme;
    ImGui::Dummy({ImGui::GetContentRegionAvail().x, theme.px(row_height_without_speed)});
    const ImVec2 row = ImGui::GetItemRectMin();
    viz::mark_shown_item(state.marks, fmt::format("baseline:{}", measured.baseline->slug));
    if (ImGui::IsItemHovered()) {
        ImGui::GetWindowDrawList()->AddRectFilled(row, ImGui::GetItemRectMax(), faded(theme.ink, 0.06f));
        state.hint = baseline_help(style, measured);
    }
    const float y = row.y + theme.px(first_line), name_x = style.left; // no number, so room for the name
    float right = style.right;
    if (const TimedRow* shipped = shipped_instead(style, measured)) {
        const std::string figure = thousands(shipped->gflops.value_or(0));
        draw_text_right(theme.mono, {right, y}, theme.ink_quiet, figure);
        right -= text_width(theme.mono, figure) + theme.px(10); // the mark, as in the heading of the ladder
        viz::draw_origin(*ImGui::GetWindowDrawList(), viz::NumberOrigin::shipped,
                         {right, y + line_height(theme.mono) / 2}, theme.px(3.5f), theme.ink_quiet);
        right -= theme.px(4);
    } else if (measured.result && measured.result->right()) {
        const std::string figure = figure_text(measured.result->gflops);
        draw_text_right(theme.mono, {right, y}, theme.ink, figure);
        right -= text_width(theme.mono, figure);
    } else {
        const char* words = measured.result ? "wrong result"
                            : !measured.missing.empty()
                                ? (measured.baseline->needs_gpu() && !style.gpu ? "no GPU here" : "missing")
                                : "measuring …";
        draw_text_right(theme.text, {right, y}, theme.ink_faint, words);
        right -= text_width(theme.text, words);
    }
    // What tells them apart, where not all of it has room.
    std::string_view title = measured.baseline->title;
    if (constexpr std::string_view common = "cuBLAS ";
        title.starts_with(common) && text_width(theme.text, title) > right - theme.px(8) - name_x)
        title.remove_prefix(common.size());
    draw_text_within(theme.text, {name_x, y}, right - theme.px(8) - name_x, theme.ink_quiet, title);
}

} // namespace

void draw_baselines(const Snapshot& snapshot, State& state, const LadderStyle& style)
{
    const viz::Theme& theme = state.theme;
    ImGui::Dummy({ImGui::GetContentRegionAvail().x, theme.px(26)});
    const ImVec2 row = ImGui::GetItemRectMin();
    draw_text(theme.text, {style.left, row.y + theme.px(8)}, theme.ink_quiet, "To compare with");
    if (style.left + text_width(theme.text, "To compare with   GFLOPS") < style.right)
        draw_text_right(theme.text, {style.right, row.y + theme.px(8)}, theme.ink_quiet, "GFLOPS");
    for (const BaselineMeasurement& measured : snapshot.baselines)
        draw_baseline_row(state, style, measured);
}

} // namespace app
