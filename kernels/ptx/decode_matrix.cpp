// Statements of the tensor cores and of the matrices that they are fed with.
#include "ptx/decode.h"
#include "ptx/matrix.h"

#include <charconv>

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

namespace {

constexpr const char* wrong_count = "its matrices have other numbers of registers than that shape has";

// Of a fragment of WMMA: A and B in FP16 always have eight, in which elements come more than once.
std::size_t registers_of_tile(char matrix, const TileShape& tile)
{
    const int bits = tile.rows * tile.cols * bits_in_tile(tile.type) / recording::warp_size;
    const bool always_eight = tile.type == Type::f16 && (matrix == 'a' || matrix == 'b');
    return always_eight ? 8 : static_cast<std::size_t>(bits / (tile.type == Type::f64 ? 64 : 32));
}

void matrices(Decoder& decoder, const Words& words)
{
    const bool loads = words.first == "ldmatrix";
    Instruction instruction{.kind = loads ? Kind::matrix_load : Kind::matrix_store};
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

// Those of D, A, B and C.
void fragments(Decoder& decoder, Width width, Instruction& instruction)
{
    for (std::size_t i = 1; i < 4; ++i) {
        instruction.first_in[i - 1] = static_cast<uint32_t>(instruction.in.size());
        decoder.add_sources(instruction.in, decoder.operand(i), width);
    }
    decoder.add_targets(instruction.to, decoder.operand(0), width);
}

// mma.sync: the types are those of D, A, B and C.
void multiply(Decoder& decoder, const Words& words)
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
    Instruction instruction{.kind = Kind::multiply};
    instruction.saturate = words.has("satfinite");
    instruction.tiles = {TileShape{m, k, a}, TileShape{k, n, b}, TileShape{m, n, d}};
    const Width width = is_double ? Width::wide : Width::word;
    fragments(decoder, width, instruction);
    const auto registers = [&](const TileShape& tile) {
        return static_cast<std::size_t>(tile.rows * tile.cols * bits_in_tile(tile.type) / (is_double ? 64 : 32) / 32);
    };
    const std::size_t of_a = registers(instruction.tiles[0]), of_b = registers(instruction.tiles[1]),
                      of_d = registers(instruction.tiles[2]);
    if (instruction.to.size() != of_d || instruction.in.size() != of_a + of_b + of_d ||
        instruction.first_in[1] != of_a || instruction.first_in[2] != of_a + of_b)
        decoder.fail(wrong_count);
    decoder.emit(std::move(instruction));
}

// The layouts of A and B, or of C and D: those words that say so, in order.
std::vector<bool> by_columns(const Words& words)
{
    std::vector<bool> result;
    for (const std::string_view word : words.rest)
        if (word == "row" || word == "col")
            result.push_back(word == "col");
    return result;
}

std::optional<TileShape> tile_of(char matrix, const MatrixShape& shape, Type type, bool columns)
{
    if (matrix == 'a')
        return TileShape{shape.m, shape.k, type, columns};
    if (matrix == 'b')
        return TileShape{shape.k, shape.n, type, columns};
    return TileShape{shape.m, shape.n, type, columns};
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

void tile(Decoder& decoder, const Words& words, bool loads)
{
    const std::optional<MatrixShape> shape = shape_of(words);
    const std::vector<bool> columns = by_columns(words);
    const char matrix = words.has("a") ? 'a' : words.has("b") ? 'b' : 'c';
    if (!shape || columns.size() != 1 || words.types.size() != 1 || !fits(*shape, words.type()))
        decoder.unknown();
    Instruction instruction{.kind = loads ? Kind::tile_load : Kind::tile_store};
    instruction.tiles[0] = *tile_of(matrix, *shape, words.type(), columns.front());
    instruction.space = space_in(words);
    decoder.address(loads ? 1 : 0, instruction);
    const int least = columns.front() ? instruction.tiles[0].rows : instruction.tiles[0].cols;
    instruction.r[1] = decoder.operands() > 2 ? decoder.source(2, Width::word)
                                              : decoder.constant(static_cast<uint64_t>(least), Width::word);
    const Width width = words.type() == Type::f64 ? Width::wide : Width::word;
    if (loads)
        decoder.add_targets(instruction.to, decoder.operand(0), width);
    else
        decoder.add_sources(instruction.in, decoder.operand(1), width);
    if ((loads ? instruction.to : instruction.in).size() != registers_of_tile(matrix, instruction.tiles[0]))
        decoder.fail(wrong_count);
    decoder.emit(std::move(instruction));
}

// Those that wmma.mma has of shapes that fit.
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

void tile_multiply(Decoder& decoder, const Words& words)
{
    const std::optional<MatrixShape> shape = shape_of(words);
    const std::vector<bool> columns = by_columns(words);
    if (!shape || columns.size() != 2 || decoder.operands() != 4)
        decoder.unknown();
    Type d = Type::none, a = Type::f16, b = Type::f16;
    if (words.types.size() == 2) { // of D and C: A and B are FP16
        d = words.type(0);
    } else if (words.types.size() == 4) {
        d = words.type(0), a = words.type(1), b = words.type(2);
    }
    if (d == Type::none || !fits(*shape, a) || !types_fit(a, b, d) || words.types.back() != d)
        decoder.unknown();
    Instruction instruction{.kind = Kind::tile_multiply};
    instruction.saturate = words.has("satfinite");
    instruction.tiles = {TileShape{shape->m, shape->k, a, columns[0]}, TileShape{shape->k, shape->n, b, columns[1]},
                         TileShape{shape->m, shape->n, d}};
    fragments(decoder, a == Type::f64 ? Width::wide : Width::word, instruction);
    const std::size_t of_a = registers_of_tile('a', instruction.tiles[0]),
                      of_b = registers_of_tile('b', instruction.tiles[1]),
                      of_d = registers_of_tile('d', instruction.tiles[2]);
    if (instruction.to.size() != of_d || instruction.in.size() != of_a + of_b + of_d ||
        instruction.first_in[1] != of_a || instruction.first_in[2] != of_a + of_b)
        decoder.fail(wrong_count);
    decoder.emit(std::move(instruction));
}

} // namespace

bool decode_matrix(Decoder& decoder, const Words& words)
{
    if (words.first == "ldmatrix" || words.first == "stmatrix") {
        matrices(decoder, words);
    } else if (words.first == "mma") {
        multiply(decoder, words);
    } else if (words.first == "wmma" && (words.has("load") || words.has("store"))) {
        tile(decoder, words, words.has("load"));
    } else if (words.first == "wmma" && words.has("mma")) {
        tile_multiply(decoder, words);
    } else {
        return false;
    }
    return true;
}

} // namespace ptx
