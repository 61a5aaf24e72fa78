// The session's dealings with recording files: shown as the first stage, and saved.
#include "app/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace app {

void Session::open(const std::filesystem::path& path)
{
    Shown& shown = shown_[0];
    file_ = path;
    shown.stage.reset();
    shown.subject.slug = path.filename().string();
    shown.subject.idea.clear();
    shown.subject.speed = {.gflops = {},
                           .of_cublas = {},
                           .of_peak = {},
                           .origin = "",
                           .why_missing = "not timed: a recording from a file"};
    shown.subject.recording.reset();
    shown.subject.status = fmt::format("Reading {} …", path.string());
    shown.ticket = recorder_.submit(Slot::first, ReadTask{path});
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
