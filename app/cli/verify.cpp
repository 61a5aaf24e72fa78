#include "app/tasks/verify.h"
#include "app/catalogue/checked_json.h"
#include "app/cli/commands.h"
#include "app/cli/job.h"
#include "app/cli/options.h"
#include "app/cli/own_stages.h"
#include "app/tasks/prepare.h"

#include "gemm/element_type.h"
#include "measure/verification.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <map>
#include <memory>

namespace app {

namespace {

const std::vector<std::string> ragged_sizes = {"1",  "2",   "17",  "31",       "32",       "33",       "63",    "64",
                                               "65", "127", "128", "100x33x7", "7x129x65", "129x1x40", "1x70x3"};

struct VerifyOptions : JobOptions {
    kernels::ProbeKind probe = kernels::ProbeKind::none;
};

constexpr const char* verify_columns =
    "stage:< | size | type | error:{:.1e} | tolerance=allowed:{:.1e} | total_error=total:{:.1e} | ok=:?ok:WRONG";

nlohmann::json verified(const kernels::Job& job, const VerifyOptions& options, Engine& engine)
{
    VerifyTask task{.job = named(job), .probe = options.probe};
    if (options.alpha || options.beta)
        task.scales = {{job.problem.alpha, job.problem.beta}};
    const kernels::Verification result = engine.run(task).worst;
    return {{"stage", job.stage->slug},
            {"size", size_name(job.problem, job.stage->operation)},
            {"ok", result.ok},
            {"error", or_null(result.error)},
            {"tolerance", result.tolerance},
            {"total_error", or_null(result.total_error)},
            {"type", kernels::name_of(kernels::type_of(job))},
            {"backend", engine.device().backend},
            {"origin", "measured: run on " + engine.device().name + ", compared with float64"}};
}

int verify_stages(const VerifyOptions& options)
{
    const std::vector<kernels::Stage> ladder = ladder_with_own();
    for (const std::string& slug : options.stages)
        kernels::find_stage(ladder, slug); // libraries are not verified
    std::vector<kernels::Job> jobs;
    for (const kernels::Stage* stage : named_in(ladder, options.stages).stages)
        for (const std::string& size : options.sizes.empty() ? ragged_sizes : options.sizes)
            jobs.push_back(make_job(*stage, options, parse_size(size, options, stage->operation)));
    Engine engine(options.worker, options.backend);
    leave_out_missing(jobs, options, engine.device());
    use_tuned(jobs, options, engine.device());
    if (options.probe == kernels::ProbeKind::none)
        engine.run(PrepareTask{all_named(jobs)});
    Output out(options.form);
    out.say("on {}; error: of the sums; total: with what rounding A and B to the stage's type costs\n",
            engine.device().name);
    out.begin({"verify", verify_columns});
    std::size_t right = 0;
    for (const kernels::Job& job : jobs) {
        nlohmann::json row = verified(job, options, engine);
        right += row.at("ok").get<bool>() ? 1 : 0;
        out.add(std::move(row));
    }
    out.say("{} of {} right\n", right, jobs.size());
    out.end();
    return right == jobs.size() ? 0 : 1;
}

} // namespace

void add_verify_command(CLI::App& program, int& status)
{
    const auto [command, options] =
        add_command<VerifyOptions>(program, status, "verify", "compare stages with float64", verify_stages);
    command->add_option("stage", options->stages, "stages; default: all");
    add_job(*command, *options);
    add_inputs(*command, options->inputs);
    using enum kernels::ProbeKind;
    const std::map<std::string, kernels::ProbeKind> kinds = {
        {"none", none}, {"count", count}, {"record", record}, {"place", place}};
    command
        ->add_option_function<std::string>(
            "--probe", [options = options, kinds](const std::string& name) { options->probe = kinds.at(name); },
            "which form of the kernel runs: none, count, record or place")
        ->check(CLI::IsMember({"none", "count", "record", "place"}));
}

} // namespace app
