// CUPTI's SASS metrics: what each machine instruction did in the launches while they are on. CUPTI puts code of its own
// around every instruction of a kernel for it. Internal to kernels/cuda.
#pragma once

#include "cuda/context.h"
#include "cuda/cupti.h"
#include "measure/instruction_counters.h"

#include <cuda.h>

#include <array>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cuda {

// In the order of SassMetrics::Row::values.
inline constexpr std::array<std::string_view, 3> sass_metric_names = {
    "smsp__sass_inst_executed", "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared", "smsp__sass_sectors_mem_global"};

// CUPTI's numbers of these, which it knows without a GPU. Throws kernels::Unavailable: this chip has no such metric.
std::array<uint64_t, sass_metric_names.size()> sass_metric_ids(const Cupti& cupti, const std::string& chip);

// Adds the instances' values by their metric; what is of none of these is left out.
std::array<uint64_t, sass_metric_names.size()> sum_by_metric(std::span<const CUpti_SassMetrics_InstanceValue> instances,
                                                             std::span<const uint64_t> ids);

// To be made once per program: configuring it anew for every launch ran out of memory after a few (H200, CUDA 13.0).
class SassMetrics {
public:
    // The context is current. Throws kernels::Unavailable as Cupti::check does.
    SassMetrics(Cupti cupti, const Context& context);
    ~SassMetrics();
    SassMetrics(const SassMetrics&) = delete;
    SassMetrics& operator=(const SassMetrics&) = delete;

    struct Row {
        std::string function; // its name in the cubin
        uint32_t address = 0; // bytes from the function's start
        std::array<uint64_t, sass_metric_names.size()> values{};
    };
    // `work` queues it and waits for it.
    std::vector<Row> count(const std::function<void()>& work) const;

private:
    std::vector<Row> count_patched(const std::function<void()>& work, bool lazily) const;
    std::vector<Row> flush() const;

    Cupti cupti_;
    CUcontext context_;
    uint32_t gpu_; // its number
    std::array<uint64_t, sass_metric_names.size()> ids_;
};

// The rows of the kernels of these names, by kernel and address. Throws kernels::Unavailable where there are none.
kernels::InstructionCounters counted_by_address(std::span<const SassMetrics::Row> rows,
                                                std::span<const std::string> names, const recording::Device& device);

} // namespace cuda
