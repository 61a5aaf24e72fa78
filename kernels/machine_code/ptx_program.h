// A kernel's PTX as a list of statements that ptx_warp.h can follow: integer arithmetic, branches and accesses to memory in
// full; of arithmetic on floating-point values only that its results are data.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cuda {

enum class PtxCode : uint8_t {
    nothing, // what neither moves control nor makes a value that addresses depend on
    data,    // makes data: values that nobody follows
    move,
    add,
    sub,
    mul_low,
    mul_high,
    mul_wide,
    mad_low,
    mad_wide,
    divide,
    remainder,
    minimum,
    maximum,
    shift_left,
    shift_right,
    bit_and,
    bit_or,
    bit_xor,
    bit_not,
    negate,
    absolute,
    convert,
    select,
    compare,
    insert_bits,
    extract_bits,
    branch,
    leave,
    barrier,
    load_parameter,
    load,
    store,
    async_copy,
    matrix_load, // of memory
    unknown,     // its results count as data; following it to memory or a branch is refused
};

enum class PtxSpace : uint8_t { none, global, shared, parameter };

struct PtxType {
    int bits = 32;
    bool is_signed = false, is_float = false;
};

struct PtxOperand {
    enum class Kind : uint8_t { none, variable, immediate, special };
    Kind kind = Kind::none; // variable: a register
    uint32_t index = 0;     // of the register, or in ptx_specials
    uint64_t value = 0;     // of the immediate; of an address: what is added
};

// tid.x ... nctaid.z, laneid: what a thread can know of its place.
inline constexpr std::array<std::string_view, 13> ptx_specials = {
    "%tid.x",   "%tid.y",   "%tid.z",    "%ntid.x",   "%ntid.y",   "%ntid.z", "%ctaid.x",
    "%ctaid.y", "%ctaid.z", "%nctaid.x", "%nctaid.y", "%nctaid.z", "%laneid"};

enum class PtxCompare : uint8_t { equal, not_equal, less, less_equal, greater, greater_equal };

struct PtxStatement {
    PtxCode code = PtxCode::nothing;
    PtxSpace space = PtxSpace::none;
    PtxCompare compare = PtxCompare::equal;
    PtxType type, from;       // from: of what is converted
    int width = 0;            // bytes per lane that an access moves
    int predicate = -1;       // register
    bool negated = false;     // runs where the predicate is false
    uint32_t line = 0;        // in the PTX, counted from 1
    uint32_t target = 0;      // statement that a branch goes to
    std::string name;         // as it is spelled: "ld.shared.v4.f32"
    std::vector<uint32_t> to; // registers
    std::vector<PtxOperand> in;
    PtxOperand address, second_address; // of an access; of an asynchronous copy's read
};

struct PtxProgram {
    std::vector<PtxStatement> statements;
    uint32_t registers = 0;
    std::vector<uint32_t> unknown_values; // registers that hold what cannot be known here, such as the clock
    uint32_t dynamic_start = 0;           // of dynamic shared memory, after what the kernel declares
    std::vector<uint32_t> tiles; // where each declared array in shared memory starts, in the order of declaration
};

// Throws kernels::Error where the text is no PTX.
PtxProgram parse_ptx(const std::vector<std::string>& lines);

} // namespace cuda
