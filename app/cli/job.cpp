#include "app/cli/job.h"

#include "app/cli/command.h"
#include "app/data/config_folder.h"
#include "app/data/searches.h"
#include "app/engine/record.h"
#include "app/engine/worker_program.h"
#include "app/text/tell.h"

#include "own/own_stage.h"

#include <csignal>
#include <cstdlib>
#include <ctime>
#include <set>

namespace app {

std::vector<kernels::Stage> ladder_with_own()
{
    std::vector<std::string> problems;
    std::vector<kernels::Stage> ladder = kernels::ladder_with_own(own_stages_folder(), problems);
    for (const std::string& problem : problems)
        tell("gemmscope: {}\n", problem);
    return ladder;
}

namespace {

sigset_t interrupt_only()
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    return set;
}

struct WorkerOptions {
    std::string gpu;
};

void fields(OptionList& option, WorkerOptions& options)
{
    gpu_option(option, options.gpu);
}

int serve_here(const WorkerOptions& options)
{
    Streams streams = take_standard_streams();
    serve(kernels::make_ladder(), {}, std::move(streams), options.gpu);
    return 0;
}

kernels::Job job_at(const kernels::Stage& stage, const JobOptions& options, const std::string& size)
{
    return {&stage, kernels::parse_parameters(stage, options.parameters),
            kernels::used_part(stage.operation, parse_size(size, options, stage.operation)), options.inputs};
}

void leave_out_missing(std::vector<kernels::Job>& jobs, const recording::Device& device)
{
    std::set<std::string> reasons;
    std::erase_if(jobs, [&](const kernels::Job& job) {
        const std::string reason = kernels::missing_on(device, *job.stage);
        return !reason.empty() && (reasons.insert(reason), true);
    });
    for (const std::string& reason : reasons)
        tell("gemmscope: left out: {}\n", reason);
}

} // namespace

Interrupt::Interrupt()
{
    const sigset_t set = interrupt_only();
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    thread_ = std::jthread([set, source = source_](std::stop_token end) mutable {
        constexpr timespec a_while{.tv_sec = 0, .tv_nsec = 100'000'000};
        while (!end.stop_requested())
            if (sigtimedwait(&set, nullptr, &a_while) == SIGINT) {
                if (source.stop_requested())
                    std::_Exit(128 + SIGINT);
                source.request_stop();
            }
    });
}

Interrupt::~Interrupt()
{
    thread_ = {};
    const sigset_t set = interrupt_only();
    pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

CommandWorker::CommandWorker(const WorkerChoice& choice, const std::optional<std::string>& backend,
                             std::stop_token stop)
    : stop_(std::move(stop))
{
    const auto wake = [this] {
        // Ensures that the wake-up does not fall between the other thread's check and its wait.
        const std::lock_guard lock(mutex_);
        changed_.notify_all();
    };
    worker_ = make_worker(ladder_, choice, backend, wake);
    {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return (machine_ = worker_->machine()) != nullptr; });
    }
    if (!machine_->device)
        throw kernels::Unavailable(machine_->error);
    if (!backend && !machine_->gpu())
        tell("{} Going on with the CPU.\n", machine_->why_no_gpu);
}

Result CommandWorker::run_task(const Task& task, const ShowProgress& show)
{
    const auto tell_end = [&] {
        if (show)
            tell_progress("{:60}\r", "");
        if (const std::string notice = worker_->take_notice(); !notice.empty())
            tell("gemmscope: {}\n", notice);
    };
    try {
        Result result = worker_->run(
            task, Lane::recording, stop_, show ? show : [](const Progress&) {});
        tell_end();
        return result;
    } catch (const std::exception&) {
        tell_end();
        throw;
    }
}

const Subcommand worker_command = {
    "worker", "run tasks for another gemmscope over standard input and output: see --worker", declare<serve_here>};

CLI::Option& stage_option(OptionList& option, JobOptions& job, const char* about)
{
    return option.call<std::string>(
        "stage", [&job](const std::string& slug) { job.stages = {slug}; }, about);
}

