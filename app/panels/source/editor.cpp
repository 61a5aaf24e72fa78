#include "app/panels/source/editor.h"

#include "app/engine/trace.h"
#include "app/panels/widgets.h"
#include "app/text/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

namespace app {

namespace {

std::optional<uint32_t> number_at(std::string_view text, std::size_t at)
{
    uint32_t value = 0;
    const auto [end, error] =
        std::from_chars(text.data() + std::min(at, text.size()), text.data() + text.size(), value);
    return error == std::errc() && value > 0 ? std::optional(value) : std::nullopt;
}

// Parses "NAME.cu(12): error: words" of NVRTC and nvcc, and "NAME.cu:12:5: error: words" of nvcc's host compiler.
std::optional<SourceProblem> compiled(std::string_view line, std::string_view file)
{
    const std::size_t error = line.find("error: "), at = line.find(file);
    if (error == std::string_view::npos || at == std::string_view::npos || at > error)
        return std::nullopt;
    const std::size_t after = at + file.size();
    const bool separated = after < line.size() && (line[after] == ':' || line[after] == '(');
    const std::optional<uint32_t> number = separated ? number_at(line, after + 1) : std::nullopt;
    if (!number)
        return std::nullopt;
    return SourceProblem{*number, std::string(line.substr(error + 7))};
}

// Finds "line 12" in a sentence.
SourceProblem in_words(std::string_view said)
{
    constexpr std::string_view word = "line ";
    for (std::size_t at = said.find(word); at != std::string_view::npos; at = said.find(word, at + 1))
        if (const auto number = number_at(said, at + word.size()))
            return {*number, std::string(said)};
    return {0, std::string(said)};
}

} // namespace

std::vector<SourceProblem> problems_in(std::string_view said, std::string_view file)
{
    std::vector<SourceProblem> result;
    for (std::size_t begin = 0; begin < said.size();) {
        const std::size_t end = std::min(said.find('\n', begin), said.size());
        if (const auto one = compiled(said.substr(begin, end - begin), file))
            result.push_back(*one);
        begin = end + 1;
    }
    if (result.empty() && !said.empty())
        result.push_back(in_words(said));
    return result;
}

namespace {

std::vector<std::string_view> lines_of(const std::string& text)
{
    std::vector<std::string_view> lines;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        lines.push_back(std::string_view(text).substr(begin, end - begin));
        begin = end + 1;
    }
    return lines;
}

bool is_source(const Snapshot& snapshot)
{
    return snapshot.choice.columns[0].file && is_cuda_source(*snapshot.choice.columns[0].file);
}

std::string words_of(const VersionFigures& figures)
{
    std::string words = viz::thousands(figures.sectors) + " sectors";
    if (figures.shared)
        words += fmt::format(", {} wavefronts, {} conflicts", viz::thousands(figures.wavefronts),
                             viz::thousands(figures.conflicts));
    if (figures.gflops)
        words += fmt::format(", {} GFLOPS", viz::thousands(*figures.gflops));
    return figures.right ? words : words + ", result not checked";
}

} // namespace

bool SourceEditor::edits(const Snapshot& snapshot, const State& state)
{
    return state.edit.open && is_source(snapshot) && state.read_column() == 0 && snapshot.source != nullptr;
}

Panels SourceEditor::with_room(const Snapshot& snapshot, const State& state, float window_width)
{
    Panels panels = state.at.panels;
    if (edits(snapshot, state) && panels.source_width == 0)
        panels.source_width = std::clamp(0.34f * window_width / state.theme.scale, 300.0f, 640.0f);
    return panels;
}

