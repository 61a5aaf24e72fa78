// Statements that speak of the blocks of a cluster.
#include "ptx/decode.h"

#include <algorithm>

namespace ptx {

namespace {

constexpr std::string_view own_rank = "%cluster_ctarank";

// Where the same byte of another block's shared memory is.
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
        },
                     uint64_t, uint64_t, uint32_t>
             : &each<[](uint32_t a, uint32_t rank) {
                   // A rank that no cluster has stays one, also in 32 bits.
                   return static_cast<uint32_t>((std::min(rank, 254u) + 1) * cluster_step + a % cluster_step);
               },
                     uint32_t, uint32_t, uint32_t>;
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

// Which block an address is of.
void getctarank(Decoder& decoder, const Words& words)
{
    const bool wide = words.type() == Type::u64;
    Instruction instruction{.kind = Kind::arithmetic};
    instruction.run = wide ? &each<[](uint64_t a, uint32_t own) {
        const uint64_t block = a % window_bytes / cluster_step;
        return block == 0 ? own : static_cast<uint32_t>(block - 1);
    },
                                   uint32_t, uint64_t, uint32_t>
                           : &each<[](uint32_t a, uint32_t own) {
                                 const auto block = static_cast<uint32_t>(a / cluster_step);
                                 return block == 0 ? own : block - 1;
                             },
                                   uint32_t, uint32_t, uint32_t>;
    instruction.r[1] = decoder.source(1, wide ? Width::wide : Width::word);
    instruction.r[2] = rank_register(decoder);
    instruction.r[0] = decoder.target(0, Width::word);
    decoder.emit(instruction);
}

void isspacep(Decoder& decoder, const Words& words)
{
    Instruction instruction{.kind = Kind::arithmetic};
    instruction.added = window_of(space_in(words));
    instruction.whole = words.has("shared::cluster"); // of any block
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

// r[2]: the mbarrier's address.
void async_store(Decoder& decoder, const Words& words)
{
    if (!words.has("mbarrier::complete_tx::bytes") || !words.has("shared::cluster"))
        decoder.unknown();
    Instruction instruction{.kind = Kind::async_store, .space = Space::shared};
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

} // namespace

bool decode_cluster(Decoder& decoder, const Words& words)
{
    if (words.first == "mapa") {
        mapa(decoder, words);
    } else if (words.first == "getctarank") {
        getctarank(decoder, words);
    } else if (words.first == "isspacep") {
        isspacep(decoder, words);
    } else if ((words.first == "st" || words.first == "red") && words.has("async")) {
        async_store(decoder, words);
    } else if (words.first == "barrier" && words.has("cluster")) {
        Instruction instruction{.kind = Kind::cluster_barrier};
        instruction.aligned = words.has("aligned");
        instruction.truth = words.has("wait");
        if (!words.has("wait") && !words.has("arrive"))
            decoder.unknown();
        decoder.emit(instruction);
    } else {
        return false;
    }
    return true;
}

} // namespace ptx
