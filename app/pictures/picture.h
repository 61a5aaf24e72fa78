// Exported pictures: their options, formats and pixels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace app {

// Options for exporting a view to a file.
struct PictureLook {
    int width = 1280, height = 800; // in units of `scale` pixels
    float scale = 1;
    bool light = true, transparent = false;
    bool timeline = false; // of a race, below the view: the phases of each stage, and who is ahead
    friend bool operator==(const PictureLook&, const PictureLook&) = default;
};

struct ExportRequest {
    std::filesystem::path file; // the extension determines the format
    PictureLook look;
    bool plays = false; // export a sequence; if false, one picture of what is shown
    std::optional<std::pair<std::size_t, std::size_t>> steps; // first and last step to play; empty: all
    double per_second = 20;
    std::optional<double> seconds; // duration in seconds; empty: as in the window, but at most 15
};

// The file formats for exporting a view.
enum class PictureFormat : uint8_t { png, svg, pdf, gif, mp4, webm, html, csv, json };

std::string_view name(PictureFormat format); // for example "png"

// Determines the format by the file's extension. Throws kernels::Error that lists the valid ones.
PictureFormat format_of(const std::filesystem::path& file);

constexpr bool has_vectors(PictureFormat format)
{
    return format == PictureFormat::svg || format == PictureFormat::pdf;
}
// Returns whether the format holds a sequence of pictures.
constexpr bool moves(PictureFormat format)
{
    return format >= PictureFormat::gif && format <= PictureFormat::html;
}
// Returns whether the format holds the figures instead of a picture.
constexpr bool is_table(PictureFormat format)
{
    return format >= PictureFormat::csv;
}

// A picture in memory, and its PNG form.
struct Picture {
    uint32_t width = 0, height = 0;
    std::vector<uint32_t> pixels; // 0xAABBGGRR without premultiplied alpha, row by row from the top
};

using ReadTexture = std::function<Picture(unsigned texture)>; // reads a whole OpenGL texture

bool opaque(const Picture& picture);

// Encodes a picture. Omits alpha if the whole picture is opaque. Throws kernels::Error.
std::vector<std::byte> png_of(const Picture& picture);

// Replaces the file as a whole. Throws kernels::Error that names the file.
void write_png(const Picture& picture, const std::filesystem::path& path);

} // namespace app
