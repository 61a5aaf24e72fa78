#include "app/panels/search/tuning.h"

#include "app/panels/search/candidate_chart.h"
#include "app/panels/search/candidate_values.h"
#include "app/panels/tables/corner.h"
#include "app/panels/widgets.h"
#include "app/text/format.h"

#include "viz/draw/prose.h"
#include "viz/text/known.h"
#include "viz/text/rich.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace app {

namespace {

using kernels::Candidate;

std::string progress_text(const SearchState& search)
{
    if (!search.error.empty())
        return search.error;
    if (search.shipped)
        return viz::plain(viz::rich("{}, {}. Another GPU or size has another winner; where there is a GPU, S searches.",
                                    viz::counted(search.ranked.size(), "candidate"), viz::how_had(*search.shipped)));
    if (search.running)
        return fmt::format("{} of {} · everything that can run is compiled, timed and checked", search.done,
                           search.steps);
    if (!search.whole)
        return fmt::format("Stopped after {} of {}; what was timed stays, nothing is remembered.", search.done,
                           search.steps);
    if (search.ranked.empty() || search.ranked.front().state != Candidate::State::right)
        return "No candidate gave a right result.";
    return "The fastest is remembered for this GPU and this size, and in use.";
}

std::string candidate_words(const kernels::Stage& stage, const Candidate& candidate)
{
    const std::string parameters = parameters_text(stage, candidate.parameters, " ", " · ");
    if (candidate.state != Candidate::State::right)
        return parameters + " · " + candidate.failure;
    const int runs = candidate.timing.samples; // what is shipped does not say how many
    return fmt::format("{} · {} GFLOPS · {:.4f} ms{} · relative error {:.1e}", parameters, thousands(candidate.gflops),
                       candidate.timing.median_ms, runs > 0 ? fmt::format(", median of {}", runs) : "",
                       candidate.error);
}

// Where the columns of the list are.
struct Columns {
    float left, bar, figure, share, text;
    double fastest, cublas;         // GFLOPS
    std::vector<std::size_t> shown; // parameters: those that differ
    float room = 0;                 // for these
};

// As many lines as they take, broken between two parameters.
std::vector<std::string> lines_of(const viz::Theme& theme, const kernels::Stage& stage, const Candidate& candidate,
                                  const Columns& columns)
{
    std::vector<std::string> lines{""};
    for (const std::size_t i : columns.shown) {
        const std::string& name = stage.parameters[i].name;
        const std::string one = fmt::format("{} {}", name, kernels::value_text(name, candidate.parameters[i]));
        const std::string longer = lines.back().empty() ? one : lines.back() + " · " + one;
        if (lines.back().empty() || text_width(theme.text, longer) <= columns.room)
            lines.back() = longer;
        else
            lines.push_back(one);
    }
    return lines;
}

struct Look {
    bool first = false, chosen = false;
};

// Whether the mouse is over it.
bool draw_candidate(State& state, const kernels::Stage& stage, const Candidate& candidate, const Columns& columns,
                    Look look)
{
    const bool first = look.first;
    const viz::Theme& theme = state.theme;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const std::vector<std::string> parameters = lines_of(theme, stage, candidate, columns);
    const float height = line_height(theme.mono) * static_cast<float>(parameters.size()) + theme.px(3);
    ImGui::Dummy({ImGui::GetContentRegionAvail().x, height});
    const bool hovered = ImGui::IsItemHovered();
    if (look.chosen)
        ImGui::GetWindowDrawList()->AddRectFilled(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(),
                                                  with_alpha(state.theme.accent(1), 0.25f));
    const bool right = candidate.state == Candidate::State::right;
    if (right) {
        const float share = columns.fastest > 0 ? static_cast<float>(candidate.gflops / columns.fastest) : 0;
        ImGui::GetWindowDrawList()->AddRectFilled(
            {columns.left, at.y + theme.px(3)},
            {columns.left + std::max((columns.bar - columns.left) * share, 1.0f), at.y + line_height(theme.mono)},
            first ? theme.accent() : with_alpha(theme.accent(), 0.5f));
        draw_text_right(theme.mono, {columns.figure, at.y}, theme.ink, thousands(candidate.gflops));
        if (columns.cublas > 0)
            draw_text_right(theme.mono, {columns.share, at.y}, theme.ink_quiet,
                            percent(candidate.gflops / columns.cublas));
    } else {
        draw_text_right(theme.text, {columns.share, at.y}, theme.warning,
                        candidate.state == Candidate::State::wrong ? "wrong" : "failed");
    }
    for (std::size_t i = 0; i < parameters.size(); ++i)
        draw_text_within(theme.text, {columns.text, at.y + line_height(theme.mono) * static_cast<float>(i)},
                         columns.room, first ? theme.ink : theme.ink_quiet, parameters[i]);
    return hovered;
}

// The candidate under the mouse.
std::optional<std::size_t> draw_list(State& state, const SearchState& search, std::optional<std::size_t> chosen)
{
    const viz::Theme& theme = state.theme;
    std::optional<std::size_t> hovered;
    const float left = ImGui::GetCursorScreenPos().x, width = ImGui::GetContentRegionAvail().x;
    Columns columns{.left = left,
                    .bar = left + width * 0.16f,
                    .figure = 0,
                    .share = 0,
                    .text = 0,
                    .fastest = 0,
                    .cublas = cublas_beside(search.ranked),
                    .shown = shared_parameters(search.ranked, search.stage->parameters.size()).differing};
    columns.figure = columns.bar + text_width(theme.mono, "100,000") + theme.px(12);
    columns.share =
        columns.figure + std::max(text_width(theme.mono, "100.0%"), text_width(theme.text, "cuBLAS")) + theme.px(14);
    columns.text = columns.share + theme.px(16);
    columns.room = left + width - columns.text - theme.px(16);
    if (!search.ranked.empty())
        columns.fastest = search.ranked.front().gflops;
    const float y = ImGui::GetCursorScreenPos().y;
    draw_text_right(theme.text, {columns.figure, y}, theme.ink_quiet, "GFLOPS");
    draw_text_right(theme.text, {columns.share, y}, theme.ink_quiet, "cuBLAS");
    draw_text(theme.text, {columns.text, y}, theme.ink_quiet, "parameters");
    ImGui::Dummy({width, line_height(theme.text) + theme.px(4)});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    ImGui::BeginChild("candidates");
    for (std::size_t i = 0; i < search.ranked.size(); ++i)
        if (search.ranked[i].state != Candidate::State::waiting)
            if (draw_candidate(state, *search.stage, search.ranked[i], columns, {i == 0, i == chosen}))
                hovered = i;
    ImGui::EndChild();
    ImGui::PopStyleVar();
    return hovered;
}

// What stands once for all of the list: parameters that do not differ, and what the shares are of.
viz::Rich list_words(const SearchState& search)
{
    std::vector<viz::Rich> words;
    const kernels::Stage& stage = *search.stage;
    const std::vector<std::size_t> same = shared_parameters(search.ranked, stage.parameters.size()).same;
    if (!same.empty())
        words.push_back(viz::rich("All candidates have {}.", values_of(stage, search.ranked.front(), same)));
    if (const double cublas = cublas_beside(search.ranked); cublas > 0)
        words.push_back(
            viz::rich("Shares are of cuBLAS with {} GFLOPS, the middle of its runs beside them.", thousands(cublas)));
    return viz::joined(std::move(words));
}

// The chart beside the list where there is room, else above it. Pointing at a candidate in one marks it in both.
void draw_results(State& state, const SearchState& search)
{
    const viz::Theme& theme = state.theme;
    if (const viz::Rich lesson = lesson_of(*search.stage, search.ranked); !lesson.empty()) {
        const float width = ImGui::GetContentRegionAvail().x;
        viz::Prose(theme).write(lesson).draw(width);
        viz::Prose(theme)
            .swatch(theme.accent())
            .say("the fastest")
            .gap()
            .swatch(theme.accent(1))
            .say("pointed at")
            .gap()
            .say("a line is a candidate, in the row of each of its values")
            .draw(width);
        viz::Prose(theme).write(list_words(search)).draw(width);
    }
    ImGui::Dummy({0, theme.px(4)});
    ImGuiStorage& kept = *ImGui::GetStateStorage();
    const ImGuiID id = ImGui::GetID("chosen");
    const int before = kept.GetInt(id, -1);
    const auto chosen = before >= 0 && before < static_cast<int>(search.ranked.size())
                            ? std::optional(static_cast<std::size_t>(before))
                            : std::nullopt;
    const float room = ImGui::GetContentRegionAvail().x, gap = theme.px(24);
    const bool beside = room > theme.px(900);
    const ImVec2 corner = ImGui::GetCursorPos();
    std::optional<std::size_t> hovered =
        draw_candidate_chart(state, {search, chosen}, beside ? std::floor(room * 0.45f) : room);
    if (beside)
        ImGui::SetCursorPos({corner.x + std::floor(room * 0.45f) + gap, corner.y});
    constexpr float least_rows = 10;
    const float least = least_rows * (line_height(theme.mono) + theme.px(3));
    ImGui::BeginChild("list", {0, std::max(ImGui::GetContentRegionAvail().y, least)});
    if (const auto in_list = draw_list(state, search, chosen))
        hovered = in_list;
    ImGui::EndChild();
    if (hovered)
        state.hint = candidate_words(*search.stage, search.ranked[*hovered]);
    kept.SetInt(id, hovered ? static_cast<int>(*hovered) : -1);
}

} // namespace

void draw_search(const Snapshot& snapshot, Session& session, State& state, const Area& area)
{
    const viz::Theme& theme = state.theme;
    const SearchState& search = *snapshot.search();
    const bool leave = begin_page(state, area,
                                  {.name = "##search",
                                   .title = fmt::format("Parameters of {} at {}{}", search.stage->slug,
                                                        size_text(search.problem, search.stage->operation),
                                                        search.device.empty() ? "" : " on " + search.device),
                                   .mark = "search:leave",
                                   .close = search.running ? "Stop (Esc)" : "Close (Esc)"});
    draw_table_corner(state, "candidates", {ImGui::GetItemRectMin().x - theme.px(8), ImGui::GetItemRectMin().y});
    text_wrapped(search.error.empty() ? theme.ink_quiet : theme.warning, progress_text(search));
    if (search.running) {
        ImGui::PushStyleColor(ImGuiCol_PlotHistogram, theme.accent());
        ImGui::ProgressBar(search.steps > 0 ? static_cast<float>(search.done) / static_cast<float>(search.steps) : 0,
                           {-1, theme.px(4)}, "");
        ImGui::PopStyleColor();
    }
    draw_results(state, search);
    end_page();
    if (leave)
        session.leave_search();
}

} // namespace app
