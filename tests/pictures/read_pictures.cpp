#include "read_pictures.h"
#include "tests/paths.h"

#include "temporary_folder.h"

#include <fmt/format.h>
#include <gif_lib.h>
#include <png.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>

namespace test {

namespace {

uint32_t rgb(const GifColorType& colour)
{
    return 0xff000000u | uint32_t{colour.Blue} << 16 | uint32_t{colour.Green} << 8 | colour.Red;
}

} // namespace

app::Picture read_png(const std::filesystem::path& file)
{
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    if (png_image_begin_read_from_file(&image, file.c_str()) == 0)
        throw std::runtime_error(file.string() + ": " + image.message);
    image.format = PNG_FORMAT_RGBA;
    app::Picture picture{image.width, image.height, std::vector<uint32_t>(std::size_t{image.width} * image.height)};
    if (png_image_finish_read(&image, nullptr, picture.pixels.data(), 0, nullptr) == 0)
        throw std::runtime_error(file.string() + ": " + image.message);
    return picture;
}

std::vector<app::Picture> read_gif(const std::filesystem::path& file)
{
    int error = 0;
    const auto close = [](GifFileType* gif) { DGifCloseFile(gif, nullptr); };
    const std::unique_ptr<GifFileType, decltype(close)> gif(DGifOpenFileName(file.c_str(), &error), close);
    if (gif == nullptr || DGifSlurp(gif.get()) == GIF_ERROR)
        throw std::runtime_error(file.string() + " is no GIF");
    const auto width = static_cast<uint32_t>(gif->SWidth), height = static_cast<uint32_t>(gif->SHeight);
    app::Picture shown{width, height, std::vector<uint32_t>(std::size_t{width} * height)};
    std::vector<app::Picture> all;
    for (int i = 0; i < gif->ImageCount; ++i) {
        const SavedImage& image = gif->SavedImages[i];
        GraphicsControlBlock control{};
        DGifSavedExtensionToGCB(gif.get(), i, &control);
        const GifImageDesc& part = image.ImageDesc;
        for (int y = 0; y < part.Height; ++y)
            for (int x = 0; x < part.Width; ++x)
                if (const int colour = image.RasterBits[y * part.Width + x]; colour != control.TransparentColor)
                    shown.pixels[static_cast<std::size_t>(part.Top + y) * width +
                                 static_cast<std::size_t>(part.Left + x)] = rgb(gif->SColorMap->Colors[colour]);
        all.push_back(shown);
    }
    return all;
}

app::Picture cut(const app::Picture& picture, uint32_t x, uint32_t y, uint32_t width, uint32_t height)
{
    app::Picture part{width, height, {}};
    for (uint32_t row = y; row < y + height; ++row) {
        const auto begin = picture.pixels.begin() + static_cast<std::ptrdiff_t>(std::size_t{row} * picture.width + x);
        part.pixels.insert(part.pixels.end(), begin, begin + width);
    }
    return part;
}

app::Picture shrunk(const app::Picture& picture, uint32_t by)
{
    app::Picture result{picture.width / by, picture.height / by, {}};
    for (uint32_t y = 0; y < result.height; ++y)
        for (uint32_t x = 0; x < result.width; ++x) {
            uint32_t mean = 0;
            for (int shift = 0; shift < 32; shift += 8) {
                uint32_t sum = 0;
                for (uint32_t j = 0; j < by; ++j)
                    for (uint32_t i = 0; i < by; ++i)
                        sum += picture.pixels[std::size_t{y * by + j} * picture.width + x * by + i] >> shift & 0xff;
                mean |= (sum / (by * by)) << shift;
            }
            result.pixels.push_back(mean);
        }
    return result;
}

Difference difference(const app::Picture& a, const app::Picture& b)
{
    if (a.width != b.width || a.height != b.height)
        throw std::runtime_error(fmt::format("{} x {} is not {} x {}", a.width, a.height, b.width, b.height));
    Difference result;
    uint64_t sum = 0, large = 0;
    for (std::size_t i = 0; i < a.pixels.size(); ++i) {
        int most = 0;
        for (int shift = 0; shift < 24; shift += 8) {
            const int away =
                std::abs(static_cast<int>(a.pixels[i] >> shift & 0xff) - static_cast<int>(b.pixels[i] >> shift & 0xff));
            sum += static_cast<uint64_t>(away);
            most = std::max(most, away);
        }
        large += most > 48;
        result.most = std::max(result.most, most);
    }
    const auto pixels = static_cast<double>(a.pixels.size());
    result.mean = static_cast<double>(sum) / 3 / pixels;
    result.share = static_cast<double>(large) / pixels;
    return result;
}

std::string said_by(const std::string& command)
{
    const kernels::TemporaryFolder folder;
    const std::filesystem::path fonts = folder.path() / "fonts.conf";
    std::ofstream(fonts) << "<fontconfig><dir>" << (source_tree() / "assets/fonts").string() << "</dir><cachedir>"
                         << folder.path().string() << "</cachedir></fontconfig>";
    const std::string whole = "FONTCONFIG_FILE='" + fonts.string() + "' " + command;
    std::FILE* pipe = popen(whole.c_str(), "r");
    if (pipe == nullptr)
        throw std::runtime_error("no pipe");
    std::string text;
    std::array<char, 4096> some{};
    while (const std::size_t count = std::fread(some.data(), 1, some.size(), pipe))
        text.append(some.data(), count);
    if (pclose(pipe) != 0)
        throw std::runtime_error(command + " failed; './test' installs what it needs");
    return text;
}

} // namespace test
