#include "viz/views/50_occupancy/waits_chart.h"

#include "viz/analysis/waits.h"
#include "viz/board.h"
#include "viz/text/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace viz {

namespace {

constexpr const char* title = "what warps wait for";

struct Side {
    const OccupancyCase* one = nullptr;
    const CountedRun* run = nullptr;
    Waits waits;
};

// Those that any stage waits for, the largest share first.
std::vector<std::string> states_of(const std::vector<Side>& sides)
{
    std::vector<std::string> states;
    for (const Side& side : sides)
        for (const WaitCount& count : side.waits.waits)
            if (std::ranges::find(states, count.state) == states.end())
                states.push_back(count.state);
    const auto largest = [&](const std::string& state) {
        double share = 0;
        for (const Side& side : sides)
            share = std::max(share, side.waits.share_of(state));
        return share;
    };
    std::ranges::stable_sort(states, std::ranges::greater{}, largest);
    return states;
}

class WaitsPainter {
public:
    WaitsPainter(ViewFrame& in, std::span<const OccupancyCase> cases, const draw::Box& place)
        : frame(in), theme(in.theme), list(ImGui::GetWindowDrawList()), box(place)
    {
        for (const OccupancyCase& one : cases)
            if (const CountedRun* run = sampled_run(frame.board, *one.stage))
                sides.push_back({&one, run, waits_of(*run->run)});
        states = states_of(sides);
        line = draw::row_height(theme, 0);
        numbers = draw::measure(theme.mono, "00.0%").x + theme.px(6);
        for (const Side& side : sides)
            for (const WaitCount& count : side.waits.waits)
                most = std::max(most, side.waits.share(count));
    }

    void draw()
    {
        draw::text(list, theme.text, box.min, theme.ink_quiet, title);
        draw_origin(*list, NumberOrigin::counter,
                    {box.min.x + draw::measure(theme.text, title).x + theme.px(10), box.min.y + line / 2},
                    theme.px(3.5f), theme.ink_faint);
        const float top = box.min.y + line + theme.px(3),
                    least = std::max(line, theme.px(7) * static_cast<float>(sides.size()));
        const auto room = static_cast<std::size_t>(std::max((box.max.y - top) / (least + theme.px(3)), 0.0f));
        states.resize(std::min(states.size(), room));
        float names = 0;
        for (const std::string& state : states)
            names = std::max(names, draw::measure(theme.text, state_name(state)).x);
        const float row =
            states.empty() ? 0 : std::min((box.max.y - top) / static_cast<float>(states.size()), 2.2f * line);
        for (std::size_t i = 0; i < states.size(); ++i) {
            const float y = top + row * static_cast<float>(i);
            draw_row(states[i], names + theme.px(8), {{box.min.x, y}, {box.max.x, y + row}});
        }
    }

private:
    void draw_row(const std::string& state, float names, const draw::Box& row)
    {
        draw::text(list, theme.text, {row.min.x, (row.min.y + row.max.y - line) / 2}, theme.ink, state_name(state));
        const float left = row.min.x + names, length = std::max(row.max.x - numbers - left, 1.0f);
        const float height = (row.height() - theme.px(3)) / static_cast<float>(sides.size());
        for (std::size_t i = 0; i < sides.size(); ++i) {
            const double share = sides[i].waits.share_of(state);
            const float y = row.min.y + theme.px(1) + height * static_cast<float>(i);
            const draw::Box bar{{left, y}, {left + length * static_cast<float>(share / most), y + height - 1}};
            list->AddRectFilled(bar.min, {std::max(bar.max.x, left + 1), bar.max.y},
                                theme.accent(sides[i].one->stage->number));
            if (height >= line * 0.8f)
                draw::text(list, theme.mono, {bar.max.x + theme.px(5), (bar.min.y + bar.max.y - line) / 2},
                           theme.ink_quiet, percent(share));
            mark(frame.marks, fmt::format("waits:{} {}", state, sides[i].one->stage->slug), bar);
        }
        if (!draw::pointed_at(row))
            return;
        // The source that is shown is the first stage's.
        const bool first = sides[0].one->stage->number == 0;
        const std::vector<LineWait> lines = first ? lines_waiting(*sides[0].run->run, state) : std::vector<LineWait>();
        frame.point_out(row_message(state, lines));
        if (lines.empty())
            return;
        ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
        if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) { // the next one where one of them is selected
            const auto now = std::ranges::find(lines, frame.selection.line.value_or(0), &LineWait::line);
            frame.selection.line = now == lines.end() || now + 1 == lines.end() ? lines.front().line : (now + 1)->line;
        }
    }

    Message row_message(const std::string& state, const std::vector<LineWait>& lines) const
    {
        constexpr std::size_t most_named = 3;
        Value::Nested at;
        for (const LineWait& one : lines)
            if (at.size() < most_named)
                at.push_back(
                    {"occupancy.wait_line", {{"line", index(one.line)}, {"share", Quantity{one.share, Unit::share}}}});
        Messages where;
        if (!lines.empty())
            where.push_back({"occupancy.wait_lines", {{"lines", std::move(at)}}});
        Value::Nested each;
        for (const Side& side : sides)
            each.push_back(
                {"occupancy.wait_share",
                 {{"stage", side.one->stage->slug}, {"share", Quantity{side.waits.share_of(state), Unit::share}}}});
        return {
            "occupancy.wait",
            {{"state", state_name(state)}, {"words", state_words(state)}, {"each", std::move(each)}, {"where", where}}};
    }

    ViewFrame& frame;
    const Theme& theme;
    ImDrawList* list;
    draw::Box box;
    std::vector<Side> sides;
    std::vector<std::string> states;
    float line = 0, numbers = 0;
    double most = 0;
};

} // namespace

const CountedRun* sampled_run(const Board& board, const StageColumn& stage)
{
    const CountedRun* const run = stage.recording != nullptr ? board.run_of(*stage.recording) : nullptr;
    return run != nullptr && run->run->samples ? run : nullptr;
}

bool has_waits(const Board& board, std::span<const OccupancyCase> cases)
{
    return std::ranges::any_of(cases,
                               [&](const OccupancyCase& one) { return sampled_run(board, *one.stage) != nullptr; });
}

void draw_waits_chart(ViewFrame& frame, std::span<const OccupancyCase> cases, const draw::Box& box)
{
    WaitsPainter(frame, cases, box).draw();
}

Messages stage_wait_messages(const Board& board, const StageColumn& stage)
{
    const CountedRun* const run = sampled_run(board, stage);
    if (run == nullptr)
        return {};
    Messages said{
        {"occupancy.waits",
         {{"stage", stage.slug}, {"size", size_words(run->problem)}, {"each", reason_messages(waits_of(*run->run))}}}};
    for (Message& one : sample_messages(*run->run->samples))
        said.push_back(std::move(one));
    return said;
}

} // namespace viz
