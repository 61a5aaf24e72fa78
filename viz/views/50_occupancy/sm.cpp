#include "viz/views/50_occupancy/facts.h"

#include "viz/draw/draw.h"
#include "viz/figure/layout.h"
#include "viz/text/figures.h"
#include "viz/text/known.h"
#include "viz/text/templates.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace viz {

namespace {

constexpr const char* limit_names[limit_count] = {"registers", "shared memory", "warps per SM", "blocks per SM"};

// Returns "registers and warps per SM".
Rich names_of_limits(const OccupancyCase& one)
{
    std::vector<Rich> names;
    for (int i = 0; i < limit_count; ++i)
        if (one.now.limited_by(static_cast<Limit>(i)))
            names.push_back(rich("**{}**", Value(limit_names[i]).as(Meaning::conflict)));
    return listed(std::move(names));
}

} // namespace

OccupancyCase case_of_stage(const StageColumn& stage, const LadderFacts& ladder_facts)
{
    OccupancyCase one;
    one.stage = &stage;
    one.needs = needs_of(*stage.recording);
    if (stage.recording->resources)
        return one;
    one.needs.registers = registers_per_thread(*stage.recording, &ladder_facts).value_or(0);
    one.registers_of_gpu = !one.unknown();
    return one;
}

void fill_sm(const SmLimits& limits, OccupancyCase& one)
{
    if (one.needs.registers > most_registers)
        one.beyond = std::exchange(one.needs.registers, most_registers) - most_registers;
    one.now = one.unknown() ? residency_without_registers(limits, one.needs) : residency(limits, one.needs);
}

Rich headline(const SmLimits& limits, const OccupancyCase& one)
{
    if (one.beyond > 0)
        return rich("Beyond **{}** registers the compiler spills to local memory",
                    Value(most_registers).as(Meaning::conflict));
    if (one.now.refusal)
        return rich("It cannot be launched");
    if (one.unknown())
        return rich("Registers unknown: **at most {}** of {} warps", one.now.warps, limits.warps);
    if (one.now.warps == limits.warps)
        return rich("**{}** of {} warps: every slot is filled", Value(one.now.warps).as(Meaning::good), limits.warps);
    return rich("**{}** of {} warps, limit {}", Value(one.now.warps).as(Meaning::strong), limits.warps,
                names_of_limits(one));
}

Rich next_block_words(const SmLimits& limits, const OccupancyCase& one)
{
    if (one.now.refusal)
        return rich(*one.now.refusal);
    if (one.unknown())
        return registers_unknown_words();
    if (one.now.warps == limits.warps)
        return rich("No slot is left for another block");
    if (const auto fewer = registers_to_gain_a_block(limits, one.needs))
        return rich("With **{}** fewer per thread, one more block fits", counted(*fewer, "register"));
    if (const auto fewer = shared_to_gain_a_block(limits, one.needs))
        return rich("With **{}** less shared memory, one more block fits", bytes(*fewer));
    return rich("Neither fewer registers nor less shared memory alone help");
}

Rich registers_unknown_words()
{
    return rich("How many registers the compiler gives a thread a GPU says; type a number to try it");
}

namespace {

// Describes the origin of the values, and whether they agree with the driver.
Rich origin_words(const SmLimits& limits, const OccupancyCase& one)
{
    if (one.typed)
        return rich("The values are typed, not the stage's.");
    if (one.registers_of_gpu)
        return rich("The {} registers are those of the same kernel, compiled for a GPU: this recording is of the CPU.",
                    one.needs.registers);
    const recording::Recording& recording = *one.stage->recording;
    const uint32_t driver = recording.resources->blocks_per_sm; // 0 if it was not queried
    if (recording.device.compute_capability != limits.compute_capability || driver == 0)
        return {};
    return driver == one.now.blocks ? rich("The driver says the same.")
                                    : rich("**The driver says {}.**", Value(driver).as(Meaning::conflict));
}

} // namespace

