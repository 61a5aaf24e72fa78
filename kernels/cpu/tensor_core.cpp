#include "cpu/tensor_core.h"

#include "cpu/collectives.h"
#include "device/wmma_on_cpu.h"
#include "error.h"
#include "gemm/rounding.h"
#include "recording/recording.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

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

// Lane 4 g + t holds rows g and g + 8 of A and column g of B. Of each half of K it holds the t-th elements: the first
// registers have those of the first half, the other registers those of the second half.
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

namespace ptx {

namespace {

using cpu::Collective;
using Operands = std::span<void* const>; // one per lane

constexpr uint32_t edge = 16, per_lane = 8;

// The memory of a fragment of 16 x 16 elements, and one lane's part of the fragment.
struct Load {
    const Half* tile;
    int stride; // elements from row to row
    uint32_t* part;
};

struct Store {
    float* tile;
    int stride;
    const float* part;
};

struct Product {
    float* d;
    const uint32_t *a, *b;
};

template <class Operand>
const Operand& of(Operands operands, uint32_t lane)
{
    return *static_cast<const Operand*>(operands[lane]);
}

// Returns the offset, from the start of the tile, of the lane's first element.
std::size_t first_element(int stride, uint32_t lane)
{
    return lane / 2 * static_cast<std::size_t>(stride) + lane % 2 * per_lane;
}

template <class Operand>
void require_one_tile(const Collective& collective, Operands operands)
{
    const Operand& first = of<Operand>(operands, 0);
    for (uint32_t lane = 1; lane < recording::warp_size; ++lane)
        if (const Operand& other = of<Operand>(operands, lane);
            other.tile != first.tile || other.stride != first.stride)
            throw kernels::Error(fmt::format("Line {}: lanes 0 and {} name different places for a {}, which moves one "
                                             "fragment for the whole warp. Name the same in all lanes.",
                                             collective.line, lane, collective.name));
}

void load_together(const Collective& collective, Operands operands)
{
    require_one_tile<Load>(collective, operands);
    for (uint32_t lane = 0; lane < recording::warp_size; ++lane) {
        const Load& load = of<Load>(operands, lane);
        std::memcpy(load.part, load.tile + first_element(load.stride, lane), per_lane * sizeof(Half));
    }
}

void store_together(const Collective& collective, Operands operands)
{
    require_one_tile<Store>(collective, operands);
    for (uint32_t lane = 0; lane < recording::warp_size; ++lane) {
        const Store& store = of<Store>(operands, lane);
        std::memcpy(store.tile + first_element(store.stride, lane), store.part, per_lane * sizeof(float));
    }
}

// Returns element i of the lane's elements.
float element(const uint32_t* registers, uint32_t i)
{
    return kernels::to_float(Half{static_cast<uint16_t>(registers[i / 2] >> (i % 2 * 16))});
}

void multiply_fragments(const Collective&, Operands operands)
{
    float a[edge][edge], b[edge][edge];
    for (uint32_t lane = 0; lane < recording::warp_size; ++lane)
        for (uint32_t i = 0; i < per_lane; ++i) {
            a[lane / 2][lane % 2 * per_lane + i] = element(of<Product>(operands, lane).a, i);
            b[lane / 2][lane % 2 * per_lane + i] = element(of<Product>(operands, lane).b, i);
        }
    for (uint32_t lane = 0; lane < recording::warp_size; ++lane)
        for (uint32_t i = 0; i < per_lane; ++i) {
            float& sum = of<Product>(operands, lane).d[i];
            for (uint32_t k = 0; k < edge; ++k)
                sum += a[lane / 2][k] * b[k][lane % 2 * per_lane + i];
        }
}

// Checks the alignment that the PTX manual requires, which is that of a lane's 32 bytes of a fragment.
template <class Element>
void require_aligned_rows(const Element* tile, int stride, const char* name, int line)
{
    constexpr std::size_t bytes = 32;
    if (reinterpret_cast<uintptr_t>(tile) % bytes != 0 || stride * sizeof(Element) % bytes != 0)
        throw kernels::Error(fmt::format("Line {}: every row of a {} must start at a multiple of {} bytes. Change the "
                                         "layout.",
                                         line, name, bytes));
}

void load(const char* name, uint32_t (&to)[8], const Half* from, int stride, int line)
{
    require_aligned_rows(from, stride, name, line);
    Load operands{from, stride, to};
    cpu::meet({name, cpu::whole_warp, line, load_together}, &operands);
}

} // namespace

void wmma_load_a(uint32_t (&to)[8], const Half* from, int stride, int line)
{
    load("WMMA load of A", to, from, stride, line);
}

void wmma_load_b(uint32_t (&to)[8], const Half* from, int stride, int line)
{
    load("WMMA load of B", to, from, stride, line);
}

void wmma_multiply(float (&d)[8], const uint32_t (&a)[8], const uint32_t (&b)[8], int line)
{
    Product operands{d, a, b};
    cpu::meet({"WMMA multiplication", cpu::whole_warp, line, multiply_fragments}, &operands);
}

void wmma_store(float* to, const float (&d)[8], int stride, int line)
{
    require_aligned_rows(to, stride, "WMMA store", line);
    Store operands{to, stride, d};
    cpu::meet({"WMMA store", cpu::whole_warp, line, store_together}, &operands);
}

} // namespace ptx
