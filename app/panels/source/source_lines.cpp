#include "app/panels/source/source_lines.h"

#include "app/panels/header/origins.h"
#include "app/panels/widgets.h"
#include "app/text/format.h"

#include "viz/analysis/index_values.h"
#include "viz/figure/figure.h"
#include "viz/text/figures.h"
#include "viz/text/rich.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace app {

namespace {

// Headings of the columns: the meaning of their numbers, which are of the launch, while pictures show a block or a step.
constexpr const char* shared_heading = "launch: wavefronts · conflicts";
constexpr const char* global_heading = "launch: requests · sectors";
constexpr const char *shared_narrow = "conflicts", *global_narrow = "sectors", *of_launch = "launch: ";

// Characters of code that need room; otherwise the figures go into the margin.
constexpr std::size_t letters_beside_figures = 50;

// Shortens a figure to at most four characters: "999", "8.2k", "262k", "1.3M".
std::string shortened(uint64_t value)
{
    if (value < 1000)
        return std::to_string(value);
    double rest = static_cast<double>(value) / 1000;
    const char* unit = "k";
    for (const char* larger : {"M", "G"})
        if (rest >= 999.5)
            rest /= 1000, unit = larger;
    return fmt::format("{:.{}f}{}", rest, rest < 9.95 ? 1 : 0, unit);
}

std::size_t digits_of(uint64_t value)
{
    return thousands(value).size();
}

} // namespace

std::string SourceLines::Cost::Pair::text() const
{
    return thousands(left) + " · " + thousands(right);
}

void SourceLines::follow(const std::shared_ptr<const recording::Recording>& recording)
{
    if (recording == recording_)
        return;
    recording_ = recording;
    lines_.clear();
    costs_.clear();
    rows_.clear();
    given_.clear();
    given_for_ = {};
    longest_ = widest_left_ = widest_right_ = 0;
    any_shared_ = any_global_ = false;
    shown_line_ = 0;
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
        const recording::SharedTotals shared = viz::shared_totals(totals);
        recording::GlobalTotals global = totals.global_load;
        global += totals.global_store;
        global += totals.global_atomic_cost;
        cost.shared = {shared.wavefronts, shared.conflicts, shared.instructions > 0};
        cost.global = {global.requests, global.sectors, global.requests > 0};
        any_shared_ |= cost.shared.there;
        any_global_ |= cost.global.there;
        for (const Cost::Pair& pair : {cost.shared, cost.global}) {
            widest_left_ = std::max(widest_left_, pair.there ? digits_of(pair.left) : 0);
            widest_right_ = std::max(widest_right_, pair.there ? digits_of(pair.right) : 0);
        }
    }
}

// Evaluates the declarations of indices when another thread is selected.
void SourceLines::follow_thread(const State& state)
{
    const WarpTrack& track = state.read();
    if (recording_ == nullptr || track.recording() != recording_.get() || track.warp() == nullptr) {
        given_.clear();
        given_for_ = {};
        return;
    }
    const auto warp = static_cast<uint32_t>(track.warp() - track.block()->warps.data());
    const std::pair thread{track.block(), warp * recording::warp_size + state.at.selection.lane};
    if (thread == given_for_)
        return;
    given_for_ = thread;
    given_.clear();
    if (thread.second >= recording_->launch.threads_per_block())
        return;
    constexpr std::size_t usual_digits = 4; // so that rows do not move when another thread is selected
    for (const viz::IndexValue& one : viz::index_values(*recording_, *track.block(), thread.second)) {
        Given& given = given_[one.line];
        const std::string value = std::to_string(one.value);
        given.words += (given.words.empty() ? "= " : ", ") + value;
        given.names += fmt::format("{}{} = {}", given.names.empty() ? "" : ", ", one.name, value);
        given.room += 2 + std::max(usual_digits, value.size());
    }
}

