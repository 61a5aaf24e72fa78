// Options of a session: the worker, the folders, what is shown first, and for which user.
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

// A visitor is a user in a browser on another machine, to whom a server shows this machine's recordings. The sessions
// of all visitors share data that is read once. A session reads and writes no file outside of its visitor's folder.

struct Visit {
    std::shared_ptr<const std::vector<kernels::Stage>>
        ladder;                                // one for all sessions: their requests then compare equal
    std::function<CataloguePtr()> catalogue;   // waits until it is read; called on other threads
    std::function<ShippedLaunches()> launches; // waits too; also called on other threads
    std::filesystem::path folder;              // the visitor's folder for uploads and downloads
    bool kernels = false;                      // the visitor's own kernels may run
    // Offers a file of the folder as a download. Called on any thread.
    std::function<void(const std::filesystem::path&)> hand_out;

    // Returns whether the file is in the folder, however its path is written.
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
    std::filesystem::path own = own_stages_folder();         // folder of the user's kernels
    WorkerChoice worker;                                     // runs the tasks
    bool measures = true;               // verify every stage, and time it on a GPU, without a request
    std::shared_ptr<const Visit> visit; // null: the user is at this machine
};

// Returns the initial choice. Throws kernels::Error that lists the valid slugs.
Choice first_choice(const std::vector<kernels::Stage>& ladder, const SessionOptions& options);

} // namespace app
