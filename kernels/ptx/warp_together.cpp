// What the lanes of a warp do together: shuffles, votes, matrices.
#include "ptx/arithmetic.h"
#include "ptx/block.h"
#include "ptx/decode.h"
#include "ptx/matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace ptx {

namespace {

using recording::Op;

} // namespace

// Lanes come here with a mask of those that must be here too.
void Warp::collective(Group& group, const Instruction& instruction, uint32_t mask)
{
    if (mask == 0) {
        ++group.next;
        return;
    }
    const auto* wanted = at<uint32_t>(registers_.data(), instruction.r[4]);
    uint32_t members = 0;
    for_lanes(mask, [&](int lane) { members |= wanted[lane]; });
    if (!meets(group, members))
        return;
    switch (instruction.kind) {
    case Kind::shuffle: shuffle(instruction, mask); break;
    case Kind::vote: vote(instruction, mask); break;
    case Kind::match: match(instruction, mask); break;
    case Kind::reduce: reduce(instruction, mask); break;
    case Kind::elect: {
        if ((members & mask) == 0)
            fault(statement(instruction), fmt::format("{} elects one of a mask that none of the lanes here is in",
                                                      thread(std::countr_zero(mask)).text()));
        const int leader = std::countr_zero(members & mask);
        for_lanes(mask, [&](int lane) {
            at<uint32_t>(registers_.data(), instruction.r[0])[lane] = static_cast<uint32_t>(leader);
        });
        write_bits(registers_.data(), instruction.r[5], mask, 1u << leader);
        break;
    }
    default: break;
    }
    ++group.next;
}

void Warp::shuffle(const Instruction& instruction, uint32_t mask)
{
    std::byte* const registers = registers_.data();
    const auto *value = at<uint32_t>(registers, instruction.r[1]), *by = at<uint32_t>(registers, instruction.r[2]),
               *limits = at<uint32_t>(registers, instruction.r[3]);
    std::array<uint32_t, 32> result{};
    std::array<uint64_t, 32> source{};
    uint32_t in_range = 0;
    for_lanes(mask, [&](int lane) {
        const uint32_t segment = limits[lane] >> 8 & 31, clamp = limits[lane] & 31, b = by[lane] & 31,
                       own = static_cast<uint32_t>(lane);
        const uint32_t last = (own & segment) | (clamp & ~segment), first = own & segment;
        uint32_t from = own;
        bool good = false;
        switch (instruction.lane) {
        case Lane::up:
            good = own >= b && own - b >= last;
            from = good ? own - b : own;
            break;
        case Lane::down:
            good = own + b <= last;
            from = good ? own + b : own;
            break;
        case Lane::butterfly:
            good = (own ^ b) <= last;
            from = good ? own ^ b : own;
            break;
        case Lane::index:
            from = first | (b & ~segment);
            good = from <= last;
            from = good ? from : own;
            break;
        }
        result[own] = value[from];
        source[own] = from;
        in_range |= static_cast<uint32_t>(good) << lane;
    });
    auto* to = at<uint32_t>(registers, instruction.r[0]);
    for_lanes(mask, [&](int lane) { to[lane] = result[static_cast<std::size_t>(lane)]; });
    if (instruction.r[5] != no_register)
        write_bits(registers, instruction.r[5], mask, in_range);
    tell(Op::shuffle, instruction, mask, source, 0);
}

void Warp::vote(const Instruction& instruction, uint32_t mask)
{
    std::byte* const registers = registers_.data();
    const uint32_t condition = *at<uint32_t>(registers, instruction.r[1]);
    const uint32_t yes = (instruction.truth != 0 ? ~condition : condition) & mask;
    if (instruction.vote == Vote::ballot) {
        auto* to = at<uint32_t>(registers, instruction.r[0]);
        for_lanes(mask, [&](int lane) { to[lane] = yes; });
        return;
    }
    const bool result = instruction.vote == Vote::all   ? yes == mask
                        : instruction.vote == Vote::any ? yes != 0
                                                        : yes == mask || yes == 0;
    write_bits(registers, instruction.r[0], mask, result ? ~0u : 0);
}