void SourceLines::follow_run(const recording::RunProfilePtr& run)
{
    if (run == run_)
        return;
    run_ = run;
    waits_ = run == nullptr ? viz::Waits{} : viz::waits_of(*run);
    waits_by_line_.clear();
    if (run != nullptr)
        waits_by_line_ = viz::waits_by_line(*run);
    most_waiting_ = 0;
    for (const auto& [line, waits] : waits_by_line_)
        if (line != 0)
            most_waiting_ = std::max(most_waiting_, waits.waiting());
}

viz::Rich SourceLines::waits_at(uint32_t line) const
{
    const auto found = waits_by_line_.find(line);
    return line == 0 || found == waits_by_line_.end() ? viz::Rich() : viz::wait_words(found->second, waits_);
}

LineFigure SourceLines::figure_of(const viz::Theme& theme, uint32_t line) const
{
    if (line >= costs_.size())
        return {};
    const Cost& cost = costs_[line];
    if (cost.shared.there)
        return {cost.shared.text(), shortened(cost.shared.right), cost.conflicts() ? theme.warning : theme.ink_quiet,
                shared_heading};
    if (cost.global.there)
        return {thousands(cost.global.right), shortened(cost.global.right), theme.ink_faint, "sectors"};
    return {};
}

// Chooses where the figures are: in two columns beside the code if there is room, otherwise in one, otherwise in the
// margin.
SourceLines::View SourceLines::view_of(const State& state, const Shown& shown, const Area& area) const
{
    const viz::Theme& theme = state.theme;
    const WarpTrack& track = state.read();
    View view{theme, shown};
    view.accent = theme.accent(static_cast<std::size_t>(&track - state.tracks.data()));
    view.column = text_width(theme.mono, "0");
    view.row_height = line_height(theme.mono) + theme.px(2);
    view.number_width = view.column * static_cast<float>(std::to_string(lines_.size()).size()) + theme.px(20);
    view.cost_width = view.column * static_cast<float>(widest_left_ + widest_right_ + 3) + theme.px(8);
    const float code = static_cast<float>(letters_beside_figures) * view.column;
    view.margin = view.number_width + code + view.cost_width > area.width;
    if (view.margin) // figures in the margin are a dot and up to "262k"
        view.number_width = std::max(view.number_width, 5 * view.column + theme.px(16));
    const float headings = std::max(badge_width(theme, shared_heading), badge_width(theme, global_heading));
    const float column = std::max(view.cost_width, headings + theme.px(16));
    view.two_columns = any_shared_ && any_global_ && view.number_width + code + 2 * column < area.width;
    if (view.two_columns)
        view.cost_width = column;
    if (const recording::Access* access = track.access(state.at.selection.step))
        view.current = access->line;
    view.outdent = body_indentation(lines_, view.current);
    return view;
}

// Returns the indentation, which is halved in a narrow panel.
std::size_t SourceLines::indented(const View& view, const SourceLine& line) const
{
    const std::size_t left = indentation(line) - std::min(view.outdent, indentation(line));
    return view.margin ? left / 2 : left;
}

void SourceLines::arrange(const View& view, float width)
{
    rows_.clear();
    constexpr std::size_t fewest = 12, step = 2;
    const float right = width - view.number_width - view.theme.px(14);
    const auto letters = std::max(fewest + step, static_cast<std::size_t>(std::max(right / view.column, 0.0f)));
    std::vector<LinePart> parts;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
        const SourceLine& line = lines_[i];
        parts.clear();
        const std::size_t start = indentation(line), blanks = std::min(indented(view, line), letters - fewest - step);
        if (view.margin)
            add_parts(parts, line, i + 1, {start, letters - blanks, letters - blanks - step});
        else
            parts.push_back({&line, start, line.text.size(), i + 1});
        const bool code = view.shown.code != nullptr;
        const bool figure = view.margin && !code && !view.shown.hides_costs && costs_[i + 1].there();
        const bool beside = view.margin && code && !view.shown.code->beside(static_cast<uint32_t>(i + 1)).text.empty();
        for (const LinePart& part : parts)
            rows_.push_back(
                {part, i, part.number != 0 ? Row::Margin::number : Row::Margin::nothing, code && !view.margin});
        const auto given = given_.find(static_cast<uint32_t>(i + 1));
        bool below = given != given_.end() && !code && !view.shown.hides_costs; // shown in a row of its own
        if (below && !parts.empty()) {
            const LinePart& last = parts.back();
            const std::size_t used = blanks + (parts.size() > 1 ? step : 0) + last.end - last.start + 1;
            rows_.back().given = !view.margin || used + given->second.room <= letters;
            below = !rows_.back().given;
        }
        if (figure && parts.size() == 1)
            rows_.push_back({{}, i, Row::Margin::figure, false});
        else if (figure)
            rows_[rows_.size() - parts.size() + 1].margin = Row::Margin::figure;
        if (beside)
            rows_.push_back({{}, i, Row::Margin::nothing, true});
        if (below)
            rows_.push_back({{}, i, Row::Margin::nothing, false, true});
    }
}

