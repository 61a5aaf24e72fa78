// A rung of the ladder as the host sees it. Each file in kernels/stages describes itself at its end (describe.h); the
// build collects the descriptions (stage_table.cpp is generated), so that a new rung is one new file.
#pragma once

#include "gemm/operation.h"
#include "recording/recording.h"

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cpu {
class Kernel;
}

namespace kernels {

enum class ProbeKind { none, count, record, place };

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

using LaunchOf = std::function<recording::Launch(const ParameterValues&, const recording::Problem&)>;
using CpuKernelOf = std::function<const cpu::Kernel*(const ParameterValues&)>;

// A second kernel of the same file. It gets the same arguments, and starts when the first has ended.
struct SecondLaunch {
    std::string_view kernel;
    LaunchOf launch;
    CpuKernelOf cpu_kernel; // as Stage::cpu_kernel
    // The memory in which the first kernel leaves something for the second: the last array of a recording.
    std::function<recording::Array(const ParameterValues&, const recording::Problem&)> workspace;
};

// The smallest form of a stage, for those who want to see every number.
struct TinyForm {
    ParameterValues parameters;
    recording::Problem problem;
    std::string_view limit; // why it is no smaller, as a sentence; empty: 4 lanes work on tiles of 2
};

// Where the layout of a shared tile is written down, that a person should see beside the kernel.
struct LayoutSource {
    std::string_view array; // "As": the tile, or all tiles of that ring
    std::string_view name;  // of the struct or function, "ByRow"
    std::string_view file;  // "stages/16_swizzled.cu"
};

struct Stage {
    std::string_view slug;      // "vectorized"
    std::string_view idea;      // one line for the ladder panel
    std::string_view builds_on; // the slug of the rung that it is compared with; empty: it begins something
    Operation operation = Operation::gemm;
    std::string_view file;      // "stages/11_vectorized.cu": the rung's own file
    std::string_view body_file; // the file that recorded lines refer to; often the same
    std::vector<LayoutSource> layouts;
    std::string_view kernel; // its name in the namespace that is called as the slug
    // Of its own file, where that is a person's own (own/own_stage.h); null: one of the ladder's, which are part of the program.
    std::shared_ptr<const std::string> text = {};
    std::vector<ParameterSpec> parameters;

    // Why these parameters cannot be launched, as a sentence; empty when they can.
    std::function<std::string(const ParameterValues&)> refusal;
    LaunchOf launch;
    // The shared tiles in the order in which the kernel declares them (arrays 3, 4, ...).
    std::function<std::vector<recording::Array>(const ParameterValues&)> tiles = [](const ParameterValues&) {
        return std::vector<recording::Array>();
    };
    // Bytes of shared memory per block beyond what the kernel declares __shared__.
    std::function<uint32_t(const ParameterValues&)> dynamic_shared = [](const ParameterValues&) { return 0; };
    // What A and B are made of.
    std::function<Type(const ParameterValues&)> type = [](const ParameterValues&) { return type_fp32; };
    // And C.
    std::function<Type(const ParameterValues&)> type_of_c = [](const ParameterValues&) { return type_fp32; };
    // The only compute capability that the kernel runs on; 0: any, and the CPU.
    int only_compute_capability = 0;
    // What bulk copies take from A and from B; null where the kernel makes none.
    std::function<std::array<TensorBox, 2>(const ParameterValues&)> boxes;
    // The kernel's first argument, as bytes.
    std::function<std::vector<std::byte>(const ParameterValues&, const recording::Problem&, const Pointers&)> arguments;
    // The same kernel for the CPU; null for parameter sets that were not compiled in.
    CpuKernelOf cpu_kernel;
    // The parameter sets that cpu_kernel knows; the first is the default.
    std::vector<ParameterValues> cpu_variants;
    // Most stages have none. Recorded and traced is the first launch; both are counted and timed.
    std::optional<SecondLaunch> second;

    // None: the kernel has no small form.
    std::optional<TinyForm> tiny;

    // What a search tries of each parameter, in their order; empty where the stage declares nothing. A stage that declares
    // it takes its defaults from the winner that was found on the GPU at hand, once one was.
    std::vector<std::vector<int>> candidates;
    // Whether a set that could run is worth a try; null: all are.
    std::function<bool(const ParameterValues&)> worth_trying;

    // Which of the stage's parameter sets suits a problem on a GPU of so many SMs; null: the defaults, always.
    std::function<ParameterValues(const recording::Problem&, uint32_t sm_count)> suited;

    ParameterValues standard_parameters() const;
    ParameterValues standard_parameters(const recording::Device& device, const recording::Problem& problem) const;
};

// All rungs in teaching order.
std::vector<Stage> make_ladder();

// Why the stage cannot run there at all, as a sentence; empty where it can.
std::string missing_on(const recording::Device& device, const Stage& stage);

// Throws Error naming the valid slugs.
const Stage& find_stage(const std::vector<Stage>& ladder, std::string_view slug);

// The rung's own file first, then its body's and those of its layouts; each once.
std::vector<std::string_view> source_files(const Stage& stage);

// The index of the rung that a stage builds on and is compared with; none where it begins something.
std::optional<std::size_t> built_on(const std::vector<Stage>& ladder, std::size_t stage);

// For NVRTC: "vectorized::vectorized<vectorized::Parameters{128, 128, 8, 8, 8}, NoProbe>". `kernel`: the stage's, or its
// second launch's.
std::string kernel_expression(const Stage& stage, std::string_view kernel, const ParameterValues& values,
                              std::string_view probe);

// As it is typed and shown: "64"; of a parameter called TYPE "fp16", "bf16", "tf32" or "fp32".
std::string value_text(std::string_view parameter, int value);

// "BM=64" or "TYPE=bf16" assignments over the defaults. Throws Error naming the valid parameters, or with the stage's refusal.
ParameterValues parse_parameters(const Stage& stage, const std::vector<std::string>& assignments);
ParameterValues parse_parameters(const Stage& stage, const std::vector<std::string>& assignments,
                                 ParameterValues standard);
// The same, whether the stage refuses them or not.
ParameterValues assigned(const Stage& stage, const std::vector<std::string>& assignments, ParameterValues values);

std::vector<recording::Parameter> named(const Stage& stage, const ParameterValues& values);

// A, B, C, the shared tiles and the workspace, if any: the arrays that a recording of this launch refers to.
std::vector<recording::Array> arrays(const Stage& stage, const ParameterValues& values,
                                     const recording::Problem& problem);

// Of no blocks where there is none.
recording::Launch second_launch(const Stage& stage, const ParameterValues& values, const recording::Problem& problem);

// 0 for a stage without a second launch.
uint64_t workspace_bytes(const Stage& stage, const ParameterValues& values, const recording::Problem& problem);

} // namespace kernels