void Warp::match(const Instruction& instruction, uint32_t mask)
{
    std::byte* const registers = registers_.data();
    const uint32_t from = instruction.r[1] | (instruction.transposed ? is_wide : 0);
    const auto value = [&](int lane) { return read_register(registers, from, lane); };
    std::array<uint32_t, 32> result{};
    for_lanes(mask, [&](int lane) {
        uint32_t same = 0;
        for_lanes(mask, [&](int other) { same |= static_cast<uint32_t>(value(other) == value(lane)) << other; });
        result[static_cast<std::size_t>(lane)] = instruction.truth == 0 ? same : same == mask ? mask : 0;
    });
    auto* to = at<uint32_t>(registers, instruction.r[0]);
    for_lanes(mask, [&](int lane) { to[lane] = result[static_cast<std::size_t>(lane)]; });
    if (instruction.r[5] != no_register)
        write_bits(registers, instruction.r[5], mask,
                   result[static_cast<std::size_t>(std::countr_zero(mask))] == mask ? ~0u : 0);
}

void Warp::reduce(const Instruction& instruction, uint32_t mask)
{
    std::byte* const registers = registers_.data();
    const auto* value = at<uint32_t>(registers, instruction.r[1]);
    const bool is_signed_type = instruction.type == Type::s32;
    std::optional<uint32_t> all;
    for_lanes(mask, [&](int lane) {
        const uint32_t one = value[lane];
        if (!all) {
            all = one;
            return;
        }
        const bool less = is_signed_type ? static_cast<int32_t>(one) < static_cast<int32_t>(*all) : one < *all;
        switch (instruction.combine) {
        case Combine::add: *all += one; break;
        case Combine::minimum: all = less ? one : *all; break;
        case Combine::maximum: all = less ? *all : one; break;
        case Combine::bit_and: *all &= one; break;
        case Combine::bit_or: *all |= one; break;
        default: *all ^= one; break;
        }
    });
    auto* to = at<uint32_t>(registers, instruction.r[0]);
    for_lanes(mask, [&](int lane) { to[lane] = all.value_or(0); });
}

void Warp::require_whole(const Instruction& instruction, uint32_t mask) const
{
    if (mask != live_ || live_ != ~0u)
        fault(statement(instruction),
              fmt::format("{} of the 32 lanes of warp {} take part; this instruction needs all of them",
                          std::popcount(mask), number_));
}

void Warp::matrices(const Instruction& instruction, uint32_t mask)
{
    switch (instruction.kind) {
    case Kind::multiply:
        multiply(instruction, registers_.data());
        return tell(Op::matrix_multiply, instruction, mask, {}, 0);
    case Kind::tile_multiply:
        tile_multiply(instruction, registers_.data());
        return tell(Op::matrix_multiply, instruction, mask, {}, 0);
    case Kind::tile_load:
    case Kind::tile_store: return tile(instruction, mask);
    default: break;
    }
    // ldmatrix, stmatrix: lane 8 i + r has the address of row r of matrix i; lane 4 r + c has elements 2 c and 2 c + 1 of row r.
    const bool loads = instruction.kind == Kind::matrix_load;
    const std::size_t count = loads ? instruction.to.size() : instruction.in.size();
    std::array<uint64_t, 32> addresses{};
    std::array<std::byte*, 32> rows{};
    for (std::size_t lane = 0; lane < 8 * count; ++lane) {
        Space space = instruction.space;
        uint64_t where = address(instruction, static_cast<int>(lane));
        rows[lane] = locate(instruction, space, where, 16, static_cast<int>(lane), !loads);
        if (space != Space::shared)
            fault(statement(instruction),
                  fmt::format("{} gives a row that is not in shared memory", thread(static_cast<int>(lane)).text()));
        check_shared(instruction, where, 16, static_cast<int>(lane), !loads);
        addresses[lane] = where;
    }
    for (std::size_t matrix = 0; matrix < count; ++matrix)
        for (std::size_t lane = 0; lane < 32; ++lane)
            for (std::size_t i = 0; i < 2; ++i) {
                const std::size_t row = instruction.transposed ? lane % 4 * 2 + i : lane / 4,
                                  col = instruction.transposed ? lane / 4 : lane % 4 * 2 + i;
                std::byte* const element = rows[matrix * 8 + row] + 2 * col;
                uint32_t& word =
                    at<uint32_t>(registers_.data(), loads ? instruction.to[matrix] : instruction.in[matrix])[lane];
                uint16_t bits = static_cast<uint16_t>(word >> 16 * i);
                if (loads) {
                    std::memcpy(&bits, element, 2);
                    word = (word & ~(0xffffu << 16 * i)) | static_cast<uint32_t>(bits) << 16 * i;
                } else {
                    std::memcpy(element, &bits, 2);
                }
            }
    const uint32_t offering = count == 4 ? ~0u : (1u << 8 * count) - 1;
    tell(loads ? Op::matrix_load : Op::matrix_store, instruction, offering & mask, addresses, 16);
}

