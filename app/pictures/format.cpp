#include "app/pictures/format.h"

#include "error.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace app {

namespace {

constexpr std::array<std::string_view, 8> names = {"png", "svg", "pdf", "gif", "mp4", "webm", "csv", "json"};

} // namespace

std::string_view name(PictureFormat format)
{
    return names[static_cast<std::size_t>(format)];
}

PictureFormat format_of(const std::filesystem::path& file)
{
    std::string ending = file.extension().string();
    std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    for (std::size_t i = 0; i < names.size(); ++i)
        if (ending == "." + std::string(names[i]))
            return static_cast<PictureFormat>(i);
    throw kernels::Error(
        "The file's ending says what is written: .png, .svg, .pdf, .gif, .mp4, .webm, .csv or .json; \"" +
        file.string() + "\" has none of these.");
}

} // namespace app
