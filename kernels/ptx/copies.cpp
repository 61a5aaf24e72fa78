// Copies that run asynchronously on a GPU. A warp commits its cp.async copies and waits for them. Bulk copies move
// contiguous bytes, or boxes of a tensor that a tensor map describes, and an mbarrier counts their bytes.
#include "ptx/block.h"
#include "ptx/decode.h"
#include "ptx/tensor_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace ptx {

namespace {

using recording::Op;

// Returns the address in two entries of Instruction::in: a register, and the offset that is added to it.
uint64_t address_in(const Warp& warp, const Instruction& instruction, std::size_t i, int lane)
{
    return warp.value(instruction.in[i], lane) + static_cast<uint64_t>(static_cast<int32_t>(instruction.in[i + 1]));
}

void async_copy(Warp& warp, const Instruction& instruction, uint32_t mask)
{
    PendingCopy copy{.mask = mask, .statement = instruction.statement, .width = instruction.width};
    uint32_t reading = 0;
    for_lanes(mask, [&](int lane) {
        const auto i = static_cast<std::size_t>(lane);
        const uint64_t bytes = instruction.in.size() > 2 ? warp.value(instruction.in[2], lane) : instruction.width;
        if (bytes > instruction.width)
            warp.fail(instruction, lane,
                      fmt::format("copies {} bytes where {} are the most", bytes, instruction.width));
        copy.bytes[i] = static_cast<uint8_t>(bytes);
        const Warp::Place to =
            warp.locate(instruction, Space::shared, warp.address(instruction, lane), instruction.width, lane, true);
        copy.to[i] = to.address;
        if (to.space != Space::shared)
            warp.fail(instruction, lane, "copies to another block of its cluster, which cp.async cannot");
        copy.from[i] = address_in(warp, instruction, 0, lane);
        if (bytes > 0) {
            warp.locate(instruction, Space::global, copy.from[i], instruction.width, lane, false);
            warp.check_load({1u << lane, static_cast<uint32_t>(bytes), copy.from, instruction.statement, warp.name},
                            Space::global);
            reading |= 1u << lane;
        }
    });
    warp.tell(Op::async_load, instruction, reading, copy.from, instruction.width);
    warp.tell(Op::async_store, instruction, mask, copy.to, instruction.width);
    warp.copies.open.push_back(copy);
}

void complete(Warp& warp, const PendingCopy& copy, uint32_t mask)
{
    Block& block = warp.block;
    for_lanes(copy.mask & mask, [&](int lane) {
        const auto i = static_cast<std::size_t>(lane);
        std::byte* const to = block.shared.data() + copy.to[i];
        std::memset(to, 0, copy.width);
        if (copy.bytes[i] > 0)
            std::memcpy(to, find_global(block.regions, copy.from[i], copy.width), copy.bytes[i]);
        if (block.check.wanted())
            block.check.store({1u << lane, copy.width, copy.to, copy.statement, warp.name});
    });
}

void commit_copies(Warp& warp, const Instruction& instruction, uint32_t mask)
{
    warp.copies.groups.push_back(std::move(warp.copies.open));
    warp.copies.open.clear();
    warp.tell(Op::async_commit, instruction, mask, {}, 0);
}

void wait_for_copies(Warp& warp, const Instruction& instruction, uint32_t mask)
{
    auto& groups = warp.copies.groups;
    for (const uint64_t pending = instruction.wait_all ? 0 : instruction.added; groups.size() > pending;
         groups.pop_front())
        for (const PendingCopy& copy : groups.front())
            complete(warp, copy, ~0u);
    warp.tell(Op::async_wait, instruction, mask, {}, static_cast<uint32_t>(instruction.added));
}

// Copies bytes or, with a reduction such as add, combines each element with the one at `to`.
void move(const Instruction& instruction, std::byte* to, const std::byte* from, uint64_t bytes)
{
    if (instruction.combine == Combine::none) {
        std::memmove(to, from, bytes); // within one block's shared memory the ranges may overlap
        return;
    }
    const auto width = static_cast<uint64_t>(bits_of(instruction.type)) / 8;
    for (uint64_t at = 0; at + width <= bytes; at += width) {
        uint64_t before = 0, operand = 0;
        std::memcpy(&before, to + at, width);
        std::memcpy(&operand, from + at, width);
        const uint64_t after = combined(instruction, before, operand, 0);
        std::memcpy(to + at, &after, width);
    }
}

// Reports the read and the write of a bulk copy that one lane issues.
void tell_copy(Warp& warp, const Instruction& instruction, int lane, uint64_t from, uint64_t to, uint64_t bytes)
{
    const bool to_global = instruction.truth != 0;
    LaneAddresses reads{}, writes{};
    reads[static_cast<std::size_t>(lane)] = from;
    writes[static_cast<std::size_t>(lane)] = to;
    warp.tell(Op::bulk_load, instruction, 1u << lane, reads, 0, to_global ? Space::shared : Space::global);
    warp.tell(Op::bulk_store, instruction, 1u << lane, writes, 0, to_global ? Space::global : Space::shared, bytes);
}

void tell_owner(Warp& warp, const Instruction& instruction, int lane, uint64_t to, uint64_t bytes)
{
    if (!warp.block.watch)
        return;
    traced::Step step{.op = Op::bulk_store,
                      .space = recording::Space::global,
                      .bytes = static_cast<uint32_t>(bytes),
                      .line = warp.statement(instruction).source_line,
                      .instruction = instruction.statement + 1,
                      .mask = 1u << lane};
    step.address[static_cast<std::size_t>(lane)] = to;
    warp.block.watch(warp.block.linear, warp.number, step);
}

// The destination of a copy to shared memory, and the mbarrier that counts its bytes. A multicast has such a target in
// each of its blocks, at the same place.
struct CopyTarget {
    uint64_t to = 0, barrier = 0; // addresses in the shared memory of the cluster
};

// `barrier` is the entry of Instruction::in with the mbarrier's address.
std::vector<CopyTarget> targets_of(Warp& warp, const Instruction& instruction, int lane, std::size_t barrier)
{
    const CopyTarget one{warp.address(instruction, lane), address_in(warp, instruction, barrier, lane)};
    if (instruction.r[3] == no_register)
        return {one};
    std::vector<CopyTarget> result;
    for_lanes(warp.words(instruction.r[3])[lane] & 0xffff, [&](int rank) {
        const Cluster& cluster = warp.block.cluster;
        if (cluster.block(static_cast<uint64_t>(rank)) == nullptr)
            warp.fail(instruction, lane,
                      fmt::format("copies to block {} of its cluster, which has {}", rank, cluster.extent.volume()));
        const uint64_t first = (static_cast<uint64_t>(rank) + 1) * cluster_step;
        result.push_back({first + one.to % cluster_step, first + one.barrier % cluster_step});
    });
    return result;
}

// Executes a bulk copy at once. No thread may use its result before its completion is signalled.
void bulk_copy(Warp& warp, const Instruction& instruction, uint32_t mask)
{
    const bool to_global = instruction.truth != 0;
    for_lanes(mask, [&](int lane) {
        const uint64_t bytes = warp.value(instruction.in[2], lane) & 0xffffffff;
        if (bytes % 16 != 0)
            warp.fail(instruction, lane, fmt::format("copies {} bytes; a bulk copy has a multiple of 16", bytes));
        const auto copy = [&](uint64_t target) {
            if (bytes == 0)
                return;
            const Space reads = to_global || instruction.whole ? Space::shared : Space::global;
            const Warp::Place to =
                warp.locate(instruction, to_global ? Space::global : Space::shared, target, bytes, lane, true);
            const Warp::Place from =
                warp.locate(instruction, reads, address_in(warp, instruction, 0, lane), bytes, lane, false);
            move(instruction, to.bytes, from.bytes, bytes);
            if (to.space == Space::cluster || instruction.whole)
                ++warp.block.between_blocks;
            else
                tell_copy(warp, instruction, lane, from.address, to.address, bytes);
            if (to_global)
                tell_owner(warp, instruction, lane, to.address, bytes);
        };
        if (to_global)
            return copy(warp.address(instruction, lane));
        for (const CopyTarget& target : targets_of(warp, instruction, lane, 3)) {
            copy(target.to);
            count_copied(warp, instruction, target.barrier, lane, bytes);
        }
    });
}

// The part of a tensor that a copy moves.
struct Box {
    const TensorMap& map;
    const std::array<int64_t, most_axes>& first;
    uint64_t tile = 0; // the tile's place in shared memory

