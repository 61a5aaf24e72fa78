#include "viz/views/06_gpu/gpu_pictures.h"

#include "viz/analysis/occupancy.h"
#include "viz/draw/plot.h"
#include "viz/text/figures.h"
#include "viz/text/templates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace viz {

namespace {

std::vector<SmGroup> groups_shown(const GpuPicture& picture)
{
    std::vector<SmGroup> groups = picture.other ? std::vector<SmGroup>() : sm_groups(picture.gpu, picture.measured);
    if (!groups.empty())
        return groups;
    SmGroup all{.known = false};
    for (uint32_t sm = 0; sm < (picture.other ? picture.typed.sms : picture.gpu.sm_count); ++sm)
        all.sms.push_back(sm);
    return {std::move(all)};
}

// Groups one after the other, as blocks of cells, in rows of the box's width.
class MapLayout {
public:
    MapLayout(const std::vector<SmGroup>& all, const draw::Box& box, ImVec2 cell_size, float space)
        : groups(all), cell(cell_size.x), cell_high(cell_size.y), gap(space)
    {
        float x = box.min.x, y = box.min.y, tallest = 0;
        for (const SmGroup& group : groups) {
            const auto count = static_cast<float>(group.sms.size());
            const float most = std::max(std::floor(box.width() / cell), 1.0f);
            const float columns = groups.size() == 1 ? most : std::min({count, 6.0f, most});
            const float width = columns * cell, height = std::ceil(count / columns) * cell_high;
            if (x > box.min.x && x + width > box.max.x) {
                x = box.min.x;
                y += tallest + gap;
                tallest = 0;
            }
            places.push_back({{x, y}, columns});
            x += width + gap;
            tallest = std::max(tallest, height);
        }
        end = y + tallest;
    }

    draw::Box box_of(std::size_t group, std::size_t index) const
    {
        const auto columns = static_cast<std::size_t>(places[group].columns);
        const ImVec2 corner{places[group].corner.x + cell * static_cast<float>(index % columns),
                            places[group].corner.y + cell_high * static_cast<float>(index / columns)};
        return {corner,
                {corner.x + cell - std::max(1.0f, cell * 0.06f), corner.y + cell_high - std::max(1.0f, cell * 0.06f)}};
    }

    ImVec2 end_of(std::size_t group) const // lower right corner of a group
    {
        const auto columns = static_cast<std::size_t>(places[group].columns), count = groups[group].sms.size();
        return {box_of(group, std::min(columns, count) - 1).max.x, box_of(group, count - 1).max.y};
    }
    float bottom() const { return end; }

private:
    struct Place {
        ImVec2 corner;
        float columns = 1;
    };
    const std::vector<SmGroup>& groups;
    std::vector<Place> places;
    float cell, cell_high, gap, end = 0;
};

void draw_part(const GpuPicture& picture, const draw::Box& box, Colour face, const std::string& words,
               const Message& message)
{
    const Theme& theme = picture.frame.theme;
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->AddRectFilled(box.min, box.max, face, theme.px(2));
    draw::text_in(list, theme.mono, box, ink_on(face), words);
    if (draw::pointed_at(box))
        picture.frame.point_out(message);
}

// Of one scheduler: its registers, its lanes and its tensor core.
void draw_scheduler(const GpuPicture& picture, const draw::Box& box)
{
    const Theme& theme = picture.frame.theme;
    const uint32_t lanes = typed_of(picture.gpu).lanes / sm_parts, warps = picture.gpu.threads_per_sm / 32 / sm_parts;
    const uint32_t registers = picture.gpu.registers_per_sm / sm_parts;
    const float gap = theme.px(3), unit = (box.height() - 5 * gap) / 10;
    ImGui::GetWindowDrawList()->AddRectFilled(box.min, box.max, theme.panel, theme.px(4));
    float y = box.min.y + gap;
    const auto next = [&](float units) {
        const draw::Box part{{box.min.x + gap, y}, {box.max.x - gap, y + unit * units}};
        y = part.max.y + gap;
        return part;
    };
    draw_part(picture, next(1.6f), theme.barrier, "scheduler", {"device.scheduler", {{"warps", warps}}});
    const draw::Box file = next(2.6f);
    const std::string count = thousands(uint64_t{registers}), counts[] = {count + " registers", count};
    draw_part(picture, file, theme.load, draw::first_fitting(theme.mono, file.width(), counts),
              {"device.register_part", {{"registers", registers}}});
    const draw::Box units = next(3.9f);
    const float columns = 8, rows = std::max(1.0f, std::ceil(static_cast<float>(lanes) / columns));
    for (uint32_t lane = 0; lane < lanes; ++lane) {
        const float width = units.width() / columns, height = units.height() / rows;
        const ImVec2 corner{units.min.x + width * static_cast<float>(lane % 8),
                            units.min.y + height * static_cast<float>(lane / 8)};
        ImGui::GetWindowDrawList()->AddRectFilled(corner, {corner.x + width - 1, corner.y + height - 1}, theme.compute);
    }
    if (draw::pointed_at(units))
        picture.frame.point_out({"device.lanes", {{"lanes", lanes}}});
    const std::string names[] = {fmt::format("{} FP32 lanes", lanes), fmt::format("{} lanes", lanes),
                                 std::to_string(lanes)};
    draw::plate_in(ImGui::GetWindowDrawList(), theme, units, names);
    const draw::Box tensor = next(1.9f);
    const std::string core[] = {"tensor core", "tensor"};
    draw_part(picture, tensor, theme.store, draw::first_fitting(theme.mono, tensor.width(), core),
              {"device.tensor_core"});
}

} // namespace