void shape_options(OptionList& option, JobOptions& job)
{
    option("--size", job.sizes, "N or MxNxK", typed("SIZE"));
    option("--param", job.parameters, "a parameter of the stage, see 'stages'", typed("NAME=VALUE"));
}

void job_options(OptionList& option, JobOptions& job)
{
    shape_options(option, job);
    backend_option(option, job.backend);
    option("--alpha", job.alpha, "scales A*B; default 1", finite);
    option("--beta", job.beta, "scales the C that was there; default 0", finite);
    worker_options(option, job.worker);
}

recording::Problem parse_size(const std::string& text, const JobOptions& options, kernels::Operation operation)
{
    recording::Problem problem = kernels::parse_size(text, operation);
    problem.alpha = options.alpha.value_or(1.0f);
    problem.beta = options.beta.value_or(0.0f);
    return problem;
}

std::optional<recording::Index3> parse_block(const std::string& text)
{
    recording::Index3 block{0, 0, 0};
    const char* at = text.data();
    const char* const end = at + text.size();
    for (uint32_t* const part : {&block.x, &block.y, &block.z}) {
        const auto [next, error] = std::from_chars(at, end, *part);
        if (error != std::errc())
            return {};
        if (next == end)
            return block;
        if (*next != ',')
            return {};
        at = next + 1;
    }
    return {};
}

NamedOnes named_in(const std::vector<kernels::Stage>& ladder, const std::vector<std::string>& slugs)
{
    NamedOnes result;
    for (const std::string& slug : slugs)
        if (const kernels::Baseline* library = kernels::find_baseline(slug))
            result.libraries.push_back(library);
        else
            result.stages.push_back(&kernels::find_stage(ladder, slug));
    if (slugs.empty())
        for (const kernels::Stage& stage : ladder)
            result.stages.push_back(&stage);
    return result;
}

std::vector<kernels::Job> jobs_at_sizes(std::span<const kernels::Stage* const> stages, const JobOptions& options,
                                        const StandardSizes& standard)
{
    std::vector<kernels::Job> jobs;
    for (const kernels::Stage* stage : stages)
        for (const std::string& size : options.sizes.empty() ? standard(stage->operation) : options.sizes)
            jobs.push_back(job_at(*stage, options, size));
    return jobs;
}

void fit_to_device(std::vector<kernels::Job>& jobs, const JobOptions& options, const recording::Device& device)
{
    if (options.stages.empty())
        leave_out_missing(jobs, device);
    const TunedFile tuned;
    if (!tuned.broken().empty())
        tell("{}\n", tuned.broken());
    for (kernels::Job& job : jobs) {
        kernels::ParameterValues best = standard_parameters(tuned, *job.stage, device, job.problem);
        // The user's parameters may be incompatible with those that suit the problem. Then they are combined with the
        // standard ones, or refused.
        if (!job.stage->refusal(kernels::assigned(*job.stage, options.parameters, best)).empty())
            best = job.stage->standard_parameters();
        job.parameters = kernels::parse_parameters(*job.stage, options.parameters, std::move(best));
    }
}

void prepare(const std::vector<kernels::Job>& jobs, CommandWorker& engine, bool recorded)
{
    PrepareTask task{.recorded = recorded};
    for (const kernels::Job& job : jobs)
        task.jobs.push_back(named(job));
    engine.run(task);
}

kernels::Job one_job(const std::vector<kernels::Stage>& ladder, const JobOptions& options, const char* one_size_only,
                     std::string_view kernels::OperationFacts::*standard)
{
    const kernels::Stage& stage = kernels::find_stage(ladder, options.stages.at(0));
    if (options.sizes.size() > 1)
        throw kernels::Error(one_size_only);
    return job_at(stage, options,
                  options.sizes.empty() ? std::string(kernels::facts(stage.operation).*standard) : options.sizes[0]);
}

