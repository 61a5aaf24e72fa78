#include "app/panels/source/source.h"

#include "app/data/counters.h"
#include "app/panels/learn/lesson_column.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/text/format.h"

#include "viz/draw/rich_text.h"
#include "viz/text/known.h"
#include "viz/text/rich.h"

#include <fmt/format.h>

#include <algorithm>

namespace app {

void SourcePanel::follow(const std::shared_ptr<const recording::Recording>& recording)
{
    if (recording == recording_)
        return;
    recording_ = recording;
    explained_ = nullptr;
    lines_.follow(recording);
    source_ = recording == nullptr ? 0 : source_checksum(*recording);
}

// Takes the profile if it belongs to the shown source.
void SourcePanel::follow_run(const Snapshot& snapshot)
{
    const viz::CountedRun* const run = recording_ == nullptr ? nullptr : snapshot.ladder_facts.run_of(*recording_);
    const bool fits = run != nullptr && run->run->source == source_ && !hides_costs_;
    run_ = fits ? std::optional(*run) : std::nullopt;
    lines_.follow_run(run_ ? run_->run : nullptr);
}

viz::Rich SourcePanel::waits_at(const State& state) const
{
    const uint32_t line = chosen_line(state);
    const viz::Rich waits = run_ ? lines_.waits_at(line) : viz::Rich();
    return waits.empty() ? waits
                         : viz::rich("*What warps wait for at line {}, at {}.* {}", viz::index(line),
                                     viz::size_words(run_->problem), waits);
}

void SourcePanel::draw(const Snapshot& snapshot, Session& session, State& state, const Area& area)
{
    const viz::Theme& theme = state.theme;
    begin_area("##source", area, theme.panel, false);
    hides_costs_ = state.learning.hides();
    follow_tab(state);
    const std::size_t column = state.read_column();
    follow(snapshot.columns[column].recording);
    follow_run(snapshot);
    layout_strip_.follow(snapshot.ladder(), recording_);
    draw_heading(snapshot, state, area);
    float top = ImGui::GetCursorScreenPos().y;
    const SourceEditor::Buttons buttons =
        editor_.draw_buttons(snapshot, session, state, {area.x, top, area.width, area.bottom() - top});
    top += buttons.height;
    ImGui::SetCursorScreenPos({area.x, top});
    state.edit.focused = false;
    if (SourceEditor::edits(snapshot, state)) {
        const float versions =
            editor_.draw_versions(snapshot, session, state, {area.x, top, area.width, area.bottom() - top});
        editor_.draw(snapshot, session, state,
                     {area.x, top, area.width, std::max(area.bottom() - versions - top, 1.0f)},
                     [&](uint32_t line) { return lines_.figure_of(theme, line); });
    } else if (recording_ != nullptr) {
        const float versions = column > 0 ? 0
                                          : editor_.draw_versions(snapshot, session, state,
                                                                  {area.x, top, area.width, area.bottom() - top});
        // The names of the figures go into the row of buttons if they fit.
        const bool beside =
            buttons.height > 0 && buttons.right + theme.px(20) + lines_.names_width(state, area) <= area.right();
        draw_source(snapshot, session, state, {area.x, area.y, area.width, area.height - versions}, top, beside);
    }
    state.edit.run = false;
    ImGui::End();
}

// Draws the source with the cost of each line, and below it the description of the chosen line.
void SourcePanel::draw_source(const Snapshot& snapshot, Session& session, State& state, const Area& area, float top,
                              bool beside)
{
    const viz::Theme& theme = state.theme;
    const float strip = layout_strip_.draw(state, {area.x, top, area.width, area.bottom() - top}, area.height * 0.25f,
                                           state.read().access(state.at.selection.step));
    top += strip;
    ImGui::SetCursorScreenPos({area.x, top});
    follow_code(snapshot, session);
    // A list of instructions gets more room than a description.
    const bool listed = below_ == CodeView::machine || below_ == CodeView::ptx;
    const float words = listed ? std::max((area.bottom() - top) * 0.62f, theme.px(60))
                               : std::clamp((area.bottom() - top) * 0.5f, theme.px(60), theme.px(340));
    if (strip > 0) { // the strip above names its own file, so the kernel's file is named here
        draw_text_within(theme.text, {area.x + theme.px(10), top + theme.px(2)}, area.width - theme.px(20),
                         theme.ink_quiet, file_name());
        // The names of the figures go into the next line if they do not fit beside it.
        if (text_width(theme.text, file_name()) + lines_.names_width(state, area) + theme.px(34) > area.width)
            top += line_height(theme.text) + theme.px(2);
        ImGui::SetCursorScreenPos({area.x, top});
    }
    lines_.draw(state, {shows_code_ ? &code_ : nullptr, hides_costs_, beside && strip == 0},
                {area.x, top, area.width, std::max(area.bottom() - words - top, 1.0f)});
    const float tabs = draw_tabs(state, {area.x, area.bottom() - words, area.width, words});
    follow_code(snapshot, session); // again, so that a click has an effect in this frame
    const Area below{area.x, area.bottom() - words + tabs, area.width, words - tabs};
    below_ == CodeView::words ? draw_explanation(state, below) : draw_code(snapshot, session, state, below);
}

std::string SourcePanel::file_name() const
{
    if (recording_ == nullptr)
        return "Source";
    return recording_->source().name.substr(recording_->source().name.rfind('/') + 1);
}

void SourcePanel::draw_heading(const Snapshot& snapshot, State& state, const Area& area)
{
    const viz::Theme& theme = state.theme;
    const float y = area.y + theme.px(8), left = area.x + theme.px(10);
    const std::size_t column = state.read_column();
    const std::string own = layout_strip_.file(), file = own.empty() ? file_name() : own;
    float right = area.right() - theme.px(10);
    if (snapshot.comparing()) { // names the shown column; a click shows the source of the next one
        const std::size_t next = (column + 1) % snapshot.columns.size();
        const std::string label = fmt::format("show {}", snapshot.columns[next].slug);
        // The label may contain the long name of a library's kernel. It is limited, so that this source's name has some
        // room.
        const float width = std::min(text_width(theme.text, label), (right - left) * 0.75f);
        right -= width;
        ImGui::SetCursorScreenPos({right, y});
        if (ImGui::InvisibleButton("other", {width, line_height(theme.text)}))
            state.at.panels.source_column = next;
        viz::mark_item(state.marks, "other source");
        draw_text_within(theme.text, {right, y}, width + 1, ImGui::IsItemHovered() ? theme.ink : theme.accent(next),
                         label);
        right -= theme.px(10);
    }
    const viz::Colour colour = snapshot.comparing() ? theme.accent(column) : theme.ink_quiet;
    draw_text_within(theme.text, {left, y}, right - left, colour, file);
    viz::mark(state.marks, "source's name", {left, y},
              {std::min(right, left + text_width(theme.text, file)), y + line_height(theme.text)});
    ImGui::SetCursorScreenPos({area.x, y + theme.px(24)});
}

void SourcePanel::draw_explanation(const State& state, const Area& area)
{
    const viz::Theme& theme = state.theme;
    const WarpTrack& track = state.read();
    const recording::Access* access = track.access(state.at.selection.step);
    if (hides_costs_) {
        ImGui::SetCursorScreenPos({area.x + theme.px(10), area.y + theme.px(7)});
        viz::RichText(theme).say(hidden_until_answered).draw(area.width - theme.px(20));
        return;
    }
    if (access == nullptr && state.inspector.empty() && !run_)
        return;
    const bool other = access != explained_ || state.at.view != explained_in_;
    explained_in_ = state.at.view;
    if (access == nullptr || !state.view().needs_recording()) { // a view that needs no kernel speaks of none
        explanation_.clear();
        explained_ = nullptr;
    } else if (access != explained_) {
        explained_ = access;
        explanation_ = viz::explain(*track.recording(), *access, track.access(state.at.selection.step + 1));
    }
    ImGui::SetCursorScreenPos({area.x, area.y + 1});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {theme.px(10), theme.px(7)});
    ImGui::BeginChild("words", {area.width, area.height - 1}, false, ImGuiWindowFlags_AlwaysUseWindowPadding);
    if (other) // shows a new text from its beginning
        ImGui::SetScrollY(0);
    std::vector<viz::Rich> waits{waits_at(state)};
    std::erase(waits, viz::Rich{});
    for (const auto& part : {state.inspector, explanation_, waits})
        for (const viz::Rich& paragraph : part) {
            viz::RichText(theme).write(paragraph).explain_terms().draw(ImGui::GetContentRegionAvail().x);
            ImGui::Dummy({0, theme.px(2)});
        }
    ImGui::EndChild();
    ImGui::PopStyleVar();
}

