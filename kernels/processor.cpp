#include "processor.h"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <condition_variable>
#include <csignal>
#include <fstream>
#include <mutex>
#include <utility>

#include <unistd.h>

namespace kernels {

std::string processor_name()
{
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);)
        if (line.starts_with("model name") && line.find(": ") != std::string::npos)
            return line.substr(line.find(": ") + 2);
    return "CPU";
}

namespace {

constexpr std::array faults = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};

// Global, because a signal handler receives no other data.
std::atomic<const std::string*> last_words = nullptr;

// The signal handlers that were installed before the first note. The last note restores them.
struct Handlers {
    std::mutex mutex;
    int notes = 0;
    std::array<struct sigaction, faults.size()> before{};
};

Handlers& handlers()
{
    static Handlers one;
    return one;
}

} // namespace

CrashNote::CrashNote(const std::string& sentence) : line_(fmt::format("{}{}\n", crash_mark, sentence))
{
    Handlers& all = handlers();
    const std::lock_guard lock(all.mutex);
    last_words = &line_;
    if (all.notes++ > 0)
        return;
    struct sigaction told {};
    // After this handler returns, the fault happens again, and the system's default action ends the process.
    told.sa_handler = [](int fault) {
        const std::string* const words = last_words.load();
        if (words != nullptr && write(STDERR_FILENO, words->data(), words->size()) < 0)
            last_words = nullptr; // standard error is closed, so nothing else can be done
        signal(fault, SIG_DFL);
        if (fault == SIGABRT)
            raise(fault);
    };
    told.sa_flags = static_cast<int>(SA_RESETHAND);
    for (std::size_t i = 0; i < faults.size(); ++i)
        sigaction(faults[i], &told, &all.before[i]);
}

CrashNote::~CrashNote()
{
    Handlers& all = handlers();
    const std::lock_guard lock(all.mutex);
    const std::string* mine = &line_;
    last_words.compare_exchange_strong(mine, nullptr);
    if (--all.notes > 0)
        return;
    for (std::size_t i = 0; i < faults.size(); ++i)
        sigaction(faults[i], &all.before[i], nullptr);
}

Heartbeat::Heartbeat(std::function<void()> sign, Duration interval, Duration longest)
{
    if (!sign)
        return;
    sign();
    thread_ = std::jthread([sign = std::move(sign), interval, longest](const std::stop_token& stop) {
        std::mutex mutex;
        std::condition_variable_any changed;
        std::unique_lock lock(mutex);
        for (auto left = longest / interval; left > 0; --left) {
            changed.wait_for(lock, stop, interval, [] { return false; });
            if (stop.stop_requested())
                return;
            sign();
        }
    });
}

} // namespace kernels
