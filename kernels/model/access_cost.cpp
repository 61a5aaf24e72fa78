#include "model/access_cost.h"

#include <algorithm>
#include <bit>

namespace model {

namespace {

constexpr int row_bytes = banks * bank_bytes; // all banks once: 128 bytes

bool active(const Pattern& pattern, int lane)
{
    return pattern.mask >> lane & 1;
}

// Every active lane's neighbour lane ^ x asks for the same address, wherever it is active.
bool neighbours_agree(const Pattern& pattern, int x)
{
    for (int lane = 0; lane < lanes; ++lane)
        if (active(pattern, lane) && active(pattern, lane ^ x) && pattern.offset[lane] != pattern.offset[lane ^ x])
            return false;
    return true;
}

// Aligned accesses of one width fall in whole columns of banks: 32, 16 or 8 of them. Chunks (width bytes) in one column
// that differ are served one after another.
struct Group {
    std::array<std::array<uint64_t, lanes>, banks> chunks; // [column][turn]
    std::array<uint8_t, banks> turns{};

    // The turn in which the chunk is served.
    int serve(uint64_t chunk, int columns)
    {
        const std::size_t column = chunk % columns;
        for (int turn = 0; turn < turns[column]; ++turn)
            if (chunks[column][turn] == chunk)
                return turn;
        chunks[column][turns[column]] = chunk;
        return turns[column]++;
    }
    int wavefronts() const { return *std::max_element(turns.begin(), turns.end()); }
};

SharedCost cost(const Pattern& pattern, int group_lanes)
{
    SharedCost sum;
    for (int first = 0; first < lanes; first += group_lanes) {
        Group group;
        for (int lane = first; lane < first + group_lanes; ++lane)
            if (active(pattern, lane))
                group.serve(pattern.offset[lane] / pattern.width, row_bytes / pattern.width);
        const int wavefronts = group.wavefronts();
        sum.wavefronts += wavefronts;
        sum.conflicts += std::max(0, wavefronts - 1);
    }
    return sum;
}

} // namespace

int lanes_per_group(recording::Op op, const Pattern& pattern)
{
    const int one_row = std::min(lanes, row_bytes / pattern.width);
    const bool merge = op == recording::Op::shared_load && pattern.width > bank_bytes &&
                       (neighbours_agree(pattern, 1) || neighbours_agree(pattern, 2));
    return merge ? 2 * one_row : one_row;
}

SharedCost shared_access(recording::Op op, const Pattern& pattern)
{
    return cost(pattern, lanes_per_group(op, pattern));
}

GlobalCost global_access(const Pattern& pattern)
{
    std::array<uint64_t, lanes> sectors;
    auto end = sectors.begin();
    for (int lane = 0; lane < lanes; ++lane)
        if (active(pattern, lane))
            *end++ = pattern.offset[lane] / sector_bytes;
    std::sort(sectors.begin(), end);
    const auto different = std::unique(sectors.begin(), end) - sectors.begin();
    return {.requests = pattern.mask != 0, .sectors = static_cast<int>(different)};
}

std::vector<Word> schedule(recording::Op op, const Pattern& pattern)
{
    std::vector<Word> words;
    const int group_lanes = lanes_per_group(op, pattern);
    int wavefronts_before = 0;
    for (int first = 0; first < lanes; first += group_lanes) {
        Group group;
        for (int lane = first; lane < first + group_lanes; ++lane) {
            if (!active(pattern, lane))
                continue;
            const int turn = group.serve(pattern.offset[lane] / pattern.width, row_bytes / pattern.width);
            for (int i = 0; i < pattern.width / bank_bytes; ++i) {
                const uint64_t word = pattern.offset[lane] / bank_bytes + i;
                words.push_back({.lane = static_cast<uint8_t>(lane),
                                 .bank = static_cast<uint8_t>(word % banks),
                                 .wavefront = static_cast<uint8_t>(wavefronts_before + turn),
                                 .group = static_cast<uint8_t>(first / group_lanes),
                                 .word = word});
            }
        }
        wavefronts_before += group.wavefronts();
    }
    return words;
}

} // namespace model