void SourcePanel::follow_code(const Snapshot& snapshot, Session& session)
{
    shows_code_ = below_ == CodeView::machine || below_ == CodeView::ptx;
    if (!shows_code_)
        return;
    session.want(Detail::code, recording_);
    session.want(Detail::instructions, recording_);
    const ColumnDetails* shown = snapshot.of(recording_);
    code_.follow(shown == nullptr ? nullptr : shown->code, shown == nullptr ? nullptr : shown->instructions,
                 run_ ? run_->run : nullptr);
}

// Returns the selected line, otherwise the line of the current access.
uint32_t SourcePanel::chosen_line(const State& state) const
{
    if (state.at.selection.line)
        return *state.at.selection.line;
    const recording::Access* access = state.read().access(state.at.selection.step);
    return access == nullptr ? 0 : access->line;
}

// Draws the tabs of the content below the source. Returns their height.
float SourcePanel::draw_tabs(State& state, const Area& area)
{
    const viz::Theme& theme = state.theme;
    draw_rule(theme, area, area.y);
    ImGui::SetCursorScreenPos({area.x + theme.px(6), area.y + theme.px(4)});
    struct Tab {
        CodeView kind;
        const char *name, *narrow;
    };
    const bool narrow = area.width < theme.px(300);
    for (const Tab& tab : {Tab{CodeView::words, "in words", "words"}, Tab{CodeView::machine, "machine code", "SASS"},
                           Tab{CodeView::ptx, "PTX", "PTX"}, Tab{CodeView::counters, "counters", "counters"}}) {
        if (quiet_button(state, narrow ? tab.narrow : tab.name, std::string("below:") + tab.name, below_ == tab.kind))
            state.at.code = tab.kind;
        hint(state, "d: the next of these, D: the one before");
        ImGui::SameLine(0, theme.px(2));
    }
    ImGui::NewLine();
    follow_tab(state);
    return line_height(theme.text) + theme.px(14);
}

