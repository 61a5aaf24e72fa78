// gemmscope info without a file: the GPU of this machine, as the driver describes it and as it was measured.
#include "app/catalogue/gpu.h"
#include "app/cli/commands.h"
#include "app/cli/interrupt.h"
#include "app/tasks/probe.h"
#include "app/tasks/save.h"
#include "app/text/tell.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <map>

namespace app {

namespace {

std::string bytes_text(uint64_t bytes)
{
    constexpr uint64_t kib = 1024, mib = 1024 * kib, gib = 1024 * mib;
    if (bytes >= gib)
        return fmt::format("{:.4g} GiB", static_cast<double>(bytes) / static_cast<double>(gib));
    if (bytes >= mib)
        return fmt::format("{:.4g} MiB", static_cast<double>(bytes) / static_cast<double>(mib));
    return fmt::format("{:.4g} KiB", static_cast<double>(bytes) / static_cast<double>(kib));
}

void print(const recording::GpuProperties& gpu)
{
    write_out("{} ({})\n", gpu.name, gpu.toolkit);
    write_out("sm_{}, {} SMs at up to {:.0f} MHz: FP32 peak {:.1f} TFLOPS\n", gpu.compute_capability, gpu.sm_count,
              gpu.clock_khz * 1e-3, gpu.fp32_gflops * 1e-3);
    write_out("per SM: {} registers, {} of shared memory (a block at most {}), {} threads, {} blocks\n",
              gpu.registers_per_sm, bytes_text(gpu.shared_bytes_per_sm), bytes_text(gpu.shared_bytes_per_block),
              gpu.threads_per_sm, gpu.blocks_per_sm);
    write_out("L2 {}, memory {}", bytes_text(gpu.l2_bytes), bytes_text(gpu.memory_bytes));
    if (gpu.memory_gbps() > 0)
        write_out(" at up to {:.0f} GB/s", gpu.memory_gbps());
    write_out("\n");
}

void print_chains(const recording::GpuMeasurement& measured)
{
    constexpr std::array<const char*, recording::longest_chain> names = {"load", "load, load", "load, load, add",
                                                                         "load, load, add, store"};
    if (!measured.chains.empty())
        write_out("\n{:>14}{:>12}{:>12}  each waits for the one before it, or the add for both loads\n",
                  "walked through", "ns", "cycles");
    for (const recording::DependentChain& chain : measured.chains)
        write_out("{:>14}{:>12.1f}{:>12.1f}  {}{}\n", bytes_text(chain.bytes), chain.ns, chain.cycles,
                  names.at(chain.instructions - 1), chain.at_once ? ", both loads at once" : "");
}

void print(const recording::GpuMeasurement& measured)
{
    write_out("measured at {}\n", measured.measured_at);
    write_out("\n{:>14}{:>12}{:>12}\n", "walked through", "ns a load", "cycles");
    for (const recording::Latency& latency : measured.latency)
        write_out("{:>14}{:>12.1f}{:>12.1f}\n", bytes_text(latency.bytes), latency.ns, latency.cycles);
    if (measured.shared_latency)
        write_out("{:>14}{:>12.1f}{:>12.1f}\n", "shared memory", measured.shared_latency->ns,
                  measured.shared_latency->cycles);
    if (!measured.conflict_latency.empty())
        write_out("\n{:>14}{:>12}{:>12}\n", "bank conflict", "ns a load", "cycles");
    for (const recording::ConflictLatency& latency : measured.conflict_latency)
        write_out("{:>14}{:>12.1f}{:>12.1f}\n", fmt::format("{}-way", latency.ways), latency.ns, latency.cycles);
    write_out("\n{:>14}{:>12}\n", "read", "GB/s");
    if (measured.shared_bandwidth)
        write_out("{:>14}{:>12.0f}\n", "shared memory", measured.shared_bandwidth->gbps);
    if (measured.l1_bandwidth)
        write_out("{:>14}{:>12.0f}\n", "L1", measured.l1_bandwidth->gbps);
    for (const recording::Bandwidth& bandwidth : measured.bandwidth)
        write_out("{:>14}{:>12.0f}\n", bytes_text(bandwidth.bytes), bandwidth.gbps);
    if (!measured.streaming.empty())
        write_out("\n{:>14}{:>12}{:>12}\n", "warps per SM", "bytes a load", "GB/s");
    for (const recording::Streaming& streaming : measured.streaming)
        write_out("{:>14}{:>12}{:>12.0f}\n", streaming.warps_per_sm, streaming.width, streaming.gbps);
    print_chains(measured);
    write_out("\n{:>14}{:>12}\n", "arithmetic", "GFLOPS");
    for (const recording::ArithmeticPeak& peak : measured.peaks)
        write_out("{:>14}{:>12.0f}\n", peak.type + " " + peak.instruction, peak.gflops);
    if (measured.group_of_sm.empty())
        return;
    std::map<uint32_t, int> sizes;
    for (const uint32_t group : measured.group_of_sm)
        ++sizes[group];
    const int alone = sizes.contains(recording::no_group) ? sizes.extract(recording::no_group).mapped() : 0;
    std::string words;
    for (const auto& [group, size] : sizes)
        words += fmt::format("{}{}", words.empty() ? "" : ", ", size);
    write_out("\nSMs that run clusters together: {} groups of {} SMs{}\n", sizes.size(), words,
              alone > 0 ? fmt::format("; no cluster came to {} SMs", alone) : "");
}

// On standard error: standard output holds nothing but the result.
void show_step(const Progress& progress)
{
    tell_progress("{} of {} · {:40}", progress.done + 1, progress.steps, progress.step);
}

} // namespace

int show_gpu(const JobOptions& options, bool measured)
{
    const Interrupt interrupt;
    Engine engine(options.worker, "cuda");
    if (!engine.machine().properties)
        throw kernels::Unavailable("The driver does not say what this GPU is made of.");
    GpuFacts facts{*engine.machine().properties, {}};
    ProbeResult probed{.whole = true};
    if (measured) {
        probed = engine.run(ProbeTask(), interrupt.token(), show_step);
        tell_progress("{:60}\r", "");
        for (const ProbeResult::Failed& failed : probed.failed)
            tell("gemmscope: {}: {}\n", failed.step, failed.why);
        facts.measured = probed.measured;
        if (const std::filesystem::path kept = measured_gpu_path(facts.properties.name); probed.whole && !kept.empty())
            save({kept, facts});
    }
    if (options.json) {
        write_json(to_json(facts), 1);
    } else {
        print(facts.properties);
        if (facts.measured)
            print(*facts.measured);
    }
    return probed.whole ? 0 : 1;
}

} // namespace app
