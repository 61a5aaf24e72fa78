// Bulk copies and the products of warpgroups: what no lane does by itself.
#include "ptx/arithmetic.h"
#include "ptx/cluster.h"
#include "ptx/decode.h"
#include "ptx/tensor_map.h"
#include "ptx/warpgroup.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace ptx {

namespace {

using recording::Op;

constexpr uint32_t warps_in_group = 4;

// Adds or the like, element after element; without such an operation the bytes are copied.
void move(const Instruction& instruction, std::byte* to, const std::byte* from, uint64_t bytes)
{
    if (instruction.combine == Combine::none) {
        std::memmove(to, from, bytes); // within one block's shared memory they may overlap
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

} // namespace

// Its read and its write, as one lane asks for them.
void Warp::tell_copy(const Instruction& instruction, int lane, uint64_t from, uint64_t to)
{
    const bool to_global = instruction.truth != 0;
    std::array<uint64_t, 32> reads{}, writes{};
    reads[static_cast<std::size_t>(lane)] = from;
    writes[static_cast<std::size_t>(lane)] = to;
    tell(Op::bulk_load, instruction, 1u << lane, reads, 0, to_global ? Space::shared : Space::global);
    tell(Op::bulk_store, instruction, 1u << lane, writes, 0, to_global ? Space::global : Space::shared);
}

void Warp::tell_owner(const Instruction& instruction, int lane, uint64_t to, uint64_t bytes)
{
    if (!block_.watch)
        return;
    traced::Step step{.op = Op::bulk_store,
                      .space = recording::Space::global,
                      .bytes = static_cast<uint32_t>(bytes),
                      .line = statement(instruction).source_line,
                      .instruction = instruction.statement + 1,
                      .mask = 1u << lane};
    step.address[static_cast<std::size_t>(lane)] = to;
    block_.watch(block_.linear, number_, step);
}

// Where a copy to shared memory goes, with the mbarrier that counts it: of a multicast, the same place in each of the
// blocks. `barrier`: its address in Instruction::in.
std::vector<Warp::CopyTarget> Warp::targets_of(const Instruction& instruction, int lane, std::size_t barrier) const
{
    const CopyTarget one{address(instruction, lane),
                         read_register(registers_.data(), instruction.in[barrier], lane) +
                             static_cast<uint64_t>(static_cast<int32_t>(instruction.in[barrier + 1]))};
    if (instruction.r[3] == no_register)
        return {one};
    auto* const registers = const_cast<std::byte*>(registers_.data());
    const uint32_t blocks = at<uint32_t>(registers, instruction.r[3])[lane] & 0xffff;
    std::vector<CopyTarget> result;
    for_lanes(blocks, [&](int rank) {
        if (block_.cluster.block(static_cast<uint64_t>(rank)) == nullptr)
            fault(statement(instruction), fmt::format("{} copies to block {} of its cluster, which has {}",
                                                      thread(lane).text(), rank, block_.cluster.extent.volume()));
        const uint64_t first = (static_cast<uint64_t>(rank) + 1) * cluster_step;
        result.push_back({first + one.to % cluster_step, first + one.barrier % cluster_step});
    });
    return result;
}

// Done at once: nobody may look at what it writes before the mbarrier says so.
void Warp::bulk_copy(const Instruction& instruction, uint32_t mask)
{
    const bool to_global = instruction.truth != 0;
    for_lanes(mask, [&](int lane) {
        const uint64_t bytes = read_register(registers_.data(), instruction.in[2], lane) & 0xffffffff;
        if (bytes % 16 != 0)
            fault(statement(instruction),
                  fmt::format("{} copies {} bytes; a bulk copy has a multiple of 16", thread(lane).text(), bytes));
        const auto copy = [&](uint64_t to) {
            uint64_t from = read_register(registers_.data(), instruction.in[0], lane) +
                            static_cast<uint64_t>(static_cast<int32_t>(instruction.in[1]));
            Space writes = to_global ? Space::global : Space::shared,
                  reads = to_global || instruction.whole ? Space::shared : Space::global;
            if (bytes == 0)
                return;
            std::byte* const target = locate(instruction, writes, to, bytes, lane, true);
            move(instruction, target, locate(instruction, reads, from, bytes, lane, false), bytes);
            if (writes == Space::cluster || instruction.whole)
                ++block_.between_blocks;
            else
                tell_copy(instruction, lane, from, to);
            if (to_global)
                tell_owner(instruction, lane, to, bytes);
        };
        if (to_global)
            return copy(address(instruction, lane));
        for (const CopyTarget& target : targets_of(instruction, lane, 3)) {
            copy(target.to);
            expect(mbarrier_at(instruction, target.barrier, lane), instruction, -static_cast<int64_t>(bytes), lane);
        }
    });
}

void Warp::tensor_copy(const Instruction& instruction, uint32_t mask)
{
    const bool to_global = instruction.truth != 0;
    for_lanes(mask, [&](int lane) {
        const auto value = [&](std::size_t i) { return read_register(registers_.data(), instruction.in[i], lane); };
        uint64_t where = value(0) + static_cast<uint64_t>(static_cast<int32_t>(instruction.in[1]));
        Space space = Space::generic;
        const std::byte* const bytes = locate(instruction, space, where, tensor_map_bytes, lane, false);
        const auto map = tensor_map_of(std::span<const std::byte, tensor_map_bytes>(bytes, tensor_map_bytes));
        if (!map)
            fault(statement(instruction),
                  fmt::format("{} copies by a tensor map, and what it gives is none; say in --args which buffer it is "
                              "of, such as map(A:half,64,64,128)",
                              thread(lane).text()));
        if (const std::string wrong = refusal(*map); !wrong.empty()) // the kernel itself can have written it
            fault(statement(instruction),
                  fmt::format("{} copies by a tensor map that no driver makes: {}", thread(lane).text(), wrong));
        if (map->axes != instruction.width)
            fault(statement(instruction), fmt::format("{} gives {} coordinates, and its tensor map has {} axes",
                                                      thread(lane).text(), instruction.width, map->axes));
        const std::size_t coordinates = to_global ? 2 : 4;
        std::array<int64_t, most_axes> first{};
        for (uint32_t axis = 0; axis < map->axes; ++axis)
            first[axis] = static_cast<int32_t>(value(coordinates + axis));
        if (to_global)
            return copy_box(instruction, {*map, first, address(instruction, lane)}, lane);
        for (const CopyTarget& target : targets_of(instruction, lane, 2)) {
            copy_box(instruction, {*map, first, target.to}, lane);
            expect(mbarrier_at(instruction, target.barrier, lane), instruction, -static_cast<int64_t>(map->box_bytes()),
                   lane);
        }
    });
}

// Elements outside of the tensor are read as zeros, and not written.
void Warp::copy_box(const Instruction& instruction, const Box& box, int lane)
{
    const bool to_global = instruction.truth != 0;
    const auto& [map, first, tile] = box;
    const uint64_t needed = map.swizzle == 0 ? 128 : map.swizzle;
    if (tile % needed != 0)
        fault(statement(instruction), fmt::format("{} copies a tile at byte {} of shared memory, which is no multiple "
                                                  "of the {} that it needs",
                                                  thread(lane).text(), tile % cluster_step, needed));
    Instruction reduction; // of elements as the map has them
    reduction.combine = instruction.combine;
    reduction.type = map.element;
    if (instruction.combine != Combine::none && !can_combine(instruction.combine, map.element))
        fault(statement(instruction),
              fmt::format("{} reduces by a tensor map whose elements of {} bytes have no type that the PTX machine can "
                          "reduce",
                          thread(lane).text(), map.element_bytes));
    uint64_t start = map.address;
    for (uint32_t axis = 0; axis < map.axes; ++axis) {
        const uint64_t step = axis == 0 ? map.element_bytes : map.stride[axis];
        start += static_cast<uint64_t>(std::max<int64_t>(first[axis], 0)) * step;
    }
    if (!is_own(tile))
        ++block_.between_blocks;
    else if (to_global)
        tell_copy(instruction, lane, tile % cluster_step, start);
    else
        tell_copy(instruction, lane, start, tile % cluster_step);
    std::array<uint32_t, most_axes> at{};
    for (uint64_t place = 0; place < map.box_bytes(); place += map.element_bytes) {
        bool inside = true;
        uint64_t global = map.address;
        for (uint32_t axis = 0; axis < map.axes; ++axis) {
            const int64_t index = first[axis] + at[axis];
            inside = inside && index >= 0 && index < map.extent[axis];
            global += static_cast<uint64_t>(index) * (axis == 0 ? map.element_bytes : map.stride[axis]);
        }
        Space shared = Space::shared, memory = Space::global;
        uint64_t word = swizzled(tile + place, map.swizzle);
        std::byte* const in_tile = locate(instruction, shared, word, map.element_bytes, lane, !to_global);
        if (inside) {
            std::byte* const in_tensor = locate(instruction, memory, global, map.element_bytes, lane, to_global);
            move(reduction, to_global ? in_tensor : in_tile, to_global ? in_tile : in_tensor, map.element_bytes);
            if (to_global)
                tell_owner(instruction, lane, global, map.element_bytes);
        } else if (!to_global) {
            std::memset(in_tile, 0, map.element_bytes);
        }
        for (uint32_t axis = 0; axis < map.axes && ++at[axis] == map.box[axis]; ++axis)
            at[axis] = 0;
    }
    if (!to_global && is_own(tile))
        block_.tiles.try_emplace(tile % cluster_step, map);
}

void Warp::group_multiply(const Instruction& instruction, uint32_t mask)
{
    require_whole(instruction, mask);
    const TileShape &of_a = instruction.tiles[0], &of_b = instruction.tiles[1];
    const auto depth = static_cast<uint32_t>(of_a.cols), n = static_cast<uint32_t>(of_b.cols);
    std::vector<float> a(std::size_t{16} * depth), b(std::size_t{depth} * n);
    const auto load = [&](const MatrixDescriptor& from, const TileShape& tile, uint32_t line, uint32_t k, bool turned) {
        const uint32_t bytes = tile.type == Type::tf32 ? 4 : static_cast<uint32_t>(bits_of(tile.type)) / 8;
        Space space = Space::shared;
        uint64_t where = from.place(line, k, bytes, turned);
        uint32_t bits = 0;
        std::memcpy(&bits, locate(instruction, space, where, bytes, 0, false), bytes);
        return group_element(tile.type, bits);
    };
    std::array<uint64_t, 32> starts{};
    const auto descriptor = [&](std::size_t r) {
        const MatrixDescriptor result(at<uint64_t>(registers_.data(), instruction.r[r])[0]);
        if (result.base != 0)
            fault(statement(instruction), "a matrix descriptor has a base offset, which the PTX machine does not know");
        starts.fill(result.start);
        return result;
    };
    if (instruction.r[1] == no_register) {
        group_registers(instruction, registers_.data(), a);
        tell(Op::matrix_multiply, instruction, mask, {}, 0);
    } else {
        const MatrixDescriptor from = descriptor(1);
        const uint32_t first_row = number_ % warps_in_group * 16;
        for (uint32_t row = 0; row < 16; ++row)
            for (uint32_t k = 0; k < depth; ++k)
                a[std::size_t{row} * depth + k] = load(from, of_a, first_row + row, k, of_a.by_columns);
        tell(Op::matrix_multiply, instruction, mask, starts, 0, Space::shared);
    }
    const MatrixDescriptor from = descriptor(2);
    for (uint32_t k = 0; k < depth; ++k)
        for (uint32_t col = 0; col < n; ++col)
            b[std::size_t{k} * n + col] = load(from, of_b, col, k, !of_b.by_columns);
    tell(Op::matrix_multiply, instruction, mask, starts, 0, Space::shared);
    if (instruction.minus[0] != instruction.minus[1])
        for (float& one : a)
            one = -one;
    const bool adds = (*at<uint32_t>(registers_.data(), instruction.r[3]) & 1) != 0;
    ptx::group_multiply(instruction, registers_.data(), {.a = a, .b = b, .adds = adds});
}

// The warps of a warpgroup wait for one another: once one goes on, all have read what the products need.
void Warp::group_wait(Group& group, const Instruction& instruction, uint32_t mask)
{
    require_whole(instruction, mask);
    if (number_ / warps_in_group * warps_in_group + warps_in_group > block_.launch.extent.warps_per_block())
        fault(statement(instruction),
              fmt::format("warp {} is in no whole warpgroup: the block has {} warps, and a warpgroup is four", number_,
                          block_.launch.extent.warps_per_block()));
    group.state = State::at_group_wait;
    block_.meet_group(number_ / warps_in_group);
}

void Warp::release_group()
{
    for (Group& group : groups_)
        if (group.state == State::at_group_wait) {
            group.state = State::ready;
            ++group.next;
        }
}

} // namespace ptx
