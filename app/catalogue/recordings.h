// The recordings that come with gemmscope for those who have no GPU, one of every rung, made on one by scripts/make-assets.
#pragma once

#include "backend.h"

#include <filesystem>
#include <string>

namespace app {

// $GEMMSCOPE_RECORDINGS; else share/gemmscope/recordings beside the program's folder, or assets/recordings in the source
// tree that it was built from. It need not exist.
std::filesystem::path shipped_folder();

// The kernel that a library launched, traced on a GPU, by the baseline's slug; empty where none is in the folder.
std::filesystem::path traced_library(const std::filesystem::path& folder, std::string_view slug);

// A file as lessons and commands name it: one that is not here is looked for among what is shipped, "programs/transpose.gscope".
std::filesystem::path found_file(const std::filesystem::path& shipped, const std::filesystem::path& file);

// The file that should hold a launch of the stage's standard parameters with whole or with ragged tiles, if it is there; else
// empty. See kernels/recording/tiles.h.
std::filesystem::path shipped_size(const std::filesystem::path& folder, const kernels::Stage& stage,
                                   const recording::Problem& problem);

// Throws kernels::Unavailable when there is none of this stage, kernels::Error when what is there cannot be read or is
// something else.
recording::Recording read_shipped_recording(const std::filesystem::path& folder, const kernels::Stage& stage);

// Whether it is what the job would record, blocks aside.
bool answers(const recording::Recording& recording, const kernels::Job& job);

// Whether the stage's source is another one than when this was recorded.
bool changed_since(const recording::Recording& recording, const kernels::Stage& stage);

} // namespace app
