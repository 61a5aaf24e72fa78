// The few colours that stand for the many of some pictures.
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
    // At most `most` colours, 0x00BBGGRR. A colour that covers much is among them as it is.
    std::vector<uint32_t> palette(std::size_t most) const;

private:
    std::unordered_map<uint32_t, uint64_t> counts_;
};

// Which colour of a palette comes nearest to another.
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
