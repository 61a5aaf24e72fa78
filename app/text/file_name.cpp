#include "app/text/file_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <system_error>

namespace app {

std::filesystem::path free_path(const std::filesystem::path& folder, std::string_view name, std::string_view extension)
{
    std::string plain(name.substr(0, 100));
    std::ranges::replace_if(
        plain, [](unsigned char c) { return std::isalnum(c) == 0 && c != '_' && c != '-'; }, '_');
    std::error_code ignored; // writing the file reports the error
    std::filesystem::path path = folder / fmt::format("{}.{}", plain, extension);
    for (int number = 2; std::filesystem::exists(path, ignored); ++number)
        path = folder / fmt::format("{}_{}.{}", plain, number, extension);
    return path;
}

std::string saved_notice(const std::filesystem::path& file)
{
    return fmt::format("Saved {}.", file.string());
}

} // namespace app
