// The tensor cores of a warp: mma, WMMA, and the loads and stores of their matrices.
#include "ptx/matrix.h"

#include "ptx/block.h"
#include "ptx/decode.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

namespace ptx {

std::optional<MatrixShape> shape_of(const Words& words)
{
    for (const std::string_view word : words.rest) {
        MatrixShape shape;
        const char* at = word.data();
        const char* const end = word.data() + word.size();
        bool good = !word.empty();
        for (const auto& [letter, number] :
             {std::pair{'m', &shape.m}, std::pair{'n', &shape.n}, std::pair{'k', &shape.k}}) {
            good = good && at != end && *at == letter;
            if (!good)
                break;
            const auto [next, error] = std::from_chars(at + 1, end, *number);
            good = error == std::errc() && *number > 0 && *number <= 256;
            at = next;
        }
        if (good && at == end)
            return shape;
    }
    return {};
}

int bits_in_tile(Type type)
{
    return type == Type::tf32 ? 32 : bits_of(type);
}

double element(Type type, uint64_t bits)
{
    switch (type) {
    case Type::f16: return half_to_float(static_cast<uint16_t>(bits));
    case Type::bf16: return std::bit_cast<float>(static_cast<uint32_t>(bits << 16));
    case Type::tf32: return std::bit_cast<float>(static_cast<uint32_t>(bits) & ~0x1fffu); // ignores 13 bits
    case Type::s8: return static_cast<int8_t>(bits);
    case Type::u8: return static_cast<uint8_t>(bits);
    case Type::s32: return static_cast<int32_t>(bits);
    case Type::f64: return std::bit_cast<double>(bits);
    case Type::e4m3: return decode(bits & 0xff, e4m3_format);
    case Type::e5m2: return decode(bits & 0xff, e5m2_format);
    default: return std::bit_cast<float>(static_cast<uint32_t>(bits));
    }
}

uint64_t bits_of_element(const Instruction& instruction, Type type, double value)
{
    switch (type) {
    case Type::f16: return half_of(value);
    case Type::s32:
        return static_cast<uint32_t>(instruction.saturate
                                         ? static_cast<int64_t>(std::clamp(value, -2147483648.0, 2147483647.0))
                                         : static_cast<int64_t>(value));
    case Type::f64: return std::bit_cast<uint64_t>(value);
    default: // NaN becomes the one NaN that tensor cores return
        return std::isnan(value) ? 0x7fffffff : std::bit_cast<uint32_t>(static_cast<float>(value));
    }
}

TileCell cell_of_a(const TileShape& tile, int lane, int i)
{
    const int per_register = std::max(1, 32 / bits_in_tile(tile.type)), r = i / per_register;
    return {lane / 4 + r % 2 * 8, (r / 2 * 4 + lane % 4) * per_register + i % per_register};
}

TileCell cell_of_b(const TileShape& tile, int lane, int i)
{
    const int per_register = std::max(1, 32 / bits_in_tile(tile.type));
    return {(i / per_register * 4 + lane % 4) * per_register + i % per_register, lane / 4};
}

TileCell cell_of_d(const TileShape&, int lane, int i)
{
    return {lane / 4 + i % 4 / 2 * 8, i / 4 * 8 + lane % 4 * 2 + i % 2};
}

TileCell cell_of_wmma(const TileShape& tile, int lane, int i)
{
    const int place = lane * (tile.rows * tile.cols / lane_count) + i;
    return {place / tile.cols, place % tile.cols};
}

uint64_t Fragment::read(const std::byte* of_warp, int lane, int i) const
{
    const uint32_t at_register = registers[static_cast<std::size_t>(i / per_register())];
    if (tile.type == Type::f64)
        return read_register(of_warp, at_register | is_wide, lane);
    return read_register(of_warp, at_register, lane) >> i % per_register() * bits_in_tile(tile.type);
}

void Fragment::write(std::byte* of_warp, int lane, int i, uint64_t bits) const
{
    const uint32_t at_register = registers[static_cast<std::size_t>(i / per_register())];
    if (per_register() == 1)
        return write_register(of_warp, at_register | (tile.type == Type::f64 ? is_wide : 0), lane, bits);
    const int width = bits_in_tile(tile.type), shift = i % per_register() * width;
    uint32_t& word = at<uint32_t>(of_warp, at_register)[lane];
    word = (word & ~(((1u << width) - 1) << shift)) | static_cast<uint32_t>(bits) << shift;
}

namespace {

using recording::Op;

constexpr const char* wrong_count = "its matrices have other numbers of registers than that shape has";

// Returns the registers of A, B or C. Instruction::first_in has the first register of each.
std::span<const uint32_t> operand_of(const Instruction& instruction, std::size_t i)
{
    const std::size_t first = instruction.first_in[i];
    return std::span(instruction.in)
        .subspan(first, (i < 2 ? instruction.first_in[i + 1] : instruction.in.size()) - first);
}

template <class Number>
void multiply_in(const Instruction& instruction, std::byte* registers, const std::array<CellOf, 3>& cells)
{
    const auto& tiles = instruction.tiles;
    Matrix<Number> a(tiles[0].rows, tiles[0].cols), b(tiles[1].rows, tiles[1].cols), d(tiles[2].rows, tiles[2].cols);
    read_fragment({tiles[0], cells[0], operand_of(instruction, 0)}, registers, a);
    read_fragment({tiles[1], cells[1], operand_of(instruction, 1)}, registers, b);
    read_fragment({tiles[2], cells[2], operand_of(instruction, 2)}, registers, d);
    add_product(a, b, d, tiles[2].type == Type::f64);
    write_fragment(instruction, {tiles[2], cells[2], instruction.to}, registers, d);
}

template <CellOf of_a, CellOf of_b, CellOf of_d>
void multiply(Warp& warp, const Instruction& instruction, uint32_t mask)
{
    if (!warp.meets_whole(instruction, mask))
        return;
    std::byte* const registers = warp.registers.data();
    if (instruction.tiles[2].type == Type::f32)
        multiply_in<float>(instruction, registers, {of_a, of_b, of_d});
    else
        multiply_in<double>(instruction, registers, {of_a, of_b, of_d});
    warp.tell(Op::matrix_multiply, instruction, mask, {}, 0);
}

// Executes ldmatrix and stmatrix. Lane 8 i + r has the address of row r of matrix i. Lane 4 r + c has elements 2 c and
// 2 c + 1 of row r.
template <bool loads>
void move_matrices(Warp& warp, const Instruction& instruction, uint32_t mask)
{
    if (!warp.meets_whole(instruction, mask))
        return;
    const std::vector<uint32_t>& registers = loads ? instruction.to : instruction.in;
    LaneAddresses addresses{};
    std::array<std::byte*, 32> rows{};
    for (int lane = 0; lane < static_cast<int>(8 * registers.size()); ++lane) {
        const auto [space, where, bytes] =
            warp.locate(instruction, instruction.space, warp.address(instruction, lane), 16, lane, !loads);
        if (space != Space::shared)
            warp.fail(instruction, lane, "gives a row that is not in shared memory");
        warp.check_shared(instruction, where, 16, lane, !loads);
        addresses[static_cast<std::size_t>(lane)] = where;
        rows[static_cast<std::size_t>(lane)] = bytes;
    }
    for (std::size_t matrix = 0; matrix < registers.size(); ++matrix)
        for (std::size_t lane = 0; lane < 32; ++lane)
            for (std::size_t i = 0; i < 2; ++i) {
                const std::size_t row = instruction.transposed ? lane % 4 * 2 + i : lane / 4,
                                  col = instruction.transposed ? lane / 4 : lane % 4 * 2 + i;
                std::byte* const in_memory = rows[matrix * 8 + row] + 2 * col;
                std::byte* const in_register =
                    reinterpret_cast<std::byte*>(&warp.words(registers[matrix])[lane]) + 2 * i;
                std::memcpy(loads ? in_register : in_memory, loads ? in_memory : in_register, 2);
            }
    const uint32_t offering = registers.size() == 4 ? ~0u : (1u << 8 * registers.size()) - 1;
    warp.tell(loads ? Op::matrix_load : Op::matrix_store, instruction, offering & mask, addresses, 16);
}

// The rows of a tile in memory, for wmma.load and wmma.store. They are the columns of a tile stored by columns.
struct TileRows {
    LaneAddresses address{};
    std::array<std::byte*, 32> bytes{};
    Space space = Space::none;