SourceEditor::Buttons SourceEditor::draw_buttons(const Snapshot& snapshot, Session& session, State& state,
                                                 const Area& area)
{
    const viz::Theme& theme = state.theme;
    ImGui::SetCursorScreenPos({area.x + theme.px(4), area.y});
    Buttons row{.right = area.x, .height = line_height(theme.text) + theme.px(10)};
    const auto button = [&](const char* label, const char* mark, const std::string& help, bool chosen) {
        const bool pressed = quiet_button(state, label, mark, chosen);
        row.right = ImGui::GetItemRectMax().x;
        hint(state, help);
        ImGui::SameLine(0, theme.px(2));
        return pressed;
    };
    if (is_source(snapshot) && state.read_column() == 0) {
        if (button("edit", "edit", "Change the source right here; Ctrl+Enter runs it.", state.edit.open)) {
            state.edit.open = state.edit.take = !state.edit.open;
        }
        if (edits(snapshot, state) &&
            button("run", "run source", "Save the file, compile it, check its result and record it (Ctrl+Enter).",
                   false))
            state.edit.run = true;
        if (button("open in editor", "external editor",
                   "Open the file in your own editor ($VISUAL, or code); it runs at each save.", false))
            session.open_in_editor(state.at.selection.line.value_or(1));
    } else if (const auto stage = snapshot.leading_rung();
               stage && !snapshot.choice.columns[0].file && state.read_column() == 0) {
        if (button("edit a copy", "edit copy",
                   fmt::format(
                       "Make a copy of {} in your own folder and change that; the ladder's own file stays as it is.",
                       snapshot.ladder()[*stage].slug),
                   false)) {
            session.edit_copy(*stage);
            state.edit.open = state.edit.take = true;
        }
    } else {
        return {};
    }
    if (is_source(snapshot) && snapshot.details[0].busy) {
        text(theme.ink_quiet, "running …");
        row.right = ImGui::GetItemRectMax().x;
    } else {
        ImGui::NewLine();
    }
    return row;
}

void SourceEditor::follow(const Snapshot& snapshot)
{
    const bool other_file = file_ != *snapshot.choice.columns[0].file;
    const bool changed = loaded_ != nullptr && text_ != *loaded_; // edited by the user
    if (other_file || (snapshot.source != loaded_ && *snapshot.source != text_ && !changed)) {
        text_ = *snapshot.source;
        ++revision_;
        scroll_ = {0, 0};
        cursor_ = 0, shown_cursor_ = -1;
    }
    if (other_file || !changed || *snapshot.source == text_)
        loaded_ = snapshot.source;
    file_ = *snapshot.choice.columns[0].file;
    if (const std::string& said = snapshot.details[0].failed; said != said_) {
        said_ = said;
        problems_ = problems_in(said_, file_.filename().string());
        revealed_problem_ = 0;
    }
}

int SourceEditor::on_event(ImGuiInputTextCallbackData* data)
{
    auto* self = static_cast<SourceEditor*>(data->UserData);
    if (data->EventFlag == ImGuiInputTextFlags_CallbackResize) {
        self->text_.resize(static_cast<std::size_t>(data->BufTextLen));
        data->Buf = self->text_.data();
    } else {
        self->cursor_ = data->CursorPos;
    }
    return 0;
}

void SourceEditor::draw_text_field(State& state, float width, float height)
{
    constexpr ImGuiInputTextFlags flags = ImGuiInputTextFlags_AllowTabInput | ImGuiInputTextFlags_CallbackResize |
                                          ImGuiInputTextFlags_CallbackAlways | ImGuiInputTextFlags_NoHorizontalScroll;
    ImGui::PushID(revision_);
    if (std::exchange(state.edit.take, false)) {
        ImGui::SetKeyboardFocusHere();
        frames_since_focus_ = 0;
    }
    ImGui::InputTextMultiline("##text", text_.data(), text_.capacity() + 1, {width, height}, flags, on_event, this);
    state.edit.focused = ImGui::IsItemActive();
    viz::mark_field(state.marks, "source");
    viz::mark_item(state.marks, "editor");
    ImGui::PopID();
}

