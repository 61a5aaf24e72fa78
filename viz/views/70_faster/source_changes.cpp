#include "viz/views/70_faster/source_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace viz {

namespace {

constexpr std::size_t lines_around = 2;

struct Columns {
    float number = 0, sign = 0, text = 0;
};

void draw_line(ImDrawList* list, const Theme& theme, const DiffLine& line, ImVec2 at, const Columns& columns,
               const draw::Box& row)
{
    const bool changed = line.change != Change::none;
    const Colour accent = theme.accent(line.change == Change::added ? Accent::first : Accent::second);
    if (changed) {
        list->AddRectFilled(row.min, row.max, draw::mix(theme.background, accent, 0.2f));
        draw::text(list, theme.mono_bold, {at.x + columns.sign, at.y}, accent,
                   line.change == Change::added ? "+" : "\xe2\x88\x92");
    }
    const std::string number = fmt::format("{:>4}", line.after != 0 ? line.after : line.before);
    draw::text(list, theme.mono, {at.x + columns.number, at.y}, theme.ink_faint, number);
    draw::text(list, theme.mono, {at.x + columns.text, at.y}, changed ? theme.ink : theme.ink_quiet, line.text);
}

} // namespace

void SourceChanges::update(const RecordingPtr& before, const RecordingPtr& after, bool with_comments)
{
    if (before == before_ && after == after_ && with_comments == comments_)
        return;
    before_ = before;
    after_ = after;
    comments_ = with_comments;
    hunks_ = hunks_of(diff_lines(kernel_lines(before->source().text, with_comments),
                                 kernel_lines(after->source().text, with_comments)),
                      lines_around);
    rows_.clear();
    removed_ = added_ = longest_ = 0;
    for (const Hunk& hunk : hunks_) {
        if (!rows_.empty())
            rows_.push_back(nullptr);
        for (const DiffLine& line : hunk) {
            rows_.push_back(&line);
            removed_ += line.change == Change::removed ? 1 : 0;
            added_ += line.change == Change::added ? 1 : 0;
            longest_ = std::max(longest_, line.text.size());
        }
    }
}

void SourceChanges::draw(const Theme& theme, const draw::Box& box, Marks* marks) const
{
    ImGui::SetCursorScreenPos(box.min);
    ImGui::PushStyleColor(ImGuiCol_ChildBg, theme.background);
    ImGui::BeginChild("source changes", {std::max(1.0f, box.width()), std::max(1.0f, box.height())}, true,
                      ImGuiWindowFlags_HorizontalScrollbar);
    const ImVec2 letter = draw::measure(theme.mono, "0");
    const float height = std::ceil(letter.y + theme.px(2));
    const Columns columns{0, letter.x * 5, letter.x * 7};
    const float width =
        std::max(columns.text + letter.x * static_cast<float>(longest_ + 1), ImGui::GetContentRegionAvail().x);
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 clip_min = list->GetClipRectMin(), clip_max = list->GetClipRectMax();
    bool marked[2] = {false, false}; // the first line that shows, of each kind
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const ImVec2 at{corner.x, corner.y + height * static_cast<float>(i)};
        if (at.y + height < clip_min.y || at.y > clip_max.y)
            continue;
        if (rows_[i] == nullptr) {
            const float middle = std::round(at.y + height / 2);
            list->AddRectFilled({at.x, middle}, {at.x + width, middle + 1}, theme.border);
            continue;
        }
        const draw::Box row{at, {at.x + width, at.y + height}};
        draw_line(list, theme, *rows_[i], at, columns, row);
        const Change change = rows_[i]->change;
        if (change == Change::none || at.y < clip_min.y || row.max.y > clip_max.y)
            continue;
        const bool added = change == Change::added;
        if (!std::exchange(marked[added ? 1 : 0], true))
            mark(marks, added ? "line:added" : "line:removed", at, {std::min(row.max.x, clip_max.x), row.max.y});
    }
    ImGui::Dummy({width, height * static_cast<float>(rows_.size())});
    ImGui::EndChild();
    ImGui::PopStyleColor();
}

} // namespace viz
