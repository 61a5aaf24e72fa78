#include "app/pictures/video.h"

#include "app/engine/child_process.h"

#include "error.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <unistd.h>

namespace app {

namespace {

bool is_installed(const std::string& program)
{
    const char* path = std::getenv("PATH");
    std::string_view rest = path == nullptr ? "/usr/bin:/bin" : path;
    while (true) {
        const std::size_t end = rest.find(':');
        const std::string folder(rest.substr(0, end));
        if (access(((folder.empty() ? "." : folder) + "/" + program).c_str(), X_OK) == 0)
            return true;
        if (end == std::string_view::npos)
            return false;
        rest.remove_prefix(end + 1);
    }
}

bool write_all(int descriptor, std::span<const std::byte> bytes)
{
    const NoPipeSignal quiet;
    while (!bytes.empty()) {
        const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return false;
        bytes = bytes.subspan(static_cast<std::size_t>(count));
    }
    return true;
}

std::string read_all(int descriptor)
{
    std::string text;
    char some[4096];
    for (ssize_t count = 0; (count = read(descriptor, some, sizeof some)) > 0;)
        text.append(some, static_cast<std::size_t>(count));
    return text;
}

} // namespace

Video::Video(PictureFormat format, std::filesystem::path file, double per_second)
    : format_(format), file_(std::move(file)), written_(file_), per_second_(per_second)
{
    written_.replace_extension(".part." + std::string(name(format)));
    if (!is_installed("ffmpeg"))
        throw kernels::Error(
            "A ." + std::string(name(format)) +
            " is made by the program ffmpeg, which is not installed: install it with the system's package "
            "manager (Debian package ffmpeg), or ask for a .gif.");
}

Video::~Video()
{
    ffmpeg_.reset();
    std::error_code ignored;
    std::filesystem::remove(written_, ignored);
}

void Video::start(const Picture& first)
{
    // Makes the width and height even and halves the color resolution, as players require.
    std::vector<std::string> command{"ffmpeg",
                                     "-nostdin",
                                     "-loglevel",
                                     "error",
                                     "-y",
                                     "-f",
                                     "rawvideo",
                                     "-pix_fmt",
                                     "rgba",
                                     "-s",
                                     fmt::format("{}x{}", first.width, first.height),
                                     "-r",
                                     fmt::format("{}", per_second_),
                                     "-i",
                                     "pipe:0",
                                     "-vf",
                                     "pad=ceil(iw/2)*2:ceil(ih/2)*2",
                                     "-pix_fmt",
                                     "yuv420p"};
    if (format_ == PictureFormat::mp4)
        command.insert(command.end(), {"-crf", "18", "-movflags", "+faststart"});
    else
        command.insert(command.end(), {"-crf", "24", "-b:v", "0"});
    command.push_back("file:" + written_.string());
    ffmpeg_.emplace(command);
    in_ = ffmpeg_->take_in();
}

void Video::fail()
{
    in_.close();
    const std::string why = read_all(ffmpeg_->err());
    throw kernels::Error("ffmpeg could not make the video" + (why.empty() ? std::string() : ": " + why.substr(0, 400)));
}

void Video::add(const Picture& picture, int milliseconds)
{
    if (!ffmpeg_)
        start(picture);
    shown_ += milliseconds / 1000.0;
    do {
        if (!write_all(in_.get(), std::as_bytes(std::span(picture.pixels))))
            fail();
        ++frames_;
    } while (static_cast<double>(frames_) + 0.5 < shown_ * per_second_);
}

void Video::finish()
{
    in_.close();
    const std::string why = read_all(ffmpeg_->err()); // reads until ffmpeg ends
    std::error_code error;
    if (!why.empty() || std::filesystem::file_size(written_, error) == 0 || error)
        throw kernels::Error("ffmpeg could not make the video: " + why.substr(0, 400));
    std::filesystem::rename(written_, file_, error);
    if (error)
        throw kernels::Error("Cannot write " + file_.string() + ": " + error.message() + ".");
}

} // namespace app
