// From the accesses of a warp's PTX to those of its machine code, and what they cost. See machine_code/machine_code.h.
#pragma once

#include "machine_code/machine_code.h"
#include "ptx/machine_accesses.h"
#include "traced/builder.h"

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace ptx {

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
    std::vector<kernels::SassAccesses> result() const;
    const std::set<std::string>& opaque() const { return opaque_; }

private:
    const kernels::Instruction* machine_of(
        const Instruction& instruction) const; // null: another statement's does its work
    kernels::SassAccesses& row_of(const Instruction& instruction, const kernels::Instruction& machine, recording::Op op,
                                  uint64_t address);
    int array_at(recording::Space space, uint64_t address) const;

    const kernels::KernelCode& code_;
    const Program& program_;
    const std::vector<recording::Array>& arrays_;
    std::vector<traced::Place> places_;
    MachineAccesses machine_;
    JoinedAccesses joined_; // of the warp that is followed
    std::map<std::tuple<uint32_t, recording::Op, int, int>, kernels::SassAccesses> counted_;
    std::set<std::string> opaque_;
    uint64_t lost_ = 0; // accesses that the machine code makes in another way
};

} // namespace ptx
