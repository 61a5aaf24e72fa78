#include "viz/views/08_placement/work_messages.h"

#include "viz/origin.h"

#include <algorithm>
#include <cstdint>

namespace viz {

namespace {

Value idle_value(const WorkLanes& lanes)
{
    constexpr double much = 0.1;
    return Value(share(lanes.idle())).as(lanes.idle() > much ? Meaning::conflict : Meaning::good);
}

} // namespace

Message work_headline(const WorkFacts& facts)
{
    return {"placement.work_head",
            {{"length", facts.launched().lanes.length},
             {"idle", idle_value(facts.launched().lanes)},
             {"cut", facts.launched_cut},
             {"other", facts.otherwise().lanes.length},
             {"other_idle", share(facts.otherwise().lanes.idle())}}};
}

std::vector<Messages> work_messages(const WorkFacts& facts, bool both)
{
    const WorkCase& own = facts.launched();
    const TileWork& work = own.work;
    const Message rule{"placement.work_rule",
                       {{"tiles", work.tiles()},
                        {"k_tiles", work.k_tiles},
                        {"places", facts.places},
                        {"sm", facts.on_sms},
                        {"deep", work.BK}}};
    Messages how;
    if (const std::size_t cut = own.by_tile.cut.size(); cut > 0)
        how.push_back(
            {"placement.work_cut_rule", {{"cut", cut}, {"whole", work.tiles() - cut}, {"depth", work.depth > 1}}});
    how.push_back(
        {"placement.work_known",
         {{"recorded", own.recorded}, {"parts", work.parts.size()}, {"all", own.recorded == work.parts.size()}}});
    std::vector<Messages> all{{rule}, how};
    if (both && !facts.launched_cut && !facts.cut.by_tile.cut.empty())
        all.push_back({{"placement.work_as_if", {{"places", facts.places}, {"sm", facts.on_sms}}}});
    return all;
}

Messages lanes_title(const WorkFacts& facts, const WorkCase& shown)
{
    const Value launched = &shown == &facts.launched();
    return {&shown == &facts.whole       ? Message{"placement.work_lanes_whole", {{"launched", launched}}}
            : !shown.by_tile.cut.empty() ? Message{"placement.work_lanes_cut", {{"launched", launched}}}
                                         : Message{"placement.work_lanes_uncut", {{"launched", launched}}},
            {"placement.work_length", {{"length", shown.lanes.length}, {"idle", idle_value(shown.lanes)}}}};
}

Message part_message(const WorkFacts& facts, const WorkCase& shown, std::size_t part, uint32_t K)
{
    const TileWork& work = shown.work;
    const WorkPart& what = work.parts[part];
    const Cell place = work.places[what.tile];
    const uint32_t last = what.first + what.count - 1;
    const bool launched = &shown == &facts.launched();
    const Message k_tiles =
        what.count == 1 ? Message{"placement.work_k_tile", {{"at", index(what.first)}}}
                        : Message{"placement.work_k_tiles", {{"first", index(what.first)}, {"last", index(last)}}};
    const Message known = !launched       ? Message{"placement.work_as_computed"}
                          : what.recorded ? Message{"placement.work_as_recorded"}
                                          : Message{"placement.work_as_derived"};
    return {"placement.work_part",
            {{"block", index(what.block)},
             {"k_tiles", k_tiles},
             {"all", work.k_tiles},
             {"from", index(what.first * work.BK)},
             {"until", index(std::min((last + 1) * work.BK, K) - 1)},
             {"row", index(place.row)},
             {"col", index(place.col)},
             {"launched", launched},
             {"origin", launched && what.recorded ? NumberOrigin::recorded : NumberOrigin::derived},
             {"known", known}}};
}

Message idle_lane_message(const WorkFacts& facts, const WorkCase& shown, std::size_t lane)
{
    return {"placement.work_idle",
            {{"sm", facts.on_sms},
             {"lane", index(lane)},
             {"end", shown.lanes.end_of(lane, shown.work)},
             {"length", shown.lanes.length}}};
}

Message no_work(NoWork why)
{
    switch (why) {
    case NoWork::too_large: return {"placement.no_work_too_large"};
    case NoWork::other_blocks: return {"placement.no_work_other_blocks"};
    case NoWork::contradicted: return {"placement.no_work_contradicted"};
    case NoWork::no_places: return {"placement.no_work_no_places"};
    case NoWork::no_tile: break;
    }
    return {"placement.no_work_no_tile"};
}

} // namespace viz
