#include "app/session/saving.h"

#include "app/text/file_name.h"

#include <fmt/format.h>

namespace app {

std::string Saving::start(const RecordingPtr& made)
{
    if (made == nullptr)
        return "There is no recording to save yet.";
    const recording::Problem& problem = made->problem;
    std::error_code ignored; // a relative path will do then
    path_ = free_path(std::filesystem::current_path(ignored),
                      fmt::format("{}_{}x{}x{}", made->stage.substr(0, 60), problem.M, problem.N, problem.K), "gscope");
    ticket_ = queue_.submit(Lane::files, SaveTask{path_, made});
    return fmt::format("Saving {} …", path_.string());
}

std::string Saving::receive(const Report& report)
{
    if (ticket_ == 0 || report.ticket != ticket_)
        return "";
    ticket_ = 0;
    const Failure* failure = report.failure();
    return failure != nullptr ? failure->why : saved_notice(path_);
}

} // namespace app
