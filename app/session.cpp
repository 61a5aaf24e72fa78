#include "app/session.h"

#include "app/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <utility>

namespace app {

namespace {

constexpr std::size_t kept_recordings = 16;

std::size_t index_of(const std::vector<kernels::Stage>& ladder, std::string_view slug)
{
    return static_cast<std::size_t>(&kernels::find_stage(ladder, slug) - ladder.data());
}

std::vector<std::string> slugs_of(const std::vector<kernels::Stage>& ladder)
{
    std::vector<std::string> slugs;
    for (const kernels::Stage& stage : ladder)
        slugs.emplace_back(stage.slug);
    return slugs;
}

bool same_task(const RecordTask& a, const RecordTask& b)
{
    return same(a.job, b.job) && a.blocks == b.blocks && a.shipped == b.shipped;
}

} // namespace

Session::Session(SessionOptions options)
    : ladder_(kernels::make_ladder()), opening_([options] { return open_machine(options.factories, options.backend); }),
      future_(opening_.get_future()), opener_([this, wake = options.wake] { opening_(), wake(); }),
      shipped_folder_(options.shipped), shipped_speeds_(read_shipped_speeds(options.shipped, ladder_)),
      shipped_traffic_(read_shipped_traffic(options.shipped, ladder_)),
      shipped_searches_(read_shipped_searches(options.shipped, ladder_)), tuned_path_(options.tuned),
      recorder_(future_, options.wake), measurer_(future_, options.wake), tuner_(future_, options.wake, options.tuned),
      prober_(future_, options.wake), shelf_(options.shipped, slugs_of(ladder_), options.wake),
      codes_([this](const auto& recording, auto stop) { return examine(ladder_, recording, stop); }, options.wake),
      counters_(
          [this](const auto& recording, auto stop) {
              return count({future_.get(), shipped_folder_}, ladder_, recording, stop);
          },
          options.wake),
      instructions_(
          [this](const auto& recording, auto stop) {
              return count_instructions({future_.get(), shipped_folder_}, ladder_, recording, stop);
          },
          options.wake)
{
    for (const kernels::Stage& stage : ladder_) {
        rungs_.push_back(blank_rung(stage, nullptr));
        standard_.push_back(stage.standard_parameters());
    }
    blank_baselines();
    shown_[0].subject.accent = viz::Accent::first;
    shown_[1].subject.accent = viz::Accent::second;
    choose(index_of(ladder_, options.first));
    if (!options.second.empty())
        compare(index_of(ladder_, options.second));
    if (options.file)
        open(*options.file);
    measure();
}

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

recording::Problem Session::timed_problem(std::size_t stage) const
{
    switch (ladder_[stage].operation) {
    case kernels::Operation::vector_add: return {.N = sizes_.timed_elements};
    case kernels::Operation::thread_coords: return kernels::used_part(ladder_[stage].operation, sizes_.timed);
    case kernels::Operation::gemm:
    case kernels::Operation::gemm_columns: break;
    }
    return compared_problem();
}

std::string Session::place() const
{
    const Machine* opened = machine();
    if (opened == nullptr)
        return "";
    return opened->gpu() ? " on " + opened->backend->device().name : " on the CPU";
}

bool Session::busy() const
{
    return shown_[0].ticket || (comparing_ && shown_[1].ticket);
}

bool Session::settled() const
{
    return opened_ && !busy() && !saving_;
}

bool Session::measured() const
{
    const Machine* opened = machine();
    return opened != nullptr &&
           (opened->backend == nullptr || std::all_of(rungs_.begin(), rungs_.end(), [&](const Rung& rung) {
                return rung.verdict == Verdict::right ? !opened->gpu() || rung.timed : rung.verdict != Verdict::unknown;
            }));
}

void Session::choose(std::size_t stage)
{
    file_.reset();
    show(Slot::first, stage);
}

void Session::compare(std::optional<std::size_t> stage)
{
    comparing_ = stage.has_value();
    if (comparing_)
        show(Slot::second, *stage);
    else
        recorder_.cancel(Slot::second);
}

std::optional<std::size_t> Session::rung_below(std::size_t stage) const
{
    const auto multiplies = [this](std::size_t i) {
        return ladder_[i].operation == kernels::Operation::gemm ||
               ladder_[i].operation == kernels::Operation::gemm_columns;
    };
    while (multiplies(stage) && stage > 0)
        if (multiplies(--stage))
            return stage;
    return {};
}

void Session::swap()
{
    if (!comparing_ || file_ || !shown_[0].stage || !shown_[1].stage)
        return;
    const std::size_t first = *shown_[0].stage, second = *shown_[1].stage;
    show(Slot::first, second);
    show(Slot::second, first);
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

void Session::set_sizes(const Sizes& sizes)
{
    const Sizes before = std::exchange(sizes_, sizes);
    const bool timed_changed = before.timed != sizes.timed || before.timed_elements != sizes.timed_elements ||
                               before.recorded.alpha != sizes.recorded.alpha ||
                               before.recorded.beta != sizes.recorded.beta;
    if (timed_changed) {
        blank_rungs();
        blank_baselines();
        use_tuned();
    }
    request(Slot::first, false);
    if (comparing_)
        request(Slot::second, false);
    measure();
}

void Session::set_parameters(std::size_t stage, const kernels::ParameterValues& values)
{
    if (rungs_[stage].parameters == values)
        return;
    rungs_[stage] = blank_rung(ladder_[stage], machine());
    rungs_[stage].parameters = values;
    if (shown_[0].stage == stage)
        request(Slot::first, false);
    if (comparing_ && shown_[1].stage == stage)
        request(Slot::second, false);
    measure();
    refresh_speeds();
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

bool Session::poll()
{
    bool changed = false;
    if (!opened_ && future_.wait_for(std::chrono::seconds(0)) == std::future_status::ready) {
        machine_opened();
        changed = true;
    }
    for (Outcome& outcome : recorder_.take()) {
        receive(std::move(outcome));
        changed = true;
    }
    if (!opened_)
        return changed;
    for (const Measurement& measurement : measurer_.take()) {
        receive(measurement);
        changed = true;
    }
    for (BaselineMeasurement& measurement : measurer_.take_baselines()) {
        receive(std::move(measurement));
        changed = true;
    }
    changed = shelf_.poll() || changed;
    changed = codes_.poll() || changed;
    if (counters_.poll()) {
        changed = true;
        if (counted_next_ != nullptr)
            counters_.want(std::exchange(counted_next_, nullptr));
    }
    changed = instructions_.poll() || changed;
    changed = receive_probe() || changed;
    return receive_search() || changed;
}

CodePtr Session::code_of(const RecordingPtr& recording)
{
    codes_.want(recording);
    return codes_.of(recording);
}

CountersPtr Session::counters_of(const RecordingPtr& recording)
{
    counters_.want(recording);
    return counters_.of(recording);
}

InstructionsPtr Session::instructions_of(const RecordingPtr& recording)
{
    if (opened_ && !future_.get().gpu()) // what is shipped costs nothing
        instructions_.want(recording);
    return instructions_.of(recording);
}

void Session::count_instructions_of(const RecordingPtr& recording)
{
    instructions_.forget(recording);
    instructions_.want(recording);
}

void Session::stop_looking()
{
    codes_.cancel();
    counted_next_ = nullptr;
    counters_.cancel();
    instructions_.cancel();
}

void Session::machine_opened()
{
    opened_ = true;
    find_gpu_facts();
    blank_rungs();
    use_tuned();
}

recording::Problem Session::compared_problem() const
{
    recording::Problem problem = sizes_.timed;
    problem.alpha = sizes_.recorded.alpha;
    problem.beta = sizes_.recorded.beta;
    return problem;
}

void Session::blank_baselines()
{
    baselines_.clear();
    for (const kernels::Baseline& baseline : kernels::baselines())
        baselines_.push_back({.baseline = &baseline, .problem = compared_problem(), .result = {}, .missing = {}});
}

void Session::receive(BaselineMeasurement measurement)
{
    if (measurement.result && measurement.result->right() && measurement.baseline->needs_gpu())
        remember_speed(std::string(measurement.baseline->slug), {},
                       {measurement.problem, measurement.result->gflops, "measured here"});
    if (measurement.problem == compared_problem())
        baselines_[static_cast<std::size_t>(measurement.baseline - kernels::baselines().data())] =
            std::move(measurement);
}

void Session::blank_rungs()
{
    cublas_gflops_.reset();
    for (std::size_t i = 0; i < rungs_.size(); ++i) {
        const kernels::ParameterValues parameters = rungs_[i].parameters;
        rungs_[i] = blank_rung(ladder_[i], machine());
        rungs_[i].parameters = parameters;
    }
    refresh_speeds();
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

void Session::measure()
{
    std::vector<kernels::Job> jobs;
    for (std::size_t i = 0; i < ladder_.size(); ++i)
        jobs.push_back({&ladder_[i], rungs_[i].parameters, timed_problem(i)});
    measurer_.measure(std::move(jobs), compared_problem());
}

void Session::receive(const Measurement& measurement)
{
    const auto stage = static_cast<std::size_t>(measurement.job.stage - ladder_.data());
    const kernels::Job wanted{&ladder_[stage], rungs_[stage].parameters, timed_problem(stage)};
    if (!same(wanted, measurement.job))
        return;
    rungs_[stage] = describe(measurement, future_.get());
    if (rungs_[stage].cublas_gflops)
        cublas_gflops_ = rungs_[stage].cublas_gflops;
    if (const viz::Speed& speed = rungs_[stage].speed; speed.gflops)
        remember_speed(std::string(ladder_[stage].slug), measurement.job.parameters,
                       {measurement.job.problem, *speed.gflops, speed.origin});
    refresh_speeds();
}

void Session::refresh_speeds()
{
    for (Shown& shown : shown_)
        if (shown.stage && !(file_ && &shown == &shown_[0])) {
            shown.subject.speed = speed_of(*shown.stage);
            shown.subject.shipped = shipped_figures(*shown.stage);
        }
}

} // namespace app
