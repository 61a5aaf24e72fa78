// What a window is opened with.
#pragma once

#include "app/worker/make_worker.h"
#include "app/workspace/patch.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace app {

struct WindowOptions {
    // How the patch was given: by single options, which leave the rest as a window begins; as a place, which is gone to; as a saved
    // state, which has the panels, too.
    enum class Given : uint8_t { options, place, state };
    Patch show; // what is shown first
    Given given = Given::options;
    std::string lesson;                          // that is open, by its slug, or SLUG:STEP from 1; empty: none
    bool may_welcome = false;                    // nothing was asked for: the first page may come
    std::optional<std::string> backend;          // "cuda" or "cpu"; default: the best there is
    std::optional<bool> light;                   // default: as saved, else dark
    std::optional<float> scale;                  // default: the monitor's times the saved one
    WorkerChoice worker;                         // who does the work
    std::vector<std::string> beside;             // commands of workers whose speeds stand beside
    bool run_host = false;                       // the host code of the files that are opened may run
};

// `wake`: see there.
struct SessionOptions;
SessionOptions session_options(const WindowOptions& options, std::function<void()> wake);

} // namespace app
