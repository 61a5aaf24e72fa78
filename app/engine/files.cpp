#include "app/engine/files.h"

#include "app/data/config_folder.h"
#include "app/data/recordings.h"
#include "app/engine/trace.h"

#include "recording/file.h"

#include <algorithm>

namespace app {

OpenResult OpenTask::run(const TaskContext& context) const
{
    if (stage.empty() && is_cuda_source(path))
        return {TraceTask{{.file = path}}.run(context).recorded};
    if (stage.empty())
        return {derive(recording::read(path))};
    return {derive(read_shipped_recording(path, kernels::find_stage(context.ladder, stage)))};
}

namespace {

SaveResult save(const std::filesystem::path& path, const RecordingPtr& recording)
{
    recording::write(*recording, path);
    return {.written = true, .notice = {}};
}

SaveResult save(const std::filesystem::path& path, const FoundWinner& found)
{
    TunedFile file(path);
    const std::string notice = file.broken();
    const auto same = [&](const Winner& one) {
        return one.gpu == found.winner.gpu && one.stage == found.winner.stage && one.size == found.winner.size;
    };
    const auto known = std::ranges::find_if(file.winners(), same);
    if (!found.all_competed && known != file.winners().end() && known->gflops >= found.winner.gflops)
        return {.written = false, .notice = notice};
    file.remember(found.winner);
    return {.written = true, .notice = notice};
}

SaveResult save(const std::filesystem::path& path, const GpuFacts& facts)
{
    write_gpu(facts, path);
    return {.written = true, .notice = {}};
}

SaveResult save(const std::filesystem::path& path, const SourceText& source)
{
    write_whole(path, source.text);
    return {.written = true, .notice = {}};
}

} // namespace

SaveResult SaveTask::write() const
{
    return std::visit([&](const auto& one) { return save(path, one); }, what);
}

} // namespace app
