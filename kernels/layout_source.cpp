#include "layout_source.h"

#include <algorithm>

namespace kernels {

namespace {

bool defines(std::string_view line, std::string_view name)
{
    if (line.starts_with("struct "))
        return line.substr(7).starts_with(name) && line.substr(7 + name.size()).starts_with(" ");
    const std::size_t at = line.find(name);
    const bool at_margin = !line.empty() && line.front() != ' ' && line.front() != '/';
    return at_margin && at != std::string_view::npos && line.substr(at + name.size()).starts_with("(");
}

// Finds the definition from its first line to the next line that begins with a closing brace.
std::optional<DefinitionLines> find_definition(std::string_view text, std::string_view name)
{
    DefinitionLines found;
    uint32_t number = 1;
    for (std::size_t start = 0; start < text.size(); ++number) {
        const std::size_t end = std::min(text.find('\n', start), text.size());
        const std::string_view line = text.substr(start, end - start);
        if (found.first == 0 && defines(line, name))
            found.first = number;
        else if (found.first != 0 && line.starts_with("}")) {
            found.last = number;
            return found;
        }
        start = end + 1;
    }
    return std::nullopt;
}

} // namespace

std::optional<DefinitionLines> find_layout(const LayoutSource& layout, const recording::Recording& recording)
{
    for (std::size_t i = 0; i < recording.sources.size(); ++i)
        if (recording.sources[i].name == layout.file)
            if (std::optional<DefinitionLines> found = find_definition(recording.sources[i].text, layout.name)) {
                found->source = i;
                return found;
            }
    return std::nullopt;
}

bool is_tile_of(std::string_view array, std::string_view tile)
{
    return array.starts_with(tile) && (array.size() == tile.size() || array[tile.size()] == '[');
}

} // namespace kernels
