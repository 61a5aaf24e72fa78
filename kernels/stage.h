// A stage of the ladder as the host sees it. Each file in kernels/stages ends with its own description (describe.h).
// The build collects the descriptions in a generated stage_table.cpp, so a new stage is one new file.
#pragma once

#include "gemm/size.h"
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
    int standard = 0;         // the stage's default
    std::vector<int> choices; // the declared values, including the default
    std::string meaning;      // "rows of C per block"
};

// Addresses of the operands on the device in use (GPU or host), in the shapes that device_shapes() returns.
struct Pointers {
    const void* A = nullptr;
    const void* B = nullptr;
    float* C = nullptr;
    const std::byte* tensor_maps = nullptr; // of A and B, tensor_map_bytes each; null unless the stage uses bulk copies
    float* workspace = nullptr;             // sized by the stage's second launch; null if there is none
};

// The box of a matrix that one bulk copy (TMA) transfers, in elements.
struct TensorBox {
    int rows = 0, cols = 0;
};
inline constexpr std::size_t tensor_map_bytes = 128;

using ParameterValues = std::vector<int>; // in the order of Stage::parameters

using LaunchOf = std::function<recording::Launch(const ParameterValues&, const recording::Problem&)>;
using CpuKernelOf = std::function<const cpu::Kernel*(const ParameterValues&)>;

// A second kernel in the same file. It gets the same arguments and starts after the first kernel has finished.
struct SecondLaunch {
    std::string_view kernel;
    LaunchOf launch;
    CpuKernelOf cpu_kernel; // like Stage::cpu_kernel
    // The memory in which the first kernel passes data to the second. It is a recording's last array.
    std::function<recording::Array(const ParameterValues&, const recording::Problem&)> workspace;
};

// The smallest form of a stage, in which every value can be displayed.
struct TinyForm {
    ParameterValues parameters;
    recording::Problem problem;
    std::string_view limit; // why it is not smaller, as a sentence; empty: 4 active lanes and tiles of 2
};

// Names the definition of a shared tile's layout, to be displayed beside the kernel.
struct LayoutSource {
    std::string_view array; // "As": the tile, or all tiles of that ring
    std::string_view name;  // of the struct or function, "ByRow"
    std::string_view file;  // "stages/16_swizzled.cu"
};

struct Stage {
    std::string_view slug;      // "vectorized"
    std::string_view idea;      // one line for the ladder panel
    std::string_view builds_on; // the slug of the stage that it is compared with; empty: it builds on none
    Operation operation = Operation::gemm;
    std::string_view file;      // "stages/11_vectorized.cu": the stage's own file
    std::string_view body_file; // the file that recorded lines refer to; often the same as `file`
    std::vector<LayoutSource> layouts;
    std::string_view kernel; // the kernel's name, in the namespace named by the slug
    // The text of a user's own file (own/own_stage.h). Null for the ladder's stages, whose files are embedded.
    std::shared_ptr<const std::string> text = {};
    std::vector<ParameterSpec> parameters;

    // Returns a sentence that says why these parameters cannot be launched, or an empty text if they can.
    std::function<std::string(const ParameterValues&)> refusal;
    LaunchOf launch;
    // The shared tiles, in the order in which the kernel declares them (arrays 3, 4, ...).
    std::function<std::vector<recording::Array>(const ParameterValues&)> tiles = [](const ParameterValues&) {
        return std::vector<recording::Array>();
    };
    // Bytes of shared memory per block in addition to what the kernel declares __shared__.
    std::function<uint32_t(const ParameterValues&)> dynamic_shared = [](const ParameterValues&) { return 0; };
    // Element type of A and B.
    std::function<Type(const ParameterValues&)> type = [](const ParameterValues&) { return type_fp32; };
    // Element type of C.
    std::function<Type(const ParameterValues&)> type_of_c = [](const ParameterValues&) { return type_fp32; };
    // The only compute capability that the kernel supports; 0: any GPU, and the CPU.
    int only_compute_capability = 0;
    // Boxes that bulk copies transfer from A and from B; null if the kernel makes no bulk copies.
    std::function<std::array<TensorBox, 2>(const ParameterValues&)> boxes;
    // The kernel's first argument, as bytes.
    std::function<std::vector<std::byte>(const ParameterValues&, const recording::Problem&, const Pointers&)> arguments;
    // The kernel compiled for the CPU; null for other parameter sets than cpu_variants.
    CpuKernelOf cpu_kernel;
    // The parameter sets that cpu_kernel was compiled for; the first is the default.
    std::vector<ParameterValues> cpu_variants;
    // Most stages have no second launch. Only the first launch is recorded and traced; both are counted and timed.
    std::optional<SecondLaunch> second;

