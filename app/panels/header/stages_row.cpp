#include "app/panels/panels.h"

#include "app/panels/derive.h"
#include "app/panels/header/origins.h"
#include "app/panels/header/parameter_strip.h"
#include "app/panels/widgets.h"
#include "app/text/format.h"

#include "viz/analysis/occupancy.h"
#include "viz/text/known.h"
#include "viz/text/templates.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace app {

namespace {

std::string parameter_text(const std::string& name, int value)
{
    return fmt::format("{} {}", name, kernels::value_text(name, value));
}

// A stage whose parameters are shown.
struct StageInRow {
    const viz::StageColumn& stage;
    std::optional<std::size_t> in_ladder;
    const kernels::ParameterValues& values; // of the stage in the ladder
    bool from_file = false;
};

// Returns the strip of the values of one parameter.
ParameterStrip strip_of(const Snapshot& snapshot, const StageInRow& shown, std::size_t index,
                        std::vector<kernels::ParameterValues>& sets)
{
    const kernels::Stage& stage = snapshot.ladder()[*shown.in_ladder];
    const kernels::ParameterSpec& spec = stage.parameters[index];
    ParameterStrip strip{
        .name = spec.name, .meaning = spec.meaning, .now = shown.values[index], .values = {}, .facts = {}};
    if (shown.stage.recording != nullptr)
        strip.registers = viz::registers_per_thread(*shown.stage.recording, &snapshot.ladder_facts);
    for (const int choice : spec.choices) {
        const kernels::ParameterValues& next =
            sets.emplace_back(with_value(stage, shown.values, index, choice, snapshot.gpu()));
        StripValue& value = strip.values.emplace_back(
            StripValue{choice, kernels::value_text(spec.name, choice), refusal(stage, next, snapshot.gpu()), {}});
        value.with = changed_text(stage, next, shown.values, index);
    }
    strip.facts = [&snapshot, &stage, &sets, place = *shown.in_ladder](std::size_t i) -> std::optional<ParameterFacts> {
        if (!stage.refusal(sets[i]).empty())
            return {};
        return parameter_facts(stage, sets[i], snapshot.recorded_problem(place));
    };
    return strip;
}

// Returns the label of the search button: search here, or show the shipped search.
const char* search_label(const Snapshot& snapshot, std::size_t stage)
{
    if (snapshot.gpu() && !snapshot.ladder()[stage].candidates.empty())
        return "find the fastest";
    return snapshot.catalogue->searches.find(snapshot.ladder()[stage].slug) != nullptr ? "all candidates" : nullptr;
}

void draw_search_button(const Snapshot& snapshot, Session& session, State& state, std::size_t stage_index)
{
    const char* label = search_label(snapshot, stage_index);
    if (label == nullptr) {
        const bool searched = snapshot.machine() != nullptr && !snapshot.ladder()[stage_index].candidates.empty();
        if (searched && !snapshot.catalogue->searches.missing.empty()) {
            ImGui::SameLine(0, state.theme.px(5));
            text(state.theme.ink_faint, "no search");
            viz::mark_item(state.marks, "no shipped search");
            hint(state, viz::plain(viz::in_sentences(snapshot.catalogue->searches.missing)));
        }
        return;
    }
    ImGui::SameLine(0, state.theme.px(5));
    const bool here = snapshot.gpu();
    if (button(state, label, "search"))
        here ? session.search_parameters(stage_index) : session.show_shipped_search(stage_index);
    hint(state, here ? "Times all candidates on this GPU at the timed size. Remembers the fastest right one · S"
                     : "All parameter sets that were timed on another GPU, with their speeds · S");
}

// Draws the parameters after the last item or in a row of their own.
void draw_parameters(const Snapshot& snapshot, Session& session, State& state, const StageInRow& shown, bool in_row)
{
    const viz::Theme& theme = state.theme;
    const kernels::Stage& stage = snapshot.ladder()[*shown.in_ladder];
    std::optional<kernels::ParameterValues> next;
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {theme.px(5), theme.px(1)});
    for (std::size_t i = 0; i < stage.parameters.size(); ++i) {
        const std::string label = parameter_text(stage.parameters[i].name, shown.values[i]);
        if (in_row || i > 0)
            ImGui::SameLine(0, theme.px(5));
        ImGui::PushID(static_cast<int>(i));
        const bool open = button(state, label, fmt::format("parameter:{}", stage.parameters[i].name));
        std::vector<kernels::ParameterValues> sets;
        if (const auto chosen = draw_parameter_strip(state, strip_of(snapshot, shown, i, sets), open)) {
            next = sets[*chosen]; // a notice names the parameters that change along with this one
            if (const std::string also = also_changed(stage, *next, shown.values, i); !also.empty())
                state.notice = also;
        }
        ImGui::PopID();
    }
    if (!snapshot.is_tiny(*shown.in_ladder))
        draw_search_button(snapshot, session, state, *shown.in_ladder);
    ImGui::PopStyleVar();
    if (next)
        change_parameters(snapshot, state, shown.stage.number, *next);
}