// wmma.load and wmma.store. In the recording lane i stands for row i of the tile as it lies in memory.
void Warp::tile(const Instruction& instruction, uint32_t mask)
{
    const TileShape& shape = instruction.tiles[0];
    const bool loads = instruction.kind == Kind::tile_load;
    const uint64_t bytes = static_cast<uint64_t>(bits_in_tile(shape.type)) / 8;
    const uint64_t stride = at<uint32_t>(registers_.data(), instruction.r[1])[0];
    const int lines = shape.by_columns ? shape.cols : shape.rows, in_line = shape.by_columns ? shape.rows : shape.cols;
    const int per_register = bytes >= 4 ? 1 : static_cast<int>(4 / bytes);
    const std::vector<uint32_t>& registers = loads ? instruction.to : instruction.in;
    const int elements = elements_per_lane(shape);
    const auto needed = static_cast<std::size_t>((elements + per_register - 1) / per_register);
    Space space = instruction.space;
    std::array<uint64_t, 32> addresses{};
    std::array<std::byte*, 32> rows{};
    for (int line = 0; line < lines; ++line) {
        space = instruction.space;
        uint64_t where = address(instruction, 0) + static_cast<uint64_t>(line) * stride * bytes;
        // A row is checked by its first and its last element: alignment is that of an element here.
        rows[static_cast<std::size_t>(line)] = locate(instruction, space, where, bytes, 0, !loads);
        uint64_t last = address(instruction, 0) +
                        (static_cast<uint64_t>(line) * stride + static_cast<uint64_t>(in_line - 1)) * bytes;
        Space of_last = instruction.space;
        locate(instruction, of_last, last, bytes, 0, !loads);
        addresses[static_cast<std::size_t>(line)] = where;
        if (space == Space::shared)
            check_shared(instruction, where, bytes * static_cast<uint64_t>(in_line), 0, !loads);
    }
    for (int lane = 0; lane < lane_count; ++lane)
        for (int i = 0; i < elements; ++i) {
            const TileCell cell = tile_cell(shape, lane, i);
            std::byte* const element = rows[static_cast<std::size_t>(shape.by_columns ? cell.col : cell.row)] +
                                       static_cast<uint64_t>(shape.by_columns ? cell.row : cell.col) * bytes;
            const uint32_t offset = registers[static_cast<std::size_t>(i / per_register)];
            std::byte* const slot = bytes == 8
                                        ? reinterpret_cast<std::byte*>(&at<uint64_t>(registers_.data(), offset)[lane])
                                        : reinterpret_cast<std::byte*>(&at<uint32_t>(registers_.data(), offset)[lane]) +
                                              static_cast<uint64_t>(i % per_register) * bytes;
            std::memcpy(loads ? slot : element, loads ? element : slot, bytes);
        }
    if (loads) // registers that the machine's own layout does not need
        for (std::size_t i = needed; i < registers.size(); ++i)
            for (int lane = 0; lane < lane_count; ++lane)
                if (bytes < 8)
                    at<uint32_t>(registers_.data(), registers[i])[lane] =
                        at<uint32_t>(registers_.data(), registers[i % needed])[lane];
    const uint32_t offering = lines >= 32 ? ~0u : (1u << lines) - 1;
    tell(loads ? Op::tile_load : Op::tile_store, instruction, offering & mask, addresses,
         static_cast<uint32_t>(bytes) * static_cast<uint32_t>(in_line), space);
}

} // namespace ptx
