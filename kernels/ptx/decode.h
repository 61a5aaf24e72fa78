// Registers and symbols of a program that is being made, for decode.cpp, decode_operands.cpp and the families of
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

// One inlined function: the kernel itself, or a function at one of its calls.
struct Frame {
    const Function* function = nullptr;
    std::string prefix = {}; // of the names of its registers
    struct Symbol {
        Space space = Space::none;
        uint64_t address = 0;
        bool dynamic = false; // relative to the start of dynamic shared memory, which is known last
    };
    std::map<std::string, Symbol> symbols = {};
    std::map<std::string, uint32_t> labels = {};    // the value is the number of an instruction
    std::vector<uint32_t> branches = {}, ends = {}; // instructions whose target is not known yet
    int depth = 0;
};

Space space_in(const Words& words);     // the space that the words name, otherwise generic
Combine combine_of(const Words& words); // the operation of an atomic instruction or a reducing copy
// Returns what an atomic operation writes to memory. `swap` is the new value of a compare-and-swap.
uint64_t combined(const Instruction& instruction, uint64_t before, uint64_t operand, uint64_t swap);
// Returns whether combined() supports this operation for elements of that type.
bool can_combine(Combine combine, Type type);
inline bool swaps(Combine combine)
{
    return combine == Combine::exchange || combine == Combine::compare_and_swap;
}

// Returns the registers of an operand: one, or those of a list.
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

    // Everything up to emit() concerns the statement that is being decoded. Operands are given by their number.
    [[noreturn]] void fail(const std::string& what) const;
    [[noreturn]] void unknown() const;
    std::size_t operands() const { return text_->operands.size(); }
    const Operand& operand(std::size_t i) const;

    uint32_t register_at(Width width);
    uint32_t constant(uint64_t value, Width width, bool from_dynamic_start = false);
    // Returns the register to read an operand from, in that width. It is the operand's own register, or a copy of
    // another width that an extra instruction makes before the statement's.
    uint32_t source(const Operand& operand, Width width);
    uint32_t source(std::size_t i, Width width) { return source(operand(i), width); }
    uint32_t target(const std::string& name, Width width);
    uint32_t target(std::size_t i, Width width) { return target(operand(i).name, width); }
    // Returns the register in its own width, marked with is_wide if it has 64 bits.
    uint32_t any_source(const Operand& operand, Type type);
    uint32_t any_source(std::size_t i, Type type) { return any_source(operand(i), type); }
    uint32_t any_target(const Operand& operand);
    uint32_t any_target(std::size_t i) { return any_target(operand(i)); }
    // Adds each register of an operand, which is one register or a list.
    void add_sources(std::vector<uint32_t>& to, const Operand& operand, Width width);
    void add_targets(std::vector<uint32_t>& to, const Operand& operand, Width width);
    void address(const Operand& operand, Instruction& instruction);
    void address(std::size_t i, Instruction& instruction) { address(operand(i), instruction); }
    // Returns the registers of an access, as many as .v2, .v4 or .v8 of the statement say. Fails if they are more bytes
    // than a lane can access at once.
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
    std::map<std::string, Frame::Symbol> shared_symbols_; // variables of the module
    std::vector<Instruction> after_;                      // instructions that follow the statement's own
    Frame* frame_ = nullptr;                              // the function that contains the statement
    const Statement* text_ = nullptr;                     // the statement that is being decoded
    uint32_t statement_ = 0, carry_ = no_register;
    uint32_t guard_ = no_register;
    bool negated_ = false;
    int calls_ = 0;
};

// Each of these decodes one family of instructions, in the file that also executes them. Returns false if the statement
// is not of that family.
bool decode_cluster(Decoder& decoder, const Words& words);    // cluster.cpp
bool decode_mbarrier(Decoder& decoder, const Words& words);   // mbarrier.cpp
bool decode_copies(Decoder& decoder, const Words& words);     // copies.cpp
bool decode_memory(Decoder& decoder, const Words& words);     // memory.cpp
bool decode_texture(Decoder& decoder, const Words& words);    // texture.cpp
bool decode_collective(Decoder& decoder, const Words& words); // collective.cpp
bool decode_matrix(Decoder& decoder, const Words& words);     // matrix.cpp
bool decode_warpgroup(Decoder& decoder, const Words& words);  // warpgroup.cpp

// Executes other statements. They are in print.cpp.
void print(Warp& warp, const Instruction& instruction, uint32_t mask);
void trap(Warp& warp, const Instruction& instruction, uint32_t mask);
void read_clock(Warp& warp, const Instruction& instruction, uint32_t mask);
void note(Warp& warp, const Instruction& instruction, uint32_t mask);

// Sets Program::place and Program::starts_block.
void order_blocks(Program& program);

} // namespace ptx
