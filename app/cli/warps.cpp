#include "app/data/warps.h"
#include "app/cli/job.h"
#include "app/engine/probe.h"

#include "viz/analysis/warp_times.h"
#include "viz/text/figures.h"

namespace app {

namespace {

struct WarpsOptions : JobOptions {
    kernels::WatchedWarps watched;
};

void fields(OptionList& option, WarpsOptions& options)
{
    stage_option(option, options).required();
    shape_options(option, options);
    option("--resident-warps", options.watched.resident,
           "at most so many on an SM at once: each block asks for more shared memory; default: as many as fit",
           between(1, 64));
    option("--extra-shared", options.watched.extra_shared, "or so many bytes more for each block", typed("BYTES"),
           excludes("--resident-warps"));
    option("--sm", options.watched.sm, "whose warps are watched, default 0");
    worker_options(option, options.worker);
}

double part(uint64_t cycles, const viz::SchedulerTime& of)
{
    const uint64_t all = of.span() - of.empty;
    return all == 0 ? 0 : static_cast<double>(cycles) / static_cast<double>(all);
}

Table schedulers_of(const viz::SmOverTime& picture)
{
    Table table("schedulers", "scheduler | slots | running=a warp runs:% | memory=all wait: memory:% | "
                              "barrier=all wait: barrier:% | probe=the probe:%");
    for (std::size_t i = 0; i < picture.schedulers.size(); ++i) {
        const viz::SchedulerTime& time = picture.schedulers[i];
        table.add({i, picture.rows[i].size(), part(time.running, time), part(time.memory, time),
                   part(time.barrier, time), part(time.probe, time)});
    }
    return table;
}

void print(const recording::WarpTimes& times, const kernels::Stage& stage, const std::string& device, Output& out)
{
    const recording::WarpTimes* const one = &times;
    const viz::SmOverTime picture = viz::sm_over_time(times, viz::least_of_ops(std::span(&one, 1)));
    out.say("{} at {} on SM {} of {}: {} warps of {} blocks, at most {} at once, in {} cycles\n", times.stage,
            size_name(times.problem, stage.operation), times.sm, device, times.warps.size(), picture.blocks,
            picture.most_at_once, viz::thousands(picture.span));
    if (times.extra_shared > 0)
        out.say("each block asked for {} bytes of shared memory beyond its own\n",
                viz::thousands(uint64_t{times.extra_shared}));
    out.say("the launch takes {:.4f} ms without the probe and {:.4f} ms with it: {:.2f} times as long; registers {} "
            "and {}, blocks that fit an SM {} and {}\n\n",
            times.plain_ms, times.probed_ms, times.slowdown(), times.plain.registers_per_thread,
            times.probed.registers_per_thread, times.plain.blocks_per_sm, times.probed.blocks_per_sm);
    out.print(schedulers_of(picture));
    out.say("of all four: a warp runs in {} of the cycles, all wait in {}\n", viz::percent(picture.running_share()),
            viz::percent(picture.stalled_share()));
}

int show_warps(const WarpsOptions& options, Output& out)
{
    OneJob one(options, "cuda", "Warps are watched at one size; give one --size.");
    const WarpsResult result = one.engine.run(WarpsTask{named(one.job), options.watched});
    print(result.times, one.stage(), one.engine.device().name, out);
    out.end(app::to_json(result.times, one.stage()), -1);
    return 0;
}

} // namespace

const Subcommand warps_command = {
    "warps", "when the warps of one SM run and when they wait, by the clock at each step (needs an NVIDIA GPU)",
    declare<show_warps>};

} // namespace app
