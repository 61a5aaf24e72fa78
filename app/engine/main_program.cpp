#include "app/engine/main_program.h"

#include "app/engine/host_program.h"
#include "app/engine/program.h"

#include "injection/executed_recording.h"
#include "injection/traced_program.h"
#include "temporary_folder.h"

#include <algorithm>
#include <map>
#include <utility>

namespace app {

namespace {

// The window waits for the end of what the program does, and shows nothing before it.
constexpr std::chrono::seconds most_after_recording{10};
constexpr std::size_t most_printed = std::size_t{1} << 16;

// What the program has written, told to the window while it runs.
class Printed {
public:
    explicit Printed(const TaskContext& context) : context_(context) {}

    void step(std::string words)
    {
        progress_.step = std::move(words);
        context_.progress(progress_);
    }
    void take(std::string_view more)
    {
        std::string& all = progress_.printed;
        all += more;
        if (all.size() > 2 * most_printed)
            all.erase(0, all.size() - most_printed);
        context_.progress(progress_);
    }
    const std::string& text() const { return progress_.printed; }

private:
    const TaskContext& context_;
    Progress progress_;
};

ProgramLaunch launch_of(const cudart::SeenLaunch& seen)
{
    return {.name = seen.name,
            .kernel = injection::short_name(seen.name),
            .launch = seen.launch,
            .shared_bytes = seen.resources.shared_bytes_per_block,
            .count = seen.count,
            .first = seen.first,
            .first_of_kernel = seen.first_of_name,
            .work = static_cast<double>(seen.steps)};
}

ProgramLaunch launch_of(const injection::ListedLaunch& listed)
{
    return {.name = listed.name,
            .kernel = injection::short_name(listed.name),
            .launch = listed.launch,
            .shared_bytes = listed.resources.shared_bytes_per_block,
            .count = listed.count,
            .first = listed.first,
            .first_of_kernel = listed.first_of_name,
            .work = listed.time_ns};
}

MainRecorded run_without_gpu(HostProgramTask task, const ChosenLaunch& chosen, Printed& printed,
                             const std::stop_token& stop)
{
    task.request.kernel = chosen.kernel.empty() ? "" : exactly(chosen.kernel);
    task.launch = chosen.kernel.empty() ? 0 : chosen.launch;
    task.output = [&](std::string_view more) { printed.take(more); };
    task.most_after_recording = most_after_recording;
    HostProgramResult result = run_host_program(
        task, [&](const std::string& sentence) { printed.step(sentence); }, stop);
    cudart::HostProgramEnd& end = result.end;
    MainRecorded made{.run = {.failures = std::move(end.failures), .status = end.status, .cut_short = end.cut_short},
                      .recorded = *std::move(result.recorded),
                      .compiling_milliseconds = result.compiling_milliseconds,
                      .milliseconds = end.recorded->traced.milliseconds};
    for (std::size_t i = 0; i < end.launches.size(); ++i) {
        made.run.launches.push_back(launch_of(end.launches[i]));
        if (end.launches[i].first <= end.recorded->number)
            made.run.recorded = end.launches[i].name == end.recorded->name ? i : made.run.recorded;
    }
    return made;
}

// The program runs twice: to list what it launches, and to record one of that.
MainRecorded run_with_gpu(const HostProgramTask& task, const ChosenLaunch& chosen, Printed& printed,
                          const std::stop_token& stop)
{
    using Clock = std::chrono::steady_clock;
    const kernels::TemporaryFolder folder;
    const Clock::time_point begin = Clock::now();
    build_for_gpu(task, folder / "program");
    MainRecorded made{.run = {.on_gpu = true}, .recorded = {}};
    made.compiling_milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
    injection::TracedProgram program{.command = {(folder / "program").string()}, .gpu = chosen.gpu};
    program.output = [&](std::string_view more) { printed.take(more); };
    injection::ProgramEnd end;
    printed.step("running it, to list its kernels");
    const std::vector<injection::ListedLaunch> listed = injection::list_launches(program, end, stop);
    made.run.status = end.status;
    for (const injection::ListedLaunch& one : listed)
        made.run.launches.push_back(launch_of(one));
    made.run.recorded = telling_launch(listed);
    for (std::size_t i = 0; i < listed.size() && !chosen.kernel.empty(); ++i)
        if (listed[i].name == chosen.kernel && listed[i].first_of_name <= chosen.launch)
            made.run.recorded = i;
    const injection::ListedLaunch& wanted = listed.at(made.run.recorded);
    program.kernel = exactly(wanted.name);
    program.launch = wanted.first_of_name;
    program.output = [](std::string_view) {}; // it says the same again
    program.most_after_recording = most_after_recording;
    printed.step("running it once more, to record " + injection::short_name(wanted.name));
    const Clock::time_point running = Clock::now();
    const injection::RawTrace trace = injection::trace_launch(program, end, stop);
    made.run.cut_short = end.cut_short;
    const recording::SourceFile compiled{std::filesystem::path(task.command.front()).filename().string(), *task.text};
    made.recorded =
        derive(injection::executed_recording(trace, injection::code_of(trace.cubin, trace.kernel), {}, &compiled));
    made.milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - running).count();
    return made;
}

} // namespace

MainRecorded run_main(const std::filesystem::path& file, const std::string& text, const ChosenLaunch& chosen,
                      const TaskContext& context)
{
    Printed printed(context);
    printed.step("compiling and running its main");
    const HostProgramTask task{.command = {file.string()}, .request = {}, .text = text};
    MainRecorded made = chosen.on_gpu && kernels::has_gpu() ? run_with_gpu(task, chosen, printed, context.stop)
                                                            : run_without_gpu(task, chosen, printed, context.stop);
    made.run.printed = printed.text();
    return made;
}

} // namespace app
