#include "app/panels/source/words.h"

#include "app/panels/source/words_of_steps.h"
#include "app/shell/format.h"

#include "model/recorded_copy.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace app {

using recording::Access;
using viz::is_global;
using viz::is_shared;
using viz::is_store;
using viz::takes_part;

namespace {

std::string counted(int count, const char* noun)
{
    return viz::counted(static_cast<uint64_t>(count), noun);
}

std::string range(uint64_t first, uint64_t count)
{
    return count == 1 ? thousands(first) : thousands(first) + "–" + thousands(first + count - 1);
}

std::string lanes_text(int count)
{
    return count == 32 ? "All 32 lanes" : count == 1 ? "One lane" : fmt::format("{} of 32 lanes", count);
}

std::string bytes_per_lane(int width, int lanes)
{
    return fmt::format("{} {} bytes{}", lanes == 1 ? "accesses" : "access", width, lanes == 1 ? "" : " each");
}

int different_addresses(const Access& access)
{
    std::vector<uint32_t> found;
    for (uint32_t lane = 0; lane < recording::warp_size; ++lane)
        if (takes_part(access, lane) && std::find(found.begin(), found.end(), access.offset[lane]) == found.end())
            found.push_back(access.offset[lane]);
    return static_cast<int>(found.size());
}

void explain_shared(const Access& access, Explanation& text)
{
    const model::SharedCost cost = viz::shared_cost(access);
    const int groups = cost.wavefronts - cost.conflicts;
    text.conflicts = cost.conflicts > 0;
    text.cost = fmt::format("{}, {}", counted(cost.wavefronts, "wavefront"),
                            cost.conflicts == 0 ? "no conflict" : counted(cost.conflicts, "conflict"));
    text.why = "In one wavefront each of the 32 banks gives one 4-byte word. ";
    if (groups > 1)
        text.why += fmt::format("Lanes that access {} bytes are served in {} groups, so {} is the least possible. ",
                                access.width, groups, counted(groups, "wavefront"));
    if (cost.conflicts > 0)
        text.why += "Lanes served together ask for different words of the same bank, so they have to wait in turn.";
    else
        text.why += "Lanes served together never ask for two different words of one bank.";
}

void explain_global(const Access& access, const Access* next, int lanes, Explanation& text)
{
    const model::GlobalCost cost = viz::global_cost(access, next);
    const int different = different_addresses(access);
    const int used = different * access.width;
    text.cost = fmt::format("{}, {}", counted(cost.requests, "request"), counted(cost.sectors, "sector"));
    const int fetched = cost.sectors * model::sector_bytes;
    text.why = fmt::format("Global memory moves in sectors of 32 bytes: {} bytes for the {} that the lanes use",
                           thousands(static_cast<uint64_t>(fetched)), thousands(static_cast<uint64_t>(used)));
    text.why += different < lanes ? fmt::format(" ({} different addresses, each moved once).", different) : ".";
    text.conflicts = fetched > used;
    if (access.op != recording::Op::async_load || next == nullptr || next->op != recording::Op::async_store)
        return;
    const model::SharedCost write = model::copy_write(model::copy_of(access, *next));
    text.why += fmt::format(" Its write takes {} of shared memory.", counted(write.wavefronts, "wavefront"));
}

} // namespace

std::string lane_text(const recording::Recording& recording, const std::vector<viz::Elements>& elements,
                      const Access& access, uint32_t lane)
{
    if (!recording::has_addresses(access))
        return lane_text_without_address(access, lane);
    if (!takes_part(access, lane))
        return fmt::format("lane {} takes no part in this access", lane);
    const recording::Array& array = recording.arrays[access.array];
    const std::vector<viz::Cell> cells = viz::cells_of_lane(access, elements[access.array], array.element_bytes, lane);
    const std::string what = fmt::format("lane {} {} {}", lane, is_store(access.op) ? "writes" : "reads",
                                         viz::element_name(array.name, cells));
    const uint64_t offset = access.offset[lane];
    if (array.space == recording::Space::global)
        return fmt::format("{} → byte {} of {}, sector {}", what, thousands(offset), array.name,
                           thousands(offset / model::sector_bytes));
    if (!is_shared(access.op))
        return fmt::format("{} → byte {} of {}", what, thousands(offset), array.name);
    const uint64_t words = std::max(access.width / model::bank_bytes, 1);
    const uint64_t first_bank = static_cast<uint64_t>(model::bank_of(offset));
    return fmt::format("{} → word{} {}, bank{} {}", what, words == 1 ? "" : "s",
                       range(offset / model::bank_bytes, words), words == 1 ? "" : "s", range(first_bank, words));
}

Explanation explain(const recording::Recording& recording, const Access& access, const Access* next)
{
    if (!recording::has_addresses(access))
        return explain_without_address(access);
    Explanation text;
    const recording::Array& array = recording.arrays[access.array];
    const int lanes = std::popcount(access.mask);
    const char* memory = array.space == recording::Space::shared ? "shared" : "global";
    text.heading = fmt::format("Line {} {} {}", access.line, is_store(access.op) ? "writes" : "reads", array.name);
    text.what = fmt::format("{} {} of {}, which lies in {} memory.", lanes_text(lanes),
                            access.width == 0 ? lanes == 1 ? "names a part" : "name a part"
                                              : bytes_per_lane(access.width, lanes),
                            array.name, memory);
    if (const std::string purpose = purpose_of(access.op); !purpose.empty())
        text.what += " " + purpose;
    if (lanes == 0)
        text.what = "No lane's guard is true here, so nothing moves.";
    else if (is_shared(access.op))
        explain_shared(access, text);
    else if (is_global(access.op))
        explain_global(access, next, lanes, text);
    return text;
}

} // namespace app
