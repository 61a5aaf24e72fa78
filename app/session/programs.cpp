#include "app/session/programs.h"

#include "app/engine/program.h"
#include "app/text/command_words.h"

namespace app {

void Programs::list(const std::string& command)
{
    if (state_.doing != ProgramState::Doing::nothing)
        return;
    state_ = {.command = command};
    try {
        words_ = command_words(command);
    } catch (const kernels::Error& error) {
        state_.error = error.what();
        return;
    }
    if (!words_.empty())
        begin(ProgramState::Doing::listing, listing_ = {words_}, Lane::recording);
}

void Programs::trace(std::size_t row)
{
    if (state_.doing != ProgramState::Doing::nothing || row >= state_.launches.size())
        return;
    const injection::ListedLaunch& launch = state_.launches[row];
    state_.traced = row;
    begin(ProgramState::Doing::tracing,
          tracing_ = {.command = words_, .kernel = exactly(launch.name), .launch = launch.first_of_name},
          Lane::recording);
}

void Programs::leave()
{
    switch (state_.doing) {
    case ProgramState::Doing::nothing: shown_ = false; break;
    case ProgramState::Doing::listing: engine_.cancel(listing_); break;
    case ProgramState::Doing::tracing: engine_.cancel(tracing_); break;
    case ProgramState::Doing::saving: break; // saving takes only a moment
    }
}

template <Request R>
void Programs::begin(ProgramState::Doing doing, R& request, Lane lane)
{
    state_.doing = doing;
    state_.error.clear();
    engine_.renew(request, lane);
}

template <Request R>
std::shared_ptr<const typename R::Result> Programs::take(const R& request)
{
    const Loadable<R>* known = engine_.follow(request);
    if (known != nullptr && known->busy)
        return nullptr;
    state_.doing = ProgramState::Doing::nothing;
    if (known != nullptr && known->failed())
        state_.error = known->failure->why;
    return known == nullptr ? nullptr : known->value;
}

void Programs::turn()
{
    switch (state_.doing) {
    case ProgramState::Doing::nothing: break;
    case ProgramState::Doing::listing:
        if (const auto listed = take(listing_))
            state_.launches = listed->launches;
        break;
    case ProgramState::Doing::tracing:
        if (const auto traced = take(tracing_))
            save(traced->recorded.recording);
        break;
    case ProgramState::Doing::saving:
        if (take(saving_)) {
            recording_ = saving_.path;
            shown_ = false;
        }
        break;
    }
}

void Programs::save(const RecordingPtr& made)
{
    std::error_code ignored;
    std::filesystem::create_directories(folder_, ignored);
    saving_ = {free_path(folder_, made->stage.substr(0, 60), "gscope"), made};
    begin(ProgramState::Doing::saving, saving_, Lane::files);
}

} // namespace app
