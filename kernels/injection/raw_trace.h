// Reads and validates the output of a traced program, without interpreting it.
#pragma once

#include "injection/request.h"
#include "injection/trace_format.h"
#include "recording/recording.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace injection {

struct TracedBlock {
    uint32_t block = 0;  // linear index
    uint64_t wanted = 0; // number of events; if more than were kept, the block is incomplete
    std::vector<Event> events;
    bool whole() const { return wanted == events.size(); }
};

struct Allocation {
    uint64_t address = 0, bytes = 0;
};

// Global memory before and after the launch.
struct KeptMemory {
    uint64_t address = 0;
    std::vector<uint8_t> before, after; // of the same size
};

struct RawTrace {
    std::string kernel; // mangled
    std::string name;   // demangled
    recording::Launch launch;
    recording::Index3 cluster;
    recording::Device device;
    recording::Resources resources;  // blocks_per_sm is not reported
    uint64_t pc = 0, code_bytes = 0; // address range of the kernel's code
    uint64_t lost = 0;               // events that had no room in the table of instructions
    std::vector<TracedBlock> blocks;
    std::vector<InstructionTotals> totals; // ascending by pc
    std::vector<BlockRun> runs;            // one per block, by linear index
    std::vector<Allocation> allocations;   // ascending
    std::vector<ArgumentWord> arguments;   // empty if they were not seen
    std::vector<KeptMemory> kept;          // apart from each other
    std::vector<std::string> not_kept;     // why memory is missing there, as sentences
    std::string cubin;                     // of the kernel's module
};

// Throws kernels::Error if the folder's files are inconsistent.
RawTrace read_trace(const std::filesystem::path& folder);

// A kernel launch in the list of a program's launches.
struct ListedLaunch {
    std::string name; // demangled
    recording::Launch launch;
    recording::Index3 cluster;
    recording::Resources resources;
    uint64_t count = 0;         // number of launches that are otherwise identical
    double time_ns = 0;         // total time of these launches
    uint64_t first = 0;         // position of the first one among all launches, starting at 1
    uint64_t first_of_name = 0; // position among the launches of kernels with this name
};

// Returns the launches in the order of their first occurrence.
std::vector<ListedLaunch> read_launches(const std::filesystem::path& folder);

// Returns the errors of the injected library as sentences; empty if there were none.
std::string read_errors(const std::filesystem::path& folder);

} // namespace injection
