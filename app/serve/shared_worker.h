// One worker for all visitors. They share its results, and each visitor may request only permitted tasks.
#pragma once

#include "app/engine/worker.h"
#include "app/session/session_options.h"

#include <array>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace app {

// Returns a sentence that says why the visitor may not run the task; empty: it is permitted. Tasks may read and write
// only files in the visitor's folder, and read the shipped recordings. They may not trace programs. They may run a
// visitor's kernel only if the server allows it. Searches and large problems are refused, because they would occupy the
// device for minutes.
std::string refusal(const Task& task, const Visit& visit, const std::filesystem::path& shipped);

class SharedWorker : public std::enable_shared_from_this<SharedWorker> {
public:
    // `choice` is the worker that runs the tasks. `shipped` is the folder of the recordings that every visitor may
    // open.
    SharedWorker(const std::vector<kernels::Stage>& ladder, WorkerChoice choice, std::optional<std::string> backend,
                 std::filesystem::path shipped);

    // Returns the worker of a visitor's session. make_worker() describes `wake`.
    std::unique_ptr<Worker> for_visitor(std::shared_ptr<const Visit> visit, std::function<void()> wake);

    std::size_t computed() const; // number of tasks that ran; one task may serve several visitors

    static constexpr std::size_t most_kept = 96; // maximum number of kept results

private:
    class OfVisitor;
    struct Kept {
        Task task;
        std::optional<Result> result; // empty: the task is running
    };
    Result run(const Task& task, Lane lane, const std::stop_token& stop,
               const std::function<void(const Progress&)>& progress);
    Result compute(const Task& task, Lane lane, const std::stop_token& stop,
                   const std::function<void(const Progress&)>& progress);
    Kept* find(const Task& task);
    void forget(const Task& task);

    const std::vector<kernels::Stage>& ladder_;
    const std::filesystem::path shipped_;
    mutable std::mutex mutex_;
    std::condition_variable_any changed_;
    std::list<Kept> kept_; // begins with the result that was requested last
    // Whether a task occupies the lane. Each lane runs one task at a time, as in a session.
    std::array<bool, lane_count> taken_{};
    std::map<const void*, std::function<void()>> wakes_;
    std::size_t computed_ = 0;
    // worker_: runs the ladder's kernels; of_kernels_: runs visitors' kernels, which may crash it
    std::unique_ptr<Worker> worker_, of_kernels_;
};

} // namespace app
