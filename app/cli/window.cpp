// Implements the window's options, and the commands that open it or draw what it shows: open, screenshot, export,
// report.

#include "app/cli/window.h"

#include "app/data/config_folder.h"
#include "app/panels/shell.h"
#include "app/pictures/picture.h"
#include "app/platform/export.h"
#include "app/platform/offscreen.h"
#include "app/platform/screenshot.h"
#include "app/platform/window.h"
#include "app/serve/serve.h"
#include "app/workspace/state_file.h"

#include "own/own_stage.h"

#include <chrono>
#include <tuple>

namespace app {

void window_options(OptionList& option, WindowArguments& arguments)
{
    WindowOptions& window = arguments.window;
    Patch& show = window.show;
    option("--stage", show.columns[0].stage, "the stage to show, see 'stages'");
    option("--show", arguments.place,
           "a place, as lessons and questions name it, and as the window copies it: 'stage=vectorized view=banks "
           "step=2'",
           typed("PLACE"));
    option("--lesson", window.lesson,
           "open this lesson, see 'lessons', at a step of it with :STEP; or 'quiz', or a quiz's file");
    // Text after a second comma is no stage and is reported as unknown.
    const auto compare = [&show](const std::string& stages) {
        const std::size_t comma = std::min(stages.find(','), stages.size());
        show.columns[1].stage = stages.substr(0, comma);
        show.columns[2].stage = comma < stages.size() ? stages.substr(comma + 1) : std::string();
    };
    option.call<std::string>("--compare", compare, "a second stage beside it; and a third: S2,S3", typed("STAGE"))
        .join(',');
    option("--code", show.code, "below the source: machine, ptx or counters", one_of("machine", "ptx", "counters"));
    option.set("--candidates", show.page, Page::candidates, "the shipped search for the stage's parameters");
    option("--view", show.view, "a view by name, such as banks or tiling");
    backend_option(option, window.backend);
    option("--scale", window.scale, "of text and lengths", between(0.5, 4.0), finite);
    inputs_option(option, show.inputs.emplace(recording::Inputs::random));
    option("--tiny", show.tiny, "matrices and tiles so small that every number has room");
    option("--theme", arguments.theme, "light or dark", one_of("light", "dark"));
    worker_options(option, window.worker);
}

namespace {

// Returns the file of a user's stage with this name, or an empty path if there is none.
std::filesystem::path file_of_own_stage(const std::string& name)
{
    const std::vector<std::filesystem::path> files = kernels::own_stage_files(own_stages_folder());
    const auto found = std::ranges::find_if(files, [&](const auto& file) { return file.stem() == name; });
    return found == files.end() ? std::filesystem::path() : *found;
}

} // namespace

WindowOptions opened_with(const WindowArguments& arguments)
{
    WindowOptions window = arguments.window;
    if (!arguments.theme.empty())
        window.light = arguments.theme == "light";
    using Source = WindowOptions::Source;
    if (!arguments.place.empty()) {
        const std::optional<CodeView> code = window.show.code;
        window.show = parse_patch(arguments.place);
        if (!window.show.code)
            window.show.code = code; // keeps --code if the place does not set it
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
    // A place names stages of the ladder. A user's stage is shown as a file, and the column keeps the window's default
    // stage.
    if (const auto own = file_of_own_stage(first.stage); window.source == Source::options && !own.empty()) {
        first.file = own;
        first.stage = Patch().stage();
    }
    kernels::find_stage(ladder, first.stage);
    for (const std::string* other : {&second.stage, &third.stage})
        if (!other->empty() && file_of_own_stage(*other).empty())
            kernels::find_stage(ladder, *other);
    return window;
}

namespace {

struct OpenOptions : WindowArguments {};

void fields(OptionList& option, OpenOptions& options)
{
    option("file", options.file,
           "a recording, a CUDA file with a comment '// gemmscope: ...', or a saved state, .gstate", required);
    window_options(option, options);
}

int open_window(const OpenOptions& options)
{
    return run_window(opened_with(options));
}

struct PictureOptions : WindowArguments {
    ScreenshotOptions picture;
    std::string size = "1600x1000";
};

void fields(OptionList& option, PictureOptions& options)
{
    ScreenshotOptions& picture = options.picture;
    window_options(option, options);
    option("--file", options.file, "show this recording, or this saved state, instead");
    option("--step", picture.step, "the access to show, from 0", not_negative);
    option("--time", picture.time, "where a race of two stages stands, in wavefronts (or sectors)", not_negative,
           excludes("--step"));
    option("--size", options.size, "in pixels", typed("WxH"));
    option("-o,--output", picture.output, "the PNG to write", required);
    option("--describe", picture.describe, "also write what is drawn where: pictures, number of words, headline",
           typed("FILE.json"));
}

std::pair<int, int> picture_size(const std::string& typed, const char* form)
{
    const auto size = two_numbers<int>(typed, 'x');
    if (!size)
        throw kernels::Error(fmt::format("'{}' is no picture size; give {}.", typed, form));
    return *size;
}

int take_screenshot(const PictureOptions& options)
{
    ScreenshotOptions picture = options.picture;
    picture.window = opened_with(options);
    std::tie(picture.width, picture.height) = picture_size(options.size, "WxH in pixels, such as 1600x1000");
    return run_screenshot(picture);
}

struct ReportOptions : WindowArguments {
    std::filesystem::path output;
};

void fields(OptionList& option, ReportOptions& options)
{
    option("stage", options.window.show.columns[0].stage, "a stage, see 'stages'", required);
    option("other", options.window.show.columns[1].stage, "one to compare it with");
    option("-o,--output", options.output, "the HTML file to write", required);
    worker_options(option, options.window.worker);
}

int report(const ReportOptions& options)
{
    return write_report(opened_with(options), options.output);
}

struct ExportOptions : WindowArguments {
    ExportRequest request;
    std::string size = "1280x800", steps; // as typed; `steps` is empty if it is not given
    std::optional<std::size_t> step;
    std::optional<double> time;
};

void fields(OptionList& option, ExportOptions& options)
{
    window_options(option, options);
    option.command().get_option("--theme")->description("light or dark; default: light");
    option("--file", options.file, "show this recording instead of making one");
    option("-o,--output", options.request.file,
           "the file, whose ending says what it is: .png, .svg, .pdf; .gif, .mp4, .webm, .html of what is played; "
           ".csv, .json of the figures",
           required);
    option("--step", options.step, "the access to show, from 0; default: the one that tells most", not_negative);
    option("--steps", options.steps, "play from one access to another; default: from the first to the last",
           typed("A-B"), excludes("--step"));
    option("--time", options.time, "one moment of a race of two stages, in wavefronts (or sectors)", not_negative,
           excludes("--step"), excludes("--steps"));
    option("--size", options.size, "before it is scaled, default 1280x800", typed("WxH"));
    option("--transparent", options.request.look.transparent, "without a background");
    option("--fps", options.request.per_second, "pictures per second of what is played, default 20",
           between(1.0, 50.0));
    option("--seconds", options.request.seconds, "how long it is played; default: as in the window, but 15 at most",
           between(0.1, 600.0));
}

ExportRequest request_of(const ExportOptions& options)
{
    ExportRequest request = options.request;
    std::tie(request.look.width, request.look.height) = picture_size(options.size, "WxH, such as 1280x800");
    check(request.look);
    if (options.steps.empty())
        return request;
    request.steps = two_numbers<std::size_t>(options.steps, '-');
    if (!request.steps)
        throw kernels::Error(
            fmt::format("'{}' are no steps; give the first and the last, such as 40-60.", options.steps));
    return request;
}

// Returns for example "race.gif: 121 pictures of 1280 x 800 pixels, 6.0 s, 1.2 MB".
std::string told(const Export& made)
{
    const PictureLook& look = made.request().look;
    std::string text = made.request().file.string() + ": ";
    const PictureFormat format = format_of(made.request().file);
    if (made.pictures() > 1)
        text += fmt::format("{} pictures of ", made.pictures());
    const float pixels = has_vectors(format) ? 1 : look.scale;
    if (is_table(format))
        text += "a table";
    else
        text +=
            fmt::format("{:.0f} x {:.0f} {}", static_cast<float>(look.width) * pixels,
                        static_cast<float>(look.height) * pixels, has_vectors(format) ? "units, vectors" : "pixels");
    if (made.pictures() > 1)
        text += fmt::format(", {:.1f} s", made.played());
    const auto bytes = static_cast<double>(std::filesystem::file_size(made.request().file));
    return text + (bytes < 1e6 ? fmt::format(", {:.0f} kB\n", bytes / 1e3) : fmt::format(", {:.1f} MB\n", bytes / 1e6));
}

int export_view(const ExportOptions& options)
{
    const WindowOptions window = opened_with(options);
    ExportRequest request = request_of(options);
    const PictureFormat format = format_of(request.file);
    request.look.light = window.light.value_or(true);
    // A page has more pixels, because its player can zoom in.
    request.look.scale = window.scale.value_or(format == PictureFormat::html ? 2.0f : 1.0f);
    const Offscreen offscreen;
    const Gui gui(offscreen.window()); // the shell needs a context
    Settings settings; // default settings instead of the user's, so that a picture looks the same everywhere
    Shell shell(window, settings, [] {});
    settle(shell);
    if (options.step)
        set_step(shell, *options.step);
    if (options.time)
        shell.set_time(*options.time);
    request.plays = request.steps || (moves(format) && !options.step && !options.time);
    Export made(shell, request);
    while (made.advance(std::chrono::milliseconds(10))) {
    }
    write_out("{}", told(made));
    return 0;
}

struct ServeArguments : WindowArguments {
    ServeOptions serve;
};

void fields(OptionList& option, ServeArguments& options)
{
    ServeOptions& serve = options.serve;
    option("--port", serve.port, "that browsers connect to, default 8017; 0: a free one");
    option("--host", serve.host, "the address to listen on, default 127.0.0.1: this machine alone");
    option("--base", serve.base, "the path under which a proxy shows it, such as /user/x/proxy/8017/");
    option("--origin", serve.origin,
           "the scheme and the host that browsers see, where a proxy hides them from the server");
    CLI::Option& certificate =
        option("--cert", serve.certificate, "the server's certificate: connections are encrypted", typed("FILE.pem"));
    CLI::Option& key =
        option("--key", serve.key, "the private key of the certificate", typed("FILE.pem"), needs(certificate));
    certificate.needs(&key);
    option("--visitors", serve.visitors, "at a time, default 50", between(1u, 1000u));
    option("--allow-kernels", serve.allow_kernels,
           "run CUDA files of visitors, who can then do on this machine what its user can");
    option("--class", serve.of_class,
           "print two links: who opens the first one leads, who opens the second one follows");
    window_options(option, options);
}

int serve_window(const ServeArguments& arguments)
{
    ServeOptions options = arguments.serve;
    options.window = opened_with(arguments);
    return run_server(options);
}

} // namespace

const Subcommand open_command = {"open", "open the window on a recording, or as it was saved", declare<open_window>};
const Subcommand screenshot_command = {"screenshot", "render a view as the window shows it into a PNG",
                                       declare<take_screenshot>};
const Subcommand report_command = {"report", "one page about a stage, or two: pictures, figures, source",
                                   declare<report>};
const Subcommand export_command = {"export", "write a view to a file: a picture, vectors or an animation",
                                   declare<export_view>};
const Subcommand serve_command = {"serve", "show the window in browsers, by a link", declare<serve_window>};

} // namespace app
