// Turns the accesses to memory that PTX asks for into those that its machine code makes. The assembler joins
// neighbouring accesses into one wider instruction. In the line table that instruction has the line of the first of
// them, and the others have no instruction any more. So the line says which instruction does a statement's access, and
// the addresses say which accesses it does together. Each byte that it moves must be asked for by one of them.
// Otherwise nothing is assumed to be known.
#pragma once

#include "machine_code/cubin.h"
#include "machine_code/machine_code.h"
#include "ptx/address_interpreter.h"
#include "ptx/program.h"
#include "traced/builder.h"
#include "traced/user_kernel.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ptx {

// The access of the machine code that performs one statement of the PTX.
struct MachineAccess {
    // The number of an instruction of the code, counted from 1. It is the widest one with the statement's line that
    // accesses memory, otherwise the first one with that line, or 0 if there is none.
    uint32_t instruction = 0;
    int width = 0;      // bytes per lane of a load or a store; 0 if no instruction with its line accesses memory
    bool joins = false; // the instruction is wider than the statement, and also does the access of other statements
    // An atomic operation on one address for the whole warp: the values of the lanes are added first, and one lane
    // performs the operation with the sum.
    bool by_one_lane = false;
    // For a statement in a loop without a barrier: the number of its instructions, if none of them is in such a loop.
    // Each of them runs once between two barriers, since the assembler unrolled the loop or moved them out of it.
    // Otherwise 0.
    int at_most = 0;
    std::string doubt; // if not empty, a sentence that says why the accesses are not known
};

class MachineAccesses {
public:
    // `code` has lines of the PTX that the program was made from. `loops` are those of the code. If it is null, they
    // are not known, and a load that was moved out of a loop counts as often as the loop runs.
    MachineAccesses(std::span<const kernels::Instruction> code, const Program& program,
                    const std::vector<cuda::CodeLoop>* loops = nullptr);

    // `statement` is a place in Program::statements.
    const MachineAccess& of(uint32_t statement) const { return by_statement_[statement]; }
    // Returns whether each access of the PTX is one access of the machine code, of the same width, whichever path runs.
    bool one_to_one() const { return one_to_one_; }
    // If not empty, a sentence that says what the code accesses beyond the accesses of its PTX. Then nothing is known
    // about the whole kernel.
    const std::string& doubt() const { return doubt_; }

private:
    void bound_runs(std::span<const kernels::Instruction> code, const Program& program,
                    const std::vector<cuda::CodeLoop>& loops);

    std::vector<MachineAccess> by_statement_;
    bool one_to_one_ = true;
    std::string doubt_;
};

// One access of a warp.
struct LaneAccess {
    recording::Op op = recording::Op::global_load;
    int width = 0; // bytes per lane
    uint32_t mask = 0;
    LaneValues addresses{};
};

// Accesses of one warp that wait for others that the same instruction performs.
class JoinedAccesses {
public:
    enum class Found {
        made,       // by an instruction of its own, whose access is now in `access`
        with_other, // by the instruction that was made for an earlier access, or will be made for a later one
        lost,       // no instruction for it is known
    };
    // Finds the machine access of `access`, and replaces `access` by it.
    Found take(const MachineAccess& machine, LaneAccess& access);

    // Is called at a barrier and at the end of a warp. Returns whether an instruction moved each byte that was asked
    // for, and each byte that instructions moved was asked for. A load may move a quarter more.
    bool end_interval();

private:
    struct Open {
        LaneAccess access;
        uint32_t asked = 0; // bit i: byte i of each lane was asked for
    };
    bool join(const LaneAccess& access);
    bool runs_once_more(const MachineAccess& machine, uint32_t mask);

    std::vector<Open> open_;
    std::vector<LaneAccess> waiting_; // accesses whose instruction comes later, since the last of joined stores has it
    // By instruction whose number of runs is bounded: how often each lane ran it.
    std::map<uint32_t, std::array<int, recording::warp_size>> runs_of_;
};

// Receives the steps of warps as PTX asks for them, and makes the recording of what their machine code does.

class ExecutedSteps {
public:
    // `machine` must outlive the object. The recording of `builder` lists the instructions of the code in their order.
    // `warps` is the number of warps in a block.
    ExecutedSteps(const MachineAccesses& machine, traced::Builder builder, uint32_t warps)
        : machine_(&machine), builder_(std::move(builder)), warps_per_block_(warps), doubt_(machine.doubt())
    {
    }

    // Takes a step like traced::Builder::take(). step.instruction is the place of its statement in Program::statements,
    // counted from 1.
    void take(uint64_t block, uint32_t warp, const traced::Step& step);
    // Adds the steps of a copy of this object, which was made before the first step and took the blocks that come
    // after.
    void join(ExecutedSteps after);

    // Ends all warps. If the result is not empty, it is a sentence that says why it is not known what the machine code
    // does, and there is no recording.
    std::string doubt();
    recording::Recording finish() { return builder_.finish(); }

private:
    void end_interval(JoinedAccesses& warp);
    void forget_ended(uint64_t block);

    const MachineAccesses* machine_;
    traced::Builder builder_;
    uint32_t warps_per_block_;
    std::map<uint64_t, JoinedAccesses> warps_; // by number of the warp in the launch: its waiting accesses
    std::string doubt_;
};

// The machine code of a kernel that is launched.
class ExecutedCode {
public:
    // `program` is made from the kernel's PTX. Both must outlive the object. With `as_written` the accesses of the PTX
    // are used, and those of the code are not determined.
    ExecutedCode(const traced::CompiledKernel& kernel, const Program& program, bool as_written);

    // Returns whether the accesses of the code are those of the PTX, one by one.
    bool one_to_one() const { return why_written_.empty() && accesses_.one_to_one(); }
    // If not empty, says why the accesses of the code are not known, as far as that is clear before the launch.
    const std::string& why_written() const { return why_written_; }
    // Lists all instructions of the code instead of those of the PTX, each beside the statement that it came from.
    // Returns for each statement the number of the instruction that does it.
    std::vector<uint32_t> list(recording::InstructionTrace& executed) const;
    // Is for a launch that needs one recording of the PTX and one of the machine code. Returns nothing if one is
    // enough.
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

// Returns the note of a recording about its accesses. `why_written` is empty if they are those of the machine code.
std::string note_on_accesses(const std::string& why_written);

} // namespace ptx
