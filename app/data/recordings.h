// The recordings that are shipped for users without a GPU, one of every stage. scripts/make-assets makes them on a GPU.
#pragma once

#include "backend.h"

#include <filesystem>
#include <string>

namespace app {

// Returns $GEMMSCOPE_RECORDINGS, otherwise share/gemmscope/recordings beside the program's folder, otherwise
// assets/recordings in the source tree of the build. The folder need not exist.
std::filesystem::path shipped_folder();

// Returns the traced kernel that a library launched on a GPU, by the baseline's slug. Empty if the folder has none.
std::filesystem::path traced_library(const std::filesystem::path& folder, std::string_view slug);

// Finds a file that lessons and commands name, for example "programs/transpose.gscope". If it does not exist, looks for
// it in the shipped folder.
std::filesystem::path found_file(const std::filesystem::path& shipped, const std::filesystem::path& file);

// Returns the file for a launch of the stage's standard parameters with full or ragged tiles. Empty if it does not
// exist. See kernels/recording/tiles.h.
std::filesystem::path shipped_size(const std::filesystem::path& folder, const kernels::Stage& stage,
                                   const recording::Problem& problem);

// Reads the shipped recording of the stage. Throws kernels::Unavailable if there is none, and kernels::Error if it
// cannot be read or is something else.
recording::Recording read_shipped_recording(const std::filesystem::path& folder, const kernels::Stage& stage);

// Returns whether the recording is what the job would record, regardless of which blocks are in full.
bool answers(const recording::Recording& recording, const kernels::Job& job);

// Returns whether the stage's source changed since the recording.
bool changed_since(const recording::Recording& recording, const kernels::Stage& stage);

} // namespace app
