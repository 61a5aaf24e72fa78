#include "app/pictures/animation.h"

#include "error.h"
#include "recording/disk.h"

#include <fmt/format.h>
#include <gif_lib.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace app {

namespace {

constexpr uint32_t rgb = 0x00ffffff;

double channel(uint32_t colour, std::size_t index)
{
    return static_cast<double>(colour >> (8 * index) & 0xff);
}

struct Counted {
    uint32_t colour = 0;
    double weight = 0; // grows more slowly than the count, so that small colored areas count too
    uint64_t count = 0;
};

// A set of colors that will share one palette color.
struct Box {
    std::span<Counted> colours;
    std::array<double, 3> mean{}, spread{}; // spread: weight times variance

    explicit Box(std::span<Counted> some) : colours(some)
    {
        double weight = 0;
        for (const Counted& one : colours) {
            weight += one.weight;
            for (std::size_t i = 0; i < 3; ++i)
                mean[i] += one.weight * channel(one.colour, i);
        }
        for (double& value : mean)
            value /= weight;
        for (const Counted& one : colours)
            for (std::size_t i = 0; i < 3; ++i)
                spread[i] += one.weight * std::pow(channel(one.colour, i) - mean[i], 2);
    }

    std::size_t widest() const { return static_cast<std::size_t>(std::ranges::max_element(spread) - spread.begin()); }

    uint32_t colour() const
    {
        const Counted& first = *std::ranges::max_element(colours, {}, &Counted::count);
        uint64_t all = 0;
        for (const Counted& one : colours)
            all += one.count;
        if (first.count * 2 >= all)
            return first.colour;
        uint32_t result = 0;
        for (std::size_t i = 0; i < 3; ++i)
            result |= static_cast<uint32_t>(std::lround(mean[i])) << (8 * i);
        return result;
    }
};

} // namespace

void ColourCounts::add(const Picture& picture)
{
    // Counts runs, because large parts of a picture have one color.
    for (std::size_t i = 0; i < picture.pixels.size();) {
        const uint32_t colour = picture.pixels[i] & rgb;
        const std::size_t begin = i;
        while (i < picture.pixels.size() && (picture.pixels[i] & rgb) == colour)
            ++i;
        counts_[colour] += i - begin;
    }
}

std::vector<uint32_t> ColourCounts::palette(std::size_t most) const
{
    std::vector<Counted> colours;
    for (const auto& [colour, count] : counts_)
        colours.push_back({colour, std::sqrt(static_cast<double>(count)), count});
    if (colours.empty())
        return {0};
    std::ranges::sort(colours, {}, &Counted::colour); // makes the palette the same in each run
    std::vector<Box> boxes{Box(colours)};
    while (boxes.size() < most) {
        const auto next = std::ranges::max_element(boxes, {}, [](const Box& box) { return box.spread[box.widest()]; });
        const std::size_t axis = next->widest();
        if (next->spread[axis] <= 0)
            break;
        const double at = next->mean[axis];
        const std::span<Counted> all = next->colours;
        const auto middle = std::stable_partition(all.begin(), all.end(),
                                                  [&](const Counted& one) { return channel(one.colour, axis) <= at; });
        *next = Box({all.begin(), middle});
        boxes.push_back(Box({middle, all.end()}));
    }
    std::vector<uint32_t> result;
    for (const Box& box : boxes)
        result.push_back(box.colour());
    return result;
}

std::size_t NearestColour::find(uint32_t colour)
{
    const auto [found, is_new] = known_.try_emplace(colour & rgb, 0);
    if (is_new) {
        const auto away = [&](uint32_t other) {
            double sum = 0;
            for (std::size_t i = 0; i < 3; ++i)
                sum += std::pow(channel(other, i) - channel(colour, i), 2);
            return sum;
        };
        found->second = static_cast<std::size_t>(std::ranges::min_element(palette_, {}, away) - palette_.begin());
    }
    return found->second;
}

std::unique_ptr<Animation> make_animation(PictureFormat format, const std::filesystem::path& file, double per_second)
{
    switch (format) {
    case PictureFormat::gif: return std::make_unique<Gif>(file);
    case PictureFormat::mp4:
    case PictureFormat::webm: return std::make_unique<Video>(format, file, per_second);
    default: throw kernels::Error("A file ending in ." + std::string(name(format)) + " holds one picture only.");
    }
}

