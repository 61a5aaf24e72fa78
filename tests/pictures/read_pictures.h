// Reads picture files with other libraries or programs than those that wrote them.
#pragma once

#include "app/pictures/picture.h"

#include <filesystem>
#include <string>
#include <vector>

namespace test {

// Both throw std::runtime_error if the file cannot be read.
app::Picture read_png(const std::filesystem::path& file);
std::vector<app::Picture> read_gif(const std::filesystem::path& file); // the pictures as they are displayed

app::Picture cut(const app::Picture& picture, uint32_t x, uint32_t y, uint32_t width, uint32_t height);

// Averages squares of `by` x `by` pixels.
app::Picture shrunk(const app::Picture& picture, uint32_t by);

struct Difference {
    double mean = 0;  // of all channels of all pixels, 0 ... 255
    double share = 0; // of pixels in which a channel differs by more than 48
    int most = 0;     // of any channel
};
// Throws std::runtime_error if the sizes differ.
Difference difference(const app::Picture& a, const app::Picture& b);

// Returns the output of a shell command. Programs use the fonts of the source tree.
std::string said_by(const std::string& command);

} // namespace test
