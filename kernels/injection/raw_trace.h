// What a traced program left: read and checked, nothing concluded.
#pragma once

#include "injection/trace_format.h"
#include "recording/recording.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace injection {

struct TracedBlock {
    uint32_t block = 0;  // linear
    uint64_t wanted = 0; // events that there were; more than were kept: the block is not whole
    std::vector<Event> events;
    bool whole() const { return wanted == events.size(); }
};

struct Allocation {
    uint64_t address = 0, bytes = 0;
};

struct RawTrace {
    std::string kernel; // as the linker names it
    std::string name;   // demangled
    recording::Launch launch;
    recording::Index3 cluster;
    recording::Device device;
    recording::Resources resources;  // blocks_per_sm is not told
    uint64_t pc = 0, code_bytes = 0; // where the kernel's code lay
    uint64_t lost = 0;               // events of instructions that the table had no room for
    std::vector<TracedBlock> blocks;
    std::vector<InstructionTotals> totals; // ascending by pc
    std::vector<BlockRun> runs;            // of each block, linear
    std::vector<Allocation> allocations;   // ascending
    std::string cubin;                     // of the module that the kernel is in
};

// Throws kernels::Error where the folder's files do not fit each other.
RawTrace read_trace(const std::filesystem::path& folder);

// A kernel as a program launched it, from the list of its launches.
struct ListedLaunch {
    std::string name; // demangled
    recording::Launch launch;
    recording::Index3 cluster;
    recording::Resources resources;
    uint64_t count = 0;         // how often, all else being the same
    double time_ns = 0;         // of all of them
    uint64_t first = 0;         // place of the first among all launches, from 1
    uint64_t first_of_name = 0; // and among those of kernels of this name
};

// In the order of their first launch.
std::vector<ListedLaunch> read_launches(const std::filesystem::path& folder);

// What the injected library could not do, in sentences; empty: nothing.
std::string read_errors(const std::filesystem::path& folder);

} // namespace injection
