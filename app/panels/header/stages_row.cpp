#include "app/panels/header/stages_row.h"

#include "app/panels/derive.h"
#include "app/panels/header/origins.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/text/format.h"

#include "viz/analysis/occupancy.h"
#include "viz/text/figures.h"
#include "viz/text/known.h"
#include "viz/text/templates.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace app {

namespace {

std::string blocks_text(const viz::Residency& now)
{
    return now.blocks == 0 ? "none" : fmt::format("{}, {}", now.blocks, viz::counted(now.warps, "warp"));
}

// Returns the blocks per SM, like the occupancy view. Without registers it considers only threads and shared memory,
// which needs no compiler.
std::string blocks_text(const ParameterFacts& facts, std::optional<uint32_t> registers)
{
    const viz::SmLimits limits = *viz::limits_of(90);
    const viz::KernelNeeds needs{.threads = facts.launch.threads_per_block(),
                                 .registers = registers.value_or(0),
                                 .shared_bytes = static_cast<uint32_t>(facts.shared_bytes)};
    return blocks_text(registers ? viz::residency(limits, needs) : viz::residency_without_registers(limits, needs));
}

} // namespace

std::vector<StripChange> changes_of(const ParameterFacts& now, const ParameterFacts& then, bool same,
                                    std::optional<uint32_t> registers)
{
    std::vector<StripChange> all = {
        {"blocks", extent_text(now.launch.grid), extent_text(then.launch.grid)},
        {"threads per block", extent_text(now.launch.block), extent_text(then.launch.block)},
    };
    for (const TileFacts& tile : then.tiles) {
        const auto before = std::ranges::find(now.tiles, tile.name, &TileFacts::name);
        all.push_back({tile.name, before == now.tiles.end() ? "-" : fmt::format("{} × {}", before->rows, before->cols),
                       fmt::format("{} × {}", tile.rows, tile.cols)});
    }
    all.push_back({"shared memory", viz::bytes_words(static_cast<double>(now.shared_bytes)),
                   viz::bytes_words(static_cast<double>(then.shared_bytes))});
    all.push_back({"blocks per SM, registers aside", blocks_text(now, {}), blocks_text(then, {})});
    // The registers for another value are unknown until it is compiled.
    if (registers)
        all.push_back({fmt::format("with {} per thread", viz::counted(*registers, "register")),
                       blocks_text(now, registers), same ? blocks_text(now, registers) : "not compiled yet"});
    return all;
}

std::vector<int> offered_values(const kernels::ParameterSpec& spec)
{
    std::set<int> values(spec.choices.begin(), spec.choices.end());
    const auto is_power = [&](int value) { // TYPE has names instead of numbers
        return value > 0 && (value & (value - 1)) == 0 &&
               kernels::value_text(spec.name, value) == std::to_string(value);
    };
    if (values.size() > 1 && std::ranges::all_of(values, is_power))
        for (int value = *values.begin(), most = 2 * *values.rbegin(); value <= most; value *= 2)
            values.insert(value);
    return {values.begin(), values.end()};
}

std::vector<std::string> reasons_of(const ParameterStrip& strip)
{
    std::vector<std::pair<std::string, std::string>> found; // reasons with their values
    for (const StripValue& value : strip.values)
        if (!value.why_not.empty()) {
            const auto same = std::ranges::find(found, value.why_not, &std::pair<std::string, std::string>::first);
            if (same == found.end())
                found.emplace_back(value.why_not, value.label);
            else
                same->second += ", " + value.label;
        }
    std::vector<std::string> reasons;
    for (const auto& [reason, values] : found)
        reasons.push_back(fmt::format("{} {}: {}.", strip.name, values, reason));
    return reasons;
}

