#include "injection/injected/memory_copies.h"

#include "injection/injected/sanitizer_api.h"

#include <algorithm>
#include <fstream>
#include <new>
#include <stdexcept>

namespace injection {

namespace {

constexpr uint64_t most_bytes_before = 1ull << 30, most_bytes_kept = 64ull << 20;

// Memory of another GPU, and what CUDA's own device functions use.
constexpr uint32_t not_copied = memory_of_peer | memory_of_cooperative_groups | memory_of_dynamic_parallelism;

// Returns the allocation that contains the address, or the end of the map.
Allocations::const_iterator allocation_at(const Allocations& allocations, uint64_t address)
{
    auto after = allocations.upper_bound(address);
    if (after == allocations.begin() || address - std::prev(after)->first >= std::prev(after)->second.bytes)
        return allocations.end();
    return std::prev(after);
}

bool touches_global(const InstructionTotals& totals)
{
    switch (totals.kind) {
    case EventKind::global_access:
    case EventKind::copy_read:
    case EventKind::bulk_read:
    case EventKind::bulk_write: return totals.executed > 0 && totals.highest >= ~totals.not_lowest;
    default: return false;
    }
}

} // namespace

std::vector<MemoryCopies::Range> MemoryCopies::joined(std::vector<Range> ranges)
{
    std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) { return a.first < b.first; });
    std::vector<Range> result;
    for (const Range& range : ranges)
        if (!result.empty() && range.first < result.back().end)
            result.back().end = std::max(result.back().end, range.end);
        else if (range.first < range.end)
            result.push_back(range);
    return result;
}

void MemoryCopies::add_problem(const std::string& sentence)
{
    if (std::find(problems_.begin(), problems_.end(), sentence) == problems_.end())
        problems_.push_back(sentence);
}

bool MemoryCopies::take(Piece& piece, const Range& range, const Copy& copy)
{
    piece.first = range.first;
    try {
        piece.bytes.resize(range.end - range.first);
    } catch (const std::bad_alloc&) {
        add_problem("The program's process has no memory left for copies of what is on the GPU.");
        return false;
    }
    const std::string problem = copy(piece.bytes.data(), range.first, piece.bytes.size());
    if (!problem.empty())
        add_problem(problem);
    return problem.empty();
}

void MemoryCopies::before(const Allocations& allocations, const std::vector<uint64_t>& pointers, const Copy& copy)
{
    pointers_ = pointers;
    struct Candidate {
        Range range;
        std::vector<uint64_t> pointers;
    };
    std::vector<Candidate> candidates;
    for (const auto& [first, allocated] : allocations) {
        const bool has_pointer = std::any_of(pointers.begin(), pointers.end(), [&, start = first](uint64_t pointer) {
            return pointer - start < allocated.bytes;
        });
        if (!allocated.of_cuda_malloc || (allocated.flags & memory_managed) != 0) {
            if (has_pointer)
                add_problem("Managed, page-locked and stream-ordered memory is not copied, only that of cudaMalloc.");
            continue;
        }
        if ((allocated.flags & not_copied) != 0)
            continue;
        candidates.push_back({.range = {first, first + allocated.bytes}, .pointers = {}});
        for (const uint64_t pointer : pointers)
            if (pointer - first < allocated.bytes)
                candidates.back().pointers.push_back(pointer);
    }
    std::stable_sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
        const auto order = [](const Candidate& one) {
            return std::pair(one.pointers.empty(), one.range.end - one.range.first);
        };
        return order(a) < order(b);
    });
    std::vector<Range> ranges;
    uint64_t left = most_bytes_before;
    for (const Candidate& one : candidates)
        if (const uint64_t bytes = one.range.end - one.range.first; bytes <= left) {
            left -= bytes;
            ranges.push_back(one.range);
        } else {
            add_problem("The program has more memory on the GPU than the 1 GiB that is copied before a launch.");
            for (const uint64_t pointer : one.pointers)
                ranges.push_back({pointer, std::min(pointer + most_bytes_, one.range.end)});
        }
    for (const Range& range : joined(std::move(ranges)))
        if (Piece piece; take(piece, range, copy))
            before_.push_back(std::move(piece));
}

void MemoryCopies::after(const Allocations& allocations, const std::vector<InstructionTotals>& totals, const Copy& copy)
{
    std::vector<uint64_t> places = pointers_;
    for (const InstructionTotals& one : totals)
        if (touches_global(one))
            places.push_back(~one.not_lowest);
    std::vector<Range> wanted;
    for (const uint64_t place : places) {
        const auto allocation = allocation_at(allocations, place);
        if (allocation == allocations.end())
            continue;
        const uint64_t end = allocation->first + allocation->second.bytes;
        for (const uint64_t first : {allocation->first, place})
            wanted.push_back({first, std::min(first + most_bytes_, end)});
    }
    uint64_t left = most_bytes_kept;
    for (const Range& range : joined(std::move(wanted)))
        for (const Piece& held : before_) {
            const Range both{std::max(range.first, held.first), std::min(range.end, held.end())};
            if (both.first >= both.end)
                continue;
            if (both.end - both.first > left) {
                add_problem("The launch touches so many buffers that not all of them are kept.");
                continue;
            }
            const auto from = held.bytes.begin() + static_cast<std::ptrdiff_t>(both.first - held.first);
            Kept kept{.before = {both.first, {from, from + static_cast<std::ptrdiff_t>(both.end - both.first)}},
                      .after = {}};
            if (!take(kept.after, both, copy))
                continue;
            left -= both.end - both.first;
            kept_.push_back(std::move(kept));
        }
    before_.clear();
}

void MemoryCopies::write(const std::filesystem::path& file) const
{
    std::ofstream to(file, std::ios::binary);
    for (const Kept& kept : kept_) {
        const uint64_t place[2] = {kept.before.first, kept.before.bytes.size()};
        to.write(reinterpret_cast<const char*>(place), sizeof place);
        for (const Piece* const piece : {&kept.before, &kept.after})
            to.write(piece->bytes.data(), static_cast<std::streamsize>(piece->bytes.size()));
    }
    if (!to.flush())
        throw std::runtime_error(file.string() + " could not be written.");
}

} // namespace injection
