// The recording of one launch of one stage: plain data, facts only. It contains no conclusions: the pure functions in
// kernels/model and viz/analysis compute bank conflicts, sectors and pictures from these facts.
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

// Extent of a grid or a block, or a position in one. x varies fastest, as in CUDA.
struct Index3 {
    uint32_t x = 1, y = 1, z = 1;
    static constexpr bool is_listed = true; // [x, y, z] in JSON
    friend bool operator==(const Index3&, const Index3&) = default;
    uint64_t volume() const { return uint64_t{x} * y * z; }
    // Convert between positions in this extent and linear indices.
    uint64_t number_of(const Index3& place) const { return place.x + uint64_t{x} * (place.y + uint64_t{y} * place.z); }
    Index3 place_of(uint64_t number) const
    {
        return {static_cast<uint32_t>(number % x), static_cast<uint32_t>(number / x % y),
                static_cast<uint32_t>(number / x / y)};
    }
};

// C[M x N] = alpha * A[M x K] * B[K x N] + beta * C, row-major FP32. For vector_add, A, B and C are vectors of N
// elements, M = K = 1, and alpha and beta are unused. thread_coords has no A or B, and each element of C is a pair of
// floats.
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

// The device that ran the launch. Zero means unknown. The GPU properties of a CPU are always zero.
struct Device {
    std::string backend;             // "cuda" or "cpu"
    std::string name;                // "NVIDIA H200", or the CPU's model name
    uint32_t compute_capability = 0; // 90 for sm_90
    uint32_t sm_count = 0;
    uint32_t max_threads_per_sm = 0;
    uint32_t clock_khz = 0; // maximum SM clock
    double peak_gflops = 0; // FP32 arithmetic peak: SMs x lanes x 2 x clock
    std::string toolkit;    // "NVRTC 13.0, driver 580.159"
};

