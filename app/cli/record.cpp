#include "app/tasks/record.h"
#include "app/cli/commands.h"
#include "app/cli/own_stages.h"
#include "app/tasks/save.h"
#include "app/text/tell.h"

#include <fmt/format.h>

namespace app {

namespace {

recording::Index3 block_in(const recording::Index3& grid, const std::string& text)
{
    const std::optional<recording::Index3> block = parse_block(text);
    if (!block || block->x >= grid.x || block->y >= grid.y || block->z >= grid.z)
        throw kernels::Error(
            grid.z > 1
                ? fmt::format("'{}' is no block of this launch; give X,Y,Z with X below {}, Y below {} and Z below {}.",
                              text, grid.x, grid.y, grid.z)
                : fmt::format("'{}' is no block of this launch; give X,Y with X below {} and Y below {}.", text, grid.x,
                              grid.y));
    return *block;
}

} // namespace

int record_stage(const RecordOptions& options)
{
    const std::vector<kernels::Stage> ladder = ladder_with_own();
    const kernels::Stage& stage = kernels::find_stage(ladder, options.job.stages.at(0));
    const std::string size =
        one_size(options.job, kernels::facts(stage.operation).small_size, "A recording has one size; give one --size.");
    std::vector<kernels::Job> jobs = {make_job(stage, options.job, parse_size(size, options.job, stage.operation))};
    Engine engine(options.job.worker, options.job.backend);
    use_tuned(jobs, options.job, engine.device());
    const kernels::Job& job = jobs.front();
    const recording::Index3 grid = stage.launch(job.parameters, job.problem).grid;
    std::vector<recording::Index3> blocks;
    for (const std::string& block : options.blocks)
        blocks.push_back(block_in(grid, block));
    if (options.bare) // a block recorded in full takes longer, and its neighbours in time with it
        blocks.clear();
    else if (blocks.empty())
        blocks.push_back({0, 0, 0});

    const RecordResult result = engine.run(RecordTask{named(job), blocks, !options.bare});
    save({options.output, result.recorded.recording});
    if (options.job.json)
        write_out("{{\"stage\": \"{}\", \"size\": \"{}\", \"backend\": \"{}\", \"milliseconds\": {:.3f}, "
                  "\"origin\": \"measured here\"}}\n",
                  stage.slug, size_name(job.problem, stage.operation), engine.device().backend, result.milliseconds);
    else
        write_out("{} at {} on {}: recorded in {:.0f} ms, {} of {} blocks in full -> {}\n", stage.slug,
                  size_name(job.problem, stage.operation), engine.device().name, result.milliseconds,
                  result.recorded.recording->blocks.size(), grid.volume(), options.output.string());
    return 0;
}

} // namespace app
