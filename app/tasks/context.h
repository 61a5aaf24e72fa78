// What every task is given beside itself, and the values that tasks share. A task is a plain value and so is what it makes;
// its function knows neither window nor terminal. All of them throw kernels::Cancelled when `stop` was requested, and
// kernels::Error with a sentence for the user where there is no result.
#pragma once

#include "app/tasks/machine.h"

#include "measure/tuning.h"
#include "recording/recording.h"

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace app {

using RecordingPtr = std::shared_ptr<const recording::Recording>;

// A stage with its parameters at one size, by names: another process may have another ladder.
struct StageJob {
    std::string stage; // slug
    std::vector<recording::Parameter> parameters;
    recording::Problem problem;
    recording::Inputs inputs = recording::Inputs::random;
    std::string text = {}; // of a stage of a person's own, whole; empty: it is one of the ladder's
    friend bool operator==(const StageJob&, const StageJob&) = default;
};

StageJob named(const kernels::Job& job);
StageJob job_of(const recording::Recording& recording);

std::string size_of(const recording::Problem& problem);      // "128x128x128"
std::string at_size(const char* doing, const StageJob& job); // "recording vectorized at 128x128x128"

// Seconds that a call into the backend, or the whole of a task without one, takes at most where nothing is wrong. For limits, not
// for promises.
//
// Measured on 2026-11-22 on two busy cores of an AMD EPYC: of the rungs warp_shuffle was recorded slowest, at 256x256x256 with 7
// million products a second, and naive's machine code was followed at 512x512x512 with 6 million: a seventh of that is expected. A
// GPU's slowest rung, naive, makes 250 thousand million products a second (H200, 4096x4096x4096): a five-hundredth of that, for
// smaller GPUs, several runs, and a reference that is computed on a CPU where there is no cuBLAS.
double seconds_of(const recording::Problem& problem, const MachineFacts& machine);
double seconds_to_follow(const StageJob& job); // its machine code, on a CPU
// To compile a person's kernel, or to run a block of it as PTX, which ends after so many steps of a warp: then it tells that it is
// alive.
inline constexpr double seconds_of_user = 60;
inline constexpr double any_program = 1e6; // runs as long as it runs; whoever waits can stop it

// The stage's own text, where it is not the ladder's.
std::string own_text(const recording::Recording& recording);

// None where the ladder has no such stage, or in another form, or refuses the parameters: a file may say anything.
std::optional<kernels::Job> find_job(const std::vector<kernels::Stage>& ladder, const StageJob& job);

// How far a task is.
struct Progress {
    std::size_t done = 0, steps = 0;
    std::string step;                       // what is being done
    std::vector<kernels::Candidate> ranked; // of a search: what was found until now
    std::string printed;                    // by the program that is run, until now
};

// Does the work. Empty where that went well, else why it did not, as a sentence. Throws nothing but Cancelled.
template <class Work>
std::string why_it_failed(const Work& work)
try {
    work();
    return {};
} catch (const kernels::Cancelled&) {
    throw;
} catch (const std::exception& error) {
    return error.what();
}

struct TaskContext {
    const std::vector<kernels::Stage>& ladder;
    const Machine& machine;
    std::stop_token stop = {};
    std::function<void(const Progress&)> progress = [](const Progress&) {};
    // Stages of a person's own that jobs brought along, as long as the task runs.
    std::shared_ptr<std::deque<kernels::Stage>> own = std::make_shared<std::deque<kernels::Stage>>();

    kernels::Backend& backend() const;               // throws Unavailable where there is none
    kernels::Job resolve(const StageJob& job) const; // as find_job, compiling what is a person's own; throws Error
};

} // namespace app
