#include "viz/views/25_global/global_column.h"

#include "viz/analysis/bank_picture.h"
#include "viz/text/figures.h"
#include "viz/views/25_global/sector_diagram.h"

#include <fmt/format.h>

#include <bit>

namespace viz {

namespace {

constexpr std::size_t at_once = 20'000; // accesses that are looked through within the frame

recording::GlobalTotals sums_of(const recording::Recording& recording)
{
    const recording::Totals totals = recording.totals();
    return {totals.global_load.requests + totals.global_store.requests,
            totals.global_load.sectors + totals.global_store.sectors};
}

std::string per_request(const recording::GlobalTotals& totals)
{
    return totals.requests == 0
               ? "-"
               : fmt::format("{:.1f}", static_cast<double>(totals.sectors) / static_cast<double>(totals.requests));
}

} // namespace

void GlobalFacts::update(const Subject& subject, const Focus& focus)
{
    if (recording != subject.recording || block != focus.block) {
        if (recording != subject.recording)
            elements = elements_of(*subject.recording);
        recording = subject.recording;
        block = focus.block;
        use.reset();
        work.start([kept = recording, which = block] { return global_use(*kept, *which); },
                   access_count(*block) <= at_once);
    }
    if (auto done = work.take())
        use = std::move(*done);
}

Prose request_sentence(const Theme& theme, const GlobalColumn& column)
{
    Prose prose(theme);
    const Focus& focus = column.focus;
    if (*column.step != focus.step || focus.past_end)
        prose
            .say(fmt::format("Step {} does not go to global memory. Shown: the {} it that does.", focus.step,
                             *column.step < focus.step ? "last access before" : "first access after"))
            .break_line();
    const recording::Access& access = column.shown();
    const int active = std::popcount(access.mask);
    prose.strong(fmt::format("Step {}, warp {}, line {}", *column.step, focus.warp_index, access.line)).say(": ");
    prose.figure(active == recording::warp_size ? "32 lanes" : fmt::format("{} of 32 lanes", active));
    prose.say(is_store(access.op) ? " write " : " read ").figure(fmt::format("{} bytes", access.width));
    prose.say(" each, one request to ").code(column.array().name).say(".");
    if (const std::string source = source_line(*focus.recording, access.line); !source.empty())
        prose.break_line().code(source);
    return prose;
}

Prose sector_legend(const Theme& theme)
{
    Prose prose(theme);
    prose.say(
        "A row is a line of 128 bytes, named by its first element: four sectors of 32 bytes, each moved as a whole "
        "or not at all. A number is the lane that uses the bytes.");
    prose.gap().swatch(theme.lane_group[0]).say("lanes 0-7").gap().swatch(theme.lane_group[1]).say("8-15");
    prose.gap().swatch(theme.lane_group[2]).say("16-23").gap().swatch(theme.lane_group[3]).say("24-31");
    prose.gap().swatch(wasted_colour(theme)).say("moved, used by no lane");
    prose.gap().swatch(theme.panel).say("not moved");
    return prose;
}

Prose sector_outcome(const Theme& theme, const GlobalColumn& column)
{
    const SectorPicture& picture = column.picture;
    Prose prose(theme);
    const bool more = picture.sectors > picture.least_sectors;
    prose.figure(counted(picture.sectors, "sector"), more ? theme.warning : theme.ink);
    prose.say(" in ").figure(counted(picture.lines.size(), "line")).say(": ");
    prose.figure(counted(picture.moved_bytes(), "byte")).say(" moved, ").figure(counted(picture.used_bytes, "byte"));
    prose.say(" used");
    if (picture.sectors > 0)
        prose.say(", ").figure(
            percent(static_cast<double>(picture.used_bytes) / static_cast<double>(picture.moved_bytes())),
            more ? theme.warning : theme.ink);
    prose.say(" - " + picture.reason + ".");
    if (more)
        prose.say(" The same bytes side by side would be ").figure(counted(picture.least_sectors, "sector")).say(".");
    return prose;
}

Prose global_sums(const Theme& theme, const GlobalColumn& column)
{
    const recording::GlobalTotals sums = sums_of(*column.focus.recording);
    Prose prose(theme);
    prose.say("The whole launch: ").figure(counted(sums.requests, "request")).say(", ");
    prose.figure(counted(sums.sectors, "sector")).say(" (").figure(per_request(sums));
    prose.say(" per request), ").figure(counted(sums.sectors * model::sector_bytes, "byte"));
    const recording::Recording& recording = *column.focus.recording;
    uint64_t least = 0;
    for (const recording::Array& array : recording.arrays)
        if (array.space == recording::Space::global)
            least += array.bytes;
    prose.say(" asked of the caches; the matrices together have ").figure(counted(least, "byte")).say(".");
    return prose;
}

Prose global_differences(const Theme& theme, const GlobalColumn& a, const GlobalColumn& b)
{
    const recording::GlobalTotals before = sums_of(*a.focus.recording), after = sums_of(*b.focus.recording);
    Prose prose(theme);
    const auto pair = [&](std::string_view what, const std::string& first, const std::string& second) {
        prose.say(what).say(" ").swatch(theme.accent(a.subject->accent)).figure(first).say(" ");
        prose.swatch(theme.accent(b.subject->accent)).figure(second);
    };
    pair("Requests", thousands(before.requests), thousands(after.requests));
    prose.gap();
    pair("sectors", thousands(before.sectors), thousands(after.sectors));
    if (before.sectors > 0)
        prose.say(
            fmt::format(" ({})", change(static_cast<double>(before.sectors), static_cast<double>(after.sectors))));
    prose.gap();
    pair("sectors per request", per_request(before), per_request(after));
    return prose;
}

std::string describe_word(const GlobalColumn& column, const MemoryLine& line, uint32_t word)
{
    const uint64_t offset = line.offset + uint64_t{word} * 4;
    const recording::Array& array = column.array();
    const auto cell = column.facts->elements[column.shown().array].at(offset);
    std::string text = cell ? element_name(array.name, {*cell}) : array.name;
    text += fmt::format(", byte {}, sector {}: ", thousands(offset), thousands(offset / model::sector_bytes));
    if (line.lanes[word] != 0)
        return text +
               fmt::format("{} by {}", is_store(column.shown().op) ? "written" : "used", lane_list(line.lanes[word]));
    return text + (line.touches(word / words_of_sector) ? "moved with its sector, used by no lane of this request"
                                                        : "not moved");
}

std::string describe_request_of_lane(const GlobalColumn& column, uint32_t lane)
{
    const recording::Access& access = column.shown();
    const std::string start = fmt::format("{}: warp {}, lane {}", column.subject->slug, column.focus.warp_index, lane);
    if (!takes_part(access, lane))
        return start + " takes no part in this access.";
    const auto cells = cells_of_lane(access, column.facts->elements[access.array], column.array().element_bytes, lane);
    return start + fmt::format(" {} {}: byte {}, sector {}.", is_store(access.op) ? "writes" : "reads",
                               element_name(column.array().name, cells), thousands(uint64_t{access.offset[lane]}),
                               thousands(uint64_t{access.offset[lane] / model::sector_bytes}));
}

} // namespace viz
