// A machine beside the one that shows: its own worker, and so its own verdicts and speeds of the ladder and its own searches.
#pragma once

#include "app/session/measurements.h"
#include "app/session/search.h"
#include "app/session/stage_status.h"
#include "app/worker/make_worker.h"
#include "app/workspace/choice.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace app {

// Which worker, and which GPU of its machine; empty: this program, the first GPU.
struct WorkerAt {
    std::string command, gpu;
    friend bool operator==(const WorkerAt&, const WorkerAt&) = default;
};

// Speeds of devices that measured before, by speeds_key().
using KeptSpeeds = std::map<std::string, Measurements::Known>;
std::string speeds_key(const WorkerAt& at, const MachineFacts& machine);

// What is shown of it.
struct BesideState {
    WorkerAt at;
    std::optional<MachineFacts> found; // none while it is being looked for
    std::vector<StageStatus> status;   // of each stage
    std::vector<BaselineMeasurement> baselines;
    std::optional<double> cublas_gflops;
    bool searches = false; // parameters are searched for there
    bool gpu() const { return found && found->gpu(); }
    std::string name() const; // "NVIDIA H200", or what else there is to call it
};

struct WorkersOptions {
    WorkerChoice worker;
    std::optional<std::string> backend;
    std::filesystem::path tuned; // see TunedFile
    std::function<void()> wake;  // called from other threads when there is something to take
    WorkerAt at() const { return {worker.command, worker.gpu}; }
};

class Beside {
public:
    // `ladder` and `kept` outlive it.
    Beside(const std::vector<kernels::Stage>& ladder, WorkersOptions options, KeptSpeeds& kept);
    Beside(const Beside&) = delete;
    Beside& operator=(const Beside&) = delete;
    ~Beside(); // may take a while

    WorkerAt at() const { return options_.at(); }
    bool poll(const Choice& choice); // whether something shown has changed
    void follow(const Choice& choice);
    std::string take_notice() { return std::exchange(notice_, {}); }
    void keep_speeds(); // in `kept`

    bool search(std::size_t stage, const Choice& choice); // false: it has no GPU
    Search& searched() { return search_; }
    BesideState state(const Choice& choice) const;

private:
    void use_tuned(const Choice& choice);
    kernels::Job job(std::size_t stage, const Choice& choice) const;
    void receive(const Report& report, const Choice& choice);

    const std::vector<kernels::Stage>& ladder_;
    WorkersOptions options_;
    KeptSpeeds& kept_;
    MachinePtr machine_;
    std::string notice_;
    std::vector<kernels::ParameterValues> standard_; // of each stage, where nobody has chosen others
    recording::Problem tuned_for_;

    std::unique_ptr<Worker> worker_;
    TaskQueue queue_; // its threads use the worker
    Measurements measurements_;
    Search search_;
};

} // namespace app
