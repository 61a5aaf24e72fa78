// What was recorded of one launch of one stage: plain data, facts only.
// Nothing here is a conclusion: bank conflicts, sectors and pictures are computed from these facts by the pure
// functions in kernels/model and viz/analysis.
#pragma once

#include "base/fields.h"
#include "recording/inputs.h"
#include "recording/op.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace recording {

inline constexpr int warp_size = 32;

// Extent of, or position in, a grid or a block; x runs fastest, as in CUDA.
struct Index3 {
    uint32_t x = 1, y = 1, z = 1;
    static constexpr bool is_listed = true; // [x, y, z] in JSON
    friend bool operator==(const Index3&, const Index3&) = default;
    uint64_t volume() const { return uint64_t{x} * y * z; }
    // Of an extent: its places and their linear numbers.
    uint64_t number_of(const Index3& place) const { return place.x + uint64_t{x} * (place.y + uint64_t{y} * place.z); }
    Index3 place_of(uint64_t number) const
    {
        return {static_cast<uint32_t>(number % x), static_cast<uint32_t>(number / x % y),
                static_cast<uint32_t>(number / x / y)};
    }
};

// C[M x N] = alpha * A[M x K] * B[K x N] + beta * C, row-major FP32.
// vector_add has M = K = 1: A, B and C are then vectors of N elements and alpha, beta are not used. thread_coords has
// neither A nor B, and elements of two floats in C.
struct Problem {
    uint32_t M = 1, N = 1, K = 1;
    float alpha = 1.0f, beta = 0.0f;
    friend bool operator==(const Problem&, const Problem&) = default;
};

struct Launch {
    Index3 grid, block; // blocks, threads per block
    friend bool operator==(const Launch&, const Launch&) = default;
    uint32_t threads_per_block() const { return static_cast<uint32_t>(block.volume()); }
    uint32_t warps_per_block() const { return (threads_per_block() + warp_size - 1) / warp_size; }
};

struct Parameter {
    std::string name;
    int value = 0;
    friend bool operator==(const Parameter&, const Parameter&) = default;
};

// Where the launch ran. Zero means unknown (always so for the CPU's GPU properties).
struct Device {
    std::string backend;             // "cuda" or "cpu"
    std::string name;                // "NVIDIA H200", or the CPU's model name
    uint32_t compute_capability = 0; // 90 for sm_90
    uint32_t sm_count = 0;
    uint32_t max_threads_per_sm = 0;
    uint32_t clock_khz = 0; // highest SM clock
    double peak_gflops = 0; // FP32 arithmetic peak: SMs x lanes x 2 x clock
    std::string toolkit;    // "NVRTC 13.0, driver 580.159"
};

// Of the uninstrumented (NoProbe) kernel, as the driver reports them.
struct Resources {
    uint32_t registers_per_thread = 0;
    uint32_t shared_bytes_per_block = 0; // static and dynamic
    uint32_t local_bytes_per_thread = 0; // spills and stack
    uint32_t blocks_per_sm = 0;          // the driver's occupancy function
    friend bool operator==(const Resources&, const Resources&) = default;
};
void fields(auto& visit, kernels::Like<Resources> auto& resources)
{
    visit("registers_per_thread", resources.registers_per_thread);
    visit("shared_bytes_per_block", resources.shared_bytes_per_block);
    visit("local_bytes_per_thread", resources.local_bytes_per_thread);
    visit("blocks_per_sm", resources.blocks_per_sm);
}

enum class Space : uint8_t { global, shared };

// A matrix in global memory or a tile in shared memory; an operand that the operation does not have is 0 x 0. Addresses
// in an Access are byte offsets into one of these.
struct Array {
    std::string name; // "A", "Bs"
    Space space = Space::global;
    uint32_t rows = 0, cols = 0; // logical extent, in elements
    uint32_t element_bytes = 4;
    uint64_t bytes = 0; // storage, padding included
    // Byte offset of element (row, col) at [row * cols + col]. Empty: row-major, `pitch` bytes from row to row.
    std::vector<uint32_t> layout;
    uint32_t pitch = 0; // 0: cols * element_bytes
    uint64_t row_bytes() const { return pitch != 0 ? pitch : uint64_t{cols} * element_bytes; }
    uint64_t offset_of(uint32_t row, uint32_t col) const
    {
        return layout.empty() ? row * row_bytes() + uint64_t{col} * element_bytes : layout[uint64_t{row} * cols + col];
    }
};

// Whether an ldmatrix hands out the elements of rows or of columns (.trans). Unknown: recorded before format 2.1, or no
// ldmatrix.
enum class Transposed : uint8_t { unknown, no, yes };

// One access of one warp, as its source line says it (what the compiler made of it can differ).
// Every lane of the warp that has not returned passes here in the same order; lanes whose guard is false are not in
// the mask. Operations that touch no memory have array 0; op.h says what their width and offsets are, else zero.
struct Access {
    Op op = Op::barrier;
    uint8_t array = 0; // index into Recording::arrays
    uint8_t width = 0; // bytes per lane: 1, 2, 4, 8 or 16; of a tile's row up to 255
    Transposed transposed = Transposed::unknown;
    uint32_t line = 0;                        // 1-based, in Recording::source()
    uint32_t mask = 0;                        // bit i: lane i took part
    std::array<uint32_t, warp_size> offset{}; // bytes from the start of the array; 0 for lanes outside the mask
    uint32_t instruction = 0; // in AsExecuted::instructions, counted from 1; 0: recorded as the source says it
    friend bool operator==(const Access&, const Access&) = default;
};

std::string_view name(Op op); // "shared load"

// Which of the four counted kinds (global_load .. shared_store) the operation adds to; nothing where the hardware's cost
// is not known from the addresses, or where there is none.
std::optional<Op> counted_as(Op op);