// Resources of the uninstrumented (NoProbe) kernel, as reported by the driver.
struct Resources {
    uint32_t registers_per_thread = 0;
    uint32_t shared_bytes_per_block = 0; // static and dynamic
    uint32_t local_bytes_per_thread = 0; // spills and stack
    uint32_t blocks_per_sm = 0;          // from the driver's occupancy function
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

// A matrix in global memory or a tile in shared memory. An operand that the operation does not have is 0 x 0. An Access
// addresses one of these by byte offset.
struct Array {
    std::string name; // "A", "Bs"
    Space space = Space::global;
    uint32_t rows = 0, cols = 0; // logical extent, in elements
    uint32_t element_bytes = 4;
    uint64_t bytes = 0; // storage, padding included
    // Byte offset of element (row, col) at [row * cols + col]. Empty if row-major, with `pitch` bytes from row to row.
    std::vector<uint32_t> layout;
    uint32_t pitch = 0; // 0: cols * element_bytes
    uint64_t row_bytes() const { return pitch != 0 ? pitch : uint64_t{cols} * element_bytes; }
    uint64_t offset_of(uint32_t row, uint32_t col) const
    {
        return layout.empty() ? row * row_bytes() + uint64_t{col} * element_bytes : layout[uint64_t{row} * cols + col];
    }
};

// Whether an ldmatrix distributes the elements of rows or of columns (.trans). `unknown` is for other operations, and
// for recordings before format 2.1.
enum class Transposed : uint8_t { unknown, no, yes };

// How the hardware serves an atomic operation of a warp, as far as that was measured. See model/access_cost.h.
enum class AtomicRule : uint8_t {
    unknown,          // no atomic operation, or its instruction is not recorded
    lane_by_lane,     // shared memory: lanes of one bank one after another, also those of one word
    counted,          // shared memory, a constant 1 is added: lanes of one word together
    either,           // as one of these two: PTX does not say which
    compare_and_swap, // shared memory: as lane_by_lane, each wavefront twice
    sectors,          // global memory
    loop,             // the compiler makes a loop of it: floating-point numbers and 8 bytes in shared memory
    not_measured,
};
// `instruction` is the text that a recording has of it, of machine code or of PTX.
AtomicRule atomic_rule(Op op, int width, std::string_view instruction);

// One access of one warp, as written in its source line (the compiler's instructions can differ). All lanes of the warp
// that have not returned reach it in the same order. The mask has the lanes with a true guard. Operations that do not
// access memory have array 0. op.h explains their width and offsets; others are zero.
struct Access {
    Op op = Op::barrier;
    uint8_t array = 0; // index into Recording::arrays
    uint8_t width = 0; // bytes per lane: 1, 2, 4, 8 or 16; for rows of a tile up to 255
    Transposed transposed = Transposed::unknown;
    uint32_t line = 0;                        // 1-based, in Recording::source()
    uint32_t mask = 0;                        // bit i is set if lane i took part
    std::array<uint32_t, warp_size> offset{}; // in bytes from the start of the array; 0 for lanes outside the mask
    uint32_t instruction = 0; // index into InstructionTrace::instructions, starting at 1; 0: recorded from the source
    AtomicRule atomic = AtomicRule::unknown; // follows from the instruction; files do not store it
    friend bool operator==(const Access&, const Access&) = default;
};

std::string_view name(Op op); // "shared load"

// Returns which of the four counted kinds (global_load .. shared_store) the operation counts as. Returns nothing if its
// hardware cost does not follow from the addresses, or if it has no cost.
std::optional<Op> counted_as(Op op);

// Returns whether totals include the operation: the counted kinds, atomic operations and constant loads. Bulk copies
// are counted by their bytes instead.
bool in_totals(Op op);

// Returns whether array and offset name the accessed memory.
bool has_addresses(const Access& access);

struct WarpTrace {
    std::vector<Access> accesses; // in program order
};

struct BlockTrace {
    Index3 block{0, 0, 0};
    std::vector<WarpTrace> warps;
};

// Shared memory: instructions, their wavefronts, and the wavefronts beyond the minimum.
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

// Global memory: one request per warp instruction, and sectors of 32 bytes.
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

// Atomic operations: warp instructions, the lanes that took part, and `serial`. Lanes with one address are served one
// after another. Each instruction adds its largest number of such lanes to `serial`, so at least 1.
struct AtomicTotals {
    uint64_t instructions = 0, lanes = 0, serial = 0;
    AtomicTotals& operator+=(const AtomicTotals& other);
    friend bool operator==(const AtomicTotals&, const AtomicTotals&) = default;
};
void fields(auto& visit, kernels::Like<AtomicTotals> auto& totals)
{
    visit("instructions", totals.instructions);
    visit("lanes", totals.lanes);
    visit("serial", totals.serial);
}

// Constant memory: warp instructions, and their passes. An instruction has one pass for each different address.
struct ConstantTotals {
    uint64_t instructions = 0, passes = 0;
    ConstantTotals& operator+=(const ConstantTotals& other);
    friend bool operator==(const ConstantTotals&, const ConstantTotals&) = default;
};
void fields(auto& visit, kernels::Like<ConstantTotals> auto& totals)
{
    visit("instructions", totals.instructions);
    visit("passes", totals.passes);
}

// Bulk copies (TMA), including tensor copies, and the bytes of shared memory that they fill or read. If there are
// copies but no bytes, the bytes are unknown, as for a program that was traced on a GPU.
struct BulkTotals {
    uint64_t copies = 0, bytes = 0;
    BulkTotals& operator+=(const BulkTotals& other);
    friend bool operator==(const BulkTotals&, const BulkTotals&) = default;
};
void fields(auto& visit, kernels::Like<BulkTotals> auto& totals)
{
    visit("copies", totals.copies);
    visit("bytes", totals.bytes);
}

struct Totals {
    SharedTotals shared_load, shared_store;
    GlobalTotals global_load, global_store;
    AtomicTotals shared_atomic, global_atomic;
    ConstantTotals constant_load;
    BulkTotals bulk_load, bulk_store; // to shared memory, and from there to global memory
    // The cost of the atomic operations whose rule is known: fewer instructions than in shared_atomic and global_atomic
    // if it is not known of some.
    SharedTotals shared_atomic_cost;
    GlobalTotals global_atomic_cost;
    Totals& operator+=(const Totals& other);
    friend bool operator==(const Totals&, const Totals&) = default;
};
void fields(auto& visit, kernels::Like<Totals> auto& totals)
{
    visit("shared_load", totals.shared_load);
    visit("shared_store", totals.shared_store);
    visit("global_load", totals.global_load);
    visit("global_store", totals.global_store);
    visit("shared_atomic", totals.shared_atomic);
    visit("global_atomic", totals.global_atomic);
    visit("constant_load", totals.constant_load);
    visit("bulk_load", totals.bulk_load);
    visit("bulk_store", totals.bulk_store);
    visit("shared_atomic_cost", totals.shared_atomic_cost);
    visit("global_atomic_cost", totals.global_atomic_cost);
}

// Totals of one source line over all blocks of the launch. Lines are ascending, and lines without accesses are absent.
struct LineTotals {
    uint32_t line = 0;
    Totals totals;
    friend bool operator==(const LineTotals&, const LineTotals&) = default;
};

struct Placement {
    uint32_t sm = 0;
    uint64_t start_ns = 0, end_ns = 0; // GPU's global timer, relative to the first block's start
};

// The launch that recorded the placements, compared with the timed launch. Its kernel additionally reads the SM's
// number and the clock, at the start of each block and at the end of each warp.
struct PlacedRun {
    Resources resources; // of the placing kernel; Recording::resources has those of the timed kernel
    // Launch times of the timed and of the placing kernel: medians of interleaved samples.
    double plain_ms = 0, placed_ms = 0;
    friend bool operator==(const PlacedRun&, const PlacedRun&) = default;
};
inline constexpr double placed_tolerance = 0.02; // largest relative difference allowed between the two times

struct SourceFile {
    std::string name; // path below kernels/, e.g. "stages/11_vectorized.cu"
    std::string text; // the whole text, so that a recording is self-contained
    friend bool operator==(const SourceFile&, const SourceFile&) = default;
};

inline constexpr uint32_t no_owner = 0xffffffff;

struct MachineInstruction {
    std::string text;     // "ld.shared.f32 %f2, [%r21]"; "LDS R0, [R2+0x10]"
    uint32_t address = 0; // a line number in PTX, or bytes from the kernel's start
    uint32_t line = 0;    // in Recording::source(); 0: none
    friend bool operator==(const MachineInstruction&, const MachineInstruction&) = default;
};

// The bytes of an array in global memory before and after the launch, at most most_value_bytes of them
// (recording/format.h). values.h converts them to numbers.
struct Values {
    uint32_t array = 0;          // index into Recording::arrays
    std::string type;            // of its elements, as the source names it: "float"
    std::vector<uint8_t> before; // the array's first bytes
    std::vector<uint8_t> after;  // the same number of bytes; empty: the launch changed none of them
    std::vector<uint8_t> again;  // after a second run with the blocks in reverse order; empty: the same as `after`
    bool ran_again = false;      // whether there was a second run
    friend bool operator==(const Values&, const Values&) = default;
};

// One of the two accesses of a race.
struct RaceAccess {
    uint32_t warp = 0, lane = 0;
    uint32_t line = 0; // in Recording::source(); 0: not known
    bool writes = false;
    friend bool operator==(const RaceAccess&, const RaceAccess&) = default;
};

// Two threads of a block that access one word of shared memory without a barrier in between. At least one of them
// writes. A GPU may run the two accesses in either order.
struct Race {
    Index3 block;
    uint32_t array = 0;       // index into Recording::arrays
    uint32_t offset = 0;      // of the word, in bytes from the array's start
    RaceAccess first, second; // in the order of the recording
    // Returns whether __syncwarp() would order the accesses. Otherwise only __syncthreads() does.
    bool in_warp() const { return first.warp == second.warp; }
    friend bool operator==(const Race&, const Race&) = default;
};

// A kernel that was recorded by its instructions, not by probes in its source. Any kernel can be recorded this way.
struct InstructionTrace {
    std::string kernel;                           // "transpose<32>"
    std::string language;                         // language of the instructions: "PTX", "SASS"
    std::vector<MachineInstruction> instructions; // the instructions that accesses refer to, ascending by address
    // True if the first three arrays are A, B and C; otherwise the third is the kernel's output.
    bool multiplies = false;
    std::vector<std::string> notes; // what was guessed, approximated or omitted, as sentences
    std::vector<Values> values;     // empty: not recorded
    std::vector<uint8_t> guessed;   // arrays whose rows and columns are guessed, ascending
    std::vector<Race> races;        // on shared memory, at most one for each pair of lines
    friend bool operator==(const InstructionTrace&, const InstructionTrace&) = default;
};

struct Recording {
    std::string stage; // slug
    std::vector<Parameter> parameters;
    Problem problem;
    Inputs inputs = Inputs::unknown; // initial values of A, B and C
    Launch launch;
    std::vector<SourceFile> sources = std::vector<SourceFile>(1); // the stage's own file first; never empty
    uint32_t body = 0;                                            // index of the source that recorded lines refer to
    Device device;
    std::string recorded_at;            // UTC, ISO 8601: 2026-11-21T09:00:00Z
    std::optional<Resources> resources; // absent for the CPU
    std::vector<Array> arrays;          // 0: A, 1: B, 2: C, then the shared tiles
    std::vector<LineTotals> lines;
    // Linear block number * threads per block + linear thread number, for each element of C, row-major; no_owner: not
    // written.
    std::vector<uint32_t> owner;
    std::vector<Placement> placements;        // per block (linear); empty for the CPU, which has no SMs
    std::optional<PlacedRun> placed;          // absent if the placing launch also recorded other data
    std::vector<BlockTrace> blocks;           // the chosen blocks
    std::optional<InstructionTrace> executed; // absent if recorded from the source

    const SourceFile& source() const { return sources.at(body); }
    Totals totals() const; // sum over all lines
};

// Why the times of the placements do not apply to the timed kernel's blocks. why_untimed() returns nothing if they do.
enum class Untimed : uint8_t {
    instrumented,    // the placing launch also recorded the blocks' accesses
    other_residency, // the number of resident blocks per SM, or the shared memory of a block, differs
    other_time,      // its total time differs by more than placed_tolerance
};
std::optional<Untimed> why_untimed(const Recording& recording);

// Returns whether two recordings have the same source: the files that lines refer to, and all files that occur in both.
// Comments and the host part of a file do not matter.
bool same_source(const Recording& a, const Recording& b);

// Sets Access::atomic of all accesses from the texts of their instructions.
void name_atomic_rules(Recording& recording);

// Returns whether the recorded accesses are those of the machine code (SASS), not those of the source or of PTX.
inline bool is_as_executed(const Recording& recording)
{
    return recording.executed && recording.executed->language == "SASS";
}

} // namespace recording