// Above a picture: whose part it shows. The measured GPU's own facts stand out where another one is typed.
float draw_gpu_label(const GpuPicture& picture, const draw::Box& box, const Message& words, const Message& brief,
                     bool of_measured)
{
    const Theme& theme = picture.frame.theme;
    const std::string either[] = {plain(words), plain(brief)},
                      text = draw::first_fitting(theme.text, box.width(), either);
    const ImVec2 size = draw::measure(theme.text, text);
    const Colour ink = of_measured && picture.other ? theme.warning : theme.ink_quiet;
    draw::text(ImGui::GetWindowDrawList(), theme.text, box.min, ink, text);
    mark(picture.frame.marks, "label:" + text, box.min, {box.min.x + size.x, box.min.y + size.y});
    return draw::row_height(theme, 3);
}

void draw_sm_map(const GpuPicture& picture, const draw::Box& whole)
{
    const Theme& theme = picture.frame.theme;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const std::vector<SmGroup> groups = groups_shown(picture);
    std::size_t sms = 0;
    for (const SmGroup& group : groups)
        sms += group.sms.size();
    const auto of_known = static_cast<std::size_t>(std::ranges::count(groups, true, &SmGroup::known));
    draw::Box box = whole;
    const Message all{"device.map", {{"sms", sms}}};
    box.min.y += draw_gpu_label(picture, box,
                                of_known > 0 ? Message{"device.map_groups", {{"sms", sms}, {"groups", of_known}}} : all,
                                all, false);
    const float gap = theme.px(6);
    float side = theme.px(60); // the largest that lets all fit
    while (side > theme.px(6) && MapLayout(groups, box, {side, side}, gap).bottom() > box.max.y)
        side -= theme.px(1);
    float high = side; // rows take what room remains below them
    while (high < 2 * side && MapLayout(groups, box, {side, high + 0.5f}, gap).bottom() <= box.max.y)
        high += 0.5f;
    const MapLayout layout(groups, box, {side, high}, gap);
    const bool numbered = draw::measure(theme.mono, "000").x + theme.px(2) <= side; // all or none
    for (std::size_t g = 0; g < groups.size(); ++g) {
        // Neighbours differ; more groups than a reader can tell by colours have no colours of their own.
        const Colour colour = mix(theme.panel, theme.ink, groups[g].known && g % 2 == 0 ? 0.42f : 0.3f);
        for (std::size_t i = 0; i < groups[g].sms.size(); ++i) {
            const draw::Box place = layout.box_of(g, i);
            list->AddRectFilled(place.min, place.max, colour);
            if (numbered)
                draw::text_in(list, theme.mono, place, ink_on(colour), std::to_string(groups[g].sms[i]));
            if (i == 0)
                mark(picture.frame.marks, fmt::format("group:{}", g), place);
            if (!draw::pointed_at(place))
                continue;
            const Index sm = index(groups[g].sms[i]);
            if (picture.other)
                picture.frame.point_out(
                    {"device.sm_typed", {{"name", picture.typed.name}, {"sms", picture.typed.sms}}});
            else if (groups[g].known)
                picture.frame.point_out({"device.sm_in_group", {{"sm", sm}, {"others", groups[g].sms.size() - 1}}});
            else
                picture.frame.point_out({"device.sm_alone", {{"sm", sm}}});
        }
        if (groups.size() > 1 && !numbered) {
            const std::string count = std::to_string(groups[g].sms.size()), names[] = {count + " SMs", count};
            draw::plate_in(list, theme, {layout.box_of(g, 0).min, layout.end_of(g)}, names);
        }
    }
}

