#include "app/panels/tables.h"

#include "app/panels/navigation.h"
#include "app/panels/widgets.h"
#include "app/session/counter_table.h"
#include "app/workspace/state_file.h"

#include "viz/analysis/comparison.h"
#include "viz/analysis/heatmap.h"
#include "viz/analysis/roofline.h"
#include "viz/analysis/sectors.h"
#include "viz/text/known.h"
#include "viz/text/templates.h"

#include "error.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

namespace app {

namespace {

using Json = nlohmann::json;

std::string how(const recording::Provenance& from)
{
    return viz::plain(viz::how_had(from));
}

recording::Measured<double> gflops_of(const recording::Measured<viz::SpeedAt>& speed)
{
    return speed.with([](const viz::SpeedAt& at) { return at.gflops; });
}

// Returns the factor over the speed of `naive` for the same problem and device. Null if `naive` was not timed there.
Json over_naive_at(const Snapshot& snapshot, const recording::Measured<viz::SpeedAt>& speed)
{
    if (const viz::StageFacts* naive = snapshot.ladder_facts.find(std::string(viz::first_rung)))
        for (const recording::Measured<viz::SpeedAt>& of_naive : naive->speeds)
            if (const auto times = viz::speedup_over_naive(gflops_of(speed), gflops_of(of_naive)))
                return *times;
    return {};
}

std::string text_of_counters(const Snapshot& snapshot, const State& state, bool json)
{
    const Catalogue& catalogue = *snapshot.catalogue;
    const std::vector<uint32_t> sides = counted_sides(catalogue, snapshot.ladder());
    if (sides.empty())
        throw kernels::Error(viz::plain(viz::in_sentences(catalogue.counters.missing)));
    const bool chosen = std::ranges::find(sides, state.counters.side) != sides.end();
    std::vector<std::size_t> columns(counter_columns().size());
    std::iota(columns.begin(), columns.end(), std::size_t{0});
    const Table table =
        table_of(counter_table(catalogue, snapshot.ladder(), chosen ? state.counters.side : sides.back()), columns);
    return json ? Json(table.rows).dump(2) + "\n" : csv_of(table);
}

const char* name_of(kernels::Candidate::State state)
{
    switch (state) {
    case kernels::Candidate::State::waiting: return "waiting";
    case kernels::Candidate::State::right: return "right";
    case kernels::Candidate::State::wrong: return "wrong";
    case kernels::Candidate::State::failed: return "failed";
    }
    return "";
}

Table table_of_search(const SearchState& search)
{
    std::string columns;
    for (const kernels::ParameterSpec& parameter : search.stage->parameters)
        columns += std::string(parameter.name) + " | ";
    Table table("candidates", columns + "state | gflops | median_ms | error | why_not");
    for (const kernels::Candidate& one : search.ranked) {
        std::vector<Json> row(one.parameters.begin(), one.parameters.end());
        const bool right = one.state == kernels::Candidate::State::right;
        row.insert(row.end(),
                   {name_of(one.state), right ? Json(one.gflops) : Json(), right ? Json(one.timing.median_ms) : Json(),
                    right ? Json(one.error) : Json(), one.failure.empty() ? Json() : Json(one.failure)});
        table.add(std::move(row));
    }
    return table;
}

constexpr float button_side = 17; // pixels at scale 1

// Draws the rows and columns of a table icon.
void draw_grid(ImVec2 min, float size, viz::Colour colour)
{
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 max{min.x + size, min.y + size};
    list.AddRect(min, max, colour);
    for (const float share : {0.34f, 0.67f})
        list.AddLine({min.x, min.y + share * size}, {max.x, min.y + share * size}, colour);
    list.AddLine({min.x + 0.4f * size, min.y}, {min.x + 0.4f * size, max.y}, colour);
}

// Calls the function for the selected block of each compared stage.
void for_each_block(const Snapshot& snapshot, const State& state, const auto& function)
{
    for (const viz::StageColumn& stage : snapshot.columns)
        if (const WarpTrack& track = state.tracks[stage.number]; track.warp() != nullptr)
            function(stage.slug, track);
}

} // namespace

Table speeds_of_ladder(const Snapshot& snapshot)
{
    Table table("speeds",
                "stage | type | M | N | K | gflops | over_naive | flop_per_byte | intensity_recorded | origin");
    for (const viz::StageFacts& rung : snapshot.ladder_facts.rungs)
        for (const recording::Measured<viz::SpeedAt>& speed : rung.speeds) {
            if (!speed)
                continue;
            const recording::Problem& at = speed->problem;
            const auto intensity = viz::intensity_of(rung.traffic.value(), rung.tile, at);
            table.add({rung.slug, rung.type, at.M, at.N, at.K, speed->gflops, over_naive_at(snapshot, speed),
                       intensity ? Json(intensity->value) : Json(), intensity ? Json(intensity->recorded) : Json(),
                       how(speed.from())});
        }
    return table;
}

Table ceilings_of_gpu(const Snapshot& snapshot)
{
    const viz::GpuState& gpu = snapshot.ladder_facts.gpu;
    if (!gpu.properties)
        throw kernels::Error(viz::plain(viz::in_a_sentence(gpu.properties.missing())));
    Table table("ceilings", "gpu | ceiling | value | unit | measured");
    const auto measured = gpu.measured.value();
    const viz::Ceilings ceilings = viz::ceilings_of(*gpu.properties, measured ? &*measured : nullptr);
    const auto add = [&](const std::string& name, const std::optional<viz::Ceiling>& ceiling, const char* unit) {
        if (ceiling)
            table.add({gpu.properties->name, name, ceiling->value, unit, ceiling->measured});
    };
    add("dram", ceilings.dram, "GB/s");
    add("l2", ceilings.l2, "GB/s");
    add("l1", ceilings.l1, "GB/s");
    add("shared", ceilings.shared, "GB/s");
    for (const auto& [type, ceiling] : ceilings.arithmetic)
        add(type, ceiling, "GFLOPS");
    return table;
}

Table compared_figures(const Snapshot& snapshot, const State& state)
{
    Table table("figures", "stage | figure | value | unit | fewer_is_better | origin");
    for (const viz::StageColumn& stage : snapshot.recorded()) {
        const WarpTrack& track = state.tracks[stage.number];
        if (track.block() == nullptr)
            continue;
        const viz::KernelFigures figures = viz::figures_of(*stage.recording, *track.block());
        const bool shipped = snapshot.details[stage.number].shipped;
        recording::Provenance from = recording::provenance_of(*stage.recording, shipped);
        const std::string recorded = how(from);
        // Derived from addresses by the rules of banks and sectors, or from the capacity of an SM.
        from.how = recording::How::derived;
        const std::string derived = how(from);
        const recording::Measured<double>& speed = stage.speed.gflops ? stage.speed.gflops : stage.shipped.gflops;
        table.add({stage.slug, "speed", speed ? Json(*speed) : Json(), "GFLOPS", false,
                   speed ? how(speed.from()) : viz::plain(viz::in_short(speed.missing()))});
        if (const viz::StageFacts* rung = snapshot.ladder_facts.find(stage.slug))
            for (const recording::Measured<viz::SpeedAt>& at : rung->speeds)
                if (speed && gflops_of(at) == speed)
                    if (Json times = over_naive_at(snapshot, at); !times.is_null())
                        table.add(
                            {stage.slug, "speed over naive", std::move(times), "times", false, how(speed.from())});
        for (std::size_t j = 1; j < viz::measure_count; ++j) {
            const auto measure = static_cast<viz::Measure>(j);
            const auto value = figures[measure];
            if (!value)
                continue;
            const viz::MeasureInfo& about = viz::info(measure);
            const std::string unit = viz::per_multiplication(measure) ? "per 1,000 multiplications" : about.unit;
            table.add(
                {stage.slug, about.name, *value, unit, about.cost,
                 viz::per_multiplication(measure) || measure >= viz::Measure::blocks_per_sm ? derived : recorded});
        }
    }
    return table;
}

Table costs_of_lines(const Snapshot& snapshot, const State& state)
{
    Table table("shared memory by line", "stage | line | operation | array | instructions | wavefronts | conflicts");
    for_each_block(snapshot, state, [&](const std::string& slug, const WarpTrack& track) {
        const std::vector<recording::Array>& arrays = track.recording()->arrays;
        for (const viz::HeatRow& row : viz::heatmap(*track.block()).rows)
            table.add({slug, row.line, std::string(recording::name(row.op)), arrays.at(row.array).name,
                       row.totals.instructions, row.totals.wavefronts, row.totals.conflicts});
    });
    return table;
}

Table sectors_of_lines(const Snapshot& snapshot, const State& state)
{
    Table table("global memory by line", "stage | line | operation | array | requests | sectors | used_bytes | "
                                         "used_share | requests_of_launch | sectors_of_launch");
    for_each_block(snapshot, state, [&](const std::string& slug, const WarpTrack& track) {
        for (const viz::GlobalUse& use : viz::global_use(*track.recording(), *track.block()))
            table.add({slug, use.line, viz::kind_word(use.kind), track.recording()->arrays.at(use.array).name,
                       use.requests, use.sectors, use.used_bytes, use.used_share(), use.launch.requests,
                       use.launch.sectors});
    });
    return table;
}

Table table_of(const std::vector<viz::FigureRow>& rows)
{
    const auto number = [](const std::optional<double>& value) { return given(value); };
    const auto words = [](const std::string& text) { return text.empty() ? Json() : Json(text); };
    Table table("drawn", "panel | name | series | row | col | from | until | value | words");
    for (const viz::FigureRow& row : rows)
        table.add({words(row.panel), words(row.name), words(row.series), number(row.row), number(row.col),
                   number(row.from), number(row.until), number(row.value), words(row.words)});
    return table;
}

std::string table_shown(const Snapshot& snapshot, const State& state)
{
    if (state.at.page == Page::counters || state.at.page == Page::accuracy)
        return "counters";
    return snapshot.search() != nullptr ? "candidates" : "view";
}

std::string name_of_table(const Snapshot& snapshot, const State& state, const State::TableRequest& request)
{
    if (request.of == "view")
        return name_of(saved_state(snapshot, state));
    const SearchState* search = request.of == "candidates" ? snapshot.search() : nullptr;
    return search == nullptr ? request.of : std::string(search->stage->slug) + "_candidates";
}

std::string text_of_table(const Snapshot& snapshot, const State& state, const State::TableRequest& request,
                          const std::vector<viz::FigureRow>& drawn)
{
    if (request.of == "counters")
        return text_of_counters(snapshot, state, request.json);
    if (request.of == "view" && drawn.empty())
        throw kernels::Error(
            "No view is drawn whose figures could be saved: close the page over it, or choose a stage.");
    const SearchState* search = request.of == "candidates" ? snapshot.search() : nullptr;
    const Table table = search != nullptr        ? table_of_search(*search)
                        : request.of == "ladder" ? speeds_of_ladder(snapshot)
                                                 : table_of(drawn);
    return request.json ? json_of(table) : csv_of(table);
}

void draw_table_corner(State& state, std::string_view of, ImVec2 right_top)
{
    const viz::Theme& theme = state.theme;
    const float size = theme.px(button_side);
    const ImVec2 before = ImGui::GetCursorScreenPos(), at{right_top.x - size, right_top.y};
    const std::string name = "tables:" + std::string(of);
    ImGui::SetCursorScreenPos(at);
    if (ImGui::InvisibleButton(name.c_str(), {size, size}))
        ImGui::OpenPopup((name + " menu").c_str());
    viz::mark_item(state.marks, name);
    const bool hovered = ImGui::IsItemHovered();
    tooltip(
        theme,
        "These figures as a table, CSV or JSON, in the current directory. Ctrl+T and Ctrl+Shift+T save what is shown, "
        "Ctrl+L and Ctrl+Shift+L the ladder.");
    ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + size, at.y + size}, theme.panel, theme.px(3));
    draw_grid({at.x + theme.px(3), at.y + theme.px(3)}, size - theme.px(6), hovered ? theme.ink : theme.ink_faint);
    if (ImGui::BeginPopup((name + " menu").c_str())) {
        for (const bool json : {false, true}) {
            if (ImGui::MenuItem(json ? "JSON" : "CSV"))
                state.saves_table = State::TableRequest{std::string(of), json};
            viz::mark_item(state.marks, name + (json ? ":json" : ":csv"));
        }
        end_popup(state);
    }
    ImGui::SetCursorScreenPos(before);
}

} // namespace app