std::string recorded_parameters(const recording::Recording& recording)
{
    std::string text;
    for (const recording::Parameter& parameter : recording.parameters)
        text += (text.empty() ? "" : " · ") + parameter_text(parameter.name, parameter.value);
    return text;
}

std::string file_words(const Snapshot& snapshot, const StageInRow& shown)
{
    const auto& own = shown.stage.number == 0 ? snapshot.choice.columns[0].file : snapshot.choice.columns[1].file;
    const RunPtr& run = snapshot.details[shown.stage.number].run;
    std::string words = "from the file " + (own ? own->filename().string() : std::string());
    if (run != nullptr && !run->check)
        words += ", result not checked";
    if (shown.stage.recording != nullptr && !shown.stage.recording->parameters.empty())
        words += ", " + recorded_parameters(*shown.stage.recording);
    return words;
}

// Draws the parameters of a user's stage. Impossible values have a reason.
void draw_file_parameters(const Snapshot& snapshot, State& state)
{
    const viz::Theme& theme = state.theme;
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {theme.px(5), theme.px(1)});
    for (const FileParameter& parameter : snapshot.details[0].run->parameters) {
        ImGui::PushID(parameter.name.c_str());
        const bool open = button(state, parameter_text(parameter.name, parameter.value), "parameter:" + parameter.name);
        ParameterStrip strip{
            .name = parameter.name, .meaning = parameter.meaning, .now = parameter.value, .values = {}, .facts = {}};
        for (const FileChoice& choice : parameter.choices)
            strip.values.push_back(
                {choice.value, kernels::value_text(parameter.name, choice.value), choice.why_not, {}});
        strip.facts = [&](std::size_t i) { return parameter.choices[i].facts; };
        if (const auto& recording = snapshot.columns[0].recording; recording != nullptr)
            strip.registers = viz::registers_per_thread(*recording, &snapshot.ladder_facts);
        if (const auto chosen = draw_parameter_strip(state, strip, open))
            state.change(
                [&](Choice& choice) { choice.set_file_parameter(parameter.name, parameter.choices[*chosen].value); });
        ImGui::PopID();
        ImGui::SameLine(0, theme.px(5));
    }
    ImGui::NewLine();
    ImGui::PopStyleVar();
}

bool has_file_parameters(const Snapshot& snapshot, const StageInRow& shown)
{
    const RunPtr& run = snapshot.details[0].run;
    return shown.from_file && shown.stage.number == 0 && run != nullptr && !run->parameters.empty();
}

constexpr const char* launch_label = "launch …";

bool has_launch_button(const Snapshot& snapshot, const StageInRow& shown)
{
    return shown.stage.number == 0 && snapshot.alone.can_change;
}

// What `draw_changeable` writes on its buttons.
std::vector<std::string> labels_of(const Snapshot& snapshot, const StageInRow& shown)
{
    std::vector<std::string> labels;
    if (has_file_parameters(snapshot, shown)) {
        for (const FileParameter& parameter : snapshot.details[0].run->parameters)
            labels.push_back(parameter_text(parameter.name, parameter.value));
        return labels;
    }
    if (!shown.in_ladder)
        return labels;
    for (std::size_t i = 0; i < shown.values.size(); ++i)
        labels.push_back(parameter_text(snapshot.ladder()[*shown.in_ladder].parameters[i].name, shown.values[i]));
    if (const char* label = search_label(snapshot, *shown.in_ladder);
        label != nullptr && !snapshot.is_tiny(*shown.in_ladder))
        labels.emplace_back(label);
    return labels;
}

