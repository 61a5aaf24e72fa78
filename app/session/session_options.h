// With what the window begins: who works, where things are kept, and what is shown first.
#pragma once

#include "app/catalogue/config_folder.h"
#include "app/session/visit.h"
#include "app/worker/make_worker.h"
#include "app/workspace/choice.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace app {

struct SessionOptions {
    std::string first = "vectorized", second, third; // slugs; second empty: no comparison; third empty: of two
    std::optional<std::string> backend;              // "cuda", "cpu"; default: the best there is
    recording::Inputs inputs = recording::Inputs::random;
    bool tiny = false;
    std::optional<std::filesystem::path> file; // shown as the first instead of a recording made here
    std::filesystem::path shipped;             // see shipped_folder(); empty: nothing is shipped
    std::function<void()> wake = [] {};        // called from other threads when poll() has something to take
    std::filesystem::path tuned = TunedFile::usual_path();
    std::filesystem::path traces = data_folder() / "traces"; // recordings of other programs are kept there
    std::filesystem::path own = own_stages_folder();         // a person's own sources
    WorkerChoice worker;                                     // who does the work
    bool measures = true;                                    // every stage is verified, and timed on a GPU, unasked
    std::shared_ptr<const Visit> visit;                      // null: a person at this machine
};

// Throws kernels::Error naming the valid slugs.
Choice first_choice(const std::vector<kernels::Stage>& ladder, const SessionOptions& options);

} // namespace app
