#include "app/panels/source.h"

#include "app/format.h"
#include "app/panels/widgets.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace app {

namespace {

viz::Colour colour_of(SourceKind kind, const viz::Theme& theme)
{
    switch (kind) {
    case SourceKind::keyword: return theme.first;
    case SourceKind::cuda: return theme.second;
    case SourceKind::comment: return theme.ink_faint;
    case SourceKind::number:
    case SourceKind::text: return theme.good;
    case SourceKind::preprocessor: return theme.ink_quiet;
    case SourceKind::plain: break;
    }
    return theme.ink;
}

// What the numbers mean; the columns are headed with these.
constexpr const char* shared_heading = "wavefronts · conflicts";
constexpr const char* global_heading = "requests · sectors";

std::string pair_text(uint64_t a, uint64_t b)
{
    return thousands(a) + " · " + thousands(b);
}

} // namespace

void SourcePanel::follow(const std::shared_ptr<const recording::Recording>& recording)
{
    if (recording == recording_)
        return;
    recording_ = recording;
    lines_.clear();
    costs_.clear();
    longest_ = widest_shared_ = widest_global_ = 0;
    shown_line_ = 0;
    explained_ = nullptr;
    if (recording == nullptr)
        return;
    lines_ = highlight(recording->source.text);
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
            cost.shared = pair_text(totals.shared_load.wavefronts + totals.shared_store.wavefronts, conflicts);
        if (totals.global_load.requests + totals.global_store.requests > 0)
            cost.global = pair_text(totals.global_load.requests + totals.global_store.requests,
                                    totals.global_load.sectors + totals.global_store.sectors);
        cost.conflicts = conflicts > 0;
        widest_shared_ = std::max(widest_shared_, cost.shared.size());
        widest_global_ = std::max(widest_global_, cost.global.size());
    }
}

void SourcePanel::draw(Session& session, State& state, const Area& area)
{
    const viz::Theme& theme = state.theme;
    begin_place("##source", area, theme.panel, false);
    const bool second = state.source_of_second && session.second() != nullptr && session.second()->recording != nullptr;
    follow(second ? session.second()->recording : session.first().recording);
    draw_heading(session, state, area);
    if (recording_ != nullptr) {
        const float top = ImGui::GetCursorScreenPos().y;
        const float words = std::clamp((area.bottom() - top) * 0.42f, theme.px(60), theme.px(215));
        draw_lines(state, {area.x, top, area.width, std::max(area.bottom() - words - top, 1.0f)});
        draw_explanation(state, {area.x, area.bottom() - words, area.width, words});
    }
    ImGui::End();
}

void SourcePanel::draw_heading(Session& session, State& state, const Area& area)
{
    const viz::Theme& theme = state.theme;
    const float y = area.y + theme.px(8), left = area.x + theme.px(10);
    const bool second = state.source_of_second && session.second() != nullptr;
    const std::string file = recording_ == nullptr
        ? std::string("Source") : recording_->source.file.substr(recording_->source.file.rfind('/') + 1);
    float right = area.right() - theme.px(10);
    if (session.second() != nullptr) { // whose source: a click shows the other's
        const std::string_view other = second ? session.first().slug : session.second()->slug;
        const std::string label = fmt::format("show {}", other);
        right -= text_width(theme.text, label);
        ImGui::SetCursorScreenPos({right, y});
        if (ImGui::InvisibleButton("other", {text_width(theme.text, label), line_height(theme.text)}))
            state.source_of_second = !second;
        draw_text(theme.text, {right, y}, ImGui::IsItemHovered() ? theme.ink : second ? theme.first : theme.second,
                  label);
        right -= theme.px(10);
    }
    const viz::Colour colour = session.second() == nullptr ? theme.ink_quiet : second ? theme.second : theme.first;
    draw_text_within(theme.text, {left, y}, right - left, colour, file);
    ImGui::SetCursorScreenPos({area.x, y + theme.px(24)});
}

// Two columns of figures where there is room for them beside the code, else one with what the line has.
void SourcePanel::draw_lines(State& state, const Area& area)
{
    const viz::Theme& theme = state.theme;
    View view{theme, state.read()};
    view.column = text_width(theme.mono, "0");
    view.row_height = line_height(theme.mono) + theme.px(2);
    view.number_width = view.column * static_cast<float>(std::to_string(lines_.size()).size()) + theme.px(20);
    const auto width_of = [&](std::size_t widest, const char* heading) {
        return widest == 0 ? 0 : std::max(static_cast<float>(widest) * view.column, text_width(theme.text, heading)) + theme.px(14);
    };
    view.shared_width = width_of(widest_shared_, shared_heading);
    view.global_width = width_of(widest_global_, global_heading);
    if (view.number_width + 34 * view.column + view.shared_width + view.global_width > area.width)
        view.shared_width = std::max(view.shared_width, view.global_width), view.global_width = 0;
    if (const recording::Access* access = view.track.access(state.selection.step))
        view.current = access->line;
    draw_column_names(view, area);

    const float top = ImGui::GetCursorScreenPos().y;
    const float content = view.number_width + static_cast<float>(longest_ + 1) * view.column +
                          view.shared_width + view.global_width;
    ImGui::SetNextWindowContentSize({content, static_cast<float>(lines_.size()) * view.row_height});
    ImGui::PushStyleColor(ImGuiCol_ChildBg, theme.panel);
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
    ImGui::PopStyleColor();
}

