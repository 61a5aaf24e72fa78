// The warp collectives and asynchronous copies of device/ptx.h.

#include "cpu/collectives.h"

#include "cpu/async_copies.h"
#include "cpu/tensor_core.h"
#include "device/ptx_on_cpu.h"
#include "error.h"
#include "recording/recording.h"

#include <fmt/format.h>

#include <cstring>

namespace ptx {

namespace {

using cpu::Collective;
using Operands = std::span<void* const>; // one per lane

bool contains(uint32_t lanes, int lane)
{
    return lane >= 0 && lane < static_cast<int>(recording::warp_size) && (lanes >> lane & 1) != 0;
}

void require_alignment(const void* pointer, uint32_t bytes, const char* what, int line)
{
    if (reinterpret_cast<uintptr_t>(pointer) % bytes != 0)
        throw kernels::Error(fmt::format("Line {}: {} of {} bytes must start at a multiple of {} bytes. Change the "
                                         "layout or the width.",
                                         line, what, bytes, bytes));
}

struct Shuffle {
    float value, received;
    int source;
};

void exchange_values(const Collective& collective, Operands operands)
{
    for (void* const operand : operands) {
        auto* const shuffle = static_cast<Shuffle*>(operand);
        if (!shuffle)
            continue;
        if (!contains(collective.lanes, shuffle->source))
            throw kernels::Error(fmt::format("Line {}: a shuffle asks for the value of lane {}, which takes no part in "
                                             "it. Ask for a lane of its mask, {:08x}.",
                                             collective.line, shuffle->source, collective.lanes));
        shuffle->received = static_cast<const Shuffle*>(operands[shuffle->source])->value;
    }
}

struct MatrixLoad {
    const void* row; // 8 elements of 2 bytes
    bool transposed;
    uint32_t to[4];
};

// A lane receives two neighboring elements of each matrix: of row lane / 4, or, if transposed, of column lane / 4.
void load_matrices_together(const Collective&, Operands operands)
{
    for (uint32_t lane = 0; lane < recording::warp_size; ++lane) {
        auto& load = *static_cast<MatrixLoad*>(operands[lane]);
        for (uint32_t matrix = 0; matrix < 4; ++matrix) {
            uint16_t pair[2];
            for (uint32_t i = 0; i < 2; ++i) {
                const uint32_t across = lane / 4, along = lane % 4 * 2 + i;
                const uint32_t row = load.transposed ? along : across, col = load.transposed ? across : along;
                const void* const bytes = static_cast<const MatrixLoad*>(operands[matrix * 8 + row])->row;
                std::memcpy(&pair[i], static_cast<const uint16_t*>(bytes) + col, sizeof(uint16_t));
            }
            load.to[matrix] = pair[0] | uint32_t{pair[1]} << 16;
        }
    }
}

template <class Element>
void multiply_together(const Collective&, Operands operands)
{
    std::array<cpu::Fragment, recording::warp_size> fragments;
    for (uint32_t lane = 0; lane < recording::warp_size; ++lane)
        fragments[lane] = *static_cast<const cpu::Fragment*>(operands[lane]);
    cpu::multiply<Element>(fragments);
}

template <class Element>
void multiply(float (&d)[4], const uint32_t (&a)[4], const uint32_t (&b)[2], int line)
{
    cpu::Fragment fragment{d, a, b};
    cpu::meet({"mma", cpu::whole_warp, line, multiply_together<Element>}, &fragment);
}

void start_copy(void* to, const void* from, bool inside, uint32_t bytes, int line)
{
    require_alignment(to, bytes, "the target of an asynchronous copy", line);
    require_alignment(from, bytes, "the source of an asynchronous copy", line);
    cpu::async_copies().start({.to = static_cast<std::byte*>(to),
                               .from = inside ? static_cast<const std::byte*>(from) : nullptr,
                               .bytes = bytes,
                               .line = line});
}

} // namespace

float shfl_idx(uint32_t lanes, float value, int source, int line)
{
    Shuffle shuffle{value, 0, source};
    cpu::meet({"shuffle", lanes, line, exchange_values}, &shuffle);
    return shuffle.received;
}

void cp_async_16(void* to, const void* from, bool inside, int line)
{
    start_copy(to, from, inside, 16, line);
}

void cp_async_4(void* to, const void* from, bool inside, int line)
{
    start_copy(to, from, inside, 4, line);
}

void cp_async_commit_group(int /*line*/)
{
    cpu::async_copies().commit();
}

void wait_for_copies(int pending, int /*line*/)
{
    cpu::async_copies().wait(pending);
}

void load_matrices(uint32_t (&to)[4], const void* row, bool transposed, int line)
{
    require_alignment(row, 16, "a row of ldmatrix", line);
    MatrixLoad load{row, transposed, {}};
    cpu::meet({"ldmatrix", cpu::whole_warp, line, load_matrices_together}, &load);
    std::memcpy(to, load.to, sizeof to);
}

void mma(Half, float (&d)[4], const uint32_t (&a)[4], const uint32_t (&b)[2], int line)
{
    multiply<Half>(d, a, b, line);
}

void mma(Bfloat16, float (&d)[4], const uint32_t (&a)[4], const uint32_t (&b)[2], int line)
{
    multiply<Bfloat16>(d, a, b, line);
}

void mma(Tf32, float (&d)[4], const uint32_t (&a)[4], const uint32_t (&b)[2], int line)
{
    multiply<Tf32>(d, a, b, line);
}

} // namespace ptx
