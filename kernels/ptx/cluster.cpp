// Instructions for the blocks of a cluster: addresses in the shared memory of another block, the cluster's barrier, and
// asynchronous stores (st.async) to another block, which complete a transaction on an mbarrier of that block.
#include "ptx/block.h"
#include "ptx/decode.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace ptx {

namespace {

void arrive_at_cluster(Warp& warp, const Instruction& instruction, uint32_t mask)
{
    if ((mask & (warp.in_cluster | warp.may_pass)) != 0)
        warp.fail(instruction, std::countr_zero(mask & (warp.in_cluster | warp.may_pass)),
                  "arrives at the barrier of its cluster again before it has waited there for the others");
    warp.in_cluster |= mask;
    warp.block.cluster.arrived = true;
    warp.block.cluster.barrier_may_end();
}

void wait_for_cluster(Warp& warp, const Instruction& instruction, uint32_t mask)
{
    if (const uint32_t absent = mask & ~(warp.in_cluster | warp.may_pass); absent != 0)
        warp.fail(instruction, std::countr_zero(absent),
                  "waits at the barrier of its cluster without having arrived there");
    if ((mask & warp.in_cluster) != 0)
        return warp.stay(Warp::State::at_cluster);
    warp.may_pass &= ~mask;
    warp.tell(recording::Op::barrier, instruction, mask, {}, 0);
}

template <Execute at_barrier>
void cluster_barrier(Warp& warp, const Instruction& instruction, uint32_t mask)
{
    if (mask == 0)
        return;
    if (instruction.aligned && mask != warp.live)
        warp.fail(
            instruction,
            fmt::format("only {} of the {} threads of warp {} reach the barrier of their cluster together; it must "
                        "not stand where some threads go another way",
                        std::popcount(mask), std::popcount(warp.live), warp.number));
    at_barrier(warp, instruction, mask);
}

// Executes st.async and red.async. An mbarrier in the block that is stored to counts the bytes.
void async_store(Warp& warp, const Instruction& instruction, uint32_t mask)
{
    const uint64_t bytes = instruction.width * instruction.in.size();
    for_lanes(mask, [&](int lane) {
        const uint64_t where = warp.address(instruction, lane);
        std::byte* to = warp.locate(instruction, Space::shared, where, bytes, lane, true).bytes;
        for (const uint32_t from : instruction.in) {
            uint64_t value = warp.value(from, lane);
            if (instruction.combine != Combine::none) {
                uint64_t before = 0;
                std::memcpy(&before, to, instruction.width);
                value = combined(instruction, before, value, 0);
            }
            std::memcpy(to, &value, instruction.width);
            to += instruction.width;
        }
        const uint64_t barrier = warp.value(instruction.r[2] | (instruction.to_signed ? is_wide : 0), lane);
        if (warp.block_of(barrier) != warp.block_of(where))
            warp.fail(instruction, lane, "stores to one block of its cluster, and the mbarrier is in another");
        count_copied(warp, instruction, barrier, lane, bytes);
    });
    warp.block.between_blocks += mask != 0 ? 1 : 0;
}

constexpr std::string_view own_rank = "%cluster_ctarank";

// Decodes mapa, which returns the address of the same byte in the shared memory of another block.
void mapa(Decoder& decoder, const Words& words)
{
    const bool wide = words.type() == Type::u64;
    if (!wide && (words.type() != Type::u32 || !words.has("shared::cluster")))
        decoder.unknown();
    Instruction instruction{.kind = Kind::arithmetic};
    instruction.added = words.has("shared::cluster") ? 0 : shared_window;
    instruction.run =
        wide ? &each<[](const Instruction& i, uint64_t a, uint32_t rank) {
            return i.added + (uint64_t{rank} + 1) * cluster_step + a % cluster_step;
        }>
             : &each<[](uint32_t a, uint32_t rank) {
                   // Ranks that no cluster has must stay invalid in 32 bits, too.
                   return static_cast<uint32_t>((std::min(rank, 254u) + 1) * cluster_step + a % cluster_step);
               }>;
    const Width width = wide ? Width::wide : Width::word;
    instruction.r[1] = decoder.source(1, width);
    instruction.r[2] = decoder.source(2, Width::word);
    instruction.r[0] = decoder.target(0, width);
    decoder.emit(instruction);
}

uint32_t rank_register(Decoder& decoder)
{
    return decoder.source({.kind = Operand::Kind::name, .name = std::string(own_rank)}, Width::word);
}

// Decodes getctarank, which returns the rank of the block that an address belongs to.
void getctarank(Decoder& decoder, const Words& words)
{
    const bool wide = words.type() == Type::u64;
    Instruction instruction{.kind = Kind::arithmetic};
    instruction.run = wide ? &each<[](uint64_t a, uint32_t own) {
        const uint64_t block = a % window_bytes / cluster_step;
        return block == 0 ? own : static_cast<uint32_t>(block - 1);
    }>
                           : &each<[](uint32_t a, uint32_t own) {
                                 const auto block = static_cast<uint32_t>(a / cluster_step);
                                 return block == 0 ? own : block - 1;
                             }>;
    instruction.r[1] = decoder.source(1, wide ? Width::wide : Width::word);
    instruction.r[2] = rank_register(decoder);
    instruction.r[0] = decoder.target(0, Width::word);
    decoder.emit(instruction);
}

void isspacep(Decoder& decoder, const Words& words)
{
    Instruction instruction{.kind = Kind::arithmetic};
    instruction.added = window_of(space_in(words));
    instruction.whole = words.has("shared::cluster"); // shared memory of any block of the cluster
    instruction.run = [](const Instruction& i, std::byte* registers, uint32_t mask) {
        const auto* from = at<uint64_t>(registers, i.r[1]);
        const auto* own = at<uint32_t>(registers, i.r[2]);
        uint32_t result = 0;
        for_lanes(mask, [&](int lane) {
            const uint64_t place = from[lane] / window_bytes * window_bytes,
                           block = (from[lane] - place) / cluster_step;
            const bool there = i.added == 0 ? place >= first_window : place == i.added;
            const bool other = i.added == shared_window && !i.whole && block > 0 && block != own[lane] + 1;
            result |= static_cast<uint32_t>(there && !other) << lane;
        });
        write_bits(registers, i.r[0], mask, result);
    };
    instruction.r[1] = decoder.source(1, Width::wide);
    instruction.r[2] = rank_register(decoder);
    instruction.r[0] = decoder.target(0, Width::predicate);
    decoder.emit(instruction);
}

// Decodes st.async and red.async. r[2] is the address of the mbarrier.
void decode_async_store(Decoder& decoder, const Words& words)
{
    if (!words.has("mbarrier::complete_tx::bytes") || !words.has("shared::cluster"))
        decoder.unknown();
    Instruction instruction{.kind = Kind::other, .execute = async_store, .space = Space::shared};
    instruction.type = words.types.empty() ? Type::none : words.types.back();
    instruction.width = static_cast<uint8_t>(bits_of(instruction.type) / 8);
    if (words.first == "red")
        instruction.combine = combine_of(words);
    if ((instruction.width != 4 && instruction.width != 8) ||
        (words.first == "red" && (!can_combine(instruction.combine, instruction.type) || swaps(instruction.combine))))
        decoder.unknown();
    Instruction barrier;
    barrier.space = Space::shared;
    decoder.address(2, barrier);
    decoder.address(0, instruction);
    if (barrier.added != 0 || barrier.to_signed != instruction.to_signed)
        decoder.fail("its mbarrier's address has a form that the PTX machine does not know");
    instruction.r[2] = barrier.r[0];
    for (const Operand& value : decoder.vector(1, words, instruction.width))
        instruction.in.push_back(decoder.any_source(value, instruction.type));
    decoder.emit(std::move(instruction));
}

void decode_cluster_barrier(Decoder& decoder, const Words& words)
{
    if (!words.has("wait") && !words.has("arrive"))
        decoder.unknown();
    Instruction instruction{.kind = Kind::cluster_barrier};
    instruction.execute = words.has("wait") ? cluster_barrier<wait_for_cluster> : cluster_barrier<arrive_at_cluster>;
    instruction.aligned = words.has("aligned");
    decoder.emit(instruction);
}

} // namespace

bool decode_cluster(Decoder& decoder, const Words& words)
{
    if (words.first == "mapa")
        mapa(decoder, words);
    else if (words.first == "getctarank")
        getctarank(decoder, words);
    else if (words.first == "isspacep")
        isspacep(decoder, words);
    else if ((words.first == "st" || words.first == "red") && words.has("async"))
        decode_async_store(decoder, words);
    else if (words.first == "barrier" && words.has("cluster"))
        decode_cluster_barrier(decoder, words);
    else
        return false;
    return true;
}

} // namespace ptx
