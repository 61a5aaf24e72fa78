// What the window begins with, and files that are opened in it.
#pragma once

#include "app/shell/options.h"
#include "app/state/navigation.h"
#include "app/state/state_files.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace app {

// Throws kernels::Error that names the valid ones.
void refuse_unknown_view(const std::vector<std::unique_ptr<viz::View>>& views, const std::string& name);

// The place, the lesson, the quiz or the saved state that the options name. Throws kernels::Error for one that there is not.
void open_at_start(Session& session, State& state, const WindowOptions& options);

// A recording, a CUDA source or a saved state; of others the status line says what can be opened.
void open_file(Session& session, State& state, StateFiles& files, const std::filesystem::path& file);

// What became of saving and opening states.
void take_outcome(Session& session, State& state, StateFiles& files);

} // namespace app
