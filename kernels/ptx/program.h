// A kernel made ready to run: its statements with the functions that do them and the places of their operands,
// functions that it calls put in their place, and an order in which lanes that go different ways meet again. See
// machine.h for running it.
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

// Special registers that say where a thread is.

struct ThreadPlace {
    const recording::Launch& launch;
    const recording::Index3 &block, &thread;
};

inline uint32_t on_axis(const recording::Index3& index, std::string_view name) // "%tid.x"
{
    return name.back() == 'x' ? index.x : name.back() == 'y' ? index.y : index.z;
}

// %tid.x ... %nctaid.z; nothing for others.
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
// What an instruction does for the lanes in the mask. One that computes needs the warp's registers alone; others reach
// memory, other lanes, or the order in which lanes go on.
using Run = void (*)(const Instruction&, std::byte* registers, uint32_t mask);
using Execute = void (*)(Warp&, const Instruction&, uint32_t mask);

// What an instruction is to those that do not execute it, and to the order of lanes.
enum class Kind : uint8_t {
    arithmetic, // `run` does it; of all others that do something, `execute`
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
inline constexpr uint64_t widest_access = 16; // bytes of a lane at once, up to sm_90

// Of a fragment of a matrix multiplication.
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
    // Bytes from the registers' start. Of arithmetic: the results, then what they are made of, and a carry as the last.
    std::array<uint32_t, 6> r{no_register, no_register, no_register, no_register, no_register, no_register};
    uint8_t results = 1; // of arithmetic
    uint32_t target = 0; // of a branch
    uint32_t statement = 0;
    Type type = Type::none, from = Type::none;
    Rounding rounding = Rounding::nearest_even;
    bool saturate = false, flush = false, whole = false, transposed = false, aligned = false, wait_all = false;
    bool to_signed = false;
    Space space = Space::none;
    uint8_t width = 0; // bytes of each of its elements; of a copy in all
    Combine combine = Combine::none;
    uint8_t truth = 0;                      // lop3's table; setp's "!c"
    uint64_t added = 0;                     // to the address
    std::vector<uint32_t> to = {}, in = {}; // of those with many
    std::vector<uint32_t> targets = {};     // of branch_table
    std::array<TileShape, 3> tiles{};       // A, B, D
    std::array<uint32_t, 3> first_in{};     // where A, B and C begin in `in`
    std::array<bool, 2> minus{};            // of wgmma: A, B count negated
};

inline bool ends_block(const Instruction& instruction) // what follows may be another one
{
    return instruction.kind == Kind::branch || instruction.kind == Kind::branch_table || instruction.kind == Kind::exit;
}

// A shared or local variable, where it lies.
struct Placed {
    std::string name;
    uint64_t first = 0, bytes = 0;
    bool dynamic = false; // ends where the launch says
};

struct Parameter {
    std::string name, type;
    uint64_t first = 0, bytes = 0;
};

struct Program {
    std::string kernel;
    std::vector<Instruction> instructions;
    std::vector<Statement> statements; // that instructions are of
    std::vector<uint32_t> place;       // of each instruction: lanes with the least go first
    std::vector<bool> starts_block;    // other lanes may be there
    uint32_t register_bytes = 0;
    struct Constant { // a register that holds the same in all lanes
        uint32_t at = 0;
        uint64_t value = 0;
        bool wide = false;
        bool from_dynamic_start = false; // an address: where dynamic shared memory starts is added
    };
    std::vector<Constant> constants;
    struct Special {
        uint32_t at = 0;
        std::string name;
        uint32_t bytes = 4; // of a lane; 0: one bit of each
    };
    std::vector<Special> specials;
    std::vector<Placed> shared;
    std::optional<recording::Index3> cluster; // blocks that run together, where the kernel says it
    std::optional<recording::Index3> most_threads, required_threads; // of a block, where the kernel says it
    uint64_t shared_bytes = 0;                                       // without the dynamic part
    uint64_t dynamic_first = 0;                                      // where that begins
    uint64_t local_bytes = 0;                                        // of each thread
    std::vector<Parameter> parameters;
    uint64_t parameter_bytes = 0;
    std::vector<Variable> variables; // of the module, in global or constant memory
    std::vector<uint64_t> variable_addresses;
    std::vector<std::string>
        approximate; // whose results PTX defines within a tolerance only, or whose order of sums it leaves open
    bool race_free_by_other_means = false; // it synchronizes by more than barriers of the whole block
    bool synchronizes_blocks = false;      // by fences, or by what it reads and writes volatile, acquire or release
};

// Where addresses of each kind begin. A thread's own memory has the same addresses in every thread.
inline constexpr uint64_t shared_window = uint64_t{1} << 36, local_window = uint64_t{2} << 36,
                          parameter_window = uint64_t{3} << 36, first_window = uint64_t{16} << 36,
                          window_bytes = uint64_t{1} << 36;
// Of generic addresses; 0: those of global memory, which has no window.
constexpr uint64_t window_of(Space space)
{
    return space == Space::shared      ? shared_window
           : space == Space::local     ? local_window
           : space == Space::parameter ? parameter_window
                                       : 0;
}

// What lies at byte b of a block's shared memory has the address b for the block itself, and for all of its cluster
// b + (rank + 1) * cluster_step, whose generic form is in the same window.
inline constexpr uint64_t cluster_step = uint64_t{1} << 24;
// In the middle, so that an address a little before the start is still known to be meant for it.
inline constexpr uint64_t global_address(std::size_t region)
{
    return first_window + region * window_bytes + window_bytes / 2;
}

// `variables_from`: the region of the module's first variable. Throws kernels::Error with a sentence that names the
// instruction and its line where something is not supported.
Program make_program(const Module& module, const std::string& kernel, std::size_t variables_from);

} // namespace ptx
