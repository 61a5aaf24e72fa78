#include "viz/analysis/access_messages.h"

#include "viz/analysis/sectors.h"
#include "viz/text/figures.h"

#include "model/recorded_copy.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <set>
#include <utility>

namespace viz {

using recording::Access;
using recording::Op;

namespace {

uint64_t count(int figure)
{
    return static_cast<uint64_t>(figure);
}

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

// Colours the number if it costs time.
Value marked(std::string figure, bool costs)
{
    return Value(std::move(figure)).as(costs ? Meaning::conflict : Meaning::none);
}

Rich shared_cost_words(const Access& access)
{
    const model::SharedCost cost = shared_cost(access);
    const int groups = cost.wavefronts - cost.conflicts;
    const bool conflicts = cost.conflicts > 0;
    return joined(
        {rich("*This access:* **{}**, **{}**. In one wavefront each of the 32 banks gives one 4-byte word.",
              counted(count(cost.wavefronts), "wavefront"),
              marked(conflicts ? counted(count(cost.conflicts), "conflict") : "no conflict", conflicts)),
         groups > 1 ? rich("Lanes that access {} bytes are served in {} groups, so {} wavefronts is the least "
                           "possible.",
                           access.width, groups, groups)
                    : Rich(),
         rich(conflicts ? "Lanes served together ask for different words of the same bank, so they wait in turn."
                        : "Lanes served together never ask for two different words of one bank.")});
}

Rich global_cost_words(const Access& access, const Access* next)
{
    const model::GlobalCost cost = global_cost(access, next);
    const int different = different_addresses(access);
    const bool wastes = static_cast<uint64_t>(cost.sectors) > fewest_sectors(access);
    std::vector<Rich> said{
        rich("*This access:* **{}**, **{}**. Global memory moves in sectors of 32 bytes: **{}** bytes for "
             "the **{}** that the lanes use.",
             counted(count(cost.requests), "request"), marked(counted(count(cost.sectors), "sector"), wastes),
             cost.sectors * model::sector_bytes, different * access.width)};
    if (different < std::popcount(access.mask))
        said.push_back(rich("The lanes name {}, each moved once.",
                            counted(count(different), "different address", "different addresses")));
    if (access.op == Op::async_load && next != nullptr && next->op == Op::async_store)
        said.push_back(rich("Its write takes {} of shared memory.",
                            counted(count(model::copy_write(model::copy_of(access, *next)).wavefronts), "wavefront")));
    return joined(std::move(said));
}

std::string lane_without_address(const Access& access, uint32_t lane)
{
    if (access.op == Op::barrier)
        return "all warps of the block wait for each other here";
    if (!takes_part(access, lane))
        return fmt::format("lane {} takes no part in this step", lane);
    switch (access.op) {
    case Op::shuffle: return fmt::format("lane {} gets the value of lane {}", lane, access.offset[lane]);
    case Op::async_commit: return fmt::format("lane {} makes a group of the copies that it has started", lane);
    case Op::async_wait: return fmt::format("lane {} waits for its oldest copies", lane);
    case Op::matrix_multiply: return fmt::format("lane {} gives its part of the fragments", lane);
    case Op::arrive: return fmt::format("lane {} arrives at barrier {}", lane, access.offset[lane]);
    default: return fmt::format("lane {} waits at barrier {}", lane, access.offset[lane]);
    }
}

// Describes a step without addresses: a headline with its source line, and its effect.
Rich step_words(const Access& access)
{
    const auto said = [&access](std::string_view headline, const Rich& effect) {
        return rich("*Line {} {}*\n{}", index(access.line), headline, effect);
    };
    switch (access.op) {
    case Op::barrier:
        return said("waits for the whole block",
                    rich("No warp goes on before every warp of the block has come here. After it all can read what was "
                         "stored to shared memory before."));
    case Op::shuffle:
        return said(
            "passes values between lanes",
            rich("Each lane gets the value that another lane of the warp holds in a register. No memory is touched; "
                 "all lanes must come here together."));
    case Op::async_commit:
        return said(
            "closes a group of copies",
            rich("The asynchronous copies that a thread has started since its last group become a group. It can be "
                 "waited for; here no thread waits."));
    case Op::async_wait:
        return said("waits for copies",
                    rich("Each thread waits until {} in shared memory. For the copies of other threads a barrier must "
                         "follow.",
                         access.width == 0 ? std::string("all its groups of copies have arrived")
                                           : fmt::format("all its copies but the newest {} have arrived",
                                                         counted(access.width, "group"))));
    case Op::matrix_multiply:
        return said(
            "multiplies on the tensor cores",
            rich("The warp multiplies two small matrices and adds the product to a third. Each lane holds a part of "
                 "all three in its registers; no memory is touched."));
    case Op::arrive:
        return said(fmt::format("arrives at barrier {}", lowest_lane_offset(access)),
                    rich("An mbarrier in shared memory counts arrivals; who arrives does not wait."));
    default:
        return said(
            fmt::format("waits at barrier {}", lowest_lane_offset(access)),
            rich("The mbarrier in shared memory has to count all arrivals of its phase and, for TMA copies, all "
                 "their bytes."));
    }
}

// Returns the purpose of a kind of access, or nothing for plain loads and stores.
Rich purpose_of(Op op)
{
    switch (op) {
    case Op::matrix_load:
        return rich(
            "`ldmatrix`: each 8 lanes offer the rows of one 8 x 8 matrix, and every lane receives two elements of "
            "each matrix.");
    case Op::async_load:
        return rich("The read of an asynchronous copy: it uses no register, and no thread waits for it here.");
    case Op::async_store:
        return rich(
            "The write of an asynchronous copy: it happens at some time before the wait for its group ends. What it "
            "costs depends also on what it reads: the view of shared memory shows it. The hardware counts it apart "
            "from stores.");
    case Op::matrix_multiply:
        return rich(
            "The tensor cores read this tile themselves. Derived from a descriptor: no lane issues these addresses.");
    case Op::tile_load:
    case Op::tile_store:
        return rich(
            "WMMA moves a tile for the whole warp and does not say which lane moves what. It is recorded as one "
            "step, with lane i in place of row i. Its cost is not known.");
    case Op::bulk_load:
    case Op::bulk_store:
        return rich("A TMA copy of a whole box, started by one lane. Derived from its descriptor: no lane issues these "
                    "addresses.");
    case Op::shared_atomic:
        return rich(
            "An atomic operation: lanes of one bank are served one after another, also those of one word, unless "
            "the GPU counts a constant 1 for all lanes of a word together.");
    case Op::global_atomic:
        return rich("An atomic operation, which L2 carries out: a sector is sent once for each lane that updates the "
                    "same address.");
    default: return {};
    }
}

} // namespace

std::string lane_words(const recording::Recording& recording, const std::vector<Elements>& elements,
                       const Access& access, uint32_t lane)
{
    if (!recording::has_addresses(access) || !takes_part(access, lane))
        return lane_without_address(access, lane);
    const recording::Array& array = recording.arrays[access.array];
    const char* const does = verb_of(access.op);
    const uint64_t offset = access.offset[lane];
    const std::string element =
        element_name(array.name, cells_of_lane(access, elements[access.array], array.element_bytes, lane));
    if (!is_shared(access.op) && element.empty()) // the address comes from the descriptor of a whole tile
        return fmt::format("lane {} names the part of {} from byte {} on, which the hardware {}", lane, array.name,
                           thousands(offset), does);
    const std::string begin = fmt::format("lane {} {} {}", lane, does, element);
    if ((is_shared(access.op) || access.op == Op::shared_atomic) && array.space != recording::Space::global) {
        const uint64_t words = std::max(access.width / model::bank_bytes, 1);
        return fmt::format("{} → {} {}, {} {}", begin, words == 1 ? "word" : "words",
                           range(offset / model::bank_bytes, words), words == 1 ? "bank" : "banks",
                           range(static_cast<uint64_t>(model::bank_of(offset)), words));
    }
    const std::string byte = fmt::format("{} → byte {} of {}", begin, thousands(offset), array.name);
    return array.space == recording::Space::global
               ? fmt::format("{}, sector {}", byte, thousands(offset / model::sector_bytes))
               : byte;
}

std::vector<Rich> explain(const recording::Recording& recording, const Access& access, const Access* next)
{
    if (!recording::has_addresses(access))
        return {step_words(access)};
    const recording::Array& array = recording.arrays[access.array];
    const uint64_t lanes = count(std::popcount(access.mask));
    const Rich headline = rich("*Line {} {} {}*\n", index(access.line), verb_of(access.op), array.name);
    if (lanes == 0)
        return {rich("{}No lane's guard is true here, so nothing moves.", headline)};
    const std::string does = access.width == 0 ? (lanes == 1 ? "names a part" : "name a part")
                             : lanes == 1      ? fmt::format("accesses {} bytes", access.width)
                                               : fmt::format("access {} bytes each", access.width);
    std::vector<Rich> said{rich("{}{} of 32 lanes {} of {}, which lies in {} memory.", headline, lanes, does,
                                array.name, array.space == recording::Space::shared ? "shared" : "global")};
    if (Rich purpose = purpose_of(access.op); !purpose.empty())
        said.push_back(std::move(purpose));
    if (is_shared(access.op))
        said.push_back(shared_cost_words(access));
    else if (is_global(access.op))
        said.push_back(global_cost_words(access, next));
    else if (is_atomic(access.op))
        said.push_back(rich("*This access:* **{}**.", atomic_cost_words(access)));
    return said;
}

} // namespace viz
