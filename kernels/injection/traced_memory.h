// The memory of a traced launch as arrays of a recording.
#pragma once

#include "injection/raw_trace.h"
#include "recording/recording.h"
#include "traced/builder.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
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

// A buffer inferred from a launch's accesses: a range of global addresses that instructions touched. Overlapping ranges
// are joined, but never across allocations. Buffers are in ascending order of address.
struct Buffer {
    uint64_t first = 0, bytes = 0;
    bool read = false, written = false;
    uint32_t element_bytes = 4; // width of most of its accesses, at most 4
    std::string name, type;     // those of the parameter that points to it; empty if unknown
};
std::vector<Buffer> buffers_of(const RawTrace& trace);

// An argument of the launch that points to global memory.
struct PointerArgument {
    uint64_t address = 0;
    std::string name, type; // "in", "float"; the type is empty if it is unknown
};
// Takes the types from the kernel's demangled name and the names from its source, if there is one.
std::vector<PointerArgument> pointers_of(const RawTrace& trace, std::string_view source);

// Additional knowledge about a launch if gemmscope itself launched the kernel.
struct KnownBuffer {
    recording::Array array;
    char role = '\0'; // 'A', 'B' or 'C' of a multiplication
    uint64_t address = 0;
    std::string type = {}; // of its elements
};
struct KnownLaunch {
    std::string kernel; // as written by the user
    recording::Problem problem;
    bool multiplies = false; // A, B and C are all among the buffers
    std::vector<KnownBuffer> buffers;
    recording::SourceFile source; // the file that contains the kernel
};

// The arrays of the recording and their addresses. The third array is the kernel's result.
struct Memory {
    std::vector<recording::Array> arrays;
    std::vector<traced::Place> places;
    std::map<std::size_t, std::string> types; // of the elements, by array, as far as they are known
};
// Infers the buffers from the accesses. The result is the largest buffer that is written. `pointers` give them names
// and types.
Memory memory_of(const RawTrace& trace, const std::vector<PointerArgument>& pointers);
// Uses the known buffers. For a multiplication, A, B and C take the first three positions; otherwise the buffer with
// the most bytes written is the result.
Memory memory_of(const RawTrace& trace, const KnownLaunch& known);

} // namespace injection
