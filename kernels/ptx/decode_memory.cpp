// Statements that touch memory.
#include <span>

#include "ptx/decode.h"

namespace ptx {

namespace {

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

// What a load and a store have in common; `address`: the operand that is one.
Instruction access(Decoder& decoder, const Frame& frame, const Statement& statement, const Words& words, Kind kind,
                   std::size_t address)
{
    Instruction instruction{.kind = kind};
    instruction.type = words.types.empty() ? Type::none : words.types.back();
    instruction.space = space_in(words);
    instruction.width = static_cast<uint8_t>(bits_of(instruction.type) / 8);
    if (instruction.width == 0 || instruction.width > 8)
        decoder.unknown(statement);
    decoder.address(frame, statement, decoder.operand(statement, address), instruction);
    return instruction;
}

// The registers that an operand names, one or a list of up to eight.
std::span<const Operand> registers_of(Decoder& decoder, const Statement& statement, const Operand& operand)
{
    const auto registers = operand.kind == Operand::Kind::list ? std::span<const Operand>(operand.parts)
                                                               : std::span<const Operand>(&operand, 1);
    if (registers.empty() || registers.size() > 8)
        decoder.unknown(statement);
    return registers;
}

void load(Decoder& decoder, const Frame& frame, const Statement& statement, const Words& words)
{
    Instruction instruction = access(decoder, frame, statement, words, Kind::load, 1);
    for (const Operand& to : registers_of(decoder, statement, decoder.operand(statement, 0)))
        instruction.to.push_back(decoder.any_target(frame, statement, to));
    decoder.emit(std::move(instruction));
}

void store(Decoder& decoder, const Frame& frame, const Statement& statement, const Words& words)
{
    Instruction instruction = access(decoder, frame, statement, words, Kind::store, 0);
    for (const Operand& from : registers_of(decoder, statement, decoder.operand(statement, 1)))
        instruction.in.push_back(decoder.any_source(frame, statement, from, instruction.type));
    decoder.emit(std::move(instruction));
}

void atomic(Decoder& decoder, const Frame& frame, const Statement& statement, const Words& words)
{
    Instruction instruction{.kind = Kind::atomic};
    instruction.type = words.types.empty() ? Type::none : words.types.back();
    instruction.space = space_in(words);
    instruction.combine = combine_of(words);
    instruction.width = static_cast<uint8_t>(bits_of(instruction.type) / 8);
    const bool gives = words.first == "atom";
    const std::size_t first = gives ? 1 : 0;
    const bool swaps = instruction.combine == Combine::compare_and_swap;
    if (instruction.combine == Combine::none || instruction.width < 2 || instruction.width > 8 || words.has("v2") ||
        words.has("v4") || words.has("v8") || statement.operands.size() < first + (swaps ? 3 : 2))
        decoder.unknown(statement);
    decoder.address(frame, statement, decoder.operand(statement, first), instruction);
    instruction.in.push_back(
        decoder.any_source(frame, statement, decoder.operand(statement, first + 1), instruction.type));
    if (swaps)
        instruction.in.push_back(
            decoder.any_source(frame, statement, decoder.operand(statement, first + 2), instruction.type));
    if (gives)
        instruction.to.push_back(decoder.any_target(frame, statement, decoder.operand(statement, 0)));
    decoder.emit(std::move(instruction));
}

void async_copy(Decoder& decoder, const Frame& frame, const Statement& statement, const Words& words)
{
    if (words.has("commit_group") || words.has("wait_group") || words.has("wait_all")) {
        Instruction instruction{.kind = words.has("commit_group") ? Kind::async_commit : Kind::async_wait};
        instruction.wait_all = words.has("wait_all");
        if (words.has("wait_group")) {
            const Operand& pending = decoder.operand(statement, 0);
            if (pending.kind != Operand::Kind::immediate || pending.value > 255)
                decoder.unknown(statement);
            instruction.added = pending.value;
        }
        decoder.emit(instruction);
        return;
    }
    Instruction instruction{.kind = Kind::async_copy};
    instruction.transposed = words.has("cg");
    const Operand& bytes = decoder.operand(statement, 2);
    if (bytes.kind != Operand::Kind::immediate || (bytes.value != 4 && bytes.value != 8 && bytes.value != 16))
        decoder.unknown(statement);
    instruction.width = static_cast<uint8_t>(bytes.value);
    Instruction from;
    from.space = Space::global;
    decoder.address(frame, statement, decoder.operand(statement, 1), from);
    instruction.space = Space::shared;
    decoder.address(frame, statement, decoder.operand(statement, 0), instruction);
    // in: the read's address, what is added to it, and the number of bytes that are read.
    instruction.in = {from.r[0] | (from.to_signed ? is_wide : 0), static_cast<uint32_t>(from.added)};
    const std::size_t before_bytes = words.has("L2::cache_hint") ? 4 : 3; // operands; the hint is the last one
    if (statement.operands.size() > before_bytes)
        instruction.in.push_back(decoder.any_source(frame, statement, decoder.operand(statement, 3), Type::b32));
    decoder.emit(std::move(instruction));
}

} // namespace

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

bool decode_memory(Decoder& decoder, const Frame& frame, const Statement& statement, const Words& words)
{
    if (words.first == "ld" || words.first == "ldu" || words.first == "st") {
        words.first == "st" ? store(decoder, frame, statement, words) : load(decoder, frame, statement, words);
        return true;
    }
    if (words.first == "atom" || words.first == "red") {
        atomic(decoder, frame, statement, words);
        return true;
    }
    if (words.first == "cp" && words.has("async")) {
        async_copy(decoder, frame, statement, words);
        return true;
    }
    return false;
}

} // namespace ptx
