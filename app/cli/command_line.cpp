#include "app/cli/command_line.h"

#include "app/catalogue/config_folder.h"
#include "app/cli/commands.h"
#include "app/cli/export.h"
#include "app/cli/options.h"
#include "app/cli/own_stages.h"
#include "app/cli/trace.h"
#include "app/platform/report.h"
#include "app/platform/screenshot.h"
#include "app/platform/window.h"
#include "app/text/tell.h"
#include "app/worker/serve.h"
#include "app/workspace/state_file.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <sstream>
#include <tuple>
#include <vector>

namespace app {

namespace {

struct Arguments {
    JobOptions job;
    std::string stage, probe = "none", theme, place;
    double candidate_seconds = 0.05;
    BenchOptions bench;
    RecordOptions record;
    std::filesystem::path file, other_file;
    bool version = false, check = false, measure = false, ptx = false;
    CountOptions count;
    CounterTableOptions counter_table;
    ScreenshotOptions screenshot;
    ExportOptions exported;
    std::string picture_size = "1600x1000";
    int status = 0;
};

void add_json(CLI::App& command, Arguments& arguments)
{
    command.add_flag("--json", arguments.job.json, "print JSON");
}

void add_job(CLI::App& command, Arguments& arguments)
{
    JobOptions& job = arguments.job;
    command.add_option("--size", job.sizes, "N or MxNxK")->type_name("SIZE");
    command.add_option("--param", job.parameters, "a parameter of the stage, see 'stages'")->type_name("NAME=VALUE");
    command.add_option("--backend", job.backend, "cuda or cpu; default: cuda where there is a GPU")
        ->check(CLI::IsMember({"cuda", "cpu"}));
    command.add_option("--alpha", job.alpha, "scales A*B; default 1")->check(finite);
    command.add_option("--beta", job.beta, "scales the C that was there; default 0")->check(finite);
    add_worker(command, job.worker);
    add_json(command, arguments);
}

void add_recording_commands(CLI::App& program, Arguments& arguments)
{
    CLI::App* record = program.add_subcommand("record", "run a stage instrumented and keep what it did");
    record->add_option("stage", arguments.stage, "a stage, see 'stages'")->required();
    add_job(*record, arguments);
    add_inputs(*record, arguments.job.inputs);
    record->add_option("--block", arguments.record.blocks, "a block to keep in full, default 0,0")->type_name("X,Y");
    record->add_flag("--bare", arguments.record.bare,
                     "keep no block in full and no owners: totals and placements only");
    record->add_option("-o,--output", arguments.record.output, "the recording file to write")->required();
    record->callback([&arguments] {
        arguments.record.job = arguments.job;
        arguments.record.job.stages = {arguments.stage};
        arguments.status = record_stage(arguments.record);
    });

    CLI::App* info = program.add_subcommand("info", "what a recording holds: launch, resources, totals per line; "
                                                    "without one, what this machine's GPU is made of");
    info->add_option("file", arguments.file, "a recording");
    info->add_flag("--measure", arguments.measure, "measure the GPU's latencies, bandwidths and arithmetic peaks");
    add_worker(*info, arguments.job.worker);
    add_json(*info, arguments);
    info->callback([&arguments] {
        if (arguments.measure && !arguments.file.empty())
            throw kernels::Error("--measure is for this machine's GPU; leave out the recording.");
        arguments.status = arguments.file.empty() ? show_gpu(arguments.job, arguments.measure)
                                                  : show_info(arguments.file, arguments.job.json);
    });

    CLI::App* diff = program.add_subcommand("diff", "compare two recordings, access by access");
    diff->add_option("file", arguments.file, "a recording")->required();
    diff->add_option("other", arguments.other_file, "another")->required();
    add_json(*diff, arguments);
    diff->callback(
        [&arguments] { arguments.status = compare_files(arguments.file, arguments.other_file, arguments.job.json); });
}

void add_measuring_commands(CLI::App& program, Arguments& arguments)
{
    CLI::App* stages = program.add_subcommand("stages", "list the ladder");
    add_json(*stages, arguments);
    stages->callback([&arguments] { arguments.status = list_stages(arguments.job.json); });

    CLI::App* verify = program.add_subcommand("verify", "compare stages with float64");
    verify->add_option("stage", arguments.job.stages, "stages; default: all");
    add_job(*verify, arguments);
    add_inputs(*verify, arguments.job.inputs);
    verify->add_option("--probe", arguments.probe, "which form of the kernel runs: none, count, record or place")
        ->check(CLI::IsMember({"none", "count", "record", "place"}));
    verify->callback([&arguments] { arguments.status = verify_stages(arguments.job, arguments.probe); });

    CLI::App* bench = program.add_subcommand("bench", "time stages beside cuBLAS, and libraries and CPU loops");
    bench->add_option("stage", arguments.job.stages, "stages and baselines, see 'stages'; default: all");
    add_job(*bench, arguments);
    bench->add_option("--seconds", arguments.bench.seconds, "time for the samples of each stage")
        ->check(CLI::Range(0.01, 600.0));
    bench->add_flag("--kernels", arguments.bench.kernels, "of cuBLAS: which kernels it launches, as CUPTI traces them");
    bench->add_flag("--energy", arguments.bench.energy, "of a launch, too: it takes a second or more");
    bench
        ->add_option("--shapes", arguments.bench.shapes,
                     "so many shapes drawn at random instead of sizes; default stages then: fastest wgmma_tma")
        ->check(CLI::Range(1, 1000));
    bench->add_option("--seed", arguments.bench.seed, "of the shapes; the same seed draws the same ones");
    bench->callback([&arguments] { arguments.status = bench_stages(arguments.job, arguments.bench); });

    CLI::App* tune = program.add_subcommand("tune", "search for the fastest parameters (needs an NVIDIA GPU)");
    tune->add_option("stage", arguments.stage, "a stage; default: autotuned");
    add_job(*tune, arguments);
    tune->add_option("--seconds", arguments.candidate_seconds, "time for the samples of each candidate")
        ->check(CLI::Range(0.01, 60.0));
    tune->callback([&arguments] {
        if (!arguments.stage.empty())
            arguments.job.stages = {arguments.stage};
        arguments.status = tune_stage(arguments.job, arguments.candidate_seconds);
    });

    CLI::App* counters = program.add_subcommand("counters", "what an NVIDIA GPU itself counts of a stage or of cuBLAS");
    counters->add_option("stage", arguments.job.stages, "stages, libraries; with --check, default: all stages");
    add_job(*counters, arguments);
    CLI::Option* compare =
        counters->add_flag("--check", arguments.count.check, "compare what is derived with what is counted");
    counters->add_flag("--per-instruction", arguments.count.per_instruction,
                       "count each machine instruction too, and what warps wait for");
    counters->add_flag("--no-samples", arguments.count.no_samples,
                       "not what warps wait for, which --check leaves out too");
    counters
        ->add_flag("--only-counted", arguments.count.only_counted,
                   "the counters alone, beside which nothing is derived")
        ->excludes(compare);
    add_counter_table_options(*counters, arguments.counter_table);
    counters->callback([&arguments] {
        arguments.status = arguments.counter_table.table
                               ? show_counter_table(arguments.counter_table, arguments.job.sizes, arguments.job.json)
                               : count_stages(arguments.job, arguments.count);
    });

    CLI::App* code =
        program.add_subcommand("code", "what the compiler made of a stage: machine instructions by source line");
    code->add_option("stage", arguments.stage, "a stage, see 'stages'")->required();
    add_job(*code, arguments);
    code->add_flag("--ptx", arguments.ptx, "the PTX too");
    code->callback([&arguments] {
        arguments.job.stages = {arguments.stage};
        arguments.status = show_code(arguments.job, arguments.ptx);
    });

    CLI::App* model = program.add_subcommand("model", "evaluate access patterns by the bank and sector rules");
    model->add_option("file", arguments.file, "patterns as CSV")->required();
    CLI::Option* check = model->add_flag("--check", arguments.check, "compare with the columns a and b");
    model->add_flag("--measure", arguments.measure, "have the GPU count them, and print the file with what it counted")
        ->excludes(check);
    add_worker(*model, arguments.job.worker);
    add_json(*model, arguments);
    model->callback([&arguments] {
        arguments.status = arguments.measure ? measure_access_patterns(arguments.file, arguments.job)
                                             : evaluate_patterns(arguments.file, arguments.check, arguments.job.json);
    });
}

void add_window_options(CLI::App& command, Arguments& arguments)
{
    WindowOptions& window = arguments.screenshot.window;
    Patch& show = window.show;
    command.add_option("--stage", show.columns[0].stage, "the stage to show, see 'stages'");
    command
        .add_option(
            "--show", arguments.place,
            "a place, as lessons and questions name it, and as the window copies it: 'stage=vectorized view=banks "
            "step=2'")
        ->type_name("PLACE");
    command.add_option("--lesson", window.lesson,
                       "open this lesson, see 'lessons', at a step of it with :STEP; or 'quiz', or a quiz's file");
    command.add_option("--follow", window.follow,
                       "show what another window shows, which writes it into this file (F7)");
    command
        .add_option_function<std::string>(
            "--compare",
            [&show](
                const std::string& stages) { // what stands behind a comma too much is no stage, and is said to be none
                const std::size_t comma = std::min(stages.find(','), stages.size());
                show.columns[1].stage = stages.substr(0, comma);
                show.columns[2].stage = comma < stages.size() ? stages.substr(comma + 1) : std::string();
            },
            "a second stage beside it; and a third: S2,S3")
        ->type_name("STAGE")
        ->join(',');
    command
        .add_option_function<std::string>(
            "--code", [&show](const std::string& name) { kernels::read_word({"code", name}, show.code); },
            "below the source: machine, ptx or counters")
        ->check(CLI::IsMember({"machine", "ptx", "counters"}));
    command.add_flag_callback(
        "--candidates", [&show] { show.page = Page::candidates; }, "the shipped search for the stage's parameters");
    command.add_option("--view", show.view, "a view by name, such as banks or tiling");
    command.add_option("--backend", window.backend, "cuda or cpu; default: cuda where there is a GPU")
        ->check(CLI::IsMember({"cuda", "cpu"}));
    command.add_option("--scale", window.scale, "of text and lengths")->check(CLI::Range(0.5, 4.0))->check(finite);
    command.add_flag("--run-host", window.run_host,
                     "run the host code of the file that is named, too: a program with your rights");
    add_inputs(command, show.inputs.emplace(recording::Inputs::random));
    command.add_flag("--tiny", show.tiny, "matrices and tiles so small that every number has room");
    command.add_option("--theme", arguments.theme, "light or dark")->check(CLI::IsMember({"light", "dark"}));
    add_worker(command, window.worker);
    command
        .add_option("--beside", window.beside,
                    "another worker, as --worker takes it, whose speeds stand beside in the ladder; up to three")
        ->type_name("COMMAND")
        ->expected(1, static_cast<int>(most_beside));
}

void finish_window_options(Arguments& arguments)
{
    WindowOptions& window = arguments.screenshot.window;
    if (!arguments.theme.empty())
        window.light = arguments.theme == "light";
    using Given = WindowOptions::Given;
    if (!arguments.place.empty()) {
        window.show = parse_patch(arguments.place);
        window.given = Given::place;
    }
    if (const std::filesystem::path& state = window.follow ? *window.follow : arguments.file; is_state_file(state)) {
        window.show = read_state(state, unpacked_folder()).patch;
        window.given = Given::state;
    } else if (!arguments.file.empty()) {
        window.show.columns[0].file = arguments.file;
    }
    const std::vector<kernels::Stage> ladder = kernels::make_ladder();
    auto& [first, second, third] = window.show.columns;
    take_own_stage(first.stage, first.file);
    kernels::find_stage(ladder, first.stage);
    for (const std::string* other : {&second.stage, &third.stage})
        if (!other->empty() && !is_own_stage(*other))
            kernels::find_stage(ladder, *other);
}

int take_screenshot(Arguments& arguments)
{
    finish_window_options(arguments);
    ScreenshotOptions& options = arguments.screenshot;
    const auto size = two_numbers<int>(arguments.picture_size, 'x');
    if (!size)
        throw kernels::Error(
            fmt::format("'{}' is no picture size; give WxH in pixels, such as 1600x1000.", arguments.picture_size));
    std::tie(options.width, options.height) = *size;
    return run_screenshot(options);
}

void add_worker_command(CLI::App& program, Arguments& arguments)
{
    CLI::App* worker = program.add_subcommand(
        "worker", "run tasks for another gemmscope over standard input and output: see --worker");
    add_gpu(*worker, arguments.job.worker.gpu);
    worker->callback([&arguments] {
        Streams streams = take_standard_streams();
        serve(kernels::make_ladder(), {}, std::move(streams), arguments.job.worker.gpu);
    });
}

void add_window_commands(CLI::App& program, Arguments& arguments)
{
    ScreenshotOptions& options = arguments.screenshot;
    CLI::App* screenshot = program.add_subcommand("screenshot", "render a view as the window shows it into a PNG");
    add_window_options(*screenshot, arguments);
    screenshot->add_option("--file", arguments.file, "show this recording, or this saved state, instead");
    screenshot->add_option("--step", options.step, "the access to show, from 0")->check(CLI::NonNegativeNumber);
    screenshot->add_option("--time", options.time, "where a race of two stages stands, in wavefronts (or sectors)")
        ->check(CLI::NonNegativeNumber)
        ->excludes("--step");
    screenshot->add_option("--size", arguments.picture_size, "in pixels")->type_name("WxH");
    screenshot->add_option("-o,--output", options.output, "the PNG to write")->required();
    screenshot
        ->add_option("--describe", options.describe,
                     "also write what is drawn where: pictures, number of words, headline")
        ->type_name("FILE.json");
    screenshot->callback([&arguments] { arguments.status = take_screenshot(arguments); });

    CLI::App* exported = program.add_subcommand("export", "write a view to a file: a picture, vectors or an animation");
    add_window_options(*exported, arguments);
    exported->get_option("--theme")->description("light or dark; default: light");
    exported->add_option("--file", arguments.file, "show this recording instead of making one");
    add_export_options(*exported, arguments.exported);
    exported->callback([&arguments] {
        finish_window_options(arguments);
        arguments.status = export_view(arguments.screenshot.window, arguments.exported);
    });

    CLI::App* report = program.add_subcommand("report", "one page about a stage, or two: pictures, figures, source");
    report->add_option("stage", options.window.show.columns[0].stage, "a stage, see 'stages'")->required();
    report->add_option("other", options.window.show.columns[1].stage, "one to compare it with");
    report->add_option("-o,--output", arguments.other_file, "the HTML file to write")->required();
    add_worker(*report, options.window.worker);
    report->callback([&arguments] {
        finish_window_options(arguments);
        arguments.status = write_report(arguments.screenshot.window, arguments.other_file);
    });

    CLI::App* open = program.add_subcommand("open", "open the window on a recording, or as it was saved");
    open->add_option("file", arguments.file,
                     "a recording, a CUDA file with a comment '// gemmscope: ...', or a saved state, .gstate")
        ->required();
    add_window_options(*open, arguments);
    open->callback([&arguments] {
        finish_window_options(arguments);
        arguments.status = run_window(arguments.screenshot.window);
    });
}

// What could have stood where an unknown word stood: the options of the command at hand, or the commands.
std::string valid_words(CLI::App& program)
{
    const std::vector<CLI::App*> chosen = program.get_subcommands();
    std::string words, options;
    if (chosen.empty())
        for (const CLI::App* command : program.get_subcommands([](CLI::App*) { return true; }))
            words += " " + command->get_name();
    const CLI::App& command = chosen.empty() ? program : *chosen.front();
    for (const CLI::Option* option : command.get_options())
        options += " " + option->get_name();
    return (words.empty() ? "" : "The commands are:" + words + ".\n") + "The options" +
           (chosen.empty() ? "" : " of " + command.get_name()) + " are:" + options + ".\n";
}

// Neither a stage nor a view nor anything else: the window opens as for somebody who comes for the first time.
bool asks_for_nothing(const CLI::App& program)
{
    return std::ranges::none_of(program.get_options(), [](const CLI::Option* option) {
        const std::string name = option->get_name();
        return option->count() > 0 && name != "--theme" && name != "--scale" && name != "--worker" &&
               name != "--time-limit";
    });
}

int run(CLI::App& program, Arguments& arguments, int argc, const char* const* argv)
{
    try {
        program.parse(argc, argv);
        if (arguments.version) {
            arguments.status = show_version();
        } else if (program.get_subcommands().empty()) {
            finish_window_options(arguments);
            arguments.screenshot.window.may_welcome = asks_for_nothing(program);
            arguments.status = run_window(arguments.screenshot.window);
        }
        if (std::fflush(stdout) != 0 || std::ferror(stdout))
            throw kernels::Error("Not everything could be written to standard output; is the disk full?");
        return arguments.status;
    } catch (const CLI::ExtrasError& error) {
        tell("gemmscope: {}\n{}", error.what(), valid_words(program));
        return 2;
    } catch (const CLI::ParseError& error) {
        std::ostringstream help, wrong;
        const int status = program.exit(error, help, wrong);
        write_out("{}", help.str());
        tell("{}", wrong.str());
        if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
            tell("gemmscope: Not everything could be written to standard output; is the disk full?\n");
            return 1;
        }
        return status == 0 ? 0 : 2;
    } catch (const std::bad_alloc&) {
        tell("gemmscope: Not enough memory for this; choose a smaller --size.\n");
    } catch (const std::exception& error) {
        tell("gemmscope: {}\n", error.what());
    }
    return 1;
}

// "gemmscope FILE.cu" is "gemmscope open FILE.cu".
std::vector<const char*> with_open(int argc, const char* const* argv)
{
    std::vector<const char*> words(argv, argv + argc);
    const std::filesystem::path first = argc > 1 ? argv[1] : "";
    if (const std::string ending = first.extension().string();
        ending == ".cu" || ending == ".cuh" || ending == ".gscope" || ending == ".gstate")
        words.insert(words.begin() + 1, "open");
    return words;
}

} // namespace

int run_command_line(int argc, const char* const* argv)
{
    CLI::App program("gemmscope: see what CUDA matrix-multiplication kernels really do, beside their real speed.\n"
                     "Without a command it opens the window.",
                     "gemmscope");
    Arguments arguments;
    program.require_subcommand(0, 1);
    program.add_flag("--version", arguments.version, "what it was built with, what it finds and loads, from where");
    add_window_options(program, arguments);
    add_measuring_commands(program, arguments);
    add_recording_commands(program, arguments);
    add_trace_command(program, arguments.status);
    add_launch_command(program, arguments.status);
    add_learning_commands(program, arguments.status);
    add_sources_command(program, arguments.status);
    add_warps_command(program, arguments.status);
    add_window_commands(program, arguments);
    add_new_command(program, arguments.status);
    add_worker_command(program, arguments);
    const std::vector<const char*> words = with_open(argc, argv);
    return run(program, arguments, static_cast<int>(words.size()), words.data());
}

} // namespace app
