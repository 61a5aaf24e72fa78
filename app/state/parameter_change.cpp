#include "app/state/parameter_change.h"

#include "viz/text/templates.h"

#include <fmt/format.h>

namespace app {

std::string refusal(const Snapshot& snapshot, const kernels::Stage& stage, const kernels::ParameterValues& values)
{
    if (std::string own = stage.refusal(values); !own.empty())
        return own;
    const MachineFacts* machine = snapshot.machine();
    const bool gpu = machine != nullptr && machine->gpu();
    if (!gpu && stage.cpu_kernel(values) == nullptr)
        return viz::plain({"header.built_in_only"});
    return "";
}

kernels::ParameterValues with_value(const Snapshot& snapshot, const kernels::Stage& stage,
                                    kernels::ParameterValues values, std::size_t index, int value)
{
    values[index] = value;
    if (refusal(snapshot, stage, values).empty())
        return values;
    for (const kernels::ParameterValues& variant : stage.cpu_variants)
        if (variant[index] == value && refusal(snapshot, stage, variant).empty())
            return variant;
    return values;
}

std::string changed_with(const kernels::Stage& stage, const kernels::ParameterValues& values,
                         const kernels::ParameterValues& next, std::size_t index)
{
    std::string others;
    for (std::size_t i = 0; i < next.size(); ++i)
        if (i != index && next[i] != values[i])
            others += fmt::format("{}{} {}", others.empty() ? "" : ", ", stage.parameters[i].name,
                                  kernels::value_text(stage.parameters[i].name, next[i]));
    return others;
}

} // namespace app
