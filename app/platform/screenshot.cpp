#include "app/platform/screenshot.h"

#include "app/panels/navigation.h"
#include "app/panels/tables.h"
#include "app/pictures/html.h"
#include "app/pictures/picture.h"
#include "app/pictures/svg.h"
#include "app/platform/export.h"
#include "app/platform/gui.h"
#include "app/platform/offscreen.h"
#include "app/text/tell.h"
#include "app/text/version.h"
#include "app/workspace/layout.h"

#include "viz/text/templates.h"

#include "error.h"
#include "recording/disk.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <imgui.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cfloat>
#include <chrono>
#include <ctime>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

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
    } while (!now->ready() || (!now->measured() && Clock::now() < patience));
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
    Json drawn = Json::array(), labels = Json::array(); // marks and labels of figures
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
    while (!shell.ready()) { // large maps and machine code are prepared in the background
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

namespace {

constexpr std::string_view style = R"(
:root{color-scheme:light dark;--ink:#1b2028;--quiet:#515b68;--line:#cdd3db;--page:#fff;--code:#f3f5f8}
@media(prefers-color-scheme:dark){:root{--ink:#e4e8ee;--quiet:#a3acb9;--line:#323843;--page:#15181d;--code:#1c2027}}
body{margin:2rem auto;max-width:75rem;padding:0 1rem;font:15px/1.5 Inter,Helvetica,Arial,sans-serif;color:var(--ink);background:var(--page)}
h1,h2,h3{line-height:1.2}h2{margin-top:2.5rem;border-top:1px solid var(--line);padding-top:1rem}.made,.from{color:var(--quiet)}
figure{margin:1.5rem 0;break-inside:avoid}figure svg{display:block;width:100%;height:auto;border:1px solid var(--line);background:#fff}
figcaption{color:var(--quiet)}table{border-collapse:collapse;font-variant-numeric:tabular-nums}
td,th{padding:.15rem .8rem .15rem 0;text-align:left;border-bottom:1px solid var(--line);vertical-align:top}td.number,th.number{text-align:right}
pre{font:12px/1.45 "JetBrains Mono",Consolas,Menlo,monospace;background:var(--code);padding:1rem;overflow-x:auto}
pre i{font-style:normal;color:var(--quiet);user-select:none}
@media print{:root{--ink:#000;--quiet:#444;--line:#bbb;--page:#fff;--code:#fff}body{margin:0;max-width:none;font-size:10pt}
pre{white-space:pre-wrap;font-size:8pt;padding:0}h2{break-after:avoid}tr{break-inside:avoid}@page{margin:15mm}}
)";

constexpr int picture_width = 1200, picture_height = 700;

std::string heading(const viz::Message& words)
{
    return "<h2>" + escaped(viz::plain(words)) + "</h2>\n";
}

// Returns a section with a table, or with the reason why the recording has no such table.
std::string section(const viz::Message& title, const std::function<Table()>& make)
{
    std::string text = heading(title);
    try {
        const Table table = make();
        return table.rows.empty() ? std::string() : text + html_of(table);
    } catch (const kernels::Error& error) {
        return text + "<p>" + escaped(error.what()) + "</p>\n";
    }
}

// Returns the most informative views of a stage, including those of shared memory if the stage uses it.
std::vector<std::string_view> views_of(const Snapshot& snapshot, bool shared)
{
    std::vector<std::string_view> views{"flow"};
    if (shared)
        views.insert(views.end(), {"banks", "layout"});
    views.insert(views.end(), {"global", "tiling", "reuse", "occupancy", "roofline"});
    if (snapshot.comparing())
        views.push_back("faster");
    return views;
}

std::string picture(Shell& shell, PageDrawings& drawings, std::string_view name)
{
    shell.choose_view(shell.state().index_of_view(name));
    const std::string svg = drawings.draw(shell);
    return fmt::format("<figure>{}<figcaption>{}</figcaption></figure>\n", svg, escaped(shell.state().view().title()));
}

// Returns an animation of the data path of a whole warp. It has as few pictures as still show motion. Returns an empty
// text if the warp has no steps.
std::string moving_picture(Shell& shell)
{
    State& state = shell.state();
    shell.choose_view(state.index_of_view("flow"));
    if (state.tracks.front().steps() == 0)
        return {};
    constexpr double pictures_per_second = 10;
    return player(Export::played(shell, {.file = "report.html",
                                         .look = {.width = picture_width, .height = picture_height, .scale = 2},
                                         .plays = true,
                                         .steps = std::nullopt,
                                         .per_second = pictures_per_second,
                                         .seconds = 8})) +
           "\n";
}

std::string source(const viz::StageColumn& stage)
{
    const recording::SourceFile& file = stage.recording->source();
    std::string text = heading({"report.source", {{"stage", stage.slug}, {"file", file.name}}}) + "<pre>";
    std::size_t line = 1;
    for (std::size_t begin = 0; begin < file.text.size(); ++line) {
        const std::size_t end = std::min(file.text.find('\n', begin), file.text.size());
        text +=
            fmt::format("<i>{:>4}  </i>{}\n", line, escaped(std::string_view(file.text).substr(begin, end - begin)));
        begin = end + 1;
    }
    return text + "</pre>\n";
}

} // namespace

int write_report(const WindowOptions& options, const std::filesystem::path& output)
{
    const Offscreen offscreen;
    const Gui gui(offscreen.window()); // the shell needs a context
    Shell shell(options, Settings(), [] {});
    settle(shell);
    PageDrawings drawings(picture_width, picture_height);
    drawings.begin(shell);
    const SnapshotPtr now = shell.snapshot();
    const State& state = shell.state();
    const viz::Message title =
        !now->comparing()
            ? viz::Message{"report.title_one", {{"stage", now->columns.front().slug}}}
            : viz::Message{"report.title_two", {{"stage", now->columns.front().slug}, {"other", now->columns[1].slug}}};
    const std::string name = escaped(viz::plain(title));
    const std::string date = fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr)));
    std::string page = "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
                       "content=\"width=device-width\"><title>" +
                       name + "</title><style>" + std::string(style) + player_style() + "</style></head><body>\n<h1>" +
                       name + "</h1>\n";
    for (const viz::StageColumn& stage : now->columns)
        page += "<p><b>" + escaped(stage.slug) + "</b>: " + escaped(stage.idea) + "</p>\n";
    page += "<p class=\"made\">" +
            escaped(viz::plain({"report.made", {{"version", std::string(program_version())}, {"date", date}}})) +
            "</p>\n";
    page += section({"report.figures"}, [&] { return compared_figures(*now, state); });
    page += heading({"report.pictures"});
    page += moving_picture(shell);
    const bool shared = !costs_of_lines(*now, state).rows.empty();
    const std::vector<std::string_view> views = views_of(*now, shared);
    for (const std::string_view view : views)
        page += picture(shell, drawings, view);
    std::u32string of_text; // the characters of the page's own text
    for (char32_t one = U' '; one <= U'~'; ++one)
        of_text += one;
    page.insert(page.find("</style>"), drawings.fonts(of_text));
    page += section({"report.lines"}, [&] { return costs_of_lines(*now, state); });
    page += section({"report.sectors"}, [&] { return sectors_of_lines(*now, state); });
    page += section({"report.ceilings"}, [&] { return ceilings_of_gpu(*now); });
    for (const viz::StageColumn& stage : now->columns)
        page += source(stage);
    page += player_script();
    recording::write_atomically(output, page + "</body></html>\n");
    write_out("{}: {} pictures, {:.0f} kB\n", output.string(), views.size(), static_cast<double>(page.size()) / 1e3);
    return 0;
}

} // namespace app
