// Reduces the colors of some pictures to a small palette.
#pragma once

#include "app/pictures/picture.h"

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace app {

class ColourCounts {
public:
    void add(const Picture& picture);
    // Returns at most `most` colors as 0x00BBGGRR. A color that covers a large area is included unchanged.
    std::vector<uint32_t> palette(std::size_t most) const;

private:
    std::unordered_map<uint32_t, uint64_t> counts_;
};

// Finds the palette color nearest to another color.
class NearestColour {
public:
    explicit NearestColour(std::vector<uint32_t> palette) : palette_(std::move(palette)) {}
    std::size_t find(uint32_t colour);
    const std::vector<uint32_t>& palette() const { return palette_; }

private:
    std::vector<uint32_t> palette_;
    std::unordered_map<uint32_t, std::size_t> known_;
};

} // namespace app
