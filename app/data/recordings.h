// The recordings that are shipped for users without a GPU, one for each stage, and facts about them for views of the
// whole ladder. scripts/make-assets makes them on a GPU.
#pragma once

#include "viz/analysis/roofline.h"

#include "backend.h"
#include "recording/measured.h"
#include "stage.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace app {

// Returns $GEMMSCOPE_RECORDINGS, otherwise share/gemmscope/recordings beside the program's folder, otherwise
// assets/recordings in the source tree of the build. The folder need not exist.
std::filesystem::path shipped_folder();

// Returns the traced kernel that a library launched on a GPU, by the baseline's slug. Empty if the folder has none.
std::filesystem::path traced_library(const std::filesystem::path& folder, std::string_view slug);

// Finds a file that lessons and commands name, for example "programs/transpose.gscope". If it does not exist, looks for
// it in the shipped folder.
std::filesystem::path found_file(const std::filesystem::path& shipped, const std::filesystem::path& file);

// Returns the shipped file for a launch with the stage's standard parameters, if the problem has ragged tiles or is the
// common one (kernels/recording/tiles.h). Empty if there is no such file.
std::filesystem::path shipped_size(const std::filesystem::path& folder, const kernels::Stage& stage,
                                   const recording::Problem& problem);

// Reads the shipped recording of the stage. Throws kernels::Unavailable if there is none, and kernels::Error if it
// cannot be read or is something else.
recording::Recording read_shipped_recording(const std::filesystem::path& folder, const kernels::Stage& stage);

// Returns whether the recording is what the job would record, regardless of which blocks are in full.
bool answers(const recording::Recording& recording, const kernels::Job& job);

// Returns whether the stage's source changed since the recording.
bool changed_since(const recording::Recording& recording, const kernels::Stage& stage);

// Facts of the shipped recordings of all stages, for views that show the whole ladder. Reading them takes a while.

// Facts of one stage with the parameters of its recordings.
struct ShippedLaunch {
    std::string slug;
    std::vector<recording::Parameter> parameters;
    recording::Measured<viz::Traffic> traffic; // traffic of `launch` if it exists, else of the smaller recording
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