namespace {

constexpr GifByteType clear = 255; // the color that leaves a pixel unchanged

[[noreturn]] void fail_gif(int error)
{
    const char* why = GifErrorString(error);
    throw kernels::Error(std::string("The GIF could not be made: ") + (why != nullptr ? why : "no memory") + ".");
}

int append_gif(GifFileType* gif, const GifByteType* data, int length)
{
    auto& bytes = *static_cast<std::vector<std::byte>*>(gif->UserData);
    const auto* first = reinterpret_cast<const std::byte*>(data);
    bytes.insert(bytes.end(), first, first + length);
    return length;
}

struct Rectangle {
    uint32_t left = 0, top = 0, right = 0, bottom = 0; // right and bottom are exclusive
};

using Indices = std::vector<GifByteType>;

class GifWriter {
public:
    GifWriter(uint32_t width, uint32_t height, const std::vector<uint32_t>& palette) : width_(width), height_(height)
    {
        int error = 0;
        gif_ = EGifOpen(&bytes_, append_gif, &error);
        if (gif_ == nullptr)
            fail_gif(error);
        EGifSetGifVersion(gif_, true);
        std::vector<GifColorType> colours(256);
        for (std::size_t i = 0; i < palette.size(); ++i)
            for (int part = 0; part < 3; ++part)
                (&colours[i].Red)[part] = static_cast<GifByteType>(palette[i] >> (8 * part));
        const std::unique_ptr<ColorMapObject, decltype(&GifFreeMapObject)> map(GifMakeMapObject(256, colours.data()),
                                                                               GifFreeMapObject);
        check(EGifPutScreenDesc(gif_, static_cast<int>(width), static_cast<int>(height), 8, 0, map.get()));
        check(EGifPutExtensionLeader(gif_, APPLICATION_EXT_FUNC_CODE));
        check(EGifPutExtensionBlock(gif_, 11, "NETSCAPE2.0"));
        check(EGifPutExtensionBlock(gif_, 3, "\1\0\0")); // repeats forever
        check(EGifPutExtensionTrailer(gif_));
    }
    GifWriter(const GifWriter&) = delete;
    GifWriter& operator=(const GifWriter&) = delete;
    ~GifWriter()
    {
        if (gif_ != nullptr)
            EGifCloseFile(gif_, nullptr);
    }

    void put(const Indices& indices, const Rectangle& part, int milliseconds, bool disposes)
    {
        const GraphicsControlBlock control{.DisposalMode = disposes ? DISPOSE_BACKGROUND : DISPOSE_DO_NOT,
                                           .UserInputFlag = false,
                                           .DelayTime = std::max(2, (milliseconds + 5) / 10),
                                           .TransparentColor = clear};
        GifByteType extension[4];
        const auto size = static_cast<int>(EGifGCBToExtension(&control, extension));
        check(EGifPutExtension(gif_, GRAPHICS_EXT_FUNC_CODE, size, extension));
        const auto wide = static_cast<int>(part.right - part.left);
        check(EGifPutImageDesc(gif_, static_cast<int>(part.left), static_cast<int>(part.top), wide,
                               static_cast<int>(part.bottom - part.top), false, nullptr));
        for (uint32_t y = part.top; y < part.bottom; ++y) {
            Indices row(indices.begin() + static_cast<std::ptrdiff_t>(std::size_t{y} * width_ + part.left),
                        indices.begin() + static_cast<std::ptrdiff_t>(std::size_t{y} * width_ + part.right));
            check(EGifPutLine(gif_, row.data(), wide));
        }
    }

    std::vector<std::byte> close()
    {
        int error = 0;
        if (EGifCloseFile(std::exchange(gif_, nullptr), &error) == GIF_ERROR)
            fail_gif(error);
        return std::move(bytes_);
    }

private:
    void check(int status) const
    {
        if (status == GIF_ERROR)
            fail_gif(gif_->Error);
    }

    uint32_t width_, height_;
    std::vector<std::byte> bytes_;
    GifFileType* gif_ = nullptr;
};

Rectangle changed_part(const Indices& before, const Indices& now, uint32_t width, uint32_t height)
{
    Rectangle part{width, height, 0, 0};
    for (uint32_t y = 0; y < height; ++y)
        for (uint32_t x = 0; x < width; ++x)
            if (before[std::size_t{y} * width + x] != now[std::size_t{y} * width + x])
                part = {std::min(part.left, x), std::min(part.top, y), std::max(part.right, x + 1), y + 1};
    if (part.right == 0)
        part = {0, 0, 1, 1}; // nothing changed, but a picture needs some size
    return part;
}

} // namespace

void Gif::add(const Picture& picture, int milliseconds)
{
    if (kept_.empty())
        width_ = picture.width, height_ = picture.height;
    transparent_ |= !opaque(picture);
    counts_.add(picture);
    const std::size_t size = picture.pixels.size() * sizeof(uint32_t);
    std::vector<std::byte> compressed(ZSTD_compressBound(size));
    const std::size_t used = ZSTD_compress(compressed.data(), compressed.size(), picture.pixels.data(), size, 1);
    if (ZSTD_isError(used) != 0)
        throw kernels::Error("There is no memory for so long a sequence; export fewer steps.");
    compressed.resize(used);
    compressed.shrink_to_fit();
    kept_.push_back({std::move(compressed), milliseconds});
}

void Gif::finish()
{
    NearestColour nearest(counts_.palette(255));
    GifWriter writer(width_, height_, nearest.palette());
    std::vector<uint32_t> pixels(std::size_t{width_} * height_);
    Indices before, now(pixels.size());
    for (const Kept& kept : kept_) {
        ZSTD_decompress(pixels.data(), pixels.size() * sizeof(uint32_t), kept.compressed.data(),
                        kept.compressed.size());
        for (std::size_t i = 0; i < pixels.size(); ++i)
            now[i] = pixels[i] >> 24 < 128                 ? clear
                     : i > 0 && pixels[i] == pixels[i - 1] ? now[i - 1]
                                                           : static_cast<GifByteType>(nearest.find(pixels[i]));
        Rectangle part{0, 0, width_, height_};
        Indices written = now;
        if (!before.empty() && !transparent_) {
            part = changed_part(before, now, width_, height_);
            for (std::size_t i = 0; i < written.size(); ++i)
                if (before[i] == now[i])
                    written[i] = clear;
        }
        writer.put(written, part, kept.milliseconds, transparent_);
        before = now;
    }
    recording::write_atomically(file_, writer.close());
}

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
