#include "cpu/tensor_core.h"

#include "gemm/rounding.h"

#include <bit>

namespace cpu {

namespace {

constexpr uint32_t rows = 16, cols = 8;

template <class Element>
constexpr uint32_t depth = 16; // K of one mma
template <>
constexpr uint32_t depth<Tf32> = 8;

// Elements per 32-bit register.
template <class Element>
constexpr uint32_t packed = 2;
template <>
constexpr uint32_t packed<Tf32> = 1;

template <class Element>
float unpack(uint32_t bits, uint32_t index)
{
    if constexpr (packed<Element> == 2)
        return kernels::to_float(Element{static_cast<uint16_t>(bits >> (16 * index))});
    else
        return std::bit_cast<float>(bits & ~0x1fffu); // tensor cores ignore the lowest 13 bits
}

} // namespace

// Lane 4 g + t holds rows g and g + 8 of A and column g of B. t selects the columns of A and rows of B: the t-th ones
// of the first half of K in the first registers, and of the second half in the others.
template <class Element>
void multiply(const std::array<Fragment, 32>& lanes)
{
    constexpr uint32_t per_register = packed<Element>, half = depth<Element> / 2;
    float a[rows][depth<Element>], b[depth<Element>][cols];
    for (uint32_t lane = 0; lane < lanes.size(); ++lane) {
        const uint32_t g = lane / 4;
        for (uint32_t i = 0; i < per_register; ++i) {
            const uint32_t k = lane % 4 * per_register + i;
            for (uint32_t r = 0; r < 4; ++r)
                a[g + r % 2 * 8][k + r / 2 * half] = unpack<Element>(lanes[lane].a[r], i);
            for (uint32_t r = 0; r < 2; ++r)
                b[k + r * half][g] = unpack<Element>(lanes[lane].b[r], i);
        }
    }
    for (uint32_t lane = 0; lane < lanes.size(); ++lane)
        for (uint32_t r = 0; r < 4; ++r) {
            const uint32_t row = lane / 4 + r / 2 * 8, col = lane % 4 * 2 + r % 2;
            float sum = lanes[lane].d[r];
            for (uint32_t k = 0; k < depth<Element>; ++k)
                sum += a[row][k] * b[k][col];
            lanes[lane].d[r] = sum;
        }
}

template void multiply<Half>(const std::array<Fragment, 32>& lanes);
template void multiply<Bfloat16>(const std::array<Fragment, 32>& lanes);
template void multiply<Tf32>(const std::array<Fragment, 32>& lanes);

} // namespace cpu
