// A sequence of pictures in one file: as GIF, or as a video that the program ffmpeg encodes if it is installed.
#pragma once

#include "app/engine/child_process.h"
#include "app/pictures/picture.h"

#include "recording/disk.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace app {

// Reduces the colors of some pictures to a small palette.

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

// A sequence of pictures in one file.
class Animation {
public:
    virtual ~Animation() = default;
    // Adds a picture that is shown for this time. All pictures have the same size. Throws kernels::Error.
    virtual void add(const Picture& picture, int milliseconds) = 0;
    // Writes the file completely or not at all. Throws kernels::Error.
    virtual void finish() = 0;
};

// Creates an animation for a format with motion. `per_second` is the frame rate; a video repeats a picture that lasts
// longer. Throws kernels::Error if the machine lacks a required program.
std::unique_ptr<Animation> make_animation(PictureFormat format, const std::filesystem::path& file, double per_second);

// Writes a GIF that repeats forever. All of its pictures share a palette of 255 colors. For each picture, writes only
// the part that changed.
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

class Video final : public Animation {
public:
    // Throws kernels::Error that says what to install.
    Video(PictureFormat format, std::filesystem::path file, double per_second);
    ~Video() override;
    void add(const Picture& picture, int milliseconds) override;
    void finish() override;

private:
    void start(const Picture& first);
    [[noreturn]] void fail();

    PictureFormat format_;
    std::filesystem::path file_, written_; // written_: temporary file beside file_ until the video is complete
    double per_second_;
    std::optional<ChildProcess> ffmpeg_;
    recording::FileDescriptor in_;
    double shown_ = 0; // in seconds
    long frames_ = 0;
};

} // namespace app