void SourcePanel::draw_column_names(const View& view, const Area& area) const
{
    const viz::Theme& theme = view.theme;
    const float right = area.right() - theme.px(18);
    float y = ImGui::GetCursorScreenPos().y;
    const bool two_columns = view.global_width > 0;
    if (widest_shared_ > 0)
        draw_text_right(theme.text, {right, y}, theme.ink_quiet, shared_heading);
    if (widest_global_ > 0) {
        if (!two_columns && widest_shared_ > 0)
            y += line_height(theme.text);
        const float x = two_columns ? right - view.shared_width : right;
        draw_text_right(theme.text, {x, y}, theme.ink_faint, global_heading);
    }
    ImGui::SetCursorScreenPos({area.x, y + line_height(theme.text) + theme.px(4)});
}

void SourcePanel::draw_line(State& state, const View& view, std::size_t index)
{
    const viz::Theme& theme = view.theme;
    const auto number = static_cast<uint32_t>(index + 1);
    const ImVec2 window = ImGui::GetWindowPos();
    const float width = ImGui::GetWindowWidth();
    const ImVec2 row{window.x, window.y + static_cast<float>(index) * view.row_height - ImGui::GetScrollY()};
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const bool hovered = ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(row, {row.x + width, row.y + view.row_height});
    if (number == view.current)
        list.AddRectFilled(row, {row.x + width, row.y + view.row_height},
                           faded(&view.track == &state.second ? theme.second : theme.first, 0.28f));
    else if (hovered)
        list.AddRectFilled(row, {row.x + width, row.y + view.row_height}, faded(theme.ink, 0.06f));
    if (state.selection.line == number)
        list.AddRectFilled(row, {row.x + theme.px(3), row.y + view.row_height}, theme.ink);

    const float code_x = row.x + view.number_width - ImGui::GetScrollX();
    const float code_right = row.x + width - view.shared_width - view.global_width - theme.px(6);
    list.PushClipRect({row.x + view.number_width - theme.px(4), row.y}, {std::max(code_right, row.x + view.number_width), row.y + view.row_height}, true);
    const SourceLine& line = lines_[index];
    for (const SourceSpan& span : line.spans)
        draw_text(theme.mono, {code_x + static_cast<float>(span.first) * view.column, row.y},
                  colour_of(span.kind, theme), line.text.substr(span.first, span.count));
    list.PopClipRect();
    draw_text_right(theme.mono, {row.x + view.number_width - theme.px(10), row.y},
                    number == view.current ? theme.ink : theme.ink_faint, std::to_string(number));
    draw_costs(view, index, row);
    if (!hovered)
        return;
    if (ImGui::IsMouseClicked(0))
        click(state, number);
    state.hint = line_help(index);
    if (code_x + static_cast<float>(line.text.size()) * view.column > code_right) {
        ImGui::BeginTooltip();
        const std::size_t start = std::min(line.text.find_first_not_of(' '), line.text.size());
        const ImVec2 at = ImGui::GetCursorScreenPos();
        for (const SourceSpan& span : line.spans) {
            const std::size_t first = std::max<std::size_t>(span.first, start), end = span.first + span.count;
            if (first < end)
                draw_text(theme.mono, {at.x + static_cast<float>(first - start) * view.column, at.y},
                          colour_of(span.kind, theme), line.text.substr(first, end - first));
        }
        ImGui::Dummy({static_cast<float>(line.text.size() - start) * view.column, view.row_height});
        ImGui::EndTooltip();
    }
}

void SourcePanel::draw_costs(const View& view, std::size_t index, ImVec2 row)
{
    const viz::Theme& theme = view.theme;
    const Cost& cost = costs_[index + 1];
    const float right = row.x + ImGui::GetWindowWidth() - theme.px(18);
    const viz::Colour shared = cost.conflicts ? theme.warning : theme.ink_quiet;
    if (!cost.shared.empty())
        draw_text_right(theme.mono, {right, row.y}, shared, cost.shared);
    if (cost.global.empty())
        return;
    if (view.global_width > 0)
        draw_text_right(theme.mono, {right - view.shared_width, row.y}, theme.ink_faint, cost.global);
    else if (cost.shared.empty())
        draw_text_right(theme.mono, {right, row.y}, theme.ink_faint, cost.global);
}

std::string SourcePanel::line_help(std::size_t index) const
{
    const Cost& cost = costs_[index + 1];
    std::string text = fmt::format("line {}", index + 1);
    if (cost.shared.empty() && cost.global.empty())
        return text + ": accesses no memory";
    if (!cost.shared.empty())
        text += fmt::format(" · shared memory, {}: {}", shared_heading, cost.shared);
    if (!cost.global.empty())
        text += fmt::format(" · global memory, {}: {}", global_heading, cost.global);
    return text + " · of the whole launch · click: next access of this line";
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
    const Track& track = state.read();
    const recording::Access* access = track.access(state.selection.step);
    ImGui::GetWindowDrawList()->AddLine({area.x, area.y}, {area.right(), area.y}, theme.border);
    if (access == nullptr)
        return;
    if (access != explained_) {
        explained_ = access;
        explanation_ = explain(*track.recording(), *access);
    }
    ImGui::SetCursorScreenPos({area.x, area.y + 1});
    ImGui::PushStyleColor(ImGuiCol_ChildBg, theme.panel);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {theme.px(10), theme.px(7)});
    ImGui::BeginChild("words", {area.width, area.height - 1}, false, ImGuiWindowFlags_AlwaysUseWindowPadding);
    text(theme.ink, explanation_.heading);
    text_wrapped(theme.ink_quiet, explanation_.what);
    if (!explanation_.cost.empty())
        text_wrapped(explanation_.conflicts ? theme.warning : theme.ink, "This access: " + explanation_.cost + ".");
    if (!explanation_.why.empty())
        text_wrapped(theme.ink_quiet, explanation_.why);
    ImGui::EndChild();
    ImGui::PopStyleVar();
    ImGui::PopStyleColor();
}

} // namespace app
