#include "viz/views/50_occupancy/sm_panels.h"

#include "viz/draw/draw.h"
#include "viz/figure/layout.h"
#include "viz/text/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace viz {

namespace {

// Returns the colour of a resident block: shades of the stage's colour, alternately lighter and darker.
Colour block_colour(const SmFacts& facts, uint32_t block)
{
    constexpr float quieter[] = {0, 0.45f, 0.22f, 0.6f};
    const Colour own = mix(facts.theme.accent(facts.one.stage->number), facts.theme.panel, quieter[block % 4]);
    return facts.lit && *facts.lit == block ? mix(own, facts.theme.ink, 0.5f) : own;
}

// Returns whether the limit is certainly the tightest one.
bool limits_it(const SmFacts& facts, Limit limit)
{
    return !facts.one.unknown() && facts.one.now.limited_by(limit);
}

Action point_at(const SmFacts& facts, uint32_t block)
{
    return [point = facts.point, block](const ViewScene&) { point(block); };
}

Shape slot(const Box& place, Colour colour, Shape::Said said)
{
    Shape shape = said_of(box_shape(place, colour), std::move(said));
    shape.radius = 2;
    return shape;
}

Shape slot_shape(const SmFacts& facts, const ResidentWarp& warp, uint32_t scheduler, const Box& place)
{
    Shape::Said said{.words = std::to_string(warp.warp)};
    if (facts.named)
        said.name = fmt::format("slot:{} {}", warp.block, warp.warp);
    said.tip = [warp, scheduler] {
        return rich("Warp {} of resident block {}, at scheduler {}", index(warp.warp), index(warp.block),
                    index(scheduler));
    };
    said.hover = point_at(facts, warp.block);
    return slot(place, block_colour(facts, warp.block), std::move(said));
}

// Draws a slot that may be filled: limits other than registers leave room for its warp.
Shape unknown_slot(const SmFacts& facts, const Box& place)
{
    return slot(place, mix(facts.theme.panel, facts.theme.ink, 0.3f),
                {.name = facts.named ? "slot:unknown" : "", .words = "?", .tip = [] {
                     return rich("Filled or not: that depends on the registers of a thread, which are not known");
                 }});
}

Shape empty_slot(const SmFacts& facts, const Box& place)
{
    return slot(place, draw::empty_colour(facts.theme),
                {.tip = [] { return rich("A warp slot that no block fills: nothing to switch to"); }});
}

} // namespace

std::vector<Panel> scheduler_panels(const SmFacts& facts, const Box& box)
{
    const Theme& theme = facts.theme;
    const float title = draw::line_height(theme.text) + theme.px(3), pad = theme.px(3);
    const uint32_t slots = facts.limits.warps / sm_parts;
    const auto schedulers = warps_of_schedulers(facts.one.now);
    const std::vector<Box> places = columns(box, sm_parts, theme.px(8));
    std::vector<Panel> panels;
    for (uint32_t part = 0; part < sm_parts; ++part) {
        const Box inside{{places[part].min.x, places[part].min.y + title}, places[part].max};
        ShapeLayer cells;
        const std::vector<Box> lines = rows(inside, std::vector<Room>((slots + 3) / 4, share_of_rest()), pad);
        for (uint32_t slot = 0; slot < slots; ++slot) {
            const Box cell = columns(lines[slot / 4], 4, pad)[slot % 4];
            const bool taken = slot < schedulers[part].size();
            cells.shapes.push_back(!taken                ? empty_slot(facts, cell)
                                   : facts.one.unknown() ? unknown_slot(facts, cell)
                                                         : slot_shape(facts, schedulers[part][slot], part, cell));
        }
        const std::string name = fmt::format("scheduler {}", part);
        panels.push_back({.id = fmt::format("{} of {}", name, facts.one.stage->slug),
                          .box = places[part],
                          .title = draw::measure(theme.text, name).x <= inside.width() ? name : std::to_string(part),
                          .layers = {std::move(cells)}});
    }
    return panels;
}