void draw_sm_inside(const GpuPicture& picture, const draw::Box& box)
{
    const Theme& theme = picture.frame.theme;
    const Message inside{"device.inside", {{"gpu", picture.gpu.name}}};
    const float gap = theme.px(6), label = draw_gpu_label(picture, box, inside, inside, true);
    const float memory = std::clamp(box.height() * 0.16f, theme.px(20), theme.px(60));
    const draw::Box units{{box.min.x, box.min.y + label}, {box.max.x, box.max.y - memory - gap}};
    const float width = (units.width() - gap * (sm_parts - 1)) / sm_parts;
    for (uint32_t part = 0; part < sm_parts; ++part) {
        const float x = units.min.x + (width + gap) * static_cast<float>(part);
        draw_scheduler(picture, {{x, units.min.y}, {x + width, units.max.y}});
    }
    const std::vector<MemoryLevel> levels = memory_levels(picture.gpu, picture.measured);
    const double whole = std::max(1.0, static_cast<double>(std::max(levels[2].bytes, levels[1].bytes)));
    const double shared = static_cast<double>(levels[1].bytes);
    const float split = box.min.x + box.width() * static_cast<float>(shared / whole);
    const Message message{"device.shared_and_l1", {{"shared", bytes(shared)}}};
    draw_part(picture, {{box.min.x, units.max.y + gap}, {split - 1, box.max.y}}, category_colour(theme, 6),
              "shared memory " + bytes_words(shared), message);
    if (split < box.max.x)
        draw_part(picture, {{split, units.max.y + gap}, box.max}, category_colour(theme, 0), "L1", message);
}

void draw_ridge(const GpuPicture& picture, const draw::Box& box)
{
    const Theme& theme = picture.frame.theme;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const TypedGpu& gpu = picture.typed;
    if (gpu.gflops() <= 0 || gpu.ridge() <= 0)
        return;
    const double tflops = gpu.gflops() * 1e-3, ridge = gpu.ridge();
    const Plot plot({ridge / 32, ridge * 8, true, 2, plain({"device.axis_intensity"})},
                    {tflops / 40, tflops * 1.6, true, 2, "TFLOPS"}, box, theme);
    plot.draw_axes(list);
    ImGui::PushClipRect(plot.area().min, plot.area().max, true);
    const ImVec2 top = plot.at(ridge, tflops);
    const ImVec2 below[] = {plot.at(ridge / 64, tflops / 64),
                            top,
                            {plot.area().max.x, top.y},
                            {plot.area().max.x, plot.area().max.y + theme.px(200)}};
    list->AddConvexPolyFilled(below, 4, draw::with_alpha(theme.accent(), 0.28f)); // what a kernel can reach
    list->AddLine(below[0], top, theme.accent(), theme.px(2));
    list->AddLine(top, {plot.area().max.x, top.y}, theme.accent(), theme.px(2));
    list->AddLine(top, {top.x, plot.area().max.y}, theme.ink_faint, theme.px(1));
    ImGui::PopClipRect();
    const float radius = theme.px(5);
    list->AddCircleFilled(top, radius, theme.accent());
    draw::text(list, theme.mono_bold, {top.x + theme.px(5), plot.area().max.y - draw::measure(theme.mono, "0").y},
               theme.ink, thousands(ridge));
    mark(picture.frame.marks, "ridge", draw::around(top, radius));
    if (draw::pointed_at(plot.area()))
        picture.frame.point_out({"device.ridge", {{"ridge", number(ridge)}}});
}

} // namespace viz
