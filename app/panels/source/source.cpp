#include "app/panels/source/source.h"

#include "app/panels/header/badge.h"
#include "app/panels/source/counters.h"
#include "app/panels/source/highlighted_line.h"
#include "app/panels/widgets.h"
#include "app/text/format.h"

#include "viz/draw/prose.h"
#include "viz/text/known.h"
#include "viz/text/templates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace app {

namespace {

// What the numbers mean; the columns are headed with these.
constexpr const char* shared_heading = "wavefronts · conflicts";
constexpr const char* global_heading = "requests · sectors";

// Of both figures, or of the second one.
std::string heading_of(std::string_view both, bool narrow)
{
    constexpr std::string_view dot = " · ";
    return std::string(narrow ? both.substr(both.find(dot) + dot.size()) : both);
}

} // namespace

void SourcePanel::follow(const std::shared_ptr<const recording::Recording>& recording)
{
    if (recording == recording_)
        return;
    recording_ = recording;
    lines_.clear();
    costs_.clear();
    longest_ = widest_left_ = widest_right_ = 0;
    any_shared_ = any_global_ = false;
    shown_line_ = 0;
    explained_ = nullptr;
    if (recording == nullptr)
        return;
    lines_ = highlight(recording->source().text);
    costs_.resize(lines_.size() + 1);
    for (const SourceLine& line : lines_)
        longest_ = std::max(longest_, line.text.size());
    for (const recording::LineTotals& line : recording->lines) {
        if (line.line >= costs_.size())
            continue;
        const recording::Totals& totals = line.totals;
        Cost& cost = costs_[line.line];
        const uint64_t conflicts = totals.shared_load.conflicts + totals.shared_store.conflicts;
        if (totals.shared_load.instructions + totals.shared_store.instructions > 0)
            cost.shared = {thousands(totals.shared_load.wavefronts + totals.shared_store.wavefronts),
                           thousands(conflicts)};
        if (totals.global_load.requests + totals.global_store.requests > 0)
            cost.global = {thousands(totals.global_load.requests + totals.global_store.requests),
                           thousands(totals.global_load.sectors + totals.global_store.sectors)};
        cost.conflicts = conflicts > 0;
        any_shared_ |= !cost.shared.empty();
        any_global_ |= !cost.global.empty();
        widest_left_ = std::max({widest_left_, cost.shared.left.size(), cost.global.left.size()});
        widest_right_ = std::max({widest_right_, cost.shared.right.size(), cost.global.right.size()});
    }
}

void SourcePanel::draw(const Snapshot& snapshot, Session& session, State& state, const Area& area)
{
    const viz::Theme& theme = state.theme;
    begin_place("##source", area, theme.panel, false);
    hides_costs_ = state.learning.hides();
    const bool second =
        state.source_of_second && snapshot.second() != nullptr && snapshot.second()->recording != nullptr;
    follow(second ? snapshot.second()->recording : snapshot.first().recording);
    layout_strip_.follow(snapshot.ladder(), recording_);
    draw_heading(snapshot, state, area);
    float top = ImGui::GetCursorScreenPos().y;
    top += editor_.draw_buttons(snapshot, session, state, {area.x, top, area.width, area.bottom() - top});
    ImGui::SetCursorScreenPos({area.x, top});
    state.edit.focused = false;
    if (SourceEditor::edits(snapshot, state)) {
        const float versions =
            editor_.draw_versions(snapshot, session, state, {area.x, top, area.width, area.bottom() - top});
        editor_.draw(snapshot, session, state,
                     {area.x, top, area.width, std::max(area.bottom() - versions - top, 1.0f)},
                     [&](uint32_t line) { return figure_of(theme, line); });
    } else if (recording_ != nullptr) {
        const float versions =
            second ? 0
                   : editor_.draw_versions(snapshot, session, state, {area.x, top, area.width, area.bottom() - top});
        draw_source(snapshot, session, state, {area.x, area.y, area.width, area.height - versions}, top);
    }
    state.edit.run = false;
    ImGui::End();
}

