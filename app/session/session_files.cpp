// The session's dealings with recording files: shown as the first stage, saved, and those that gemmscope comes with.
#include "app/session/session.h"

#include "app/shell/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace app {

void Session::open(const std::filesystem::path& path)
{
    Shown& shown = shown_[0];
    file_ = path;
    shown.stage.reset();
    shown.shipped = false;
    shown.subject.slug = path.filename().string();
    shown.subject.idea.clear();
    shown.subject.speed = {.gflops = {},
                           .of_cublas = {},
                           .of_peak = {},
                           .origin = "",
                           .why_missing = "not timed: a recording from a file"};
    shown.subject.shipped = {};
    shown.subject.recording.reset();
    shown.subject.status = fmt::format("Reading {} …", path.string());
    shown.ticket = recorder_.submit(Slot::first, ReadTask{path});
}

const TimedRow* Session::shipped_speed(std::size_t stage) const
{
    return shipped_speeds_.find(ladder_[stage].slug, rungs_[stage].parameters);
}

viz::Speed Session::speed_of(std::size_t stage) const
{
    viz::Speed speed = rungs_[stage].speed;
    const Machine* opened = machine();
    const TimedRow* shipped = shipped_speed(stage);
    const bool wrong = rungs_[stage].verdict == Verdict::wrong || rungs_[stage].verdict == Verdict::failed;
    if (opened != nullptr && !opened->gpu() && !wrong && shipped != nullptr && shipped->gflops)
        speed.why_missing = fmt::format("shipped: {} on {}", thousands(*shipped->gflops), shipped_speeds_.from.device);
    return speed;
}

viz::ShippedFigures Session::shipped_figures(std::size_t stage) const
{
    const TimedRow* shipped = shipped_speed(stage);
    if (shipped == nullptr)
        return {};
    return {shipped->gflops, shipped->of_cublas, shipped_words(shipped_speeds_, *shipped)};
}

bool Session::recorded_instead(std::size_t stage) const
{
    return std::find(recorded_instead_.begin(), recorded_instead_.end(), stage) != recorded_instead_.end();
}

void Session::record_again()
{
    kept_.clear();
    for (const Shown& shown : shown_) {
        if (!shown.stage || !shown.shipped)
            continue;
        if (const std::string why_not = why_not_on(future_.get(), ladder_[*shown.stage]); !why_not.empty())
            notice_ = why_not;
        else if (!recorded_instead(*shown.stage))
            recorded_instead_.push_back(*shown.stage);
    }
    request(Slot::first, false);
    if (comparing_)
        request(Slot::second, false);
}

void Session::show_shipped(std::size_t stage)
{
    std::erase(recorded_instead_, stage);
    for (const Slot slot : {Slot::first, Slot::second})
        if (shown_[static_cast<std::size_t>(slot)].stage == stage && (slot == Slot::first || comparing_))
            request(slot, false);
}

void Session::save()
{
    const RecordingPtr& made = shown_[0].subject.recording;
    if (made == nullptr) {
        notice_ = "There is no recording to save yet.";
        return;
    }
    const recording::Problem& problem = made->problem;
    std::error_code ignored; // a relative path will do then
    const std::filesystem::path folder = std::filesystem::current_path(ignored);
    const std::string name = fmt::format("{}_{}x{}x{}", made->stage, problem.M, problem.N, problem.K);
    save_path_ = folder / (name + ".gscope");
    for (int number = 2; std::filesystem::exists(save_path_, ignored); ++number)
        save_path_ = folder / fmt::format("{}_{}.gscope", name, number);
    notice_ = fmt::format("Saving {} …", save_path_.string());
    saving_ = recorder_.submit(Slot::file, SaveTask{made, save_path_});
}

void Session::receive_file(Outcome outcome)
{
    Shown& shown = shown_[0];
    shown.subject.recording = outcome.recording;
    shown.subject.slug = outcome.recording->stage;
    const auto stage = std::find_if(ladder_.begin(), ladder_.end(),
                                    [&](const kernels::Stage& own) { return own.slug == outcome.recording->stage; });
    if (stage == ladder_.end())
        return;
    shown.stage = static_cast<std::size_t>(stage - ladder_.begin());
    shown.subject.idea = stage->idea;
}

} // namespace app
