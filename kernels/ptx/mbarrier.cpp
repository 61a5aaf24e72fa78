// Instructions of mbarriers: barriers in shared memory that count arrivals and bytes.
#include "ptx/mbarrier.h"

#include "ptx/block.h"
#include "ptx/decode.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>

namespace ptx {

namespace {

using recording::Op;

// Returns the mbarrier at an address. With `waits` the lane waits for its phase, which only the block's threads may do.
Mbarrier& mbarrier_at(Warp& warp, const Instruction& instruction, Space in, uint64_t address, int lane,
                      bool waits = false)
{
    const auto [space, where, bytes] = warp.locate(instruction, in, address, 8, lane, true);
    if (space == Space::cluster && waits)
        warp.fail(instruction, lane,
                  "waits for an mbarrier of another block of its cluster; only its own block can wait for it");
    const bool in_shared = space == Space::shared || space == Space::cluster;
    Mbarrier* const found = in_shared ? warp.block_of(where)->mbarriers.find(where % cluster_step) : nullptr;
    if (found == nullptr)
        warp.fail(instruction, lane,
                  fmt::format("uses an mbarrier at byte {} of shared memory{}, where none was made by mbarrier.init",
                              where % cluster_step, space == Space::cluster ? " of another block of its cluster" : ""));
    return *found;
}

Mbarrier& mbarrier_of(Warp& warp, const Instruction& instruction, int lane, bool waits = false)
{
    return mbarrier_at(warp, instruction, instruction.space, warp.address(instruction, lane), lane, waits);
}

// Returns the operand that counts arrivals or bytes, or 1 if there is none.
int64_t count_given(Warp& warp, const Instruction& instruction, int lane)
{
    return instruction.r[1] == no_register ? 1 : int64_t{warp.words(instruction.r[1])[lane]};
}

void settle(Warp& warp, Mbarrier& barrier)
{
    if (barrier.settle())
        warp.block.cluster.wake();
}

void arrive_at(Warp& warp, Mbarrier& barrier, const Instruction& instruction, int64_t count, int lane)
{
    if (count < 1 || count > barrier.pending)
        warp.fail(instruction, lane,
                  fmt::format("arrives {} times at an mbarrier that waits for {} of {} arrivals", count,
                              barrier.pending, barrier.expected));
    barrier.pending -= count;
    settle(warp, barrier);
}

void add_bytes(Warp& warp, Mbarrier& barrier, const Instruction& instruction, int64_t bytes, int lane)
{
    barrier.bytes += bytes;
    if (barrier.bytes > Mbarriers::most || barrier.bytes < -Mbarriers::most)
        warp.fail(instruction, lane,
                  fmt::format("makes {} bytes under way at an mbarrier, more than the {} it counts", barrier.bytes,
                              Mbarriers::most));
}

void make_mbarrier(Warp& warp, const Instruction& instruction, uint32_t mask)
{
    for_lanes(mask, [&](int lane) {
        const Warp::Place place =
            warp.locate(instruction, instruction.space, warp.address(instruction, lane), 8, lane, true);
        const uint32_t count = warp.words(instruction.r[1])[lane];
        if (place.space != Space::shared)
            warp.fail(instruction, lane, "makes an mbarrier that is not in shared memory");
        if (count < 1 || count > Mbarriers::most)
            warp.fail(instruction, lane,
                      fmt::format("makes an mbarrier for {} arrivals; it can have 1 to {}", count, Mbarriers::most));
        const uint64_t state = warp.block.mbarriers.make(place.address, count).state();
        std::memcpy(place.bytes, &state, sizeof state);
    });
}

void forget_mbarrier(Warp& warp, const Instruction& instruction, uint32_t mask)
{
    for_lanes(mask, [&](int lane) {
        mbarrier_of(warp, instruction, lane);
        const uint64_t address = warp.address(instruction, lane);
        warp.block.mbarriers.erase(warp.locate(instruction, instruction.space, address, 8, lane, true).address);
    });
}

void pending_count(Warp& warp, const Instruction& instruction, uint32_t mask)
{
    for_lanes(mask, [&](int lane) {
        warp.set(instruction.to.front(), lane, warp.wides(instruction.r[1])[lane] & 0xffffffff);
    });
}

void expect_bytes(Warp& warp, const Instruction& instruction, uint32_t mask)
{
    for_lanes(mask, [&](int lane) {
        add_bytes(warp, mbarrier_of(warp, instruction, lane), instruction, count_given(warp, instruction, lane), lane);
    });
}

void complete_bytes(Warp& warp, const Instruction& instruction, uint32_t mask)
{
    for_lanes(mask, [&](int lane) {
        Mbarrier& barrier = mbarrier_of(warp, instruction, lane);
        add_bytes(warp, barrier, instruction, -count_given(warp, instruction, lane), lane);
        settle(warp, barrier);
    });
}

// The numbers of the mbarriers that the lanes use. The recording needs them.
struct Noted {
    LaneAddresses numbers{};
    uint32_t own = 0; // lanes whose mbarrier is in their own block