Rich residency_words(const SmLimits& limits, const OccupancyCase& one)
{
    if (one.now.refusal)
        return rich("*Cannot be launched:* {}", rich(*one.now.refusal));
    if (one.unknown())
        return rich("The other limits let in {} of {} warps. How many registers a thread has the compiler for a GPU "
                    "decides. A recording of the CPU has none, and none is known of this kernel. Type a number to see "
                    "what it would give.",
                    one.now.warps, limits.warps);
    std::vector<Rich> said;
    if (one.beyond > 0)
        said.push_back(rich("*No thread has so many:* of {} registers at least **{}** would lie in local memory. Each "
                            "use of them is a load or a store. Shown is what fits with {}.",
                            most_registers + one.beyond, Value(one.beyond).as(Meaning::conflict), most_registers));
    said.push_back(rich("An SM holds **{}** at once: **{}** of {}, **{}**. Limit: {}.",
                        counted(one.now.blocks, "block"), counted(one.now.warps, "warp"), limits.warps,
                        share(one.now.share), names_of_limits(one)));
    if (const uint32_t given = registers_of_warp(limits, one.needs.registers) / recording::warp_size;
        given > one.needs.registers)
        said.push_back(rich("Registers are dealt out in units of {} a thread: **{}** take as many as **{}**.",
                            limits.register_unit / recording::warp_size, one.needs.registers, given));
    if (const auto more = registers_to_lose_a_block(limits, one.needs))
        said.push_back(rich("**{}** more per thread would cost a whole block.", counted(*more, "register")));
    if (const auto fewer = registers_to_gain_a_block(limits, one.needs))
        said.push_back(rich("**{}** fewer would give one more.", counted(*fewer, "register")));
    else
        said.push_back(rich("Fewer would give none more."));
    said.push_back(origin_words(limits, one));
    return joined(std::move(said));
}

const HardwareFigures* issue_figures(const LadderFacts& ladder_facts, const StageColumn& stage)
{
    const HardwareFigures* figures = largest_counted(ladder_facts.find(stage.slug));
    return figures && figures->issued_per_cycle ? figures : nullptr;
}

std::optional<DramNeeds> dram_needs(const LadderFacts& ladder_facts)
{
    const GpuState& gpu = ladder_facts.gpu;
    return gpu.measured && gpu.properties ? dram_needs(*gpu.measured, gpu.properties->sm_count) : std::nullopt;
}

namespace {

// Returns the number of blocks at another size, with the same tiles.
uint64_t blocks_at(const recording::Recording& recording, const recording::Problem& problem)
{
    const auto results = [](const recording::Problem& of) { return static_cast<double>(of.M) * of.N; };
    const double scale = results(problem) / results(recording.problem);
    return static_cast<uint64_t>(std::llround(static_cast<double>(recording.launch.grid.volume()) * scale));
}

// Describes a launch that has too few blocks to fill all slots.
Rich few_blocks(const WaitingCase& waiting, const HardwareFigures& figures)
{
    const GpuState& gpu = waiting.ladder_facts.gpu;
    if (!gpu.properties || !figures.occupancy)
        return {};
    const uint64_t blocks = blocks_at(*waiting.of.stage->recording, figures.problem);
    const uint64_t places = uint64_t{gpu.properties->sm_count} * waiting.of.now.blocks;
    if (blocks >= places || *figures.occupancy >= waiting.of.now.share)
        return {};
    return rich("That is less than the {} that fit: {} do not fill the {} places of {} SMs.",
                share(waiting.of.now.share), counted(blocks, "block"), places, gpu.properties->sm_count);
}

Rich counted_words(const WaitingCase& waiting)
{
    const HardwareFigures* figures = issue_figures(waiting.ladder_facts, *waiting.of.stage);
    if (figures == nullptr)
        return rich("> How often an SM found a warp that was ready, only counters tell: press p in the view of global "
                    "memory, on a GPU.");
    const Rich resident =
        figures->occupancy ? rich(", with **{}** of the warps resident", share(*figures->occupancy)) : Rich();
    return in_lines({joined({rich("At {} an SM issued **{}** warp instructions per cycle of at most 4{}.",
                                  size_words(figures->problem), with_decimals(*figures->issued_per_cycle, 2), resident),
                             rich("In the other turns no warp was ready."), few_blocks(waiting, *figures)}),
                     rich("> ({})", how_had(figures->from))});
}

// Explains that measurements and counters are of this GPU, or of the shipped one, and not of a GPU that was only
// selected.
Rich other_gpu_words(const WaitingCase& waiting)
{
    return rich("Bytes under way, waits and speeds were measured on {} and not on {}: they are left out.",
                waiting.ladder_facts.gpu.properties->name, fmt::format("sm_{}", waiting.elsewhere));
}

Rich unknown_warps_words()
{
    return rich("How many warps have bytes under way depends on the registers");
}

bool copies_in_bulk(const WaitingCase& waiting)
{
    return has_op(*waiting.of.stage->recording, recording::Op::bulk_load);
}

Rich answer(const WaitingCase& waiting, const UnderWay& bytes)
{
    if (waiting.of.unknown())
        return unknown_warps_words();
    if (!bytes.has)
        return copies_in_bulk(waiting) ? rich("Bytes under way: the **stages** of the TMA copies decide")
                                       : rich("Bytes under way: the compiler decides how many");
    return *bytes.has < bytes.needed ? rich("Bytes under way: **{}** of what keeps DRAM busy",
                                            Value(share(*bytes.has / bytes.needed)).as(Meaning::conflict))
                                     : rich("Bytes under way: **enough** to keep DRAM busy");
}

// Explains why bytes must be in flight, how many must be, and how many are.
std::vector<Rich> need_words(const WaitingCase& waiting)
{
    std::vector<Rich> said{rich("*What more resident warps buy.* While one waits, a scheduler takes another.")};
    if (const auto needs = dram_needs(waiting.ladder_facts))
        said.push_back(in_lines({rich("A load from DRAM takes **{}**, and DRAM brings {} bytes per ns. To keep it busy "
                                      "each SM needs at least "
                                      "**{} bytes** under way, at all times.",
                                      nanoseconds(needs->latency_ns), number(needs->gbps), number(needs->bytes_per_sm)),
                                 rich("> ({})", how_had(waiting.ladder_facts.gpu.measured.from()))}));
    else
        said.push_back(rich("How much must be under way is not known: this GPU's latency and bandwidth were not "
                            "measured. The GPU view can."));
    if (waiting.of.unknown())
        said.push_back(unknown_warps_words());
    else if (waiting.together)
        said.push_back(rich("A warp of this stage sends up to **{}** before it waits, **{}**. At most **{}** {} **{}** "
                            "under way.",
                            counted(waiting.together->loads, "load"), counted(waiting.together->bytes, "byte"),
                            counted(waiting.of.now.warps, "resident warp"), waiting.of.now.warps == 1 ? "has" : "have",
                            counted(waiting.together->bytes * waiting.of.now.warps, "byte")));
    else if (copies_in_bulk(waiting))
        said.push_back(rich("TMA copies whole tiles ahead, as many as there are stages in shared memory. No warp's "
                            "loads say their bytes."));
    else
        said.push_back(rich("The compiler decides how many loads of this stage are under way together."));
    return said;
}

} // namespace

