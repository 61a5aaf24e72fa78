#include "app/panels/panels.h"

#include "app/panels/candidate_values.h"
#include "app/panels/tables.h"
#include "app/panels/tile_space.h"
#include "app/panels/widgets.h"
#include "app/text/format.h"

#include "viz/draw/rich_text.h"
#include "viz/figure/figure.h"
#include "viz/text/known.h"
#include "viz/text/rich.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

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

// What stands once for all bars: parameters that do not differ, and what the shares are of.
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

// "BM 64, BN 128" of these parameters.
std::string parameter_words(const kernels::Stage& stage, const Candidate& candidate,
                            const std::vector<std::size_t>& parameters)
{
    std::string words;
    for (const std::size_t i : parameters) {
        const std::string& name = stage.parameters[i].name;
        words +=
            fmt::format("{}{} {}", words.empty() ? "" : ", ", name, kernels::value_text(name, candidate.parameters[i]));
    }
    return words;
}

// The candidate that the pointer is at, in the bars or in the chart, is marked in both from the next frame on.
struct Pointed {
    std::optional<std::size_t> before, now;
};

// The fastest first, each with the parameters that differ.
viz::BarLayer bars_of(const viz::Theme& theme, const SearchState& search, Pointed& pointed)
{
    const kernels::Stage& stage = *search.stage;
    const std::vector<std::size_t> differing = shared_parameters(search.ranked, stage.parameters.size()).differing;
    const double cublas = cublas_beside(search.ranked);
    viz::BarLayer layer{.name = "candidate", .bars = {}, .on_ground = true, .names = viz::BarLayer::Names::above};
    for (std::size_t i = 0; i < search.ranked.size(); ++i) {
        const Candidate& one = search.ranked[i];
        if (one.state == Candidate::State::waiting)
            continue;
        viz::BarLayer::Bar bar{
            .name = parameter_words(stage, one, differing), .lit = i == pointed.before, .id = fmt::format("{}", i)};
        bar.hover = [&pointed, i](const viz::ViewScene&) { pointed.now = i; };
        if (one.state == Candidate::State::right)
            bar.parts.push_back({.value = one.gflops,
                                 .words = thousands(one.gflops),
                                 .colour = i == 0 ? theme.accent() : with_alpha(theme.accent(), 0.5f)});
        else
            bar.missing = one.state == Candidate::State::wrong ? "wrong result" : "failed";
        bar.words = one.state != Candidate::State::right ? ""
                    : cublas > 0 ? fmt::format("{} · {}", thousands(one.gflops), percent(one.gflops / cublas))
                                 : thousands(one.gflops);
        layer.bars.push_back(std::move(bar));
    }
    return layer;
}

// Where the rows of the chart are, from below: a little apart where another parameter begins.
std::vector<double> places_of(const std::vector<ValueSpeeds>& rows)
{
    std::vector<double> places(rows.size());
    for (std::size_t i = rows.size() - 1; i-- > 0;)
        places[i] = places[i + 1] + (rows[i].parameter == rows[i + 1].parameter ? 1 : 1.3);
    return places;
}

// One row for each value of each parameter, along GFLOPS: how much a value alone decides.
viz::CurveLayer chart_of(const viz::Theme& theme, const SearchState& search, const std::vector<ValueSpeeds>& rows,
                         Pointed& pointed)
{
    using Curve = viz::CurveLayer::Curve;
    using Glyph = viz::CurveLayer::Glyph;
    const std::vector<Candidate>& ranked = search.ranked;
    const std::vector<double> places = places_of(rows);
    Curve best{.colour = theme.accent(), .line = 0, .radius = 5},
        chosen{.colour = theme.accent(1), .line = 0, .radius = 5},
        all{.colour = with_alpha(theme.ink_quiet, 0.45f), .line = 0, .radius = 6};
    viz::CurveLayer layer{.name = "candidates",
                          .right = {.least = ranked[right_ones(ranked) - 1].gflops,
                                    .most = ranked.front().gflops,
                                    .logarithmic = false,
                                    .title = "GFLOPS"},
                          .up = {.least = -0.5, .most = places.front() + 0.5, .logarithmic = false}};
    for (std::size_t i = rows.size(); i-- > 0;) { // names of an axis ascend
        const std::string& name = search.stage->parameters[rows[i].parameter].name;
        const std::string value = kernels::value_text(name, rows[i].value);
        const bool begins = i == 0 || rows[i].parameter != rows[i - 1].parameter;
        layer.up.names.emplace_back(places[i], begins ? fmt::format("{}  {}", name, value) : value);
        for (const std::size_t candidate : rows[i].candidates) {
            Curve& curve = candidate == 0 ? best : candidate == pointed.before ? chosen : all;
            curve.points.push_back(
                {.right = ranked[candidate].gflops,
                 .up = places[i],
                 .name = candidate == 0 ? fmt::format("best:{} {}", name, value) : std::string(),
                 .glyph = &curve == &all ? Glyph::tick : Glyph::square,
                 .hover = [&pointed, candidate](const viz::ViewScene&) { pointed.now = candidate; }});
        }
    }
    layer.curves = {std::move(best), std::move(chosen), std::move(all)};
    return layer;
}

