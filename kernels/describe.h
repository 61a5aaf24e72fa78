// The description that a stage file gives of its kernel, and its conversion to the Stage that the host works with. Only
// the host part of stage files includes this header. For a user's own file NVRTC compiles everything except make_stage.
#pragma once

#ifdef GEMMSCOPE_DESCRIPTION // compiling the description in a user's file for the PTX machine: see own/own_stage.h
#include "gemm/block_limits.h"
#include "own/standard_library.cuh"
#else
#include "arguments.h"
#include "cpu_kernel.h"
#include "device/trace_probe.h"
#include "gemm/block_limits.h"
#include "stage.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <span>
#include <string>
#include <utility>
#endif

// The names that descriptions use.
using recording::Array;
using recording::Problem;

struct Launch {
    struct {
        int x = 1, y = 1, z = 1;
    } grid;
    struct {
        int x = 1, y = 1;
    } block;
};

// One parameter: an entry of a stage's Parameters. Fields are listed in the order of its members.
template <class Parameters>
struct Field {
    const char* name;
    int Parameters::*member;
    const char* meaning; // "rows of C per block"
};

// Values of one parameter that autotuning tries.
template <class Parameters>
struct Candidates {
    int Parameters::*member;
    std::vector<int> values;
};

#ifdef GEMMSCOPE_DESCRIPTION // user kernels run on the PTX machine, not on the CPU backend
template <const auto& variants, class Get>
std::span<const cpu::Kernel> compiled(Get)
{
    return {};
}
#else
namespace kernels {

// Runs one CUDA thread of a kernel. The bytes are the kernel's arguments.
template <auto kernel>
struct Thread;
template <class Arguments, class Probe, void (*kernel)(Arguments, Probe)>
struct Thread<kernel> {
    static void run(const std::byte* bytes)
    {
        Arguments arguments;
        std::memcpy(&arguments, bytes, sizeof(Arguments));
        kernel(arguments, Probe{});
    }
};

template <const auto& variants, class Get, std::size_t... i>
std::span<const cpu::Kernel> compiled_variants(Get, std::index_sequence<i...>)
{
    static constexpr cpu::Kernel compiled[] = {
        {&Thread<Get{}.template operator()<variants[i], NoProbe>()>::run,
         &Thread<Get{}.template operator()<variants[i], cpu::TraceProbe>()>::run}...};
    return compiled;
}

} // namespace kernels

// Compiles the kernel that `get` returns for the CPU backend, once for each parameter set:
//     compiled<variants>([]<Parameters P, class Probe>() { return &naive<P, Probe>; })
template <const auto& variants, class Get>
std::span<const cpu::Kernel> compiled(Get get)
{
    return kernels::compiled_variants<variants>(get, std::make_index_sequence<std::size(variants)>());
}
#endif

// The smallest form of a stage, in which every value can be displayed: a declared parameter set and a problem size.
template <class Parameters>
struct Tiny {
    Parameters parameters;
    int M, N, K;
    // Why the form is larger than tiles of 2 and a warp of 4 active lanes, as a sentence. Empty if it is not larger.
    std::string_view limit = {};
};

// A second kernel in the same file. It gets the same arguments and starts after the first kernel has finished.
template <class Parameters>
struct SecondKernel {
    std::string_view name;
    Launch (*launch)(Parameters, const Problem&);
    Array (*workspace)(Parameters, const Problem&); // holds what the first kernel passes to the second
    std::span<const cpu::Kernel> on_cpu;
};

// A stage file ends with a function info() that returns a StageInfo. Members without a default must be given: a
// description that omits one or misspells a name does not compile. stage.h documents what each member means to the
// host.
template <class Parameters, class Arguments>
struct StageInfo {
    std::string_view slug; // same as the name of the file, the namespace and the kernel
    std::string_view idea;
    std::string_view builds_on; // a slug; "" if the stage builds on no other
    std::vector<Field<Parameters>> parameters;
    std::span<const Parameters> variants; // the declared parameter sets, the default first
    std::string (*refusal)(Parameters);
    Launch (*launch)(Parameters, const Problem&);
    std::span<const cpu::Kernel> on_cpu; // compiled<variants>(...); empty if the kernel has no form for the CPU

