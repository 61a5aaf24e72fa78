// A made-up recording for tests: small, valid and deterministic. It is complete, so no field has its default.
#pragma once

#include "recording/recording.h"

namespace sample {

using recording::Access;
using recording::Op;
using recording::Recording;

inline constexpr uint32_t load_line = 4, store_line = 5, barrier_line = 6, read_line = 7, result_line = 8;

inline recording::Array array(const char* name, recording::Space space, uint32_t rows, uint32_t cols, uint32_t pad = 0)
{
    recording::Array result{name, space, rows, cols, 4, uint64_t{rows} * (cols + pad) * 4, {}};
    if (pad > 0)
        for (uint32_t row = 0; row < rows; ++row)
            for (uint32_t col = 0; col < cols; ++col)
                result.layout.push_back((row * (cols + pad) + col) * 4);
    return result;
}

// Returns one 4-byte access of the lanes in the mask, `stride` bytes apart.
inline Access access(Op op, uint8_t array, uint32_t line, uint32_t mask, uint32_t first, uint32_t stride)
{
    Access result{.op = op, .array = array, .width = 4, .line = line, .mask = mask};
    for (uint32_t lane = 0; lane < recording::warp_size; ++lane)
        if (mask >> lane & 1)
            result.offset[lane] = first + lane * stride;
    return result;
}

// Returns the trace of one warp: loads from A, stores to As, a barrier, a 16-byte read of Bs, a store to C.
inline recording::WarpTrace warp_trace(uint32_t warp, uint32_t mask)
{
    Access wide = access(Op::shared_load, 4, read_line, mask, 0, 16);
    wide.width = 16;
    return {{access(Op::global_load, 0, load_line, mask & 0xffff, warp * 64, 4),
             access(Op::shared_store, 3, store_line, mask, warp * 16, 20),
             Access{.op = Op::barrier, .line = barrier_line, .mask = mask}, wide,
             access(Op::global_store, 2, result_line, mask & 0x5555, warp * 128, 4)}};
}

// Returns a gemm of 10 x 12 x 20 in 2 x 3 blocks of 8 x 6 threads: second warps have 16 lanes. Traces two of its
// blocks.
inline Recording recording()
{
    Recording r;
    r.stage = "shared_tile";
    r.parameters = {{"BM", 6}, {"BK", -8}};
    r.problem = {10, 12, 20, 0.5f, -0.0f};
    r.launch = {{2, 3, 1}, {8, 6, 1}};
    r.sources = {{"stages/08_other.cu", "// another\n"},
                 {"stages/07_shared_tile.cu",
                  "// one\n// two\n// drei: \xc3\xa4\n\tload();\nstore();\nsync();\nread();\nresult();\n"},
                 {"device/views.h", "// the last\n"}};
    r.body = 1;
    r.device = {"cuda", "NVIDIA H200", 90, 132, 2048, 1980000, 66907.5, "NVRTC 13.0"};
    r.recorded_at = "2026-11-21T09:00:00Z";
    r.inputs = recording::Inputs::small;
    r.resources = recording::Resources{40, 9216, 16, 2};
    using recording::Space;
    r.arrays = {array("A", Space::global, 10, 20), array("B", Space::global, 20, 12), array("C", Space::global, 10, 12),
                array("As", Space::shared, 16, 12, 1), array("Bs", Space::shared, 16, 12)};
    r.lines = {{load_line, {{}, {}, {12, 48}, {}}},
               {store_line, {{}, {12, 24, 12}, {}, {}}},
               {read_line, {{12, 48, 3}, {}, {}, {}}},
               {result_line, {{}, {}, {}, {12, 36}}}};
    for (uint32_t i = 0; i < 120; ++i)
        r.owner.push_back(i % 7 == 6 ? recording::no_owner : (i * 37) % 288);
    for (uint32_t i = 0; i < 6; ++i)
        r.placements.push_back({131 - i, uint64_t{1000} * i, uint64_t{5'000'000'000} + i});
    r.placed = {.resources = {42, 9216, 0, 2}, .plain_ms = 5000.25, .placed_ms = 5001.5};
    for (const recording::Index3 block : {recording::Index3{0, 0, 0}, recording::Index3{1, 2, 0}})
        r.blocks.push_back({block, {warp_trace(0, 0xffffffff), warp_trace(1, 0xffff)}});
    return r;
}

// Returns one step of a warp without an address.
inline Access step(Op op, uint32_t mask = 0xffffffff)
{
    return {.op = op, .line = load_line, .mask = mask};
}

// Returns the recording with B padded to 16 elements of 2 bytes per row, and one step of each kind in the first warp.
inline Recording with_every_kind()
{
    Recording r = recording();
    r.arrays[1] = {"B", recording::Space::global, 20, 12, 2, 20 * 32, {}, 32};
    r.arrays[4] = {"Bs", recording::Space::shared, 32, 16, 2, 32 * 32, {}};
    const auto wide = [](Op op, uint8_t array, uint8_t width, uint32_t mask, uint32_t stride) {
        Access result = access(op, array, load_line, mask, 0, stride);
        result.width = width;
        return result;
    };
    const uint32_t all = 0xffffffff;
    Access shuffle = step(Op::shuffle), wait = step(Op::async_wait), arrive = step(Op::arrive), until = step(Op::wait);
    for (uint32_t lane = 0; lane < recording::warp_size; ++lane)
        shuffle.offset[lane] = 31 - lane;
    wait.width = 2;
    arrive.mask = 1;
    arrive.offset[0] = 5;
    until.offset.fill(255);
    Access rows = wide(Op::matrix_load, 4, 16, all, 32), columns = rows;
    rows.transposed = recording::Transposed::no;
    columns.transposed = recording::Transposed::yes;
    Access reads_tile = wide(Op::matrix_multiply, 4, 0, 1, 0);
    r.blocks[0].warps[0].accesses = {access(Op::global_load, 0, load_line, all, 0, 4),
                                     access(Op::global_store, 2, load_line, 0xff, 0, 4),
                                     access(Op::shared_load, 3, load_line, all, 0, 4),
                                     access(Op::shared_store, 3, load_line, all, 0, 4),
                                     step(Op::barrier),
                                     shuffle,
                                     wide(Op::matrix_load, 4, 16, all, 32),
                                     wide(Op::async_load, 1, 16, 0xfffff, 32),
                                     wide(Op::async_store, 4, 16, all, 32),
                                     step(Op::async_commit),
                                     wait,
                                     step(Op::matrix_multiply),
                                     reads_tile,
                                     wide(Op::tile_load, 4, 32, 0xffff, 32),
                                     wide(Op::tile_store, 2, 48, 0x3ff, 48),
                                     wide(Op::bulk_load, 1, 0, 1, 0),
                                     wide(Op::bulk_store, 4, 0, 1, 0),
                                     arrive,
                                     until,
                                     rows,
                                     columns};
    return r;
}

} // namespace sample
