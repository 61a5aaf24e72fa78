#include "app/tasks/record.h"
#include "app/cli/commands.h"
#include "app/cli/job.h"
#include "app/cli/options.h"
#include "app/tasks/save.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <memory>

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

struct RecordOptions : JobOptions {
    std::vector<std::string> blocks; // "X,Y" or "X,Y,Z"; empty: 0,0
    bool bare = false; // without the blocks in full and without the owners of C's elements: small at any size
    std::filesystem::path output;
};

// None of a bare recording: a block recorded in full takes longer, and its neighbours in time with it.
std::vector<recording::Index3> blocks_in_full(const RecordOptions& options, const recording::Index3& grid)
{
    std::vector<recording::Index3> blocks;
    for (const std::string& block : options.blocks)
        blocks.push_back(block_in(grid, block));
    if (options.bare)
        return {};
    return blocks.empty() ? std::vector{recording::Index3{0, 0, 0}} : blocks;
}

int record_stage(const RecordOptions& options)
{
    OneJob one(options, options.backend, "A recording has one size; give one --size.");
    const recording::Index3 grid = one.stage().launch(one.job.parameters, one.job.problem).grid;
    const RecordResult result =
        one.engine.run(RecordTask{named(one.job), blocks_in_full(options, grid), !options.bare});
    save({options.output, result.recorded.recording});
    const recording::Device& device = one.engine.device();
    Output out(options.form, -1);
    out.say("{} at {} on {}: recorded in {:.0f} ms, {} of {} blocks in full -> {}\n", one.stage().slug, one.size(),
            device.name, result.milliseconds, result.recorded.recording->blocks.size(), grid.volume(),
            options.output.string());
    out.end_with({{"stage", one.stage().slug},
                  {"size", one.size()},
                  {"backend", device.backend},
                  {"milliseconds", std::round(1e3 * result.milliseconds) / 1e3},
                  {"origin", "measured here"}});
    return 0;
}

} // namespace

void add_record_command(CLI::App& program, int& status)
{
    const auto [command, options] = add_command<RecordOptions>(
        program, status, "record", "run a stage instrumented and keep what it did", record_stage);
    add_stage(*command, *options);
    add_job(*command, *options);
    add_inputs(*command, options->inputs);
    command->add_option("--block", options->blocks, "a block to keep in full, default 0,0")->type_name("X,Y");
    command->add_flag("--bare", options->bare, "keep no block in full and no owners: totals and placements only");
    command->add_option("-o,--output", options->output, "the recording file to write")->required();
}

} // namespace app