namespace {

void draw_changes(const State& state, const std::vector<StripChange>& changes)
{
    const viz::Theme& theme = state.theme;
    float first = 0, second = 0;
    for (const StripChange& change : changes) {
        first = std::max(first, text_width(theme.text, change.what));
        second = std::max(second, text_width(theme.mono, change.now));
    }
    const float x = ImGui::GetCursorPosX();
    for (const StripChange& change : changes) {
        const bool same = change.now == change.then;
        text(theme.ink_quiet, change.what);
        ImGui::SameLine(x + first + theme.px(14));
        ImGui::PushFont(theme.mono);
        text(same ? theme.ink_faint : theme.accent(1), change.now);
        if (!same) {
            ImGui::SameLine(x + first + second + theme.px(28));
            text(theme.accent(), change.then);
        }
        ImGui::PopFont();
    }
}

std::optional<std::size_t> place_of(const ParameterStrip& strip, int value)
{
    for (std::size_t i = 0; i < strip.values.size(); ++i)
        if (strip.values[i].value == value)
            return i;
    return {};
}

// Returns the next possible value in the wheel's direction.
std::optional<std::size_t> by_wheel(const ParameterStrip& strip, float wheel)
{
    const auto count = static_cast<long>(strip.values.size());
    const long by = wheel > 0 ? 1 : -1;
    const std::optional<std::size_t> now = place_of(strip, strip.now);
    for (long i = now ? static_cast<long>(*now) + by : -1; now && i >= 0 && i < count; i += by)
        if (strip.values[static_cast<std::size_t>(i)].why_not.empty())
            return static_cast<std::size_t>(i);
    return {};
}

// Draws the values. Returns the one under the mouse.
std::optional<std::size_t> draw_values(State& state, const ParameterStrip& strip)
{
    const viz::Theme& theme = state.theme;
    const float height = ImGui::GetFrameHeight();
    float width = theme.px(34);
    for (const StripValue& value : strip.values)
        width = std::max(width, text_width(theme.mono, value.label) + theme.px(16));
    std::optional<std::size_t> under;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    for (std::size_t i = 0; i < strip.values.size(); ++i) {
        const StripValue& value = strip.values[i];
        if (i > 0)
            ImGui::SameLine(0, theme.px(2));
        ImGui::PushID(static_cast<int>(i));
        ImGui::InvisibleButton("value", {width, height});
        ImGui::PopID();
        viz::mark_item(state.marks, fmt::format("choice:{}", value.value));
        const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax(), mouse = ImGui::GetIO().MousePos;
        const bool over = mouse.x >= min.x && mouse.x < max.x + theme.px(2) && mouse.y >= min.y - height &&
                          mouse.y < max.y + height &&
                          (ImGui::IsMouseDown(0) || ImGui::IsMouseReleased(0) || (mouse.y >= min.y && mouse.y < max.y));
        if (over)
            under = i;
        const bool can = value.why_not.empty(), now = value.value == strip.now;
        list.AddRectFilled(min, max,
                           now ? theme.accent()
                               : with_alpha(theme.ink, over  ? 0.2f
                                                       : can ? 0.09f
                                                             : 0.03f),
                           theme.px(3));
        const ImVec2 at{(min.x + max.x - text_width(theme.mono, value.label)) / 2,
                        (min.y + max.y - line_height(theme.mono)) / 2};
        draw_text(theme.mono, at, now ? theme.background : can ? theme.ink : theme.ink_faint, value.label);
        if (can && !value.with.empty()) // choosing it changes other parameters too
            list.AddCircleFilled({max.x - theme.px(5), min.y + theme.px(5)}, theme.px(2), theme.ink_quiet);
    }
    return under;
}

void draw_words(State& state, const ParameterStrip& strip, std::optional<std::size_t> under)
{
    const viz::Theme& theme = state.theme;
    const std::size_t shown = under.value_or(place_of(strip, strip.now).value_or(0));
    const StripValue& value = strip.values[shown];
    ImGui::Dummy({theme.px(330), theme.px(2)});
    if (!value.why_not.empty())
        return text_wrapped(theme.warning, fmt::format("{} {}: {}.", strip.name, value.label, value.why_not));
    if (!value.with.empty())
        text(theme.ink, "with " + value.with);
    const std::optional<std::size_t> now = place_of(strip, strip.now);
    const auto then_facts = strip.facts(shown), now_facts = now ? strip.facts(*now) : std::nullopt;
    if (then_facts && now_facts)
        draw_changes(state, changes_of(*now_facts, *then_facts, shown == now, strip.registers));
    for (const std::string& reason : reasons_of(strip))
        text_wrapped(theme.ink_quiet, reason);
}

} // namespace

