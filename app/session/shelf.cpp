#include "app/session/shelf.h"

#include "app/shell/format.h"

#include "recording/file.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace app {

namespace {

RecordingPtr read_if_there(const std::filesystem::path& path, const std::string& slug)
{
    std::error_code unknown;
    if (!std::filesystem::exists(path, unknown))
        return nullptr;
    try {
        auto result = std::make_shared<recording::Recording>(recording::read(path));
        return result->stage == slug ? result : nullptr;
    } catch (const std::exception&) { // whoever shows it says why
        return nullptr;
    }
}

kernels::Operation operation_of(const std::vector<kernels::Stage>& ladder, const std::string& slug)
{
    const auto found = std::ranges::find(ladder, slug, &kernels::Stage::slug);
    return found == ladder.end() ? kernels::Operation::gemm : found->operation;
}

} // namespace

std::string counted_words(const recording::Recording& recording, kernels::Operation operation, bool shipped)
{
    return fmt::format("counted at {} on {}, {}{}", size_text(recording.problem, operation), recording.device.name,
                       recording.recorded_at.substr(0, 10), shipped ? ", shipped with gemmscope" : "");
}

std::vector<ShelfEntry> read_shelf(const std::filesystem::path& folder, const std::vector<std::string>& slugs,
                                   std::stop_token stop)
{
    const std::vector<kernels::Stage> ladder = kernels::make_ladder();
    std::vector<ShelfEntry> entries;
    for (const std::string& slug : slugs) {
        if (stop.stop_requested() || folder.empty())
            break;
        const RecordingPtr small = read_if_there(folder / (slug + ".gscope"), slug);
        const RecordingPtr large = read_if_there(folder / "launches" / (slug + ".gscope"), slug);
        if (small == nullptr && large == nullptr)
            continue;
        const RecordingPtr& counted = large != nullptr ? large : small;
        ShelfEntry entry{.slug = slug, .parameters = counted->parameters};
        entry.launch = large;
        entry.resources = counted->resources;
        if (const RecordingPtr tall = read_if_there(folder / "launches" / (slug + "-tall.gscope"), slug);
            tall != nullptr && tall->parameters == entry.parameters)
            entry.tall = tall;
        entry.traffic = viz::traffic_of(*counted);
        entry.traffic_origin = counted_words(*counted, operation_of(ladder, slug), true);
        if (small != nullptr && small->parameters == entry.parameters)
            entry.tile = viz::reuse_tile(*small);
        entries.push_back(std::move(entry));
    }
    return entries;
}

Shelf::Shelf(std::filesystem::path folder, std::vector<std::string> slugs, std::function<void()> wake)
    : reading_(read_.get_future()), thread_([this, folder = std::move(folder), slugs = std::move(slugs),
                                             wake = std::move(wake)](std::stop_token stop) {
          read_.set_value(read_shelf(folder, slugs, stop));
          wake();
      })
{
}

bool Shelf::poll()
{
    if (!reading_.valid() || reading_.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
        return false;
    entries_ = reading_.get();
    return true;
}

const ShelfEntry* Shelf::find(std::string_view slug, const std::vector<recording::Parameter>& parameters) const
{
    const auto found = std::ranges::find_if(
        entries_, [&](const ShelfEntry& entry) { return entry.slug == slug && entry.parameters == parameters; });
    return found == entries_.end() ? nullptr : &*found;
}

} // namespace app
