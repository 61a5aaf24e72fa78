// Computes a kernel's addresses for one warp, without a GPU and without the data of the matrices. In the kernels of the
// ladder neither the path nor the addresses depend on data. Reports the accesses to memory in the order in which the
// warp makes them.
#pragma once

#include "ptx/program.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ptx {

using LaneValues = std::array<uint64_t, recording::warp_size>;

struct WarpPlace {
    recording::Launch launch;
    recording::Index3 block{0, 0, 0};
    uint32_t warp = 0;
};

// Receives the accesses of a warp as they are found.
class AccessSink {
public:
    virtual ~AccessSink() = default;
    // The lanes of the mask access these addresses by a load or store of global or shared memory, or by ldmatrix.
    virtual void access(const Instruction& instruction, uint32_t mask, const LaneValues& addresses) = 0;
    // The lanes of the mask copy by cp.async. The lanes of `idle` take part, but read nothing.
    virtual void copy(const Instruction& instruction, uint32_t mask, uint32_t idle, const LaneValues& from,
                      const LaneValues& to) = 0;
    virtual void other(const Instruction& instruction) = 0; // its addresses, if it has any, are not reported
    virtual void barrier() = 0;
};

class AddressInterpreter {
public:
    // `arguments` has the layout of Program::parameters. All arguments must outlive the object.
    AddressInterpreter(const Program& program, std::span<const std::byte> arguments, AccessSink& sink);

    // Runs the warp to the end of the kernel, and subtracts the number of executed instructions from `steps`. Throws
    // kernels::Unavailable, with the reason as a sentence, if the path or an address depends on data, or if `steps`
    // reaches 0.
    void run(const WarpPlace& place, uint64_t& steps);

private:
    void begin(const WarpPlace& place);
    uint32_t next_lanes(uint32_t& instruction) const;
    uint32_t lanes_that_run(const Instruction& instruction, uint32_t lanes) const;
    void branch(const Instruction& instruction, uint32_t number, uint32_t lanes);
    void step(const Instruction& instruction, uint32_t mask);
    void arithmetic(const Instruction& instruction, uint32_t mask);
    void memory(const Instruction& instruction, uint32_t mask);
    void copy(const Instruction& instruction, uint32_t mask);
    void load_parameter(const Instruction& instruction, uint32_t mask);
    LaneValues addresses(const Instruction& instruction, uint32_t mask) const;
    // Returns the values of a register, given by its entry in Instruction::r, to or in. Throws if they are data.
    LaneValues values(const Instruction& instruction, uint32_t from, uint32_t mask) const;
    void mark_results(const Instruction& instruction, bool data);
    [[noreturn]] void refuse(const Instruction& instruction) const;
    bool is_data(uint32_t at) const; // whether the register holds data, which the interpreter does not know

    const Program& program_;
    std::span<const std::byte> arguments_;
    AccessSink& sink_;
    std::vector<std::byte> registers_;
    std::vector<bool> is_data_;                         // for each four bytes of registers_
    uint32_t threads_ = 0;                              // the lanes that exist
    std::array<uint32_t, recording::warp_size> next_{}; // next instruction of each lane; past the end: returned
};

} // namespace ptx
