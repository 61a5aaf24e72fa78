// PTX as it is written: functions, variables and statements, nothing of what they mean. Shaders' textures, surfaces and
// samplers are left out.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ptx {

struct Operand {
    enum class Kind : uint8_t {
        none,
        name,      // a register, a special register, a variable, a label; `name`, and `value` is added to it
        immediate, // `value`: its bits; of a floating-point number those of its own type
        memory,    // [parts]: an address, of copies between tensors and such also more
        list,      // {parts}
        group,     // (parts): of a call
    };
    Kind kind = Kind::none;
    std::string name = {};
    std::string second = {}; // after a bar: "%r1|%p1"
    uint64_t value = 0;
    bool negated = false; // "!%p1"
    bool is_float = false;
    std::vector<Operand> parts = {};
};

struct Statement {
    std::string name;  // "ld.shared.v4.f32"
    std::string guard; // "%p1"; empty: always
    bool negated = false;
    std::vector<Operand> operands;
    uint32_t line = 0;        // in the PTX
    uint32_t source_line = 0; // in the kernel's source; 0: none
    std::string text;         // as it is written, blanks made one
};

enum class Space : uint8_t {
    none,
    global,
    shared,
    cluster, // shared memory of another block of the cluster
    local,
    constant,
    parameter,
    generic
};

struct Variable {
    std::string name;
    Space space = Space::none;
    std::string type; // ".b8": of its elements
    uint64_t bytes = 0, alignment = 1;
    bool sized = true;              // false: dynamic shared memory
    std::vector<std::byte> initial; // bytes from its start; the rest is zero
    struct Address {                // of another variable, as part of the initial value
        uint64_t at = 0, added = 0;
        std::string name;
    };
    std::vector<Address> addresses;
    uint32_t line = 0;
};

struct Function {
    std::string name;
    bool is_kernel = false, has_body = false;
    std::vector<Variable> results, parameters;
    std::vector<Variable> variables;              // of its body
    std::map<std::string, std::string> registers; // name to type: ".f32"
    std::map<std::string, std::size_t> labels;    // to statement; names are those of statements' operands
    std::map<std::string, std::vector<std::string>> branch_targets; // tables of brx.idx
    std::vector<Statement> statements;
    std::array<uint32_t, 3> cluster{};  // of __cluster_dims__; zeros: it does not say
    std::array<uint32_t, 3> most{};     // threads of a block by __launch_bounds__; zeros: it does not say
    std::array<uint32_t, 3> required{}; // threads of each block (__block_size__); zeros: it does not say
    uint32_t line = 0;
};

struct Module {
    std::vector<Variable> variables;
    std::vector<Function> functions;
    const Function* find(std::string_view name) const;
};

// `source_lines`: of each line of the text, the line in the kernel's source that it came from, or 0 (see
// machine_code/line_table.h). Throws kernels::Error with a sentence that names the line where the text is no PTX.
Module parse(std::string_view text, const std::vector<uint32_t>& source_lines);

} // namespace ptx