    std::vector<Array> (*tiles)(Parameters) = nullptr; // null: no tiles in shared memory
    int (*dynamic_shared)(Parameters) = nullptr;       // null: no shared memory beyond what is declared __shared__
    Type (*type)(Parameters) = nullptr;                // of A and B; null: FP32
    Type (*type_of_c)(Parameters) = nullptr;           // type of C; null: FP32
    std::string_view body_file = {};                   // the file that recorded lines refer to; empty: this file
    std::vector<kernels::LayoutSource> layouts = {};   // displayed beside the kernel
    std::optional<SecondKernel<Parameters>> second = {};
    std::vector<Candidates<Parameters>> candidates = {};
    bool (*worth_trying)(Parameters) = nullptr;
    Parameters (*suited)(const Problem&, int sm_count) = nullptr;
    int only_compute_capability = 0;
    std::array<kernels::TensorBox, 2> (*boxes)(Parameters) = nullptr;
    std::optional<Tiny<Parameters>> tiny = {}; // empty: the kernel has no small form
};

// The launch that most stages use: one block of p.threads() threads for each tile of BM x BN elements of C.
template <class Parameters>
Launch one_block_per_tile(Parameters p, const Problem& problem)
{
    return {.grid = {ceil_div(problem.N, p.BN), ceil_div(problem.M, p.BM)}, .block = {p.threads()}};
}

// Returns the parameters of a block tile followed by `more`, the stage's additional parameters.
template <class Parameters>
std::vector<Field<Parameters>> block_tile_fields(std::vector<Field<Parameters>> more)
{
    more.insert(more.begin(), {{"BM", &Parameters::BM, "rows of C per block"},
                               {"BN", &Parameters::BN, "columns of C per block"},
                               {"BK", &Parameters::BK, "slice of K per phase"}});
    return more;
}

// The same for stages in which each thread computes TM x TN results.
template <class Parameters>
std::vector<Field<Parameters>> thread_tile_fields(std::vector<Field<Parameters>> more = {})
{
    more.insert(more.begin(),
                {{"TM", &Parameters::TM, "rows of C per thread"}, {"TN", &Parameters::TN, "columns of C per thread"}});
    return block_tile_fields(std::move(more));
}

// The refusal functions return a sentence that says why the parameters cannot be launched, or "" if they can.

// Checks a square block of threads.
inline std::string refusal_of_square(const char* parameter, int edge)
{
    return edge >= 1 && edge <= 32
               ? ""
               : std::string(parameter) + " must be between 1 and 32: a block has at most 1024 threads";
}

// Checks tiles that are declared __shared__. `floats` is their number, written in terms of the parameters.
inline std::string refusal_of_shared(int bytes, const std::string& floats = "BK*(BM+BN)")
{
    return bytes <= most_static_shared ? ""
                                       : floats + " floats do not fit in the 48 KiB of shared memory that a block gets";
}

// Checks a block tile in which each thread computes TM x TN results. One access moves `width` elements: 1 or 4.
template <class Parameters>
std::string refusal_of_thread_tiles(Parameters p, int width)
{
    for (const int value : {p.BM, p.BN, p.BK, p.TM, p.TN})
        if (value < width || value > 1024 || value % width != 0)
            return width == 1 ? "BM, BN, BK, TM and TN must be between 1 and 1024"
                              : "BM, BN, BK, TM and TN must be multiples of 4, up to 1024: every access moves 16 bytes";
    if (p.BM % p.TM != 0 || p.BN % p.TN != 0)
        return "BM must be a multiple of TM, and BN of TN";
    if (p.threads() > 1024)
        return "BM/TM * BN/TN is the number of threads per block and must not exceed 1024";
    if (p.BM * p.BK / width % p.threads() != 0 || p.BN * p.BK / width % p.threads() != 0)
        return std::string(width == 1 ? "BM*BK and BN*BK" : "BM*BK/4 and BN*BK/4") +
               " must be multiples of the number of threads, so that all load equally often";
    return "";
}

