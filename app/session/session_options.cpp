#include "app/session/session_options.h"

#include "app/text/format.h"

#include <algorithm>
#include <cstdlib>

namespace app {

namespace {

std::size_t index_of(const std::vector<kernels::Stage>& ladder, std::string_view slug)
{
    return static_cast<std::size_t>(&kernels::find_stage(ladder, slug) - ladder.data());
}

} // namespace

Choice first_choice(const std::vector<kernels::Stage>& ladder, const SessionOptions& options)
{
    Choice choice;
    choice.show(index_of(ladder, options.first));
    const std::filesystem::path own = options.own / (options.second + ".cu");
    const bool in_ladder = std::ranges::find(ladder, options.second, &kernels::Stage::slug) != ladder.end();
    std::error_code error;
    if (!options.second.empty() && !in_ladder && !options.own.empty() && std::filesystem::exists(own, error))
        choice.compare(own);
    else if (!options.second.empty())
        choice.compare(index_of(ladder, options.second));
    if (!options.third.empty())
        choice.toggle_beside(index_of(ladder, options.third));
    choice.columns[0].file = options.file;
    // The size to begin with, as its field takes it, for who wants another than whole tiles each time.
    if (const char* const size = std::getenv("GEMMSCOPE_SIZE"); size != nullptr && *size != '\0')
        choice.sizes.recorded = parse_extent(size, largest_recorded);
    choice.set_tiny(options.tiny);
    if (options.inputs != recording::Inputs::random)
        choice.inputs = options.inputs;
    return choice;
}

} // namespace app
