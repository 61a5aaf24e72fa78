#include "app/catalogue/warps.h"
#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "app/tasks/warps.h"
#include "app/text/tell.h"

#include "viz/analysis/warp_times.h"
#include "viz/text/figures.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace app {

namespace {

struct WarpsOptions {
    JobOptions job;
    std::string stage;
    kernels::WatchedWarps watched;
};

double part(uint64_t cycles, const viz::SchedulerTime& of)
{
    const uint64_t all = of.span() - of.empty;
    return all == 0 ? 0 : static_cast<double>(cycles) / static_cast<double>(all);
}

void print(const recording::WarpTimes& times, const kernels::Stage& stage, const std::string& device)
{
    const recording::WarpTimes* const one = &times;
    const viz::SmOverTime picture = viz::sm_over_time(times, viz::least_of_ops(std::span(&one, 1)));
    write_out("{} at {} on SM {} of {}: {} warps of {} blocks, at most {} at once, in {} cycles\n", times.stage,
              size_name(times.problem, stage.operation), times.sm, device, times.warps.size(), picture.blocks,
              picture.most_at_once, viz::thousands(picture.span));
    if (times.extra_shared > 0)
        write_out("each block asked for {} bytes of shared memory beyond its own\n",
                  viz::thousands(uint64_t{times.extra_shared}));
    write_out("the launch takes {:.4f} ms without the probe and {:.4f} ms with it: {:.2f} times as long; registers {} "
              "and {}, "
              "blocks that fit an SM {} and {}\n",
              times.plain_ms, times.probed_ms, times.slowdown(), times.plain.registers_per_thread,
              times.probed.registers_per_thread, times.plain.blocks_per_sm, times.probed.blocks_per_sm);
    write_out("\n{:<10}{:>8}{:>14}{:>18}{:>18}{:>14}\n", "scheduler", "slots", "a warp runs", "all wait: memory",
              "all wait: barrier", "the probe");
    for (std::size_t i = 0; i < picture.schedulers.size(); ++i) {
        const viz::SchedulerTime& time = picture.schedulers[i];
        write_out("{:<10}{:>8}{:>14}{:>18}{:>18}{:>14}\n", i, picture.rows[i].size(),
                  viz::percent(part(time.running, time)), viz::percent(part(time.memory, time)),
                  viz::percent(part(time.barrier, time)), viz::percent(part(time.probe, time)));
    }
    write_out("of all four: a warp runs in {} of the cycles, all wait in {}\n", viz::percent(picture.running_share()),
              viz::percent(picture.stalled_share()));
}

int show_warps(const WarpsOptions& options)
{
    const std::vector<kernels::Stage> ladder = ladder_with_own();
    const kernels::Stage& stage = kernels::find_stage(ladder, options.stage);
    const std::string size = one_size(options.job, kernels::facts(stage.operation).small_size,
                                      "Warps are watched at one size; give one --size.");
    std::vector<kernels::Job> jobs = {make_job(stage, options.job, parse_size(size, options.job, stage.operation))};
    Engine engine(options.job.worker, "cuda");
    use_tuned(jobs, options.job, engine.device());
    const WarpsResult result = engine.run(WarpsTask{named(jobs.front()), options.watched});
    if (options.job.json)
        write_json(app::to_json(result.times, stage), -1);
    else
        print(result.times, stage, engine.device().name);
    return 0;
}

} // namespace

void add_warps_command(CLI::App& program, int& status)
{
    const auto options = std::make_shared<WarpsOptions>();
    CLI::App* warps = program.add_subcommand(
        "warps", "when the warps of one SM run and when they wait, by the clock at each step (needs an NVIDIA GPU)");
    warps->add_option("stage", options->stage, "a stage, see 'stages'")->required();
    warps->add_option("--size", options->job.sizes, "N or MxNxK")->type_name("SIZE");
    warps->add_option("--param", options->job.parameters, "a parameter of the stage, see 'stages'")
        ->type_name("NAME=VALUE");
    CLI::Option* resident = warps->add_option(
        "--resident-warps", options->watched.resident,
        "at most so many on an SM at once: each block asks for more shared memory; default: as many as fit");
    resident->check(CLI::Range(1, 64));
    warps->add_option("--extra-shared", options->watched.extra_shared, "or so many bytes more for each block")
        ->type_name("BYTES")
        ->excludes(resident);
    warps->add_option("--sm", options->watched.sm, "whose warps are watched, default 0");
    add_worker(*warps, options->job.worker);
    warps->add_flag("--json", options->job.json, "print JSON");
    warps->callback([options, &status] { status = show_warps(*options); });
}

} // namespace app
