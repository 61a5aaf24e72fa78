// The file formats for exporting a view.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace app {

enum class PictureFormat : uint8_t { png, svg, pdf, gif, mp4, webm, csv, json };

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
    return format >= PictureFormat::gif && format <= PictureFormat::webm;
}
// Returns whether the format holds the figures instead of a picture.
constexpr bool is_table(PictureFormat format)
{
    return format >= PictureFormat::csv;
}

} // namespace app
