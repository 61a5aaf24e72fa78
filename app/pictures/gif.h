// A GIF that repeats for ever, in the 255 colours that suit all of its pictures. What does not change is not written again.
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
    // The palette is known when the last picture is; till then they are kept compressed.
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
