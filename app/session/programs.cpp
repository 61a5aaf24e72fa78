#include "app/session/programs.h"

#include "app/text/command_words.h"
#include "app/text/file_name.h"

namespace app {

namespace {

// A regular expression that only this name matches.
std::string exactly(std::string_view name)
{
    std::string expression = "^";
    for (const char c : name) {
        if (std::string_view("\\^$.|?*+()[]{}").find(c) != std::string_view::npos)
            expression += '\\';
        expression += c;
    }
    return expression + "$";
}

} // namespace

void Programs::list(const std::string& command)
{
    if (ticket_ != 0)
        return;
    state_ = {.command = command};
    try {
        words_ = command_words(command);
    } catch (const kernels::Error& error) {
        state_.error = error.what();
        return;
    }
    if (!words_.empty())
        submit(ProgramState::Doing::listing, ListProgramTask{words_});
}

void Programs::trace(std::size_t row)
{
    if (ticket_ != 0 || row >= state_.launches.size())
        return;
    const injection::ListedLaunch& launch = state_.launches[row];
    state_.traced = row;
    submit(ProgramState::Doing::tracing,
           TraceProgramTask{.command = words_, .kernel = exactly(launch.name), .launch = launch.first_of_name});
}

void Programs::leave()
{
    if (ticket_ != 0)
        queue_.cancel(ticket_);
    else
        shown_ = false;
}

void Programs::submit(ProgramState::Doing doing, Task task)
{
    state_.doing = doing;
    state_.error.clear();
    ticket_ = queue_.submit(doing == ProgramState::Doing::saving ? Lane::files : Lane::recording, std::move(task));
}

bool Programs::receive(const Report& report)
{
    if (report.ticket == 0 || report.ticket != ticket_)
        return false;
    if (report.progress() != nullptr)
        return true;
    ticket_ = 0;
    state_.doing = ProgramState::Doing::nothing;
    if (const Failure* failure = report.failure()) {
        if (failure->kind != Failure::Kind::cancelled)
            state_.error = failure->why;
        return true;
    }
    if (const auto* listed = report.result<ListProgramResult>()) {
        state_.launches = listed->launches;
    } else if (const auto* traced = report.result<TraceProgramResult>()) {
        const RecordingPtr& made = traced->recorded.recording;
        std::error_code ignored;
        std::filesystem::create_directories(folder_, ignored);
        saved_ = free_path(folder_, made->stage.substr(0, 60), "gscope");
        submit(ProgramState::Doing::saving, SaveTask{saved_, made});
    } else {
        recording_ = saved_;
        shown_ = false;
    }
    return true;
}

} // namespace app
