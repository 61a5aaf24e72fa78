// The memory that a traced launch worked on, as arrays of a recording.
#pragma once

#include "injection/raw_trace.h"
#include "recording/recording.h"
#include "traced/builder.h"

#include <cstdint>
#include <string>
#include <vector>

namespace injection {

inline bool in_global(EventKind kind)
{
    return kind == EventKind::global_access || kind == EventKind::copy_read;
}

inline bool in_shared(EventKind kind)
{
    return kind == EventKind::shared_access || kind == EventKind::matrix_access;
}

// What a launch's global memory was taken for: ranges of addresses that its instructions touched, those that overlap joined,
// none across two allocations. Ascending by address.
struct Buffer {
    uint64_t first = 0, bytes = 0;
    bool read = false, written = false;
    uint32_t element_bytes = 4; // as most of its accesses have it, at most 4 where they are wider
};
std::vector<Buffer> buffers_of(const RawTrace& trace);

// What is known of a launch beside its trace, where gemmscope itself launched the kernel.
struct KnownBuffer {
    recording::Array array;
    char role = '\0'; // 'A', 'B' or 'C' of a multiplication
    uint64_t address = 0;
};
struct KnownLaunch {
    std::string kernel; // as the person wrote it
    recording::Problem problem;
    bool multiplies = false; // A, B and C are all among the buffers
    std::vector<KnownBuffer> buffers;
    recording::SourceFile source; // the file that the kernel is in
};

// The arrays of the recording, and where they lie. The third is the kernel's result.
struct Memory {
    std::vector<recording::Array> arrays;
    std::vector<traced::Place> places;
};
// Its buffers are told by what the instructions do to them; the result is the largest of those that are written.
Memory memory_of(const RawTrace& trace);
// Its buffers are those that are known: A, B and C of a multiplication in their places, else the one that is written most as
// the result.
Memory memory_of(const RawTrace& trace, const KnownLaunch& known);

} // namespace injection