void SourceLines::draw(State& state, const Shown& shown, const Area& area)
{
    const View view = view_of(state, shown, area);
    follow_thread(state);
    arrange(view, area.width);
    draw_names(state, view, area);
    const float top = ImGui::GetCursorScreenPos().y;
    const float content = view.margin ? 0
                                      : view.number_width + static_cast<float>(longest_ + 1) * view.column +
                                            view.cost_width * (view.two_columns ? 2.0f : 1.0f);
    ImGui::SetNextWindowContentSize({content, static_cast<float>(rows_.size()) * view.row_height});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    ImGui::BeginChild("lines", {area.width, std::max(area.bottom() - top, 1.0f)}, false,
                      view.margin ? 0 : ImGuiWindowFlags_HorizontalScrollbar);
    reveal(view);
    const float y = ImGui::GetWindowPos().y - ImGui::GetScrollY();
    const auto row_at = [&](float at) { return static_cast<std::size_t>(std::max((at - y) / view.row_height, 0.0f)); };
    const std::size_t first = row_at(ImGui::GetWindowPos().y),
                      last = row_at(ImGui::GetWindowPos().y + ImGui::GetWindowHeight());
    const std::size_t pointed = row_at(ImGui::GetMousePos().y);
    const bool hovered = ImGui::IsWindowHovered() && pointed < rows_.size();
    for (std::size_t i = first; i < std::min(last + 1, rows_.size()); ++i)
        draw_row(state, view, rows_[i], y + static_cast<float>(i) * view.row_height,
                 hovered && rows_[i].line == rows_[pointed].line);
    if (hovered)
        point_out(state, view, rows_[pointed].line);
    ImGui::EndChild();
    ImGui::PopStyleVar();
}

// Scrolls to the current line if it changed or moved.
void SourceLines::reveal(const View& view)
{
    const std::pair shown{rows_.size(), ImGui::GetWindowHeight()};
    if (view.current == 0 || (view.current == shown_line_ && shown == shown_in_))
        return;
    shown_in_ = shown;
    const auto row = std::ranges::find(rows_, std::size_t{view.current - 1}, &Row::line);
    const float y = static_cast<float>(row - rows_.begin()) * view.row_height;
    const float visible = ImGui::GetWindowHeight() - 2 * view.row_height;
    if (shown_line_ == 0 || y < ImGui::GetScrollY() || y > ImGui::GetScrollY() + visible)
        ImGui::SetScrollY(std::floor(std::max(y - visible * 0.4f, 0.0f) / view.row_height) * view.row_height);
    shown_line_ = view.current;
}

float SourceLines::names_width(const State& state, const Area& area) const
{
    if (!view_of(state, {}, area).margin)
        return badge_width(state.theme, shared_heading);
    std::string words = any_shared_ ? shared_narrow : "";
    if (any_global_)
        words += std::string(words.empty() ? "" : " · ") + global_narrow;
    return badge_width(state.theme, of_launch + words);
}

