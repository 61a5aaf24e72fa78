#include "viz/views/06_gpu/level_pictures.h"

#include "viz/text/figures.h"
#include "viz/text/templates.h"

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
        mark(picture.frame.marks, "share:" + kept.parts[i].name, part);
        x += width;
    }
    list->AddRectFilled({end - theme.px(1), box.min.y - theme.px(2)}, {end + theme.px(1), box.max.y + theme.px(2)},
                        sum > kept.room ? theme.warning : theme.ink);
    if (const std::string words = plain({"device.full", {{"room", bytes(kept.room)}}}); sum > kept.room) {
        const ImVec2 size = draw::measure(theme.mono, words);
        const ImVec2 at{end + theme.px(3), box.min.y};
        if (size.y <= box.height() && at.x + size.x + theme.px(4) <= box.max.x) {
            list->AddRectFilled(at, {at.x + size.x + theme.px(4), at.y + size.y}, theme.background);
            draw::text(list, theme.mono, {at.x + theme.px(2), at.y}, theme.warning, words);
            mark(picture.frame.marks, "room ends:" + kept.level, at, {at.x + size.x, at.y + size.y});
        }
    }
    if (draw::pointed_at(box))
        picture.frame.point_out(kept.message);
}

// In one row: its name and size, the latency and the bandwidth.
void write_level(const GpuPicture& picture, const MemoryLevel& level, const draw::Box& place)
{
    const Theme& theme = picture.frame.theme;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float y = place.min.y + theme.px(1);
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
    draw::text(list, theme.text, {place.min.x + theme.px(6), y}, theme.ink, name);
    const auto right = [&](float share, const std::string& words) {
        draw::text_right(list, theme.mono, {place.min.x + place.width() * share - theme.px(4), y}, theme.ink_quiet,
                         words);
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
}

} // namespace

void draw_levels(const GpuPicture& picture, const std::vector<LevelContents>& kept, const draw::Box& whole_box)
{
    const Theme& theme = picture.frame.theme;
    draw::Box box = whole_box;
    box.min.y += draw_gpu_label(
        picture, box, {"device.levels_label", {{"gpu", picture.gpu.name}, {"measured", picture.measured != nullptr}}},
        {"device.levels_brief", {{"gpu", picture.gpu.name}}}, true);
    const std::vector<MemoryLevel> levels = memory_levels(picture.gpu, picture.measured);
    const float label = draw::row_height(theme, 2);
    const auto kept_at = [&](const MemoryLevel& level) { // where there is nothing there are words alone
        std::vector<const LevelContents*> there;
        for (const LevelContents& one : kept)
            if (one.level == level.name && one.room > 0)
                there.push_back(&one);
        return there;
    };
    const float low = std::min(label + theme.px(6), box.height() / static_cast<float>(levels.size()));
    const auto high = static_cast<float>(
        std::ranges::count_if(levels, [&](const MemoryLevel& level) { return !kept_at(level).empty(); }));
    const float rest = box.height() - low * (static_cast<float>(levels.size()) - high);
    float y = box.min.y;
    for (const MemoryLevel& level : levels) {
        const std::vector<const LevelContents*> there = kept_at(level);
        const float row = there.empty() ? low : rest / high;
        const draw::Box place{{box.min.x, y}, {box.max.x, y + row - theme.px(4)}};
        ImGui::GetWindowDrawList()->AddRectFilled(place.min, place.max, theme.panel, theme.px(4));
        if (draw::pointed_at(place))
            picture.frame.point_out(level_message(picture, level));
        write_level(picture, level, place);
        float top = y + label + theme.px(2);
        const float height = (place.max.y - top - theme.px(4)) / std::max(static_cast<float>(there.size()), 1.0f);
        for (const LevelContents* const one : there) {
            if (height >= theme.px(4))
                draw_kept(picture, *one, {{place.min.x, top}, {place.max.x, top + height - theme.px(2)}});
            top += height;
        }
        mark(picture.frame.marks, "level:" + level.name, place);
        y += row;
    }
}

} // namespace viz
