// From a stage file's Description to the Stage that the host works with. Included by the stage files, host side only.
#pragma once

#include "cpu/kernel.h"
#include "cpu/trace_probe.h"
#include "gemm/arguments.h"
#include "stage.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <string>
#include <utility>

// The names that descriptions use.
using recording::Array;
using recording::Problem;

struct Launch {
    struct {
        int x = 1, y = 1, z = 1;
    } grid;
    struct {
        uint32_t x = 1, y = 1;
    } block;
};

template <class Parameters>
struct Field {
    const char* name;
    int Parameters::*member;
    const char* meaning;
};

// What a search tries of one parameter.
template <class Parameters>
struct Candidates {
    int Parameters::*member;
    std::vector<int> values;
};

// The shared tile of that layout, with the place of each of its elements.
template <class Layout>
Array tile(const std::string& name, const Layout& layout, uint32_t element_bytes = sizeof(float))
{
    Array result;
    result.name = name;
    result.space = recording::Space::shared;
    result.element_bytes = element_bytes;
    result.rows = layout.rows;
    result.cols = layout.cols;
    result.bytes = layout.size() * element_bytes;
    for (int row = 0; row < layout.rows; ++row)
        for (int col = 0; col < layout.cols; ++col)
            result.layout.push_back(static_cast<uint32_t>(layout.index(row, col) * element_bytes));
    return result;
}

// The tiles of a SharedRing: "As[0]", "As[1]", ...
template <class Layout>
std::vector<Array> ring(const std::string& name, const Layout& layout, int stages,
                        uint32_t element_bytes = sizeof(float))
{
    std::vector<Array> result;
    for (int stage = 0; stage < stages; ++stage)
        result.push_back(tile(name + "[" + std::to_string(stage) + "]", layout, element_bytes));
    return result;
}

// A matrix of floats in global memory beside A, B and C.
inline Array matrix(const std::string& name, uint64_t rows, uint32_t cols)
{
    Array result;
    result.name = name;
    result.rows = static_cast<uint32_t>(rows);
    result.cols = cols;
    result.bytes = rows * cols * sizeof(float);
    return result;
}

namespace kernels {

template <class Description, class Parameters>
class Describe {
public:
    static Stage stage(std::string_view file)
    {
        Stage result;
        result.slug = Description::slug;
        result.idea = Description::idea;
        result.operation = operation(static_cast<Arguments*>(nullptr));
        result.file = file;
        if constexpr (requires { Description::body_file; })
            result.body_file = Description::body_file;
        else
            result.body_file = file;
        result.parameters = parameters();
        result.refusal = [](const ParameterValues& values) { return Description::refusal(typed(values)); };
        result.launch = [](const ParameterValues& values, const Problem& problem) {
            return extent(Description::launch(typed(values), problem));
        };
        result.tiles = [](const ParameterValues& values) { return Description::tiles(typed(values)); };
        result.dynamic_shared = dynamic_shared;
        result.kernel_expression = kernel_expression<Which::first>;
        result.type = type;
        result.arguments = arguments;
        if constexpr (requires { Description::only_compute_capability; })
            result.only_compute_capability = Description::only_compute_capability;
        if constexpr (requires { Description::boxes(Parameters{}); })
            result.boxes = [](const ParameterValues& values) { return Description::boxes(typed(values)); };
        result.cpu_kernel = cpu_kernel<Which::first>;
        result.candidates = candidates();
        if constexpr (requires { Description::suited(Problem{}, 1); })
            result.suited = [](const Problem& problem, uint32_t sm_count) {
                return values_of(Description::suited(problem, static_cast<int>(sm_count)));
            };
        if constexpr (requires { Description::worth_trying(Parameters{}); })
            result.worth_trying = [](const ParameterValues& values) {
                return Description::worth_trying(typed(values));
            };
        if (result.only_compute_capability == 0)
            for (const Parameters& variant : Description::variants)
                result.cpu_variants.push_back(values_of(variant));
        if constexpr (has_second)
            result.second = second();
        return result;
    }

private:
    using Arguments = typename Description::Arguments;

    enum class Which { first, second }; // of the launches
    static constexpr bool has_second = requires { Description::second_name; };

    static SecondLaunch second()
    {
        return {
            .kernel_expression = kernel_expression<Which::second>,
            .launch = [](const ParameterValues& values,
                         const Problem& problem) { return extent(Description::second_launch(typed(values), problem)); },
            .cpu_kernel = cpu_kernel<Which::second>,
            .workspace = [](const ParameterValues& values,
                            const Problem& problem) { return Description::workspace(typed(values), problem); }};
    }

    static Parameters typed(const ParameterValues& values)
    {
        Parameters result;
        for (std::size_t i = 0; i < std::size(Description::fields); ++i)
            result.*Description::fields[i].member = values.at(i);
        return result;
    }

