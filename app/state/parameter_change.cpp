#include "app/state/parameter_change.h"

#include "viz/text/templates.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

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

namespace {

// How many parameters differ, and then by which factors.
std::pair<std::size_t, double> distance(const kernels::ParameterValues& a, const kernels::ParameterValues& b)
{
    std::size_t changed = 0;
    double factors = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (a[i] != b[i]) {
            ++changed;
            factors += std::abs(std::log2((std::abs(a[i]) + 1.0) / (std::abs(b[i]) + 1.0)));
        }
    return {changed, factors};
}

} // namespace

kernels::ParameterValues with_value(const Snapshot& snapshot, const kernels::Stage& stage,
                                    kernels::ParameterValues values, std::size_t index, int value)
{
    values[index] = value;
    if (refusal(snapshot, stage, values).empty())
        return values;
    std::vector<kernels::ParameterValues> others;
    for (const kernels::ParameterValues& variant : stage.cpu_variants)
        if (variant[index] == value)
            others.push_back(variant);
    for (std::size_t i = 0; i < values.size(); ++i)
        for (const int choice : stage.parameters[i].choices)
            if (i != index && choice != values[i])
                others.emplace_back(values)[i] = choice;
    std::erase_if(others, [&](const auto& other) { return !refusal(snapshot, stage, other).empty(); });
    const auto nearest =
        std::ranges::min_element(others, {}, [&](const auto& other) { return distance(other, values); });
    return nearest == others.end() ? values : *nearest;
}

} // namespace app