// Draws the parameters, or a description of a file without parameters.
void draw_changeable(const Snapshot& snapshot, Session& session, State& state, const StageInRow& shown, bool in_row)
{
    if (has_file_parameters(snapshot, shown)) {
        draw_file_parameters(snapshot, state);
    } else if (shown.from_file) {
        text(state.theme.ink_quiet, file_words(snapshot, shown));
        hint(state, "The result of a matrix product is compared with float64 where the file's comment says check=gemm");
        if (has_launch_button(snapshot, shown)) {
            ImGui::SameLine(0, state.theme.px(5));
            if (quiet_button(state, launch_label, "launch:form", state.launch_fields.has_value()) &&
                !std::exchange(state.launch_fields, std::nullopt))
                state.launch_fields.emplace();
            hint(state, "How its kernel is launched: grid, block, what the parameters get · F8");
        }
    } else if (shown.in_ladder) {
        draw_parameters(snapshot, session, state, shown, in_row);
    }
}

// Returns the unfolded width of `draw_stage`.
float width_of(const Snapshot& snapshot, const viz::Theme& theme, const StageInRow& shown)
{
    if (shown.from_file && !has_file_parameters(snapshot, shown))
        return theme.px(17) + text_width(theme.text, file_words(snapshot, shown)) +
               (has_launch_button(snapshot, shown) ? text_width(theme.text, launch_label) + theme.px(20) : 0);
    float width = theme.px(10);
    for (const std::string& label : labels_of(snapshot, shown))
        width += ImGui::CalcTextSize(label.c_str()).x + theme.px(17);
    return width;
}

// Draws the parameters behind a button, for a row without enough room.
void draw_folded(const Snapshot& snapshot, Session& session, State& state, const StageInRow& shown)
{
    ImGui::SameLine(0, state.theme.px(5));
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {state.theme.px(5), state.theme.px(1)});
    if (button(state, "parameters …", "parameters"))
        ImGui::OpenPopup("parameters");
    ImGui::PopStyleVar();
    if (!ImGui::BeginPopup("parameters"))
        return;
    draw_changeable(snapshot, session, state, shown, false);
    end_popup(state);
}

void draw_stage(const Snapshot& snapshot, Session& session, State& state, const StageInRow& shown, bool folded)
{
    const viz::StageColumn& stage = shown.stage;
    const viz::Theme& theme = state.theme;
    ImGui::PushID(
        // The id is a number instead of an address, because the snapshot may change while the list is open.
        static_cast<int>(shown.stage.number));
    const float size = theme.px(10);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::GetWindowDrawList()->AddRectFilled({at.x, at.y + theme.px(4)}, {at.x + size, at.y + theme.px(4) + size},
                                              theme.accent(stage.number));
    ImGui::Dummy({size, ImGui::GetTextLineHeight()});
    hint(state, stage.slug + ": " + stage.idea);
    if (folded) {
        draw_folded(snapshot, session, state, shown);
    } else {
        if (shown.from_file)
            ImGui::SameLine(0, theme.px(7));
        draw_changeable(snapshot, session, state, shown, true);
    }
    ImGui::PopID();
}

constexpr float gap_between_stages = 22;

std::vector<StageInRow> stages_shown(const Snapshot& snapshot)
{
    std::vector<StageInRow> all;
    for (std::size_t i = 0; i < snapshot.columns.size(); ++i) {
        const ColumnDetails& one = snapshot.details[i];
        const bool of_file = (i == 0 && snapshot.choice.columns[0].file) || (i == 1 && snapshot.choice.columns[1].file);
        all.push_back({snapshot.columns[i], one.in_ladder, one.parameters, of_file});
    }
    return all;
}

float right_part(const Snapshot& snapshot, const State& state)
{
    return shipped_width(snapshot, state) + origins_width(snapshot, state) + state.theme.px(10);
}

} // namespace

float stages_row_width(const Snapshot& snapshot, const State& state, bool folded)
{
    const viz::Theme& theme = state.theme;
    float width = right_part(snapshot, state);
    for (const StageInRow& shown : stages_shown(snapshot))
        width += theme.px(gap_between_stages) +
                 (folded ? ImGui::CalcTextSize("parameters …").x + theme.px(25) : width_of(snapshot, theme, shown));
    return width;
}

void draw_stages_row(const Snapshot& snapshot, Session& session, State& state, float room)
{
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const std::vector<StageInRow> all = stages_shown(snapshot);
    const bool folded = stages_row_width(snapshot, state, false) > room;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (i > 0)
            ImGui::SameLine(0, state.theme.px(gap_between_stages));
        draw_stage(snapshot, session, state, all[i], folded);
    }
    ImGui::SameLine();
    ImGui::SetCursorScreenPos({std::max(ImGui::GetCursorScreenPos().x, corner.x + room - right_part(snapshot, state)),
                               ImGui::GetCursorScreenPos().y});
    draw_shipped(snapshot, session, state);
    draw_origins(snapshot, state);
}

} // namespace app
