#include "gemm/random_shapes.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <random>

namespace kernels {

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
