// What the compiler made of a stage: its PTX, and its machine instructions with the line that each came from.
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
    uint32_t address = 0;            // bytes from the kernel's start
    std::string name;                // "LDS.128", "FFMA"; empty: of a kind that is not told apart here
    std::string predicate;           // "@!P0"; empty: always
    std::optional<recording::Op> op; // of accesses to memory that a recording knows
    int width = 0;                   // of accesses to memory: bytes per lane
    uint32_t ptx_line = 0;           // in KernelCode::ptx, counted from 1; 0: unknown
    uint32_t line = 0;               // in the stage's body file; 0: of none of its lines
    std::string text;                // the disassembler's, where one is installed
};

struct KernelCode {
    std::string kernel; // with its template arguments
    std::vector<Instruction> instructions;
    std::vector<std::string> ptx;        // lines
    std::vector<uint32_t> ptx_to_source; // of each line of PTX: the line in the stage's body file, or 0
};

struct MachineCode {
    uint32_t compute_capability = 0;
    std::string compiler;            // "NVRTC 13.0"
    std::string disassembler;        // the one that was used; empty: none is installed
    std::vector<KernelCode> kernels; // as they are launched: one, or two
};

// Of the uninstrumented kernel. Needs no GPU. Throws Unavailable: no NVRTC, or built without the toolkit; Error with
// the compiler's log.
MachineCode machine_code(const Stage& stage, const ParameterValues& parameters, uint32_t compute_capability);

// The stage's kernels as PTX that the PTX machine alone runs: they say each of their accesses (device/watch_probe.h).
// No machine code is made of it. Throws likewise.
MachineCode watched_ptx(const Stage& stage, const ParameterValues& parameters);

struct SourceText {
    std::string name, text; // as it is included
};

// The PTX of a program of CUDA C++ with these headers, for the PTX machine. Throws likewise.
std::string ptx_of(const std::string& program, std::span<const SourceText> headers);

// What a launch runs of one kind of instruction, from one line.
struct SassAccessCounts {
    std::size_t kernel = 0; // in MachineCode::kernels
    uint32_t line = 0;      // in the stage's body file; 0: of none of its lines
    recording::Op op = recording::Op::global_load;
    int width = 0;                // bytes per lane
    int array = -1;               // what they access, in the recording's arrays; -1: not known
    std::string name;             // "LDS.128"
    recording::Totals totals;     // of the whole launch
    uint64_t copy_wavefronts = 0; // of the writes of asynchronous copies, which the totals do not have
    friend bool operator==(const SassAccessCounts&, const SassAccessCounts&) = default;
};

// The accesses to memory that the machine code makes: its path and its addresses followed, without a GPU and without
// data. What bank conflicts and sectors cost is derived from them as from a recording.
struct Executed {
    std::vector<SassAccessCounts> instructions; // by line
    std::string
        opaque; // instructions whose addresses PTX does not tell, which are left out: "LDSM.16.M88.4"; empty: none
    recording::Totals totals() const;
};

// Throws Unavailable with the reason: the path depends on other warps or on data, or the launch is too long. Error
// where the PTX has an instruction that nothing here executes.
Executed executed(const MachineCode& code, const Stage& stage, const ParameterValues& parameters,
                  const recording::Problem& problem, std::stop_token stop);

} // namespace kernels
