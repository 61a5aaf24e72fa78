#include "app/tasks/record.h"
#include "app/cli/commands.h"
#include "app/cli/own_stages.h"
#include "app/tasks/save.h"

#include <fmt/format.h>

#include <charconv>

namespace app {

namespace {

recording::Index3 parse_block(const std::string& text, const recording::Index3& grid)
{
    recording::Index3 block{0, 0, 0};
    const char* at = text.data();
    const char* const end = at + text.size();
    bool good = true;
    uint32_t* const parts[] = {&block.x, &block.y, &block.z};
    for (std::size_t i = 0; i < 3 && good; ++i) {
        const auto [next, error] = std::from_chars(at, end, *parts[i]);
        good = error == std::errc();
        at = next;
        if (at == end)
            break;
        good = good && *at++ == ',';
    }
    if (!good || at != end || block.x >= grid.x || block.y >= grid.y || block.z >= grid.z)
        throw kernels::Error(
            grid.z > 1
                ? fmt::format("'{}' is no block of this launch; give X,Y,Z with X below {}, Y below {} and Z below {}.",
                              text, grid.x, grid.y, grid.z)
                : fmt::format("'{}' is no block of this launch; give X,Y with X below {} and Y below {}.", text, grid.x,
                              grid.y));
    return block;
}

} // namespace

int record_stage(const RecordOptions& options)
{
    const std::vector<kernels::Stage> ladder = ladder_with_own();
    const kernels::Stage& stage = kernels::find_stage(ladder, options.job.stages.at(0));
    if (options.job.sizes.size() > 1)
        throw kernels::Error("A recording has one size; give one --size.");
    const std::string size = !options.job.sizes.empty() ? options.job.sizes.front()
                                                        : std::string(kernels::facts(stage.operation).small_size);
    std::vector<kernels::Job> jobs = {make_job(stage, options.job, parse_size(size, options.job, stage.operation))};
    Engine engine(options.job.worker, options.job.backend);
    use_tuned(jobs, options.job, engine.device());
    const kernels::Job& job = jobs.front();
    const recording::Index3 grid = stage.launch(job.parameters, job.problem).grid;
    std::vector<recording::Index3> blocks;
    for (const std::string& block : options.blocks)
        blocks.push_back(parse_block(block, grid));
    if (options.bare) // a block recorded in full takes longer, and its neighbours in time with it
        blocks.clear();
    else if (blocks.empty())
        blocks.push_back({0, 0, 0});

    const RecordResult result = engine.run(RecordTask{named(job), blocks, !options.bare});
    save({options.output, result.recorded.recording});
    if (options.job.json)
        fmt::print("{{\"stage\": \"{}\", \"size\": \"{}\", \"backend\": \"{}\", \"milliseconds\": {:.3f}, "
                   "\"origin\": \"measured here\"}}\n",
                   stage.slug, size_name(job.problem, stage.operation), engine.device().backend, result.milliseconds);
    else
        fmt::print("{} at {} on {}: recorded in {:.0f} ms, {} of {} blocks in full -> {}\n", stage.slug,
                   size_name(job.problem, stage.operation), engine.device().name, result.milliseconds,
                   result.recorded.recording->blocks.size(), grid.volume(), options.output.string());
    return 0;
}

} // namespace app
