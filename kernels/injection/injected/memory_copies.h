// Keeps what global memory held before and after the recorded launch. What the launch touches is known only after it,
// so more is copied before.
#pragma once

#include "injection/trace_format.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace injection {

struct Allocated {
    uint64_t bytes = 0;
    uint32_t flags = 0;         // of MemoryData
    bool of_cuda_malloc = true; // neither page-locked host memory nor stream-ordered memory
};
using Allocations = std::map<uint64_t, Allocated>; // by address

class MemoryCopies {
public:
    // Copies bytes from global memory to the host. Returns why it could not; an empty text if it did.
    using Copy = std::function<std::string(void* to, uint64_t from, uint64_t bytes)>;

    // Of each buffer, `most_bytes` are kept.
    explicit MemoryCopies(uint64_t most_bytes) : most_bytes_(most_bytes) {}

    // Copies whole allocations, at most 1 GiB together: those first that an argument of the launch points to, and of
    // these, and of the others, the smallest first. Of one that is too large, copies what follows each such address.
    void before(const Allocations& allocations, const std::vector<uint64_t>& pointers, const Copy& copy);

    // Copies again, of what was copied before, what follows each place where a buffer can begin: the lowest address
    // that each of the launch's instructions touched, each argument, and the start of their allocations. Instructions
    // that use a tensor map are not seen.
    void after(const Allocations& allocations, const std::vector<InstructionTotals>& totals, const Copy& copy);

    // Writes the file of request.h.
    void write(const std::filesystem::path& file) const;

    const std::vector<std::string>& problems() const { return problems_; } // why something is missing, as sentences

private:
    struct Range {
        uint64_t first = 0, end = 0;
    };
    struct Piece {
        uint64_t first = 0;
        std::vector<char> bytes;
        uint64_t end() const { return first + bytes.size(); }
    };
    struct Kept {
        Piece before, after;
    };
    static std::vector<Range> joined(std::vector<Range> ranges); // joins what overlaps; ascending
    bool take(Piece& piece, const Range& range, const Copy& copy);
    void add_problem(const std::string& sentence);

    uint64_t most_bytes_;
    std::vector<uint64_t> pointers_;
    std::vector<Piece> before_; // apart from each other
    std::vector<Kept> kept_;
    std::vector<std::string> problems_;
};

} // namespace injection
