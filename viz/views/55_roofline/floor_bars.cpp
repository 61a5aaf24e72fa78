#include "viz/views/55_roofline/floor_bars.h"

#include "viz/text/figures.h"

#include <algorithm>
#include <string>

namespace viz {

namespace {

constexpr float between_rows = 4; // pixels at scale 1

struct FloorBar {
    const char* name;
    double ms;
    Colour colour;
    std::string mark;
};

double taken_ms(const TimedFloor& stage)
{
    return stage.floor.flops / stage.rung->speed->gflops * 1e-6;
}

// What the first stage's work needs at least, and what each stage takes.
std::vector<FloorBar> bars_of(const ChartFrame& frame, const std::vector<TimedFloor>& stages)
{
    const Theme& theme = frame.theme;
    std::vector<FloorBar> bars;
    const Floor& least = stages.front().floor;
    const auto longer = [&](bool memory) { return least.memory_bound() == memory; };
    if (least.memory_ms)
        bars.push_back({"bytes", *least.memory_ms, longer(true) ? theme.good : theme.ink_faint, "least:bytes"});
    if (least.arithmetic_ms)
        bars.push_back(
            {"FLOP", *least.arithmetic_ms, longer(false) ? theme.good : theme.ink_faint, "least:arithmetic"});
    for (const TimedFloor& stage : stages)
        bars.push_back(
            {"takes", taken_ms(stage), frame.emphasis.colour(theme, stage.rung->slug), "takes:" + stage.rung->slug});
    return bars;
}

} // namespace

float floor_bars_height(const Theme& theme, const std::vector<TimedFloor>& stages)
{
    return draw::row_height(theme, between_rows) * static_cast<float>(stages.size() + 2) + 2 * theme.px(8);
}

void draw_floor_bars(const ChartFrame& frame, const std::vector<TimedFloor>& stages, const draw::Box& box)
{
    if (stages.empty() || !(stages.front().floor.memory_ms || stages.front().floor.arithmetic_ms))
        return;
    const Theme& theme = frame.theme;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const std::vector<FloorBar> bars = bars_of(frame, stages);
    double most = 0;
    for (const FloorBar& bar : bars)
        most = std::max(most, bar.ms);
    const float line = draw::row_height(theme, between_rows), pad = theme.px(8);
    const float wide = std::min(box.width() * 0.34f, theme.px(330)), high = line * static_cast<float>(bars.size());
    const float name = draw::measure(theme.text, "takes").x + theme.px(8);
    const float number = draw::measure(theme.mono_bold, "000 µs").x + theme.px(8);
    const draw::Box inner{{box.max.x - wide - pad, box.max.y - high - pad}, {box.max.x - pad, box.max.y - pad}};
    const float room = inner.width() - name - number;
    if (room < theme.px(24) || high > box.height() * 0.3f)
        return;
    list->AddRectFilled({inner.min.x - pad, inner.min.y - pad}, {inner.max.x + pad, inner.max.y + pad},
                        draw::with_alpha(theme.panel, 0.94f), theme.px(4));
    const auto least = stages.front().floor.least_ms();
    const float x =
        inner.min.x + name + room * static_cast<float>(least.value_or(0) / most); // no stage can be left of it
    float y = inner.min.y;
    for (const FloorBar& bar : bars) {
        const float end = inner.min.x + name + std::max(1.0f, room * static_cast<float>(bar.ms / most));
        draw::text(list, theme.text, {inner.min.x, y}, theme.ink_quiet, bar.name);
        list->AddRectFilled({inner.min.x + name, y + theme.px(3)}, {end, y + line - theme.px(3)}, bar.colour);
        draw::text(list, theme.mono_bold, {std::max(end, x) + theme.px(6), y + theme.px(1)}, theme.ink,
                   time_words(bar.ms * 1e6));
        mark(frame.marks, bar.mark, {inner.min.x + name, y}, {end, y + line});
        y += line;
    }
    if (!least)
        return;
    list->AddLine({x, inner.min.y}, {x, y}, theme.good, theme.px(2));
}

} // namespace viz