std::optional<std::size_t> draw_parameter_strip(State& state, const ParameterStrip& strip, bool open)
{
    const viz::Theme& theme = state.theme;
    std::optional<std::size_t> chosen;
    const ImVec2 below{std::min(ImGui::GetItemRectMin().x, ImGui::GetIO().DisplaySize.x - theme.px(370)),
                       ImGui::GetItemRectMax().y + theme.px(3)};
    const bool over_button = ImGui::IsItemHovered();
    if (over_button) {
        state.hint = fmt::format("{}: {} · click, or turn the wheel over it", strip.name, strip.meaning);
        if (ImGui::GetIO().MouseWheel != 0)
            chosen = by_wheel(strip, ImGui::GetIO().MouseWheel);
    }
    if (open)
        ImGui::OpenPopup("choices");
    ImGui::SetNextWindowPos(below,
                            ImGuiCond_Always); // else ImGui moves the list over the button once its size is known
    if (!ImGui::BeginPopup("choices"))
        return chosen;
    text(theme.ink_quiet, fmt::format("{}: {}", strip.name, strip.meaning));
    const bool pulled = ImGui::IsMouseReleased(0);
    const std::optional<std::size_t> under = draw_values(state, strip);
    draw_words(state, strip, under);
    if (pulled && under && !ImGui::IsWindowAppearing() && strip.values[*under].why_not.empty())
        chosen = under;
    if (state.escaped || chosen)
        ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
    return chosen;
}

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

constexpr const char* reset_label = "reset";

// Returns whether the user has chosen other parameters than those that the stage comes with.
bool is_changed(const Snapshot& snapshot, const StageInRow& shown)
{
    return shown.in_ladder && !shown.from_file && !snapshot.is_tiny(*shown.in_ladder) &&
           shown.values != snapshot.standard[*shown.in_ladder];
}

// Returns "BK 8", or "BK 16*" if the value was changed.
std::string parameter_label(const Snapshot& snapshot, const StageInRow& shown, std::size_t index)
{
    const bool changed =
        is_changed(snapshot, shown) && shown.values[index] != snapshot.standard[*shown.in_ladder][index];
    return parameter_text(snapshot.ladder()[*shown.in_ladder].parameters[index].name, shown.values[index]) +
           (changed ? "*" : "");
}

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
    for (const int choice : offered_values(spec)) {
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

// Draws a button that brings back the stage's own parameters, if the user has chosen others.
void draw_reset(const Snapshot& snapshot, State& state, const StageInRow& shown)
{
    if (!is_changed(snapshot, shown))
        return;
    ImGui::SameLine(0, state.theme.px(5));
    if (button(state, reset_label, fmt::format("parameters:reset {}", shown.stage.number)))
        change_parameters(snapshot, state, shown.stage.number, snapshot.standard[*shown.in_ladder]);
    hint(state, "Values with a star were changed. Back to those that the stage comes with, and is timed with");
}

// Draws the parameters after the last item or in a row of their own.
void draw_parameters(const Snapshot& snapshot, Session& session, State& state, const StageInRow& shown, bool in_row)
{
    const viz::Theme& theme = state.theme;
    const kernels::Stage& stage = snapshot.ladder()[*shown.in_ladder];
    std::optional<kernels::ParameterValues> next;
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {theme.px(5), theme.px(1)});
    for (std::size_t i = 0; i < stage.parameters.size(); ++i) {
        const std::string label = parameter_label(snapshot, shown, i);
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
    if (in_row) // otherwise the reset button is beside the button that unfolds the parameters
        draw_reset(snapshot, state, shown);
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

// Returns the labels of the buttons that draw_changeable() draws.
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
        labels.push_back(parameter_label(snapshot, shown, i));
    if (is_changed(snapshot, shown))
        labels.emplace_back(reset_label);
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
    if (button(state, is_changed(snapshot, shown) ? "parameters* …" : "parameters …", "parameters"))
        ImGui::OpenPopup("parameters");
    const ImVec2 below{ImGui::GetItemRectMin().x, ImGui::GetItemRectMax().y + state.theme.px(3)};
    draw_reset(snapshot, state, shown);
    ImGui::PopStyleVar();
    ImGui::SetNextWindowPos(below, ImGuiCond_Appearing);
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
    for (const StageInRow& shown : stages_shown(snapshot)) {
        const float reset = is_changed(snapshot, shown) ? ImGui::CalcTextSize(reset_label).x + theme.px(25) : 0;
        width += theme.px(gap_between_stages) + (folded ? ImGui::CalcTextSize("parameters …").x + theme.px(25) + reset
                                                        : width_of(snapshot, theme, shown));
    }
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
