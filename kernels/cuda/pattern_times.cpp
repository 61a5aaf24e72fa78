#include "cuda/access_patterns.h"
#include "cuda/compiler.h"
#include "cuda/context.h"
#include "cuda/program.h"
#include "error.h"
#include "measure/pattern_measurement.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace cuda {

namespace {

using model::PatternRow;

// The same values as in device/access_patterns.h.
constexpr int streaming_warps = 16, chain_loads = 256, stream_accesses = 512;
constexpr uint32_t timed_shared_bytes = 65536;
struct TimedLanes {
    uint32_t active = ~0u, idle = 0;
    std::array<uint32_t, model::lanes> shared_at{}, global_at{};
};
struct Cycles {
    unsigned long long chain = 0, stream = 0;
};

constexpr int runs = 5; // the fastest run counts: disturbances only make runs longer

class PatternClock {
public:
    explicit PatternClock(int gpu)
        : context_(gpu),
          compiler_(Nvrtc(context_.cuda_version() / 1000), static_cast<int>(context_.device().compute_capability)),
          took_(context_, sizeof(Cycles))
    {
        context_.enter();
    }

    model::PatternTimes time(const PatternRow& row)
    {
        TimedLanes lanes;
        for (std::size_t lane = 0; lane < lanes.shared_at.size(); ++lane) {
            if (row.pattern.offset[lane] + static_cast<uint64_t>(row.pattern.width) > timed_shared_bytes)
                throw kernels::Error(
                    fmt::format("The address {} is too large to be timed; shared memory has {} bytes here.",
                                row.pattern.offset[lane], timed_shared_bytes));
            lanes.shared_at[lane] = static_cast<uint32_t>(row.pattern.offset[lane]);
        }
        Cycles least{~0ull, ~0ull};
        for (int run = 0; run < runs; ++run) {
            const CUdeviceptr memory = took_.address();
            const std::array<std::span<const std::byte>, 2> arguments = {argument_bytes(lanes), argument_bytes(memory)};
            kernel(timing_kernel(row)).launch({.grid = {1, 1, 1}, .block = {32 * streaming_warps, 1, 1}}, arguments);
            context_.synchronize("The access pattern " + row.op);
            Cycles cycles;
            context_.download(&cycles, took_, sizeof cycles);
            least = {std::min(least.chain, cycles.chain), std::min(least.stream, cycles.stream)};
        }
        return {static_cast<double>(least.chain) / chain_loads,
                static_cast<double>(least.stream) / (streaming_warps * stream_accesses)};
    }

private:
    const Kernel& kernel(const std::string& name)
    {
        const auto found = kernels_.find(name);
        if (found != kernels_.end())
            return found->second;
        const Compiled compiled = compiler_.compile(program_for_file(access_patterns_file), name);
        return kernels_.emplace(name, Kernel(context_, compiled.image, compiled.lowered_name, timed_shared_bytes))
            .first->second;
    }

    Context context_;
    Compiler compiler_;
    Buffer took_;
    std::map<std::string, Kernel> kernels_;
};

} // namespace

std::string timing_kernel(const PatternRow& row)
{
    const bool loads = row.op == "ld.shared";
    return loads || row.op == "st.shared"
               ? fmt::format("access_patterns::time_shared<{}, {}>", row.pattern.width, loads)
               : std::string();
}

} // namespace cuda

namespace kernels {

void time_patterns(std::span<model::PatternRow> rows, const std::stop_token& stop, int gpu)
{
    cuda::PatternClock clock(gpu);
    for (model::PatternRow& row : rows) {
        if (stop.stop_requested())
            throw Cancelled();
        if (!cuda::timing_kernel(row).empty() && row.pattern.mask == ~0u)
            row.times = clock.time(row);
    }
}

} // namespace kernels
