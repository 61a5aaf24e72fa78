// A kernel that is ready to run: its statements with the functions that execute them and the places of their operands.
// The functions that it calls are inlined. An order of the instructions lets diverged lanes meet again. machine.h runs
// it.
#pragma once

#include "ptx/module.h"
#include "ptx/types.h"
#include "recording/recording.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ptx {

// Special registers with the place of a thread.

struct ThreadPlace {
    const recording::Launch& launch;
    const recording::Index3 &block, &thread;
};

inline uint32_t on_axis(const recording::Index3& index, std::string_view name) // "%tid.x"
{
    return name.back() == 'x' ? index.x : name.back() == 'y' ? index.y : index.z;
}

// Returns the value of %tid.x ... %nctaid.z, or nothing for other registers.
inline std::optional<uint32_t> special_of_place(std::string_view name, const ThreadPlace& place)
{
    if (name.starts_with("%tid."))
        return on_axis(place.thread, name);
    if (name.starts_with("%ntid."))
        return on_axis(place.launch.block, name);
    if (name.starts_with("%ctaid."))
        return on_axis(place.block, name);
    if (name.starts_with("%nctaid."))
        return on_axis(place.launch.grid, name);
    return {};
}

struct Instruction;
class Warp;
// Executes an instruction for the lanes of the mask. A Run computes and needs only the warp's registers. An Execute
// accesses memory or other lanes, or changes the order in which lanes run.
using Run = void (*)(const Instruction&, std::byte* registers, uint32_t mask);
using Execute = void (*)(Warp&, const Instruction&, uint32_t mask);

// What an instruction is for code that does not execute it, and for the order of lanes.
enum class Kind : uint8_t {
    arithmetic, // executed by `run`; all others that do something by `execute`
    nop,
    branch,
    branch_table,
    exit,
    load,
    store,
    atomic,
    barrier,
    barrier_reduce,
    warp_barrier,
    cluster_barrier,
    shuffle,
    vote,
    match,
    reduce,
    active_mask,
    elect,
    clock,
    async_copy,
    async_commit,
    async_wait,
    matrix_load,
    multiply,
    mbarrier,
    other,
};

enum class Combine : uint8_t {
    none,
    bit_and,
    bit_or,
    bit_xor,
    add,
    increment,
    decrement,
    minimum,
    maximum,
    exchange,
    compare_and_swap
};

inline constexpr uint32_t no_register = ~0u;
inline constexpr uint32_t most_statements = 1u << 20;
inline constexpr uint64_t widest_access = 16; // bytes that a lane accesses at once, up to sm_90

// A fragment of a matrix multiplication.
struct TileShape {
    int rows = 0, cols = 0;
    Type type = Type::none;
    bool by_columns = false;
};

struct Instruction {
    Kind kind = Kind::nop;
    bool negated = false;
    uint32_t guard = no_register;
    Run run = nullptr;
    Execute execute = nullptr;
    // Registers as offsets in bytes. For arithmetic: the results, then the operands, and a carry as the last entry.
    std::array<uint32_t, 6> r{no_register, no_register, no_register, no_register, no_register, no_register};
    uint8_t results = 1; // for arithmetic
    uint32_t target = 0; // for a branch
    uint32_t statement = 0;
    Type type = Type::none, from = Type::none;
    Rounding rounding = Rounding::nearest_even;
    bool saturate = false, flush = false, whole = false, transposed = false, aligned = false, wait_all = false;
    bool to_signed = false;
    Space space = Space::none;
    uint8_t width = 0; // bytes of each element; for a copy, of all its bytes
    Combine combine = Combine::none;
    // A small number whose meaning depends on the instruction, such as lop3's table or setp's "!c".
    uint8_t truth = 0;
    uint64_t added = 0;                     // offset that is added to the address
    std::vector<uint32_t> to = {}, in = {}; // for instructions with many results or operands
    std::vector<uint32_t> targets = {};     // for branch_table
    std::array<TileShape, 3> tiles{};       // A, B, D
    std::array<uint32_t, 3> first_in{};     // where A, B and C begin in `in`
    std::array<bool, 2> minus{};            // for wgmma: whether A and B are negated
};

