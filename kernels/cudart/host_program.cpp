#include "cudart/host_program.h"

#include "cudart/device.h"
#include "error.h"
#include "run_program.h"
#include "temporary_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

namespace cudart {

namespace {

namespace fs = std::filesystem;

// A file descriptor that is closed by the destructor.
class Descriptor {
public:
    explicit Descriptor(int number) : number_(number) {}
    ~Descriptor()
    {
        if (number_ >= 0)
            close(number_);
    }
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept
    {
        std::swap(number_, other.number_);
        return *this;
    }
    int number() const { return number_; }

private:
    int number_;
};

Descriptor listening(const fs::path& path)
{
    Descriptor result(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
    if (path.string().size() >= sizeof address.sun_path)
        throw kernels::Error(
            fmt::format("{} is too long a name for a socket; set TMPDIR to a shorter one.", path.string()));
    std::strcpy(address.sun_path, path.c_str());
    if (bind(result.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        listen(result.number(), 16) != 0)
        throw kernels::Error(fmt::format("{} cannot be made: {}.", path.string(), std::strerror(errno)));
    return result;
}

// The process of the program. The destructor ends it if it still runs.
class Process {
public:
    Process(std::vector<std::string> command, std::vector<std::string> environment, kernels::ProgramStreams streams)
        : number_(kernels::start_program(std::move(command), std::move(environment), streams))
    {
    }
    ~Process()
    {
        if (!ended())
            end();
    }
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    bool ended()
    {
        if (!ended_)
            ended_ = waitpid(number_, &status_, WNOHANG) == number_;
        return ended_;
    }
    void end()
    {
        kill(number_, SIGKILL);
        while (!ended_)
            ended_ = waitpid(number_, &status_, 0) == number_ || errno != EINTR;
    }
    int shell_status() const { return WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_); }

private:
    pid_t number_ = 0;
    int status_ = 0;
    bool ended_ = false;
};

struct Client { // a process that uses CUDA
    Descriptor socket;
    std::unique_ptr<Device> device;
};

class Server {
public:
    Server(Session& session, Descriptor listener, const HostProgram& program, const std::stop_token& stop)
        : session_(session), listener_(std::move(listener)), program_(program),
          output_(program.output, program.output_to_errors), outer_(stop, [this] { running_.request_stop(); })
    {
    }

    const kernels::TakenOutput& output() const { return output_; }

    // Answers requests until the program has ended. Returns false if what follows the recording takes too long.
    bool serve(Process& process, const std::stop_token& stop)
    {
        for (;;) {
            if (stop.stop_requested())
                throw kernels::Cancelled();
            const bool ended = process.ended();
            const bool asked = answer_all();
            output_.read();
            if (ended && !asked)
                return true;
            if (too_long_)
                return false;
        }
    }

private:
    // Answers all pending requests. Returns false if there was none.
    bool answer_all()
    {
        std::vector<pollfd> waits{{listener_.number(), POLLIN, 0}};
        for (const Client& client : clients_)
            waits.push_back({client.socket.number(), POLLIN, 0});
        waits.push_back({output_.descriptor(), POLLIN, 0}); // poll() ignores the descriptor -1
        if (poll(waits.data(), waits.size(), 20) <= 0)
            return false;
        const bool asked =
            std::any_of(waits.begin(), waits.end() - 1, [](const pollfd& one) { return one.revents != 0; });
        for (std::size_t i = clients_.size(); i-- > 0;)
            if (waits[i + 1].revents != 0 && !answer(clients_[i]))
                clients_.erase(clients_.begin() + static_cast<std::ptrdiff_t>(i));
        if (waits[0].revents != 0)
            accept_one();
        return asked;
    }

    void accept_one()
    {
        Descriptor socket(accept4(listener_.number(), nullptr, nullptr, SOCK_CLOEXEC));
        if (socket.number() < 0)
            return;
        auto device = std::make_unique<Device>(session_);
        send_descriptor(socket.number(), device->memory());
        clients_.push_back({std::move(socket), std::move(device)});
    }

    // Returns false if the process is gone, or if its request is not one that the library sends.
    bool answer(Client& client)
    {
        try {
            const ReceivedFrame question = receive_frame(client.socket.number());
            send_frame(client.socket.number(), question.call,
                       client.device->answer(static_cast<Call>(question.call), question.bytes, running_.get_token()));
            watch_time();
            return true;
        } catch (const kernels::Cancelled&) {
            if (!too_long_)
                throw;
            return true; // the process is ended anyway, without an answer
        } catch (const kernels::Error&) {
            throw;
        } catch (const std::exception&) {
            return false;
        }
    }

    void watch_time()
    {
        if (!session_.recorded || watchdog_.joinable())
            return;
        watchdog_ = std::jthread([this](const std::stop_token& end) {
            std::mutex mutex;
            std::unique_lock lock(mutex);
            std::condition_variable_any time;
            time.wait_for(lock, end, program_.most_after_recording, [] { return false; });
            if (end.stop_requested())
                return;
            too_long_ = true;
            running_.request_stop();
        });
    }

    Session& session_;
    Descriptor listener_;
    const HostProgram& program_;
    kernels::TakenOutput output_;
    std::vector<Client> clients_;
    std::stop_source running_; // stops what the PTX machine runs
    std::stop_callback<std::function<void()>> outer_;
    std::atomic<bool> too_long_ = false;
    std::jthread watchdog_; // the last member, since it uses the others
};

std::string how_it_ended(int status)
{
    return status == 0    ? "ran to its end"
           : status > 128 ? fmt::format("was ended by signal {}", status - 128)
                          : fmt::format("ended with status {}", status);
}

std::string what_may_help(const HostProgram& program)
{
    if (program.wanted.source.empty())
        return " Without a GPU a program is traced that uses the shared runtime: build it with nvcc's options -cudart "
               "shared "
               "--no-compress -gencode arch=compute_90,code=compute_90.";
    return program.command.size() == 1 ? " Where it wants arguments, they come after '--'." : "";
}

// Throws an error that says what the program launched, if no launch matched.
[[noreturn]] void refuse(const HostProgram& program, const Session& session, int status)
{
    const std::string name =
        program.wanted.source.empty() ? program.command.front() : program.wanted.source.filename().string();
    const std::string after = !session.failed_launch.empty() ? " " + session.failed_launch
                              : session.failures.empty()     ? ""
                                                             : " " + session.failures.front();
    if (session.launches.empty())
        throw kernels::Error(fmt::format("{} {} and launched no kernel.{}{}", name, how_it_ended(status), after,
                                         session.failures.empty() ? what_may_help(program) : ""));
    if (!program.wanted.list && session.count() > 0 && program.wanted.kernel.empty() && program.wanted.launch <= 1)
        throw kernels::Error(fmt::format(
            "{} {}; {} be recorded.{}", name, how_it_ended(status),
            program.wanted.launch == 1 ? "its first launch could not" : "none of its launches could", after));
    throw kernels::Error(fmt::format(
        "{} {}, and none of its {} launches could be recorded as launch {} whose name contains '{}'. Give --list for "
        "what it launches.{}",
        name, how_it_ended(status), session.count(), program.wanted.launch, program.wanted.kernel, after));
}

} // namespace

fs::path library_folder()
{
    std::error_code ignored;
    const fs::path beside = fs::read_symlink("/proc/self/exe", ignored).parent_path();
    for (const fs::path& place : {beside / "cudart", beside / "../app/cudart", beside / "../lib/gemmscope/cudart",
                                  beside / "../lib/x86_64-linux-gnu/gemmscope/cudart"})
        if (fs::exists(place / "libcudart.so.13", ignored))
            return fs::canonical(place);
    throw kernels::Unavailable(
        "libcudart.so.13 of gemmscope, which running a host program without a GPU needs, is not beside "
        "gemmscope: install or build gemmscope anew.");
}

HostProgramEnd run_host_program(const HostProgram& program, const Session::Say& say, const std::stop_token& stop)
{
    if (program.command.empty())
        throw kernels::Error("No program is given: write it after --, as in 'gemmscope trace -- ./a.out'.");
    Session session(program.wanted, say);
    const kernels::TemporaryFolder folder;
    const std::string libraries = library_folder().string();
    Server server(session, listening(folder / "socket"), program, stop);
    const char* const known = std::getenv("LD_LIBRARY_PATH");
    Process process(program.command,
                    kernels::environment_with({fmt::format("{}={}", socket_variable, (folder / "socket").string()),
                                               fmt::format("{}={}", parent_variable, getpid()),
                                               fmt::format("LD_LIBRARY_PATH={}{}", libraries,
                                                           known == nullptr ? "" : fmt::format(":{}", known)),
                                               fmt::format("LD_PRELOAD={}/libcudart.so.13", libraries)}),
                    server.output().streams());
    HostProgramEnd end;
    end.cut_short = !server.serve(process, stop);
    if (end.cut_short)
        process.end();
    end.status = process.shell_status();
    if (session.launches.empty() || (!program.wanted.list && !session.recorded))
        refuse(program, session, end.status);
    end.launches = std::move(session.launches);
    end.failures = std::move(session.failures);
    end.recorded = std::move(session.recorded);
    return end;
}

} // namespace cudart
