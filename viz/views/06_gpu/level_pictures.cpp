#include "viz/views/06_gpu/level_pictures.h"

#include "viz/draw/plot.h"
#include "viz/text/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace viz {

namespace {

std::string size_of(const MemoryLevel& level)
{
    if (level.bytes == 0)
        return "?";
    return bytes_words(static_cast<double>(level.bytes)) + (level.per_sm ? "/SM" : "") +
           (level.published ? " with shared" : "");
}

Message level_message(const GpuPicture& picture, const MemoryLevel& level)
{
    Messages latency, bandwidth;
    if (level.latency)
        latency.push_back({"device.level_latency",
                           {{"cycles", with_decimals(level.latency->cycles, 0)},
                            {"ns", with_decimals(level.latency->ns, 1)},
                            {"bytes", bytes(static_cast<double>(level.latency->bytes))}}});
    const double clocks = 1e-6 * picture.gpu.clock_khz * picture.gpu.sm_count; // per nanosecond, of all SMs
    if (level.bandwidth && clocks > 0)
        bandwidth.push_back({"device.level_bandwidth",
                             {{"bandwidth", number(level.bandwidth->value * 1e-3)},
                              {"measured", level.bandwidth->measured},
                              {"per_clock", number(level.bandwidth->value / clocks)}}});
    return {"device.level",
            {{"name", level.name},
             {"size", size_of(level)},
             {"note", level.note},
             {"latency", latency},
             {"bandwidth", bandwidth}}};
}

// Over 100 % the parts go on to the right of the line.
void draw_kept(const GpuPicture& picture, const LevelContents& kept, const draw::Box& box)
{
    const Theme& theme = picture.frame.theme;
    ImDrawList* list = ImGui::GetWindowDrawList();
    double sum = 0;
    for (const LevelContents::Part& part : kept.parts)
        sum += part.bytes;
    const double scale = box.width() / std::max(sum, kept.room);
    const float end = box.min.x + static_cast<float>(kept.room * scale);
    list->AddRectFilled(box.min, {end, box.max.y}, draw::empty_colour(theme));
    float x = box.min.x;
    for (std::size_t i = 0; i < kept.parts.size(); ++i) {
        const float width = static_cast<float>(kept.parts[i].bytes * scale);
        const draw::Box part{{x, box.min.y}, {std::max(x + 1, x + width - 1), box.max.y}};
        const Colour face = mix(kept.colour, theme.panel, 0.25f * static_cast<float>(i % 2));
        list->AddRectFilled(part.min, part.max, face);
        draw::text_in(list, theme.mono, part, ink_on(face), kept.parts[i].name);
        mark(picture.frame.marks, "share:" + kept.parts[i].name, part.min, part.max);
        x += width;
    }
    list->AddRectFilled({end - theme.px(1), box.min.y - theme.px(2)}, {end + theme.px(1), box.max.y + theme.px(2)},
                        sum > kept.room ? theme.warning : theme.ink);
    if (const std::string words = "full: " + bytes_words(kept.room); sum > kept.room) {
        const ImVec2 size = draw::measure(theme.mono, words);
        const ImVec2 at{end + theme.px(3), box.min.y};
        if (size.y <= box.height() && at.x + size.x + theme.px(4) <= box.max.x) {
            list->AddRectFilled(at, {at.x + size.x + theme.px(4), at.y + size.y}, theme.background);
            draw::text(list, theme.mono, {at.x + theme.px(2), at.y}, theme.warning, words);
            mark(picture.frame.marks, "room ends:" + kept.level, at, {at.x + size.x, at.y + size.y});
        }
    }
    if (ImGui::IsWindowHovered() && box.holds(ImGui::GetMousePos()))
        picture.frame.point_out(kept.message);
}

} // namespace

