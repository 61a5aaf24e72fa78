#include "viz/views/25_global/facts.h"

#include "viz/figure/draw_figure.h"
#include "viz/figure/sector_panel.h"
#include "viz/text/figures.h"
#include "viz/text/known.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

namespace viz {

namespace {

double bytes_of(const GlobalUse& use)
{
    return static_cast<double>(use.launch.sectors * model::sector_bytes);
}

Rich request_words(const GlobalPart& part)
{
    const recording::Access& access = part.shown();
    const int lanes = std::popcount(access.mask);
    if (lanes == 0)
        return in_lines({rich("*Step {}, warp {}, line {}*: no lane takes part, so nothing is asked for.",
                              index(*part.step), index(part.focus.warp_index), index(access.line)),
                         rich("`{}`", source_line(*part.focus.recording, access.line))});
    return in_lines(
        {rich("*Step {}, warp {}, line {}*: **{}** {} {} bytes{}, one request to `{}`.", index(*part.step),
              index(part.focus.warp_index), index(access.line), counted(static_cast<uint64_t>(lanes), "lane"),
              is_atomic(access.op)  ? "update"
              : is_store(access.op) ? "write"
                                    : "read",
              access.width, lanes == 1 ? "" : " each", part.array().name),
         rich("`{}`", source_line(*part.focus.recording, access.line))});
}

Rich outcome(const GlobalPart& part)
{
    const SectorPicture& picture = part.picture;
    const bool more = picture.sectors > picture.least_sectors;
    Rich said = rich("**{}** in {}, **{}** moved and **{}** used: {}",
                     Value(counted(picture.sectors, "sector")).as(more ? Meaning::conflict : Meaning::none),
                     counted(picture.lines.size(), "line"), counted(picture.moved_bytes(), "byte"), picture.used_bytes,
                     rich(picture.reason));
    if (more)
        said = joined(
            {said, rich("The same bytes side by side would be **{}**.", counted(picture.least_sectors, "sector"))});
    return said;
}

Rich sums(const GlobalPart& part)
{
    const recording::Totals totals = part.focus.recording->totals();
    const uint64_t requests =
                       totals.global_load.requests + totals.global_store.requests + totals.global_atomic_cost.requests,
                   sectors =
                       totals.global_load.sectors + totals.global_store.sectors + totals.global_atomic_cost.sectors;
    uint64_t least = 0;
    for (const recording::Array& array : part.focus.recording->arrays)
        if (array.space == recording::Space::global)
            least += array.bytes;
    return joined(
        {rich("*The whole launch*: **{}**, **{}**, {} moved; {} together have {}.", counted(requests, "request"),
              counted(sectors, "sector"), bytes(static_cast<double>(sectors * model::sector_bytes)),
              multiplies(*part.focus.recording) ? "the matrices" : "its arrays", bytes(static_cast<double>(least))),
         rich("Sectors are what moves; lines of 128 bytes are what the L1 cache looks up."),
         rich("Lines per request are those of the selected block.")});
}

Rich legend(const Theme& theme)
{
    return in_lines({joined({rich("A row is a line of 128 bytes, named by its first element."),
                             rich("It has four sectors of 32 bytes, each moved as a whole or not at all."),
                             rich("A number is the lane that uses the bytes.")}),
                     rich("{}lanes 0-7", Swatch{theme.lane_group[0]}), rich("{}8-15", Swatch{theme.lane_group[1]}),
                     rich("{}16-23", Swatch{theme.lane_group[2]}), rich("{}24-31", Swatch{theme.lane_group[3]}),
                     rich("{}moved, used by no lane", Swatch{wasted_colour(theme)}),
                     rich("{}not moved", Swatch{draw::empty_colour(theme)})});
}

Rich use_words(const GlobalPart& part, const GlobalUse& use)
{
    return joined({rich("{}, line {}: **{}** in the launch, {}.", part.stage->slug, index(use.line),
                        counted(use.launch.requests, "request"), bytes(bytes_of(use))),
                   rich("In this block a request moves {} sectors in {} lines of 128 bytes.",
                        with_decimals(use.sectors_per_request(), 1), with_decimals(use.lines_per_request(), 1)),
                   rich("**{}** of the bytes moved are used, and each sector is asked for {} times.",
                        share(use.used_share()), with_decimals(use.fetches_per_sector(), 1)),
                   rich("Click to go there.")});
}

BarLayer::Bar bar_of(const GlobalPart& part, const GlobalUse& use, const GoTo& go_to)
{
    return {.tip = [words = use_words(part, use)] { return words; },
            .click = [go_to, use](const ViewScene& scene) { go_to(scene, use); }};
}

} // namespace

bool is_of(const recording::Access& access, const GlobalUse& use)
{
    return access.line == use.line && access.array == use.array && use_kind(access.op) == use.kind;
}

Rich global_headline(const GlobalPart& part)
{
    const SectorPicture& picture = part.picture;
    const std::string sectors = counted(picture.sectors, "sector");
    Rich said = part.shown().mask == 0 ? rich("no lane takes part")
                : picture.sectors > picture.least_sectors
                    ? rich("{}, {} would do", Value(sectors).as(Meaning::conflict), picture.least_sectors)
                    : rich("{}, the fewest", Value(sectors).as(Meaning::good));
    if (*part.step == part.focus.step && !part.focus.past_end)
        return said;
    const bool before = *part.step < part.focus.step || part.focus.past_end;
    return joined({rich("{} request, step {}:", before ? "last" : "next", Value(index(*part.step)).as(Meaning::quiet)),
                   std::move(said)});
}

std::vector<Rich> request_paragraphs(const Theme& theme, const GlobalPart& part)
{
    return {request_words(part), outcome(part), sums(part), legend(theme)};
}

Rich lane_words(const GlobalPart& part, uint32_t lane)
{
    const recording::Access& access = part.shown();
    const Index warp = index(part.focus.warp_index);
    if (!takes_part(access, lane))
        return rich("{}: warp {}, lane {} takes no part in this access.", part.stage->slug, warp, index(lane));
    const auto cells = cells_of_lane(access, (*part.elements)[access.array], part.array().element_bytes, lane);
    return rich("{}: warp {}, lane {} {} {}: byte {}, sector {}.", part.stage->slug, warp, index(lane),
                verb_of(access.op), element_name(part.array().name, cells), access.offset[lane],
                access.offset[lane] / model::sector_bytes);
}

double most_sectors(const std::vector<GlobalUse>& uses)
{
    double most = 32;
    for (const GlobalUse& use : uses)
        most = std::max(most, use.sectors_per_request());
    return most;
}

double most_bytes(const std::vector<GlobalUse>& uses)
{
    double most = 1;
    for (const GlobalUse& use : uses)
        most = std::max(most, bytes_of(use));
    return most;
}

BarLayer use_bars(const Theme& theme, const GlobalPart& part, double most, const GoTo& go_to)
{
    BarLayer bars{.name = mark_of(*part.stage, "global line"), .most = most, .stacked = true, .on_ground = true};
    for (const GlobalUse& use : *part.use) {
        BarLayer::Bar bar = bar_of(part, use, go_to);
        bar.name = fmt::format("{} {} {}", use.line, part.focus.recording->arrays[use.array].name, kind_word(use.kind));
        bar.words = fmt::format("{:.1f}", use.sectors_per_request());
        bar.lit = is_of(part.shown(), use);
        const double moved = use.sectors_per_request(), used = moved * std::min(use.used_share(), 1.0);
        bar.parts = {{.series = "used",
                      .value = used,
                      .colour = theme.accent(part.stage->number),
                      .id = std::to_string(use.line)},
                     {.series = "wasted",
                      .value = moved - used,
                      .colour = wasted_colour(theme),
                      .id = fmt::format("{} wasted", use.line)}};
        bars.bars.push_back(std::move(bar));
    }
    return bars;
}

// The used fraction of the bytes is known only for the recorded blocks.
BarLayer byte_bars(const Theme& theme, const GlobalPart& part, double most, const GoTo& go_to)
{
    BarLayer bars{.most = most, .stacked = true, .on_ground = true};
    for (const GlobalUse& use : *part.use) {
        BarLayer::Bar bar = bar_of(part, use, go_to);
        bar.words = bytes_words(bytes_of(use));
        bar.parts = {{.value = bytes_of(use),
                      .colour = mix(theme.panel, theme.accent(part.stage->number), 0.6f),
                      .id = fmt::format("{} {}", mark_of(*part.stage, "bytes of line"), use.line)}};
        bars.bars.push_back(std::move(bar));
    }
    return bars;
}

BarLayer launch_bars(const Theme& theme, const GlobalPart& first, const GlobalPart& second)
{
    const LaunchMoves a = launch_moves(*first.use), b = launch_moves(*second.use);
    const auto [speed, other_speed] = comparable_speeds(*first.stage, *second.stage);
    BarLayer bars{.name = "launch", .on_ground = true, .own_scales = true};
    const auto add = [&](const char* name, std::optional<double> one, std::optional<double> other,
                         NumberOrigin origin) {
        std::string times = "-"; // the ratio of the larger value to the smaller one
        if (one && other && *one > 0 && *other > 0) {
            const double ratio = std::max(*one, *other) / std::min(*one, *other);
            times = ratio < 1.005 ? "1 ×" : fmt::format("{:.1f} ×", ratio);
        }
        const auto value = [](std::optional<double> figure, Meaning meaning) {
            return figure ? Value(number(std::round(*figure))).as(meaning) : Value("-").as(Meaning::faint);
        };
        bars.bars.push_back(
            {.name = name,
             .parts = {{"0", one, "", theme.accent(0)}, {"1", other, "", theme.accent(1)}},
             .tip = [words = rich("{} of the launch: **{}** and **{}**, {}", name, value(one, of_column(0)),
                                  value(other, of_column(1)), times)] { return words; },
             .words = times,
             .origin = origin});
    };
    const auto count = [](uint64_t value) { return std::optional(static_cast<double>(value)); };
    add("requests", count(a.requests), count(b.requests), NumberOrigin::derived);
    add("sectors", count(a.sectors), count(b.sectors), NumberOrigin::derived);
    add("lines", a.lines, b.lines, NumberOrigin::derived);
    add("GFLOPS", speed.gflops.value(), other_speed.gflops.value(),
        speed.here() && other_speed.here() ? NumberOrigin::measured : NumberOrigin::shipped);
    return bars;
}

namespace {

std::string byte_count(double count)
{
    return counted(static_cast<uint64_t>(count), "byte");
}

std::string times_words(double value, double of)
{
    return plain(rich("{} times", with_decimals(value / of, 2)));
}

// Returns the counters of the largest counted launch if its operands are larger than those of this one, otherwise null.
const HardwareFigures* larger_size(const CacheFacts& facts)
{
    const HardwareFigures* last = largest_counted(facts.rung);
    return facts.figures != nullptr && last->least_read > facts.figures->least_read ? last : nullptr;
}

Rich at_recorded_size(const CacheFacts& facts)
{
    if (facts.figures == nullptr) {
        if (facts.counting)
            return rich("The GPU is counting ... Esc cancels.");
        std::vector<Rich> said;
        if (facts.rung != nullptr && !facts.rung->not_counted.empty())
            said.push_back(rich(in_sentences(facts.rung->not_counted)));
        said.push_back(facts.gpu
                           ? rich("What the caches caught only the GPU knows: press `p` and its counters are read.")
                           : rich("What L1 and L2 still held only a GPU can count: a recording does not know it."));
        return joined(std::move(said));
    }
    const HardwareFigures& f = *facts.figures;
    const double asked = bytes_asked(facts.recording);
    std::vector<Rich> said;
    if (f.dram_read && asked > 0 && f.least_read > 0) {
        const Meaning meaning = *f.dram_read > 1.5 * f.least_read ? Meaning::conflict : Meaning::none;
        said.push_back(rich("*What the caches caught*: loads move **{}** the least possible, in whole sectors.",
                            times_words(asked, f.least_read)));
        said.push_back(rich("**{}** came from DRAM: {}", Value(times_words(*f.dram_read, f.least_read)).as(meaning),
                            asked > 1.05 * *f.dram_read
                                ? "what lies between is reuse that L1 and L2 found by themselves."
                                : "the kernel left L1 and L2 nothing to find."));
    }
    if (f.dram_written)
        said.push_back(rich("**{}** were written to DRAM; what is still in L2 at the end is not among them.",
                            byte_count(*f.dram_written)));
    return in_lines({joined(std::move(said)), rich("> From an empty L2; {}.", how_had(f.from))});
}

Rich at_other_size(const HardwareFigures& f)
{
    std::vector<Rich> said{rich("At {}:", size_words(f.problem))};
    if (f.l1_hits)
        said.push_back(rich("L1 hits **{}**,", share(*f.l1_hits)));
    if (f.l2_hits)
        said.push_back(rich("L2 hits **{}**,", share(*f.l2_hits)));
    if (f.dram_read && f.least_read > 0)
        said.push_back(rich("DRAM reads **{}** the least possible.", times_words(*f.dram_read, f.least_read)));
    return in_lines({joined(std::move(said)), rich("> From an empty L2; {}.", how_had(f.from))});
}

} // namespace

CacheFacts CacheFacts::of(const recording::Recording& recording, const LadderFacts& ladder_facts)
{
    const StageFacts* rung = ladder_facts.find(recording.stage);
    return {.recording = recording,
            .rung = rung,
            .figures = counted_at(rung, recording.problem),
            .gpu = ladder_facts.gpu.here,
            .counting = ladder_facts.counting};
}

std::vector<Rich> cache_paragraphs(const CacheFacts& facts)
{
    std::vector<Rich> said{at_recorded_size(facts)};
    if (facts.rung != nullptr)
        for (const HardwareFigures& f : facts.rung->counted)
            if (&f != facts.figures)
                said.push_back(at_other_size(f));
    return said;
}

double most_bytes(const CacheFacts& facts)
{
    if (facts.figures == nullptr)
        return 1;
    return std::max(
        {bytes_asked(facts.recording), facts.figures->dram_read.value_or(0), facts.figures->least_read, 1.0});
}

BarLayer cache_bars(const CacheFacts& facts, Colour accent, std::string name, double most)
{
    BarLayer bars{.name = std::move(name), .most = 1, .on_ground = true};
    if (facts.figures == nullptr)
        return bars;
    const HardwareFigures& f = *facts.figures;
    // Only bars of another size name it: there is little room.
    const auto add = [&](std::string label, const recording::Problem& size, std::string value, double share,
                         const char* id, NumberOrigin origin, Rich meaning = {}) {
        Rich from = origin == NumberOrigin::counter ? rich(how_had(f.from)) : rich("computed from the recording");
        Rich said = rich("{} at {}: {}, {}", label, size_words(size), value, std::move(from));
        if (!meaning.empty())
            said = rich("{}. {}", said, std::move(meaning));
        bars.bars.push_back({.name = size == f.problem ? label : label + " at " + size_words(size),
                             .parts = {{"", share, std::move(value), accent}},
                             .tip = [said] { return said; },
                             .id = id,
                             .origin = origin});
    };
    using enum NumberOrigin;
    if (f.l1_hits)
        add("L1 hits", f.problem, percent(*f.l1_hits), *f.l1_hits, "l1", counter);
    if (f.l2_hits)
        add("L2 hits", f.problem, percent(*f.l2_hits), *f.l2_hits, "l2", counter);
    const double asked = bytes_asked(facts.recording), read = f.dram_read.value_or(0);
    if (asked > 0)
        add("moved by loads", f.problem, bytes_words(asked), asked / most, "asked", recorded);
    if (f.dram_read)
        add("read from DRAM", f.problem, bytes_words(read), read / most, "dram", counter);
    add("least possible", f.problem, bytes_words(f.least_read), f.least_read / most, "least", derived);
    if (const HardwareFigures* large = larger_size(facts); large != nullptr) {
        if (large->l2_hits)
            add("L2 hits", large->problem, percent(*large->l2_hits), *large->l2_hits, "l2 large", counter);
        if (large->dram_read.value_or(0) > 0) {
            const double again = std::max(1 - large->least_read / *large->dram_read, 0.0);
            add("DRAM reads again", large->problem, percent(again), again, "again", counter,
                rich("**{}** of the bytes that DRAM sends were sent before, and had left the caches",
                     viz::share(again)));
        }
    }
    return bars;
}

} // namespace viz
