// Which words of global memory a range of blocks uses: where no word that one range writes is used by another one, it does not
// show in which order their blocks ran, or that they ran at the same time.
#pragma once

#include "ptx/memory.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ptx {

class GlobalUse {
public:
    explicit GlobalUse(const std::vector<Region>& regions)
    {
        for (const Region& region : regions) // what is only read shows no order
            words_.emplace_back(region.writable ? (region.bytes.size() + 4 * word_bits - 1) / (4 * word_bits) : 0);
    }

    // Of bytes that lie in one region.
    void add(uint64_t address, uint64_t bytes, bool writes)
    {
        const uint64_t region = region_number(address), first = address - global_address(region);
        std::vector<Words>& words = words_[region];
        if (words.empty() || bytes == 0)
            return;
        for (uint64_t at = first / 4; at <= (first + bytes - 1) / 4; ++at) {
            const uint64_t bit = uint64_t{1} << at % word_bits;
            words[at / word_bits].used |= bit;
            words[at / word_bits].written |= writes ? bit : 0;
        }
    }

    // Adds what other blocks use. False: both use a word that one of them writes.
    bool join(const GlobalUse& other)
    {
        uint64_t both = 0;
        for (std::size_t region = 0; region < words_.size(); ++region)
            for (std::size_t i = 0; i < words_[region].size(); ++i) {
                Words& mine = words_[region][i];
                const Words& others = other.words_[region][i];
                both |= (mine.used & others.written) | (mine.written & others.used);
                mine.used |= others.used;
                mine.written |= others.written;
            }
        return both == 0;
    }

private:
    static constexpr uint64_t word_bits = 64; // a bit for each 4 bytes
    struct Words {
        uint64_t used = 0, written = 0;
    };
    std::vector<std::vector<Words>> words_; // of each region
};

} // namespace ptx
