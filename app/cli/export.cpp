#include "app/platform/export.h"
#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "app/cli/window.h"
#include "app/pictures/wish.h"
#include "app/platform/offscreen.h"
#include "app/platform/settle.h"
#include "app/shell/shell.h"
#include "app/text/tell.h"

#include "error.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <tuple>

namespace app {

namespace {

struct ExportOptions : WindowArguments {
    ExportWish wish;
    std::string size = "1280x800", steps; // as typed; steps empty: none
    std::optional<std::size_t> step;
    std::optional<double> time;
};

void read_typed(ExportOptions& options)
{
    const auto size = two_numbers<int>(options.size, 'x');
    if (!size)
        throw kernels::Error(fmt::format("'{}' is no picture size; give WxH, such as 1280x800.", options.size));
    std::tie(options.wish.look.width, options.wish.look.height) = *size;
    check(options.wish.look);
    if (options.steps.empty())
        return;
    options.wish.steps = two_numbers<std::size_t>(options.steps, '-');
    if (!options.wish.steps)
        throw kernels::Error(
            fmt::format("'{}' are no steps; give the first and the last, such as 40-60.", options.steps));
}

// "race.gif: 121 pictures of 1280 x 800 pixels, 6.0 s, 1.2 MB"
std::string told(const Export& made)
{
    const PictureLook& look = made.wish().look;
    std::string text = made.wish().file.string() + ": ";
    const PictureFormat format = format_of(made.wish().file);
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
    const auto bytes = static_cast<double>(std::filesystem::file_size(made.wish().file));
    return text + (bytes < 1e6 ? fmt::format(", {:.0f} kB\n", bytes / 1e3) : fmt::format(", {:.1f} MB\n", bytes / 1e6));
}

// Beside what a window is opened with.
void add_export_options(CLI::App& command, ExportOptions& options)
{
    command
        .add_option("-o,--output", options.wish.file,
                    "the file, whose ending says what it is: .png, .svg, .pdf; .gif, .webp, .mp4, .webm of what is "
                    "played; .csv, "
                    ".json of the figures")
        ->required();
    CLI::Option* step =
        command.add_option("--step", options.step, "the access to show, from 0; default: the one that tells most")
            ->check(CLI::NonNegativeNumber);
    CLI::Option* steps = command
                             .add_option("--steps", options.steps,
                                         "play from one access to another; default: from the first to the last")
                             ->type_name("A-B")
                             ->excludes(step);
    command.add_option("--time", options.time, "one moment of a race of two stages, in wavefronts (or sectors)")
        ->check(CLI::NonNegativeNumber)
        ->excludes(step)
        ->excludes(steps);
    command.add_option("--size", options.size, "before it is scaled, default 1280x800")->type_name("WxH");
    command.add_flag("--transparent", options.wish.look.transparent, "without a background");
    command.add_option("--fps", options.wish.per_second, "pictures per second of what is played, default 20")
        ->check(CLI::Range(1.0, 50.0));
    command
        .add_option("--seconds", options.wish.seconds,
                    "how long it is played; default: as in the window, but 15 at most")
        ->check(CLI::Range(0.1, 600.0));
}

int export_view(ExportOptions options)
{
    const WindowOptions window = window_options(options);
    read_typed(options);
    ExportWish& wish = options.wish;
    const PictureFormat format = format_of(wish.file);
    wish.look.light = window.light.value_or(true);
    wish.look.scale = window.scale.value_or(1.0f);
    const Offscreen offscreen;
    const Gui gui(offscreen.window()); // the shell wants one
    Settings settings;                 // not those of a person: a picture looks the same everywhere
    Shell shell(window, settings, [] {});
    settle(shell);
    if (options.step)
        set_step(shell, *options.step);
    if (options.time)
        shell.set_time(*options.time);
    wish.plays = wish.steps || (moves(format) && !options.step && !options.time);
    Export made(shell, wish);
    while (made.advance(std::chrono::milliseconds(10))) {
    }
    write_out("{}", told(made));
    return 0;
}

} // namespace

void add_export_command(CLI::App& program, int& status)
{
    const auto [command, options] = add_command<ExportOptions>(
        program, status, "export", "write a view to a file: a picture, vectors or an animation", export_view);
    add_window_options(*command, *options);
    command->get_option("--theme")->description("light or dark; default: light");
    command->add_option("--file", options->file, "show this recording instead of making one");
    add_export_options(*command, *options);
}

} // namespace app