// Of a line, where there is one: its conflicts, else its sectors.
LineFigure SourcePanel::figure_of(const viz::Theme& theme, uint32_t line) const
{
    if (line >= costs_.size())
        return {};
    const Cost& cost = costs_[line];
    if (!cost.shared.empty())
        return {cost.shared.text(), cost.conflicts ? theme.warning : theme.ink_quiet};
    return {cost.global.empty() ? "" : cost.global.right, theme.ink_faint};
}

// What the source did, line by line, and below it the chosen line at length.
void SourcePanel::draw_source(const Snapshot& snapshot, Session& session, State& state, const Area& area, float top)
{
    const viz::Theme& theme = state.theme;
    {
        const float strip = layout_strip_.draw(state, {area.x, top, area.width, area.bottom() - top},
                                               area.height * 0.25f, state.read().access(state.selection.step));
        top += strip;
        ImGui::SetCursorScreenPos({area.x, top});
        follow_code(snapshot, session, state);
        const float most = state.code == CodeView::off ? theme.px(245) : theme.px(440);
        const float words =
            std::clamp((area.bottom() - top) * (state.code == CodeView::off ? 0.46f : 0.55f), theme.px(60), most);
        if (strip > 0) // that stands above has its file's name there; the kernel's own is another
            draw_text(theme.text, {area.x + theme.px(10), top + theme.px(2)}, theme.ink_quiet, file_name());
        draw_lines(state, snapshot.second() == nullptr && strip == 0,
                   {area.x, top, area.width, std::max(area.bottom() - words - top, 1.0f)});
        const float tabs = draw_tabs(state, {area.x, area.bottom() - words, area.width, words});
        follow_code(snapshot, session, state); // what a click has chosen is asked for at once
        const Area below{area.x, area.bottom() - words + tabs, area.width, words - tabs};
        state.code == CodeView::off ? draw_explanation(state, below) : draw_code(snapshot, session, state, below);
    }
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
    const bool second = state.source_of_second && snapshot.second() != nullptr;
    const std::string own = layout_strip_.file(), file = own.empty() ? file_name() : own;
    float right = area.right() - theme.px(10);
    if (snapshot.second() != nullptr) { // whose source: a click shows the other's
        const std::string_view other = second ? snapshot.first().slug : snapshot.second()->slug;
        const std::string label = fmt::format("show {}", other);
        right -= text_width(theme.text, label);
        ImGui::SetCursorScreenPos({right, y});
        if (ImGui::InvisibleButton("other", {text_width(theme.text, label), line_height(theme.text)}))
            state.source_of_second = !second;
        draw_text(theme.text, {right, y},
                  ImGui::IsItemHovered() ? theme.ink
                  : second               ? theme.first
                                         : theme.second,
                  label);
        right -= theme.px(10);
    }
    const viz::Colour colour = snapshot.second() == nullptr ? theme.ink_quiet : second ? theme.second : theme.first;
    draw_text_within(theme.text, {left, y}, right - left, colour, file);
    ImGui::SetCursorScreenPos({area.x, y + theme.px(24)});
}

