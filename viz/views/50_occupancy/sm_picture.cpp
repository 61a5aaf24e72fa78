#include "viz/views/50_occupancy/sm_picture.h"

#include "viz/draw/prose.h"
#include "viz/text/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace viz {

namespace {

struct Part { // one scheduler's slots
    draw::Box box;
    uint32_t columns = 4, rows = 4;
    float pad = 0;

    draw::Box slot(std::size_t index) const
    {
        const float width = (box.width() - pad) / static_cast<float>(columns);
        const float height = (box.height() - pad) / static_cast<float>(rows);
        const ImVec2 corner{box.min.x + pad + width * static_cast<float>(index % columns),
                            box.min.y + pad + height * static_cast<float>(index / columns)};
        return {corner, {corner.x + width - pad, corner.y + height - pad}};
    }
};

// It may be filled: the limits other than registers leave room for its warp.
void draw_unknown_slot(const SmPicture& picture, const draw::Box& place)
{
    const Theme& theme = picture.frame.theme;
    draw::hatch(ImGui::GetWindowDrawList(), theme, place, theme.ink_faint);
    mark(picture.marks(), "slot:unknown", place);
    if (draw::pointed_at(place))
        picture.frame.point_out({"occupancy.unknown_slot"});
}

void draw_slot(const SmPicture& picture, const draw::Box& place, const ResidentWarp& warp, uint32_t scheduler)
{
    const Theme& theme = picture.frame.theme;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const Colour face = block_colour(picture, warp.block);
    list->AddRectFilled(place.min, place.max, face, theme.px(2));
    draw::text_in(list, theme.mono, place, ink_on(face), std::to_string(warp.warp));
    mark(picture.marks(), fmt::format("slot:{} {}", warp.block, warp.warp), place);
    if (!draw::pointed_at(place))
        return;
    picture.pointed = warp.block;
    picture.frame.point_out(
        {"occupancy.slot",
         {{"warp", index(warp.warp)}, {"block", index(warp.block)}, {"scheduler", index(scheduler)}}});
}

Message bar_message(const SmPicture& picture, Limit limit, const LimitUse& use)
{
    const OccupancyCase& one = picture.one;
    const uint32_t allowed = one.now.allowed[static_cast<std::size_t>(limit)];
    const uint32_t warps = (one.needs.threads + recording::warp_size - 1) / recording::warp_size;
    switch (limit) {
    case Limit::registers: {
        const uint32_t of_warp = registers_of_warp(picture.limits, one.needs.registers);
        return {"occupancy.registers",
                {{"part", picture.limits.registers / sm_parts},
                 {"of_warp", of_warp},
                 {"fit", use.usable / of_warp},
                 {"warps", warps},
                 {"blocks", allowed}}};
    }
    case Limit::shared:
        if (use.per_block == 0)
            return {"occupancy.no_shared"};
        return {"occupancy.shared",
                {{"own", one.needs.shared_bytes},
                 {"reserved", picture.limits.shared_reserved},
                 {"all", use.capacity},
                 {"blocks", allowed}}};
    case Limit::warps: return {"occupancy.warps", {{"warps", warps}, {"most", use.capacity}, {"blocks", allowed}}};
    case Limit::blocks: break;
    }
    return {"occupancy.blocks", {{"blocks", allowed}}};
}

struct RoomBar {
    const SmPicture& picture;
    Limit limit;
    LimitUse use;
    draw::Box box; // of the whole capacity; what does not fit goes on to the right
    const Theme& theme = picture.frame.theme;
    ImDrawList* list = ImGui::GetWindowDrawList();

    float at(uint32_t value) const
    {
        return box.min.x + box.width() * static_cast<float>(value) / static_cast<float>(use.capacity);
    }

    void draw() const
    {
        const uint32_t blocks = picture.one.now.blocks;
        list->AddRectFilled(box.min, box.max, draw::empty_colour(theme));
        mark(picture.marks(), std::string("limit:") + name(), box);
        if (picture.one.unknown())
            return draw_unknown();
        if (use.usable < use.capacity) // no warp fits into what the parts have left over
            list->AddRectFilled({at(use.usable), box.min.y}, box.max, mix(theme.panel, theme.warning, 0.2f));
        for (uint32_t i = 0; i < blocks; ++i)
            draw_block(i);
        if (use.per_block > 0)
            draw_next(blocks);
        list->AddRectFilled({box.max.x - theme.px(1), box.min.y - theme.px(3)},
                            {box.max.x + theme.px(1), box.max.y + theme.px(3)}, theme.ink);
    }

private:
    const char* name() const { return limit_names[static_cast<int>(limit)]; }

