// Implements 'gemmscope stages', 'gemmscope new' and 'gemmscope verify': the ladder and the verification of its stages.
#include "app/cli/job.h"
#include "app/data/config_folder.h"
#include "app/data/shipped_file.h"
#include "app/engine/record.h"

#include "gemm/element_type.h"
#include "measure/speed.h"
#include "own/copy.h"
#include "own/own_stage.h"
#include "recording/tiles.h"

namespace kernels {

constexpr std::array<std::string_view, 4> names_of(ProbeKind)
{
    return {"none", "count", "record", "place"};
}

} // namespace kernels

namespace app {

namespace {

using nlohmann::json;

json describe(const kernels::ParameterSpec& parameter)
{
    json declared = json::array();
    for (const int choice : parameter.choices)
        declared.push_back(parameter_json(parameter.name, choice));
    return {{"name", parameter.name},
            {"default", parameter_json(parameter.name, parameter.standard)},
            {"declared", declared},
            {"meaning", parameter.meaning}};
}

json describe(const kernels::Stage& stage)
{
    json parameters = json::array();
    for (const kernels::ParameterSpec& parameter : stage.parameters)
        parameters.push_back(describe(parameter));
    const kernels::OperationFacts& operation = kernels::facts(stage.operation);
    const recording::Tiles tiles = recording::tiles_named(kernels::named(stage, stage.standard_parameters()));
    const auto size = [&](const recording::Problem& problem) {
        return operation.is_gemm ? json(kernels::size_name(problem, stage.operation)) : json();
    };
    return {{"slug", stage.slug},
            {"whole_size", size(recording::whole_problem(tiles))},
            {"ragged_size", size(recording::ragged_problem(tiles))},
            {"common_size", size(recording::common_problem)},
            {"idea", stage.idea},
            {"file", stage.file},
            {"gemm", operation.is_gemm},
            {"small_size", operation.small_size},
            {"launches", stage.second ? 2 : 1},
            {"parameters", parameters}};
}

// Returns the standard parameters as text: "BM=64 BN=128".
json standard_words(const json& stage)
{
    std::string words;
    for (const json& one : stage.at("parameters")) {
        const json& standard = one.at("default");
        words += fmt::format("{}{}={}", words.empty() ? "" : " ", one.at("name").get<std::string>(),
                             standard.is_string() ? standard.get<std::string>() : standard.dump());
    }
    return words;
}

int list_stages(const NoOptions&, Output& out)
{
    Table stages("stages", "slug=stage:< | file:< | idea:< | parameters_by_default=parameters:<");
    stages.derive("parameters_by_default", standard_words);
    for (const kernels::Stage& stage : ladder_with_own())
        stages.rows.push_back(describe(stage));
    out.print(std::move(stages));
    out.say("\nTo compare with, for 'bench':\n");
    Table baselines("baselines", "slug=:< | idea=:<");
    for (const kernels::Baseline& baseline : kernels::baselines())
        baselines.add({baseline.slug, baseline.idea});
    out.print(std::move(baselines));
    return 0;
}

struct NewOptions {
    std::string name, from = "shared_tile";
};

void fields(OptionList& option, NewOptions& options)
{
    option("name", options.name, "of the stage: small letters, digits, underscores", required);
    option("--from", options.from, "the stage to begin with, or a plain kernel: transpose, reduction, product")
        .capture_default_str();
}

int make_new_stage(const NewOptions& options)
{
    const auto& [name, from] = options;
    const std::vector<kernels::Stage> ladder = kernels::make_ladder();
    if (const std::string why = kernels::why_no_name(ladder, name); !why.empty())
        throw kernels::Error(why);
    const std::filesystem::path folder = own_stages_folder(), file = folder / (name + ".cu");
    if (folder.empty())
        throw kernels::Error("There is no folder for stages of your own: set HOME or GEMMSCOPE_STAGES.");
    if (std::filesystem::exists(file))
        throw kernels::Error(fmt::format("There is a file {} already; give another name.", file.string()));
    const auto sample = std::ranges::find(kernels::samples(), from, &kernels::Sample::name);
    const bool is_sample = sample != kernels::samples().end();
    write_whole(file,
                is_sample ? std::string(sample->text) : kernels::copied_stage(kernels::find_stage(ladder, from), name));
    const std::string what = is_sample ? std::string(sample->title) : "A copy of " + from;
    const std::string run = is_sample ? fmt::format("trace {} -o x.gscope", file.string()) : "verify " + name;
    const std::string show = is_sample ? fmt::format("open {}", file.string()) : "--stage " + name;
    write_out(
        "{}\n\n{}; change it, then:\n  gemmscope {}\n  gemmscope {}    # the window, which runs it again at every "
        "save\n",
        file.string(), what, run, show);
    return 0;
}

const std::vector<std::string> ragged_sizes = {"1",  "2",   "17",  "31",       "32",       "33",       "63",    "64",
                                               "65", "127", "128", "100x33x7", "7x129x65", "129x1x40", "1x70x3"};

struct VerifyOptions : JobOptions {
    kernels::ProbeKind probe = kernels::ProbeKind::none;
};

void fields(OptionList& option, VerifyOptions& options)
{
    option("stage", options.stages, "stages; default: all");
    job_options(option, options);
    inputs_option(option, options.inputs);
    option("--probe", options.probe, "which form of the kernel runs: none, count, record or place",
           one_of("none", "count", "record", "place"));
}

constexpr const char* verify_columns =
    "stage:< | size | type | error:{:.1e} | tolerance=allowed:{:.1e} | total_error=total:{:.1e} | ok=:?ok:WRONG";

json verified(const kernels::Job& job, const VerifyOptions& options, CommandWorker& engine)
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

int verify_stages(const VerifyOptions& options, Output& out)
{
    const std::vector<kernels::Stage> ladder = ladder_with_own();
    for (const std::string& slug : options.stages)
        kernels::find_stage(ladder, slug); // throws for a library, which cannot be verified
    std::vector<kernels::Job> jobs = jobs_at_sizes(named_in(ladder, options.stages).stages, options,
                                                   [](kernels::Operation) { return ragged_sizes; });
    CommandWorker engine(options.worker, options.backend);
    fit_to_device(jobs, options, engine.device());
    if (options.probe == kernels::ProbeKind::none)
        prepare(jobs, engine);
    out.say("on {}; error: of the sums; total: with what rounding A and B to the stage's type costs\n",
            engine.device().name);
    out.begin({"verify", verify_columns});
    std::size_t right = 0;
    for (const kernels::Job& job : jobs) {
        json row = verified(job, options, engine);
        right += row.at("ok").get<bool>() ? 1 : 0;
        out.add(std::move(row));
    }
    return out.verdict(right, jobs.size(), "right");
}

} // namespace

const Subcommand stages_command = {"stages", "list the ladder", declare<list_stages>};
const Subcommand new_command = {"new", "make a stage of your own: a file, a copy of one of the ladder's",
                                declare<make_new_stage>};
const Subcommand verify_command = {"verify", "compare stages with float64", declare<verify_stages>};

} // namespace app
