#include "app/engine/worker_program.h"

#include "app/engine/bytes.h"
#include "app/engine/local_worker.h"
#include "app/engine/message.h"
#include "app/engine/task_queue.h"
#include "app/text/tell.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <utility>

namespace app {

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds pulse_interval{500};
constexpr std::size_t most_tasks = 64; // in progress at once: one per lane, and canceled ones

recording::FileDescriptor moved_away(int standard)
{
    return recording::FileDescriptor(fcntl(standard, F_DUPFD_CLOEXEC, 3));
}

class Server {
public:
    Server(const std::vector<kernels::Stage>& ladder, BackendFactories factories, Streams streams, std::string gpu,
           SteadyNow now)
        : ladder_(ladder), factories_(std::move(factories)), gpu_(std::move(gpu)), now_(std::move(now)),
          in_(std::move(streams.in)), out_(std::move(streams.out)), woken_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))
    {
    }

    // Returns when the other side stops sending. Throws kernels::Error if a message is invalid.
    void run()
    {
        out_.send_line(greeting());
        Clock::time_point next_pulse = Clock::now();
        while (true) {
            const auto now = Clock::now();
            if (now >= next_pulse) {
                if (!send_pulse())
                    return;
                next_pulse = now + pulse_interval;
            }
            std::array<pollfd, 2> both = {{{in_.get(), POLLIN, 0}, {woken_.get(), POLLIN, 0}}};
            const auto left = std::chrono::ceil<std::chrono::milliseconds>(next_pulse - now);
            poll(both.data(), both.size(), static_cast<int>(left.count()));
            if (both[1].revents != 0)
                report();
            if (both[0].revents != 0 && !receive())
                return;
        }
    }