void SourceEditor::draw_line(const State& state, uint32_t line, ImVec2 at, float code_end, float right,
                             const std::function<LineFigure(uint32_t)>& figure, bool as_run) const
{
    const viz::Theme& theme = state.theme;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float row = ImGui::GetTextLineHeight(), end = ImGui::GetWindowPos().x + ImGui::GetWindowWidth();
    const auto problem = std::ranges::find(problems_, line, &SourceProblem::line);
    if (problem != problems_.end()) {
        list.AddRectFilled(at, {end, at.y + row}, with_alpha(theme.warning, 0.16f));
        const float width = text_width(theme.text, problem->words) + theme.px(10);
        // Draws the error after the code if there is room.
        const float x =
            std::clamp(code_end + theme.px(14), at.x, std::max(at.x, right - std::min(width, theme.px(150))));
        list.AddRectFilled({x, at.y}, {end, at.y + row}, theme.panel);
        list.AddRectFilled({x, at.y}, {end, at.y + row}, with_alpha(theme.warning, 0.3f));
        draw_text_within(theme.text, {x + theme.px(5), at.y}, right - x - theme.px(6), theme.warning, problem->words);
        if (ImGui::IsMouseHoveringRect(at, {right, at.y + row}))
            ImGui::SetTooltip("%s", broken_at_blanks(theme.text, problem->words, theme.px(420)).c_str());
        return;
    }
    const LineFigure own = as_run ? figure(line) : LineFigure();
    if (own.text.empty())
        return;
    // The figure never covers the typed text. If there is no room after the text, it replaces the line's number, unless
    // the figure is 0.
    const float width = text_width(theme.mono, own.text) + theme.px(10);
    if (right - width >= code_end) {
        list.AddRectFilled({right - width, at.y}, {end, at.y + row}, theme.panel);
        draw_text_right(theme.mono, {right - theme.px(4), at.y}, own.colour, own.text);
        if (ImGui::IsMouseHoveringRect({right - width, at.y}, {right, at.y + row}))
            ImGui::SetTooltip("%s: %s", own.name, own.text.c_str());
        return;
    }
    if (own.brief == "0")
        return;
    const ImVec2 number{at.x - theme.px(8), at.y};
    const float left = number.x - text_width(theme.mono, "00.0k") - theme.px(2);
    list.AddRectFilled({left, at.y}, {number.x + theme.px(2), at.y + row}, theme.panel);
    draw_text_right(theme.mono, number, own.colour, own.brief);
    viz::mark(state.marks, fmt::format("figure of line {}", line), {left, at.y}, {number.x, at.y + row});
    if (ImGui::IsMouseHoveringRect({left, at.y}, {number.x, at.y + row}))
        ImGui::SetTooltip("%s: %s", own.name, own.text.c_str());
}

// Scrolls to the cursor after it moved.
void SourceEditor::reveal_cursor(float row, float visible)
{
    if (cursor_ == std::exchange(shown_cursor_, cursor_))
        return;
    const auto end = text_.begin() + std::min<std::ptrdiff_t>(cursor_, static_cast<std::ptrdiff_t>(text_.size()));
    const float y = static_cast<float>(std::count(text_.begin(), end, '\n')) * row;
    if (y < ImGui::GetScrollY())
        ImGui::SetScrollY(y);
    else if (y + 2 * row > ImGui::GetScrollY() + visible)
        ImGui::SetScrollY(y + 3 * row - visible);
}

void SourceEditor::draw(const Snapshot& snapshot, Session& session, State& state, const Area& area,
                        const std::function<LineFigure(uint32_t)>& figure)
{
    const viz::Theme& theme = state.theme;
    follow(snapshot);
    const std::vector<std::string_view> lines = lines_of(text_);
    std::size_t longest = 0;
    for (const std::string_view line : lines)
        longest = std::max(longest, line.size());
    ImGui::PushFont(theme.mono);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    ImGui::PushStyleColor(ImGuiCol_FrameBg, ImVec4(0, 0, 0, 0));
    ImGui::SetCursorScreenPos({area.x, area.y});
    const float row = ImGui::GetTextLineHeight(), column = text_width(theme.mono, "0");
    constexpr std::size_t letters_of_figure = 5;
    const float gutter =
        column * static_cast<float>(std::max(letters_of_figure, std::to_string(lines.size()).size())) + theme.px(14);
    const float width = std::max(static_cast<float>(longest + 4) * column, area.width - gutter);
    const float height = static_cast<float>(lines.size()) * row + theme.px(6);
    ImGui::SetNextWindowContentSize({gutter + width, height});
    ImGui::BeginChild("editor", {area.width, area.height}, false, ImGuiWindowFlags_HorizontalScrollbar);
    if (!problems_.empty() && revealed_problem_ != problems_.front().line) {
        revealed_problem_ = problems_.front().line;
        ImGui::SetScrollY(std::max(0.0f, static_cast<float>(revealed_problem_) * row - area.height / 2));
    }
    // Restores the scroll position, because focusing the field would scroll all of it into view.
    if (frames_since_focus_++ < 3)
        ImGui::SetScrollX(scroll_.x), ImGui::SetScrollY(scroll_.y);
    else
        scroll_ = {ImGui::GetScrollX(), ImGui::GetScrollY()};
    const ImVec2 window = ImGui::GetWindowPos();
    const float top = window.y - ImGui::GetScrollY(), right = window.x + area.width - theme.px(14);
    ImGui::SetCursorPos({gutter, 0});
    draw_text_field(state, width, height);
    if (std::exchange(state.edit.run, false)) { // includes what was typed just before
        session.write_source(text_);
        state.edit.take = !state.edit.focused; // a button requested the run, so the field needs the focus
    }
    reveal_cursor(row, area.height);
    const bool as_run = snapshot.details[0].run != nullptr && snapshot.details[0].run->text == text_;
    const auto first = static_cast<std::size_t>(std::max(ImGui::GetScrollY() / row, 0.0f));
    const std::size_t end = std::min(first + static_cast<std::size_t>(area.height / row) + 2, lines.size());
    const float left = window.x - ImGui::GetScrollX() + gutter;
    // Draws over the field, which is a child window of its own.
    ImGui::SetCursorScreenPos(window);
    ImGui::BeginChild("over",
                      {area.width - (ImGui::GetScrollMaxY() > 0 ? theme.px(14) : 0), area.height - theme.px(14)}, false,
                      ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoScrollbar);
    for (std::size_t i = first; i < end; ++i) {
        const auto number = static_cast<uint32_t>(i + 1);
        const float y = top + static_cast<float>(i) * row;
        const bool wrong = std::ranges::find(problems_, number, &SourceProblem::line) != problems_.end();
        draw_text_right(theme.mono, {left - theme.px(8), y}, wrong ? theme.warning : theme.ink_faint,
                        std::to_string(number));
        draw_line(state, number, {std::max(left, window.x), y}, left + static_cast<float>(lines[i].size()) * column,
                  right, figure, as_run);
    }
    ImGui::EndChild();
    ImGui::EndChild();
    ImGui::PopStyleColor();
    ImGui::PopStyleVar(3);
    ImGui::PopFont();
    if (!problems_.empty() && problems_.front().line > 0)
        state.hint = fmt::format("Line {}: {}", problems_.front().line, problems_.front().words);
    else if (!problems_.empty())
        state.hint = problems_.front().words;
}