void SourceLines::draw_names(State& state, const View& view, const Area& area) const
{
    const viz::Theme& theme = view.theme;
    float right = area.right() - theme.px(18);
    float y = ImGui::GetCursorScreenPos().y;
    if (view.shown.code != nullptr) {
        draw_text_right(theme.text, {right, y}, theme.ink_quiet, "in the machine code");
        ImGui::SetCursorScreenPos({area.x, std::max(y + line_height(theme.text) + theme.px(4), area.y)});
        return;
    }
    if (view.shown.beside)
        y -= theme.px(24);
    viz::mark(state.marks, "names of figures", {right - names_width(state, area), y},
              {right, y + line_height(theme.text)});
    const auto name = [&](const char* words, viz::Colour colour) {
        draw_text_right(theme.text, {right, y}, colour, words);
        right -= text_width(theme.text, words);
    };
    if (view.margin) {
        if (any_global_)
            name(global_narrow, theme.ink_faint);
        if (any_global_ && any_shared_)
            name(" · ", theme.ink_faint);
        if (any_shared_)
            name(shared_narrow, theme.warning);
        if (any_global_ || any_shared_) {
            name(of_launch, theme.ink_quiet);
            badge_right(state, Origin::derived, {right, y}, "", "");
        }
    } else {
        if (any_shared_)
            badge_right(state, Origin::derived, {right, y}, shared_heading, "");
        if (any_global_ && any_shared_ && !view.two_columns)
            y += line_height(theme.text);
        if (any_global_)
            badge_right(state, Origin::derived, {view.two_columns ? right - view.cost_width : right, y}, global_heading,
                        "");
    }
    ImGui::SetCursorScreenPos({area.x, std::max(y + line_height(theme.text) + theme.px(4), area.y)});
}

void SourceLines::draw_row(State& state, const View& view, const Row& row, float y, bool hovered)
{
    const viz::Theme& theme = view.theme;
    const auto number = static_cast<uint32_t>(row.line + 1);
    const float x = ImGui::GetWindowPos().x, width = ImGui::GetWindowWidth();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (number == view.current)
        list.AddRectFilled({x, y}, {x + width, y + view.row_height}, with_alpha(view.accent, 0.28f));
    else if (hovered)
        draw_hovered_row(theme, {x, y}, {x + width, y + view.row_height});
    if (state.at.selection.line == number)
        list.AddRectFilled({x, y}, {x + theme.px(3), y + view.row_height}, theme.ink);
    if (row.part.line != nullptr) {
        constexpr std::size_t step = 2;
        const std::size_t blanks = indented(view, *row.part.line) + (row.part.number == 0 ? step : 0);
        const float code_x = x + view.number_width - ImGui::GetScrollX() + static_cast<float>(blanks) * view.column;
        const float end = code_x + static_cast<float>(row.part.end - row.part.start) * view.column;
        const float right = std::max(std::min(end, x + code_right(view, row)), x + view.number_width);
        list.PushClipRect({x + view.number_width, y}, {right, y + view.row_height}, true);
        draw_highlighted(theme, *row.part.line, {code_x, y}, row.part.start);
        list.PopClipRect();
        if (hovered && end > right)
            whole_line_tooltip(theme, *row.part.line);
    }
    draw_given(state, view, row, {x, y});
    draw_waits(state, view, row, {x, y});
    draw_margin(state, view, row, {x, y}, hovered);
    if (!view.margin || row.beside)
        draw_columns(view, row.line, {x, y});
    if (hovered && ImGui::IsMouseClicked(0)) {
        state.at.selection.line = number;
        if (const auto step = state.read().next_on_line(number, state.at.selection.step))
            state.at.selection.step = *step;
    }
}

