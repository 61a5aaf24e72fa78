// A thread that searches for a stage's parameters while the window goes on.
#pragma once

#include "app/catalogue/tuned.h"
#include "app/session/machine.h"

#include <mutex>
#include <optional>
#include <thread>

namespace app {

// How far a search is: a copy, to be shown.
struct SearchState {
    const kernels::Stage* stage = nullptr;
    recording::Problem problem;
    std::vector<kernels::Candidate> ranked; // see Tuning::ranking
    std::size_t done = 0, steps = 0;
    bool running = true;
    bool whole = false; // it came to its end, and the winner is remembered
    std::string origin; // where it was made, if not here: "searched on NVIDIA H200, ..."
    std::string error;  // a sentence: why it ended, or why its winner is not remembered
};

class Tuner {
public:
    // `wake` is called, on the tuner's thread, when there is something to take.
    Tuner(FutureMachine machine, std::function<void()> wake, std::filesystem::path file);

    // One search at a time: where one still runs, waits for its end.
    void start(const kernels::Stage& stage, const recording::Problem& problem,
               std::vector<kernels::ParameterValues> sets);
    void cancel();                     // does not wait: the end comes as a SearchState
    std::optional<SearchState> take(); // where something changed

private:
    void search(kernels::Tuning& tuning, std::stop_token stop);
    void publish(const kernels::Tuning& tuning, bool running, const std::string& error);

    FutureMachine machine_;
    std::function<void()> wake_;
    std::filesystem::path file_;
    std::mutex mutex_;
    std::optional<SearchState> state_;
    std::jthread thread_;
};

} // namespace app