inline bool ends_block(const Instruction& instruction) // what follows may be another one
{
    return instruction.kind == Kind::branch || instruction.kind == Kind::branch_table || instruction.kind == Kind::exit;
}

// A shared or local variable, and where it lies.
struct Placed {
    std::string name;
    uint64_t first = 0, bytes = 0;
    bool dynamic = false; // its size is set by the launch
};

struct Parameter {
    std::string name, type;
    uint64_t first = 0, bytes = 0;
};

struct Program {
    std::string kernel;
    std::vector<Instruction> instructions;
    std::vector<Statement> statements; // the statements that the instructions were made from
    std::vector<uint32_t> place;       // by instruction; lanes with the lowest place run first
    std::vector<bool> starts_block;    // by instruction; other lanes may wait there
    uint32_t register_bytes = 0;
    struct Constant { // a register with the same value in all lanes
        uint32_t at = 0;
        uint64_t value = 0;
        bool wide = false;
        bool from_dynamic_start = false; // an address to which the start of dynamic shared memory is added
    };
    std::vector<Constant> constants;
    struct Special {
        uint32_t at = 0;
        std::string name;
        uint32_t bytes = 4; // per lane; 0 for one bit per lane
    };
    std::vector<Special> specials;
    std::vector<Placed> shared;
    std::optional<recording::Index3> cluster; // number of blocks in a cluster, if the kernel sets it
    std::optional<recording::Index3> most_threads, required_threads; // threads of a block, if the kernel sets them
    uint64_t shared_bytes = 0;                                       // without dynamic shared memory
    uint64_t dynamic_first = 0;                                      // start of dynamic shared memory
    uint64_t local_bytes = 0;                                        // per thread
    std::vector<Parameter> parameters;
    uint64_t parameter_bytes = 0;
    std::vector<Variable> variables; // of the module, in global or constant memory
    std::vector<uint64_t> variable_addresses;
    // Names of instructions whose results PTX defines only within a tolerance, or whose order of sums it leaves open.
    std::vector<std::string> approximate;
    bool race_free_by_other_means = false; // it synchronizes by more than barriers of the whole block
    // It orders accesses for other blocks by fences, or by volatile, acquire or release accesses.
    bool synchronizes_blocks = false;
    bool waits_for_grid = false; // by the barrier of a cooperative launch, this_grid().sync()
};

// The start of each kind of addresses. A thread's local memory has the same addresses in every thread.
inline constexpr uint64_t shared_window = uint64_t{1} << 36, local_window = uint64_t{2} << 36,
                          parameter_window = uint64_t{3} << 36, workspace_window = uint64_t{4} << 36,
                          first_window = uint64_t{16} << 36, window_bytes = uint64_t{1} << 36;
// Returns the start of a space's generic addresses. It is 0 for global memory, which has no window.
constexpr uint64_t window_of(Space space)
{
    return space == Space::shared      ? shared_window
           : space == Space::local     ? local_window
           : space == Space::parameter ? parameter_window
           : space == Space::workspace ? workspace_window
                                       : 0;
}

// Byte b of a block's shared memory has the address b for the block itself. For all blocks of its cluster it has the
// address b + (rank + 1) * cluster_step. The generic form of both is in the same window.
inline constexpr uint64_t cluster_step = uint64_t{1} << 24;
// The address is in the middle of its window, so that one slightly below the start still belongs to the same region.
inline constexpr uint64_t global_address(std::size_t region)
{
    return first_window + region * window_bytes + window_bytes / 2;
}

// `variables_from` is the number of the region with the module's first variable. Throws kernels::Error with a sentence
// that names the instruction and its line if something is not supported.
Program make_program(const Module& module, const std::string& kernel, std::size_t variables_from);

} // namespace ptx
