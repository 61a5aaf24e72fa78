// Inputs that every task receives besides its own fields, and values that several tasks share. A task and its result
// are plain values. Its run() function knows neither the window nor the terminal. Every run() throws kernels::Cancelled
// after `stop` was requested, and kernels::Error with a sentence for the user if there is no result.
#pragma once

#include "app/engine/machine.h"

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

// A stage with its parameters at one size. Names identify the stage and parameters, because another process may have
// another ladder.
struct StageJob {
    std::string stage; // slug
    std::vector<recording::Parameter> parameters;
    recording::Problem problem;
    recording::Inputs inputs = recording::Inputs::random;
    std::string text = {}; // complete source of a user's stage; empty for a stage of the ladder
    friend bool operator==(const StageJob&, const StageJob&) = default;
};

StageJob named(const kernels::Job& job);
StageJob job_of(const recording::Recording& recording);

std::string size_of(const recording::Problem& problem);      // "128x128x128"
std::string at_size(const char* doing, const StageJob& job); // "recording vectorized at 128x128x128"

// Returns a time limit in seconds for one backend call, or for a whole task that makes no backend call. A call that
// takes longer is considered hung. The limit is no estimate.
//
// The CPU rates were measured on 2026-11-22 on two busy cores of an AMD EPYC. The slowest stage to record was
// warp_shuffle, with 7 million products per second at 256x256x256. Following naive's machine code at 512x512x512 ran at
// 6 million products per second. The limit assumes a seventh of these rates. On a GPU the slowest stage, naive,
// computes 250 billion products per second (H200, 4096x4096x4096). The limit assumes a five-hundredth of that, which
// covers smaller GPUs, several runs, and a reference computed on a CPU without cuBLAS.
double seconds_of(const recording::Problem& problem, const MachineFacts& machine);
double seconds_to_follow(const StageJob& job); // bound for following its machine code on a CPU
// Limit in seconds for compiling a user's kernel, or for running one block of it as PTX. A block ends after a fixed
// number of warp steps, and its end counts as a sign of life.
inline constexpr double seconds_of_user = 60;
// Limit in seconds of a user's program. It is in effect unlimited, because the user can stop the program.
inline constexpr double any_program = 1e6;

// Returns the source of a user's stage, or an empty string if the recording is of a stage of the ladder.
std::string own_text(const recording::Recording& recording);

// Finds the job in the ladder. Returns nothing if the ladder does not have the stage, has it with another source text
// or other parameters, or refuses the values. Each of these can happen with a job that was read from a file.
std::optional<kernels::Job> find_job(const std::vector<kernels::Stage>& ladder, const StageJob& job);

// Progress of a task.
struct Progress {
    std::size_t done = 0, steps = 0;
    std::string step;                       // what is being done
    std::vector<kernels::Candidate> ranked; // results that a search has found so far
    std::string printed;                    // output so far of the program that the task runs
};

// Calls `work`. Returns an empty string on success and otherwise the reason as a sentence. Throws nothing but
// Cancelled.
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
    // Users' stages that jobs brought along. They live as long as the task runs.
    std::shared_ptr<std::deque<kernels::Stage>> own = std::make_shared<std::deque<kernels::Stage>>();

    kernels::Backend& backend() const;               // throws Unavailable if there is no backend
    kernels::Job resolve(const StageJob& job) const; // find_job() that also compiles a user's stage; throws Error
};

} // namespace app