    static ParameterValues values_of(const Parameters& parameters)
    {
        ParameterValues result;
        for (const auto& field : Description::fields)
            result.push_back(parameters.*field.member);
        return result;
    }

    static std::vector<ParameterSpec> parameters()
    {
        std::vector<ParameterSpec> result;
        for (const auto& field : Description::fields) {
            ParameterSpec spec{field.name, Description::variants[0].*field.member, {}, field.meaning};
            for (const Parameters& variant : Description::variants)
                spec.choices.push_back(variant.*field.member);
            std::sort(spec.choices.begin(), spec.choices.end());
            spec.choices.erase(std::unique(spec.choices.begin(), spec.choices.end()), spec.choices.end());
            result.push_back(std::move(spec));
        }
        return result;
    }

    // Parameters without candidates of their own keep their default.
    static std::vector<std::vector<int>> candidates()
    {
        std::vector<std::vector<int>> result;
        if constexpr (requires { Description::candidates(); })
            for (const auto& field : Description::fields) {
                std::vector<int>& values = result.emplace_back(1, Description::variants[0].*field.member);
                for (const Candidates<Parameters>& own : Description::candidates())
                    if (own.member == field.member)
                        values = own.values;
            }
        return result;
    }

    static recording::Launch extent(const ::Launch& launch)
    {
        return {.grid = {static_cast<uint32_t>(launch.grid.x), static_cast<uint32_t>(launch.grid.y),
                         static_cast<uint32_t>(launch.grid.z)},
                .block = {launch.block.x, launch.block.y}};
    }

    static uint32_t dynamic_shared([[maybe_unused]] const ParameterValues& values)
    {
        if constexpr (requires { Description::dynamic_shared(Parameters{}); })
            return static_cast<uint32_t>(Description::dynamic_shared(typed(values)));
        else
            return 0;
    }

    template <Which which>
    static std::string kernel_expression(const ParameterValues& values, std::string_view probe)
    {
        const std::string slug = Description::slug;
        std::string name = slug;
        if constexpr (which == Which::second)
            name = Description::second_name;
        std::string list;
        for (const int value : values)
            list += (list.empty() ? "" : ", ") + std::to_string(value);
        return slug + "::" + name + "<" + slug + "::Parameters{" + list + "}, " + std::string(probe) + ">";
    }

    // A constexpr Type `type` of the description, or the parameter TYPE; FP32 where there is neither.
    static Type type([[maybe_unused]] const ParameterValues& values)
    {
        if constexpr (requires { Description::type; })
            return Description::type;
        for (std::size_t i = 0; i < std::size(Description::fields); ++i)
            if (std::string_view(Description::fields[i].name) == "TYPE")
                return static_cast<Type>(values.at(i));
        return type_fp32;
    }

    static std::vector<std::byte> arguments(const ParameterValues& values, const Problem& problem,
                                            const Pointers& operands)
    {
        const OperandShapes shape = device_shapes(operation(static_cast<Arguments*>(nullptr)), type(values), problem);
        const Arguments typed_arguments = make_arguments(static_cast<Arguments*>(nullptr), problem, shape, operands);
        std::vector<std::byte> result(sizeof(Arguments));
        std::memcpy(result.data(), &typed_arguments, sizeof(Arguments));
        return result;
    }

    template <Which which, std::size_t variant, class Probe>
    static void thread_body(const std::byte* bytes)
    {
        Arguments typed_arguments;
        std::memcpy(&typed_arguments, bytes, sizeof(Arguments));
        if constexpr (which == Which::first)
            Description::template kernel<Description::variants[variant], Probe>(typed_arguments, Probe{});
        else
            Description::template second_kernel<Description::variants[variant], Probe>(typed_arguments, Probe{});
    }

    template <Which which>
    static const cpu::Kernel* cpu_kernel([[maybe_unused]] const ParameterValues& values)
    {
        if constexpr (requires { Description::only_compute_capability; })
            return nullptr;
        else
            return choose<which>(values, std::make_index_sequence<std::size(Description::variants)>());
    }

    template <Which which, std::size_t... variant>
    static const cpu::Kernel* choose(const ParameterValues& values, std::index_sequence<variant...>)
    {
        static constexpr cpu::Kernel compiled[] = {
            {&thread_body<which, variant, NoProbe>, &thread_body<which, variant, cpu::TraceProbe>}...};
        const cpu::Kernel* result = nullptr;
        ((result = values_of(Description::variants[variant]) == values ? &compiled[variant] : result), ...);
        return result;
    }
};

template <class Description, class Parameters>
Stage describe(std::string_view file)
{
    return Describe<Description, Parameters>::stage(file);
}

} // namespace kernels
