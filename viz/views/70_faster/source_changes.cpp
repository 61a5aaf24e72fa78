#include "viz/views/70_faster/facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <utility>

namespace viz {

namespace {

constexpr std::size_t lines_around = 2;
constexpr float letters_before = 6; // for the line number and the sign

std::size_t indentation(const std::string& text)
{
    return std::min(text.find_first_not_of(' '), text.size());
}

// Returns the lines of the stage's own file, followed by those of its kernel's file if it uses another stage's kernel.
std::vector<SourceLine> lines_of(const recording::Recording& recording, bool with_comments)
{
    std::vector<SourceLine> lines = kernel_lines(recording.sources.at(0).text, with_comments);
    if (recording.body == 0)
        return lines;
    for (SourceLine& line : kernel_lines(recording.source().text, with_comments)) {
        line.file = recording.body;
        lines.push_back(std::move(line));
    }
    return lines;
}

// Returns the file that a line's number refers to.
std::string file_of(const DiffLine& line, const recording::Recording& before, const recording::Recording& after)
{
    const recording::Recording& of = line.change == Change::removed ? before : after;
    return std::filesystem::path(of.sources.at(line.file).name).filename();
}

} // namespace

bool same_kernel(const recording::Recording& a, const recording::Recording& b)
{
    return std::ranges::equal(kernel_lines(a.source().text, false), kernel_lines(b.source().text, false), {},
                              &SourceLine::text, &SourceLine::text);
}

std::string language(const recording::Recording& recording)
{
    const std::string name = std::filesystem::path(recording.source().name).extension().string();
    return name.empty() ? name : name.substr(1);
}

SourceChanges::SourceChanges(const RecordingPtr& after, const RecordingPtr& before, bool with_comments)
    : after_(after), before_(before)
{
    hunks_ = added_first(
        hunks_of(diff_lines(lines_of(*before, with_comments), lines_of(*after, with_comments)), lines_around));
    for (const Hunk& hunk : hunks_)
        for (const DiffLine& line : hunk) {
            removed_ += line.change == Change::removed ? 1 : 0;
            added_ += line.change == Change::added ? 1 : 0;
        }
}

// Removes indentation common to all lines of a hunk. If a stage uses another stage's kernel, its lines come from two
// files.
void SourceChanges::lay_out(const Theme& theme, float width)
{
    const float letter = draw::measure(theme.mono, "0").x;
    const auto letters = static_cast<std::size_t>(std::max(width / letter - letters_before - 1, 16.0f));
    if (std::exchange(letters_, letters) == letters)
        return;
    rows_.clear();
    const bool names = before_->body != 0 || after_->body != 0;
    std::string file;
    for (const Hunk& hunk : hunks_) {
        std::size_t common = std::string::npos;
        for (const DiffLine& line : hunk)
            common = std::min(common, indentation(line.text));
        bool separate = !rows_.empty();
        const std::size_t from = rows_.size();
        for (const DiffLine& line : hunk) {
            std::string next = names ? file_of(line, *before_, *after_) : "";
            if (std::exchange(separate, false) || next != file)
                rows_.push_back({nullptr, next != file ? next : ""});
            file = std::move(next);
            rows_.push_back({&line, line.text.substr(std::min(common, line.text.size()))});
        }
        for (std::size_t i = from; i < rows_.size(); ++i)
            if (rows_[i].line != nullptr)
                wrap(i);
    }
}

// Wraps a long line with extra indentation.
void SourceChanges::wrap(std::size_t row)
{
    const std::string whole = rows_[row].text;
    if (whole.size() <= letters_)
        return;
    std::size_t end = whole.rfind(' ', letters_);
    const std::size_t begin = indentation(whole);
    if (end == std::string::npos || end <= begin)
        end = letters_;
    const std::string rest = whole.substr(std::min(whole.find_first_not_of(' ', end), whole.size()));
    const std::size_t further = std::min(rows_[row].continued ? begin : begin + 4, letters_ / 2);
    rows_[row].text = whole.substr(0, end);
    if (!rest.empty())
        rows_.insert(rows_.begin() + static_cast<std::ptrdiff_t>(row) + 1,
                     {rows_[row].line, std::string(further, ' ') + rest, true});
}

void SourceChanges::draw_row(const Theme& theme, const Row& row, const draw::Box& box, float letter) const
{
    ImDrawList* list = ImGui::GetWindowDrawList();
    const DiffLine& line = *row.line;
    const bool changed = line.change != Change::none, added = line.change == Change::added;
    const Colour accent = theme.accent(added ? 0 : 1);
    if (changed)
        list->AddRectFilled(box.min, box.max, mix(theme.background, accent, 0.2f));
    if (changed && !row.continued)
        draw::text(list, theme.mono_bold, {box.min.x + letter * 4.5f, box.min.y}, accent, added ? "+" : "\xe2\x88\x92");
    if (!row.continued)
        draw::text(list, theme.mono, box.min, theme.ink_faint,
                   fmt::format("{:>4}", line.after != 0 ? line.after : line.before));
    draw::text(list, theme.mono, {box.min.x + letter * letters_before, box.min.y},
               changed ? theme.ink : theme.ink_quiet, row.text);
}

float SourceChanges::height(const Theme& theme, float width)
{
    const ImVec2 padding = ImGui::GetStyle().WindowPadding;
    lay_out(theme, width - 2 * padding.x);
    return draw::row_height(theme, 2, theme.mono) * static_cast<float>(rows_.size()) + 2 * padding.y + theme.px(2);
}

void SourceChanges::draw(const Theme& theme, const draw::Box& box, Marks* marks)
{
    ImGui::SetCursorScreenPos(box.min);
    ImGui::PushStyleColor(ImGuiCol_ChildBg, theme.background);
    ImGui::BeginChild("source changes", {std::max(1.0f, box.width()), std::max(1.0f, box.height())}, true);
    const float letter = draw::measure(theme.mono, "0").x;
    const float height = draw::row_height(theme, 2, theme.mono), width = ImGui::GetContentRegionAvail().x;
    lay_out(theme, width);
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 clip_min = list->GetClipRectMin(), clip_max = list->GetClipRectMax();
    bool marked[2] = {false, false}; // the first visible line of each kind
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const ImVec2 at{corner.x, corner.y + height * static_cast<float>(i)};
        if (at.y + height < clip_min.y || at.y > clip_max.y)
            continue;
        const draw::Box row{at, {at.x + width, at.y + height}};
        if (rows_[i].line == nullptr) {
            const float middle = std::round(at.y + height / 2);
            draw::text(list, theme.mono, at, theme.ink_quiet, rows_[i].text);
            const float name = letter * static_cast<float>(rows_[i].text.size() + (rows_[i].text.empty() ? 0 : 1));
            list->AddRectFilled({at.x + name, middle}, {row.max.x, middle + 1}, theme.border);
            continue;
        }
        draw_row(theme, rows_[i], row, letter);
        const Change change = rows_[i].line->change;
        if (change == Change::none || at.y < clip_min.y || row.max.y > clip_max.y)
            continue;
        if (!std::exchange(marked[change == Change::added ? 1 : 0], true))
            mark(marks, change == Change::added ? "line:added" : "line:removed", at, row.max);
    }
    ImGui::Dummy({width, height * static_cast<float>(rows_.size())});
    ImGui::EndChild();
    ImGui::PopStyleColor();
}

} // namespace viz