// Draws what the line gave, after the code or below it.
void SourceLines::draw_given(State& state, const View& view, const Row& row, ImVec2 at) const
{
    const auto given = given_.find(static_cast<uint32_t>(row.line + 1));
    if (!row.given || given == given_.end())
        return;
    constexpr std::size_t step = 2;
    const std::size_t before = indented(view, lines_[row.line]) +
                               (row.part.line == nullptr ? step : row.part.end - row.part.start + 1) +
                               (row.part.line != nullptr && row.part.number == 0 ? step : 0);
    const float left = at.x + view.number_width - ImGui::GetScrollX() + static_cast<float>(before) * view.column;
    const float right = at.x + code_right(view, row), width = text_width(view.theme.mono_bold, given->second.words);
    if (left + width > right)
        return;
    const viz::Box box{{left, at.y}, {right, at.y + view.row_height}};
    viz::Label label = viz::words_at({left, at.y + view.row_height / 2}, viz::Label::Side::right, given->second.words,
                                     {.colour = view.accent, .strong = true, .must = true});
    label.name = fmt::format("line {} gave", row.line + 1);
    draw_still(state, {.id = "source", .box = box, .layers = {viz::LabelLayer{{std::move(label)}}}});
}

// Draws a bar behind the line's number for its share of the stalled warps. The line with the most stalls has the
// longest bar.
void SourceLines::draw_waits(State& state, const View& view, const Row& row, ImVec2 at) const
{
    const auto found = waits_by_line_.find(static_cast<uint32_t>(row.line + 1));
    if (row.margin != Row::Margin::number || found == waits_by_line_.end() || view.shown.hides_costs ||
        most_waiting_ == 0)
        return;
    const double share = static_cast<double>(found->second.waiting()) / static_cast<double>(most_waiting_);
    const float length = std::round((view.number_width - view.theme.px(4)) * static_cast<float>(share));
    if (length < 1)
        return;
    const viz::Box box{at, {at.x + length, at.y + view.row_height - 1}};
    const viz::Shape bar = viz::said_of(viz::box_shape(box, with_alpha(view.theme.ink, 0.22f)),
                                        {.name = fmt::format("waits of line {}", row.line + 1), .value = share});
    draw_still(state, {.id = "source", .box = box, .layers = {viz::ShapeLayer{.shapes = {bar}}}});
}

// Draws the line's number, or below it the line's cost in few digits. The tooltip shows all digits.
void SourceLines::draw_margin(State& state, const View& view, const Row& row, ImVec2 at, bool hovered) const
{
    const viz::Theme& theme = view.theme;
    const ImVec2 right{at.x + view.number_width - theme.px(10), at.y};
    const Cost& cost = costs_[row.line + 1];
    if (row.margin == Row::Margin::number)
        draw_text_right(theme.mono, right, row.line + 1 == view.current ? theme.ink : theme.ink_faint,
                        std::to_string(row.line + 1));
    if (row.margin == Row::Margin::figure) {
        const viz::Colour colour = cost.conflicts()    ? theme.warning
                                   : cost.shared.there ? theme.ink_quiet
                                                       : theme.ink_faint;
        const std::string figure = shortened(cost.shared.there ? cost.shared.right : cost.global.right);
        draw_text_right(theme.mono, right, colour, figure);
        // A dot before the figure distinguishes it from a line number.
        const float dot = right.x - text_width(theme.mono, figure) - view.column / 2;
        ImGui::GetWindowDrawList()->AddCircle({dot, at.y + view.row_height / 2}, theme.px(2.5f), colour);
    }
    if (row.margin == Row::Margin::figure)
        viz::mark(state.marks, fmt::format("figure of line {}", row.line + 1), at, {right.x, at.y + view.row_height});
    const ImVec2 mouse = ImGui::GetMousePos();
    const bool over = hovered && mouse.y >= at.y && mouse.y < at.y + view.row_height && mouse.x < right.x;
    const bool waits = waits_by_line_.contains(static_cast<uint32_t>(row.line + 1));
    if (over && ((view.margin && cost.there()) || waits) && !view.shown.hides_costs) {
        state.tip = help_of(view, row.line);
        tooltip(theme, viz::rich("{}", state.tip));
    }
}

