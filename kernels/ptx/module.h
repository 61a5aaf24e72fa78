// PTX as a syntax tree: functions, variables and statements, without their meaning. Textures, surfaces and samplers are
// left out.
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
        name,      // a register, a special register, a variable or a label: `name`, plus `value`
        immediate, // `value` is its bits; those of a floating-point number have its own type
        memory,    // [parts]: an address; for copies of tensors also the coordinates
        list,      // {parts}
        group,     // (parts), in a call
    };
    Kind kind = Kind::none;
    std::string name = {};
    std::string second = {}; // the name behind a bar: "%r1|%p1"
    uint64_t value = 0;
    bool negated = false; // "!%p1"
    bool is_float = false;
    std::vector<Operand> parts = {};
};

struct Statement {
    std::string name;  // "ld.shared.v4.f32"
    std::string guard; // "%p1"; empty if the statement is unconditional
    bool negated = false;
    std::vector<Operand> operands;
    uint32_t line = 0;        // in the PTX
    uint32_t source_line = 0; // in the kernel's source; 0 if there is none
    std::string text;         // the statement's text, with single blanks
};

enum class Space : uint8_t {
    none,
    global,
    shared,
    cluster, // shared memory of another block of the cluster
    local,
    constant,
    parameter,
    workspace, // of the barrier of a cooperative launch's grid
    generic
};

struct Variable {
    std::string name;
    Space space = Space::none;
    std::string type; // type of the elements: ".b8"
    uint64_t bytes = 0, alignment = 1;
    bool sized = true;              // false for dynamic shared memory
    std::vector<std::byte> initial; // the first bytes; the rest is zero
    // The address of another variable, as part of the initial value.
    struct Address {
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
    std::vector<Variable> variables;              // variables of the body
    std::map<std::string, std::string> registers; // from name to type: ".f32"
    // From label to statement. The names are those of the statements' operands.
    std::map<std::string, std::size_t> labels;
    std::map<std::string, std::vector<std::string>> branch_targets; // tables of brx.idx
    std::vector<Statement> statements;
    std::array<uint32_t, 3> cluster{};  // of __cluster_dims__; zeros if it is not given
    std::array<uint32_t, 3> most{};     // threads of a block by __launch_bounds__; zeros if it is not given
    std::array<uint32_t, 3> required{}; // threads of each block (__block_size__); zeros if it is not given
    uint32_t line = 0;
};

struct Module {
    std::vector<Variable> variables;
    std::vector<Function> functions;
    const Function* find(std::string_view name) const;
};

// Parses PTX. `source_lines` gives for each line of the text the line of the kernel's source that it came from, or 0
// (see machine_code/line_table.h). Throws kernels::Error with a sentence that names the line if the text is not PTX.
Module parse(std::string_view text, const std::vector<uint32_t>& source_lines);

} // namespace ptx
