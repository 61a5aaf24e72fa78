// An endlessly repeating GIF. All of its pictures share a palette of 255 colors. Writes only the part of a
// picture that changed.
#pragma once

#include "app/pictures/animation.h"
#include "app/pictures/palette.h"

#include <cstddef>
#include <vector>

namespace app {

class Gif final : public Animation {
public:
    explicit Gif(std::filesystem::path file) : file_(std::move(file)) {}
    void add(const Picture& picture, int milliseconds) override;
    void finish() override;

private:
    // A compressed picture. Pictures are kept until the last one is known, because the palette depends on all of them.
    struct Kept {
        std::vector<std::byte> compressed;
        int milliseconds = 0;
    };
    std::filesystem::path file_;
    uint32_t width_ = 0, height_ = 0;
    bool transparent_ = false;
    ColourCounts counts_;
    std::vector<Kept> kept_;
};

} // namespace app
