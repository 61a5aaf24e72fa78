// What stands below the source, besides the current access in words.
#include "app/panels/source/counters.h"
#include "app/panels/source/source.h"
#include "app/panels/widgets.h"

#include <algorithm>
#include <utility>

namespace app {

void SourcePanel::follow_code(const Snapshot& snapshot, Session& session, State& state)
{
    shows_code_ = state.code == CodeView::machine || state.code == CodeView::ptx;
    if (!shows_code_)
        return;
    session.want(Detail::code, recording_);
    session.want(Detail::instructions, recording_);
    const Shown* shown = snapshot.of(recording_);
    code_.follow(shown == nullptr ? nullptr : shown->code, shown == nullptr ? nullptr : shown->instructions);
}

// The line marked by hand, else the current access's.
uint32_t SourcePanel::chosen_line(const State& state) const
{
    if (state.selection.line)
        return *state.selection.line;
    const recording::Access* access = state.read().access(state.selection.step);
    return access == nullptr ? 0 : access->line;
}

// What stands below the source; returns their height.
float SourcePanel::draw_tabs(State& state, const Area& area) const
{
    const viz::Theme& theme = state.theme;
    ImGui::GetWindowDrawList()->AddLine({area.x, area.y}, {area.right(), area.y}, theme.border);
    ImGui::SetCursorScreenPos({area.x + theme.px(6), area.y + theme.px(4)});
    const std::pair<CodeView, const char*> tabs[] = {{CodeView::off, "in words"},
                                                     {CodeView::machine, "machine code"},
                                                     {CodeView::ptx, "PTX"},
                                                     {CodeView::counters, "counters"}};
    for (const auto& [kind, label] : tabs) {
        if (quiet_button(theme, label, state.code == kind))
            state.code = kind;
        viz::mark_item(state.marks, std::string("below:") + label);
        if (ImGui::IsItemHovered())
            state.hint = "d: the next of these, D: the one before";
        ImGui::SameLine(0, theme.px(2));
    }
    ImGui::NewLine();
    return line_height(theme.text) + theme.px(14);
}

// Above the instructions: their counters' names, or how to have them; returns its height.
float SourcePanel::draw_counting(const Snapshot& snapshot, Session& session, State& state, const Area& area)
{
    const viz::Theme& theme = state.theme;
    const float left = area.x + theme.px(10);
    if (code_.counted()) {
        const std::string words = code_.readings_words();
        const float height = words.empty()
                                 ? 0
                                 : theme.px(3) + draw_wrapped(state, {left, area.y, area.width - theme.px(28), 0},
                                                              theme.ink_quiet, words);
        return height + code_.draw_column_names(state, {area.x, area.y + height, area.width, 0});
    }
    const MachineFacts* machine = snapshot.machine();
    if (machine == nullptr || !machine->gpu())
        return 0;
    if (snapshot.counting_instructions)
        return theme.px(3) + draw_wrapped(state, {left, area.y, area.width, 0}, theme.ink_quiet,
                                          "Counting each instruction on the GPU ...");
    float height = 0;
    const Shown* shown = snapshot.of(recording_);
    const InstructionsPtr counted = shown == nullptr ? nullptr : shown->instructions;
    if (counted != nullptr)
        height = theme.px(3) +
                 draw_wrapped(state, {left, area.y, area.width - theme.px(28), 0}, theme.ink_quiet, counted->missing);
    ImGui::SetCursorScreenPos({area.x + theme.px(6), area.y + height});
    if (quiet_button(theme, counted != nullptr ? "try again" : "count each instruction on this GPU"))
        session.ask_again(Detail::instructions, recording_);
    viz::mark_item(state.marks, "count instructions");
    return height + line_height(theme.text) + theme.px(10);
}

void SourcePanel::draw_code(const Snapshot& snapshot, Session& session, State& state, const Area& area)
{
    const viz::Theme& theme = state.theme;
    if (state.code == CodeView::counters) {
        draw_counters(snapshot, session, state, recording_, {area.x, area.y + 1, area.width, area.height - 1});
        return;
    }
    const uint32_t line = chosen_line(state);
    const std::string sentence = code_.sentence(line);
    float y = area.y + theme.px(6);
    if (!sentence.empty())
        y += theme.px(6) + draw_wrapped(state, {area.x + theme.px(10), y, area.width - theme.px(28), 0},
                                        code_.beside(line).differs || code_.differs_from_counters(line)
                                            ? theme.warning
                                            : theme.ink_quiet,
                                        sentence);
    if (state.code == CodeView::machine)
        y += draw_counting(snapshot, session, state, {area.x, y, area.width, 0});
    code_.draw(state, line, {area.x, y, area.width, std::max(area.bottom() - y, 1.0f)});
}

} // namespace app
