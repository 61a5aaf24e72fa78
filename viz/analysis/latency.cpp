#include "viz/analysis/latency.h"

#include "viz/analysis/access.h"

#include <algorithm>

namespace viz {

namespace {

// Returns whether the access is part of an asynchronous copy besides its read from global memory.
bool belongs_to_copy(recording::Op op)
{
    return op == recording::Op::async_store || op == recording::Op::async_commit;
}

} // namespace

std::optional<LoadsTogether> most_loads_together(const recording::Recording& recording)
{
    LoadsTogether most;
    bool shared = false;
    for (const recording::BlockTrace& block : recording.blocks)
        for (const recording::WarpTrace& warp : block.warps) {
            LoadsTogether now;
            for (const recording::Access& access : warp.accesses) {
                shared = shared || touches_shared(access.op);
                if (reads_global(access.op)) {
                    ++now.loads;
                    now.bytes += static_cast<uint64_t>(global_cost(access).sectors) * model::sector_bytes;
                } else if (!belongs_to_copy(access.op)) {
                    now = {};
                }
                if (now.bytes > most.bytes)
                    most = now;
            }
        }
    return most.loads == 0 || !shared ? std::nullopt : std::optional(most);
}

std::optional<recording::Latency> farthest_latency(const recording::GpuMeasurement& measured)
{
    std::optional<recording::Latency> farthest;
    for (const recording::DependentChain& one : measured.chains)
        if (one.instructions == 1 && (!farthest || one.bytes > farthest->bytes))
            farthest = {.bytes = one.bytes, .ns = one.ns, .cycles = one.cycles};
    if (!farthest && !measured.latency.empty())
        farthest = measured.latency.back();
    return farthest;
}

std::optional<DramNeeds> dram_needs(const recording::GpuMeasurement& measured, uint32_t sms)
{
    const auto latency = farthest_latency(measured);
    if (!latency || measured.bandwidth.empty() || sms == 0)
        return std::nullopt;
    DramNeeds needs{.latency_ns = latency->ns, .gbps = measured.bandwidth.back().gbps};
    needs.bytes_per_sm = needs.latency_ns * needs.gbps / sms;
    return needs;
}

std::optional<StreamedRate> streamed_with(const recording::GpuMeasurement& measured, double bytes_per_sm)
{
    StreamedRate rate;
    for (const recording::Streaming& one : measured.streaming) {
        rate.most = std::max(rate.most, one.gbps);
        const double bytes = bytes_under_way(one);
        if (bytes <= bytes_per_sm && one.gbps > rate.gbps) {
            rate.gbps = one.gbps;
            rate.bytes = bytes;
        }
        if (bytes <= bytes_per_sm || (rate.more_bytes > 0 && bytes > rate.more_bytes))
            continue;
        rate.more_gbps = bytes == rate.more_bytes ? std::max(rate.more_gbps, one.gbps) : one.gbps;
        rate.more_bytes = bytes;
    }
    return rate.gbps > 0 ? std::optional(rate) : std::nullopt;
}

} // namespace viz