// Returns the bytes of shared memory that tiles with these layouts need.
template <class Element = float, class... Layouts>
constexpr int bytes_of(Layouts... layouts)
{
    return (layouts.size() + ...) * static_cast<int>(sizeof(Element));
}

// Returns the shared tile with this layout, including the offset of each element.
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

// Returns the tiles of A and B; layout_a and layout_b compute their layouts from the parameters.
template <auto layout_a, auto layout_b, class Parameters>
std::vector<Array> two_tiles(Parameters p)
{
    return {tile("As", layout_a(p)), tile("Bs", layout_b(p))};
}

// Returns the tiles of two SharedRings: "As[0]", "As[1]", ..., "Bs[0]", "Bs[1]", ...
template <class LayoutA, class LayoutB>
std::vector<Array> rings(const LayoutA& layout_a, const LayoutB& layout_b, int stages,
                         uint32_t element_bytes = sizeof(float))
{
    std::vector<Array> result;
    for (int stage = 0; stage < stages; ++stage)
        result.push_back(tile("As[" + std::to_string(stage) + "]", layout_a, element_bytes));
    for (int stage = 0; stage < stages; ++stage)
        result.push_back(tile("Bs[" + std::to_string(stage) + "]", layout_b, element_bytes));
    return result;
}

// Returns a matrix of floats in global memory, in addition to A, B and C.
inline Array matrix(const std::string& name, uint64_t rows, uint32_t cols)
{
    Array result;
    result.name = name;
    result.rows = static_cast<uint32_t>(rows);
    result.cols = cols;
    result.bytes = rows * cols * sizeof(float);
    return result;
}

