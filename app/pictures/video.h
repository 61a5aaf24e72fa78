// A video, encoded by the program ffmpeg if it is installed.
#pragma once

#include "app/pictures/gif.h"

#include "app/engine/child_process.h"

#include "recording/disk.h"

#include <optional>

namespace app {

class Video final : public Animation {
public:
    // Throws kernels::Error that says what to install.
    Video(PictureFormat format, std::filesystem::path file, double per_second);
    ~Video() override;
    void add(const Picture& picture, int milliseconds) override;
    void finish() override;

private:
    void start(const Picture& first);
    [[noreturn]] void fail();

    PictureFormat format_;
    std::filesystem::path file_, written_; // written_: temporary file beside file_ until the video is complete
    double per_second_;
    std::optional<ChildProcess> ffmpeg_;
    recording::FileDescriptor in_;
    double shown_ = 0; // in seconds
    long frames_ = 0;
};

} // namespace app