void SourcePanel::follow_tab(const State& state)
{
    below_ = hides_costs_ ? CodeView::words : state.at.code;
}

// Draws the names of the counters above the instructions, or the button that counts them. Returns the height.
float SourcePanel::draw_counting(const Snapshot& snapshot, Session& session, State& state, const Area& area)
{
    const viz::Theme& theme = state.theme;
    const float left = area.x + theme.px(10);
    if (code_.counted() || code_.sampled()) {
        const std::string words = code_.counted() ? code_.readings_words() : "";
        const float height = words.empty()
                                 ? 0
                                 : theme.px(3) + draw_wrapped(state, {left, area.y, area.width - theme.px(28), 0},
                                                              theme.ink_quiet, words);
        return height + code_.draw_column_names(state, {area.x, area.y + height, area.width, 0});
    }
    if (!snapshot.gpu())
        return 0;
    if (snapshot.counting_instructions)
        return theme.px(3) + draw_wrapped(state, {left, area.y, area.width, 0}, theme.ink_quiet,
                                          "Counting each instruction on the GPU …");
    float height = 0;
    const ColumnDetails* shown = snapshot.of(recording_);
    const InstructionsPtr counted = shown == nullptr ? nullptr : shown->instructions;
    if (counted != nullptr)
        height = theme.px(3) + draw_wrapped(state, {left, area.y, area.width - theme.px(28), 0}, theme.ink_quiet,
                                            viz::plain(viz::in_sentences(counted->missing)));
    ImGui::SetCursorScreenPos({area.x + theme.px(6), area.y + height});
    if (quiet_button(state, counted != nullptr ? "try again" : "count each instruction on this GPU",
                     "count instructions"))
        session.ask_again(Detail::instructions, recording_);
    return height + line_height(theme.text) + theme.px(10);
}

void SourcePanel::draw_code(const Snapshot& snapshot, Session& session, State& state, const Area& area)
{
    const viz::Theme& theme = state.theme;
    if (below_ == CodeView::counters) {
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
    if (below_ == CodeView::machine)
        y += draw_counting(snapshot, session, state, {area.x, y, area.width, 0});
    const bool above = ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect({area.x, area.y}, {area.right(), y});
    code_.draw(state, line, {area.x, y, area.width, std::max(area.bottom() - y, 1.0f)},
               above ? ImGui::GetIO().MouseWheel : 0.0f);
}

} // namespace app
