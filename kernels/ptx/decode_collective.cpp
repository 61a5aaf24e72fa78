// Statements at which lanes or warps meet.
#include "ptx/decode.h"

namespace ptx {

namespace {

bool barrier(Decoder& decoder, const Words& words)
{
    if (words.has("warp")) {
        Instruction instruction{.kind = Kind::warp_barrier};
        instruction.r[4] = decoder.source(0, Width::word);
        decoder.emit(instruction);
        return true;
    }
    const bool reduces = words.has("red"), arrives = words.has("arrive");
    if (!reduces && !arrives && !words.has("sync"))
        return false;
    Instruction instruction{.kind = reduces ? Kind::barrier_reduce : Kind::barrier};
    instruction.aligned = words.first == "bar" || words.has("aligned");
    instruction.transposed = arrives; // goes on at once
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

// The first operand: a word, and a predicate where a second name stands with it.
void word_and_predicate(Decoder& decoder, Instruction& instruction)
{
    const Operand& to = decoder.operand(0);
    instruction.r[0] = decoder.target(to.name, Width::word);
    if (!to.second.empty())
        instruction.r[5] = decoder.target(to.second, Width::predicate);
}

void shuffle(Decoder& decoder, const Words& words)
{
    Instruction instruction{.kind = Kind::shuffle};
    instruction.lane = words.has("up")     ? Lane::up
                       : words.has("down") ? Lane::down
                       : words.has("bfly") ? Lane::butterfly
                                           : Lane::index;
    if (!words.has("sync") || decoder.operands() != 5)
        decoder.unknown();
    for (std::size_t i = 1; i < 5; ++i)
        instruction.r[i] = decoder.source(i, Width::word);
    word_and_predicate(decoder, instruction);
    decoder.emit(instruction);
}

void vote(Decoder& decoder, const Words& words)
{
    Instruction instruction{.kind = Kind::vote};
    instruction.vote = words.has("all")   ? Vote::all
                       : words.has("any") ? Vote::any
                       : words.has("uni") ? Vote::uniform
                                          : Vote::ballot;
    if (!words.has("sync"))
        decoder.unknown();
    const Operand& condition = decoder.operand(1);
    instruction.truth = condition.negated;
    instruction.r[1] = decoder.source(condition, Width::predicate);
    instruction.r[4] = decoder.source(2, Width::word);
    instruction.r[0] = decoder.target(0, instruction.vote == Vote::ballot ? Width::word : Width::predicate);
    decoder.emit(instruction);
}

void match(Decoder& decoder, const Words& words)
{
    Instruction instruction{.kind = Kind::match};
    instruction.truth = words.has("all");
    instruction.transposed = bits_of(words.type()) == 64;
    instruction.r[1] = decoder.source(1, instruction.transposed ? Width::wide : Width::word);
    instruction.r[4] = decoder.source(2, Width::word);
    word_and_predicate(decoder, instruction);
    decoder.emit(instruction);
}

void reduce(Decoder& decoder, const Words& words)
{
    Instruction instruction{.kind = Kind::reduce};
    instruction.type = words.type();
    instruction.combine = words.has("add")   ? Combine::add
                          : words.has("min") ? Combine::minimum
                          : words.has("max") ? Combine::maximum
                          : words.has("and") ? Combine::bit_and
                          : words.has("or")  ? Combine::bit_or
                                             : Combine::bit_xor;
    if (is_float(instruction.type) || bits_of(instruction.type) != 32)
        decoder.unknown();
    instruction.r[1] = decoder.source(1, Width::word);
    instruction.r[4] = decoder.source(2, Width::word);
    instruction.r[0] = decoder.target(0, Width::word);
    decoder.emit(instruction);
}

} // namespace

bool decode_collective(Decoder& decoder, const Words& words)
{
    if (words.first == "bar" || words.first == "barrier")
        return barrier(decoder, words);
    if (words.first == "shfl") {
        shuffle(decoder, words);
    } else if (words.first == "vote") {
        vote(decoder, words);
    } else if (words.first == "match") {
        match(decoder, words);
    } else if (words.first == "redux") {
        reduce(decoder, words);
    } else if (words.first == "activemask") {
        Instruction instruction{.kind = Kind::active_mask};
        instruction.r[0] = decoder.target(0, Width::word);
        decoder.emit(instruction);
    } else if (words.first == "elect") {
        Instruction instruction{.kind = Kind::elect};
        instruction.r[4] = decoder.source(1, Width::word);
        const Operand& to = decoder.operand(0);
        instruction.r[0] = decoder.target(to.name, Width::word);
        instruction.r[5] = decoder.target(to.second.empty() ? "_" : to.second, Width::predicate);
        decoder.emit(instruction);
    } else {
        return false;
    }
    return true;
}

} // namespace ptx
