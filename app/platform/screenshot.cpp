#include "app/platform/screenshot.h"

#include "app/panels/navigation.h"
#include "app/panels/shell.h"
#include "app/pictures/picture.h"
#include "app/platform/gui.h"
#include "app/platform/offscreen.h"
#include "app/text/tell.h"
#include "app/workspace/layout.h"

#include "viz/text/templates.h"

#include "error.h"
#include "recording/disk.h"

#include <fmt/format.h>
#include <imgui.h>
#include <nlohmann/json.hpp>

#include <cfloat>
#include <chrono>
#include <string>
#include <thread>

namespace app {

void settle(Shell& shell)
{
    using Clock = std::chrono::steady_clock;
    const auto patience = Clock::now() + std::chrono::seconds(20);
    SnapshotPtr now;
    do {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        shell.session().poll();
        now = shell.snapshot();
    } while (!now->settled() || (!now->measured() && Clock::now() < patience));
    for (const viz::StageColumn& column : now->columns)
        if (column.recording == nullptr)
            throw kernels::Error(viz::plain(column.status));
}

void set_step(Shell& shell, std::size_t step)
{
    shell.set_step(step);
    const std::size_t steps = shell.state().tracks.front().steps();
    if (step >= steps)
        throw kernels::Error("Step " + std::to_string(step) + " does not exist: the chosen warp has " +
                             std::to_string(steps) + " steps, counted from 0.");
}

namespace {

using Json = nlohmann::ordered_json;

void draw_frame(Gui& gui, Shell& shell, const ScreenshotOptions& options)
{
    gui.begin_frame();
    ImGuiIO& io = ImGui::GetIO();
    // Ignores the size of a hidden window, and places the mouse outside the picture.
    io.DisplaySize = {static_cast<float>(options.width), static_cast<float>(options.height)};
    io.DisplayFramebufferScale = {1, 1};
    io.DeltaTime = 1.0f / 60;
    io.MousePos = {-FLT_MAX, -FLT_MAX};
    ImGui::NewFrame();
    shell.draw(io.DisplaySize.x, io.DisplaySize.y, 0);
    gui.render(options.width, options.height, shell.theme());
}

std::string hex(viz::Colour colour)
{
    return fmt::format("#{:02x}{:02x}{:02x}", colour & 0xff, colour >> 8 & 0xff, colour >> 16 & 0xff);
}

// Draws the frame again and describes what is where. Counts only words in the view's region, without labels of cells
// and axes.
std::string description(Gui& gui, Shell& shell, const ScreenshotOptions& options)
{
    viz::Marks marks;
    std::size_t words = 0;
    shell.state().marks = &marks;
    shell.state().words_in_view = &words;
    draw_frame(gui, shell, options);
    shell.state().marks = nullptr;
    shell.state().words_in_view = nullptr;
    const State& state = shell.state();
    Json pictures = Json::array(), widgets = Json::array(), region;
    std::string headline;
    const auto box = [](ImVec2 min, ImVec2 max) {
        return Json{{"x", min.x}, {"y", min.y}, {"w", max.x - min.x}, {"h", max.y - min.y}};
    };
    for (const auto& [name, min, max] : marks.widgets) {
        const std::size_t colon = name.find(':');
        if (name.starts_with("picture:"))
            (pictures.emplace_back(Json{{"name", name.substr(colon + 1)}})).update(box(min, max));
        if (name == "view")
            region = box(min, max);
        if (name.starts_with("headline:"))
            headline += (headline.empty() ? "" : "; ") + name.substr(colon + 1);
        (widgets.emplace_back(Json{{"name", name}})).update(box(min, max));
    }
    Json drawn = Json::array(), labels = Json::array(); // of figures
    for (const viz::Marks::Drawn& mark : marks.drawn) {
        Json& one = drawn.emplace_back(Json{{"panel", mark.panel}, {"name", mark.name}});
        if (mark.value)
            one["value"] = *mark.value;
        one.update(Json{{"colour", hex(mark.colour)}, {"label", mark.label}});
        one.update(box(mark.min, mark.max));
    }
    for (const viz::Marks::Words& label : marks.words)
        (labels.emplace_back(Json{{"panel", label.panel}, {"words", label.words}, {"cut", label.cut}}))
            .update(box(label.min, label.max));
    return Json{{"window", {{"w", options.width}, {"h", options.height}}},
                {"view", state.view().name()},
                {"empty", {hex(state.theme.background), hex(state.theme.panel)}}, // background colors
                {"shown", text_of(patch_of(*shell.snapshot(), state))},           // in the form of --show
                {"step", state.at.selection.step},
                {"region", region}, // region of the view
                {"pictures", pictures},
                {"words", words},
                {"headline", headline},
                {"widgets", widgets}, // everything that is marked, also outside the view
                {"drawn", drawn},
                {"labels", labels}}
               .dump(2) +
           "\n";
}

void check(const ScreenshotOptions& options)
{
    constexpr int least = 320, most = 16384;
    if (options.width < least || options.height < least || options.width > most || options.height > most)
        throw kernels::Error("The picture's width and height must lie between 320 and 16384 pixels.");
}

} // namespace

int run_screenshot(const ScreenshotOptions& options)
{
    check(options);
    const Offscreen offscreen;
    Gui gui(offscreen.window());
    Settings settings; // default settings instead of the user's, so that a picture looks the same everywhere
    settings.light = options.window.light.value_or(false);
    Shell shell(options.window, settings, [] {});
    const float wanted = options.window.scale.value_or(1.0f);
    const float scale = fitting_scale(wanted, static_cast<float>(options.width), static_cast<float>(options.height));
    if (scale < wanted)
        tell("{} by {} pixels have room for --scale {:.1f} at most, so that is drawn.\n", options.width, options.height,
             scale);
    shell.theme() = viz::make_theme(!settings.light, scale);
    gui.use(shell.theme());
    const Framebuffer target(options.width, options.height);
    settle(shell);
    if (options.step)
        set_step(shell, *options.step);
    if (options.time)
        shell.set_time(*options.time);
    for (int i = 0; i < 4; ++i) // layouts that measure themselves need a frame or two
        draw_frame(gui, shell, options);
    while (!shell.settled()) { // large maps and machine code are prepared in the background
        shell.poll();
        draw_frame(gui, shell, options);
    }
    for (int i = 0; i < 2; ++i) // newly loaded content scrolls to its position
        draw_frame(gui, shell, options);
    write_png(target.read(), options.output);
    if (options.describe)
        recording::write_atomically(*options.describe, description(gui, shell, options));
    return 0;
}

} // namespace app
