// Facts of the shipped recordings of all stages, for views that show the whole ladder. Reading them takes a while.
#pragma once

#include "recording/measured.h"
#include "stage.h"

#include "viz/analysis/roofline.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace app {

// Facts of one stage with the parameters of its recordings.
struct ShippedLaunch {
    std::string slug;
    std::vector<recording::Parameter> parameters;
    recording::Measured<viz::Traffic> traffic; // of the larger launch if there is one
    std::optional<viz::ReuseTile> tile;
    std::optional<recording::Resources> resources;
    std::shared_ptr<const recording::Recording> tall; // SLUG-tall.gscope: few tiles of C and a long K
    std::shared_ptr<const recording::Recording>
        launch; // SLUG.gscope in the folder `launches`: many blocks, none in full
};

struct ShippedLaunches {
    std::vector<ShippedLaunch> stages;

    // Returns null if nothing with these parameters is shipped.
    const ShippedLaunch* find(std::string_view slug, const std::vector<recording::Parameter>& parameters) const;
};

// Reads the recordings. Skips unreadable ones, because showing them reports the error.
ShippedLaunches read_shipped_launches(const std::filesystem::path& folder, const std::vector<kernels::Stage>& ladder,
                                      std::stop_token stop);

} // namespace app