void draw_levels(const GpuPicture& picture, const std::vector<LevelContents>& kept, const draw::Box& whole_box)
{
    const Theme& theme = picture.frame.theme;
    draw::Box box = whole_box;
    box.min.y += draw_gpu_label(
        picture, box, {"device.levels_label", {{"gpu", picture.gpu.name}, {"measured", picture.measured != nullptr}}},
        {"device.levels_brief", {{"gpu", picture.gpu.name}}}, true);
    ImDrawList* list = ImGui::GetWindowDrawList();
    const std::vector<MemoryLevel> levels = memory_levels(picture.gpu, picture.measured);
    const float label = std::ceil(draw::measure(theme.text, "0").y + theme.px(2));
    // Where nothing is kept there are words alone.
    const auto holds = [&](const MemoryLevel& level) {
        return std::ranges::any_of(kept,
                                   [&](const LevelContents& one) { return one.level == level.name && one.room > 0; });
    };
    const float low = std::min(label + theme.px(6), box.height() / static_cast<float>(levels.size()));
    const auto high = static_cast<float>(std::ranges::count_if(levels, holds));
    const float rest = box.height() - low * (static_cast<float>(levels.size()) - high);
    float y = box.min.y;
    for (const MemoryLevel& level : levels) {
        const float row = holds(level) ? rest / high : low;
        const draw::Box place{{box.min.x, y}, {box.max.x, y + row - theme.px(4)}};
        list->AddRectFilled(place.min, place.max, theme.panel, theme.px(4));
        if (ImGui::IsWindowHovered() && place.holds(ImGui::GetMousePos()))
            picture.frame.point_out(level_message(picture, level));
        std::string name = level.name, size = size_of(level);
        const auto fit = [&] {
            return draw::measure(theme.text, name).x + draw::measure(theme.mono, size).x + theme.px(16) <
                   place.width() * 0.54f;
        };
        if (!fit()) // the first word, and then the number and its unit
            name = name.substr(0, name.find(' '));
        if (!fit())
            size = size.substr(0, size.find(" with"));
        if (!fit())
            size = size.substr(0, size.find('/'));
        draw::text(list, theme.text, {place.min.x + theme.px(6), y + theme.px(1)}, theme.ink, name);
        const auto right = [&](float share, const std::string& words) {
            draw::text_right(list, theme.mono, {place.min.x + place.width() * share - theme.px(4), y + theme.px(1)},
                             theme.ink_quiet, words);
        };
        right(0.54f, size);
        const std::string speed = level.bandwidth ? fmt::format("{:.3g} TB/s{}", level.bandwidth->value * 1e-3,
                                                                level.bandwidth->measured ? "" : "*")
                                                  : "";
        if (level.latency) { // without its unit where the bandwidth leaves no room for that
            const std::string cycles = fmt::format("{:.0f}", level.latency->cycles);
            const bool room = draw::measure(theme.mono, speed).x + theme.px(6) <= place.width() * 0.24f;
            right(room ? 0.76f : 0.7f, room ? cycles + " cyc" : cycles);
        }
        right(1, speed);
        const auto here = [&](const LevelContents& one) { return one.level == level.name && one.room > 0; };
        const auto bars = static_cast<float>(std::ranges::count_if(kept, here));
        float top = y + label + theme.px(2);
        const float height = (place.max.y - top - theme.px(4)) / std::max(bars, 1.0f);
        for (const LevelContents& one : kept) {
            if (!here(one) || height < theme.px(4))
                continue;
            draw_kept(picture, one, {{place.min.x, top}, {place.max.x, top + height - theme.px(2)}});
            top += height;
        }
        mark(picture.frame.marks, "level:" + level.name, place.min, place.max);
        y += row;
    }
}

void draw_latency(const GpuPicture& picture, const draw::Box& box)
{
    const Theme& theme = picture.frame.theme;
    ImDrawList* list = ImGui::GetWindowDrawList();
    if (picture.measured == nullptr || picture.measured->latency.empty())
        return;
    const std::vector<recording::Latency>& all = picture.measured->latency;
    constexpr double kib = 1024;
    double most = 1;
    for (const recording::Latency& one : all)
        most = std::max(most, one.cycles);
    const char* const name = "cycles that a load waits";
    const bool room = draw::measure(theme.text, name).x <= box.width();
    const Plot plot({static_cast<double>(all.front().bytes) / kib / 1.5,
                     static_cast<double>(all.back().bytes) / kib * 1.5, true, 4, "KiB walked through"},
                    {0, most * 1.1, false, 10, room ? name : "cycles"}, box, theme);
    plot.draw_axes(list);
    for (const MemoryLevel& level : memory_levels(picture.gpu, picture.measured)) {
        if (level.bytes == 0 || (level.name != "L1" && level.name != "L2"))
            continue;
        const float x = plot.right().at(static_cast<double>(level.bytes) / kib);
        list->AddLine({x, plot.area().min.y}, {x, plot.area().max.y}, theme.warning, theme.px(1));
        const ImVec2 size = draw::measure(theme.text, level.name);
        draw::text(list, theme.text, {x - size.x - theme.px(4), plot.area().min.y + theme.px(2)}, theme.warning,
                   level.name);
    }
    std::vector<Curve> curves; // a new one where something between was not measured
    for (const recording::Latency& one : all) {
        if (&one == all.data() || one.bytes > 2 * (&one - 1)->bytes) {
            curves.push_back({.points = {}, .colour = theme.first, .line = 2, .radius = 3.5f});
        }
        curves.back().points.push_back({static_cast<double>(one.bytes) / kib, one.cycles});
        const ImVec2 at = plot.at(static_cast<double>(one.bytes) / kib, one.cycles);
        mark(picture.frame.marks, fmt::format("latency:{}", one.bytes), {at.x - 3, at.y - 3}, {at.x + 3, at.y + 3});
    }
    for (const Curve& curve : curves)
        plot.draw(list, curve);
    const ImVec2 mouse = ImGui::GetMousePos();
    if (!ImGui::IsWindowHovered() || !plot.area().holds(mouse))
        return;
    const auto away = [&](const recording::Latency& one) {
        return std::abs(plot.right().at(static_cast<double>(one.bytes) / kib) - mouse.x);
    };
    const recording::Latency& one = *std::ranges::min_element(all, {}, away);
    picture.frame.point_out({"device.walk",
                             {{"bytes", bytes(static_cast<double>(one.bytes))},
                              {"cycles", with_decimals(one.cycles, 0)},
                              {"ns", with_decimals(one.ns, 1)}}});
}

} // namespace viz
