#include "viz/analysis/access_messages.h"

#include "viz/analysis/sectors.h"
#include "viz/text/figures.h"

#include "model/recorded_copy.h"

#include <algorithm>
#include <bit>
#include <set>

namespace viz {

using recording::Access;
using recording::Op;

namespace {

std::string range(uint64_t first, uint64_t count)
{
    return count == 1 ? thousands(first) : thousands(first) + "–" + thousands(first + count - 1);
}

int different_addresses(const Access& access)
{
    std::set<uint32_t> found;
    for (uint32_t lane = 0; lane < recording::warp_size; ++lane)
        if (takes_part(access, lane))
            found.insert(access.offset[lane]);
    return static_cast<int>(found.size());
}

// A figure that costs something is marked.
Value marked(int count, bool costs)
{
    return Value(count).as(costs ? Meaning::conflict : Meaning::none);
}

Messages shared_cost_messages(const Access& access)
{
    const model::SharedCost cost = shared_cost(access);
    const int groups = cost.wavefronts - cost.conflicts;
    Messages said{{"source.cost_shared",
                   {{"wavefronts", cost.wavefronts}, {"conflicts", marked(cost.conflicts, cost.conflicts > 0)}}}};
    if (groups > 1)
        said.push_back({"source.groups", {{"width", access.width}, {"groups", groups}}});
    said.push_back(cost.conflicts > 0 ? Message{"source.conflicts"} : Message{"source.no_conflict"});
    return said;
}

Messages global_cost_messages(const Access& access, const Access* next)
{
    const model::GlobalCost cost = global_cost(access, next);
    const int different = different_addresses(access), used = different * access.width;
    const int moved = cost.sectors * model::sector_bytes;
    Messages said{{"source.cost_global",
                   {{"requests", cost.requests},
                    {"sectors", marked(cost.sectors, static_cast<uint64_t>(cost.sectors) > fewest_sectors(access))},
                    {"moved", moved},
                    {"used", used}}}};
    if (different < std::popcount(access.mask))
        said.push_back({"source.same_addresses", {{"different", different}}});
    if (access.op == Op::async_load && next != nullptr && next->op == Op::async_store)
        said.push_back(
            {"source.copy_write", {{"wavefronts", model::copy_write(model::copy_of(access, *next)).wavefronts}}});
    return said;
}

Message lane_without_address(const Access& access, uint32_t lane)
{
    if (access.op == Op::barrier)
        return {"source.lane_barrier"};
    if (!takes_part(access, lane))
        return {"source.lane_idle", {{"lane", index(lane)}}};
    switch (access.op) {
    case Op::shuffle: return {"source.lane_shuffle", {{"lane", index(lane)}, {"from", index(access.offset[lane])}}};
    case Op::async_commit: return {"source.lane_commit", {{"lane", index(lane)}}};
    case Op::async_wait: return {"source.lane_wait", {{"lane", index(lane)}}};
    case Op::matrix_multiply: return {"source.lane_multiply", {{"lane", index(lane)}}};
    case Op::arrive: return {"source.lane_arrive", {{"lane", index(lane)}, {"barrier", index(access.offset[lane])}}};
    default: return {"source.lane_await", {{"lane", index(lane)}, {"barrier", index(access.offset[lane])}}};
    }
}

Message step(const Access& access)
{
    switch (access.op) {
    case Op::barrier: return {"source.barrier", {{"line", index(access.line)}}};
    case Op::shuffle: return {"source.shuffle", {{"line", index(access.line)}}};
    case Op::async_commit: return {"source.commit", {{"line", index(access.line)}}};
    case Op::async_wait:
        if (access.width == 0)
            return {"source.wait_all", {{"line", index(access.line)}}};
        return {"source.wait_older", {{"line", index(access.line)}, {"groups", access.width}}};
    case Op::matrix_multiply: return {"source.multiply", {{"line", index(access.line)}}};
    case Op::arrive:
        return {"source.arrive", {{"line", index(access.line)}, {"barrier", index(lowest_lane_offset(access))}}};
    default: return {"source.await", {{"line", index(access.line)}, {"barrier", index(lowest_lane_offset(access))}}};
    }
}

// What a kind of access is for; nothing of plain loads and stores.
Messages purpose_of(Op op)
{
    switch (op) {
    case Op::matrix_load: return {{"source.matrix_load"}};
    case Op::async_load: return {{"source.async_load"}};
    case Op::async_store: return {{"source.async_store"}};
    case Op::matrix_multiply: return {{"source.operand"}};
    case Op::tile_load:
    case Op::tile_store: return {{"source.tile"}};
    case Op::bulk_load:
    case Op::bulk_store: return {{"source.bulk"}};
    default: return {};
    }
}

} // namespace

Message lane_message(const recording::Recording& recording, const std::vector<Elements>& elements, const Access& access,
                     uint32_t lane)
{
    if (!recording::has_addresses(access) || !takes_part(access, lane))
        return lane_without_address(access, lane);
    const recording::Array& array = recording.arrays[access.array];
    const bool store = is_store(access.op);
    const uint64_t offset = access.offset[lane];
    const std::string element =
        element_name(array.name, cells_of_lane(access, elements[access.array], array.element_bytes, lane));
    if (!is_shared(access.op) && element.empty()) // a descriptor of a whole tile
        return {"source.lane_descriptor",
                {{"lane", index(lane)}, {"store", store}, {"byte", offset}, {"array", array.name}}};
    if (array.space == recording::Space::global)
        return {"source.lane_global",
                {{"lane", index(lane)},
                 {"store", store},
                 {"element", element},
                 {"byte", offset},
                 {"array", array.name},
                 {"sector", offset / model::sector_bytes}}};
    if (!is_shared(access.op))
        return {
            "source.lane_other",
            {{"lane", index(lane)}, {"store", store}, {"element", element}, {"byte", offset}, {"array", array.name}}};
    const uint64_t words = std::max(access.width / model::bank_bytes, 1);
    return {"source.lane_shared",
            {{"lane", index(lane)},
             {"store", store},
             {"element", element},
             {"count", words},
             {"words", range(offset / model::bank_bytes, words)},
             {"banks", range(static_cast<uint64_t>(model::bank_of(offset)), words)}}};
}

std::vector<Messages> explain(const recording::Recording& recording, const Access& access, const Access* next)
{
    if (!recording::has_addresses(access))
        return {{step(access)}};
    const recording::Array& array = recording.arrays[access.array];
    const int lanes = std::popcount(access.mask);
    const bool store = is_store(access.op), shared = array.space == recording::Space::shared;
    if (lanes == 0)
        return {{{"source.nothing_moves", {{"line", index(access.line)}, {"store", store}, {"array", array.name}}}}};
    std::vector<Messages> said;
    if (access.width == 0)
        said.push_back({{"source.part",
                         {{"line", index(access.line)},
                          {"store", store},
                          {"array", array.name},
                          {"lanes", lanes},
                          {"shared", shared}}}});
    else
        said.push_back({{"source.access",
                         {{"line", index(access.line)},
                          {"store", store},
                          {"array", array.name},
                          {"lanes", lanes},
                          {"width", access.width},
                          {"shared", shared}}}});
    if (Messages purpose = purpose_of(access.op); !purpose.empty())
        said.push_back(std::move(purpose));
    if (is_shared(access.op))
        said.push_back(shared_cost_messages(access));
    else if (is_global(access.op))
        said.push_back(global_cost_messages(access, next));
    return said;
}

} // namespace viz