// Whether array and offset say which memory is meant.
bool has_addresses(const Access& access);

struct WarpTrace {
    std::vector<Access> accesses; // in program order
};

struct BlockTrace {
    Index3 block{0, 0, 0};
    std::vector<WarpTrace> warps;
};

// Shared memory: one instruction, its wavefronts, and the wavefronts beyond the least it could take.
struct SharedTotals {
    uint64_t instructions = 0, wavefronts = 0, conflicts = 0;
    SharedTotals& operator+=(const SharedTotals& other);
    friend bool operator==(const SharedTotals&, const SharedTotals&) = default;
};
void fields(auto& visit, kernels::Like<SharedTotals> auto& totals)
{
    visit("instructions", totals.instructions);
    visit("wavefronts", totals.wavefronts);
    visit("conflicts", totals.conflicts);
}

// Global memory: one request per warp instruction, 32-byte sectors.
struct GlobalTotals {
    uint64_t requests = 0, sectors = 0;
    GlobalTotals& operator+=(const GlobalTotals& other);
    friend bool operator==(const GlobalTotals&, const GlobalTotals&) = default;
};
void fields(auto& visit, kernels::Like<GlobalTotals> auto& totals)
{
    visit("requests", totals.requests);
    visit("sectors", totals.sectors);
}

struct Totals {
    SharedTotals shared_load, shared_store;
    GlobalTotals global_load, global_store;
    Totals& operator+=(const Totals& other);
    friend bool operator==(const Totals&, const Totals&) = default;
};
void fields(auto& visit, kernels::Like<Totals> auto& totals)
{
    visit("shared_load", totals.shared_load);
    visit("shared_store", totals.shared_store);
    visit("global_load", totals.global_load);
    visit("global_store", totals.global_store);
}

// Over all blocks of the launch, per source line; lines with no access are absent. Ascending by line.
struct LineTotals {
    uint32_t line = 0;
    Totals totals;
    friend bool operator==(const LineTotals&, const LineTotals&) = default;
};

struct Placement {
    uint32_t sm = 0;
    uint64_t start_ns = 0, end_ns = 0; // GPU's global timer, since the first block's start
};

// The launch that placed the blocks, beside the timed one: its only addition is the SM's number and the clock, which each block reads
// when it begins and each of its warps when it ends.
struct PlacedRun {
    Resources resources;                // of that kernel; those of the timed one are Recording::resources
    double plain_ms = 0, placed_ms = 0; // the timed kernel's launch and this one's: medians of samples taken in turns
    friend bool operator==(const PlacedRun&, const PlacedRun&) = default;
};
inline constexpr double placed_tolerance = 0.02; // by which the two times may differ

struct SourceFile {
    std::string name; // below kernels/, e.g. "stages/11_vectorized.cu"
    std::string text; // whole, so that a recording explains itself anywhere
    friend bool operator==(const SourceFile&, const SourceFile&) = default;
};

inline constexpr uint32_t no_owner = 0xffffffff;

struct MachineInstruction {
    std::string text;     // "ld.shared.f32 %f2, [%r21]"; "LDS R0, [R2+0x10]"
    uint32_t address = 0; // a line of PTX, or bytes from the kernel's start
    uint32_t line = 0;    // in Recording::source(); 0: of none of its lines
    friend bool operator==(const MachineInstruction&, const MachineInstruction&) = default;
};

// Of a kernel that is recorded by its instructions and not by probes in its source, so that any kernel can be.
struct AsExecuted {
    std::string kernel;                           // "transpose<32>"
    std::string language;                         // of the instructions: "PTX", "SASS"
    std::vector<MachineInstruction> instructions; // those that accesses name, ascending by address
    bool multiplies = false;        // the first three arrays are A, B and C; else the third is what the kernel writes
    std::vector<std::string> notes; // what was guessed, approximated or left out, a sentence each
    friend bool operator==(const AsExecuted&, const AsExecuted&) = default;
};

struct Recording {
    std::string stage; // slug
    std::vector<Parameter> parameters;
    Problem problem;
    Inputs inputs = Inputs::unknown; // what A, B and C held before
    Launch launch;
    std::vector<SourceFile> sources = std::vector<SourceFile>(1); // the rung's own file first; never empty
    uint32_t body = 0;                                            // which of the sources the recorded lines are in
    Device device;
    std::string recorded_at;            // UTC, ISO 8601: 2026-11-21T09:00:00Z
    std::optional<Resources> resources; // absent on the CPU
    std::vector<Array> arrays;          // 0: A, 1: B, 2: C, then the shared tiles
    std::vector<LineTotals> lines;
    // For each element of C, row-major: block (linear) * threads per block + thread (linear); no_owner if unwritten.
    std::vector<uint32_t> owner;
    std::vector<Placement> placements;  // per block (linear); empty on the CPU, which has no SMs
    std::optional<PlacedRun> placed;    // absent: placed by a launch that did more than that
    std::vector<BlockTrace> blocks;     // those that were chosen
    std::optional<AsExecuted> executed; // absent: recorded as the source says it

    const SourceFile& source() const { return sources.at(body); }
    Totals totals() const; // the sum over lines
};

// Why the times of the placements are not those of the timed kernel's blocks; nothing where they are.
enum class Untimed : uint8_t {
    instrumented,    // the launch that placed the blocks also wrote down what they did
    other_residency, // another number of its blocks, or another amount of shared memory, fits an SM
    other_time,      // its total time differs by more than placed_tolerance
};
std::optional<Untimed> why_untimed(const Recording& recording);

// Whether the files that both recordings have are the same, the one that lines refer to among them.
bool same_source(const Recording& a, const Recording& b);

} // namespace recording
