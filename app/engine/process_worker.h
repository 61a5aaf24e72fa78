// Runs tasks in another process: a second instance of this program, or any command that speaks its protocol on standard
// input and output, on this machine or another.
//
// A process is replaced if it ends, is killed, or sends something invalid. The interrupted tasks are repeated, one at a
// time. A task fails with a sentence that names it after two crashes at which it ran alone, or six at which others ran
// beside it. The limit is thirty if the process was killed from outside or a connection broke. A task without a sign of
// life for longer than expected fails at once, and its process is killed. No action of a task can therefore damage
// this process.
#pragma once

#include "app/engine/child_process.h"
#include "app/engine/message.h"
#include "app/engine/signs_of_life.h"
#include "app/engine/worker.h"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace app {

struct ProcessOptions {
    std::vector<std::string> command;
    std::string name = "The worker process"; // begins a sentence
    WantedDevice wanted = {};
    std::chrono::milliseconds patience = std::chrono::seconds(20); // time allowed beyond the expected time
    // Time allowed beyond the expected time for a task that runs a user's kernel.
    std::chrono::milliseconds user_patience = std::chrono::seconds(5);
    std::chrono::milliseconds cancel_patience = std::chrono::seconds(5); // time for a canceled task to end
    // Time until the greeting. Absent: unlimited, because a batch queue may delay it.
    std::optional<std::chrono::milliseconds> greet_patience;
    SteadyNow now = std::chrono::steady_clock::now; // clock of all time limits; several threads call it
};

class ProcessWorker final : public Worker {
public:
    // Calls `wake` on other threads when machine() or take_notice() has something new.
    ProcessWorker(const std::vector<kernels::Stage>& ladder, ProcessOptions options, std::function<void()> wake);
    ~ProcessWorker() override; // kills the process; no run() may be in progress

    MachinePtr machine() const override;
    Result run(const Task& task, Lane lane, std::stop_token stop,
               const std::function<void(const Progress&)>& progress) override;
    void close() override;
    std::string take_notice() override;

    pid_t process() const; // 0: no process is ready

private:
    using Clock = std::chrono::steady_clock;
    enum class State { starting, ready };

    // One transmission of a task to a process.
    struct Call {
        std::string name;
        Lane lane = Lane::files;
        pid_t process = 0; // the process that received it
        Clock::time_point sent;
        std::chrono::milliseconds allowed{};    // longest time without a sign of life
        std::size_t largest = 0;                // largest result in bytes
        std::optional<Clock::time_point> there; // when the task had been sent completely
        std::optional<Message> end, progress;   // received, not decoded
        std::optional<std::string> failure;     // sentence; set if this side gave up the task
        bool again = false;                     // the task must be sent again
        int strikes = 0;                        // with `again`: strikes to add, see most_strikes
        std::optional<Clock::time_point> asked; // when it was asked to stop
        bool over() const { return end || failure || again; }
    };
    using CallPtr = std::shared_ptr<Call>;
    struct Ended {                 // why a process is no longer usable
        std::string how;           // "it was ended by signal 11 (Segmentation fault)"
        bool from_outside = false; // see ChildProcess::Ending
        CallPtr culprit = {};      // call that is known to be the cause
        std::string verdict = {};  // sentence about the culprit
    };

    // The following functions run on the lanes' threads.
    template <class T>
    T understood(const Call& call, const Message& message);
    CallPtr attempt(const Task& task, Lane lane, const std::stop_token& stop,
                    const std::function<void(const Progress&)>& progress);
    bool hopeless() const; // whether waiting for a process is useless
    void await_ready(std::unique_lock<std::mutex>& lock, const std::stop_token& stop);
    void await_end(std::unique_lock<std::mutex>& lock, uint64_t id, const CallPtr& call, const std::stop_token& stop,
                   const std::function<void(const Progress&)>& progress);
    void cancel(std::unique_lock<std::mutex>& lock, uint64_t id, const CallPtr& call,
                std::chrono::milliseconds patience);

    // The following functions run on the thread that owns the process.
    void manage(const std::stop_token& stop);
    void start();
    Ended live(const std::stop_token& stop);
    bool read_out(); // returns false at the end of the output
    void read_err(std::chrono::milliseconds patience);
    std::optional<std::size_t> largest(MessageKind kind, uint64_t id) const;
    void greet(const std::string& line);
    void take(Message message);
    void take_machine(const Message& message);
    std::optional<Ended> overdue(Clock::time_point now);
    std::optional<Ended> overdue_call(Clock::time_point now);
    int strikes(const Ended& ended, const Call& call) const;
    void on_exit(Ended ended);
    void pause(); // waits before the next start

    const std::vector<kernels::Stage>& ladder_;
    ProcessOptions options_;
    std::function<void()> wake_;

    mutable std::mutex mutex_;
    std::condition_variable_any changed_;
    State state_ = State::starting;
    bool closed_ = false;
    int failures_ = 0;                        // failed starts in a row
    std::optional<Clock::time_point> worked_; // when the last process that had been ready ended
    std::string why_;                         // sentence about the last failure, or about the end of the last process
    MachinePtr machine_;
    std::string notice_;
    uint64_t last_id_ = 0;
    std::map<uint64_t, CallPtr> calls_; // in progress, including calls that are no longer awaited
    bool retrying_ = false;             // repeated tasks run one at a time, which shows which of them ends its process
    std::shared_ptr<Outbox> outbox_;
    pid_t process_ = 0;
    std::string not_understood_; // sentence about an invalid answer to a task; otherwise empty

    // The following members belong to the thread that owns the process.
    std::unique_ptr<ChildProcess> child_;
    Inbox inbox_{{}};
    bool lost_ = false;
    LastWords printed_;         // its standard output before the greeting
    LastWords complaints_;      // its standard error
    std::string cut_character_; // start of a UTF-8 character in the process's output; the next read completes it
    SignsOfLife signs_{{}};
    int quick_ends_ = 0;              // number of consecutive processes that ended soon after their start
    recording::FileDescriptor woken_; // event by which the destructor wakes the thread
    std::jthread thread_;             // last, because it uses the other members
};

} // namespace app