namespace {

Rich bar_words(const SmFacts& facts, Limit limit, const LimitUse& use)
{
    const OccupancyCase& one = facts.one;
    const std::string allowed = counted(one.now.allowed[static_cast<std::size_t>(limit)], "block");
    const uint32_t warps = (one.needs.threads + recording::warp_size - 1) / recording::warp_size;
    switch (limit) {
    case Limit::registers: {
        const uint32_t of_warp = registers_of_warp(facts.limits, one.needs.registers);
        return rich("Registers: 4 × ({} / {}), rounded down, is room for {}; {} a block: {}",
                    facts.limits.registers / sm_parts, of_warp, counted(use.usable / of_warp, "warp"), warps, allowed);
    }
    case Limit::shared:
        return use.per_block == 0 ? rich("Shared memory: none is used")
                                  : rich("Shared memory: {} bytes / ({} + {} for the system): {}", use.capacity,
                                         one.needs.shared_bytes, facts.limits.shared_reserved, allowed);
    case Limit::warps: return rich("Warps: {} / {}: {}", use.capacity, warps, allowed);
    case Limit::blocks: break;
    }
    return rich("Blocks: {} at most, whatever they need", one.now.allowed[static_cast<std::size_t>(limit)]);
}

// Returns "shared memory  2 x (8,192 + 1,024) of 233,472 bytes", or a short form if that does not fit.
std::string bar_name(const LimitUse& use, Limit limit, const OccupancyCase& one, const Theme& theme, float room)
{
    constexpr const char* units[limit_count] = {"", " bytes", "", ""};
    const std::string_view name = limit == Limit::registers ? "register file" : limit_names[static_cast<int>(limit)];
    if (one.unknown())
        return std::string(name);
    const std::string sum = thousands(uint64_t{use.per_block});
    std::string parts = sum;
    // The system's share and rounding are added.
    if (limit == Limit::shared && use.per_block > one.needs.shared_bytes)
        parts = fmt::format("({} + {})", thousands(uint64_t{one.needs.shared_bytes}),
                            thousands(uint64_t{use.per_block - one.needs.shared_bytes}));
    if (limit == Limit::registers) { // the rounded registers per thread, and the threads of whole warps
        const uint32_t threads =
            (one.needs.threads + recording::warp_size - 1) / recording::warp_size * recording::warp_size;
        parts = fmt::format("({} × {})", thousands(uint64_t{threads}), use.per_block / threads);
    }
    const auto with = [&](const std::string& each) {
        return fmt::format("{}  {} × {} of {}{}", name, one.now.blocks, each, thousands(uint64_t{use.capacity}),
                           units[static_cast<int>(limit)]);
    };
    return draw::first_fitting(theme.text, room, std::array{with(parts), with(sum), std::string(name)});
}

// The bar of one limit. `most` capacities have the length of the box; blocks that do not fit extend beyond the
// capacity.
class LimitBar {
public:
    LimitBar(const SmFacts& of, Limit which, const LimitUse& used, const Box& whole, float most)
        : facts(of), theme(of.theme), limit(which),
          use(used), box{whole.min, {whole.min.x + whole.width() / most, whole.max.y}}
    {
    }

    ShapeLayer make()
    {
        add({{box.min.x, box.min.y}, box.max}, draw::empty_colour(theme), "limit:");
        if (facts.one.unknown()) {
            add_unknown();
            return std::move(bar);
        }
        if (use.usable < use.capacity) // the parts' remainders are too small for a warp
            add({{at(use.usable), box.min.y}, box.max}, mix(theme.panel, theme.warning, 0.2f));
        for (uint32_t i = 0; i < facts.one.now.blocks; ++i)
            add_block(i);
        if (use.per_block > 0)
            add_next(facts.one.now.blocks);
        add({{box.max.x - theme.px(1), box.min.y - theme.px(3)}, {box.max.x + theme.px(1), box.max.y + theme.px(3)}},
            theme.ink);
        return std::move(bar);
    }

private:
    float at(uint32_t value) const
    {
        return box.min.x + box.width() * static_cast<float>(value) / static_cast<float>(use.capacity);
    }

    // `words` are printed in the middle. The mark's name is `prefix` followed by the limit's name.
    Shape& add(const Box& place, Colour colour, const std::string& prefix = "", std::string words = "",
               Action hover = {})
    {
        Shape::Said said{.words = std::move(words), .tip = words_of_bar(), .hover = std::move(hover)};
        if (facts.named && !prefix.empty())
            said.name = prefix + limit_names[static_cast<int>(limit)];
        return bar.shapes.emplace_back(said_of(box_shape(place, colour), std::move(said)));
    }