#ifndef GEMMSCOPE_DESCRIPTION
namespace kernels {

template <class Parameters>
std::vector<ParameterSpec> specs_of(const std::vector<Field<Parameters>>& fields, std::span<const Parameters> variants)
{
    std::vector<ParameterSpec> result;
    for (const Field<Parameters>& field : fields) {
        std::set<int> choices;
        for (const Parameters& variant : variants)
            choices.insert(variant.*field.member);
        result.push_back({field.name, variants.front().*field.member, {choices.begin(), choices.end()}, field.meaning});
    }
    return result;
}

// Returns the values of each parameter that autotuning tries. A parameter without candidates keeps its default.
template <class Parameters, class Arguments>
std::vector<std::vector<int>> candidates_of(const StageInfo<Parameters, Arguments>& info)
{
    std::vector<std::vector<int>> result;
    for (const Field<Parameters>& field : info.parameters) {
        std::vector<int>& values = result.emplace_back(1, info.variants.front().*field.member);
        for (const Candidates<Parameters>& own : info.candidates)
            if (own.member == field.member)
                values = own.values;
    }
    return result;
}

inline recording::Launch extent(const ::Launch& launch)
{
    const auto number = [](int value) { return static_cast<uint32_t>(value); };
    return {.grid = {number(launch.grid.x), number(launch.grid.y), number(launch.grid.z)},
            .block = {number(launch.block.x), number(launch.block.y)}};
}

// Finds the kernel that was compiled for these values; null if there is none.
inline CpuKernelOf find_kernel(const std::vector<ParameterValues>& variants, std::span<const cpu::Kernel> compiled)
{
    return [variants, compiled](const ParameterValues& values) -> const cpu::Kernel* {
        for (std::size_t i = 0; i < variants.size(); ++i)
            if (variants[i] == values)
                return &compiled[i];
        return nullptr;
    };
}

// Returns the function Stage::arguments for a kernel with these arguments. `type` is the stage's type.
template <class Arguments>
auto argument_bytes(std::function<Type(const ParameterValues&)> type)
{
    return [type = std::move(type)](const ParameterValues& values, const Problem& problem, const Pointers& operands) {
        constexpr auto* arguments = static_cast<Arguments*>(nullptr);
        const OperandShapes shape = device_shapes(operation(arguments), type(values), problem);
        Arguments typed = make_arguments(arguments, problem, shape, operands);
#if __has_builtin(__builtin_clear_padding) // padding is cleared so that equal arguments have equal bytes
        __builtin_clear_padding(&typed);
#endif
        const auto* bytes = reinterpret_cast<const std::byte*>(&typed);
        return std::vector<std::byte>(bytes, bytes + sizeof(Arguments));
    };
}

// `file` is the path below kernels/: "stages/11_vectorized.cu".
template <class Parameters, class Arguments>
Stage make_stage(const StageInfo<Parameters, Arguments>& info, std::string_view file)
{
    constexpr auto* arguments = static_cast<Arguments*>(nullptr);
    const auto values_of = [fields = info.parameters](const Parameters& parameters) {
        ParameterValues result;
        for (const Field<Parameters>& field : fields)
            result.push_back(parameters.*field.member);
        return result;
    };
    // Converts a function of Parameters to the same function of a list of values; null stays null.
    const auto of_values = [&info]<class Result, class... More>(Result (*function)(Parameters, More...)) {
        std::function<Result(const ParameterValues&, More...)> result;
        if (function != nullptr)
            result = [function, fields = info.parameters](const ParameterValues& values, More... more) {
                Parameters parameters;
                for (std::size_t i = 0; i < fields.size(); ++i)
                    parameters.*fields[i].member = values.at(i);
                return function(parameters, more...);
            };
        return result;
    };
    const auto extents = [&](::Launch (*launch)(Parameters, const Problem&)) {
        return [launch = of_values(launch)](const ParameterValues& values, const Problem& problem) {
            return extent(launch(values, problem));
        };
    };

    Stage stage;
    stage.slug = info.slug;
    stage.idea = info.idea;
    stage.builds_on = info.builds_on;
    stage.operation = operation(arguments);
    stage.file = file;
    stage.body_file = info.body_file.empty() ? file : info.body_file;
    stage.layouts = info.layouts;
    stage.parameters = specs_of(info.parameters, info.variants);
    stage.kernel = info.slug;
    stage.refusal = of_values(info.refusal);
    stage.launch = extents(info.launch);
    stage.worth_trying = of_values(info.worth_trying);
    stage.boxes = of_values(info.boxes);
    stage.only_compute_capability = info.only_compute_capability;
    if (info.tiles != nullptr)
        stage.tiles = of_values(info.tiles);
    if (info.dynamic_shared != nullptr)
        stage.dynamic_shared = of_values(info.dynamic_shared);
    if (info.type != nullptr)
        stage.type = of_values(info.type);
    if (info.type_of_c != nullptr)
        stage.type_of_c = of_values(info.type_of_c);
    if (!info.on_cpu.empty())
        for (const Parameters& variant : info.variants)
            stage.cpu_variants.push_back(values_of(variant));
    stage.cpu_kernel = find_kernel(stage.cpu_variants, info.on_cpu);
    stage.arguments = argument_bytes<Arguments>(stage.type);
    if (!info.candidates.empty())
        stage.candidates = candidates_of(info);
    if (info.tiny) {
        const auto number = [](int value) { return static_cast<uint32_t>(value); };
        stage.tiny = TinyForm{values_of(info.tiny->parameters),
                              {.M = number(info.tiny->M), .N = number(info.tiny->N), .K = number(info.tiny->K)},
                              info.tiny->limit};
    }
    if (info.suited != nullptr)
        stage.suited = [suited = info.suited, values_of](const Problem& problem, uint32_t sm_count) {
            return values_of(suited(problem, static_cast<int>(sm_count)));
        };
    if (info.second)
        stage.second = SecondLaunch{.kernel = info.second->name,
                                    .launch = extents(info.second->launch),
                                    .cpu_kernel = find_kernel(stage.cpu_variants, info.second->on_cpu),
                                    .workspace = of_values(info.second->workspace)};
    return stage;
}

} // namespace kernels
#endif
