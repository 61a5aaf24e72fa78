#include "app/session/file_history.h"

#include <algorithm>

namespace app {

namespace {

bool same(const RunFileResult& a, const RunFileResult& b)
{
    const recording::Recording &first = *a.recorded.recording, &second = *b.recorded.recording;
    return a.text == b.text && first.parameters == second.parameters && first.problem == second.problem;
}

} // namespace

void FileHistory::add(const std::filesystem::path& file, const RunPtr& run)
{
    const std::vector<FileVersionPtr> before = of(file);
    const uint64_t last = before.empty() ? 0 : before.back()->number;
    const bool again = !before.empty() && same(*before.back()->run, *run);
    if (again)
        std::erase(versions_, before.back());
    versions_.push_back(std::make_shared<const FileVersion>(FileVersion{again ? last : last + 1, file, run}));
    if (versions_.size() > most_kept)
        versions_.pop_front();
}

std::vector<FileVersionPtr> FileHistory::of(const std::filesystem::path& file) const
{
    std::vector<FileVersionPtr> result;
    std::ranges::copy_if(versions_, std::back_inserter(result), [&](const auto& one) { return one->file == file; });
    return result;
}

FileVersionPtr FileHistory::find(const std::filesystem::path& file, uint64_t number) const
{
    for (const FileVersionPtr& one : versions_)
        if (one->file == file && one->number == number)
            return one;
    return nullptr;
}

} // namespace app
