// From the accesses of a warp's PTX to those of its machine code, and what they cost. See machine_code.h.
#pragma once

#include "machine_code/machine_code.h"
#include "machine_code/ptx_warp.h"
#include "model/access_cost.h"

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace cuda {

// Where a launch's arrays are, as the kernel is told.
struct ArrayPlace {
    PtxSpace space = PtxSpace::global;
    uint64_t first = 0, bytes = 0;
    int array = 0; // in the recording's arrays
};

// Of the accesses that one PTX statement makes, what the machine code does.
struct MachineAccess {
    std::string name; // empty: none of its instructions belongs to the statement, another statement's do its work
    int width = 0;
};

class ExecutedWarps {
public:
    // By line of PTX.
    ExecutedWarps(const kernels::KernelCode& code, std::vector<ArrayPlace> places);

    void access(const PtxStatement& statement, uint32_t mask, const LaneValues& addresses);
    void copy(const PtxStatement& statement, const model::CopyPattern& pattern);
    void other(const PtxStatement& statement); // whatever else it does
    void barrier();                            // or the end of a warp

    // Throws kernels::Unavailable where some of the accesses could not be found in the machine code.
    std::vector<kernels::ExecutedInstructions> result() const;
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
    void count(const PtxStatement& statement, const MachineAccess& machine, uint32_t mask, const LaneValues& addresses);
    kernels::ExecutedInstructions& row_of(const PtxStatement& statement, const MachineAccess& machine, PtxSpace space,
                                          uint64_t address);
    int array_at(PtxSpace space, uint64_t address) const;

    const kernels::KernelCode& code_;
    std::vector<ArrayPlace> places_;
    std::map<uint32_t, MachineAccess> machine_; // by line of PTX
    std::map<std::tuple<uint32_t, recording::Op, int, int>, kernels::ExecutedInstructions> counted_;
    std::set<Seen> wide_;       // since the last barrier
    std::vector<Seen> without_; // accesses of statements that have no instruction of their own
    std::set<std::string> opaque_;
    uint64_t lost_ = 0; // of those, the ones that no wider access has done either
};

} // namespace cuda
