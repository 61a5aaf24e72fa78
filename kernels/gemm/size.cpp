#include "gemm/size.h"

#include "error.h"
#include "gemm/element_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <random>
#include <string_view>
#include <vector>

namespace kernels {

const OperationFacts& facts(Operation operation)
{
    static constexpr OperationFacts gemm{.small_size = "128", .large_size = "4096", .no_cublas = {}};
    // Large enough that the vectors exceed the L2 cache.
    static constexpr OperationFacts vector_add{.is_gemm = false,
                                               .small_size = "1000",
                                               .large_size = "67108864",
                                               .uses_k = false,
                                               .is_scaled = false,
                                               .no_cublas = "cuBLAS has no addition of two vectors to compare with."};
    static constexpr OperationFacts thread_coords{.is_gemm = false,
                                                  .small_size = "6x4",
                                                  .large_size = "4096x4096",
                                                  .uses_k = false,
                                                  .is_scaled = false,
                                                  .no_cublas = "Nothing is multiplied, so cuBLAS has nothing to "
                                                               "compare with."};
    switch (operation) {
    case Operation::vector_add: return vector_add;
    case Operation::thread_coords: return thread_coords;
    case Operation::gemm:
    case Operation::gemm_columns: break;
    }
    return gemm;
}

OperandShapes shapes(Operation operation, const recording::Problem& p)
{
    switch (operation) {
    case Operation::vector_add: return {{1, p.N}, {1, p.N}, {1, p.N}};
    case Operation::thread_coords: return {{}, {}, {p.M, p.N, 2 * sizeof(float)}};
    case Operation::gemm:
    case Operation::gemm_columns: break;
    }
    const bool by_columns = operation == Operation::gemm_columns;
    return {{p.M, p.K}, {.rows = p.K, .cols = p.N, .by_columns = by_columns}, {p.M, p.N}};
}

OperandShapes device_shapes(Operation operation, const Types& types, const recording::Problem& problem)
{
    OperandShapes result = shapes(operation, problem);
    if (types.c != type_fp32)
        result.C.element_bytes = size_of(types.c);
    if (types.ab == type_fp32)
        return result;
    for (OperandShape* shape : {&result.A, &result.B}) {
        constexpr uint32_t boundary = 16;
        shape->element_bytes = size_of(types.ab);
        const uint32_t count = boundary / shape->element_bytes;
        shape->pitch = (shape->cols + count - 1) / count * count;
    }
    return result;
}

recording::Problem used_part(Operation operation, const recording::Problem& problem)
{
    switch (operation) {
    case Operation::vector_add: return {.M = 1, .N = problem.N, .K = 1};
    case Operation::thread_coords: return {.M = problem.M, .N = problem.N, .K = 1};
    case Operation::gemm:
    case Operation::gemm_columns: break;
    }
    return problem;
}

double operations(Operation operation, const recording::Problem& problem)
{
    switch (operation) {
    case Operation::vector_add: return problem.N;
    case Operation::thread_coords: return 0;
    case Operation::gemm:
    case Operation::gemm_columns: break;
    }
    return 2.0 * problem.M * problem.N * problem.K;
}

// Rounding errors of a sum of K random products grow like a random walk, with sqrt(K); one rounding error is at most
// 2^-24. The factor 8 leaves room for alpha, beta and other orders of summation. One missing product in one element of
// 4096^3 exceeds the tolerance thirty times.
//
// Tensor cores multiply exactly (a product of two 11-bit mantissas has 22 bits) but truncate their sums. Every step
// loses 2^-24 of the current sum on average, always towards zero, so the errors accumulate instead of canceling. The
// current sum averages 2/3 of the final sum. A step takes at least 8 products of 16 bits or 4 of TF32, so K / 8 or K /
// 4 steps bound the loss. One missing product at 4096^3 still exceeds the tolerance ten times.
//
// Rounding a result to a type with p bits of mantissa changes it by at most a factor of 1 +- 2^-p.
double tolerance(Operation operation, const recording::Problem& problem, const Types& types)
{
    if (operation == Operation::thread_coords)
        return 0;
    const double K = problem.K;
    const double cut_off = types.ab == type_fp32 ? 0 : K / (types.ab == type_tf32 ? 4 : 8);
    const double of_result = types.c == type_bf16 ? 0x1p-8 : types.c == type_fp16 ? 0x1p-11 : 0;
    return 0x1p-24 * (8 * std::sqrt(K) + cut_off) + of_result;
}

namespace {

constexpr uint32_t largest_extent = 1u << 28; // memory allows less; that limit is reported elsewhere

uint32_t parse_extent(std::string_view digits, const std::string& whole)
{
    uint32_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size() || value < 1 || value > largest_extent)
        throw Error(fmt::format("'{}' is no size; give N or MxNxK, each from 1 to {}, such as 128 or 1000x33x517 "
                                "(and stages before --size).",
                                whole, largest_extent));
    return value;
}

} // namespace

