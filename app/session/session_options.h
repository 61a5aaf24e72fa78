// What a session begins with: the worker, the folders, what is shown first, and for whom.
#pragma once

#include "app/data/catalogue.h"
#include "app/data/config_folder.h"
#include "app/data/recordings.h"
#include "app/engine/trace.h"
#include "app/engine/worker.h"
#include "app/workspace/choice.h"

#include "stage.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace app {

// A session of a visitor: a person at a browser elsewhere, whom a server lets look at what this machine has. Beside
// other visitors' sessions it shares what is read once, and it reads and writes no file outside of one folder.

struct Visit {
    std::shared_ptr<const std::vector<kernels::Stage>>
        ladder;                                // one for all sessions: their requests then compare equal
    std::function<CataloguePtr()> catalogue;   // waits until it is read; called on other threads
    std::function<ShippedLaunches()> launches; // waits too; also called on other threads
    std::filesystem::path folder;              // the visitor's: what was uploaded, and what is downloaded
    bool kernels = false;                      // the visitor's own kernels may run
    // Offers a file of the folder as a download. Called on any thread.
    std::function<void(const std::filesystem::path&)> hand_out;

    // Whether the file lies in the folder, however its path is written.
    bool has(const std::filesystem::path& file) const
    {
        const std::filesystem::path inside = file.lexically_normal().lexically_relative(folder);
        return file.is_absolute() && !inside.empty() && *inside.begin() != ".." && *inside.begin() != ".";
    }
    bool may_show(const std::filesystem::path& file) const { return has(file) && (kernels || !is_cuda_source(file)); }
};

inline constexpr const char* not_for_visitors =
    "This is not possible in a browser: it belongs to the machine that serves.";

// Initial settings of the window: the worker, the folders, and what is shown first.

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