// Two columns of figures where there is room for them beside the code, else one with what the line has.
void SourcePanel::draw_lines(State& state, bool beside_name, const Area& area)
{
    const viz::Theme& theme = state.theme;
    View view{theme, state.read()};
    view.column = text_width(theme.mono, "0");
    view.row_height = line_height(theme.mono) + theme.px(2);
    view.number_width = view.column * static_cast<float>(std::to_string(lines_.size()).size()) + theme.px(20);
    view.cost_width = view.column * static_cast<float>(widest_left_ + widest_right_ + 3) + theme.px(8);
    view.narrow = view.number_width + 26 * view.column + view.cost_width > area.width;
    if (view.narrow)
        view.cost_width = view.column * static_cast<float>(widest_right_ + 1) + theme.px(4);
    const float headings = std::max(badge_width(theme, heading_of(shared_heading, view.narrow)),
                                    badge_width(theme, heading_of(global_heading, view.narrow)));
    const float column = std::max(view.cost_width, headings + theme.px(16));
    view.two_columns = any_shared_ && any_global_ && view.number_width + 50 * view.column + 2 * column < area.width;
    if (view.two_columns)
        view.cost_width = column;
    if (const recording::Access* access = view.track.access(state.selection.step))
        view.current = access->line;
    const float buttons = text_width(theme.text, "edit open in editor") + theme.px(40); // in the row above
    view.beside_name =
        beside_name &&
        std::max(text_width(theme.text, file_name()), buttons) + headings + theme.px(10 + 18 + 16) <= area.width;
    view.outdent = body_indentation(lines_, view.current);
    draw_column_names(state, view, area);

    const float top = ImGui::GetCursorScreenPos().y;
    const float content = view.number_width + static_cast<float>(longest_ + 1) * view.column +
                          view.cost_width * (view.two_columns ? 2.0f : 1.0f);
    ImGui::SetNextWindowContentSize({content, static_cast<float>(lines_.size()) * view.row_height});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    ImGui::BeginChild("lines", {area.width, std::max(area.bottom() - top, 1.0f)}, false,
                      ImGuiWindowFlags_HorizontalScrollbar);
    if (view.current != shown_line_ && view.current > 0) {
        const float y = static_cast<float>(view.current - 1) * view.row_height;
        const float visible = ImGui::GetWindowHeight() - 2 * view.row_height;
        if (shown_line_ == 0 || y < ImGui::GetScrollY() || y > ImGui::GetScrollY() + visible)
            ImGui::SetScrollY(std::max(y - visible * 0.5f, 0.0f));
        shown_line_ = view.current;
    }
    const auto first = static_cast<std::size_t>(std::max(ImGui::GetScrollY() / view.row_height, 0.0f));
    const auto count = static_cast<std::size_t>(ImGui::GetWindowHeight() / view.row_height) + 2;
    for (std::size_t i = first; i < std::min(first + count, lines_.size()); ++i)
        draw_line(state, view, i);
    ImGui::EndChild();
    ImGui::PopStyleVar();
}

void SourcePanel::draw_column_names(State& state, const View& view, const Area& area) const
{
    const viz::Theme& theme = view.theme;
    const float right = area.right() - theme.px(18);
    if (shows_code_) {
        const float y = ImGui::GetCursorScreenPos().y;
        draw_text_right(theme.text, {right, y}, theme.ink_quiet, "in the machine code");
        ImGui::SetCursorScreenPos({area.x, std::max(y + line_height(theme.text) + theme.px(4), area.y)});
        return;
    }
    // Beside the file's name where that has the row to itself.
    float y = ImGui::GetCursorScreenPos().y - (view.beside_name ? theme.px(24) : 0);
    if (any_shared_)
        badge_right(state, Origin::derived, {right, y}, heading_of(shared_heading, view.narrow), "");
    if (any_global_) {
        if (!view.two_columns && any_shared_)
            y += line_height(theme.text);
        badge_right(state, Origin::derived, {view.two_columns ? right - view.cost_width : right, y},
                    heading_of(global_heading, view.narrow), "");
    }
    ImGui::SetCursorScreenPos({area.x, std::max(y + line_height(theme.text) + theme.px(4), area.y)});
}