    uint64_t stride(uint32_t axis) const { return axis == 0 ? map.element_bytes : map.stride[axis]; }
    // Returns the first byte of the box that lies in the tensor. A box may extend beyond the end of an axis.
    uint64_t start() const
    {
        uint64_t result = map.address;
        for (uint32_t axis = 0; axis < map.axes; ++axis)
            result += static_cast<uint64_t>(std::max<int64_t>(first[axis], 0)) * stride(axis);
        return result;
    }
};

// Copies the elements of a box. Elements outside of the tensor are read as zeros, and are not written.
void copy_elements(Warp& warp, const Instruction& instruction, const Box& box, int lane)
{
    const bool to_global = instruction.truth != 0;
    const TensorMap& map = box.map;
    Instruction reduction; // of elements of the map's type
    reduction.combine = instruction.combine;
    reduction.type = map.element;
    std::array<uint32_t, most_axes> at{};
    for (uint64_t place = 0; place < map.box_bytes(); place += map.element_bytes) {
        bool inside = true;
        uint64_t global = map.address;
        for (uint32_t axis = 0; axis < map.axes; ++axis) {
            const int64_t index = box.first[axis] + at[axis];
            inside = inside && index >= 0 && index < map.extent[axis];
            global += static_cast<uint64_t>(index) * box.stride(axis);
        }
        std::byte* const in_tile = warp.locate(instruction, Space::shared, swizzled(box.tile + place, map.swizzle),
                                               map.element_bytes, lane, !to_global)
                                       .bytes;
        if (inside) {
            std::byte* const in_tensor =
                warp.locate(instruction, Space::global, global, map.element_bytes, lane, to_global).bytes;
            move(reduction, to_global ? in_tensor : in_tile, to_global ? in_tile : in_tensor, map.element_bytes);
            if (to_global)
                tell_owner(warp, instruction, lane, global, map.element_bytes);
        } else if (!to_global) {
            std::memset(in_tile, 0, map.element_bytes);
        }
        for (uint32_t axis = 0; axis < map.axes && ++at[axis] == map.box[axis]; ++axis)
            at[axis] = 0;
    }
}

void copy_box(Warp& warp, const Instruction& instruction, const Box& box, int lane)
{
    const bool to_global = instruction.truth != 0;
    const TensorMap& map = box.map;
    const uint64_t needed = map.swizzle == 0 ? 128 : map.swizzle;
    if (box.tile % needed != 0)
        warp.fail(instruction, lane,
                  fmt::format("copies a tile at byte {} of shared memory, which is no multiple of the {} that it needs",
                              box.tile % cluster_step, needed));
    if (instruction.combine != Combine::none && !can_combine(instruction.combine, map.element))
        warp.fail(instruction, lane,
                  fmt::format(
                      "reduces by a tensor map whose elements of {} bytes have no type that the PTX machine can reduce",
                      map.element_bytes));
    const uint64_t offset = box.tile % cluster_step;
    if (!warp.is_own(box.tile))
        ++warp.block.between_blocks;
    else if (to_global)
        tell_copy(warp, instruction, lane, offset, box.start(), map.box_bytes());
    else
        tell_copy(warp, instruction, lane, box.start(), offset, map.box_bytes());
    copy_elements(warp, instruction, box, lane);
    if (!to_global && warp.is_own(box.tile))
        warp.block.tiles.try_emplace(offset, map);
}

void tensor_copy(Warp& warp, const Instruction& instruction, uint32_t mask)
{
    const bool to_global = instruction.truth != 0;
    for_lanes(mask, [&](int lane) {
        const auto refuse = [&](const std::string& why) { warp.fail(instruction, lane, why); };
        const std::byte* const bytes = warp.locate(instruction, Space::generic, address_in(warp, instruction, 0, lane),
                                                   tensor_map_bytes, lane, false)
                                           .bytes;
        const auto map = tensor_map_of(std::span<const std::byte, tensor_map_bytes>(bytes, tensor_map_bytes));
        if (!map)
            refuse("copies by a tensor map, and what it gives is none; say in --args which buffer it is of, such as "
                   "map(A:half,64,64,128)");
        if (const std::string wrong = refusal(*map); !wrong.empty()) // the kernel itself can have written the map
            refuse(fmt::format("copies by a tensor map that no driver makes: {}", wrong));
        if (map->axes != instruction.width)
            refuse(fmt::format("gives {} coordinates, and its tensor map has {} axes", instruction.width, map->axes));
        const std::size_t coordinates = to_global ? 2 : 4;
        std::array<int64_t, most_axes> first{};
        for (uint32_t axis = 0; axis < map->axes; ++axis)
            first[axis] = static_cast<int32_t>(warp.value(instruction.in[coordinates + axis], lane));
        if (to_global)
            return copy_box(warp, instruction, {*map, first, warp.address(instruction, lane)}, lane);
        for (const CopyTarget& target : targets_of(warp, instruction, lane, 2)) {
            copy_box(warp, instruction, {*map, first, target.to}, lane);
            count_copied(warp, instruction, target.barrier, lane, map->box_bytes());
        }
    });
}

// Adds two entries to Instruction::in: the register of an address, and the offset that is added to it.
void add_address(Decoder& decoder, const Operand& operand, Space space, Instruction& instruction)
{
    Instruction other;
    other.space = space;
    decoder.address(operand, other);
    instruction.in.push_back(other.r[0] | (other.to_signed ? is_wide : 0));
    instruction.in.push_back(static_cast<uint32_t>(other.added));
}

// Decodes cp.async. `in` contains the source address, the offset that is added to it, and the number of bytes to read.
void decode_async_copy(Decoder& decoder, const Words& words)
{
    if (words.has("commit_group") || words.has("wait_group") || words.has("wait_all")) {
        const bool commits = words.has("commit_group");
        Instruction instruction{.kind = commits ? Kind::async_commit : Kind::async_wait,
                                .execute = commits ? commit_copies : wait_for_copies};
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
    Instruction instruction{.kind = Kind::async_copy, .execute = async_copy};
    instruction.transposed = words.has("cg");
    const Operand& bytes = decoder.operand(2);
    if (bytes.kind != Operand::Kind::immediate || (bytes.value != 4 && bytes.value != 8 && bytes.value != 16))
        decoder.unknown();
    instruction.width = static_cast<uint8_t>(bytes.value);
    add_address(decoder, decoder.operand(1), Space::global, instruction);
    instruction.space = Space::shared;
    decoder.address(0, instruction);
    // The number of operands without the cache hint, which is the last one.
    const std::size_t before_bytes = words.has("L2::cache_hint") ? 4 : 3;
    if (decoder.operands() > before_bytes)
        instruction.in.push_back(decoder.any_source(3, Type::b32));
    decoder.emit(std::move(instruction));
}

// Decodes what both kinds of bulk copies have in common: the direction, and whether the copy reduces its destination
// instead of overwriting it (cp.reduce). `whole` means a copy from shared memory to another block's shared memory. r[3]
// has a bit for each block of the cluster that receives the data.
Instruction copy_of(Decoder& decoder, const Words& words, Execute execute)
{
    Instruction instruction{.kind = Kind::other, .execute = execute};
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

// Decodes a bulk copy of contiguous bytes. `in` contains the source address and its offset, the number of bytes, and
// the mbarrier's address and its offset.
void decode_bulk_copy(Decoder& decoder, const Words& words)
{
    Instruction instruction = copy_of(decoder, words, bulk_copy);
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

// Decodes a copy by a tensor map. r[0] is the place in shared memory. `in` contains the map's address and its offset,
// then for a copy to shared memory the mbarrier's, and then a coordinate for each axis.
void decode_tensor_copy(Decoder& decoder, const Words& words)
{
    Instruction instruction = copy_of(decoder, words, tensor_copy);
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

void AsyncCopies::finish(Warp& warp, uint32_t mask)
{
    const auto finish_one = [&](PendingCopy& copy) {
        complete(warp, copy, mask);
        copy.mask &= ~mask;
    };
    for (auto& group : groups)
        std::ranges::for_each(group, finish_one);
    std::ranges::for_each(open, finish_one);
}

bool decode_copies(Decoder& decoder, const Words& words)
{
    if (words.first != "cp" || !words.has("async"))
        return false;
    if (words.has("mbarrier") && words.has("arrive")) // decoded in mbarrier.cpp
        return false;
    if (!words.has("bulk"))
        decode_async_copy(decoder, words);
    else if (words.has("commit_group") || words.has("wait_group") || words.has("prefetch"))
        decoder.emit({.kind = Kind::nop}); // bulk copies are executed at once, so there is nothing to wait for
    else if (words.has("tensor"))
        decode_tensor_copy(decoder, words);
    else
        decode_bulk_copy(decoder, words);
    return true;
}

} // namespace ptx
