// Takes the steps of warps as PTX asks for them, and makes the recording of what their machine code does.
#pragma once

#include "ptx/machine_accesses.h"
#include "traced/builder.h"
#include "traced/user_kernel.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ptx {

class ExecutedSteps {
public:
    // `machine` outlives the object. `builder`: its recording lists the instructions of the code in their order. `warps`: of a
    // block.
    ExecutedSteps(const MachineAccesses& machine, traced::Builder builder, uint32_t warps)
        : machine_(&machine), builder_(std::move(builder)), warps_per_block_(warps), doubt_(machine.doubt())
    {
    }

    // As traced::Builder::take(); step.instruction: the place of its statement in Program::statements, counted from 1.
    void take(uint64_t block, uint32_t warp, const traced::Step& step);
    // Adds what a copy, made before the first step, took of blocks that come after.
    void join(ExecutedSteps after);

    // Ends all warps. Not empty: a sentence on why it is not known what the machine code does; then there is no recording.
    std::string doubt();
    recording::Recording finish() { return builder_.finish(); }

private:
    void end_interval(JoinedAccesses& warp);
    void forget_ended(uint64_t block);

    const MachineAccesses* machine_;
    traced::Builder builder_;
    uint32_t warps_per_block_;
    std::map<uint64_t, JoinedAccesses> warps_; // by block and warp: those that wait for accesses
    std::string doubt_;
};

// The machine code of a kernel that is launched.
class ExecutedCode {
public:
    // `program`: of the kernel's PTX; both outlive the object. `as_written`: what the code does is not asked for.
    ExecutedCode(const traced::CompiledKernel& kernel, const Program& program, bool as_written);

    // Whether its accesses are those of the PTX, one by one.
    bool one_to_one() const { return why_written_.empty() && accesses_.one_to_one(); }
    // Not empty: why it is not known which accesses it makes, as far as that is known before the launch.
    const std::string& why_written() const { return why_written_; }
    // Lists all of its instructions instead of those of the PTX, each beside the statement that it came from. Returns the number of
    // the one that does each statement.
    std::vector<uint32_t> list(recording::InstructionTrace& executed) const;
    // Of a launch where one recording is made of the PTX and one of the machine code; nothing where one is enough.
    std::optional<ExecutedSteps> steps(recording::Recording planned, const std::vector<traced::Place>& places,
                                       const std::vector<recording::Index3>& blocks) const;

private:
    const traced::CompiledKernel& kernel_;
    const Program& program_;
    std::string why_written_;
    std::vector<kernels::Instruction> code_;
    std::vector<cuda::CodeLoop> loops_;
    MachineAccesses accesses_;
};

// What a recording says of its accesses. `why_written`: empty where they are those of the machine code.
std::string note_on_accesses(const std::string& why_written);

} // namespace ptx
