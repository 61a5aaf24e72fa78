// Replaces the accesses of the PTX by those of its machine code. The assembler joins neighbouring accesses into one
// wider instruction. In the line table that instruction has the line of the first joined access. The other accesses
// have no instruction. So the line tells which instruction does a statement's access, and the addresses tell which
// accesses it joins. Each byte that the instruction moves must belong to one of these accesses. Otherwise the accesses
// count as unknown.
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
    // The number of an instruction of the code, counted from 1. Among the instructions with the statement's line it is
    // the widest one that accesses memory, or else the first one. It is 0 if no instruction has that line.
    uint32_t instruction = 0;
    int width = 0;      // bytes per lane of a load or a store; 0 if no instruction with its line accesses memory
    bool joins = false; // the instruction is wider than the statement, and also does the access of other statements
    // Whether this is an atomic operation that the assembler changed. It first adds the values of all lanes, then one
    // lane performs the operation with the sum.
    bool by_one_lane = false;
    // For a statement in a loop without a barrier, if none of its instructions is in such a loop: their number, otherwise
    // 0. The assembler unrolled the loop or moved them out of it, so each runs once between two barriers.
    int at_most = 0;
    std::string doubt; // if not empty, a sentence that says why the accesses are not known
};

class MachineAccesses {
public:
    // The lines of `code` are lines of the program's PTX. `loops` are the loops of `code`, or null if they are not
    // known. Then a load that was moved out of a loop counts as often as the loop runs.
    MachineAccesses(std::span<const kernels::Instruction> code, const Program& program,
                    const std::vector<cuda::CodeLoop>* loops = nullptr);

    // `statement` is an index in Program::statements.
    const MachineAccess& of(uint32_t statement) const { return by_statement_[statement]; }
    // Returns whether each access of the PTX is one access of the machine code, of the same width, whichever path runs.
    bool one_to_one() const { return one_to_one_; }
    // If not empty, says which accesses of the code do not come from its PTX. Then nothing is known about the kernel.
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

// Accesses of one warp that one instruction performs together with other accesses.
class JoinedAccesses {
public:
    enum class Found {
        made,       // by an instruction of its own; `access` is now the instruction's access
        with_other, // by the instruction that was made for an earlier access, or will be made for a later one
        lost,       // no instruction for it is known
    };
    // Finds the machine access of `access`, and replaces `access` by it.
    Found take(const MachineAccess& machine, LaneAccess& access);

    // Call this at each barrier and at the end of a warp. Returns whether the instructions moved exactly the bytes of
    // the accesses. Up to a quarter of a load may be unused.
    bool end_interval();

private:
    struct Open {
        LaneAccess access;
        uint32_t asked = 0; // bit i: an access of the PTX has byte i of each lane
    };
    bool join(const LaneAccess& access);
    bool runs_once_more(const MachineAccess& machine, uint32_t mask);

    std::vector<Open> open_;
    std::vector<LaneAccess> waiting_; // joined stores, until the last one, which has the instruction
    // How often each lane ran the instructions whose runs are bounded.
    std::map<uint32_t, std::array<int, recording::warp_size>> runs_of_;
};

// Receives the steps of warps as the PTX describes them, and records what their machine code does.
class ExecutedSteps {
public:
    // `machine` must outlive the object. The recording in `builder` must list the instructions of the code in their
    // order. `warps` is the number of warps in a block.
    ExecutedSteps(const MachineAccesses& machine, traced::Builder builder, uint32_t warps)
        : machine_(&machine), builder_(std::move(builder)), warps_per_block_(warps), doubt_(machine.doubt())
    {
    }

    // Takes a step like traced::Builder::take(). step.instruction is its index in Program::statements, counted from 1.
    void take(uint64_t block, uint32_t warp, const traced::Step& step);
    // Appends the steps of later blocks. `after` was copied from this object before its first step.
    void join(ExecutedSteps after);

    // Ends all warps. Returns a sentence if the machine code's accesses are not known, and then there is no recording.
    // Otherwise returns an empty text.
    std::string doubt();
    recording::Recording finish() { return builder_.finish(); }

private:
    void end_interval(JoinedAccesses& warp);
    void forget_ended(uint64_t block);

    const MachineAccesses* machine_;
    traced::Builder builder_;
    uint32_t warps_per_block_;
    std::map<uint64_t, JoinedAccesses> warps_; // waiting accesses, by the warp's number in the launch
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
    // If not empty, says why the accesses of the code are not known. Contains only reasons known before the launch.
    const std::string& why_written() const { return why_written_; }
    // Lists all instructions of the code instead of those of the PTX, each with the statement that it came from.
    // Returns for each statement the number of its instruction.
    std::vector<uint32_t> list(recording::InstructionTrace& executed) const;
    // Returns nothing if one recording is enough. Otherwise the launch needs one of the PTX and one of the code.
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