float SourceEditor::draw_versions(const Snapshot& snapshot, Session& session, State& state, const Area& area) const
{
    const viz::Theme& theme = state.theme;
    if (!is_source(snapshot) || snapshot.versions.size() < 2)
        return 0;
    const float row = line_height(theme.text) + theme.px(4);
    const std::size_t shown = std::min<std::size_t>(snapshot.versions.size(), 4);
    const float height = row * static_cast<float>(shown) + theme.px(4);
    ImGui::SetCursorScreenPos({area.x, area.bottom() - height});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    ImGui::BeginChild("versions", {area.width, height});
    draw_rule(theme, area, area.bottom() - height);
    for (std::size_t i = snapshot.versions.size(); i-- > 0;) { // newest first
        const FileVersion& version = *snapshot.versions[i];
        const bool now = i + 1 == snapshot.versions.size();
        const bool before = snapshot.choice.columns[1].version == version.number;
        ImGui::PushID(static_cast<int>(version.number));
        const bool pressed = ImGui::InvisibleButton("version", {ImGui::GetContentRegionAvail().x, row});
        viz::mark_shown_item(state.marks, fmt::format("version:{}", version.number));
        const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
        if (ImGui::IsItemHovered()) {
            draw_hovered_row(theme, min, max);
            state.hint =
                fmt::format("Version {}{}: {} · {}{} · the last 20 are kept in {}", version.number,
                            now ? ", which is shown" : "", words_of(version.figures), version.figures.how,
                            now ? "" : " · click to go back to it", snapshot.versions_kept_in.parent_path().string());
        }
        ImGui::PopID();
        const viz::Colour accent = now ? theme.accent() : before ? theme.accent(1) : theme.ink_quiet;
        const float y = min.y + theme.px(2), x = min.x + theme.px(10);
        draw_text(theme.text, {x, y}, accent, fmt::format("v{}", version.number));
        float left = x + theme.px(30);
        if (version.figures.right) {
            draw_check_or_cross(theme, {left, y + theme.px(3)}, *version.figures.right);
            left += theme.px(18);
        }
        draw_text_within(theme.text, {left, y}, max.x - left - theme.px(12), theme.ink_quiet,
                         words_of(version.figures));
        if (pressed && !now)
            session.go_back_to(version);
    }
    ImGui::EndChild();
    ImGui::PopStyleVar();
    return height;
}

} // namespace app