OneJob::OneJob(const JobOptions& options, const std::optional<std::string>& backend, const char* one_size_only)
    : ladder(ladder_with_own()), job(one_job(ladder, options, one_size_only, &kernels::OperationFacts::small_size)),
      engine(options.worker, backend)
{
    std::vector<kernels::Job> jobs = {job};
    fit_to_device(jobs, options, engine.device());
    job = jobs.front();
}

std::vector<TableColumn> totals_columns(const recording::Totals& all)
{
    using nlohmann::json;
    std::vector<TableColumn> columns;
    for (const auto& [member, group] : {std::pair{"shared_load", "shared loads"}, {"shared_store", "shared stores"}})
        for (const auto& [figure, heading] :
             {std::pair{"instructions", "instr."}, {"wavefronts", "wavefronts"}, {"conflicts", "conflicts"}})
            columns.push_back({fmt::format("{}.{}", member, figure), heading, "", group});
    for (const char* const figure : {"requests", "sectors"})
        columns.push_back({fmt::format("global.{}", figure), figure, "", "global",
                           [figure](const nlohmann::json& row) -> nlohmann::json {
                               const auto of = [&](const char* kind) {
                                   return row.at(kind).at(figure).get<uint64_t>();
                               };
                               return of("global_load") + of("global_store");
                           }});
    const auto add_atomics = [&](std::string space, std::string known, const std::vector<const char*>& figures) {
        const std::string count = space + "_atomic.instructions", cost = space + "_atomic_cost.";
        columns.push_back({count, "instr.", "", space + " atomics"});
        for (const char* const figure : figures)
            columns.push_back({cost + figure, figure, "", space + " atomics", [=](const json& row) -> json {
                                   const auto of = [&](const std::string& id) { return value_of({id, "", ""}, row); };
                                   return of(cost + known) == of(count) ? of(cost + figure) : json();
                               }});
    };
    if (all.shared_atomic.instructions > 0)
        add_atomics("shared", "instructions", {"wavefronts", "conflicts"});
    if (all.global_atomic.instructions > 0)
        add_atomics("global", "requests", {"sectors"});
    return columns;
}

Table rarer_totals(const recording::Totals& totals)
{
    using nlohmann::json;
    Table table("rarer", "access=:< | instructions | lanes | serial=one after another | wavefronts | conflicts | "
                         "sectors | passes | bytes");
    const auto add = [&](const char* name, uint64_t instructions, json row) {
        row.update({{"access", name}, {"instructions", instructions}});
        if (instructions > 0)
            table.rows.push_back(std::move(row));
    };
    const auto add_atomics = [&](const char* name, const recording::AtomicTotals& of, uint64_t known, json cost) {
        json row = {{"lanes", of.lanes}, {"serial", of.serial}};
        if (known == of.instructions)
            row.update(cost);
        else
            for (const auto& [figure, value] : cost.items())
                row["missing"][figure] =
                    fmt::format("what {} of {} {} cost is not known", of.instructions - known, of.instructions, name);
        add(name, of.instructions, std::move(row));
    };
    const recording::SharedTotals& shared = totals.shared_atomic_cost;
    const recording::GlobalTotals& global = totals.global_atomic_cost;
    add_atomics("shared atomics", totals.shared_atomic, shared.instructions,
                {{"wavefronts", shared.wavefronts}, {"conflicts", shared.conflicts}});
    add_atomics("global atomics", totals.global_atomic, global.requests, {{"sectors", global.sectors}});
    add("constant loads", totals.constant_load.instructions, {{"passes", totals.constant_load.passes}});
    const auto add_copies = [&](const char* name, const recording::BulkTotals& of) {
        add(name, of.copies, of.bytes > 0 ? json{{"bytes", of.bytes}} : json::object());
    };
    add_copies("bulk copies to shared", totals.bulk_load);
    add_copies("bulk copies to global", totals.bulk_store);
    return table;
}

} // namespace app
