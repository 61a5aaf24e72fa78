#include "app/state/parameter_change.h"

#include "viz/text/templates.h"

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

} // namespace app
