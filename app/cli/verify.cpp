#include "app/tasks/verify.h"
#include "app/catalogue/checked_json.h"
#include "app/cli/commands.h"
#include "app/cli/own_stages.h"
#include "app/tasks/prepare.h"
#include "app/text/tell.h"

#include "gemm/element_type.h"
#include "measure/verification.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace app {

namespace {

const std::vector<std::string> ragged_sizes = {"1",  "2",   "17",  "31",       "32",       "33",       "63",    "64",
                                               "65", "127", "128", "100x33x7", "7x129x65", "129x1x40", "1x70x3"};

kernels::ProbeKind probe_named(const std::string& name)
{
    return name == "count"    ? kernels::ProbeKind::count
           : name == "record" ? kernels::ProbeKind::record
           : name == "place"  ? kernels::ProbeKind::place
                              : kernels::ProbeKind::none;
}

} // namespace

int verify_stages(const JobOptions& options, const std::string& probe)
{
    const std::vector<kernels::Stage> ladder = ladder_with_own();
    const std::vector<const kernels::Stage*> stages = chosen_stages(ladder, options.stages);
    std::vector<kernels::Job> jobs;
    for (const kernels::Stage* stage : stages)
        for (const std::string& size : options.sizes.empty() ? ragged_sizes : options.sizes)
            jobs.push_back(make_job(*stage, options, parse_size(size, options, stage->operation)));

    Engine engine(options.worker, options.backend);
    const recording::Device& device = engine.device();
    leave_out_missing(jobs, options, device);
    use_tuned(jobs, options, device);
    const kernels::ProbeKind kind = probe_named(probe);
    if (kind == kernels::ProbeKind::none)
        engine.run(PrepareTask{all_named(jobs)});
    nlohmann::json rows = nlohmann::json::array();
    std::size_t failed = 0;
    if (!options.json)
        write_out("on {}; error: of the sums; total: with what rounding A and B to the stage's type costs\n"
                  "{:<26}{:>16}{:>6}{:>12}{:>12}{:>12}\n",
                  device.name, "stage", "size", "type", "error", "allowed", "total");
    for (const kernels::Job& job : jobs) {
        VerifyTask task{.job = named(job), .probe = kind};
        if (options.alpha || options.beta)
            task.scales = {{job.problem.alpha, job.problem.beta}};
        const kernels::Verification result = engine.run(task).worst;
        const std::string size = size_name(job.problem, job.stage->operation);
        failed += !result.ok;
        rows.push_back({{"stage", job.stage->slug},
                        {"size", size},
                        {"ok", result.ok},
                        {"error", or_null(result.error)},
                        {"tolerance", result.tolerance},
                        {"total_error", or_null(result.total_error)},
                        {"type", kernels::name_of(kernels::type_of(job))},
                        {"backend", device.backend},
                        {"origin", "measured: run on " + device.name + ", compared with float64"}});
        if (!options.json)
            write_out("{:<26}{:>16}{:>6}{:>12.1e}{:>12.1e}{:>12.1e}  {}\n", job.stage->slug, size,
                      kernels::name_of(kernels::type_of(job)), result.error, result.tolerance, result.total_error,
                      result.ok ? "ok" : "WRONG");
    }
    if (options.json)
        write_json(rows);
    else
        write_out("{} of {} right\n", jobs.size() - failed, jobs.size());
    return failed == 0 ? 0 : 1;
}

} // namespace app
