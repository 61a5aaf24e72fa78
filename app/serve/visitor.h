// A visitor: a window of the program without a screen, whose input comes from a page and whose frames go there. All visitors are drawn
// by one thread, which has a current OpenGL context: ImGui has one current context in the whole program.
#pragma once

#include "app/panels/shell.h"
#include "app/pictures/frame_encoder.h"
#include "app/pictures/packed_words.h"
#include "app/platform/export.h"
#include "app/serve/font_shelf.h"
#include "app/serve/protocol.h"

#include <imgui.h>

#include <chrono>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace app {

// To the page.
struct Outgoing {
    std::string bytes;
    bool text = false; // JSON; else a frame or a file, compressed
};

class Visitor {
public:
    using Clock = std::chrono::steady_clock;

    // `window`: with which a visitor begins who asks for no place. `visit`: without hand_out, which the visitor sets. `wake` is called
    // from other threads when there is something to draw.
    Visitor(WindowOptions window, Visit visit, FontShelf& fonts, std::function<void()> wake);
    Visitor(const Visitor&) = delete;
    Visitor& operator=(const Visitor&) = delete;
    ~Visitor(); // removes the folder with what was uploaded

    [[nodiscard]] bool take(Input input); // false: more waits than a visitor may send, and it is cut off

    // When the next frame is due; none: not before something happens. `woken`: results have come since the last frame.
    std::optional<Clock::time_point> due(Clock::time_point now, bool woken) const;

    // Draws a frame. What the page has to get, in this order; nothing where it shows all of it already. Throws what drawing throws; then
    // the visitor is of no use any more.
    std::vector<Outgoing> frame(Clock::time_point now);

    bool leaves() const { return shell_ != nullptr && shell_->quits(); }
    const FrameEncoder& encoder() const { return encoder_; }

    static constexpr auto between_frames = std::chrono::milliseconds(33);  // while something moves by itself
    static constexpr auto between_answers = std::chrono::milliseconds(12); // after input
    static constexpr uint64_t most_unseen = 2;   // frames that the page may have got and not drawn yet
    static constexpr int frames_after_input = 3; // ImGui shows the effect of an input one or two frames later

private:
    struct OfImGui { // makes a context, and ends it last
        OfImGui();
        OfImGui(const OfImGui&) = delete;
        OfImGui& operator=(const OfImGui&) = delete;
        ~OfImGui();
        ImFontAtlas none; // until the shelf's is there
        ImGuiContext* context;
    };
    struct Downloads { // filled by other threads, which may outlive the visitor
        std::mutex mutex;
        std::vector<std::filesystem::path> files;
    };

    void begin(const Hello& hello);
    void resize(const CanvasSize& size);
    void apply_inputs();
    bool apply(const Input& input); // false: in the next frame
    void apply(const KeyStroke& stroke);
    void apply(const Upload& upload);
    void go_to(const std::string& place);
    Patch patch_for(const std::string& place); // without files that are not the visitor's
    void renew_theme();
    void draw(Clock::time_point now);
    void go_on_exporting();
    void tell_place(std::vector<Outgoing>& out);
    void add_downloads(std::vector<Outgoing>& out);
    TexturePixels pixels_of(ImTextureID texture);

    OfImGui imgui_;
    WindowOptions window_;
    std::shared_ptr<Visit> visit_;
    FontShelf& shelf_;
    std::function<void()> wake_;
    std::shared_ptr<const ShelvedFonts> fonts_;
    std::shared_ptr<Downloads> downloads_ = std::make_shared<Downloads>();
    CanvasSize size_;
    std::unique_ptr<Shell> shell_; // null until the page has said how large it is
    Exports exports_;
    FrameEncoder encoder_;
    Deflater deflater_;
    std::deque<Input> inputs_;
    std::size_t waiting_bytes_ = 0, uploaded_bytes_ = 0; // of texts and files in `inputs_`; in the visitor's folder
    int frames_left_ = 0;
    uint64_t seen_ = 0; // the frame that the page has drawn last
    Clock::time_point last_frame_{};
    std::vector<unsigned char> pixels_; // of the texture that was read last
    std::string pasted_, copied_;
    std::vector<int> pressed_; // keys and buttons that changed in this frame: each changes once
    bool typed_ = false;       // characters came in this frame
    bool copies_ = false;
    std::string place_, told_place_; // as the page has it; the part of it that makes a step of its history
    std::string cursor_;
    bool typing_ = false;
};

} // namespace app
