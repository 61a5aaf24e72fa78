#include "app/session/session_options.h"

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
    if (!options.second.empty())
        choice.compare(index_of(ladder, options.second));
    if (!options.third.empty())
        choice.toggle_beside(index_of(ladder, options.third));
    choice.file = options.file;
    choice.set_tiny(options.tiny);
    if (options.inputs != recording::Inputs::random)
        choice.inputs = options.inputs;
    return choice;
}

} // namespace app
