// The session's recordings: asked for, kept, and taken when they are made.
#include "app/session/session.h"

#include "app/shell/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace app {

namespace {

constexpr std::size_t kept_recordings = 16;

bool same_task(const RecordTask& a, const RecordTask& b)
{
    return same(a.job, b.job) && a.blocks == b.blocks && a.shipped == b.shipped;
}

} // namespace

recording::Problem Session::recorded_problem(std::size_t stage) const
{
    switch (ladder_[stage].operation) {
    case kernels::Operation::vector_add: return {.N = sizes_.recorded_elements};
    case kernels::Operation::thread_coords: return sizes_.recorded_threads;
    case kernels::Operation::gemm:
    case kernels::Operation::gemm_columns: break;
    }
    return sizes_.recorded;
}

std::string Session::place() const
{
    const Machine* opened = machine();
    if (opened == nullptr)
        return "";
    return opened->gpu() ? " on " + opened->backend->device().name : " on the CPU";
}

void Session::show(Slot slot, std::size_t stage)
{
    Shown& shown = shown_[static_cast<std::size_t>(slot)];
    shown.stage = stage;
    shown.subject.slug = ladder_[stage].slug;
    shown.subject.idea = ladder_[stage].idea;
    shown.subject.speed = speed_of(stage);
    shown.subject.shipped = shipped_figures(stage);
    request(slot, false);
}

RecordTask Session::task_for(std::size_t stage) const
{
    RecordTask task{{&ladder_[stage], rungs_[stage].parameters, recorded_problem(stage)}, {{0, 0, 0}}};
    const recording::Index3 grid = ladder_[stage].launch(task.job.parameters, task.job.problem).grid;
    const recording::Index3 block{std::min(wanted_block_.x, grid.x - 1), std::min(wanted_block_.y, grid.y - 1),
                                  std::min(wanted_block_.z, grid.z - 1)};
    if (block != task.blocks.front())
        task.blocks.push_back(block);
    if (!recorded_instead(stage))
        task.shipped = shipped_folder_;
    return task;
}

void Session::request(Slot slot, bool keep_shown)
{
    Shown& shown = shown_[static_cast<std::size_t>(slot)];
    if (!shown.stage || (slot == Slot::first && file_))
        return;
    shown.task = task_for(*shown.stage);
    const auto kept =
        std::find_if(kept_.begin(), kept_.end(), [&](const Kept& entry) { return same_task(entry.task, shown.task); });
    if (kept != kept_.end()) {
        recorder_.cancel(slot);
        shown.ticket.reset();
        shown.subject.recording = kept->recording;
        shown.shipped = kept->shipped;
        return;
    }
    if (!keep_shown) {
        shown.subject.recording.reset();
        shown.shipped = false;
    }
    shown.subject.status = fmt::format("Recording {} at {}{} …", shown.subject.slug,
                                       size_text(shown.task.job.problem, shown.task.job.stage->operation), place());
    shown.ticket = recorder_.submit(slot, shown.task);
}

void Session::set_block(recording::Index3 block)
{
    wanted_block_ = block;
    if (!shows_shipped(Slot::first)) // its blocks are those that it came with
        request(Slot::first, true);
    if (comparing_ && !shows_shipped(Slot::second))
        request(Slot::second, true);
}

void Session::cancel()
{
    for (const Slot slot : {Slot::first, Slot::second})
        if (shown_[static_cast<std::size_t>(slot)].ticket)
            recorder_.cancel(slot);
}

void Session::receive(Outcome outcome)
{
    if (outcome.slot == Slot::file) {
        if (saving_ == outcome.ticket) {
            saving_.reset();
            notice_ = outcome.error.empty() ? fmt::format("Saved {}.", save_path_.string()) : outcome.error;
        }
        return;
    }
    Shown& shown = shown_[static_cast<std::size_t>(outcome.slot)];
    if (shown.ticket != outcome.ticket)
        return;
    shown.ticket.reset();
    if (outcome.cancelled) {
        shown.subject.status = "The recording was cancelled; press r to make it.";
    } else if (!outcome.error.empty()) {
        shown.subject.recording.reset();
        shown.subject.status = outcome.error;
    } else if (outcome.slot == Slot::first && file_) {
        receive_file(std::move(outcome));
    } else {
        shown.subject.recording = outcome.recording;
        shown.shipped = outcome.shipped;
        if (!outcome.notice.empty())
            notice_ = outcome.notice;
        kept_.push_front({shown.task, outcome.recording, outcome.shipped});
        if (kept_.size() > kept_recordings)
            kept_.pop_back();
    }
}

} // namespace app
