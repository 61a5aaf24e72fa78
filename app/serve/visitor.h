// A visitor: a window of the program without a screen. A page sends its input and shows its frames. One thread with a
// current OpenGL context draws all visitors, because ImGui has one current context in the whole program.
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

// A message to the page.
struct Outgoing {
    std::string bytes;
    bool text = false; // true: JSON; false: a compressed frame or file
};

class Visitor {
public:
    using Clock = std::chrono::steady_clock;

    // `window` is the initial state of a visitor whose page names no place. The visitor sets hand_out of `visit`. Other
    // threads call `wake` when there is something to draw.
    Visitor(WindowOptions window, Visit visit, FontShelf& fonts, std::function<void()> wake);
    Visitor(const Visitor&) = delete;
    Visitor& operator=(const Visitor&) = delete;
    ~Visitor(); // removes the folder with the uploaded files

    [[nodiscard]] bool take(Input input); // false: too much input waits; the caller must disconnect it

    // Returns when the next frame is due, or nothing if no frame is due before an input or a result arrives. `woken`
    // says that results have arrived since the last frame.
    std::optional<Clock::time_point> due(Clock::time_point now, bool woken) const;

    // Draws a frame. Returns the messages to send to the page, in this order; none if nothing changed there. Throws
    // what drawing throws; after that the visitor cannot be used.
    std::vector<Outgoing> frame(Clock::time_point now);

    bool leaves() const { return shell_ != nullptr && shell_->quits(); }
    const FrameEncoder& encoder() const { return encoder_; }

    static constexpr auto between_frames = std::chrono::milliseconds(33);  // while the picture changes without input
    static constexpr auto between_answers = std::chrono::milliseconds(12); // after input
    static constexpr uint64_t most_unseen = 2;   // frames that were sent and that the page has not drawn yet
    static constexpr int frames_after_input = 3; // ImGui shows the effect of an input one or two frames later

private:
    struct GuiContextOwner { // owns the ImGui context; the first member, so that it is destroyed last
        GuiContextOwner();
        GuiContextOwner(const GuiContextOwner&) = delete;
        GuiContextOwner& operator=(const GuiContextOwner&) = delete;
        ~GuiContextOwner();
        ImFontAtlas none; // used until the fonts of the shelf are set
        ImGuiContext* context;
    };
    struct Downloads { // filled by other threads, which may outlive the visitor
        std::mutex mutex;
        std::vector<std::filesystem::path> files;
    };

    void begin(const Hello& hello);
    void resize(const CanvasSize& size);
    void apply_inputs();
    bool apply(const Input& input); // false: it must be applied in the next frame
    void apply(const KeyStroke& stroke);
    void apply(const Upload& upload);
    void go_to(const std::string& place);
    Patch patch_for(const std::string& place); // throws for a file that the visitor may not see
    void renew_theme();
    void draw(Clock::time_point now);
    void go_on_exporting();
    void tell_place(std::vector<Outgoing>& out);
    void add_downloads(std::vector<Outgoing>& out);
    TexturePixels pixels_of(ImTextureID texture);

    GuiContextOwner imgui_;
    WindowOptions window_;
    std::shared_ptr<Visit> visit_;
    FontShelf& shelf_;
    std::function<void()> wake_;
    std::shared_ptr<const ShelvedFonts> fonts_;
    std::shared_ptr<Downloads> downloads_ = std::make_shared<Downloads>();
    CanvasSize size_;
    std::unique_ptr<Shell> shell_; // null until the page has sent its size
    Exports exports_;
    FrameEncoder encoder_;
    Deflater deflater_;
    std::deque<Input> inputs_;
    std::size_t waiting_bytes_ = 0, uploaded_bytes_ = 0; // bytes of texts and files in `inputs_`; of uploaded files
    int frames_left_ = 0;
    uint64_t seen_ = 0; // number of the last frame that the page has drawn
    Clock::time_point last_frame_{};
    std::vector<unsigned char> pixels_; // pixels of the texture that was read last
    std::string pasted_, copied_;
    std::vector<int> pressed_; // keys and buttons that changed in this frame; each may change once
    bool typed_ = false;       // characters were typed in this frame
    bool copies_ = false;
    // place_: what the page shows; told_place_: the part of it whose change adds an entry to the history
    std::string place_, told_place_;
    std::string cursor_;
    bool typing_ = false;
};

} // namespace app
