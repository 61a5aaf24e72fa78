// Exports the shell's view to a file. Frames are drawn a few at a time and written by another thread, so that the
// window stays responsive.
#pragma once

#include "app/panels/playback.h"
#include "app/pictures/picture.h"
#include "app/platform/studio.h"

#include "viz/view.h"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace app {

class Shell;

class Export {
public:
    // All members must be called on one thread, which owns the shell and a current OpenGL context. Throws
    // kernels::Error.
    Export(Shell& shell, ExportWish wish);
    Export(const Export&) = delete;
    Export& operator=(const Export&) = delete;
    ~Export(); // discards what is not written, and restores the shell's state

    // Draws a frame. If the writer is busy, waits for at most `patience` instead. Returns false when the file is
    // written. Throws kernels::Error.
    bool advance(std::chrono::milliseconds patience);
    double share() const; // finished share of the work

    const ExportWish& wish() const { return wish_; }
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
    void write(const std::function<void()>& what);
    void write_frames(const std::stop_token& stop);
    bool writer_is_busy(std::chrono::milliseconds patience);

    Shell& shell_;
    ExportWish wish_;
    PictureFormat format_;
    Studio studio_;
    viz::Selection selection_; // before the export
    Playback playback_;
    int settling_ = 6; // frames left; layouts that measure themselves need some
    std::size_t drawn_ = 0, pictures_ = 1;
    double begin_ = 0, end_ = 0, seconds_ = 0; // begin_, end_: clock time; seconds_: real time

    mutable std::mutex mutex_; // guards the following members
    std::condition_variable_any changed_;
    std::deque<Frame> waiting_;
    bool written_ = false;
    std::exception_ptr failed_;
    std::jthread writer_;
};

} // namespace app
