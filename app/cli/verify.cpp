#include "app/cli/commands.h"

#include "gemm/element_type.h"
#include "measure/verification.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace app {

namespace {

const std::vector<std::string> ragged_sizes = {"1",  "2",   "17",  "31",       "32",       "33",       "63",    "64",
                                               "65", "127", "128", "100x33x7", "7x129x65", "129x1x40", "1x70x3"};

kernels::ProbeKind probe_named(const std::string& name)
{
    return name == "count"    ? kernels::ProbeKind::count
           : name == "record" ? kernels::ProbeKind::record
                              : kernels::ProbeKind::none;
}

// The worst over alpha and beta: as given, else one pair that does not read C and one that does.
kernels::Verification verify_size(kernels::Backend& backend, kernels::Job job, const JobOptions& options,
                                  kernels::ProbeKind probe)
{
    struct Scale {
        float alpha, beta;
    };
    std::vector<Scale> scales = {{1.0f, 0.0f}, {-0.5f, 3.0f}};
    if (options.alpha || options.beta)
        scales = {{job.problem.alpha, job.problem.beta}};
    kernels::Verification worst{.ok = true, .error = 0, .total_error = 0, .tolerance = kernels::tolerance(job)};
    for (const Scale& scale : scales) {
        job.problem.alpha = scale.alpha;
        job.problem.beta = scale.beta;
        const kernels::Verification one = kernels::verify(backend, job, probe, {});
        worst.ok = worst.ok && one.ok;
        worst.error = one.error <= worst.error ? worst.error : one.error; // NaN wins
        worst.total_error = one.total_error <= worst.total_error ? worst.total_error : one.total_error;
    }
    return worst;
}

nlohmann::json number(double value)
{
    return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr);
}

} // namespace

int verify_stages(const JobOptions& options, const std::string& probe)
{
    const std::vector<kernels::Stage> ladder = kernels::make_ladder();
    const std::vector<const kernels::Stage*> stages = chosen_stages(ladder, options.stages);
    std::vector<kernels::Job> jobs;
    for (const kernels::Stage* stage : stages)
        for (const std::string& size : options.sizes.empty() ? ragged_sizes : options.sizes)
            jobs.push_back(make_job(*stage, options, parse_size(size, options, stage->operation)));

    const std::unique_ptr<kernels::Backend> backend = open_backend(options.backend);
    leave_out_missing(jobs, options, backend->device());
    use_tuned(jobs, options, backend->device());
    const kernels::ProbeKind kind = probe_named(probe);
    backend->prepare(jobs, std::span(&kind, 1), {});
    nlohmann::json rows = nlohmann::json::array();
    std::size_t failed = 0;
    if (!options.json)
        fmt::print("on {}; error: of the sums; total: with what rounding A and B to the stage's type costs\n"
                   "{:<26}{:>16}{:>6}{:>12}{:>12}{:>12}\n",
                   backend->device().name, "stage", "size", "type", "error", "allowed", "total");
    for (const kernels::Job& job : jobs) {
        const kernels::Verification result = verify_size(*backend, job, options, kind);
        const std::string size = size_name(job.problem, job.stage->operation);
        failed += !result.ok;
        rows.push_back({{"stage", job.stage->slug},
                        {"size", size},
                        {"ok", result.ok},
                        {"error", number(result.error)},
                        {"tolerance", result.tolerance},
                        {"total_error", number(result.total_error)},
                        {"type", kernels::name_of(kernels::type_of(job))},
                        {"backend", backend->device().backend},
                        {"origin", "measured: run on " + backend->device().name + ", compared with float64"}});
        if (!options.json)
            fmt::print("{:<26}{:>16}{:>6}{:>12.1e}{:>12.1e}{:>12.1e}  {}\n", job.stage->slug, size,
                       kernels::name_of(kernels::type_of(job)), result.error, result.tolerance, result.total_error,
                       result.ok ? "ok" : "WRONG");
    }
    if (options.json)
        fmt::print("{}\n", rows.dump(2));
    else
        fmt::print("{} of {} right\n", jobs.size() - failed, jobs.size());
    return failed == 0 ? 0 : 1;
}

} // namespace app
