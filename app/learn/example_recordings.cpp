#include "app/learn/example_recordings.h"

#include "app/data/recordings.h"
#include "app/workspace/choice.h"

#include "recording/file.h"

#include <fmt/format.h>

#include <algorithm>

namespace app {

ExampleRecordings::ExampleRecordings(std::filesystem::path shipped)
    : shipped_(std::move(shipped)), catalogue_(load_catalogue(shipped_, ladder_))
{
}

recording::GpuProperties ExampleRecordings::gpu() const
{
    if (catalogue_->gpu.facts)
        return catalogue_->gpu.facts->properties;
    throw kernels::Error(
        "No GPU is known: the files that gemmscope ships are missing. Install it again, or name their folder.");
}

viz::SmLimits ExampleRecordings::limits() const
{
    return viz::limits_of(gpu().compute_capability).value_or(viz::SmLimits{});
}

std::vector<viz::MemoryLevel> ExampleRecordings::memory_levels() const
{
    const auto& facts = catalogue_->gpu.facts;
    if (!facts)
        return {};
    return viz::memory_levels(facts->properties, facts->measured ? &*facts->measured : nullptr);
}

const TimedRow* ExampleRecordings::timed(std::string_view slug) const
{
    const auto& rows = catalogue_->speeds.rows;
    const auto found = std::ranges::find_if(rows, [&](const TimedRow& row) { return row.slug == slug && row.gflops; });
    return found == rows.end() ? nullptr : &*found;
}

const CountedRow* ExampleRecordings::counted(std::string_view slug, const recording::Problem& problem) const
{
    const auto& rows = catalogue_->counters.rows;
    const auto found =
        std::ranges::find_if(rows, [&](const CountedRow& row) { return row.slug == slug && row.problem == problem; });
    return found == rows.end() ? nullptr : &*found;
}

RecordingPtr ExampleRecordings::of(const Patch& place, std::size_t column)
{
    if (const std::filesystem::path& file = place.columns[column].file; !file.empty()) {
        RecordingPtr& read = made_[file.string()];
        if (read == nullptr)
            read = std::make_shared<const recording::Recording>(recording::read(found_file(shipped_, file)));
        return read;
    }
    const kernels::Job job = job_of(place, ladder_, column);
    std::string name =
        fmt::format("{} {}x{}x{} {} {},{},{}", job.stage->slug, job.problem.M, job.problem.N, job.problem.K,
                    static_cast<int>(job.inputs), place.block.x, place.block.y, place.block.z);
    for (const int value : job.parameters)
        name += fmt::format(" {}", value);
    RecordingPtr& made = made_[name];
    if (made == nullptr)
        made = make(job, place.block);
    return made;
}

RecordingPtr ExampleRecordings::make(const kernels::Job& job, const recording::Index3& block)
{
    if (!shipped_.empty())
        try {
            const std::filesystem::path size = shipped_size(shipped_, *job.stage, job.problem);
            auto read = std::make_shared<const recording::Recording>(
                size.empty() ? read_shipped_recording(shipped_, *job.stage) : recording::read(size));
            if (answers(*read, job) && !changed_since(*read, *job.stage) &&
                std::ranges::find(read->blocks, block, &recording::BlockTrace::block) != read->blocks.end())
                return read;
        } catch (const kernels::Error&) { // a damaged recording counts as missing: the CPU makes another one
        }
    if (backend_ == nullptr)
        backend_ = kernels::make_cpu_backend();
    const std::vector<recording::Index3> blocks =
        blocks_in_full(job.stage->launch(job.parameters, job.problem).grid, block);
    return std::make_shared<const recording::Recording>(backend_->record(job, blocks, {}));
}

} // namespace app
