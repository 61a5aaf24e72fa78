// Exports the shell's view to a file. Frames are drawn a few at a time and written by another thread, so that the
// window stays responsive.
#pragma once

#include "app/panels/playback.h"
#include "app/panels/shell.h"
#include "app/pictures/html.h"
#include "app/pictures/picture.h"
#include "app/pictures/played_frames.h"
#include "app/pictures/svg.h"
#include "app/platform/gui.h"
#include "app/platform/offscreen.h"

#include "viz/theme.h"
#include "viz/view.h"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

struct ImGuiContext;

namespace app {

// Draws only the shell's view, with its own frame and theme, into a picture or on a surface. It has its own ImGui
// context, so that the window's context is unaffected. Needs a current OpenGL context during its lifetime.

// Throws kernels::Error with a sentence if such a picture cannot be made.
void check(const PictureLook& look);

class Studio {
public:
    // Destination of the drawing. pixels: picture(). vectors: a surface. frames: PlayedFrames.
    enum class Makes : uint8_t { pixels, vectors, frames };
    // The caller's ImGui context stays current. If there was none, the studio's context becomes current.
    Studio(const PictureLook& look, Makes makes);
    Studio(const Studio&) = delete;
    Studio& operator=(const Studio&) = delete;
    ~Studio();

    // Draws one frame, `seconds` after the last one, into picture() or on the given surface. Throws kernels::Error if
    // there is nothing to show.
    void draw(Shell& shell, double seconds, const Shell::DrawTarget& wanted = {});
    // Draws the frame in both themes and adds it to `frames`.
    void draw(Shell& shell, PlayedFrames& frames, const PlayedMoment& moment);
    Picture picture() const { return target_->read(); } // the last drawn frame
    std::optional<viz::Colour> background() const;      // empty: transparent
    const PictureLook& look() const { return look_; }

private:
    void use_colours(bool light);
    void draw_inside(Shell& shell, double seconds, const Shell::DrawTarget& wanted);

    PictureLook look_;
    Makes makes_;
    ImGuiContext* outside_; // null: none
    Gui gui_;
    ImGuiContext* inside_;
    viz::Theme theme_;
    int pixel_width_ = 0, pixel_height_ = 0;
    std::unique_ptr<Framebuffer> target_;
};

// Draws views as vectors for one page, which embeds the fonts of all of them once.
class PageDrawings {
public:
    PageDrawings(int width, int height) : studio_({.width = width, .height = height}, Studio::Makes::vectors) {}

    void begin(Shell& shell) { studio_.draw(shell, 0); } // selects the default step
    // Draws what the shell shows as soon as it is ready. Headlines are left out if they would reveal the answer of a
    // question.
    std::string draw(Shell& shell, bool without_headlines = false);
    // Returns style sheet rules with the fonts, restricted to what was drawn and to `also`.
    std::string fonts(std::u32string_view also = {}) const;

private:
    std::vector<viz::Box> headlines(Shell& shell);

    Studio studio_;
    std::size_t number_ = 0;
    UsedCharacters used_;
};

class Export {
public:
    // All members must be called on one thread, which owns the shell and a current OpenGL context. Throws
    // kernels::Error.
    Export(Shell& shell, ExportRequest request);
    Export(const Export&) = delete;
    Export& operator=(const Export&) = delete;
    ~Export(); // discards what is not written, and restores the shell's state

    // Draws a frame. If the writer is busy, waits for at most `patience` instead. Returns false when the file is
    // written. Throws kernels::Error.
    bool advance(std::chrono::milliseconds patience);
    double share() const
    {
        return static_cast<double>(drawn_) / static_cast<double>(pictures_);
    } // finished share of the work

    // Returns an animation for a page that contains more than the animation. Does not write the request's file. Throws
    // kernels::Error.
    static Played played(Shell& shell, ExportRequest request);

    const ExportRequest& request() const { return request_; }
    std::size_t pictures() const { return pictures_; } // number of pictures in the file
    double played() const { return seconds_; }         // duration of a sequence in seconds

private:
    struct Frame {
        Picture picture;
        int milliseconds = 0;
    };

    void begin_sequence();
    void draw_picture();
    std::function<void()> still();
    std::function<void()> page();
    void note_words();
    void write(const std::function<void()>& what);
    void write_frames(const std::stop_token& stop);
    bool writer_is_busy(std::chrono::milliseconds patience);

    Shell& shell_;
    ExportRequest request_;
    PictureFormat format_;
    Studio studio_;
    PlayedFrames frames_;     // frames of the page's animation
    PageWords words_;         // texts of the page, which are shown before the animation plays
    bool keeps_page_ = false; // stores the animation in `kept_` instead of writing the page
    Played kept_;
    viz::Selection selection_; // selection before the export
    Playback playback_;
    std::optional<viz::TimeWindow> zoom_;
    int settling_ = 6; // frames left; layouts that measure themselves need some
    std::size_t drawn_ = 0, pictures_ = 1;
    std::pair<std::size_t, std::size_t> played_steps_{}; // first and last
    double begin_ = 0, end_ = 0, seconds_ = 0;           // begin_, end_: clock time; seconds_: real time

    mutable std::mutex mutex_; // guards the following members
    std::condition_variable_any changed_;
    std::deque<Frame> waiting_;
    bool written_ = false;
    std::exception_ptr failed_;
    std::jthread writer_;
};

// The exports that a window's dialog asks for, one at a time.
class Exports {
public:
    // Begins the requested export, or draws one more picture of it. `granted` may change a request, or refuse it by
    // throwing kernels::Error. Returns a sentence for the user when an export has ended. Needs a current OpenGL
    // context.
    using Granted = std::function<ExportRequest(const ExportRequest&)>;
    std::optional<std::string> go_on(Shell& shell, const Granted& granted = {});
    // Returns the file of the export that has ended in go_on(). Returns it only once.
    std::optional<std::filesystem::path> take_written() { return std::exchange(written_, std::nullopt); }
    void give_up() { export_.reset(); }

private:
    std::unique_ptr<Export> export_;
    std::optional<std::filesystem::path> written_;
};

} // namespace app