// Returns the right end of the code, which may use the width that this line's figures leave.
float SourceLines::code_right(const View& view, const Row& row) const
{
    const Cost& cost = costs_[row.line + 1];
    float right = ImGui::GetWindowWidth() - view.theme.px(view.margin ? 8.0f : 18.0f);
    if (view.margin)
        return right;
    if (view.shown.code != nullptr) {
        const std::string& beside = view.shown.code->beside(static_cast<uint32_t>(row.line + 1)).text;
        return beside.empty() ? right : right - text_width(view.theme.mono, beside) - 2 * view.column;
    }
    if (view.two_columns && cost.global.there)
        right -= 2 * view.cost_width;
    else if (cost.there())
        right -= view.cost_width;
    return right;
}

void SourceLines::draw_pair(const View& view, const Cost::Pair& pair, ImVec2 right_top, viz::Colour colour) const
{
    const viz::Theme& theme = view.theme;
    draw_text_right(theme.mono, right_top, colour, thousands(pair.right));
    const float dot = right_top.x - static_cast<float>(widest_right_ + 2) * view.column;
    draw_text(theme.mono, {dot, right_top.y}, theme.ink_faint, "·");
    draw_text_right(theme.mono, {dot - view.column, right_top.y}, colour, thousands(pair.left));
}

void SourceLines::draw_columns(const View& view, std::size_t line, ImVec2 at) const
{
    const viz::Theme& theme = view.theme;
    const Cost& cost = costs_[line + 1];
    if (view.shown.hides_costs)
        return;
    const float right = at.x + ImGui::GetWindowWidth() - theme.px(18);
    if (view.shown.code != nullptr) {
        const CodeList::Beside& beside = view.shown.code->beside(static_cast<uint32_t>(line + 1));
        const float width = text_width(theme.mono, beside.text), left = at.x + view.number_width;
        draw_text_within(theme.mono, {std::max(right - width, left), at.y}, right - left,
                         beside.differs ? theme.warning : theme.ink_quiet, beside.text);
        return;
    }
    if (cost.shared.there)
        draw_pair(view, cost.shared, {right, at.y}, cost.conflicts() ? theme.warning : theme.ink_quiet);
    if (cost.global.there && (view.two_columns || !cost.shared.there))
        draw_pair(view, cost.global, {view.two_columns ? right - view.cost_width : right, at.y}, theme.ink_faint);
}

void SourceLines::point_out(State& state, const View& view, std::size_t line) const
{
    state.hint = help_of(view, line);
    if (view.shown.code != nullptr)
        if (const std::string sentence = view.shown.code->sentence(static_cast<uint32_t>(line + 1)); !sentence.empty())
            state.hint += " · " + sentence;
}

std::string SourceLines::help_of(const View& view, std::size_t line) const
{
    const std::string number = fmt::format("line {}", line + 1);
    if (view.shown.code != nullptr) {
        const std::string& beside = view.shown.code->beside(static_cast<uint32_t>(line + 1)).text;
        return number + " · in the machine code: " + (beside.empty() ? "nothing" : beside);
    }
    const Cost& cost = costs_[line + 1];
    const viz::Rich waits = view.shown.hides_costs ? viz::Rich() : waits_at(static_cast<uint32_t>(line + 1));
    const auto given = given_.find(static_cast<uint32_t>(line + 1));
    const std::string gave =
        given == given_.end() || view.shown.hides_costs ? "" : " · for the selected thread " + given->second.names;
    if ((!cost.there() && waits.empty()) || view.shown.hides_costs)
        return number + gave + (gave.empty() ? ": " : " · ") + "accesses no memory";
    std::string said = number + gave;
    if (cost.shared.there)
        said += " · shared memory, wavefronts · conflicts: " + cost.shared.text();
    if (cost.global.there)
        said += " · global memory, requests · sectors: " + cost.global.text();
    if (!waits.empty())
        said += " · " + viz::plain(waits);
    return said + (cost.there() ? " · of the whole launch · click: next access of this line" : "");
}

} // namespace app
