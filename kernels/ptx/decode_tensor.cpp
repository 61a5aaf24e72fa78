// Statements of bulk copies: of bytes in a row, and of boxes of a tensor that a tensor map describes.
#include "ptx/decode.h"

namespace ptx {

namespace {

// Two entries of Instruction::in: the register, and what is added to it.
void add_address(Decoder& decoder, const Operand& operand, Space space, Instruction& instruction)
{
    Instruction other;
    other.space = space;
    decoder.address(operand, other);
    instruction.in.push_back(other.r[0] | (other.to_signed ? is_wide : 0));
    instruction.in.push_back(static_cast<uint32_t>(other.added));
}

// What copies of both kinds have: which way, and whether what is there is changed instead of overwritten (cp.reduce).
// `whole`: from shared memory to that of another block. r[3]: the blocks of the cluster that get it, a bit for each.
Instruction copy_of(Decoder& decoder, const Words& words, Kind kind)
{
    Instruction instruction{.kind = kind};
    const bool to_global = words.has("bulk_group"), counted = words.has("mbarrier::complete_tx::bytes");
    instruction.whole = counted && words.has("shared::cluster") && words.has("shared::cta");
    if (to_global == counted || words.has("global") == instruction.whole || words.has("cp_mask"))
        decoder.unknown();
    instruction.truth = to_global;
    instruction.space = to_global ? Space::global : Space::shared;
    if (words.has("reduce")) {
        instruction.combine = combine_of(words);
        instruction.type = words.type();
        if (instruction.combine == Combine::none || swaps(instruction.combine) || (!to_global && !instruction.whole))
            decoder.unknown();
    }
    return instruction;
}

void add_blocks(Decoder& decoder, const Words& words, std::size_t operand, Instruction& instruction)
{
    if (words.has("multicast::cluster"))
        instruction.r[3] = decoder.source(operand, Width::word);
}

// in: the other address, what is added to it, the number of bytes, and the mbarrier's address with what is added to it.
void bulk_copy(Decoder& decoder, const Words& words)
{
    Instruction instruction = copy_of(decoder, words, Kind::bulk_copy);
    const bool to_global = instruction.truth != 0;
    if (instruction.combine != Combine::none && !can_combine(instruction.combine, instruction.type))
        decoder.unknown();
    decoder.address(0, instruction);
    add_address(decoder, decoder.operand(1), to_global || instruction.whole ? Space::shared : Space::global,
                instruction);
    instruction.in.push_back(decoder.any_source(2, Type::b32));
    if (!to_global)
        add_address(decoder, decoder.operand(3), Space::shared, instruction);
    add_blocks(decoder, words, 4, instruction);
    decoder.emit(std::move(instruction));
}

// r[0]: the place in shared memory. in: the map's address and what is added to it, of a copy to shared memory the
// mbarrier's, then a coordinate for each axis.
void tensor_copy(Decoder& decoder, const Words& words)
{
    Instruction instruction = copy_of(decoder, words, Kind::tensor_copy);
    const bool to_global = instruction.truth != 0;
    instruction.width = 0;
    constexpr std::array<std::string_view, 5> ranks = {"1d", "2d", "3d", "4d", "5d"};
    for (std::size_t i = 0; i < ranks.size(); ++i)
        if (words.has(ranks[i]))
            instruction.width = static_cast<uint8_t>(i + 1);
    for (const std::string_view word : words.rest)
        if (word.starts_with("im2col") || word.starts_with("tile::") || word.starts_with("cta_group"))
            decoder.unknown();
    const Operand& tensor = decoder.operand(to_global ? 0 : 1);
    if (tensor.kind != Operand::Kind::memory || tensor.parts.size() != 2 || instruction.width == 0 ||
        tensor.parts[1].parts.size() != instruction.width)
        decoder.unknown();
    instruction.space = Space::shared;
    decoder.address(to_global ? 1 : 0, instruction);
    const Operand map{.kind = Operand::Kind::memory, .parts = {tensor.parts[0]}};
    add_address(decoder, map, Space::generic, instruction);
    if (!to_global)
        add_address(decoder, decoder.operand(2), Space::shared, instruction);
    add_blocks(decoder, words, 3, instruction);
    for (const Operand& coordinate : tensor.parts[1].parts)
        instruction.in.push_back(decoder.source(coordinate, Width::word));
    decoder.emit(std::move(instruction));
}

} // namespace

bool decode_bulk(Decoder& decoder, const Words& words)
{
    if (words.first != "cp" || !words.has("async") || !words.has("bulk"))
        return false;
    if (words.has("commit_group") || words.has("wait_group") || words.has("prefetch"))
        decoder.emit({.kind = Kind::nop}); // a bulk copy is done at once here
    else if (words.has("tensor"))
        tensor_copy(decoder, words);
    else
        bulk_copy(decoder, words);
    return true;
}

} // namespace ptx