    Tip words_of_bar() const
    {
        const bool hidden = facts.one.unknown() && limit == Limit::registers;
        return [said = hidden ? registers_unknown_words() : bar_words(facts, limit, use)] { return said; };
    }

    // Draws the bar if only the use of one block is known, and for registers not even that.
    void add_unknown()
    {
        const bool registers = limit == Limit::registers;
        const Box one{box.min, {registers ? box.max.x : at(use.per_block), box.max.y}};
        Shape& shape = add(one, registers ? mix(theme.panel, theme.ink, 0.3f) : 0, "", registers ? "?" : "");
        shape.stroke = registers ? 0 : theme.accent(facts.one.stage->number);
        shape.thick = 1.5f;
    }

    void add_block(uint32_t block)
    {
        Box place{{at(use.per_block * block), box.min.y}, {at(use.per_block * (block + 1)), box.max.y}};
        if (place.width() > 3)
            place.max.x -= 1;
        add(place, block_colour(facts, block), "", std::to_string(block), point_at(facts, block));
    }

    void add_next(uint32_t block)
    {
        const bool fits = use.next_fits(facts.one.now);
        const Box place{{at(use.used(facts.one.now)) + 1, box.min.y},
                        {at(use.used(facts.one.now) + use.per_block), box.max.y}};
        const std::string words = fmt::format("{}: {}", block, thousands(uint64_t{use.per_block}));
        const bool whole = draw::measure(theme.mono, words).x <= place.width();
        Shape& shape = add(place, mix(theme.background, fits ? theme.good : theme.warning, fits ? 0.1f : 0.25f),
                           "next:", whole ? words : std::to_string(block));
        shape.stroke = fits ? theme.good : theme.warning;
        shape.thick = 1.5f;
    }

    const SmFacts& facts;
    const Theme& theme;
    Limit limit;
    const LimitUse& use;
    Box box; // of the whole capacity
    ShapeLayer bar;
};

std::vector<Limit> limits_shown(const SmFacts& facts, float height)
{
    constexpr std::array limits{Limit::registers, Limit::shared, Limit::warps, Limit::blocks};
    auto others = static_cast<std::ptrdiff_t>(height / facts.theme.px(26)) -
                  std::ranges::count_if(limits, [&](Limit limit) { return facts.one.now.limited_by(limit); });
    std::vector<Limit> shown;
    for (const Limit limit : limits)
        if (facts.one.now.limited_by(limit) || others-- > 0)
            shown.push_back(limit);
    return shown;
}

} // namespace

std::vector<Panel> limit_panels(const SmFacts& facts, const Box& box)
{
    const Theme& theme = facts.theme;
    float most = 1;
    for (int i = 0; i < limit_count && !facts.one.unknown(); ++i) {
        const LimitUse use = use_of(facts.limits, facts.one.needs, static_cast<Limit>(i));
        most = std::max(most,
                        static_cast<float>(use.used(facts.one.now) + use.per_block) / static_cast<float>(use.capacity));
    }
    const std::vector<Limit> shown = limits_shown(facts, box.height());
    const std::vector<Box> lines = rows(box, std::vector<Room>(shown.size(), share_of_rest()), theme.px(4));
    std::vector<Panel> panels;
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const Limit limit = shown[i];
        const LimitUse use = use_of(facts.limits, facts.one.needs, limit);
        const bool hidden = facts.one.unknown() && limit == Limit::registers;
        const std::string blocks =
            hidden ? "?" : counted(facts.one.now.allowed[static_cast<std::size_t>(limit)], "block");
        const std::vector<Box> parts = rows(lines[i], {pixels(draw::row_height(theme, 2)), share_of_rest()}, 0);
        const float room = box.width() - draw::measure(theme.mono_bold, blocks).x - theme.px(12);
        const std::string id = fmt::format("{} of {}", limit_names[static_cast<int>(limit)], facts.one.stage->slug);
        panels.push_back(
            {.id = "name of " + id,
             .box = parts[0],
             .title = bar_name(use, limit, facts.one, theme, room),
             .figure = rich("**{}**", Value(blocks).as(limits_it(facts, limit) ? Meaning::conflict : Meaning::quiet))});
        panels.push_back({.id = id,
                          .box = {{box.min.x, parts[1].min.y}, parts[1].max},
                          .layers = {LimitBar(facts, limit, use, parts[1], most).make()}});
    }
    return panels;
}

} // namespace viz
