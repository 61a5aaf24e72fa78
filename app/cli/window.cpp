#include "app/cli/window.h"

#include "app/catalogue/config_folder.h"
#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "app/cli/own_stages.h"
#include "app/platform/report.h"
#include "app/platform/screenshot.h"
#include "app/platform/window.h"
#include "app/workspace/state_file.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace app {

void add_window_options(CLI::App& command, WindowArguments& arguments)
{
    WindowOptions& window = arguments.window;
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
            "--code",
            [&show](const std::string& name) {
                kernels::read_word({"code", name}, show.code);
            },
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

WindowOptions window_options(const WindowArguments& arguments)
{
    WindowOptions window = arguments.window;
    if (!arguments.theme.empty())
        window.light = arguments.theme == "light";
    using Source = WindowOptions::Source;
    if (!arguments.place.empty()) {
        const std::optional<CodeView> code = window.show.code;
        window.show = parse_patch(arguments.place);
        if (!window.show.code)
            window.show.code = code; // --code, which a place may leave to it
        window.source = Source::words;
    }
    auto& [first, second, third] = window.show.columns;
    if (is_state_file(arguments.file)) {
        window.show = read_state(arguments.file, unpacked_folder()).patch;
        window.source = Source::saved_state;
    } else if (!arguments.file.empty()) {
        first.file = arguments.file;
    }
    const std::vector<kernels::Stage> ladder = kernels::make_ladder();
    if (window.source == Source::options) // a place names the ladder's
        take_own_stage(first.stage, first.file);
    kernels::find_stage(ladder, first.stage);
    for (const std::string* other : {&second.stage, &third.stage})
        if (!other->empty() && !is_own_stage(*other))
            kernels::find_stage(ladder, *other);
    return window;
}

namespace {

struct PictureOptions : WindowArguments {
    ScreenshotOptions picture;
    std::string size = "1600x1000";
};

int take_screenshot(PictureOptions options)
{
    options.picture.window = window_options(options);
    const auto size = two_numbers<int>(options.size, 'x');
    if (!size)
        throw kernels::Error(
            fmt::format("'{}' is no picture size; give WxH in pixels, such as 1600x1000.", options.size));
    std::tie(options.picture.width, options.picture.height) = *size;
    return run_screenshot(options.picture);
}

struct ReportOptions : WindowArguments {
    std::filesystem::path output;
};

} // namespace

void add_screenshot_command(CLI::App& program, int& status)
{
    const auto [screenshot, options] = add_command<PictureOptions>(
        program, status, "screenshot", "render a view as the window shows it into a PNG", take_screenshot);
    ScreenshotOptions& picture = options->picture;
    add_window_options(*screenshot, *options);
    screenshot->add_option("--file", options->file, "show this recording, or this saved state, instead");
    screenshot->add_option("--step", picture.step, "the access to show, from 0")->check(CLI::NonNegativeNumber);
    screenshot->add_option("--time", picture.time, "where a race of two stages stands, in wavefronts (or sectors)")
        ->check(CLI::NonNegativeNumber)
        ->excludes("--step");
    screenshot->add_option("--size", options->size, "in pixels")->type_name("WxH");
    screenshot->add_option("-o,--output", picture.output, "the PNG to write")->required();
    screenshot
        ->add_option("--describe", picture.describe,
                     "also write what is drawn where: pictures, number of words, headline")
        ->type_name("FILE.json");
}

void add_report_command(CLI::App& program, int& status)
{
    const auto [report, options] = add_command<ReportOptions>(
        program, status, "report", "one page about a stage, or two: pictures, figures, source",
        [](const ReportOptions& typed) { return write_report(window_options(typed), typed.output); });
    report->add_option("stage", options->window.show.columns[0].stage, "a stage, see 'stages'")->required();
    report->add_option("other", options->window.show.columns[1].stage, "one to compare it with");
    report->add_option("-o,--output", options->output, "the HTML file to write")->required();
    add_worker(*report, options->window.worker);
}

void add_open_command(CLI::App& program, int& status)
{
    const auto [open, options] =
        add_command<WindowArguments>(program, status, "open", "open the window on a recording, or as it was saved",
                                     [](const WindowArguments& typed) { return run_window(window_options(typed)); });
    open->add_option("file", options->file,
                     "a recording, a CUDA file with a comment '// gemmscope: ...', or a saved state, .gstate")
        ->required();
    add_window_options(*open, *options);
}

} // namespace app
