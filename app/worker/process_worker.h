// Runs tasks in another process: this program started again, or whatever command speaks its protocol on standard input and
// output, on this machine or another.
//
// A process that ends, is ended, or sends what cannot be understood is replaced. What was under way is done again, one task at
// a time; one that was under way three times when its process crashed (thirty times when somebody killed it, or a
// connection broke) fails, in a sentence that names it. One that gives no sign of life for longer than
// is expected of it fails at once, and its process is ended. So nothing that a task does reaches this process.
#pragma once

#include "app/worker/child_process.h"
#include "app/worker/last_words.h"
#include "app/worker/message.h"
#include "app/worker/signs_of_life.h"
#include "app/worker/steady_now.h"
#include "app/worker/worker.h"

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
    std::chrono::milliseconds patience = std::chrono::seconds(20);       // beyond what is expected
    std::chrono::milliseconds user_patience = std::chrono::seconds(5);   // the same of what runs a user's kernel
    std::chrono::milliseconds cancel_patience = std::chrono::seconds(5); // for what was cancelled to end
    std::optional<std::chrono::milliseconds> greet_patience; // for its first words; none: a queue may make it wait
    SteadyNow now = std::chrono::steady_clock::now;          // the clock of all limits; called from several threads
};

class ProcessWorker final : public Worker {
public:
    // `wake` is called on other threads when machine() or take_notice() have something new.
    ProcessWorker(const std::vector<kernels::Stage>& ladder, ProcessOptions options, std::function<void()> wake);
    ~ProcessWorker() override; // ends the process; no run() is under way

    MachinePtr machine() const override;
    Result run(const Task& task, Lane lane, std::stop_token stop,
               const std::function<void(const Progress&)>& progress) override;
    void close() override;
    std::string take_notice() override;

    pid_t process() const; // 0: none is ready

private:
    using Clock = std::chrono::steady_clock;
    enum class State { starting, ready };

    // A task that was sent, once.
    struct Call {
        std::string name;
        Lane lane = Lane::files;
        pid_t process = 0; // that it was sent to
        Clock::time_point sent;
        std::chrono::milliseconds allowed{};    // without a sign of life
        std::size_t largest = 0;                // bytes of its result
        std::optional<Clock::time_point> there; // when all of it had been sent
        std::optional<Message> end, progress;   // as they came
        std::optional<std::string> failure;     // a sentence: it was given up here
        bool again = false;                     // to be sent again
        int suspicion = 0;                      // then: how far it may be why; see most_suspicion
        std::optional<Clock::time_point> asked; // to stop
        bool over() const { return end || failure || again; }
    };
    using CallPtr = std::shared_ptr<Call>;
    struct Ended {                 // why a process is of no use any more
        std::string how;           // "it was ended by signal 11 (Segmentation fault)"
        bool from_outside = false; // see ChildProcess::Ending
        CallPtr culprit = {};      // who is known to be the reason
        std::string verdict = {};  // on it, a sentence
    };

    // On the lanes' threads.
    template <class T>
    T understood(const Call& call, const Message& message);
    CallPtr attempt(const Task& task, Lane lane, const std::stop_token& stop,
                    const std::function<void(const Progress&)>& progress);
    bool hopeless() const; // to wait for a process
    void await_ready(std::unique_lock<std::mutex>& lock, const std::stop_token& stop);
    void await_end(std::unique_lock<std::mutex>& lock, uint64_t id, const CallPtr& call, const std::stop_token& stop,
                   const std::function<void(const Progress&)>& progress);
    void cancel(std::unique_lock<std::mutex>& lock, uint64_t id, const CallPtr& call,
                std::chrono::milliseconds patience);

    // On the thread that has the process.
    void manage(const std::stop_token& stop);
    void start();
    Ended live(const std::stop_token& stop);
    bool read_out(); // false: nothing comes any more
    void read_err(std::chrono::milliseconds patience);
    std::optional<std::size_t> largest(MessageKind kind, uint64_t id) const;
    void greet(const std::string& line);
    void take(Message message);
    void take_machine(const Message& message);
    std::optional<Ended> overdue(Clock::time_point now);
    std::optional<Ended> overdue_call(Clock::time_point now);
    int suspicion(const Ended& ended, const Call& call) const;
    void bury(const Ended& ended);
    void pause(); // before the next start

    const std::vector<kernels::Stage>& ladder_;
    ProcessOptions options_;
    std::function<void()> wake_;

    mutable std::mutex mutex_;
    std::condition_variable_any changed_;
    State state_ = State::starting;
    bool closed_ = false;
    int failures_ = 0;                        // to start it, in a row
    std::optional<Clock::time_point> worked_; // when one that was ready ended
    std::string why_;                         // a sentence on the last of them, or on what became of the last process
    MachinePtr machine_;
    std::string notice_;
    uint64_t last_id_ = 0;
    std::map<uint64_t, CallPtr> calls_; // under way, also those that nobody waits for any more
    bool retrying_ = false;             // one at a time: so it is seen which one ends its process
    std::shared_ptr<Outbox> outbox_;
    pid_t process_ = 0;
    std::string not_understood_; // a sentence: what the process sent in answer to a task; else empty

    // Of the thread that has the process.
    std::unique_ptr<ChildProcess> child_;
    Inbox inbox_{{}};
    bool lost_ = false;
    LastWords printed_;         // on its standard output, before it greeted
    LastWords complaints_;      // on its standard error
    std::string cut_character_; // of what it prints: the rest of it comes with the next read
    SignsOfLife signs_{{}};
    int quick_ends_ = 0;              // in a row
    recording::FileDescriptor woken_; // by the destructor
    std::jthread thread_;             // last: it uses the others
};

} // namespace app
