// One worker for all visitors: what it made for one of them is there for the others, and each may ask only for what a
// visitor may.
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

// Why a visitor may not have it done, as a sentence; empty: it may be done. Files outside of the visitor's folder are
// neither read nor written, but for the shipped recordings; no program is traced; a visitor's file runs only where the
// server allows it; and no search and no product of a large size takes the device for minutes.
std::string refusal(const Task& task, const Visit& visit, const std::filesystem::path& shipped);

class SharedWorker : public std::enable_shared_from_this<SharedWorker> {
public:
    // `choice`: who does the work. `shipped`: the folder of the recordings that every visitor may open.
    SharedWorker(const std::vector<kernels::Stage>& ladder, WorkerChoice choice, std::optional<std::string> backend,
                 std::filesystem::path shipped);

    // The worker of a visitor's session. `wake`: see make_worker().
    std::unique_ptr<Worker> for_visitor(std::shared_ptr<const Visit> visit, std::function<void()> wake);

    std::size_t computed() const; // tasks that were run, which others may have asked for, too

    static constexpr std::size_t most_kept = 96; // results

private:
    class OfVisitor;
    struct Kept {
        Task task;
        std::optional<Result> result; // none: it is being made
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
    std::list<Kept> kept_;                 // the one that was asked for last comes first
    std::array<bool, lane_count> taken_{}; // by a task: one at a time in each lane, as in a session
    std::map<const void*, std::function<void()>> wakes_;
    std::size_t computed_ = 0;
    std::unique_ptr<Worker> worker_, of_kernels_; // of the ladder; of visitors' kernels, which may bring it down
};

} // namespace app
