#include "app/panels/header/parameter_strip.h"

#include "app/panels/derive.h"
#include "app/panels/widgets.h"
#include "app/text/format.h"

#include "viz/analysis/occupancy.h"
#include "viz/text/figures.h"

#include <fmt/format.h>

#include <algorithm>

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
    if (!value.why_not.empty()) {
        ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + theme.px(330));
        text_wrapped(theme.warning, fmt::format("{} {}: {}.", strip.name, value.label, value.why_not));
        ImGui::PopTextWrapPos();
        return;
    }
    if (!value.with.empty())
        text(theme.ink, "with " + value.with);
    const std::optional<std::size_t> now = place_of(strip, strip.now);
    const auto then_facts = strip.facts(shown), now_facts = now ? strip.facts(*now) : std::nullopt;
    if (then_facts && now_facts)
        draw_changes(state, changes_of(*now_facts, *then_facts, shown == now, strip.registers));
}

} // namespace

std::optional<std::size_t> draw_parameter_strip(State& state, const ParameterStrip& strip, bool open)
{
    const viz::Theme& theme = state.theme;
    std::optional<std::size_t> chosen;
    const ImVec2 below{ImGui::GetItemRectMin().x, ImGui::GetItemRectMax().y + theme.px(3)};
    const bool over_button = ImGui::IsItemHovered();
    if (over_button) {
        state.hint = fmt::format("{}: {} · click, or turn the wheel over it", strip.name, strip.meaning);
        if (ImGui::GetIO().MouseWheel != 0)
            chosen = by_wheel(strip, ImGui::GetIO().MouseWheel);
    }
    if (open)
        ImGui::OpenPopup("choices");
    ImGui::SetNextWindowPos(below, ImGuiCond_Appearing);
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

} // namespace app
