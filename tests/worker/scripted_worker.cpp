// A worker for tests. Its backend is that of the CPU, but misbehaves for some sizes (misfortunes.h). It can also be a
// pipe to another worker that delays, cuts and garbles the streams.
//
//   scripted_worker                          follows the protocol
//   scripted_worker words                    prints other text first, as a shell does
//   scripted_worker stranger                 reports another version
//   scripted_worker dumb                     ends at once
//   scripted_worker gpu NAME MS              has two GPUs of this name. A stage takes MS on the first, twice that on
//                                            the second
//   scripted_worker misbehaving              the real worker, with misbehaving_stage.h in its ladder
//   scripted_worker hostile WHAT             a hostile peer: see hostile.h
//   scripted_worker pipe MS CUT GARBLE ...   one of those above behind a pipe. MS: delay; CUT: bytes until the end of
//                                            the stream; GARBLE: bytes per flipped bit; 0: none. The end varies from
//                                            start to start.
//
// The clock that measures how long a task is silent stands still unless a misfortune moves it. While the file exists
// that the environment variable SCRIPTED_HASTY names, each reading of the clock advances it by ten minutes.
#include "tests/played_clock.h"
#include "tests/played_gpu.h"
#include "tests/worker/hostile.h"
#include "tests/worker/misbehaving_stage.h"
#include "tests/worker/misfortunes.h"

#include "app/engine/child_process.h"
#include "app/engine/message.h"
#include "app/engine/worker_program.h"

#include "backend.h"
#include "processor.h"
#include "stage.h"

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <thread>

#include <poll.h>
#include <unistd.h>

namespace {

using namespace std::chrono_literals;
using test::Misfortune;

class Clock {
public:
    app::SteadyNow reader()
    {
        return [this] {
            ++asked_;
            if (const char* hasty = std::getenv("SCRIPTED_HASTY"); hasty != nullptr && std::filesystem::exists(hasty))
                played_.advance(10min);
            return played_.now();
        };
    }
    void advance(std::chrono::seconds by) { played_.advance(by); }
    // Waits for the next reading of the clock, which each pulse makes.
    void await_asked() const
    {
        for (const int before = asked_; asked_ == before;)
            std::this_thread::sleep_for(1ms);
    }

private:
    test::PlayedClock played_;
    std::atomic<int> asked_ = 0;
};

class Scripted final : public kernels::Backend, public kernels::GivesSigns {
public:
    explicit Scripted(Clock& clock) : clock_(clock) {}
    const recording::Device& device() const override { return own_->device(); }
    bool lost() const override { return lost_; }
    void give_signs(std::function<void()> sign) override { sign_ = std::move(sign); }
    void run(const kernels::Job& job, kernels::ProbeKind probe, kernels::Operands& operands,
             std::stop_token stop) override
    {
        happen(job.problem.M, stop);
        own_->run(job, probe, operands, std::move(stop));
    }
    recording::Recording record(const kernels::Job& job, std::span<const recording::Index3> blocks,
                                std::stop_token stop) override
    {
        happen(job.problem.M, stop);
        return own_->record(job, blocks, std::move(stop));
    }
    kernels::BenchResult bench(const kernels::Job& job, const kernels::BenchOptions& options,
                               std::stop_token stop) override
    {
        return own_->bench(job, options, std::move(stop));
    }
    std::vector<double> reference(const kernels::Job& job, const kernels::Operands& operands,
                                  std::stop_token stop) override
    {
        return own_->reference(job, operands, std::move(stop));
    }
    void prepare(std::span<const kernels::Job>, std::span<const kernels::ProbeKind>, std::stop_token) override {}

private:
    void happen(uint32_t size, const std::stop_token& stop)
    {
        if (lost_)
            throw kernels::Error("This process cannot use the GPU any more since an earlier fault.");
        switch (static_cast<Misfortune>(size)) {
        case Misfortune::aborts: std::fprintf(stderr, "Assertion `all is well' failed.\n"); std::abort();
        case Misfortune::aborts_once:
            if (!std::filesystem::exists(std::getenv("SCRIPTED_MARK"))) {
                leave_mark();
                std::abort();
            }
            break;
        case Misfortune::never_ends: never_end(1h);
        case Misfortune::does_not_stop: leave_mark(); never_end(0h);
        case Misfortune::waits_to_be_stopped:
            leave_mark();
            while (!stop.stop_requested())
                std::this_thread::sleep_for(1ms);
            throw kernels::Cancelled();
        case Misfortune::no_memory: throw std::bad_alloc();
        case Misfortune::prints:
            std::printf("a library says something on standard output\n");
            std::fflush(stdout);
            break;
        case Misfortune::faults: lost_ = true; throw kernels::Error("The kernel read memory that is not its own.");
        case Misfortune::falls_silent: raise(SIGSTOP); break;
        case Misfortune::compiles_for_long: compile(); break;
        case Misfortune::compiles_for_ever: compile(); never_end(1h);
        case Misfortune::aborts_in_a_library: {
            const kernels::CrashNote note("The compiler crashes on x.cu.");
            std::abort();
        }
        }
    }

    void compile()
    {
        for (int i = 0; i < 4; ++i) {
            sign_();
            clock_.advance(20s);
            clock_.await_asked();
        }
    }
    [[noreturn]] void never_end(std::chrono::seconds passed)
    {
        clock_.advance(passed);
        while (true)
            std::this_thread::sleep_for(1ms);
    }
    static void leave_mark()
    {
        if (const char* mark = std::getenv("SCRIPTED_MARK"))
            std::ofstream(mark) << "x";
    }

