// CUPTI's SASS metrics count what each machine instruction did in the launches while they are on. For this, CUPTI
// inserts code around every instruction of a kernel. Internal to kernels/cuda.
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

// The order of SassMetrics::Row::values.
inline constexpr std::array<std::string_view, 3> sass_metric_names = {
    "smsp__sass_inst_executed", "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared", "smsp__sass_sectors_mem_global"};

// Returns CUPTI's ids of these metrics, which need no GPU. Throws kernels::Unavailable if the chip lacks one.
std::array<uint64_t, sass_metric_names.size()> sass_metric_ids(const Cupti& cupti, const std::string& chip);

// Adds the instances' values by metric; values of other metrics are ignored.
std::array<uint64_t, sass_metric_names.size()> sum_by_metric(std::span<const CUpti_SassMetrics_InstanceValue> instances,
                                                             std::span<const uint64_t> ids);

// Create only one per process: configuring it for every launch ran out of memory after a few launches (H200, CUDA
// 13.0).
class SassMetrics {
public:
    // The context must be current. Throws kernels::Unavailable like Cupti::check does.
    SassMetrics(Cupti cupti, const Context& context);
    ~SassMetrics();
    SassMetrics(const SassMetrics&) = delete;
    SassMetrics& operator=(const SassMetrics&) = delete;

    struct Row {
        std::string function; // name in the cubin
        uint32_t address = 0; // in bytes from the function's start
        std::array<uint64_t, sass_metric_names.size()> values{};
    };
    // `work` queues launches and waits for them.
    std::vector<Row> count(const std::function<void()>& work) const;

private:
    std::vector<Row> count_patched(const std::function<void()>& work, bool lazily) const;
    std::vector<Row> flush() const;

    Cupti cupti_;
    CUcontext context_;
    uint32_t gpu_; // CUDA's device number
    std::array<uint64_t, sass_metric_names.size()> ids_;
};

// Returns the rows of the kernels with these names, by kernel and address. Throws kernels::Unavailable if there are
// none.
kernels::InstructionCounters counted_by_address(std::span<const SassMetrics::Row> rows,
                                                std::span<const std::string> names, const recording::Device& device);

} // namespace cuda
