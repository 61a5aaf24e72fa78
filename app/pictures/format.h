// The kinds of files that a view can be written to.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace app {

enum class PictureFormat : uint8_t { png, svg, pdf, gif, mp4, webm, csv, json };

std::string_view name(PictureFormat format); // "png"

// By the file's ending. Throws kernels::Error that names those there are.
PictureFormat format_of(const std::filesystem::path& file);

constexpr bool has_vectors(PictureFormat format)
{
    return format == PictureFormat::svg || format == PictureFormat::pdf;
}
// It holds a sequence of pictures.
constexpr bool moves(PictureFormat format)
{
    return format >= PictureFormat::gif && format <= PictureFormat::webm;
}
// It holds the figures instead of a picture.
constexpr bool is_table(PictureFormat format)
{
    return format >= PictureFormat::csv;
}

} // namespace app
