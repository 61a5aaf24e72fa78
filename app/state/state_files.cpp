#include "app/state/state_files.h"

#include "app/catalogue/config_folder.h"

#include "viz/text/templates.h"

#include "recording/disk.h"

#include <utility>

namespace app {

void StateFiles::wish(std::function<Outcome()> work)
{
    waiting_.push_back(std::move(work));
    begin();
}

void StateFiles::begin()
{
    if (work_ != nullptr || waiting_.empty())
        return;
    work_ = std::make_unique<Background<Outcome>>(
        [next = std::move(waiting_.front())](const std::stop_token&) -> Outcome {
            try {
                return next();
            } catch (const std::exception& error) {
                return {error.what(), {}, {}};
            }
        },
        wake_);
    waiting_.pop_front();
}

void StateFiles::save(SavedState state, std::filesystem::path file, bool packs)
{
    wish([state = std::move(state), file = std::move(file), packs]() -> Outcome {
        write_state(state, file, packs);
        return {viz::plain({"session.saved", {{"file", file.string()}}}), file, {}};
    });
}

void StateFiles::open(std::filesystem::path file)
{
    wish([file = std::move(file)]() -> Outcome { return {{}, file, read_state(file, unpacked_folder())}; });
}

void StateFiles::write(std::string text, std::filesystem::path file)
{
    wish([text = std::move(text), file = std::move(file)]() -> Outcome {
        recording::write_atomically(file, text);
        return {viz::plain({"session.saved", {{"file", file.string()}}}), {}, {}};
    });
}

std::optional<StateFiles::Outcome> StateFiles::take()
{
    if (work_ == nullptr || work_->get() == nullptr)
        return {};
    Outcome outcome = *work_->get();
    work_.reset();
    begin();
    return outcome;
}

} // namespace app