    // Only what one block takes is known, and of the registers not even that.
    void draw_unknown() const
    {
        const bool registers = limit == Limit::registers;
        const draw::Box one{{at(0), box.min.y}, {registers ? box.max.x : at(use.per_block), box.max.y}};
        if (registers)
            draw::hatch(list, theme, one, theme.ink_faint);
        else
            list->AddRect(one.min, one.max, theme.accent(picture.one.stage->number), 0, 0, theme.px(1.5f));
    }

    void draw_block(uint32_t block) const
    {
        draw::Box place{{at(use.per_block * block), box.min.y}, {at(use.per_block * (block + 1)), box.max.y}};
        if (place.width() > 3)
            place.max.x -= 1;
        const Colour face = block_colour(picture, block);
        list->AddRectFilled(place.min, place.max, face);
        draw::text_in(list, theme.mono, place, ink_on(face), std::to_string(block));
        if (draw::pointed_at(place))
            picture.pointed = block;
    }

    void draw_next(uint32_t block) const
    {
        const bool fits = use.next_fits(picture.one.now);
        const draw::Box place{{at(use.used(picture.one.now)) + 1, box.min.y},
                              {at(use.used(picture.one.now) + use.per_block), box.max.y}};
        const Colour colour = fits ? theme.good : theme.warning;
        list->AddRectFilled(place.min, place.max, draw::with_alpha(colour, fits ? 0.08f : 0.22f));
        list->AddRect(place.min, place.max, colour, 0, 0, theme.px(1.5f));
        if (!draw::text_in(list, theme.mono, place, colour,
                           fmt::format("{}: {}", block, thousands(uint64_t{use.per_block}))))
            draw::text_in(list, theme.mono, place, colour, std::to_string(block));
        mark(picture.marks(), std::string("next:") + name(), place);
    }
};

// "shared memory  2 x (8,192 + 1,024) of 233,472 bytes", or in short where that is wider than the room.
std::string bar_name(const LimitUse& use, Limit limit, const OccupancyCase& one, const Theme& theme, float room)
{
    constexpr const char* units[limit_count] = {"", " bytes", "", ""};
    const std::string_view name = limit == Limit::registers ? "register file" : limit_names[static_cast<int>(limit)];
    if (one.unknown())
        return std::string(name);
    const std::string sum = thousands(uint64_t{use.per_block});
    std::string parts = sum;
    if (limit == Limit::shared && use.per_block > one.needs.shared_bytes) // what the system keeps and rounding adds
        parts = fmt::format("({} + {})", thousands(uint64_t{one.needs.shared_bytes}),
                            thousands(uint64_t{use.per_block - one.needs.shared_bytes}));
    if (limit == Limit::registers) { // what a thread gets, which is rounded up, and the threads of whole warps
        const uint32_t threads =
            (one.needs.threads + recording::warp_size - 1) / recording::warp_size * recording::warp_size;
        parts = fmt::format("({} × {})", thousands(uint64_t{threads}), use.per_block / threads);
    }
    const auto with = [&](const std::string& each) {
        return fmt::format("{}  {} × {} of {}{}", name, one.now.blocks, each, thousands(uint64_t{use.capacity}),
                           units[static_cast<int>(limit)]);
    };
    return draw::first_fitting(theme.mono, room, std::array{with(parts), with(sum), std::string(name)});
}

// All that there is room for; what limits is never left out.
std::vector<Limit> limits_shown(const SmPicture& picture, float height)
{
    const auto limits_it = [&](Limit limit) { return picture.one.now.limited_by(limit); };
    constexpr std::array limits{Limit::registers, Limit::shared, Limit::warps, Limit::blocks};
    auto others =
        static_cast<std::ptrdiff_t>(height / picture.frame.theme.px(26)) - std::ranges::count_if(limits, limits_it);
    std::vector<Limit> shown;
    for (const Limit limit : limits)
        if (limits_it(limit) || others-- > 0)
            shown.push_back(limit);
    return shown;
}

} // namespace

