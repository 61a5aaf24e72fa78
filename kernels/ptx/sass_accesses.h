// From the accesses of a warp's PTX to those of its machine code, and what they cost. See machine_code/machine_code.h.
#pragma once

#include "machine_code/machine_code.h"
#include "ptx/address_interpreter.h"
#include "traced/builder.h"

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace ptx {

// Of the accesses that one statement makes, what the machine code does.
struct WidestAccess {
    std::string name; // "LDS.128"
    int width = 0;
};

class SassAccesses final : public AccessSink {
public:
    // `program`: the kernel's. `places`: of `arrays`. All but the places outlive the object.
    SassAccesses(const kernels::KernelCode& code, const Program& program, const std::vector<recording::Array>& arrays,
                 std::vector<traced::Place> places);

    void access(const Instruction& instruction, uint32_t mask, const LaneValues& addresses) override;
    void copy(const Instruction& instruction, uint32_t mask, uint32_t idle, const LaneValues& from,
              const LaneValues& to) override;
    void other(const Instruction& instruction) override;
    void barrier() override; // or the end of a warp

    // Throws kernels::Unavailable where some of the accesses could not be found in the machine code.
    std::vector<kernels::SassAccessCounts> result() const;
    const std::set<std::string>& opaque() const { return opaque_; }

private:
    struct Seen { // of a statement whose instruction is wider than itself
        uint32_t mask = 0;
        LaneValues addresses{};
        int width = 0;
        bool operator<(const Seen& other) const
        {
            return std::tie(mask, addresses, width) < std::tie(other.mask, other.addresses, other.width);
        }
    };
    const WidestAccess* machine_of(const Instruction& instruction) const; // null: another statement's does its work
    kernels::SassAccessCounts& row_of(const Instruction& instruction, const WidestAccess& machine, recording::Op op,
                                      uint64_t address);
    int array_at(recording::Space space, uint64_t address) const;

    const kernels::KernelCode& code_;
    const Program& program_;
    const std::vector<recording::Array>& arrays_;
    std::vector<traced::Place> places_;
    std::map<uint32_t, WidestAccess> machine_; // by line of PTX
    std::map<std::tuple<uint32_t, recording::Op, int, int>, kernels::SassAccessCounts> counted_;
    std::set<Seen> wide_;       // since the last barrier
    std::vector<Seen> without_; // accesses of statements that have no instruction of their own
    std::set<std::string> opaque_;
    uint64_t lost_ = 0; // of those, the ones that no wider access has done either
};

} // namespace ptx
