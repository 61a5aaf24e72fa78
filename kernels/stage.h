// A rung of the ladder as the host sees it. Each file in kernels/stages describes itself at its end; the build
// collects the descriptions (stage_table.cpp is generated), so that a new rung is one new file.
#pragma once

#include "gemm/operation.h"
#include "recording/recording.h"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cpu {
class Kernel;
}

namespace kernels {

enum class ProbeKind { none, count, record };

struct ParameterSpec {
    std::string name;
    int standard = 0;         // the rung's default
    std::vector<int> choices; // the declared values, the default among them
    std::string meaning;      // "rows of C per block"
};

// The operands on the device at hand (GPU or host addresses), in the form that device_shapes says.
struct Pointers {
    const void* A = nullptr;
    const void* B = nullptr;
    float* C = nullptr;
    const std::byte* tensor_maps = nullptr; // of A and B, tensor_map_bytes each; where the stage asks for them
    float* workspace = nullptr;             // as the stage's second launch asks for it
};

// The part of a matrix that one bulk copy (TMA) takes, in elements.
struct TensorBox {
    int rows = 0, cols = 0;
};
inline constexpr std::size_t tensor_map_bytes = 128;

using ParameterValues = std::vector<int>; // in the order of Stage::parameters

// A second kernel of the same file. It gets the same arguments, and starts when the first has ended.
struct SecondLaunch {
    std::string (*kernel_expression)(const ParameterValues&, std::string_view probe) = nullptr;
    recording::Launch (*launch)(const ParameterValues&, const recording::Problem&) = nullptr;
    const cpu::Kernel* (*cpu_kernel)(const ParameterValues&) = nullptr; // as Stage::cpu_kernel
    // The memory in which the first kernel leaves something for the second: the last array of a recording.
    recording::Array (*workspace)(const ParameterValues&, const recording::Problem&) = nullptr;
};

struct Stage {
    std::string_view slug; // "vectorized"
    std::string_view idea; // one line for the ladder panel
    Operation operation = Operation::gemm;
    std::string_view file;      // "stages/11_vectorized.cu": the rung's own file
    std::string_view body_file; // the file that recorded lines refer to; often the same
    std::vector<ParameterSpec> parameters;

    // Why these parameters cannot be launched, as a sentence; empty when they can.
    std::string (*refusal)(const ParameterValues&) = nullptr;
    recording::Launch (*launch)(const ParameterValues&, const recording::Problem&) = nullptr;
    // The shared tiles in the order in which the kernel declares them (arrays 3, 4, ...).
    std::vector<recording::Array> (*tiles)(const ParameterValues&) = nullptr;
    // Bytes of shared memory per block beyond what the kernel declares __shared__; 0 for most.
    uint32_t (*dynamic_shared)(const ParameterValues&) = nullptr;
    // For NVRTC: "vectorized::vectorized<vectorized::Parameters{128, 128, 8, 8, 8}, NoProbe>"
    std::string (*kernel_expression)(const ParameterValues&, std::string_view probe) = nullptr;
    // What A and B are made of.
    Type (*type)(const ParameterValues&) = nullptr;
    // The only compute capability that the kernel runs on; 0: any, and the CPU.
    int only_compute_capability = 0;
    // What bulk copies take from A and from B; null where the kernel makes none.
    std::array<TensorBox, 2> (*boxes)(const ParameterValues&) = nullptr;
    // The kernel's first argument, as bytes.
    std::vector<std::byte> (*arguments)(const ParameterValues&, const recording::Problem&, const Pointers&) = nullptr;
    // The same kernel for the CPU; null for parameter sets that were not compiled in.
    const cpu::Kernel* (*cpu_kernel)(const ParameterValues&) = nullptr;
    // The parameter sets that cpu_kernel knows; the first is the default.
    std::vector<ParameterValues> cpu_variants;
    // Most stages have none. Recorded and traced is the first launch; both are counted and timed.
    std::optional<SecondLaunch> second;

    // What a search tries of each parameter, in their order; empty where the stage declares nothing. A stage that declares
    // it takes its defaults from the winner that was found on the GPU at hand, once one was.
    std::vector<std::vector<int>> candidates;
    // Whether a set that could run is worth a try; null: all are.
    bool (*worth_trying)(const ParameterValues&) = nullptr;

    // Which of the stage's parameter sets suits a problem on a GPU of so many SMs; null: the defaults, always.
    ParameterValues (*suited)(const recording::Problem&, uint32_t sm_count) = nullptr;

    ParameterValues standard_parameters() const;
    ParameterValues standard_parameters(const recording::Device& device, const recording::Problem& problem) const;
};

// All rungs in teaching order.
std::vector<Stage> make_ladder();

// Why the stage cannot run there at all, as a sentence; empty where it can.
std::string missing_on(const recording::Device& device, const Stage& stage);

// Throws Error naming the valid slugs.
const Stage& find_stage(const std::vector<Stage>& ladder, std::string_view slug);

// As it is typed and shown: "64"; of a parameter called TYPE "fp16", "bf16", "tf32" or "fp32".
std::string value_text(std::string_view parameter, int value);

// "BM=64" or "TYPE=bf16" assignments over the defaults. Throws Error naming the valid parameters, or with the stage's refusal.
ParameterValues parse_parameters(const Stage& stage, const std::vector<std::string>& assignments);
ParameterValues parse_parameters(const Stage& stage, const std::vector<std::string>& assignments,
                                 ParameterValues standard);

std::vector<recording::Parameter> named(const Stage& stage, const ParameterValues& values);

// A, B, C, the shared tiles and the workspace, if any: the arrays that a recording of this launch refers to.
std::vector<recording::Array> arrays(const Stage& stage, const ParameterValues& values,
                                     const recording::Problem& problem);

// 0 for a stage without a second launch.
uint64_t workspace_bytes(const Stage& stage, const ParameterValues& values, const recording::Problem& problem);

} // namespace kernels
