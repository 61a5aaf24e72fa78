// Internals of the file format, for file.cpp and for tests that create broken files. Use file.h to read or write a
// recording. docs/recording-format.md describes the format.
#pragma once

#include "recording/recording.h"

#include <flatbuffers/flatbuffers.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace recording {

// Limits that writer and reader share. They leave room for an owner map of 8192 x 8192 and for millions of accesses.
// They also bound what the reader allocates for a hostile file.
inline constexpr uint64_t content_limit = uint64_t{1} << 30; // uncompressed bytes of content
inline constexpr size_t parameter_limit = 64;
inline constexpr size_t source_limit = 16;
inline constexpr size_t array_limit = 256;                   // Access::array has 8 bits
inline constexpr size_t instruction_limit = size_t{1} << 18; // per kernel
inline constexpr size_t note_limit = 64;
inline constexpr size_t line_limit = size_t{1} << 16;     // source lines with totals
inline constexpr uint64_t warp_limit = uint64_t{1} << 20; // warps in all traces
inline constexpr size_t name_limit = 4096;                // bytes of any string but the source texts
inline constexpr uint32_t barrier_limit = 256;            // mbarriers per block
inline constexpr size_t source_text_limit = 4u << 20;     // bytes of one source file
// Limits of the kept values, in bytes: of one array, and of all arrays together. They hold separately for the values
// before, after, and after a second run.
inline constexpr size_t most_value_bytes = 1u << 20, most_value_bytes_together = 16u << 20;
// The largest number of blocks of a grid, unless there are more owners or placements.
inline constexpr uint64_t block_limit = 1u << 20;

// The largest length of a list of this type, and the name of its elements in messages.
struct ListLimit {
    size_t most;
    const char* what;
};
template <class T>
inline constexpr ListLimit limit_of{};
template <>
inline constexpr ListLimit limit_of<Parameter>{parameter_limit, "parameters"};
template <>
inline constexpr ListLimit limit_of<SourceFile>{source_limit, "source files"};
template <>
inline constexpr ListLimit limit_of<Array>{array_limit, "arrays"};
template <>
inline constexpr ListLimit limit_of<LineTotals>{line_limit, "lines"};
template <>
inline constexpr ListLimit limit_of<BlockTrace>{warp_limit, "blocks"}; // each block has at least one warp
template <>
inline constexpr ListLimit limit_of<MachineInstruction>{instruction_limit, "machine instructions"};
template <>
inline constexpr ListLimit limit_of<Values>{array_limit, "arrays with values"};
template <>
inline constexpr ListLimit limit_of<Race>{note_limit, "races"};
template <>
inline constexpr ListLimit limit_of<std::string>{note_limit, "notes"};

// Limits of a GPU, with room for future ones. For comparison, an H200 has 132 SMs. Each supports 227 KiB of shared
// memory per block, 32 blocks, 2,048 threads, 255 registers per thread and 512 KiB of local memory per thread.
inline constexpr uint64_t shared_bytes_limit = 256u << 10;
inline constexpr uint32_t sm_limit = 1024, blocks_per_sm_limit = 64, threads_per_sm_limit = 8192;
inline constexpr uint32_t registers_limit = 1024, local_bytes_limit = 1u << 20;

// The header before the compressed content. Its 40 bytes are the same in every version of the format.
struct Header {
    uint16_t major = 3, minor = 5;
    uint64_t compressed_bytes = 0;   // the rest of the file
    uint64_t uncompressed_bytes = 0; // the content
};
inline constexpr size_t header_bytes = 40;
inline constexpr Header current_format{};
inline constexpr uint16_t oldest_major = 1; // oldest readable version; it has fewer kinds of access and no pitch

std::array<std::byte, header_bytes> to_bytes(const Header& header);

// Returns an upper bound, in bytes, for the size of encode()'s result.
uint64_t encoded_bound(const Recording& recording);

// Encodes the recording as a FlatBuffer without checks: first call check() and compare encoded_bound() with
// content_limit.
flatbuffers::DetachedBuffer encode(const Recording& recording);

// Decodes a recording. Verifies everything that memory safety needs, but the result may be inconsistent: call check().
// Throws kernels::Error with the reason as half a sentence ("its tables are malformed").
Recording decode(std::span<const std::byte> content);

// Throws kernels::Error, with the reason as half a sentence, if the recording contradicts itself or exceeds a limit
// above. Views may then index and multiply its numbers safely.
void check(const Recording& recording);

} // namespace recording
