#include "viz/views/06_gpu/gpu_pictures.h"

#include "viz/draw/plot.h"
#include "viz/text/figures.h"
#include "viz/text/prose.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace viz {

namespace {

float line_height(const Theme& theme)
{
    return draw::measure(theme.text, "0").y + theme.px(5);
}

std::string bandwidth_words(const std::optional<Ceiling>& bandwidth)
{
    if (!bandwidth)
        return "-";
    return fmt::format("{:.3g} TB/s{}", bandwidth->value * 1e-3, bandwidth->measured ? "" : " *");
}

} // namespace

float draw_sm_map(const GpuPicture& picture, const draw::Box& box)
{
    const Theme& theme = picture.theme;
    ImDrawList* list = ImGui::GetWindowDrawList();
    std::vector<SmGroup> groups = sm_groups(picture.gpu, picture.measured);
    const bool grouped = !groups.empty();
    if (!grouped) {
        SmGroup all{.known = false};
        for (uint32_t sm = 0; sm < picture.gpu.sm_count; ++sm)
            all.sms.push_back(sm);
        groups.push_back(std::move(all));
    }
    // Numbers of three digits, with room between them.
    const float cell = std::max(theme.px(22), draw::measure(theme.mono, "000").x + theme.px(4)), gap = theme.px(2),
                pad = theme.px(5);
    float y = box.min.y;
    float x = box.min.x, tallest = 0;
    for (std::size_t g = 0; g < groups.size(); ++g) {
        const std::size_t count = groups[g].sms.size();
        const std::size_t columns = grouped ? std::min<std::size_t>(count, 6)
                                            : static_cast<std::size_t>(std::max(1.0f, box.width() / (cell + gap) - 1));
        const std::size_t rows = (count + columns - 1) / columns;
        const float width = static_cast<float>(columns) * (cell + gap) + 2 * pad;
        const float height = static_cast<float>(rows) * (cell + gap) + 2 * pad;
        if (x > box.min.x && x + width > box.max.x) {
            x = box.min.x;
            y += tallest + theme.px(6);
            tallest = 0;
        }
        list->AddRectFilled({x, y}, {x + width, y + height}, theme.panel, theme.px(4));
        const Colour colour = groups[g].known ? category_colour(theme, static_cast<uint32_t>(g)) : theme.ink_faint;
        for (std::size_t i = 0; i < count; ++i) {
            const ImVec2 corner{x + pad + static_cast<float>(i % columns) * (cell + gap),
                                y + pad + static_cast<float>(i / columns) * (cell + gap)};
            const draw::Box place{corner, {corner.x + cell, corner.y + cell}};
            list->AddRectFilled(place.min, place.max, colour);
            draw::text_in(list, theme.mono, place, ink_on(colour), std::to_string(groups[g].sms[i]));
            if (i == 0)
                mark(picture.marks, fmt::format("group:{}", g), place.min, place.max);
            if (place.holds(ImGui::GetMousePos()) && ImGui::IsWindowHovered())
                picture.hint = groups[g].known
                                   ? fmt::format("SM {} ran clusters together with {} others: they share a GPC",
                                                 groups[g].sms[i], count - 1)
                                   : fmt::format("SM {}: nobody told which GPC it belongs to", groups[g].sms[i]);
        }
        x += width + theme.px(6);
        tallest = std::max(tallest, height);
    }
    return y + tallest - box.min.y;
}

float draw_levels(const GpuPicture& picture, const draw::Box& box)
{
    const Theme& theme = picture.theme;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float line = line_height(theme);
    const float size = box.min.x + theme.px(230), cycles = size + theme.px(70), ns = cycles + theme.px(78);
    const float bandwidth = ns + theme.px(104), per_clock = bandwidth + theme.px(84);
    float y = box.min.y;
    const auto heading = [&](float right, const char* words) {
        draw::text_right(list, theme.text, {right, y}, theme.ink_faint, words);
    };
    heading(size, "size");
    heading(cycles, "cycles");
    heading(ns, "latency");
    heading(bandwidth, "bandwidth");
    heading(per_clock, "B/clock/SM");
    y += line;
    for (const MemoryLevel& level : memory_levels(picture.gpu, picture.measured)) {
        list->AddRectFilled({box.min.x, y - theme.px(2)}, {box.max.x, y - theme.px(1)}, theme.border);
        draw::text(list, theme.text, {box.min.x, y}, theme.ink, level.name);
        const std::string bytes = level.bytes == 0 ? "not known"
                                                   : bytes_words(static_cast<double>(level.bytes)) +
                                                         (level.per_sm ? "/SM" : "") + (level.published ? " *" : "");
        draw::text_right(list, theme.mono, {size, y}, theme.ink, bytes);
        draw::text_right(list, theme.mono, {cycles, y}, theme.ink,
                         level.latency ? fmt::format("{:.0f}", level.latency->cycles) : "-");
        draw::text_right(list, theme.mono, {ns, y}, theme.ink_quiet,
                         level.latency ? fmt::format("{:.1f} ns", level.latency->ns) : "-");
        draw::text_right(list, theme.mono, {bandwidth, y}, theme.ink, bandwidth_words(level.bandwidth));
        const double clocks = 1e-6 * picture.gpu.clock_khz * picture.gpu.sm_count; // per nanosecond, of all SMs
        draw::text_right(list, theme.mono, {per_clock, y}, theme.ink_quiet,
                         level.bandwidth && clocks > 0 ? fmt::format("{:.1f}", level.bandwidth->value / clocks) : "-");
        if (per_clock + theme.px(14) + draw::measure(theme.text, level.note).x < box.max.x)
            draw::text(list, theme.text, {per_clock + theme.px(14), y}, theme.ink_faint, level.note);
        mark(picture.marks, "level:" + level.name, {box.min.x, y}, {box.max.x, y + line - 2});
        y += line;
    }
    y +=
        Prose(theme)
            .faint("* not measured: a size that NVIDIA publishes and the driver does not tell, or a bandwidth by clock "
                   "and width. Latency: one load that waits for the one before.")
            .draw(list, {box.min.x, y}, box.width());
    return y - box.min.y;
}