    TileRows(Warp& warp, const Instruction& instruction, uint64_t element_bytes, bool writes)
    {
        const TileShape& tile = instruction.tiles[0];
        const uint64_t stride = warp.words(instruction.r[1])[0], first = warp.address(instruction, 0);
        const auto rows = static_cast<std::size_t>(tile.by_columns ? tile.cols : tile.rows),
                   in_row = static_cast<std::size_t>(tile.by_columns ? tile.rows : tile.cols);
        for (std::size_t row = 0; row < rows; ++row) {
            // Checks a row by its first and its last element, because only elements must be aligned.
            const auto locate = [&](uint64_t element) {
                return warp.locate(instruction, instruction.space, first + (row * stride + element) * element_bytes,
                                   element_bytes, 0, writes);
            };
            const Warp::Place begin = locate(0);
            locate(in_row - 1);
            bytes[row] = begin.bytes, address[row] = begin.address, space = begin.space;
            if (space == Space::shared)
                warp.check_shared(instruction, begin.address, element_bytes * in_row, 0, writes);
        }
    }
};

// In the recording, lane i accesses row i of the tile in memory.
template <bool loads>
void move_tile(Warp& warp, const Instruction& instruction, uint32_t mask)
{
    if (!warp.meets_whole(instruction, mask))
        return;
    const TileShape& tile = instruction.tiles[0];
    const auto bytes = static_cast<uint64_t>(bits_in_tile(tile.type)) / 8;
    const Fragment fragment{tile, cell_of_wmma, loads ? instruction.to : instruction.in};
    const TileRows rows(warp, instruction, bytes, !loads);
    for (int lane = 0; lane < lane_count; ++lane)
        for (int i = 0; i < fragment.elements(); ++i) {
            const TileCell cell = cell_of_wmma(tile, lane, i);
            std::byte* const in_memory = rows.bytes[static_cast<std::size_t>(tile.by_columns ? cell.col : cell.row)] +
                                         static_cast<uint64_t>(tile.by_columns ? cell.row : cell.col) * bytes;
            uint64_t bits = loads ? 0 : fragment.read(warp.registers.data(), lane, i);
            std::memcpy(loads ? reinterpret_cast<std::byte*>(&bits) : in_memory,
                        loads ? in_memory : reinterpret_cast<std::byte*>(&bits), bytes);
            if (loads)
                fragment.write(warp.registers.data(), lane, i, bits);
        }
    const auto needed =
        static_cast<std::size_t>((fragment.elements() + fragment.per_register() - 1) / fragment.per_register());
    if (loads) // fills the registers that the PTX machine's layout does not need
        for (std::size_t i = needed; i < fragment.registers.size(); ++i)
            std::copy_n(warp.words(fragment.registers[i % needed]), lane_count, warp.words(fragment.registers[i]));
    const int count = tile.by_columns ? tile.cols : tile.rows, in_row = tile.by_columns ? tile.rows : tile.cols;
    warp.tell(loads ? Op::tile_load : Op::tile_store, instruction, (count >= 32 ? ~0u : (1u << count) - 1) & mask,
              rows.address, static_cast<uint32_t>(bytes) * static_cast<uint32_t>(in_row), rows.space);
}

// Returns the number of registers of a WMMA fragment. FP16 fragments of A and B always have eight, which hold some
// elements several times.
std::size_t registers_of(const TileShape& tile, bool always_eight = false)
{
    const int bits = tile.rows * tile.cols * bits_in_tile(tile.type) / recording::warp_size;
    return always_eight ? 8 : static_cast<std::size_t>(bits / (tile.type == Type::f64 ? 64 : 32));
}

void decode_move_matrices(Decoder& decoder, const Words& words)
{
    const bool loads = words.first == "ldmatrix";
    Instruction instruction{.kind = loads ? Kind::matrix_load : Kind::other};
    instruction.execute = loads ? move_matrices<true> : move_matrices<false>;
    instruction.transposed = words.has("trans");
    instruction.space = space_in(words);
    instruction.width = 16;
    if (!words.has("m8n8") || !words.has("b16"))
        decoder.unknown();
    decoder.address(loads ? 1 : 0, instruction);
    if (loads)
        decoder.add_targets(instruction.to, decoder.operand(0), Width::word);
    else
        decoder.add_sources(instruction.in, decoder.operand(1), Width::word);
    const std::size_t count = words.has("x4") ? 4 : words.has("x2") ? 2 : 1;
    if ((loads ? instruction.to : instruction.in).size() != count)
        decoder.fail("it has another number of registers than of matrices");
    decoder.emit(std::move(instruction));
}

// Decodes the registers of D, A, B and C. `eight` means that A and B always have eight.
void fragments(Decoder& decoder, Instruction& instruction, bool eight = false)
{
    const auto& tiles = instruction.tiles;
    const Width width = tiles[0].type == Type::f64 ? Width::wide : Width::word;
    for (std::size_t i = 1; i < 4; ++i) {
        instruction.first_in[i - 1] = static_cast<uint32_t>(instruction.in.size());
        decoder.add_sources(instruction.in, decoder.operand(i), width);
    }
    decoder.add_targets(instruction.to, decoder.operand(0), width);
    bool good = instruction.to.size() == registers_of(tiles[2]);
    for (std::size_t i = 0; i < 3; ++i)
        good = good && operand_of(instruction, i).size() == registers_of(tiles[i], eight && i < 2);
    if (!good)
        decoder.fail(wrong_count);
}

// Decodes mma.sync. The types are those of D, A, B and C.
void decode_mma(Decoder& decoder, const Words& words)
{
    const std::optional<MatrixShape> shape = shape_of(words);
    if (!shape || words.types.size() != 4 || words.has("sp") || words.has("sp::ordered_metadata") || words.has("xor") ||
        words.has("and") || !words.has("row") || !words.has("col") || decoder.operands() != 4)
        decoder.unknown();
    const auto [m, n, k] = *shape;
    const Type d = words.type(0), a = words.type(1), b = words.type(2), c = words.type(3);
    const bool whole = a == Type::s8 || a == Type::u8;
    const bool is_double = a == Type::f64;
    const bool known = is_double ? m == 8 && n == 8 && k == 4 && b == a && c == a && d == a
                       : whole   ? m == 16 && n == 8 && (k == 16 || k == 32) && (b == Type::s8 || b == Type::u8) &&
                                     d == Type::s32 && c == d
                               : m == 16 && n == 8 && b == a && c == d &&
                                     ((a == Type::f16 && (d == Type::f32 || d == Type::f16) && (k == 8 || k == 16)) ||
                                      (a == Type::bf16 && d == Type::f32 && (k == 8 || k == 16)) ||
                                      (a == Type::tf32 && d == Type::f32 && (k == 4 || k == 8)));
    if (!known)
        decoder.unknown();
    Instruction instruction{.kind = Kind::multiply, .execute = multiply<cell_of_a, cell_of_b, cell_of_d>};
    instruction.saturate = words.has("satfinite");
    instruction.tiles = {TileShape{m, k, a}, TileShape{k, n, b}, TileShape{m, n, d}};
    fragments(decoder, instruction);
    decoder.emit(std::move(instruction));
}

// Returns for each of two matrices whether it is stored by columns, in the order of the words: A and B, or C and D.
std::vector<bool> by_columns(const Words& words)
{
    std::vector<bool> result;
    for (const std::string_view word : words.rest)
        if (word == "row" || word == "col")
            result.push_back(word == "col");
    return result;
}

bool fits(const MatrixShape& shape, Type type)
{
    const bool square = shape.m == 16 && shape.n == 16, wide = shape.m == 8 && shape.n == 32,
               tall = shape.m == 32 && shape.n == 8;
    switch (type) {
    case Type::tf32: return square && shape.k == 8;
    case Type::f64: return shape.m == 8 && shape.n == 8 && shape.k == 4;
    case Type::f16:
    case Type::bf16:
    case Type::s8:
    case Type::u8: return (square || wide || tall) && shape.k == 16;
    case Type::f32:
    case Type::s32: return ((square || wide || tall) && shape.k == 16) || (square && shape.k == 8);
    default: return false;
    }
}

void decode_move_tile(Decoder& decoder, const Words& words, bool loads)
{
    const std::optional<MatrixShape> shape = shape_of(words);
    const std::vector<bool> columns = by_columns(words);
    if (!shape || columns.size() != 1 || words.types.size() != 1 || !fits(*shape, words.type()))
        decoder.unknown();
    const bool of_a = words.has("a"), of_b = !of_a && words.has("b");
    const TileShape tile{of_b ? shape->k : shape->m, of_a ? shape->k : shape->n, words.type(), columns.front()};
    Instruction instruction{.kind = Kind::other, .execute = loads ? move_tile<true> : move_tile<false>};
    instruction.tiles[0] = tile;
    instruction.space = space_in(words);
    decoder.address(loads ? 1 : 0, instruction);
    const int least = tile.by_columns ? tile.rows : tile.cols;
    instruction.r[1] = decoder.operands() > 2 ? decoder.source(2, Width::word)
                                              : decoder.constant(static_cast<uint64_t>(least), Width::word);
    const Width width = tile.type == Type::f64 ? Width::wide : Width::word;
    if (loads)
        decoder.add_targets(instruction.to, decoder.operand(0), width);
    else
        decoder.add_sources(instruction.in, decoder.operand(1), width);
    if ((loads ? instruction.to : instruction.in).size() !=
        registers_of(tile, (of_a || of_b) && tile.type == Type::f16))
        decoder.fail(wrong_count);
    decoder.emit(std::move(instruction));
}

// Returns whether wmma.mma has this combination of types.
bool types_fit(Type a, Type b, Type d)
{
    switch (a) {
    case Type::f16: return b == a && (d == Type::f16 || d == Type::f32);
    case Type::bf16:
    case Type::tf32: return b == a && d == Type::f32;
    case Type::s8:
    case Type::u8: return b == a && d == Type::s32;
    default: return a == Type::f64 && b == a && d == a;
    }
}

void decode_wmma(Decoder& decoder, const Words& words)
{
    const std::optional<MatrixShape> shape = shape_of(words);
    const std::vector<bool> columns = by_columns(words);
    if (!shape || columns.size() != 2 || decoder.operands() != 4)
        decoder.unknown();
    Type d = Type::none, a = Type::f16, b = Type::f16;
    if (words.types.size() == 2) { // these are the types of D and C; A and B are FP16
        d = words.type(0);
    } else if (words.types.size() == 4) {
        d = words.type(0), a = words.type(1), b = words.type(2);
    }
    if (d == Type::none || !fits(*shape, a) || !types_fit(a, b, d) || words.types.back() != d)
        decoder.unknown();
    Instruction instruction{.kind = Kind::other, .execute = multiply<cell_of_wmma, cell_of_wmma, cell_of_wmma>};
    instruction.saturate = words.has("satfinite");
    instruction.tiles = {TileShape{shape->m, shape->k, a, columns[0]}, TileShape{shape->k, shape->n, b, columns[1]},
                         TileShape{shape->m, shape->n, d}};
    fragments(decoder, instruction, a == Type::f16);
    decoder.emit(std::move(instruction));
}

} // namespace

bool decode_matrix(Decoder& decoder, const Words& words)
{
    if (words.first == "ldmatrix" || words.first == "stmatrix")
        decode_move_matrices(decoder, words);
    else if (words.first == "mma")
        decode_mma(decoder, words);
    else if (words.first == "wmma" && (words.has("load") || words.has("store")))
        decode_move_tile(decoder, words, words.has("load"));
    else if (words.first == "wmma" && words.has("mma"))
        decode_wmma(decoder, words);
    else
        return false;
    return true;
}

} // namespace ptx