recording::Problem parse_size(const std::string& text, Operation operation)
{
    std::vector<std::string_view> parts;
    for (std::string_view rest = text; parts.size() < 4;) {
        const std::size_t x = rest.find('x');
        parts.push_back(rest.substr(0, x));
        if (x == std::string_view::npos)
            break;
        rest.remove_prefix(x + 1);
    }
    if (parts.size() == 1)
        parts.resize(3, parts.front());
    if (parts.size() == 2 && !facts(operation).uses_k)
        parts.emplace_back("1");
    if (parts.size() != 3)
        parse_extent("", text);
    return {.M = parse_extent(parts[0], text), .N = parse_extent(parts[1], text), .K = parse_extent(parts[2], text)};
}

std::string size_name(const recording::Problem& p, Operation operation)
{
    if (operation == Operation::vector_add || (p.M == p.N && p.N == p.K))
        return std::to_string(p.N);
    if (!facts(operation).uses_k)
        return fmt::format("{}x{}", p.M, p.N);
    return fmt::format("{}x{}x{}", p.M, p.N, p.K);
}

namespace {

// std::mt19937 yields the same numbers everywhere; the standard distributions do not.
class Draw {
public:
    explicit Draw(uint32_t seed) : numbers_(seed) {}

    // Draws from `least` to `most`, uniform in the logarithm.
    double log_uniform(double least, double most)
    {
        const double share = static_cast<double>(numbers_()) / 4294967296.0;
        return least * std::pow(most / least, share);
    }

private:
    std::mt19937 numbers_;
};

struct Sides {
    double least, most;
};
struct Kind {
    Sides M, N, K;
};
constexpr Sides any{64, 8192}, large{8192, 65536}, small{64, 512};
constexpr Kind plain{any, any, any};
constexpr Kind special[] = {{large, small, any}, {small, large, any}, {small, small, large}};
constexpr uint32_t multiples[] = {64, 8, 1};

} // namespace

std::vector<recording::Problem> random_shapes(std::size_t count, uint32_t seed)
{
    Draw draw(seed);
    std::vector<recording::Problem> shapes;
    for (std::size_t i = 0; i < count; ++i) {
        const Kind& kind = i % 5 == 4 ? special[i / 5 % std::size(special)] : plain;
        const uint32_t multiple = multiples[i % std::size(multiples)];
        const auto side = [&](const Sides& sides) {
            const double drawn = draw.log_uniform(sides.least, sides.most);
            const auto times = static_cast<uint32_t>(std::lround(drawn / multiple));
            return std::clamp(times * multiple, static_cast<uint32_t>(sides.least), static_cast<uint32_t>(sides.most));
        };
        const uint32_t M = side(kind.M), N = side(kind.N), K = side(kind.K);
        shapes.push_back({.M = M, .N = N, .K = K});
    }
    return shapes;
}

} // namespace kernels