void SourcePanel::draw_line(State& state, const View& view, std::size_t index)
{
    const viz::Theme& theme = view.theme;
    const auto number = static_cast<uint32_t>(index + 1);
    const ImVec2 window = ImGui::GetWindowPos();
    const float width = ImGui::GetWindowWidth();
    const ImVec2 row{window.x, window.y + static_cast<float>(index) * view.row_height - ImGui::GetScrollY()};
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const bool hovered =
        ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(row, {row.x + width, row.y + view.row_height});
    if (number == view.current)
        list.AddRectFilled(row, {row.x + width, row.y + view.row_height},
                           faded(&view.track == &state.second ? theme.second : theme.first, 0.28f));
    else if (hovered)
        list.AddRectFilled(row, {row.x + width, row.y + view.row_height}, faded(theme.ink, 0.06f));
    if (state.selection.line == number)
        list.AddRectFilled(row, {row.x + theme.px(3), row.y + view.row_height}, theme.ink);

    const SourceLine& line = lines_[index];
    const float code_x = row.x + view.number_width - ImGui::GetScrollX() -
                         static_cast<float>(std::min(view.outdent, indentation(line))) * view.column;
    const float right = std::max(row.x + code_right(view, index), row.x + view.number_width);
    list.PushClipRect({row.x + view.number_width, row.y}, {right, row.y + view.row_height}, true);
    draw_highlighted(theme, line, {code_x, row.y});
    list.PopClipRect();
    draw_text_right(theme.mono, {row.x + view.number_width - theme.px(10), row.y},
                    number == view.current ? theme.ink : theme.ink_faint, std::to_string(number));
    draw_costs(view, index, row);
    if (!hovered)
        return;
    if (ImGui::IsMouseClicked(0))
        click(state, number);
    state.hint = line_help(index);
    if (code_x + static_cast<float>(line.text.size()) * view.column > right)
        whole_line_tooltip(theme, line);
}

// Code may use the width that this line's figures leave.
float SourcePanel::code_right(const View& view, std::size_t index) const
{
    const Cost& cost = costs_[index + 1];
    float right = ImGui::GetWindowWidth() - view.theme.px(18);
    if (shows_code_) {
        const std::string& beside = code_.beside(static_cast<uint32_t>(index + 1)).text;
        return beside.empty() ? right : right - text_width(view.theme.mono, beside) - 2 * view.column;
    }
    if (view.two_columns && !cost.global.empty())
        right -= 2 * view.cost_width;
    else if (!cost.shared.empty() || !cost.global.empty())
        right -= view.cost_width;
    return right;
}

void SourcePanel::draw_pair(const View& view, const Cost::Pair& pair, ImVec2 right_top, viz::Colour colour) const
{
    const viz::Theme& theme = view.theme;
    draw_text_right(theme.mono, right_top, colour, pair.right);
    if (view.narrow)
        return;
    const float dot = right_top.x - static_cast<float>(widest_right_ + 2) * view.column;
    draw_text(theme.mono, {dot, right_top.y}, theme.ink_faint, "·");
    draw_text_right(theme.mono, {dot - view.column, right_top.y}, colour, pair.left);
}

void SourcePanel::draw_costs(const View& view, std::size_t index, ImVec2 row)
{
    const viz::Theme& theme = view.theme;
    const Cost& cost = costs_[index + 1];
    if (hides_costs_)
        return;
    const float right = row.x + ImGui::GetWindowWidth() - theme.px(18);
    if (shows_code_) {
        const CodeList::Beside& beside = code_.beside(static_cast<uint32_t>(index + 1));
        draw_text_right(theme.mono, {right, row.y}, beside.differs ? theme.warning : theme.ink_quiet, beside.text);
        return;
    }
    if (!cost.shared.empty())
        draw_pair(view, cost.shared, {right, row.y}, cost.conflicts ? theme.warning : theme.ink_quiet);
    if (!cost.global.empty() && (view.two_columns || cost.shared.empty()))
        draw_pair(view, cost.global, {view.two_columns ? right - view.cost_width : right, row.y}, theme.ink_faint);
}

