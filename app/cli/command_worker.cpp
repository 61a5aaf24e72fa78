#include "app/cli/command_worker.h"

#include "app/cli/command.h"
#include "app/data/config_folder.h"
#include "app/engine/worker_program.h"
#include "app/text/tell.h"

#include "own/own_stage.h"

#include <csignal>
#include <cstdlib>
#include <ctime>

namespace app {

std::vector<kernels::Stage> ladder_with_own()
{
    std::vector<std::string> problems;
    std::vector<kernels::Stage> ladder = kernels::ladder_with_own(own_stages_folder(), problems);
    for (const std::string& problem : problems)
        tell("gemmscope: {}\n", problem);
    return ladder;
}

namespace {

sigset_t interrupt_only()
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    return set;
}

} // namespace

Interrupt::Interrupt()
{
    const sigset_t set = interrupt_only();
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    thread_ = std::jthread([set, source = source_](std::stop_token end) mutable {
        constexpr timespec a_while{.tv_sec = 0, .tv_nsec = 100'000'000};
        while (!end.stop_requested())
            if (sigtimedwait(&set, nullptr, &a_while) == SIGINT) {
                if (source.stop_requested())
                    std::_Exit(128 + SIGINT);
                source.request_stop();
            }
    });
}

Interrupt::~Interrupt()
{
    thread_ = {};
    const sigset_t set = interrupt_only();
    pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

CommandWorker::CommandWorker(const WorkerChoice& choice, const std::optional<std::string>& backend,
                             std::stop_token stop)
    : stop_(std::move(stop))
{
    const auto wake = [this] {
        // Ensures that the wake-up does not fall between the other thread's check and its wait.
        const std::lock_guard lock(mutex_);
        changed_.notify_all();
    };
    worker_ = make_worker(ladder_, choice, backend, wake);
    {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return (machine_ = worker_->machine()) != nullptr; });
    }
    if (!machine_->device)
        throw kernels::Unavailable(machine_->error);
    if (!backend && !machine_->gpu())
        tell("{} Going on with the CPU.\n", machine_->why_no_gpu);
}

Result CommandWorker::run_task(const Task& task, const ShowProgress& show)
{
    const auto tell_end = [&] {
        if (show)
            tell_progress("{:60}\r", "");
        if (const std::string notice = worker_->take_notice(); !notice.empty())
            tell("gemmscope: {}\n", notice);
    };
    try {
        Result result = worker_->run(
            task, Lane::recording, stop_, show ? show : [](const Progress&) {});
        tell_end();
        return result;
    } catch (const std::exception&) {
        tell_end();
        throw;
    }
}

namespace {

struct WorkerOptions {
    std::string gpu;
};

void fields(OptionList& option, WorkerOptions& options)
{
    gpu_option(option, options.gpu);
}

int serve_here(const WorkerOptions& options)
{
    Streams streams = take_standard_streams();
    serve(kernels::make_ladder(), {}, std::move(streams), options.gpu);
    return 0;
}

} // namespace

const Subcommand worker_command = {
    "worker", "run tasks for another gemmscope over standard input and output: see --worker", declare<serve_here>};

} // namespace app
