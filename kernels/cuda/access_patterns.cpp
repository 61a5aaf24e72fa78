#include "cuda/access_patterns.h"

#include "cuda/compiler.h"
#include "cuda/cupti.h"
#include "error.h"
#include "measure/pattern_measurement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace cuda {

namespace {

using model::PatternRow;

// Mirrors access_patterns::Lanes and its limits.
struct Lanes {
    uint32_t active, idle;
    std::array<uint32_t, 32> shared_at, global_at;
};
constexpr uint32_t shared_bytes = 65536, global_bytes = 1u << 20;

std::array<uint32_t, 32> checked(const PatternRow& row, const std::array<uint64_t, 32>& offsets, uint32_t bytes)
{
    std::array<uint32_t, 32> result{};
    for (std::size_t lane = 0; lane < offsets.size(); ++lane) {
        if (offsets[lane] + static_cast<uint64_t>(row.pattern.width) > bytes)
            throw kernels::Error(
                fmt::format("Line {}: the address {} is too large to be measured; shared memory has {} "
                            "bytes here, global memory {}.",
                            row.line, offsets[lane], shared_bytes, global_bytes));
        result[lane] = static_cast<uint32_t>(offsets[lane]);
    }
    return result;
}

Lanes lanes_of(const PatternRow& row)
{
    const bool global = model::is_global(row);
    Lanes lanes{row.pattern.mask, row.idle, {}, {}};
    const auto own = checked(row, row.pattern.offset, global ? global_bytes : shared_bytes);
    const auto other = checked(row, row.other, global ? shared_bytes : global_bytes);
    lanes.shared_at = global ? other : own;
    lanes.global_at = global ? own : other;
    return lanes;
}

constexpr std::size_t most_at_once = 128;

// Returns how many of the first rows use the same counters and fit in one batch.
std::size_t batch(std::span<const PatternRow> rows)
{
    std::size_t count = 1;
    while (count < std::min(most_at_once, rows.size()) && pattern_metrics(rows[count]) == pattern_metrics(rows[0]))
        ++count;
    return count;
}

class PatternRuns {
public:
    explicit PatternRuns(int gpu)
        : context_(gpu),
          compiler_(Nvrtc(context_.cuda_version() / 1000), static_cast<int>(context_.device().compute_capability)),
          cupti_(context_.cuda_version() / 1000), memory_(context_, global_bytes)
    {
        context_.enter();
        context_.fill(memory_, 0);
    }

    // Measures all rows in one session of the profiler, or in several if it does not take so many.
    void measure(std::span<PatternRow> rows, const std::stop_token& stop)
    {
        if (rows.size() <= at_once_) {
            try {
                return measure_together(rows, stop);
            } catch (const kernels::Unavailable&) {
                if (rows.size() == 1)
                    throw;
                at_once_ = rows.size() / 2;
            }
        }
        const std::size_t half = rows.size() / 2;
        measure(rows.first(half), stop);
        measure(rows.subspan(half), stop);
    }

private:
    void measure_together(std::span<PatternRow> rows, const std::stop_token& stop)
    {
        std::vector<std::function<void()>> ranges;
        for (const PatternRow& row : rows)
            ranges.emplace_back([this, &row, lanes = lanes_of(row), &kernel = kernel(row)] {
                const CUdeviceptr memory = memory_.address();
                const std::array<std::span<const std::byte>, 2> arguments = {argument_bytes(lanes),
                                                                             argument_bytes(memory)};
                kernel.launch({.grid = {1, 1, 1}, .block = {32, 1, 1}}, arguments);
                context_.synchronize("The access pattern " + row.op);
            });
        RangeProfiler profiler(context_, cupti_);
        const RangeValues counted = profiler.count(pattern_metrics(rows.front()),
                                                   {.prepare = [] {}, .ranges = std::move(ranges), .stop = stop});
        if (counted.names.size() != 2)
            throw kernels::Unavailable(fmt::format("This GPU does not count what {} costs; it lacks {} or {}.",
                                                   rows.front().op, pattern_metrics(rows.front())[0],
                                                   pattern_metrics(rows.front())[1]));
        for (std::size_t i = 0; i < rows.size(); ++i) {
            rows[i].measured.reset(); // discards the values from the file
            if (const auto& values = counted.values[i]; std::isfinite(values[0]) && std::isfinite(values[1]))
                rows[i].measured = {static_cast<int>(std::lround(values[0])), static_cast<int>(std::lround(values[1]))};
        }
    }

    const Kernel& kernel(const PatternRow& row)
    {
        const std::string name = pattern_kernel(row);
        const auto found = kernels_.find(name);
        if (found != kernels_.end())
            return found->second;
        const Compiled compiled = compiler_.compile(program_for_file(access_patterns_file), name);
        return kernels_.emplace(name, Kernel(context_, compiled.image, compiled.lowered_name, shared_bytes))
            .first->second;
    }

    Context context_;
    Compiler compiler_;
    Cupti cupti_;
    Buffer memory_;
    std::map<std::string, Kernel> kernels_;
    std::size_t at_once_ = most_at_once;
};

} // namespace

std::string pattern_kernel(const PatternRow& row)
{
    const std::string& op = row.op;
    const std::string width = fmt::format("<{}>", row.pattern.width);
    const auto name = [](const std::string& rest) { return "access_patterns::" + rest; };
    if (op.starts_with("cp."))
        return name(fmt::format("copy_async<{}, {}>", row.pattern.width, op.starts_with("cp.cg")));
    if (op.starts_with("stmatrix."))
        return name(fmt::format("store_matrix<{}, {}>", op.at(10), op.ends_with(".trans")));
    if (op == "atom.add.u32")
        return name("add_and_fetch");
    if (op == "atom.cas.b32")
        return name("compare_and_swap");
    if (op == "red.add.u32")
        return name("add");
    if (op == "red.add.f32")
        return name("add_float");
    return name((op.starts_with("ld.") ? "load_" : "store_") + op.substr(3) + width);
}

std::array<std::string_view, 2> pattern_metrics(const PatternRow& row)
{
    const std::string& op = row.op;
    if (op.starts_with("cp.") && model::is_global(row))
        return {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts.sum",
                "smsp__sass_l1tex_t_requests_pipe_lsu_mem_global_op_ldgsts.sum"};
    if (op.starts_with("cp."))
        return {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts.sum",
                "smsp__sass_l1tex_data_bank_conflicts_pipe_lsu_mem_shared_op_ldgsts.sum"};
    if (op.starts_with("stmatrix."))
        return {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_stsm.sum",
                "smsp__sass_l1tex_data_bank_conflicts_pipe_lsu_mem_shared_op_stsm.sum"};
    if (op.starts_with("atom.") || op.starts_with("red."))
        return {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_atom.sum",
                "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum"};
    if (op == "ld.global")
        return {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"};
    if (op == "st.global")
        return {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"};
    if (op == "ld.shared")
        return {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
                "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"};
    return {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
            "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"};
}

} // namespace cuda

namespace kernels {

void measure_patterns(std::span<model::PatternRow> rows,
                      const std::function<void(std::span<const model::PatternRow>)>& done, std::stop_token stop,
                      int gpu)
{
    cuda::PatternRuns runs(gpu);
    while (!rows.empty()) {
        const auto some = rows.first(cuda::batch(rows));
        runs.measure(some, stop);
        done(some);
        rows = rows.subspan(some.size());
    }
}

} // namespace kernels
