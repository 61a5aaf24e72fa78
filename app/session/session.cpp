#include "app/session/session.h"

#include "app/shell/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <utility>

namespace app {

namespace {

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

} // namespace

Session::Session(SessionOptions options)
    : ladder_(kernels::make_ladder()), opening_([options] { return open_machine(options.factories, options.backend); }),
      future_(opening_.get_future()), opener_([this, wake = options.wake] { opening_(), wake(); }),
      shipped_folder_(options.shipped), shipped_speeds_(read_speeds(options.shipped, ladder_)),
      shipped_counters_(read_counters(options.shipped, ladder_)),
      shipped_searches_(read_searches(options.shipped, ladder_)),
      shapes_(std::make_shared<viz::Shapes>(read_shapes(options.shipped, ladder_))),
      library_(std::make_shared<viz::LibraryKernels>(read_library(options.shipped))), tuned_path_(options.tuned),
      recorder_(future_, options.wake), measurer_(future_, options.wake), tuner_(future_, options.wake, options.tuned),
      prober_(future_, options.wake), shelf_(options.shipped, slugs_of(ladder_), options.wake),
      codes_([this](const auto& recording, auto stop) { return examine(ladder_, recording, stop); }, options.wake),
      counters_(
          [this](const auto& recording, auto stop) {
              return count({future_.get(), shipped_counters_}, ladder_, recording, stop);
          },
          options.wake),
      instructions_(
          [this](const auto& recording, auto stop) {
              return count_instructions({future_.get(), shipped_counters_}, ladder_, recording, stop);
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

bool Session::busy() const
{
    return shown_[0].ticket || (comparing_ && shown_[1].ticket);
}

bool Session::settled() const
{
    return opened_ && !busy() && !saving_;
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
    return kernels::built_on(ladder_, stage);
}

void Session::swap()
{
    if (!comparing_ || file_ || !shown_[0].stage || !shown_[1].stage)
        return;
    const std::size_t first = *shown_[0].stage, second = *shown_[1].stage;
    show(Slot::first, second);
    show(Slot::second, first);
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

void Session::machine_opened()
{
    opened_ = true;
    find_gpu_facts();
    find_library();
    blank_rungs();
    use_tuned();
}

} // namespace app
