// Options for exporting a view to a file.
#pragma once

#include "app/pictures/format.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <utility>

namespace app {

struct PictureLook {
    int width = 1280, height = 800; // in units of `scale` pixels
    float scale = 1;
    bool light = true, transparent = false;
    friend bool operator==(const PictureLook&, const PictureLook&) = default;
};

struct ExportWish {
    std::filesystem::path file; // the extension determines the format
    PictureLook look;
    bool plays = false;                                       // otherwise one picture of what is shown
    std::optional<std::pair<std::size_t, std::size_t>> steps; // first and last step to play; empty: all
    double per_second = 20;
    std::optional<double> seconds; // duration in seconds; empty: as in the window, but at most 15
};

} // namespace app
