#include "viz/views/25_global/global_part.h"

#include "viz/draw/sector_diagram.h"
#include "viz/text/figures.h"

#include <bit>

namespace viz {

namespace {

Message request_message(const GlobalPart& part)
{
    const recording::Access& access = part.shown();
    return {"global.request",
            {{"step", index(*part.step)},
             {"warp", index(part.focus.warp_index)},
             {"line", index(access.line)},
             {"lanes", std::popcount(access.mask)},
             {"store", is_store(access.op)},
             {"bytes", access.width},
             {"array", part.array().name},
             {"source", source_line(*part.focus.recording, access.line)}}};
}

Messages outcome(const GlobalPart& part)
{
    const SectorPicture& picture = part.picture;
    const bool more = picture.sectors > picture.least_sectors;
    Messages said{{"global.outcome",
                   {{"sectors", Value(picture.sectors).as(more ? Meaning::conflict : Meaning::none)},
                    {"lines", picture.lines.size()},
                    {"moved", picture.moved_bytes()},
                    {"used", picture.used_bytes},
                    {"reason", picture.reason}}}};
    if (more)
        said.push_back({"global.least", {{"sectors", picture.least_sectors}}});
    return said;
}

Message sums(const GlobalPart& part)
{
    const recording::Totals totals = part.focus.recording->totals();
    const uint64_t requests = totals.global_load.requests + totals.global_store.requests,
                   sectors = totals.global_load.sectors + totals.global_store.sectors;
    uint64_t least = 0;
    for (const recording::Array& array : part.focus.recording->arrays)
        if (array.space == recording::Space::global)
            least += array.bytes;
    return {"global.sums",
            {{"requests", requests},
             {"sectors", sectors},
             {"bytes", bytes(static_cast<double>(sectors * model::sector_bytes))},
             {"least", bytes(static_cast<double>(least))}}};
}

Message legend(const Theme& theme)
{
    return {"global.legend",
            {{"a", Swatch{theme.lane_group[0]}},
             {"b", Swatch{theme.lane_group[1]}},
             {"c", Swatch{theme.lane_group[2]}},
             {"d", Swatch{theme.lane_group[3]}},
             {"wasted", Swatch{wasted_colour(theme)}},
             {"not_moved", Swatch{draw::empty_colour(theme)}}}};
}

} // namespace

bool is_of(const recording::Access& access, const GlobalUse& use)
{
    return access.line == use.line && access.array == use.array && is_store(access.op) == use.store;
}

Message headline(const GlobalPart& part)
{
    const SectorPicture& picture = part.picture;
    Messages step;
    if (*part.step != part.focus.step || part.focus.past_end)
        step.push_back({"global.headline_step",
                        {{"step", Value(index(*part.step)).as(Meaning::quiet)},
                         {"before", *part.step < part.focus.step || part.focus.past_end}}});
    if (picture.sectors > picture.least_sectors)
        return {"global.headline_more",
                {{"step", step},
                 {"sectors", Value(picture.sectors).as(Meaning::conflict)},
                 {"least", picture.least_sectors}}};
    return {"global.headline_least", {{"step", step}, {"sectors", Value(picture.sectors).as(Meaning::good)}}};
}

std::vector<Messages> in_words(const Theme& theme, const GlobalPart& part)
{
    return {{request_message(part)}, outcome(part), {sums(part)}, {legend(theme)}};
}

Message lane_message(const GlobalPart& part, uint32_t lane)
{
    const recording::Access& access = part.shown();
    const Index warp = index(part.focus.warp_index);
    if (!takes_part(access, lane))
        return {"global.lane_idle", {{"stage", part.stage->slug}, {"warp", warp}, {"lane", index(lane)}}};
    const auto cells = cells_of_lane(access, (*part.elements)[access.array], part.array().element_bytes, lane);
    return {"global.lane",
            {{"stage", part.stage->slug},
             {"warp", warp},
             {"lane", index(lane)},
             {"store", is_store(access.op)},
             {"element", element_name(part.array().name, cells)},
             {"byte", access.offset[lane]},
             {"sector", access.offset[lane] / model::sector_bytes}}};
}

Message use_message(const GlobalPart& part, const GlobalUse& use)
{
    return {"global.use",
            {{"stage", part.stage->slug},
             {"line", index(use.line)},
             {"requests", use.launch.requests},
             {"moved", bytes(static_cast<double>(use.launch.sectors * model::sector_bytes))},
             {"sectors", with_decimals(use.sectors_per_request(), 1)},
             {"lines", with_decimals(use.lines_per_request(), 1)},
             {"used", share(use.used_share())},
             {"times", with_decimals(use.fetches_per_sector(), 1)}}};
}

} // namespace viz
