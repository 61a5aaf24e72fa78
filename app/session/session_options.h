// Initial settings of the window: the worker, the folders, and what is shown first.
#pragma once

#include "app/data/config_folder.h"
#include "app/engine/worker.h"
#include "app/session/visit.h"
#include "app/workspace/choice.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace app {

struct SessionOptions {
    std::string first = "vectorized", second, third; // slugs; second empty: no comparison; third empty: two columns
    std::optional<std::string> backend;              // "cuda" or "cpu"; default: the best available
    recording::Inputs inputs = recording::Inputs::random;
    bool tiny = false;
    std::optional<std::filesystem::path> file; // shown first instead of a new recording
    std::filesystem::path shipped;             // see shipped_folder(); empty: nothing is shipped
    std::function<void()> wake = [] {};        // called from other threads when poll() has something to take
    std::filesystem::path tuned = TunedFile::usual_path();
    std::filesystem::path traces = data_folder() / "traces"; // recordings of other programs are kept there
    std::filesystem::path own = own_stages_folder();         // a person's own sources
    WorkerChoice worker;                                     // who does the work
    bool measures = true;                                    // every stage is verified, and timed on a GPU, unasked
    std::shared_ptr<const Visit> visit;                      // null: a person at this machine
};

// Returns the initial choice. Throws kernels::Error that lists the valid slugs.
Choice first_choice(const std::vector<kernels::Stage>& ladder, const SessionOptions& options);

} // namespace app