UnderWay bytes_under_way(const WaitingCase& waiting)
{
    UnderWay bytes;
    if (const auto needs = dram_needs(waiting.ladder_facts); needs && waiting.elsewhere == 0)
        bytes.needed = needs->bytes_per_sm;
    if (waiting.together && waiting.of.now.warps > 0 && !waiting.of.unknown())
        bytes.has = static_cast<double>(waiting.together->bytes) * waiting.of.now.warps;
    return bytes;
}

Rich waiting_words(const WaitingCase& waiting)
{
    std::vector<Rich> said = need_words(waiting);
    if (waiting.elsewhere != 0)
        return joined({said.front(), other_gpu_words(waiting)});
    if (const UnderWay bytes = bytes_under_way(waiting); bytes.needed > 0 && bytes.has)
        said.push_back(*bytes.has >= bytes.needed
                           ? rich("That is enough as long as they are under way; the view of tiling shows when nothing "
                                  "is.")
                           : rich("More warps, or more loads before the first wait, would hide more; what L2 or L1 "
                                  "still hold comes sooner."));
    said.push_back(counted_words(waiting));
    return joined(std::move(said));
}

namespace {

// Shows two bars, and above them whether more bytes in flight would help. If another GPU was measured, says so instead.
Panel waiting_panel(const Theme& theme, const WaitingCase& waiting, double most, const Box& box)
{
    Panel panel{.id = waiting.named && waiting.elsewhere != 0 ? "waiting:elsewhere"
                                                              : "bytes under way of " + waiting.of.stage->slug,
                .box = box};
    if (waiting.elsewhere != 0) {
        panel.layers.emplace_back(RichTextLayer{other_gpu_words(waiting)});
        return panel;
    }
    const UnderWay bytes = bytes_under_way(waiting);
    BarLayer bars{.most = most, .on_ground = false};
    const auto add = [&](const char* name, const char* id, std::optional<double> value, Colour colour) {
        BarLayer::Bar bar{
            .name = name,
            .parts = {{"", value, value ? thousands(static_cast<uint64_t>(std::lround(*value))) + " B" : "", colour}}};
        bar.id = waiting.named ? id : std::string(id) + " " + waiting.of.stage->slug;
        bar.tip = said_tip(joined(need_words(waiting)));
        bars.bars.push_back(std::move(bar));
    };
    add("under way", "waiting:has", bytes.has, theme.accent(waiting.of.stage->number));
    add("needs at least", "waiting:needed", bytes.needed, theme.barrier);
    panel.title = plain(answer(waiting, bytes));
    panel.layers.emplace_back(std::move(bars));
    return panel;
}

// Returns the colour of a resident block: shades of the stage's colour, alternately lighter and darker.
Colour block_colour(const SmFacts& facts, uint32_t block)
{
    constexpr float quieter[] = {0, 0.45f, 0.22f, 0.6f};
    const Colour own = mix(facts.theme.accent(facts.one.stage->number), facts.theme.panel, quieter[block % 4]);
    return facts.lit && *facts.lit == block ? mix(own, facts.theme.ink, 0.5f) : own;
}

// Returns whether this limit certainly allows the fewest blocks.
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

// Draws a slot that may be filled: limits besides registers leave room for its warp.
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

// Returns a panel for each scheduler. They are side by side.
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
        const std::vector<Box> lines = rows(inside, std::vector<Track>((slots + 3) / 4, share_of_rest()), pad);
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

// Returns "shared memory  2 x (8,192 + 1,024) of 233,472 bytes", or a short form if there is no room.
std::string bar_name(const LimitUse& use, Limit limit, const OccupancyCase& one, const Theme& theme, float room)
{
    constexpr const char* units[limit_count] = {"", " bytes", "", ""};
    const std::string_view name = limit == Limit::registers ? "register file" : limit_names[static_cast<int>(limit)];
    if (one.unknown())
        return std::string(name);
    const std::string sum = thousands(uint64_t{use.per_block});
    std::string parts = sum;
    // Includes the system's share, and rounding.
    if (limit == Limit::shared && use.per_block > one.needs.shared_bytes)
        parts = fmt::format("({} + {})", thousands(uint64_t{one.needs.shared_bytes}),
                            thousands(uint64_t{use.per_block - one.needs.shared_bytes}));
    if (limit == Limit::registers) { // rounded registers per thread, and threads of whole warps
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

// The bar of one limit. The box is `most` capacities long. Blocks that do not fit extend beyond the capacity.
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
        if (use.usable < use.capacity) // the remainders of the parts are too small for a warp
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

    // `words` are in the middle. The name of the mark is `prefix` and the limit's name.
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
        return said_tip(hidden ? registers_unknown_words() : bar_words(facts, limit, use));
    }

    // Draws the bar if only the use of one block is known. For registers, that is not known either.
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

// Returns the name and the bar of each limit, one below another. As many as fit, the limits that allow the fewest
// blocks first.
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
    const std::vector<Box> lines = rows(box, std::vector<Track>(shown.size(), share_of_rest()), theme.px(4));
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

} // namespace

void add_sm(Figure& figure, const SmFacts& facts, const WaitingCase& waiting, double most_bytes, const Box& box)
{
    const Theme& theme = facts.theme;
    const Rich callout = next_block_words(facts.limits, facts.one);
    const std::string id = "next block of " + facts.one.stage->slug;
    if (facts.one.now.refusal) {
        figure.panels.push_back({.id = id, .box = box, .layers = {RichTextLayer{callout}}});
        return;
    }
    const float below = most_bytes > 0 ? 3 * draw::row_height(theme, 4) : 0, line = draw::row_height(theme, 8),
                gap = theme.px(6);
    const float bars = std::min((box.height() - below - line - gap) * 0.52f, theme.px(260));
    const std::vector<Box> parts = rows(box, {share_of_rest(), pixels(bars), pixels(line), pixels(below)}, gap);
    for (Panel& panel : scheduler_panels(facts, parts[0]))
        figure.panels.push_back(std::move(panel));
    for (Panel& panel : limit_panels(facts, parts[1]))
        figure.panels.push_back(std::move(panel));
    if (draw::measure(theme.text, plain(callout)).x <= box.width())
        figure.panels.push_back({.id = id, .box = parts[2], .layers = {RichTextLayer{callout}}});
    if (most_bytes > 0)
        figure.panels.push_back(waiting_panel(theme, waiting, most_bytes, parts[3]));
}

} // namespace viz
