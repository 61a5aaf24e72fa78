// Files of pictures, read back by other libraries than those that wrote them, or by other programs.
#pragma once

#include "app/pictures/picture.h"

#include <filesystem>
#include <string>
#include <vector>

namespace test {

// Each throws std::runtime_error where it cannot.
app::Picture read_png(const std::filesystem::path& file);
std::vector<app::Picture> read_gif(const std::filesystem::path& file); // as they are shown, one over the other

app::Picture cut(const app::Picture& picture, uint32_t x, uint32_t y, uint32_t width, uint32_t height);

// So many pixels each way become one.
app::Picture shrunk(const app::Picture& picture, uint32_t by);

struct Difference {
    double mean = 0;  // of all channels of all pixels, 0 ... 255
    double share = 0; // of the pixels of which a channel differs by more than 48
    int most = 0;     // of any channel
};
// Throws std::runtime_error where they are not of one size.
Difference difference(const app::Picture& a, const app::Picture& b);

// What a program prints; it finds the fonts that lie in the source tree.
std::string said_by(const std::string& command);

} // namespace test