    void add(Warp& warp, const Instruction& instruction, const Mbarrier& barrier, int lane)
    {
        numbers[static_cast<std::size_t>(lane)] = barrier.number;
        own |= static_cast<uint32_t>(warp.is_own(warp.address(instruction, lane) % window_bytes)) << lane;
    }
};

// Call it before the lanes arrive, because an arrival can complete a phase.
Noted noted_of(Warp& warp, const Instruction& instruction, uint32_t mask)
{
    Noted noted;
    for_lanes(mask, [&](int lane) { noted.add(warp, instruction, mbarrier_of(warp, instruction, lane), lane); });
    return noted;
}

void tell_arrivals(Warp& warp, const Instruction& instruction, uint32_t mask, const Noted& noted)
{
    if (noted.own != 0)
        warp.tell(Op::arrive, instruction, noted.own, noted.numbers, 0);
    warp.block.between_blocks += noted.own != mask ? 1 : 0;
}

template <bool drops>
void arrive_at_mbarrier(Warp& warp, const Instruction& instruction, uint32_t mask)
{
    const Noted noted = noted_of(warp, instruction, mask);
    for_lanes(mask, [&](int lane) {
        Mbarrier& barrier = mbarrier_of(warp, instruction, lane);
        barrier.expected -= drops ? 1 : 0;
        warp.set(instruction.to.front(), lane, barrier.state());
        const int64_t number = count_given(warp, instruction, lane);
        const bool expects = instruction.truth != 0;
        if (expects)
            add_bytes(warp, barrier, instruction, number, lane);
        arrive_at(warp, barrier, instruction, expects ? 1 : number, lane);
    });
    tell_arrivals(warp, instruction, mask, noted);
}

void arrive_after_copies(Warp& warp, const Instruction& instruction, uint32_t mask)
{
    const Noted noted = noted_of(warp, instruction, mask);
    warp.copies.finish(warp, mask);
    for_lanes(mask, [&](int lane) {
        Mbarrier& barrier = mbarrier_of(warp, instruction, lane);
        // Without .noinc the instruction adds one pending arrival before it arrives, so the count does not change.
        if (instruction.truth != 0)
            arrive_at(warp, barrier, instruction, 1, lane);
    });
    tell_arrivals(warp, instruction, mask, noted);
}

// With `blocks` the warp waits until the phases of all its lanes are complete. Otherwise the lanes continue, and each
// lane's predicate says whether its phase is complete.
template <bool blocks>
void wait_for_phase(Warp& warp, const Instruction& instruction, uint32_t mask)
{
    Noted noted;
    uint32_t done = 0;
    for_lanes(mask, [&](int lane) {
        const Mbarrier& barrier = mbarrier_of(warp, instruction, lane, true);
        const bool over = instruction.truth != 0 ? (barrier.phase & 1) != (warp.words(instruction.r[1])[lane] & 1)
                                                 : barrier.phase > warp.wides(instruction.r[1])[lane] >> 32;
        done |= static_cast<uint32_t>(over) << lane;
        noted.add(warp, instruction, barrier, lane);
    });
    if (blocks && done != mask)
        return warp.stay(Warp::State::at_mbarrier);
    warp.set_bits(instruction.r[3], mask, done);
    warp.yields = warp.yields || done != mask; // lets other warps run, so that the phase can complete
    if (done != 0)
        warp.tell(Op::wait, instruction, done, noted.numbers, 0);
}

struct Operation {
    std::string_view name;
    Execute execute;
};
constexpr Operation operations[] = {{"init", make_mbarrier},
                                    {"inval", forget_mbarrier},
                                    {"arrive_drop", arrive_at_mbarrier<true>},
                                    {"arrive", arrive_at_mbarrier<false>},
                                    {"expect_tx", expect_bytes},
                                    {"complete_tx", complete_bytes},
                                    {"test_wait", wait_for_phase<false>},
                                    {"try_wait", wait_for_phase<true>},
                                    {"pending_count", pending_count}};

void decode_operation(Decoder& decoder, const Words& words)
{
    const auto* const found =
        std::ranges::find_if(operations, [&](const Operation& one) { return words.has(one.name); });
    if (found == std::end(operations))
        decoder.unknown();
    Instruction instruction{.kind = Kind::mbarrier, .execute = found->execute};
    const bool arrives = found->name.starts_with("arrive"), waits = found->name.ends_with("_wait");
    if (found->execute == pending_count) { // the operand is a state in a register, not an mbarrier
        instruction.r[1] = decoder.source(1, Width::wide);
        instruction.to.push_back(decoder.any_target(0));
        decoder.emit(std::move(instruction));
        return;
    }
    instruction.space = space_in(words);
    decoder.address(arrives || waits ? 1 : 0, instruction);
    if (arrives) {
        instruction.to.push_back(decoder.any_target(0));
        instruction.truth = words.has("expect_tx"); // the last operand is a number of bytes
        if (decoder.operands() > 2)
            instruction.r[1] = decoder.source(2, Width::word);
    } else if (waits) {
        instruction.r[3] = decoder.target(0, Width::predicate);
        instruction.truth = words.has("parity");
        instruction.r[1] = decoder.source(2, instruction.truth != 0 ? Width::word : Width::wide);
    } else if (found->execute != forget_mbarrier) {
        instruction.r[1] = decoder.source(1, Width::word);
    }
    decoder.emit(std::move(instruction));
}

} // namespace

void count_copied(Warp& warp, const Instruction& instruction, uint64_t mbarrier, int lane, uint64_t bytes)
{
    Mbarrier& barrier = mbarrier_at(warp, instruction, Space::shared, mbarrier, lane);
    add_bytes(warp, barrier, instruction, -static_cast<int64_t>(bytes), lane);
    settle(warp, barrier);
}

bool decode_mbarrier(Decoder& decoder, const Words& words)
{
    if (words.first == "mbarrier") {
        decode_operation(decoder, words);
        return true;
    }
    if (words.first != "cp" || !words.has("async") || !words.has("mbarrier") || !words.has("arrive"))
        return false;
    // Arrives after the thread's cp.async copies.
    Instruction instruction{.kind = Kind::mbarrier, .execute = arrive_after_copies};
    instruction.truth = words.has("noinc");
    instruction.space = space_in(words);
    decoder.address(0, instruction);
    decoder.emit(std::move(instruction));
    return true;
}

} // namespace ptx
