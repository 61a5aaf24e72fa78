#include "app/engine/process_worker.h"

#include "app/engine/bytes.h"
#include "app/text/tell.h"

#include "processor.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

namespace app {

namespace {

using namespace std::chrono_literals;

constexpr int most_strikes = 30; // strikes after which a task is given up
// Strikes for a crash while the task ran alone, for a crash beside other tasks, which may be the cause, and for a process
// that was killed.
constexpr int of_crash_alone = 15, of_crash = 5, of_killing = 1;
// A task that ran this long when its process was killed may be the cause, for example by running out of memory.
constexpr auto long_enough = 10s;
constexpr int failures_to_tell = 3; // failed starts before tasks report the failure
constexpr auto worth_waiting = 10s; // wait this long for a process that had worked, regardless of failed starts
constexpr int reads_at_once = 16;   // reads of its standard error before its messages are read again

std::string capitalised(std::string text)
{
    if (!text.empty() && text[0] >= 'a' && text[0] <= 'z')
        text[0] = static_cast<char>(text[0] - 'a' + 'A');
    return text;
}

std::string uncapitalised(std::string text)
{
    if (!text.empty() && text[0] >= 'A' && text[0] <= 'Z')
        text[0] = static_cast<char>(text[0] - 'A' + 'a');
    return text;
}

[[noreturn]] void throw_failure(const Failure& failure)
{
    switch (failure.kind) {
    case Failure::Kind::cancelled: throw kernels::Cancelled();
    case Failure::Kind::unavailable: throw kernels::Unavailable(failure.why);
    case Failure::Kind::error: break;
    }
    throw kernels::Error(failure.why);
}

std::vector<std::byte> as_bytes(const std::string& text)
{
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

} // namespace

ProcessWorker::ProcessWorker(const std::vector<kernels::Stage>& ladder, ProcessOptions options,
                             std::function<void()> wake)
    : ladder_(ladder), options_(std::move(options)), wake_(std::move(wake)), woken_(eventfd(0, EFD_CLOEXEC)),
      thread_([this](const std::stop_token& stop) { manage(stop); })
{
}

ProcessWorker::~ProcessWorker()
{
    thread_.request_stop();
    const uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = write(woken_.get(), &one, sizeof one);
    thread_.join();
}

MachinePtr ProcessWorker::machine() const
{
    const std::lock_guard lock(mutex_);
    return machine_;
}

void ProcessWorker::close()
{
    {
        const std::lock_guard lock(mutex_);
        closed_ = true;
        for (const auto& [id, call] : calls_)
            call->again = true;
        calls_.clear();
    }
    changed_.notify_all();
}

std::string ProcessWorker::take_notice()
{
    const std::lock_guard lock(mutex_);
    return std::exchange(notice_, {});
}

pid_t ProcessWorker::process() const
{
    const std::lock_guard lock(mutex_);
    return state_ == State::ready ? process_ : 0;
}

Result ProcessWorker::run(const Task& task, Lane lane, std::stop_token stop,
                          const std::function<void(const Progress&)>& progress)
{
    if (lane == Lane::files)
        return app::run(task, {ladder_, Machine(), std::move(stop), progress});
    struct Turn { // turn of a repeated task
        ProcessWorker& worker;
        bool own = false;
        ~Turn()
        {
            if (!own)
                return;
            const std::lock_guard lock(worker.mutex_);
            worker.retrying_ = false;
            worker.changed_.notify_all();
        }
    } turn{*this};
    for (int strikes = 0;;) {
        if (strikes > 0 && !turn.own) {
            std::unique_lock lock(mutex_);
            if (!changed_.wait(lock, stop, [&] { return !retrying_; }))
                throw kernels::Cancelled();
            retrying_ = turn.own = true;
        }
        const CallPtr call = attempt(task, lane, stop, progress);
        if (call->failure)
            throw kernels::Error(*call->failure);
        if (call->again) {
            if (stop.stop_requested())
                throw kernels::Cancelled();
            strikes += call->strikes;
            if (strikes < most_strikes)
                continue;
            const std::lock_guard lock(mutex_);
            throw kernels::Error(
                fmt::format("{} came to nothing, and not for the first time: {}. It is not tried again; everything "
                            "else goes on.",
                            capitalised(call->name), uncapitalised(why_)));
        }
        if (call->end->kind == MessageKind::failure)
            throw_failure(understood<Failure>(*call, *call->end));
        return understood<Result>(*call, *call->end);
    }
}

// Decodes a message. Another process may have sent malicious data; if decoding fails, the process is no longer usable.
template <class T>
T ProcessWorker::understood(const Call& call, const Message& message)
try {
    return from_bytes<T>(message.body);
} catch (const kernels::Error& error) {
    const std::lock_guard lock(mutex_);
    if (call.process == process_)
        not_understood_ = error.what();
    throw;
}

// Sends the task and waits for its outcome. Throws kernels::Cancelled, and Unavailable if there is no process.
ProcessWorker::CallPtr ProcessWorker::attempt(const Task& task, Lane lane, const std::stop_token& stop,
                                              const std::function<void(const Progress&)>& progress)
{
    Message message{MessageKind::task, static_cast<uint8_t>(lane), 0, to_bytes(task)};
    std::unique_lock lock(mutex_);
    await_ready(lock, stop);
    auto call = std::make_shared<Call>();
    call->name = name_of(task);
    call->lane = lane;
    call->allowed = expected(task, *machine_) + (is_of_user(task) ? options_.user_patience : options_.patience);
    call->largest = makes_recording(task.index()) ? largest_recording : largest_figures;
    call->process = process_;
    call->sent = options_.now();
    const uint64_t id = message.id = ++last_id_;
    calls_.emplace(id, call);
    const std::shared_ptr<Outbox> outbox = outbox_;
    lock.unlock();
    outbox->send(message); // the managing thread notices a closed stream
    lock.lock();
    call->there = options_.now();
    await_end(lock, id, call, stop, progress);
    if (!call->over()) {
        // Waits longer for a search or a measurement, because its partial result is useful.
        const bool has_something = std::holds_alternative<TuneTask>(task) || std::holds_alternative<ProbeTask>(task);
        cancel(lock, id, call, has_something ? options_.cancel_patience + 1s : 250ms);
    }
    return call;
}

void ProcessWorker::await_ready(std::unique_lock<std::mutex>& lock, const std::stop_token& stop)
{
    const bool decided = changed_.wait(lock, stop, [&] { return closed_ || state_ == State::ready || hopeless(); });
    if (!decided || closed_)
        throw kernels::Cancelled();
    if (state_ != State::ready)
        throw kernels::Unavailable(why_);
}

bool ProcessWorker::hopeless() const
{
    return failures_ >= failures_to_tell && (!worked_ || options_.now() - *worked_ > worth_waiting);
}

// Waits until the call is over or was asked to stop.
void ProcessWorker::await_end(std::unique_lock<std::mutex>& lock, uint64_t id, const CallPtr& call,
                              const std::stop_token& stop, const std::function<void(const Progress&)>& progress)
{
    while (!call->over() && changed_.wait(lock, stop, [&] { return call->over() || call->progress; })) {
        const std::optional<Message> now = std::exchange(call->progress, std::nullopt);
        if (!now)
            continue;
        lock.unlock();
        progress(understood<Progress>(*call, *now));
        lock.lock();
    }
    if (!call->over())
        call->asked = options_.now();
    else
        calls_.erase(id);
}

void ProcessWorker::cancel(std::unique_lock<std::mutex>& lock, uint64_t id, const CallPtr& call,
                           std::chrono::milliseconds patience)
{
    const std::shared_ptr<Outbox> outbox = outbox_;
    lock.unlock();
    outbox->send({MessageKind::cancel, 0, id, {}});
    lock.lock();
    if (!changed_.wait_for(lock, patience, [&] { return call->over(); }) || !call->end)
        throw kernels::Cancelled(); // the call or its process ends without being awaited
}

void ProcessWorker::manage(const std::stop_token& stop)
{
    while (!stop.stop_requested()) {
        Ended ended;
        try {
            start();
            ended = live(stop);
        } catch (const std::exception& error) {
            ended = {error.what(), true}; // the data was damaged in transit, or the program is no worker
        }
        if (stop.stop_requested())
            break;
        on_exit(ended);
        pause();
    }
    child_.reset();
}

void ProcessWorker::start()
{
    inbox_ = Inbox([this](MessageKind kind, uint64_t id) { return largest(kind, id); });
    lost_ = false;
    printed_.clear();
    complaints_.clear();
    cut_character_.clear();
    signs_ = SignsOfLife(options_.now(), options_.greet_patience);
    child_ = std::make_unique<ChildProcess>(options_.command);
    const std::lock_guard lock(mutex_);
    outbox_ = std::make_shared<Outbox>(child_->take_in());
    process_ = child_->id();
    not_understood_.clear();
}

// Serves the process until it is no longer usable.
ProcessWorker::Ended ProcessWorker::live(const std::stop_token& stop)
{
    std::array<pollfd, 3> all = {{{child_->out(), POLLIN, 0}, {child_->err(), POLLIN, 0}, {woken_.get(), POLLIN, 0}}};
    while (!stop.stop_requested()) {
        poll(all.data(), all.size(), 200);
        if (all[1].revents != 0)
            read_err(0ms);
        if (all[0].revents != 0 && !read_out()) {
            read_err(100ms);
            if (lost_)
                return {"a fault had left its GPU unusable", false};
            child_->close_out();
            const ChildProcess::Ending ending = child_->ending(1s);
            return {ending.how, ending.from_outside};
        }
        if (auto ended = overdue(options_.now()))
            return *std::move(ended);
    }
    return {};
}

bool ProcessWorker::read_out()
{
    std::array<std::byte, 65536> buffer;
    const ssize_t count = read(child_->out(), buffer.data(), buffer.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN))
        return true;
    if (count <= 0)
        return false;
    signs_.hear(options_.now());
    inbox_.add(std::span(buffer).first(static_cast<std::size_t>(count)));
    while (!signs_.greeted()) {
        const std::optional<std::string> line = inbox_.line();
        if (!line)
            return true;
        if (line->starts_with(greeting_begins))
            greet(*line);
        else
            printed_.add(*line + "\n");
    }
    while (!lost_) {
        std::optional<Message> message = inbox_.next();
        if (!message)
            return true;
        take(*std::move(message));
    }
    return false;
}

// Prints the process's standard error on this process's, and keeps the end of it for an error sentence.
void ProcessWorker::read_err(std::chrono::milliseconds patience)
{
    pollfd ready{child_->err(), POLLIN, 0};
    for (int i = 0; i < reads_at_once && poll(&ready, 1, static_cast<int>(patience.count())) > 0; ++i) {
        std::array<char, 4096> buffer;
        const ssize_t count = read(child_->err(), buffer.data(), buffer.size());
        if (count <= 0)
            return;
        cut_character_.append(buffer.data(), static_cast<std::size_t>(count));
        const std::string text = take_harmless(cut_character_);
        std::fwrite(text.data(), 1, text.size(), stderr);
        complaints_.add(text);
    }
}

void ProcessWorker::greet(const std::string& line)
{
    printed_.clear();
    if (line != greeting())
        throw kernels::Error(fmt::format("it calls itself \"{}\", and this is \"{}\": both must be of the same version",
                                         harmless(line).substr(0, 300), greeting()));
    signs_.greet(options_.now());
    outbox_->send({MessageKind::open, 0, 0, as_bytes(opening(options_.wanted))});
}

// Returns the size limit of a message. Only requested messages may be large. After close() nothing is requested, and
// further data is not read.
std::optional<std::size_t> ProcessWorker::largest(MessageKind kind, uint64_t id) const
{
    const std::optional<std::size_t> most = largest_of(kind, Side::client);
    if (kind != MessageKind::result && kind != MessageKind::failure && kind != MessageKind::progress)
        return most;
    const std::lock_guard lock(mutex_);
    const auto call = calls_.find(id);
    if (call == calls_.end())
        return closed_ ? most : std::nullopt;
    return kind == MessageKind::result ? call->second->largest : most;
}

void ProcessWorker::take(Message message)
{
    if (message.kind == MessageKind::machine)
        return take_machine(message);
    if (message.kind == MessageKind::pulse)
        signs_.pulse(message.body, options_.now());
    lost_ = lost_ || message.kind == MessageKind::lost;
    const std::lock_guard lock(mutex_);
    const auto found = calls_.find(message.id);
    if (found == calls_.end())
        return;
    Call& call = *found->second;
    switch (message.kind) {
    case MessageKind::progress: call.progress = std::move(message); break;
    case MessageKind::result:
    case MessageKind::failure: call.end = std::move(message); break;
    default: return;
    }
    if (call.over())
        calls_.erase(found);
    changed_.notify_all();
}

void ProcessWorker::take_machine(const Message& message)
{
    auto facts = std::make_shared<const MachineFacts>(from_bytes<MachineFacts>(message.body));
    signs_.tell_machine();
    {
        const std::lock_guard lock(mutex_);
        if (machine_ == nullptr || to_bytes(*machine_) != to_bytes(*facts))
            machine_ = std::move(facts);
        state_ = State::ready;
        failures_ = 0;
    }
    changed_.notify_all();
    wake_();
}

std::optional<ProcessWorker::Ended> ProcessWorker::overdue(Clock::time_point now)
{
    if (auto how = signs_.overdue(now))
        return Ended{*std::move(how)};
    std::optional<Ended> ended = overdue_call(now);
    signs_.forget_pulse();
    return ended;
}

std::optional<ProcessWorker::Ended> ProcessWorker::overdue_call(Clock::time_point now)
{
    const std::lock_guard lock(mutex_);
    if (!not_understood_.empty())
        return Ended{uncapitalised(not_understood_), true};
    if (!signs_.has_pulse())
        return std::nullopt;
    std::array<bool, lane_count> seen{};
    for (const auto& [id, call] : calls_) { // oldest first: the first call of a lane is the one that runs
        if (const auto idle = call->there ? signs_.idle(*call->there, now) : std::nullopt)
            return Ended{fmt::format("it did nothing for {} although {} had been sent to it", *idle, call->name)};
        const auto quiet = signs_.quiet(call->lane);
        if (std::exchange(seen[static_cast<std::size_t>(call->lane)], true) || !quiet)
            continue;
        if (call->asked && now - *call->asked > options_.cancel_patience)
            return Ended{fmt::format("{} could not be stopped", call->name), false, call, "It could not be stopped."};
        if (*quiet > call->allowed)
            return Ended{fmt::format("{} did not end", call->name), false, call,
                         fmt::format("{} gave no sign of life for {}, and so long it does not take where nothing "
                                     "is wrong: its process was ended, and everything else goes on. Choose a smaller "
                                     "size, or give it more time with --time-limit.",
                                     capitalised(call->name), time_text(*quiet))};
    }
    return std::nullopt;
}

int ProcessWorker::strikes(const Ended& ended, const Call& call) const
{
    const bool killed = ended.from_outside && options_.now() - call.sent < long_enough;
    return killed ? of_killing : calls_.size() == 1 ? of_crash_alone : of_crash;
}

// Handles the end of a process. The threads that wait for interrupted tasks send them again.
void ProcessWorker::on_exit(Ended ended)
{
    child_.reset();
    std::string said = complaints_.line();
    if (said.empty() && !signs_.greeted())
        said = printed_.line();
    // The process reported a crash of a library (kernels::CrashNote). The only running task caused it and is not tried
    // again.
    if (const std::lock_guard lock(mutex_);
        said.starts_with(kernels::crash_mark) && ended.culprit == nullptr && calls_.size() == 1) {
        ended.culprit = calls_.begin()->second;
        ended.verdict = said.substr(kernels::crash_mark.size());
    }
    const std::string words = said.empty() ? "" : fmt::format(" (its last words: {})", said);
    {
        const std::lock_guard lock(mutex_);
        std::string under_way;
        for (const auto& [id, call] : calls_)
            if (!call->asked)
                under_way += (under_way.empty() ? " while " : ", ") + call->name;
        const bool was_ready = std::exchange(state_, State::starting) == State::ready;
        if (was_ready) {
            worked_ = options_.now();
            why_ = fmt::format("{} was replaced, since {}{}", options_.name, ended.how, words);
            const bool told = ended.culprit != nullptr && !ended.culprit->asked; // its own failure reports it
            if (!told)
                notice_ = fmt::format("{} was replaced, since {}{}{}; nothing is lost.", options_.name, ended.how,
                                      words, ended.culprit != nullptr ? "" : under_way);
        } else {
            ++failures_;
            why_ = fmt::format("{} does not work: {}{}", options_.name, ended.how, words);
            if (!why_.ends_with('.'))
                why_ += '.';
            notice_ = why_ + " It is tried again.";
            if (failures_ >= failures_to_tell && machine_ == nullptr)
                machine_ = std::make_shared<const MachineFacts>(MachineFacts{.device = {}, .error = why_});
        }
        const bool known = ended.culprit != nullptr || lost_;
        for (const auto& [id, call] : calls_)
            if (call == ended.culprit)
                call->failure = ended.verdict;
            else
                call->again = true, call->strikes = known ? 0 : strikes(ended, *call);
        calls_.clear();
    }
    changed_.notify_all();
    wake_();
}

// Waits longer after each failed start.
void ProcessWorker::pause()
{
    quick_ends_ = options_.now() - signs_.started() < 2s ? quick_ends_ + 1 : 0;
    if (quick_ends_ < 2)
        return;
    const int failures = [&] {
        const std::lock_guard lock(mutex_);
        return failures_;
    }();
    const auto pause =
        failures == 0 ? 200ms : std::min<std::chrono::milliseconds>(100ms * (1 << std::min(failures, 7)), 10s);
    pollfd woken{woken_.get(), POLLIN, 0};
    poll(&woken, 1, static_cast<int>(pause.count()));
}

} // namespace app