void draw_latency(const GpuPicture& picture, const draw::Box& box)
{
    const Theme& theme = picture.theme;
    ImDrawList* list = ImGui::GetWindowDrawList();
    if (picture.measured == nullptr || picture.measured->latency.empty())
        return;
    const std::vector<recording::Latency>& all = picture.measured->latency;
    constexpr double kib = 1024;
    double most = 1;
    for (const recording::Latency& one : all)
        most = std::max(most, one.cycles);
    const Plot plot({static_cast<double>(all.front().bytes) / kib / 1.5,
                     static_cast<double>(all.back().bytes) / kib * 1.5, true, 4, "KiB walked through"},
                    {0, most * 1.1, false, 10, "cycles that a load waits"}, box, theme);
    plot.draw_axes(list);
    for (const MemoryLevel& level : memory_levels(picture.gpu, picture.measured)) {
        if (level.bytes == 0 || (level.name != "L1" && level.name != "L2"))
            continue;
        const float x = plot.right().at(static_cast<double>(level.bytes) / kib);
        list->AddLine({x, plot.area().min.y}, {x, plot.area().max.y}, theme.warning, theme.px(1));
        // Below the curve, which rises to the right of it.
        const std::string words = "end of " + level.name;
        draw::text(list, theme.text,
                   {x + theme.px(4), plot.area().max.y - draw::measure(theme.text, words).y - theme.px(2)},
                   theme.warning, words);
    }
    std::vector<Curve> curves; // a new one where something between was not measured
    std::vector<const recording::Latency*> begins;
    for (const recording::Latency& one : all) {
        if (&one == all.data() || one.bytes > 2 * (&one - 1)->bytes) {
            curves.push_back({.points = {}, .colour = theme.first, .line = 2, .radius = 3.5f});
            begins.push_back(&one);
        }
        curves.back().points.push_back({static_cast<double>(one.bytes) / kib, one.cycles});
        const ImVec2 at = plot.at(static_cast<double>(one.bytes) / kib, one.cycles);
        mark(picture.marks, fmt::format("latency:{}", one.bytes), {at.x - 3, at.y - 3}, {at.x + 3, at.y + 3});
    }
    for (const Curve& curve : curves)
        plot.draw(list, curve);
    const auto hit = ImGui::IsWindowHovered() ? plot.nearest(curves, ImGui::GetMousePos()) : std::nullopt;
    if (!hit)
        return;
    const recording::Latency& one = begins[hit->curve][hit->point];
    picture.hint = fmt::format("walking through {}: {:.0f} cycles, {:.1f} ns a load",
                               bytes_words(static_cast<double>(one.bytes)), one.cycles, one.ns);
}

float draw_share(const GpuPicture& picture, const std::string& title, const std::vector<Segment>& segments, double room,
                 Colour colour, const draw::Box& box)
{
    const Theme& theme = picture.theme;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float line = line_height(theme), height = theme.px(20);
    double sum = 0;
    for (const Segment& segment : segments)
        sum += segment.bytes;
    Prose words(theme);
    words.say(title + ": ").figure(bytes_words(sum)).say(" of ").figure(bytes_words(room));
    words.say(sum <= room ? fmt::format(", {:.0f}%", 100 * sum / room)
                          : fmt::format(", {:.3g} times as much", sum / room));
    float y = box.min.y + words.draw(list, box.min, box.width());
    const double scale = box.width() / std::max(sum, room);
    list->AddRectFilled({box.min.x, y}, {box.min.x + static_cast<float>(room * scale), y + height}, theme.panel);
    float x = box.min.x;
    for (std::size_t i = 0; i < segments.size(); ++i) {
        const float width = static_cast<float>(segments[i].bytes * scale);
        const draw::Box part{{x, y}, {std::max(x + 1, x + width - 1), y + height}};
        list->AddRectFilled(part.min, part.max, draw::mix(colour, theme.panel, 0.25f * static_cast<float>(i % 2)));
        draw::text_in(list, theme.text, part, ink_on(draw::mix(colour, theme.panel, 0.25f * static_cast<float>(i % 2))),
                      segments[i].name);
        mark(picture.marks, "share:" + segments[i].name, part.min, part.max);
        x += width;
    }
    const float end = box.min.x + static_cast<float>(room * scale);
    list->AddRectFilled({end - theme.px(1), y - theme.px(3)}, {end + theme.px(1), y + height + theme.px(3)}, theme.ink);
    return y + height - box.min.y + line / 2;
}

} // namespace viz