void draw_layer(State& state, const char* id, viz::Layer layer, ImVec2 size)
{
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    draw_panel(state, {.id = id,
                       .box = {corner, {corner.x + size.x, corner.y + size.y}},
                       .layers = {std::move(layer)},
                       .is_picture = false});
}

// Above both pictures: what the search teaches, and what the colours are.
void draw_words(const viz::Theme& theme, const SearchState& search)
{
    const viz::Rich lesson = lesson_of(*search.stage, search.ranked);
    if (lesson.empty())
        return;
    const float width = ImGui::GetContentRegionAvail().x;
    viz::RichText(theme).write(lesson).draw(width);
    viz::RichText(theme)
        .swatch(theme.accent())
        .say("the fastest")
        .gap()
        .swatch(theme.accent(1))
        .say("pointed at")
        .gap()
        .say("a line is a candidate, in the row of each of its values")
        .draw(width);
    viz::RichText(theme).write(list_words(search)).draw(width);
}

// Which sets of parameters are possible, and below it what forbids the others, each with its colour.
void draw_space(State& state, const SearchState& search)
{
    const viz::Theme& theme = state.theme;
    const auto space = tile_space(*search.stage, search.problem, search.ranked);
    if (!space) {
        text_wrapped(theme.ink_quiet, "This stage has too many sets of parameters, or too few, for a map of them.");
        return;
    }
    const ImVec2 corner = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const float line = line_height(theme.text) + theme.px(4),
                words = line * static_cast<float>(space->reasons.size() + 2);
    const float height = std::clamp(room.y - words, space_height(theme, *space), theme.px(560));
    draw_panel(state, space_panel(theme, *search.stage, *space, {corner, {corner.x + room.x, corner.y + height}}));
    ImGui::Dummy({0, theme.px(4)});
    viz::RichText(theme)
        .swatch(theme.accent())
        .say(fmt::format("{} of {} sets can run by this kernel's own rules (the sizes of tiles in Reuse obey the SM's "
                         "limits alone): a number is how many in a cell, brighter where the fastest is faster",
                         thousands(space->possible), thousands(space->sets)))
        .draw(room.x);
    for (std::size_t i = 0; i < space->reasons.size(); ++i)
        viz::RichText(theme)
            .swatch(reason_colour(theme, i))
            .say(fmt::format("{}: {}", thousands(space->reasons[i].sets), space->reasons[i].words))
            .draw(room.x);
}

// The chart beside the bars where there is room, else above them.
void draw_results(State& state, const SearchState& search)
{
    const viz::Theme& theme = state.theme;
    if (!search.ranked.empty()) {
        bool& space = state.at.panels.space;
        if (viz::draw::choice(theme, {"which are possible", space, ""}, state.hint))
            space = !space;
        viz::mark_item(state.marks, "search:space");
        if (space)
            return draw_space(state, search);
    }
    draw_words(theme, search);
    ImGui::Dummy({0, theme.px(4)});
    ImGuiStorage& kept = *ImGui::GetStateStorage();
    const ImGuiID id = ImGui::GetID("pointed");
    const int before = kept.GetInt(id, -1);
    Pointed pointed;
    if (before >= 0 && before < static_cast<int>(search.ranked.size()))
        pointed.before = static_cast<std::size_t>(before);
    const float room = ImGui::GetContentRegionAvail().x;
    const bool beside = room > theme.px(900);
    const ImVec2 corner = ImGui::GetCursorPos();
    if (const auto rows = speeds_by_value(search.ranked, search.stage->parameters.size()); !rows.empty()) {
        const float width = beside ? std::floor(room * 0.45f) : room, row = line_height(theme.mono) + theme.px(2);
        const float height = std::ceil(row * static_cast<float>(places_of(rows).front() + 1) + 3 * row);
        draw_layer(state, "candidates", chart_of(theme, search, rows, pointed), {width, height});
        if (beside)
            ImGui::SetCursorPos({corner.x + width + theme.px(24), corner.y});
    }
    viz::BarLayer bars = bars_of(theme, search, pointed);
    const float height = viz::bars_height(theme, bars);
    constexpr float least_lines = 10;
    ImGui::BeginChild("list", {0, std::max(ImGui::GetContentRegionAvail().y, least_lines * line_height(theme.mono))});
    if (!bars.bars.empty())
        draw_layer(state, "candidate bars", std::move(bars), {ImGui::GetContentRegionAvail().x, height});
    ImGui::EndChild();
    if (pointed.now)
        state.hint = candidate_words(*search.stage, search.ranked[*pointed.now]);
    kept.SetInt(id, pointed.now ? static_cast<int>(*pointed.now) : -1);
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
