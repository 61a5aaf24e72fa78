// Registers and symbols of a program while it is made. For decode.cpp, decode_operands.cpp and the families of
// instructions.
#pragma once

#include "ptx/arithmetic.h"
#include "ptx/program.h"

#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ptx {

// One function where it is put: the kernel itself, or a function at one of its calls.
struct Frame {
    const Function* function = nullptr;
    std::string prefix = {}; // of its registers' names
    struct Symbol {
        Space space = Space::none;
        uint64_t address = 0;
        bool dynamic = false; // in dynamic shared memory, whose start comes last
    };
    std::map<std::string, Symbol> symbols = {};
    std::map<std::string, uint32_t> labels = {};    // to instruction
    std::vector<uint32_t> branches = {}, ends = {}; // instructions that wait for their target
    int depth = 0;
};

Space space_in(const Words& words);     // that the words name; generic where they name none
Combine combine_of(const Words& words); // of an atomic operation or a reducing copy
// What an atomic operation leaves in memory. `swap`: what compare-and-swap puts there.
uint64_t combined(const Instruction& instruction, uint64_t before, uint64_t operand, uint64_t swap);
// Whether memory is changed that way: what combined() does for elements of that type.
bool can_combine(Combine combine, Type type);
inline bool swaps(Combine combine)
{
    return combine == Combine::exchange || combine == Combine::compare_and_swap;
}

// One or a list.
inline std::span<const Operand> registers_of(const Operand& operand)
{
    return operand.kind == Operand::Kind::list ? std::span(operand.parts) : std::span(&operand, 1);
}

constexpr uint64_t aligned(uint64_t place, uint64_t to)
{
    return (place + to - 1) / to * to;
}

class Decoder {
public:
    Decoder(const Module& module, Program& program, std::size_t variables_from);
    void run(const Function& kernel);

    // Of the statement that is decoded: its operands by their number.
    [[noreturn]] void fail(const std::string& what) const;
    [[noreturn]] void unknown() const;
    std::size_t operands() const { return text_->operands.size(); }
    const Operand& operand(std::size_t i) const;

    uint32_t register_at(Width width);
    uint32_t constant(uint64_t value, Width width, bool from_dynamic_start = false);
    // The register that an operand is read from, of that width: its own, or one that a statement before fills.
    uint32_t source(const Operand& operand, Width width);
    uint32_t source(std::size_t i, Width width) { return source(operand(i), width); }
    uint32_t target(const std::string& name, Width width);
    uint32_t target(std::size_t i, Width width) { return target(operand(i).name, width); }
    // Of the register's own width, marked with is_wide.
    uint32_t any_source(const Operand& operand, Type type);
    uint32_t any_source(std::size_t i, Type type) { return any_source(operand(i), type); }
    uint32_t any_target(const Operand& operand);
    uint32_t any_target(std::size_t i) { return any_target(operand(i)); }
    // Of each register that an operand names, one or a list.
    void add_sources(std::vector<uint32_t>& to, const Operand& operand, Width width);
    void add_targets(std::vector<uint32_t>& to, const Operand& operand, Width width);
    void address(const Operand& operand, Instruction& instruction);
    void address(std::size_t i, Instruction& instruction) { address(operand(i), instruction); }
    // The registers of an access: as many as the statement's .v2, .v4 or .v8 says, together no more than a lane
    // accesses at once.
    std::span<const Operand> vector(std::size_t i, const Words& words, uint64_t element_bytes) const;
    Instruction& emit(Instruction instruction);

private:
    void place_module_variables(std::size_t from);
    void place_parameters(const Function& kernel, Frame& frame);
    void place_variables(Frame& frame);
    void function(Frame& frame);
    void finish(Frame& frame);
    void statement(Frame& frame, const Statement& text);
    bool control(const Words& words);
    void call();
    bool moved(const Words& words);
    bool arithmetic(const Words& words);
    void pack(int bits);
    void unpack(int bits);
    uint32_t special(const std::string& name, Width& width);
    const Frame::Symbol* symbol(const std::string& name) const;
    std::optional<Width> width_of_register(const std::string& name) const;
    void leave_bits_open(const std::string& name);
    void flush_after();

    const Module& module_;
    Program& program_;
    std::map<std::string, uint32_t> registers_;
    std::map<std::tuple<uint64_t, Width, bool>, uint32_t> constants_;
    std::map<std::string, uint32_t> specials_;
    std::map<std::string, Frame::Symbol> globals_;
    std::map<std::string, uint64_t> shared_;              // by function and name
    std::map<std::string, Frame::Symbol> shared_symbols_; // of the module
    std::vector<Instruction> after_;                      // what follows the statement's own instruction
    Frame* frame_ = nullptr;                              // where the statement is
    const Statement* text_ = nullptr;                     // the statement
    uint32_t statement_ = 0, carry_ = no_register;
    uint32_t guard_ = no_register;
    bool negated_ = false;
    int calls_ = 0;
};

// Each family of instructions: its statements are checked and decoded where they are executed. False: it is none of the
// family.
bool decode_cluster(Decoder& decoder, const Words& words);    // cluster.cpp
bool decode_mbarrier(Decoder& decoder, const Words& words);   // mbarrier.cpp
bool decode_copies(Decoder& decoder, const Words& words);     // copies.cpp
bool decode_memory(Decoder& decoder, const Words& words);     // memory.cpp
bool decode_collective(Decoder& decoder, const Words& words); // collective.cpp
bool decode_matrix(Decoder& decoder, const Words& words);     // matrix.cpp
bool decode_warpgroup(Decoder& decoder, const Words& words);  // warpgroup.cpp

// What other statements do: see print.cpp.
void print(Warp& warp, const Instruction& instruction, uint32_t mask);
void trap(Warp& warp, const Instruction& instruction, uint32_t mask);
void read_clock(Warp& warp, const Instruction& instruction, uint32_t mask);
void note(Warp& warp, const Instruction& instruction, uint32_t mask);

// Fills in Program::place and starts_block.
void order_blocks(Program& program);

} // namespace ptx
