// A thread that makes recordings, and reads and writes their files. For each slot the latest task wins: it replaces one
// that waits and stops one that runs.
#pragma once

#include "app/session/machine.h"

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <thread>
#include <variant>
#include <vector>

namespace app {

using RecordingPtr = std::shared_ptr<const recording::Recording>;

struct RecordTask {
    kernels::Job job;
    std::vector<recording::Index3> blocks;
    // Where there is no GPU, or none that runs the stage, the recording shipped in this folder is taken instead. Empty: the
    // recording is made here.
    std::filesystem::path shipped;
};

struct ReadTask {
    std::filesystem::path path;
};

struct SaveTask {
    RecordingPtr recording;
    std::filesystem::path path;
};

using Task = std::variant<RecordTask, ReadTask, SaveTask>;

enum class Slot : uint8_t { first, second, file };
inline constexpr std::size_t slot_count = 3;

struct Outcome {
    Slot slot = Slot::first;
    uint64_t ticket = 0;    // of the task
    RecordingPtr recording; // null on error, and for a save
    bool shipped = false;   // it was not made here
    std::string error;      // a sentence; empty on success
    std::string notice;     // a sentence about what went wrong on the way, although there is a recording
    bool cancelled = false;
};

class Recorder {
public:
    // `wake` is called, on the recorder's thread, when an outcome can be taken.
    Recorder(FutureMachine machine, std::function<void()> wake);
    ~Recorder();

    // Returns the task's ticket: the outcomes of replaced tasks carry other ones, or never come.
    uint64_t submit(Slot slot, Task task);
    void cancel(Slot slot);
    std::vector<Outcome> take();

private:
    struct Pending {
        Slot slot;
        uint64_t ticket = 0;
        Task task;
        std::stop_source stop;
    };

    void work(std::stop_token stop);
    std::optional<Pending> next(std::stop_token stop);
    Outcome carry_out(const Pending& pending);
    std::vector<kernels::Job> waiting_jobs();

    FutureMachine machine_;
    std::function<void()> wake_;
    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::vector<Pending> waiting_; // oldest first, at most one per slot
    std::optional<Pending> running_;
    std::vector<Outcome> outcomes_;
    uint64_t last_ticket_ = 0;
    std::jthread thread_; // last: it uses all of the above
};

} // namespace app
