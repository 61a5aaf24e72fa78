// The result of compiling a stage: its PTX, and its machine instructions with the line that each came from.
#pragma once

#include "recording/recording.h"
#include "stage.h"

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace kernels {

struct Instruction {
    uint32_t address = 0;            // in bytes, from the kernel's start
    std::string name;                // "LDS.128", "FFMA"; empty if its kind is not known here
    std::string predicate;           // "@!P0"; empty if it always runs
    std::optional<recording::Op> op; // for accesses to memory that a recording has
    int width = 0;                   // bytes per lane, for accesses to memory
    uint32_t ptx_line = 0;           // in KernelCode::ptx, counted from 1; 0 if unknown
    uint32_t line = 0;               // in the stage's body file; 0 if it came from none of its lines
    std::string text;                // as written by the disassembler, if one is installed
};

struct KernelCode {
    std::string kernel; // with its template arguments
    std::vector<Instruction> instructions;
    std::vector<std::string> ptx;        // lines
    std::vector<uint32_t> ptx_to_source; // for each line of PTX, the line in the stage's body file or 0
};

struct MachineCode {
    uint32_t compute_capability = 0;
    std::string compiler;            // "NVRTC 13.0"
    std::string disassembler;        // the one that was used; empty if none is installed
    std::vector<KernelCode> kernels; // in the order of their launch: one or two
};

// Compiles the uninstrumented kernels, which needs no GPU. Throws Unavailable if NVRTC is missing, or if the program
// was built without the toolkit. Throws Error with the compiler's log.
MachineCode machine_code(const Stage& stage, const ParameterValues& parameters, uint32_t compute_capability);

// Returns the stage's kernels as PTX that only the PTX machine runs: they report each of their accesses
// (device/watch_probe.h). They have no machine code. Throws the same exceptions.
MachineCode watched_ptx(const Stage& stage, const ParameterValues& parameters);

struct SourceText {
    std::string name, text; // `name` is that in the include directive
};

// Returns the PTX of a CUDA C++ program with these headers, for the PTX machine. Throws the same exceptions.
std::string ptx_of(const std::string& program, std::span<const SourceText> headers);

// What a launch executes of one kind of instruction from one line.
struct SassAccessCounts {
    std::size_t kernel = 0; // in MachineCode::kernels
    uint32_t line = 0;      // in the stage's body file; 0 if it came from none of its lines
    recording::Op op = recording::Op::global_load;
    int width = 0;                // bytes per lane
    int array = -1;               // the array that is accessed, in the recording's arrays; -1 if not known
    std::string name;             // "LDS.128"
    recording::Totals totals;     // over the whole launch
    uint64_t copy_wavefronts = 0; // for the writes of asynchronous copies, which the totals do not contain
    friend bool operator==(const SassAccessCounts&, const SassAccessCounts&) = default;
};

// The accesses to memory that the machine code makes. Its path and its addresses are computed without a GPU and without
// data. The cost of bank conflicts and sectors follows from them as from a recording.
struct Executed {
    std::vector<SassAccessCounts> instructions; // by line
    // Names of instructions that are left out because their addresses do not follow from the PTX: "LDSM.16.M88.4".
    std::string opaque;
    recording::Totals totals() const;
};

// Throws Unavailable with the reason if the path depends on other warps or on data, or if the launch is too long.
// Throws Error if the PTX has an instruction that is not supported here.
Executed executed(const MachineCode& code, const Stage& stage, const ParameterValues& parameters,
                  const recording::Problem& problem, std::stop_token stop);

} // namespace kernels