std::string SourcePanel::line_help(std::size_t index) const
{
    if (shows_code_) {
        const std::string& beside = code_.beside(static_cast<uint32_t>(index + 1)).text;
        const std::string sentence = code_.sentence(static_cast<uint32_t>(index + 1));
        const std::string said =
            viz::plain(beside.empty() ? viz::Message{"code.line_unused", {{"line", viz::index(index + 1)}}}
                                      : viz::Message{"code.line_used",
                                                     {{"line", viz::index(index + 1)}, {"instructions", beside}}});
        return sentence.empty() ? said : said + " · " + sentence;
    }
    const Cost& cost = costs_[index + 1];
    if (cost.shared.empty() && cost.global.empty())
        return viz::plain({"code.line_silent", {{"line", viz::index(index + 1)}}});
    viz::Messages said{{"code.line", {{"line", viz::index(index + 1)}}}};
    if (!cost.shared.empty())
        said.push_back({"code.line_shared", {{"cost", cost.shared.text()}}});
    if (!cost.global.empty())
        said.push_back({"code.line_global", {{"cost", cost.global.text()}}});
    said.push_back({"code.line_click"});
    return viz::plain(said);
}

void SourcePanel::click(State& state, uint32_t line) const
{
    state.selection.line = line;
    if (const auto step = state.read().next_on_line(line, state.selection.step))
        state.selection.step = *step;
}

void SourcePanel::draw_explanation(const State& state, const Area& area)
{
    const viz::Theme& theme = state.theme;
    const WarpTrack& track = state.read();
    const recording::Access* access = track.access(state.selection.step);
    if (hides_costs_ || (access == nullptr && state.inspector.empty()))
        return;
    const bool other = access != explained_ || state.view != explained_in_;
    explained_in_ = state.view;
    if (access == nullptr) {
        explanation_.clear();
        explained_ = nullptr;
    } else if (access != explained_) {
        explained_ = access;
        explanation_ = viz::explain(*track.recording(), *access, track.access(state.selection.step + 1));
    }
    ImGui::SetCursorScreenPos({area.x, area.y + 1});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {theme.px(10), theme.px(7)});
    ImGui::BeginChild("words", {area.width, area.height - 1}, false, ImGuiWindowFlags_AlwaysUseWindowPadding);
    if (other) // what is said first is to be seen first
        ImGui::SetScrollY(0);
    for (const auto& part : {state.inspector, explanation_})
        for (const viz::Messages& paragraph : part) {
            viz::Prose(theme).write(paragraph).explain_terms().draw(ImGui::GetContentRegionAvail().x);
            ImGui::Dummy({0, theme.px(2)});
        }
    ImGui::EndChild();
    ImGui::PopStyleVar();
}

void SourcePanel::follow_code(const Snapshot& snapshot, Session& session, State& state)
{
    shows_code_ = state.code == CodeView::machine || state.code == CodeView::ptx;
    if (!shows_code_)
        return;
    session.want(Detail::code, recording_);
    session.want(Detail::instructions, recording_);
    const ShownSlot* shown = snapshot.of(recording_);
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
    struct Tab {
        CodeView kind;
        const char *name, *narrow;
    };
    const bool narrow = area.width < theme.px(300);
    for (const Tab& tab : {Tab{CodeView::off, "in words", "words"}, Tab{CodeView::machine, "machine code", "SASS"},
                           Tab{CodeView::ptx, "PTX", "PTX"}, Tab{CodeView::counters, "counters", "counters"}}) {
        if (quiet_button(theme, narrow ? tab.narrow : tab.name, state.code == tab.kind))
            state.code = tab.kind;
        viz::mark_item(state.marks, std::string("below:") + tab.name);
        if (ImGui::IsItemHovered())
            state.hint = viz::plain({"code.tabs"});
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
        return theme.px(3) +
               draw_wrapped(state, {left, area.y, area.width, 0}, theme.ink_quiet, viz::plain({"code.counting_each"}));
    float height = 0;
    const ShownSlot* shown = snapshot.of(recording_);
    const InstructionsPtr counted = shown == nullptr ? nullptr : shown->instructions;
    if (counted != nullptr)
        height = theme.px(3) + draw_wrapped(state, {left, area.y, area.width - theme.px(28), 0}, theme.ink_quiet,
                                            viz::plain(viz::in_sentences(counted->missing)));
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
