// Published names of what this program shows: the kernels of well-known ladders, and the metrics of Nsight Compute. A
// reader who knows these names from elsewhere can search for them.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace app {

// A kernel of a published ladder, and the stage that has the same idea.
struct PublishedKernel {
    std::string_view ladder;   // its repository: "siboehm/SGEMM_CUDA"
    int number = 0;            // its number there
    std::string_view name;     // "2D blocktiling"
    std::string_view function; // name of the function if the kernel is known by it: "mysgemm_v9"
    std::string_view stage;    // "thread_tile_2d_registers"
};
std::span<const PublishedKernel> published_kernels();
std::string title_of(const PublishedKernel& kernel); // "kernel 5: 2D blocktiling"

// Returns what a metric counts, for example "bank conflicts of loads from shared memory, as the hardware counts them".
// Empty: this program does not read the metric. `metric` is a name of kernels::counter_names() or percent_names().
std::string meaning_of_metric(std::string_view metric);
// Returns the metric of a figure of kernels::CheckedFigure, for example "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum".
// "(+ ldsm)" and "(+ ldgsts)" name instructions whose own counter is added.
std::string metrics_of(std::string_view group, std::string_view figure);
// Returns the commands that read the metric of a stage, here and in Nsight Compute.
std::string how_to_read(std::string_view metric, std::string_view stage);

} // namespace app