    // Empty if the kernel has no small form.
    std::optional<TinyForm> tiny;

    // Values that autotuning tries for each parameter. Empty if the stage is not autotuned. The defaults of an
    // autotuned stage are the best set found on the GPU in use, once a search has run.
    std::vector<std::vector<int>> candidates;
    // Returns whether a launchable parameter set is worth trying. Null if all are.
    std::function<bool(const ParameterValues&)> worth_trying;

    // Chooses the parameter set that suits a problem on a GPU with this many SMs. If it is null, the default is used.
    std::function<ParameterValues(const recording::Problem&, uint32_t sm_count)> suited;

    ParameterValues standard_parameters() const;
    ParameterValues standard_parameters(const recording::Device& device, const recording::Problem& problem) const;
};

// Returns all stages in teaching order.
std::vector<Stage> make_ladder();

// Returns a sentence that says why the stage cannot run on this device, or an empty text if it can.
std::string missing_on(const recording::Device& device, const Stage& stage);

// Throws Error with the valid slugs if no stage has this slug.
const Stage& find_stage(const std::vector<Stage>& ladder, std::string_view slug);

// Returns the stage's own file, then its body's file and those of its layouts, each once.
std::vector<std::string_view> source_files(const Stage& stage);

// Returns the index of the stage that this one builds on and is compared with, or nothing.
std::optional<std::size_t> built_on(const std::vector<Stage>& ladder, std::size_t stage);

// Returns the name expression for NVRTC: "vectorized::vectorized<vectorized::Parameters{128, 128, 8, 8, 8}, NoProbe>".
// `kernel` is the stage's kernel or that of its second launch.
std::string kernel_expression(const Stage& stage, std::string_view kernel, const ParameterValues& values,
                              std::string_view probe);

// Returns the value as users type and see it: "64", or "fp16", "bf16", "tf32" or "fp32" for a parameter called TYPE.
std::string value_text(std::string_view parameter, int value);

// Applies "BM=64" or "TYPE=bf16" to the defaults. Throws Error with the valid parameters or with the refusal.
ParameterValues parse_parameters(const Stage& stage, const std::vector<std::string>& assignments);
ParameterValues parse_parameters(const Stage& stage, const std::vector<std::string>& assignments,
                                 ParameterValues standard);
// Does the same for `values`, without checking whether the stage refuses the result.
ParameterValues assigned(const Stage& stage, const std::vector<std::string>& assignments, ParameterValues values);

std::vector<recording::Parameter> named(const Stage& stage, const ParameterValues& values);

// Returns the arrays that a recording of this launch refers to: A, B, C, the shared tiles, and any workspace.
std::vector<recording::Array> arrays(const Stage& stage, const ParameterValues& values,
                                     const recording::Problem& problem);

// Returns a launch of no blocks if the stage has no second launch.
recording::Launch second_launch(const Stage& stage, const ParameterValues& values, const recording::Problem& problem);

// Returns 0 if the stage has no second launch.
uint64_t workspace_bytes(const Stage& stage, const ParameterValues& values, const recording::Problem& problem);

// A stage with parameters, at a size.

struct Job {
    const Stage* stage = nullptr; // outlives the call
    ParameterValues parameters;
    recording::Problem problem;
    // For recording and verification; benchmarks always use random inputs.
    recording::Inputs inputs = recording::Inputs::random;
};

Type type_of(const Job& job); // of A and B
Types types_of(const Job& job);

// Returns the text of one of the stage's source files; empty if the stage has no such file.
std::string_view source_text(const Stage& stage, std::string_view file);

// Returns the largest relative_error at which the job's result still counts as correct.
double tolerance(const Job& job);

// Fills in what a recording contains before anything has run: stage, parameters, problem, launch, sources, arrays,
// device, time. Throws Error if CUDA does not allow the launch, if a matrix is larger than a recording can address (4
// GiB), or if the owner map does not fit in a recording file.
recording::Recording describe_launch(const Job& job, const recording::Device& device);

struct DefinitionLines {
    std::size_t source = 0;       // index into Recording::sources
    uint32_t first = 0, last = 0; // lines, 1-based
};

// Finds the struct or function that `layout` names. Returns nothing if the recording lacks it.
std::optional<DefinitionLines> find_layout(const LayoutSource& layout, const recording::Recording& recording);

// Returns whether an array is the tile with this name, or a tile of the ring with this name: "As", "As[1]".
bool is_tile_of(std::string_view array, std::string_view tile);

} // namespace kernels
