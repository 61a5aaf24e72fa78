// From the accesses to memory that PTX asks for to those that its machine code makes. The assembler joins neighbours to
// one wider instruction, which keeps the line of the first of them in the line table; the others have no instruction
// any more. So the line says which instruction does a statement's access, and the addresses say which accesses it does
// together: each byte that it moves is asked for by one of them. Where that does not come out even, nothing is taken to
// be known.
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

// What the machine code does for one statement.
struct MachineAccess {
    // Of the code, counted from 1: the widest with the statement's line that accesses memory, else the first with its
    // line; 0: it has none.
    uint32_t instruction = 0;
    int width = 0;      // of a load or a store: bytes per lane; 0: no instruction with its line accesses memory
    bool joins = false; // it is wider than the statement, and does the work of others, too
    // Of an atomic operation on one address for the whole warp: the lanes' values are added first, and one lane brings
    // the sum.
    bool by_one_lane = false;
    // Of a statement in a loop without a barrier, where none of its instructions is in such a loop: how many it has.
    // Each runs once between two barriers, so the loop was unrolled that often, or they were moved out of it. 0: it is
    // none.
    int at_most = 0;
    std::string doubt; // not empty: a sentence on why it is not known which accesses are made
};

class MachineAccesses {
public:
    // `code`: with lines of the PTX that the program was made of. `loops`: of the code; null: not known, and then a
    // load that was moved out of a loop counts as often as the loop runs.
    MachineAccesses(std::span<const kernels::Instruction> code, const Program& program,
                    const std::vector<cuda::CodeLoop>* loops = nullptr);

    // By the statement's place in Program::statements.
    const MachineAccess& of(uint32_t statement) const { return by_statement_[statement]; }
    // Whether each access that PTX asks for is one access of the machine code, of the same width, whatever runs.
    bool one_to_one() const { return one_to_one_; }
    // Not empty: a sentence on what the code accesses beyond what its PTX asks for, so that nothing is known of the
    // whole.
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

// The accesses of one warp that wait for others that the same instruction does.
class JoinedAccesses {
public:
    enum class Found {
        made,       // by an instruction of its own: `access` is what that does
        with_other, // by the one that was made for an access before, or will be made for one that comes
        lost,       // by none that is known
    };
    // `access` becomes that of the machine code.
    Found take(const MachineAccess& machine, LaneAccess& access);

    // At a barrier, or at the warp's end. Whether each byte that was asked for was moved by an instruction, and each
    // byte that instructions moved was asked for; of a load a quarter need not be.
    bool end_interval();

private:
    struct Open {
        LaneAccess access;
        uint32_t asked = 0; // bit i: of byte i of each lane
    };
    bool join(const LaneAccess& access);
    bool runs_once_more(const MachineAccess& machine, uint32_t mask);

    std::vector<Open> open_;
    std::vector<LaneAccess> waiting_; // for an instruction that comes later: of joined stores the last has it
    // How often each lane ran each instruction of which that is bounded.
    std::map<uint32_t, std::array<int, recording::warp_size>> runs_of_;
};

// Takes the steps of warps as PTX asks for them, and makes the recording of what their machine code does.

class ExecutedSteps {
public:
    // `machine` outlives the object. `builder`: its recording lists the instructions of the code in their order.
    // `warps`: of a block.
    ExecutedSteps(const MachineAccesses& machine, traced::Builder builder, uint32_t warps)
        : machine_(&machine), builder_(std::move(builder)), warps_per_block_(warps), doubt_(machine.doubt())
    {
    }

    // As traced::Builder::take(); step.instruction: the place of its statement in Program::statements, counted from 1.
    void take(uint64_t block, uint32_t warp, const traced::Step& step);
    // Adds what a copy, made before the first step, took of blocks that come after.
    void join(ExecutedSteps after);

    // Ends all warps. Not empty: a sentence on why it is not known what the machine code does; then there is no
    // recording.
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
    // Lists all of its instructions instead of those of the PTX, each beside the statement that it came from. Returns
    // the number of the one that does each statement.
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