    Clock& clock_;
    std::unique_ptr<kernels::Backend> own_ = kernels::make_cpu_backend();
    std::function<void()> sign_;
    bool lost_ = false;
};

// Simulates a GPU on which every stage takes this time, and cuBLAS half of it.
class ScriptedGpu final : public test::PlayedGpu {
public:
    ScriptedGpu(std::string name, double milliseconds)
        : PlayedGpu({.backend = "cuda", .name = std::move(name), .peak_gflops = 1e6 / milliseconds}),
          milliseconds_(milliseconds)
    {
    }
    recording::Recording record(const kernels::Job& job, std::span<const recording::Index3> blocks,
                                std::stop_token stop) override
    {
        return own_->record(job, blocks, std::move(stop));
    }
    kernels::BenchResult bench(const kernels::Job&, const kernels::BenchOptions&, std::stop_token) override
    {
        return {.stage = test::timing(milliseconds_), .cublas = test::timing(milliseconds_ / 2), .cublas_missing = {}};
    }

private:
    std::unique_ptr<kernels::Backend> own_ = kernels::make_cpu_backend();
    double milliseconds_;
};

struct Flaws {
    std::chrono::milliseconds delay{};
    std::size_t cut = 0, garble = 0; // bytes until the end, and bytes per flipped bit; 0: never
};

// Copies the available bytes. Returns false if one side has closed its end.
bool copy(int from, int to, const Flaws& flaws, std::size_t& passed, std::mt19937& random)
{
    std::array<unsigned char, 4096> buffer;
    const ssize_t count = read(from, buffer.data(), buffer.size());
    if (count <= 0)
        return false;
    std::this_thread::sleep_for(flaws.delay);
    for (ssize_t i = 0; i < count; ++i, ++passed) {
        if (flaws.cut > 0 && passed >= flaws.cut)
            std::_Exit(0);
        if (flaws.garble > 0 && random() % flaws.garble == 0)
            buffer[static_cast<std::size_t>(i)] ^= static_cast<unsigned char>(1u << (random() % 8));
    }
    return write(to, buffer.data(), static_cast<std::size_t>(count)) == count;
}

int pass_on(Flaws flaws, std::vector<std::string> arguments)
{
    std::mt19937 random(std::random_device{}());
    if (flaws.cut > 0)
        flaws.cut = 1 + random() % (2 * flaws.cut);
    arguments.insert(arguments.begin(), "/proc/self/exe");
    app::ChildProcess child(arguments);
    const recording::FileDescriptor in = child.take_in();
    std::size_t sent = 0, received = 0;
    std::array<pollfd, 3> all = {{{STDIN_FILENO, POLLIN, 0}, {child.out(), POLLIN, 0}, {child.err(), POLLIN, 0}}};
    while (poll(all.data(), all.size(), -1) > 0) {
        if (all[0].revents != 0 && !copy(STDIN_FILENO, in.get(), {flaws.delay, 0, flaws.garble}, sent, random))
            break;
        if (all[1].revents != 0 && !copy(child.out(), STDOUT_FILENO, flaws, received, random))
            break;
        if (all[2].revents != 0 && !copy(child.err(), STDERR_FILENO, {}, sent, random))
            all[2].fd = -1;
    }
    return 0;
}

} // namespace

int main(int argc, char** argv)
{
    const std::string_view how = argc > 1 ? argv[1] : "";
    if (how == "dumb") {
        std::fprintf(stderr, "scripted_worker: no such command\n");
        return 127;
    }
    if (how == "stranger") {
        std::printf("%s0.0 protocol 0\n", app::greeting_begins.data());
        std::fflush(stdout);
        pause();
        return 0;
    }
    if (how == "hostile")
        return test::be_hostile(argv[2]);
    if (how == "pipe")
        return pass_on({std::chrono::milliseconds(std::atoi(argv[2])), static_cast<std::size_t>(std::atol(argv[3])),
                        static_cast<std::size_t>(std::atol(argv[4]))},
                       {argv + 5, argv + argc});
    if (how == "words") {
        std::printf("Welcome to this machine.\n");
        std::fflush(stdout);
    }
    app::BackendFactories factories;
    factories.cuda = [](int) -> std::unique_ptr<kernels::Backend> {
        throw kernels::Unavailable("There is no GPU in this test.");
    };
    Clock clock;
    factories.cpu = [&clock] { return std::make_unique<Scripted>(clock); };
    if (how == "gpu") {
        const std::string name = argv[2];
        factories.gpus = [name] {
            return std::vector<kernels::ListedGpu>{{0, name, "GPU-aaaa-0"}, {1, name + " b", "GPU-bbbb-1"}};
        };
        factories.cuda = [name, ms = std::atof(argv[3])](int gpu) {
            return std::make_unique<ScriptedGpu>(name + (gpu == 1 ? " b" : ""), ms * (gpu + 1));
        };
    }
    std::vector<kernels::Stage> ladder = kernels::make_ladder();
    if (how == "misbehaving") {
        factories = {};
        ladder.push_back(test::misbehaving_stage());
    }
    app::serve(ladder, factories, app::take_standard_streams(), {}, clock.reader());
}
