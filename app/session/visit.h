// A session of a visitor: a person at a browser elsewhere, whom a server lets look at what this machine has. Beside other visitors'
// sessions it shares what is read once, and it reads and writes no file outside of one folder.
#pragma once

#include "app/data/catalogue.h"
#include "app/data/shipped_launches.h"
#include "app/engine/trace.h"

#include "stage.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

namespace app {

struct Visit {
    std::shared_ptr<const std::vector<kernels::Stage>>
        ladder;                                // one for all sessions: their requests then compare equal
    std::function<CataloguePtr()> catalogue;   // waits until it is read; called on other threads
    std::function<ShippedLaunches()> launches; // likewise
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

} // namespace app
