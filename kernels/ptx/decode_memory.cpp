// Statements that touch memory.
#include "ptx/decode.h"

#include <algorithm>
#include <array>

namespace ptx {

namespace {

// What a load and a store have in common; `address`: the operand that is one.
Instruction access(Decoder& decoder, const Words& words, Kind kind, std::size_t address)
{
    Instruction instruction{.kind = kind};
    instruction.type = words.types.empty() ? Type::none : words.types.back();
    instruction.space = space_in(words);
    instruction.width = static_cast<uint8_t>(bits_of(instruction.type) / 8);
    if (instruction.width == 0 || instruction.width > 8)
        decoder.unknown();
    decoder.address(address, instruction);
    return instruction;
}

void load(Decoder& decoder, const Words& words)
{
    Instruction instruction = access(decoder, words, Kind::load, 1);
    for (const Operand& to : decoder.vector(0, words, instruction.width))
        instruction.to.push_back(decoder.any_target(to));
    decoder.emit(std::move(instruction));
}

void store(Decoder& decoder, const Words& words)
{
    Instruction instruction = access(decoder, words, Kind::store, 0);
    for (const Operand& from : decoder.vector(1, words, instruction.width))
        instruction.in.push_back(decoder.any_source(from, instruction.type));
    decoder.emit(std::move(instruction));
}

void atomic(Decoder& decoder, const Words& words)
{
    Instruction instruction{.kind = Kind::atomic};
    instruction.type = words.types.empty() ? Type::none : words.types.back();
    instruction.space = space_in(words);
    instruction.combine = combine_of(words);
    instruction.width = static_cast<uint8_t>(bits_of(instruction.type) / 8);
    const bool gives = words.first == "atom";
    const std::size_t first = gives ? 1 : 0;
    const bool compares = instruction.combine == Combine::compare_and_swap;
    if (!can_combine(instruction.combine, instruction.type) || words.has("v2") || words.has("v4") || words.has("v8") ||
        decoder.operands() < first + (compares ? 3 : 2))
        decoder.unknown();
    decoder.address(first, instruction);
    instruction.in.push_back(decoder.any_source(first + 1, instruction.type));
    if (compares)
        instruction.in.push_back(decoder.any_source(first + 2, instruction.type));
    if (gives)
        instruction.to.push_back(decoder.any_target(0));
    decoder.emit(std::move(instruction));
}

void async_copy(Decoder& decoder, const Words& words)
{
    if (words.has("commit_group") || words.has("wait_group") || words.has("wait_all")) {
        Instruction instruction{.kind = words.has("commit_group") ? Kind::async_commit : Kind::async_wait};
        instruction.wait_all = words.has("wait_all");
        if (words.has("wait_group")) {
            const Operand& pending = decoder.operand(0);
            if (pending.kind != Operand::Kind::immediate || pending.value > 255)
                decoder.unknown();
            instruction.added = pending.value;
        }
        decoder.emit(instruction);
        return;
    }
    Instruction instruction{.kind = Kind::async_copy};
    instruction.transposed = words.has("cg");
    const Operand& bytes = decoder.operand(2);
    if (bytes.kind != Operand::Kind::immediate || (bytes.value != 4 && bytes.value != 8 && bytes.value != 16))
        decoder.unknown();
    instruction.width = static_cast<uint8_t>(bytes.value);
    Instruction from;
    from.space = Space::global;
    decoder.address(1, from);
    instruction.space = Space::shared;
    decoder.address(0, instruction);
    // in: the read's address, what is added to it, and the number of bytes that are read.
    instruction.in = {from.r[0] | (from.to_signed ? is_wide : 0), static_cast<uint32_t>(from.added)};
    const std::size_t before_bytes = words.has("L2::cache_hint") ? 4 : 3; // operands; the hint is the last one
    if (decoder.operands() > before_bytes)
        instruction.in.push_back(decoder.any_source(3, Type::b32));
    decoder.emit(std::move(instruction));
}

} // namespace

Space space_in(const Words& words)
{
    for (const std::string_view word : words.rest) {
        if (word == "global")
            return Space::global;
        if (word == "shared" || word == "shared::cta" || word == "shared::cluster")
            return Space::shared;
        if (word == "local")
            return Space::local;
        if (word == "const")
            return Space::constant;
        if (word == "param" || word == "param::entry" || word == "param::func")
            return Space::parameter;
    }
    return Space::generic;
}

Combine combine_of(const Words& words)
{
    constexpr std::pair<std::string_view, Combine> names[] = {
        {"and", Combine::bit_and},   {"or", Combine::bit_or},
        {"xor", Combine::bit_xor},   {"add", Combine::add},
        {"inc", Combine::increment}, {"dec", Combine::decrement},
        {"min", Combine::minimum},   {"max", Combine::maximum},
        {"exch", Combine::exchange}, {"cas", Combine::compare_and_swap}};
    for (const auto& [name, combine] : names)
        if (words.has(name))
            return combine;
    return Combine::none;
}

bool can_combine(Combine combine, Type type)
{
    const int bits = bits_of(type);
    if (combine == Combine::none || bits < 16 || bits > 64)
        return false;
    if (swaps(combine))
        return true;
    if (!is_float(type))
        return bits >= 32;
    constexpr std::array added = {Type::f16, Type::f16x2, Type::bf16, Type::bf16x2, Type::f32, Type::f64};
    const bool as_numbers = combine == Combine::add || combine == Combine::minimum || combine == Combine::maximum;
    return as_numbers && std::ranges::find(added, type) != added.end();
}

bool decode_memory(Decoder& decoder, const Words& words)
{
    if (words.first == "ld" || words.first == "ldu" || words.first == "st") {
        words.first == "st" ? store(decoder, words) : load(decoder, words);
        return true;
    }
    if (words.first == "atom" || words.first == "red") {
        atomic(decoder, words);
        return true;
    }
    if (words.first == "cp" && words.has("async")) {
        async_copy(decoder, words);
        return true;
    }
    return false;
}

} // namespace ptx
