#include "app/platform/screenshot.h"

#include "app/platform/gui.h"
#include "app/platform/offscreen.h"
#include "app/platform/picture.h"
#include "app/shell/shell.h"

#include "viz/text/templates.h"

#include "recording/disk.h"

#include <epoxy/gl.h>

#include <fmt/format.h>
#include <imgui.h>
#include <nlohmann/json.hpp>

#include <cfloat>
#include <chrono>
#include <string>
#include <thread>

namespace app {

namespace {

using Json = nlohmann::ordered_json;

class Framebuffer {
public:
    Framebuffer(int width, int height) : width_(width), height_(height)
    {
        glGenTextures(1, &texture_);
        glBindTexture(GL_TEXTURE_2D, texture_);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glBindTexture(GL_TEXTURE_2D, 0);
        glGenFramebuffers(1, &framebuffer_);
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture_, 0);
        if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
            throw kernels::Error("A picture of " + std::to_string(width) + " x " + std::to_string(height) +
                                 " pixels is larger than this OpenGL can render; ask for a smaller one.");
    }
    Framebuffer(const Framebuffer&) = delete;
    Framebuffer& operator=(const Framebuffer&) = delete;
    ~Framebuffer()
    {
        glBindFramebuffer(GL_FRAMEBUFFER, 0);
        glDeleteFramebuffers(1, &framebuffer_);
        glDeleteTextures(1, &texture_);
    }

    Picture read() const
    {
        Picture picture{static_cast<uint32_t>(width_), static_cast<uint32_t>(height_), {}};
        picture.rgb.resize(std::size_t{3} * picture.width * picture.height);
        glPixelStorei(GL_PACK_ALIGNMENT, 1);
        glReadPixels(0, 0, width_, height_, GL_RGB, GL_UNSIGNED_BYTE, picture.rgb.data());
        return picture;
    }

private:
    int width_, height_;
    GLuint texture_ = 0, framebuffer_ = 0;
};

void draw_frame(Gui& gui, Shell& shell, const ScreenshotOptions& options)
{
    gui.begin_frame();
    ImGuiIO& io = ImGui::GetIO();
    // A hidden window's own size does not count, and no mouse is over the picture.
    io.DisplaySize = {static_cast<float>(options.width), static_cast<float>(options.height)};
    io.DisplayFramebufferScale = {1, 1};
    io.DeltaTime = 1.0f / 60;
    io.MousePos = {-FLT_MAX, -FLT_MAX};
    ImGui::NewFrame();
    shell.draw(io.DisplaySize.x, io.DisplaySize.y, 0);
    gui.render(options.width, options.height, shell.theme());
}

// Until every recording is made. The ladder's figures are waited for as well, but not for ever: a slow machine's picture
// shows them as missing.
void settle(Session& session)
{
    using Clock = std::chrono::steady_clock;
    const auto patience = Clock::now() + std::chrono::seconds(20);
    SnapshotPtr now;
    do {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        session.poll();
        now = session.snapshot();
    } while (!now->settled() || (!now->measured() && Clock::now() < patience));
    for (const viz::ShownStage* stage : {&now->first(), now->second(), now->third()})
        if (stage != nullptr && stage->recording == nullptr)
            throw kernels::Error(viz::plain(stage->status));
}

void set_step(Shell& shell, std::size_t step)
{
    shell.set_step(step);
    const std::size_t steps = shell.state().first.steps();
    if (step >= steps)
        throw kernels::Error("Step " + std::to_string(step) + " does not exist: the chosen warp has " +
                             std::to_string(steps) + " steps, counted from 0.");
}

std::string hex(viz::Colour colour)
{
    return fmt::format("#{:02x}{:02x}{:02x}", colour & 0xff, colour >> 8 & 0xff, colour >> 16 & 0xff);
}

// Drawn once more, with notes of what is where. Words are those of the view's region, without labels of cells and axes.
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
    Json pictures = Json::array();
    std::string headline;
    for (const auto& [name, min, max] : marks.widgets) {
        const std::size_t colon = name.find(':');
        if (name.starts_with("picture:"))
            pictures.push_back({{"name", name.substr(colon + 1)},
                                {"x", min.x},
                                {"y", min.y},
                                {"w", max.x - min.x},
                                {"h", max.y - min.y}});
        if (name.starts_with("headline:"))
            headline += (headline.empty() ? "" : "; ") + name.substr(colon + 1);
    }
    return Json{{"window", {{"w", options.width}, {"h", options.height}}},
                {"view", state.views[state.view]->name()},
                {"empty", {hex(state.theme.background), hex(state.theme.panel)}}, // colours of what shows nothing
                {"step", state.selection.step},
                {"pictures", pictures},
                {"words", words},
                {"headline", headline}}
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
    Settings settings; // not those of a person: a picture looks the same everywhere
    settings.light = options.window.light.value_or(false);
    Shell shell(options.window, settings, [] {});
    shell.theme() = viz::make_theme(!settings.light, options.window.scale.value_or(1.0f));
    gui.use(shell.theme());
    const Framebuffer target(options.width, options.height);
    settle(shell.session());
    if (options.step)
        set_step(shell, *options.step);
    if (options.time)
        shell.set_time(*options.time);
    for (int i = 0; i < 4; ++i) // layouts that measure themselves need a frame or two
        draw_frame(gui, shell, options);
    while (!shell.settled()) { // a large map is prepared beside the frames, and so is machine code
        shell.poll();
        draw_frame(gui, shell, options);
    }
    for (int i = 0; i < 2; ++i) // what has come scrolls to its place
        draw_frame(gui, shell, options);
    write_png(target.read(), options.output);
    if (options.describe)
        recording::write_atomically(*options.describe, description(gui, shell, options));
    return 0;
}

} // namespace app
