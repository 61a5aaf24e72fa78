// How a view shall be written to a file.
#pragma once

#include "app/pictures/format.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <utility>

namespace app {

struct PictureLook {
    int width = 1280, height = 800; // in units, of which `scale` pixels are one
    float scale = 1;
    bool light = true, transparent = false;
    friend bool operator==(const PictureLook&, const PictureLook&) = default;
};

struct ExportWish {
    std::filesystem::path file; // whose ending says what is written
    PictureLook look;
    bool plays = false;                                       // else one picture of what is shown
    std::optional<std::pair<std::size_t, std::size_t>> steps; // played from the one to the other; none: all of them
    double per_second = 20;
    std::optional<double> seconds; // how long it is played; none: as in the window, but 15 at most
};

} // namespace app