private:
    void wake()
    {
        const uint64_t one = 1;
        // A full counter already wakes the thread.
        [[maybe_unused]] const ssize_t written = write(woken_.get(), &one, sizeof one);
    }

    bool receive()
    {
        std::array<std::byte, 65536> buffer;
        const ssize_t count = read(in_.get(), buffer.data(), buffer.size());
        if (count < 0 && errno == EINTR)
            return true;
        if (count <= 0)
            return false;
        inbox_.add(std::span(buffer).first(static_cast<std::size_t>(count)));
        while (const std::optional<Message> message = inbox_.next())
            take(*message);
        return true;
    }

    void take(const Message& message)
    {
        switch (message.kind) {
        case MessageKind::open: open(message); break;
        case MessageKind::task:
            if (under_way_.size() >= most_tasks)
                throw kernels::Error(fmt::format("more than {} tasks were sent at once", most_tasks));
            begin(message);
            break;
        case MessageKind::cancel:
            for (const auto& [ticket, id] : under_way_)
                if (id == message.id)
                    queue_->cancel(ticket);
            break;
        default: break; // nothing that another version of this program would send
        }
    }

    void open(const Message& message)
    {
        std::string text; // copied byte by byte: the data pointer of an empty body must not be passed to memcpy
        for (const auto byte : message.body)
            text += static_cast<char>(byte);
        if (worker_ != nullptr)
            return;
        WantedDevice wanted = wanted_in(text);
        if (wanted.gpu.empty() && wanted.backend != "cpu")
            wanted.gpu = gpu_;
        worker_ = std::make_unique<LocalWorker>(
            ladder_, factories_, std::move(wanted), [this] { wake(); }, now_);
        queue_ = std::make_unique<TaskQueue>(
            [this](const Task& task, Lane lane, std::stop_token stop, const auto& progress) {
                return worker_->run(task, lane, std::move(stop), progress);
            },
            [this] { wake(); });
    }

    void begin(const Message& message)
    try {
        if (queue_ == nullptr || message.lane >= lane_count)
            throw kernels::Error("The worker was sent a task before it was opened.");
        under_way_.emplace(queue_->submit(static_cast<Lane>(message.lane), from_bytes<Task>(message.body)), message.id);
    } catch (const std::exception& error) {
        out_.send({MessageKind::failure, message.lane, message.id, to_bytes(failure_of(error))});
    }

    void report()
    {
        uint64_t count = 0;
        [[maybe_unused]] const ssize_t got = read(woken_.get(), &count, sizeof count);
        if (!machine_sent_ && worker_ != nullptr && worker_->machine() != nullptr) {
            machine_sent_ = true;
            out_.send({MessageKind::machine, 0, 0, to_bytes(*worker_->machine())});
        }
        if (queue_ != nullptr)
            for (const Report& one : queue_->take())
                send(one);
    }

    void send(const Report& report)
    {
        const auto found = under_way_.find(report.ticket);
        if (found == under_way_.end())
            return;
        const uint64_t id = found->second;
        if (const Progress* progress = report.progress()) {
            out_.send({MessageKind::progress, 0, id, to_bytes(*progress)});
            return;
        }
        under_way_.erase(found);
        send_end(id, report);
    }

    static std::vector<std::byte> result_bytes(const Result& result)
    {
        std::vector<std::byte> bytes = to_bytes(result);
        if (bytes.size() > (makes_recording(result.index()) ? largest_recording : largest_figures))
            throw kernels::Error("What came of it is too large to be sent. Choose something smaller.");
        return bytes;
    }

    // Sends the end of a task. The first task that ends on a lost device caused the loss. Later tasks were not run at
    // all.
    void send_end(uint64_t id, const Report& report)
    {
        if (lost_)
            return;
        const Failure* failure = report.failure();
        try {
            if (failure != nullptr)
                out_.send({MessageKind::failure, 0, id, to_bytes(*failure)});
            else
                out_.send({MessageKind::result, 0, id, result_bytes(std::get<Result>(report.what))});
        } catch (const std::exception& error) { // the result is too large to send
            out_.send({MessageKind::failure, 0, id, to_bytes(failure_of(error))});
        }
        if (worker_->lost() && !std::exchange(lost_, true))
            out_.send({MessageKind::lost, 0, id, {}});
    }

    bool send_pulse()
    {
        std::array<int32_t, lane_count> quiet{};
        for (std::size_t lane = 0; lane < lane_count; ++lane) {
            const auto own = worker_ != nullptr ? worker_->quiet(static_cast<Lane>(lane)) : std::nullopt;
            quiet[lane] = own ? static_cast<int32_t>(std::min<int64_t>(own->count(), INT32_MAX)) : -1;
        }
        const auto bytes = std::as_bytes(std::span(quiet));
        return out_.send({MessageKind::pulse, 0, 0, {bytes.begin(), bytes.end()}});
    }

    const std::vector<kernels::Stage>& ladder_;
    BackendFactories factories_;
    std::string gpu_;
    SteadyNow now_;
    recording::FileDescriptor in_;
    Outbox out_;
    recording::FileDescriptor woken_; // event by which other threads wake the server
    Inbox inbox_{[](MessageKind kind, uint64_t) { return largest_of(kind, Side::worker); }};
    bool machine_sent_ = false, lost_ = false;
    std::map<Ticket, uint64_t> under_way_; // from the queue's ticket to the id that the client gave the task
    std::unique_ptr<LocalWorker> worker_;
    std::unique_ptr<TaskQueue> queue_;
};

} // namespace

Streams take_standard_streams()
{
    Streams streams{moved_away(STDIN_FILENO), moved_away(STDOUT_FILENO)};
    if (streams.in.get() < 0 || streams.out.get() < 0)
        throw kernels::Error("A worker needs standard input and output; another gemmscope starts it (--worker).");
    const recording::FileDescriptor nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    dup2(nothing.get(), STDIN_FILENO);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    return streams;
}

void serve(const std::vector<kernels::Stage>& ladder, BackendFactories factories, Streams streams, std::string gpu,
           SteadyNow now)
{
    auto* server =
        // The server is never destroyed.
        new Server(ladder, std::move(factories), std::move(streams), std::move(gpu), std::move(now));
    int status = 0;
    try {
        server->run();
    } catch (const std::exception& error) {
        tell("gemmscope worker: {}.\n", error.what());
        status = 1;
    }
    std::_Exit(status); // a thread may be inside a kernel that never ends
}

} // namespace app
