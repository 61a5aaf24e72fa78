// What a window is opened with.
#pragma once

#include "app/learn/saved_state.h"
#include "app/worker/make_worker.h"

#include "recording/inputs.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace app {

struct WindowOptions {
    std::string stage = "vectorized";
    std::string compare, third; // beside it; empty: one stage, or two
    std::string view = "flow";
    std::string show;                // a place (app/learn/place.h), instead of stage, view and step; empty: none
    std::optional<SavedState> saved; // all of it
    std::optional<std::filesystem::path> follow; // another window's state: this is its second one
    std::string lesson;                          // that is open, by its slug, or SLUG:STEP from 1; empty: none
    bool may_welcome = false;                    // nothing was asked for: the first page may come
    std::string code; // below the source: "machine", "ptx" or "counters"; empty: the access in words
    std::optional<std::filesystem::path> file;            // a recording to open instead of making one
    std::optional<std::string> backend;                   // "cuda" or "cpu"; default: the best there is
    std::optional<bool> light;                            // default: as saved, else dark
    std::optional<float> scale;                           // default: the monitor's times the saved one
    recording::Inputs inputs = recording::Inputs::random; // of what is recorded
    bool tiny = false;                                    // see Choice
    WorkerChoice worker;                                  // who does the work
    std::vector<std::string> beside;                      // commands of workers whose speeds stand beside
    bool run_host = false;                                // the host code of the files that are opened may run
    bool candidates = false; // open what a search for the stage's parameters tried, where that is shipped
};

// `wake`: see there.
struct SessionOptions;
SessionOptions session_options(const WindowOptions& options, std::function<void()> wake);

} // namespace app
