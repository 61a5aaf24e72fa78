// Instructions at which lanes or warps meet: barriers, shuffles, votes, reductions of a warp.
#include "ptx/block.h"
#include "ptx/decode.h"

#include <fmt/format.h>

#include <array>
#include <bit>

namespace ptx {

namespace {

// Executes a barrier of a block. r contains the result, the barrier's number, the number of threads and a predicate.
// `transposed` means that the lanes only arrive and continue at once.
void barrier(Warp& warp, const Instruction& instruction, uint32_t mask)
{
    if (mask == 0)
        return;
    if (instruction.aligned && mask != warp.live)
        warp.fail(instruction,
                  fmt::format("only {} of the {} threads of warp {} of block ({},{},{}) reach this barrier together; a "
                              "barrier must not stand where some threads go another way",
                              std::popcount(mask), std::popcount(warp.live), warp.number, warp.block.index.x,
                              warp.block.index.y, warp.block.index.z));
    const int lane = std::countr_zero(mask);
    const uint32_t number = warp.words(instruction.r[1])[lane];
    if (number >= 16)
        warp.fail(instruction, fmt::format("barrier {} is none of the 16 that a block has", number));
    Block::Arrival arrival;
    arrival.wanted = instruction.r[2] == no_register ? 0 : warp.words(instruction.r[2])[lane];
    if (instruction.kind == Kind::barrier_reduce) {
        const uint32_t condition = *warp.words(instruction.r[3]);
        arrival.holds = static_cast<uint32_t>(std::popcount((instruction.truth != 0 ? ~condition : condition) & mask));
        arrival.combine = instruction.combine;
    }
    warp.block.check.warp_barrier(warp.number); // also when only some warps of the block meet
    warp.tell(recording::Op::barrier, instruction, mask, {}, 0);
    arrival.lanes = arrival.wanted != 0 && mask == warp.live ? 32 : static_cast<uint32_t>(std::popcount(mask));
    warp.part(mask); // the predicate is false in the other lanes
    if (!instruction.transposed)
        warp.stay(Warp::State::at_barrier, number);
    warp.block.arrive(number, arrival);
}

// Waits until all lanes of a mask, which is in r[4], have arrived, then calls `act`.
template <Execute act>
void together(Warp& warp, const Instruction& instruction, uint32_t mask)
{
    uint32_t members = 0;
    for_lanes(mask, [&](int lane) { members |= warp.words(instruction.r[4])[lane]; });
    if (mask != 0 && warp.meets(members))
        act(warp, instruction, mask);
}

void meet(Warp& warp, const Instruction&, uint32_t)
{
    warp.block.check.warp_barrier(warp.number);
}

void elect(Warp& warp, const Instruction& instruction, uint32_t mask)
{
    uint32_t members = 0;
    for_lanes(mask, [&](int lane) { members |= warp.words(instruction.r[4])[lane]; });
    if ((members & mask) == 0)
        warp.fail(instruction, std::countr_zero(mask), "elects one of a mask that none of the lanes here is in");
    const int leader = std::countr_zero(members & mask);
    for_lanes(mask, [&](int lane) { warp.words(instruction.r[0])[lane] = static_cast<uint32_t>(leader); });
    warp.set_bits(instruction.r[5], mask, 1u << leader);
}

// The source of a shuffle: its lane number, and whether that lane is in the segment from `first` to `last`.
struct Source {
    bool there = false;
    uint32_t lane = 0;
};
struct Segment {
    uint32_t own = 0, by = 0, first = 0, last = 0, mask = 0;
};
Source up(const Segment& s)
{
    return {s.own >= s.by && s.own - s.by >= s.last, s.own - s.by};
}
Source down(const Segment& s)
{
    return {s.own + s.by <= s.last, s.own + s.by};
}
Source butterfly(const Segment& s)
{
    return {(s.own ^ s.by) <= s.last, s.own ^ s.by};
}
Source indexed(const Segment& s)
{
    const uint32_t from = s.first | (s.by & ~s.mask);
    return {from <= s.last, from};
}

// Executes shfl. r contains the result, the value, the distance, the limits, the mask of members and the predicate.
template <Source (*source)(const Segment&)>
void shuffle(Warp& warp, const Instruction& instruction, uint32_t mask)
{
    const uint32_t *const value = warp.words(instruction.r[1]), *const by = warp.words(instruction.r[2]),
                          *const limits = warp.words(instruction.r[3]);
    std::array<uint32_t, 32> result{};
    LaneAddresses from{};
    uint32_t in_range = 0;
    for_lanes(mask, [&](int lane) {
        const uint32_t segment = limits[lane] >> 8 & 31, clamp = limits[lane] & 31, own = static_cast<uint32_t>(lane);
        const auto [there, other] =
            source({own, by[lane] & 31, own & segment, (own & segment) | (clamp & ~segment), segment});
        from[own] = there ? other : own;
        result[own] = value[from[own]];
        in_range |= static_cast<uint32_t>(there) << lane;
    });
    uint32_t* const to = warp.words(instruction.r[0]);
    for_lanes(mask, [&](int lane) { to[lane] = result[static_cast<std::size_t>(lane)]; });
    if (instruction.r[5] != no_register)
        warp.set_bits(instruction.r[5], mask, in_range);
    warp.tell(recording::Op::shuffle, instruction, mask, from, 0);
}

// Returns the lanes whose predicate is true. `truth` negates the predicate.
uint32_t voters(Warp& warp, const Instruction& instruction, uint32_t mask)
{
    const uint32_t condition = *warp.words(instruction.r[1]);
    return (instruction.truth != 0 ? ~condition : condition) & mask;
}

void ballot(Warp& warp, const Instruction& instruction, uint32_t mask)
{
    const uint32_t yes = voters(warp, instruction, mask);
    for_lanes(mask, [&](int lane) { warp.words(instruction.r[0])[lane] = yes; });
}

bool all(uint32_t yes, uint32_t mask)
{
    return yes == mask;
}
bool any(uint32_t yes, uint32_t)
{
    return yes != 0;
}
bool uniform(uint32_t yes, uint32_t mask)
{
    return yes == mask || yes == 0;
}

template <bool (*decides)(uint32_t yes, uint32_t mask)>
void vote(Warp& warp, const Instruction& instruction, uint32_t mask)
{
    warp.set_bits(instruction.r[0], mask, decides(voters(warp, instruction, mask), mask) ? ~0u : 0);
}

// Executes match: each lane gets the mask of the lanes with the same value. With `truth` (match.all) the mask is 0
// unless all lanes have the same value.
void match(Warp& warp, const Instruction& instruction, uint32_t mask)
{
    const auto value = [&](int lane) { return warp.value(instruction.in.front(), lane); };
    std::array<uint32_t, 32> result{};
    for_lanes(mask, [&](int lane) {
        uint32_t same = 0;
        for_lanes(mask, [&](int other) { same |= static_cast<uint32_t>(value(other) == value(lane)) << other; });
        result[static_cast<std::size_t>(lane)] = instruction.truth == 0 ? same : same == mask ? mask : 0;
    });
    for_lanes(mask, [&](int lane) { warp.words(instruction.r[0])[lane] = result[static_cast<std::size_t>(lane)]; });
    if (instruction.r[5] != no_register)
        warp.set_bits(instruction.r[5], mask,
                      result[static_cast<std::size_t>(std::countr_zero(mask))] == mask ? ~0u : 0);
}

void reduce(Warp& warp, const Instruction& instruction, uint32_t mask)
{
    const uint32_t* const value = warp.words(instruction.r[1]);
    uint64_t all = value[std::countr_zero(mask)];
    for_lanes(mask & (mask - 1), [&](int lane) { all = combined(instruction, all, value[lane], 0); });
    for_lanes(mask, [&](int lane) { warp.words(instruction.r[0])[lane] = static_cast<uint32_t>(all); });
}

void active_mask(Warp& warp, const Instruction& instruction, uint32_t mask)
{
    for_lanes(mask, [&](int lane) { warp.words(instruction.r[0])[lane] = mask; });
}

bool decode_barrier(Decoder& decoder, const Words& words)
{
    if (words.has("warp")) {
        Instruction instruction{.kind = Kind::warp_barrier, .execute = together<meet>};
        instruction.r[4] = decoder.source(0, Width::word);
        decoder.emit(instruction);
        return true;
    }
    const bool reduces = words.has("red"), arrives = words.has("arrive");
    if (!reduces && !arrives && !words.has("sync"))
        return false;
    Instruction instruction{.kind = reduces ? Kind::barrier_reduce : Kind::barrier, .execute = barrier};
    instruction.aligned = words.first == "bar" || words.has("aligned");
    instruction.transposed = arrives; // the threads continue without waiting
    std::size_t at_operand = 0;
    if (reduces) {
        instruction.combine = words.has("popc") ? Combine::add : words.has("and") ? Combine::bit_and : Combine::bit_or;
        const Operand& to = decoder.operand(at_operand++);
        instruction.r[0] = decoder.target(to.name, words.has("popc") ? Width::word : Width::predicate);
    }
    instruction.r[1] = decoder.source(at_operand++, Width::word);
    const std::size_t left = decoder.operands() - at_operand;
    if (left > (reduces ? 1u : 0u))
        instruction.r[2] = decoder.source(at_operand++, Width::word);
    if (reduces) {
        const Operand& condition = decoder.operand(at_operand);
        instruction.truth = condition.negated;
        instruction.r[3] = decoder.source(condition, Width::predicate);
    }
    decoder.emit(instruction);
    return true;
}

// Decodes the first operand: a word, and a predicate if a second name follows.
void word_and_predicate(Decoder& decoder, Instruction& instruction)
{
    const Operand& to = decoder.operand(0);
    instruction.r[0] = decoder.target(to.name, Width::word);
    if (!to.second.empty())
        instruction.r[5] = decoder.target(to.second, Width::predicate);
}

void decode_shuffle(Decoder& decoder, const Words& words)
{
    Instruction instruction{.kind = Kind::shuffle};
    instruction.execute = words.has("up")     ? together<shuffle<up>>
                          : words.has("down") ? together<shuffle<down>>
                          : words.has("bfly") ? together<shuffle<butterfly>>
                                              : together<shuffle<indexed>>;
    if (!words.has("sync") || decoder.operands() != 5)
        decoder.unknown();
    for (std::size_t i = 1; i < 5; ++i)
        instruction.r[i] = decoder.source(i, Width::word);
    word_and_predicate(decoder, instruction);
    decoder.emit(instruction);
}

void decode_vote(Decoder& decoder, const Words& words)
{
    Instruction instruction{.kind = Kind::vote};
    const bool decides = words.has("all") || words.has("any") || words.has("uni");
    instruction.execute = words.has("all")   ? together<vote<all>>
                          : words.has("any") ? together<vote<any>>
                          : words.has("uni") ? together<vote<uniform>>
                                             : together<ballot>;
    if (!words.has("sync"))
        decoder.unknown();
    const Operand& condition = decoder.operand(1);
    instruction.truth = condition.negated;
    instruction.r[1] = decoder.source(condition, Width::predicate);
    instruction.r[4] = decoder.source(2, Width::word);
    instruction.r[0] = decoder.target(0, decides ? Width::predicate : Width::word);
    decoder.emit(instruction);
}

void decode_match(Decoder& decoder, const Words& words)
{
    const bool wide = bits_of(words.type()) == 64;
    Instruction instruction{.kind = Kind::match, .execute = together<match>};
    instruction.truth = words.has("all");
    instruction.in.push_back(decoder.source(1, wide ? Width::wide : Width::word) | (wide ? is_wide : 0));
    instruction.r[4] = decoder.source(2, Width::word);
    word_and_predicate(decoder, instruction);
    decoder.emit(std::move(instruction));
}

void decode_reduce(Decoder& decoder, const Words& words)
{
    Instruction instruction{.kind = Kind::reduce, .execute = together<reduce>};
    instruction.type = words.type();
    instruction.combine = combine_of(words);
    if (!can_combine(instruction.combine, instruction.type) || swaps(instruction.combine) ||
        is_float(instruction.type) || bits_of(instruction.type) != 32)
        decoder.unknown();
    instruction.r[1] = decoder.source(1, Width::word);
    instruction.r[4] = decoder.source(2, Width::word);
    instruction.r[0] = decoder.target(0, Width::word);
    decoder.emit(instruction);
}

void decode_elect(Decoder& decoder)
{
    Instruction instruction{.kind = Kind::elect, .execute = together<elect>};
    instruction.r[4] = decoder.source(1, Width::word);
    const Operand& to = decoder.operand(0);
    instruction.r[0] = decoder.target(to.name, Width::word);
    instruction.r[5] = decoder.target(to.second.empty() ? "_" : to.second, Width::predicate);
    decoder.emit(instruction);
}

void decode_active_mask(Decoder& decoder)
{
    Instruction instruction{.kind = Kind::active_mask, .execute = active_mask};
    instruction.r[0] = decoder.target(0, Width::word);
    decoder.emit(instruction);
}

} // namespace

bool decode_collective(Decoder& decoder, const Words& words)
{
    if (words.first == "bar" || words.first == "barrier")
        return decode_barrier(decoder, words);
    if (words.first == "shfl")
        decode_shuffle(decoder, words);
    else if (words.first == "vote")
        decode_vote(decoder, words);
    else if (words.first == "match")
        decode_match(decoder, words);
    else if (words.first == "redux")
        decode_reduce(decoder, words);
    else if (words.first == "activemask")
        decode_active_mask(decoder);
    else if (words.first == "elect")
        decode_elect(decoder);
    else
        return false;
    return true;
}

} // namespace ptx