Colour block_colour(const SmPicture& picture, uint32_t block)
{
    constexpr float quieter[] = {0, 0.45f, 0.22f, 0.6f};
    const Theme& theme = picture.frame.theme;
    const Colour own = mix(theme.accent(picture.one.stage->number), theme.panel, quieter[block % 4]);
    return picture.lit && *picture.lit == block ? mix(own, theme.ink, 0.5f) : own;
}

void draw_warp_slots(const SmPicture& picture, const draw::Box& box)
{
    const Theme& theme = picture.frame.theme;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float label = draw::row_height(theme, 2, theme.mono), gap = theme.px(8);
    const float width = (box.width() - gap * (sm_parts - 1)) / sm_parts;
    const uint32_t slots = picture.limits.warps / sm_parts;
    const auto schedulers = warps_of_schedulers(picture.one.now);
    for (uint32_t part = 0; part < sm_parts; ++part) {
        const float x = box.min.x + (width + gap) * static_cast<float>(part);
        const Part place{{{x, box.min.y + label}, {x + width, box.max.y}}, 4, (slots + 3) / 4, theme.px(3)};
        const std::string long_name = fmt::format("scheduler {}", part);
        draw::text(list, theme.mono, {x, box.min.y}, theme.ink_quiet,
                   draw::measure(theme.mono, long_name).x <= width ? long_name : std::to_string(part));
        list->AddRectFilled(place.box.min, place.box.max, theme.panel, theme.px(4));
        for (uint32_t slot = 0; slot < slots; ++slot) {
            const draw::Box cell = place.slot(slot);
            const bool taken = slot < schedulers[part].size();
            if (taken && !picture.one.unknown()) {
                draw_slot(picture, cell, schedulers[part][slot], part);
                continue;
            }
            list->AddRectFilled(cell.min, cell.max, draw::empty_colour(theme), theme.px(2));
            if (taken)
                draw_unknown_slot(picture, cell);
            else if (draw::pointed_at(cell))
                picture.frame.point_out({"occupancy.empty_slot"});
        }
    }
}

void draw_limit_bars(const SmPicture& picture, const draw::Box& box)
{
    const Theme& theme = picture.frame.theme;
    ImDrawList* list = ImGui::GetWindowDrawList();
    float most = 1;
    for (int i = 0; i < limit_count; ++i) {
        const LimitUse use = use_of(picture.limits, picture.one.needs, static_cast<Limit>(i));
        if (picture.one.unknown())
            break;
        most = std::max(
            most, static_cast<float>(use.used(picture.one.now) + use.per_block) / static_cast<float>(use.capacity));
    }
    const std::vector<Limit> shown = limits_shown(picture, box.height());
    const float label = draw::row_height(theme, 2, theme.mono);
    const float row = box.height() / static_cast<float>(shown.size());
    float y = box.min.y;
    for (const Limit limit : shown) {
        const LimitUse use = use_of(picture.limits, picture.one.needs, limit);
        const bool hidden = picture.one.unknown() && limit == Limit::registers;
        const bool least = !picture.one.unknown() && picture.one.now.limited_by(limit);
        const std::string blocks =
            hidden ? "?" : counted(picture.one.now.allowed[static_cast<std::size_t>(limit)], "block");
        draw::text_right(list, theme.mono_bold, {box.max.x, y}, least ? theme.warning : theme.ink_quiet, blocks);
        const float room = box.width() - draw::measure(theme.mono_bold, blocks).x - theme.px(8);
        draw::text(list, theme.mono, {box.min.x, y}, least ? theme.warning : theme.ink_quiet,
                   bar_name(use, limit, picture.one, theme, room));
        const RoomBar bar{
            picture, limit, use, {{box.min.x, y + label}, {box.min.x + box.width() / most, y + row - theme.px(4)}}};
        bar.draw();
        if (draw::pointed_at({{box.min.x, y}, {box.max.x, y + row}}))
            picture.frame.point_out(hidden ? Message{"occupancy.type_registers"} : bar_message(picture, limit, use));
        y += row;
    }
}

} // namespace viz
