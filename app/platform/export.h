// The shell's view becomes a file: some frames are drawn, and written by a thread of its own, so that a window goes on.
#pragma once

#include "app/pictures/format.h"
#include "app/pictures/wish.h"
#include "app/platform/studio.h"
#include "app/state/playback.h"

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
    // All of this for one thread, which has the shell and a current OpenGL context. Throws kernels::Error.
    Export(Shell& shell, ExportWish wish);
    Export(const Export&) = delete;
    Export& operator=(const Export&) = delete;
    ~Export(); // gives up what is not written, and puts the shell back to where it was

    // Draws a frame, or waits, at most so long, where the writer has enough to do. False when the file is written. Throws
    // kernels::Error.
    bool advance(std::chrono::milliseconds patience);
    double share() const; // of the work that is done

    const ExportWish& wish() const { return wish_; }
    std::size_t pictures() const { return pictures_; } // that the file has
    double played() const { return seconds_; }         // of a sequence

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
    viz::Selection selection_; // as it was
    Playback playback_;
    int settling_ = 6; // frames: what measures itself needs some
    std::size_t drawn_ = 0, pictures_ = 1;
    double begin_ = 0, end_ = 0, seconds_ = 0; // of the clock's time; of ours

    mutable std::mutex mutex_; // of what follows
    std::condition_variable_any changed_;
    std::deque<Frame> waiting_;
    bool written_ = false;
    std::exception_ptr failed_;
    std::jthread writer_;
};

} // namespace app
