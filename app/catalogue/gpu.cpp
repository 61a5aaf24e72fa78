#include "app/catalogue/gpu.h"

#include "app/catalogue/config_folder.h"
#include "app/catalogue/each_field.h"

#include "error.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cctype>

namespace app {

namespace {

using Json = nlohmann::json;

constexpr int known_format = 1;

} // namespace

void each_field(auto& form, Is<recording::Latency> auto& latency)
{
    form("bytes", latency.bytes);
    form("ns", latency.ns, above_zero);
    form("cycles", latency.cycles, above_zero);
}

void each_field(auto& form, Is<recording::Bandwidth> auto& bandwidth)
{
    form("bytes", bandwidth.bytes);
    form("gbps", bandwidth.gbps, above_zero);
}

void each_field(auto& form, Is<recording::ConflictLatency> auto& latency)
{
    form("ways", latency.ways);
    form("ns", latency.ns, above_zero);
    form("cycles", latency.cycles, above_zero);
}

void each_field(auto& form, Is<recording::Streaming> auto& streaming)
{
    form("warps_per_sm", streaming.warps_per_sm);
    form("width", streaming.width);
    form("gbps", streaming.gbps, above_zero);
}

void each_field(auto& form, Is<recording::DependentChain> auto& chain)
{
    form("bytes", chain.bytes);
    form("instructions", chain.instructions, 1, recording::longest_chain);
    form("ns", chain.ns, above_zero);
    form("cycles", chain.cycles, above_zero);
}

void each_field(auto& form, Is<recording::ArithmeticPeak> auto& peak)
{
    form("instruction", peak.instruction);
    form("type", peak.type);
    form("gflops", peak.gflops, above_zero);
}

void each_field(auto& form, Is<recording::GpuProperties> auto& gpu)
{
    form("name", gpu.name);
    form("toolkit", gpu.toolkit);
    form("compute_capability", gpu.compute_capability);
    form("sm_count", gpu.sm_count);
    form("clock_khz", gpu.clock_khz);
    form("memory_clock_khz", gpu.memory_clock_khz);
    form("memory_bus_bits", gpu.memory_bus_bits);
    form("memory_bytes", gpu.memory_bytes);
    form("l2_bytes", gpu.l2_bytes);
    form("registers_per_sm", gpu.registers_per_sm);
    form("shared_bytes_per_sm", gpu.shared_bytes_per_sm);
    form("shared_bytes_per_block", gpu.shared_bytes_per_block);
    form("threads_per_sm", gpu.threads_per_sm);
    form("blocks_per_sm", gpu.blocks_per_sm);
    form("fp32_gflops", gpu.fp32_gflops);
}

void each_field(auto& form, Is<recording::GpuMeasurement> auto& measured)
{
    form("name", measured.name);
    form("toolkit", measured.toolkit);
    form("measured_at", measured.measured_at);
    form("latency", measured.latency);
    form("bandwidth", measured.bandwidth);
    form("shared_latency", measured.shared_latency);
    form("l1_bandwidth", measured.l1_bandwidth);
    form("shared_bandwidth", measured.shared_bandwidth);
    form.if_there("conflict_latency", measured.conflict_latency);
    form.if_there("streaming", measured.streaming);
    form.if_there("chains", measured.chains);
    form("peaks", measured.peaks);
    form("group_of_sm", measured.group_of_sm, 0, recording::no_group);
}

Json to_json(const GpuFacts& facts)
{
    return {
        {"format", known_format},
        {"gpu", written(facts.properties)},
        {"origins",
         {{"gpu", "as the driver describes it"}, {"measured", "measured: on it, by kernels/device/microbenchmarks.h"}}},
        {"measured", facts.measured ? written(*facts.measured) : Json(nullptr)}};
}

GpuFacts gpu_from_json(const nlohmann::json& json)
{
    const Fields file(json);
    if (file.whole<int>("format") != known_format)
        throw kernels::Error("it has a format of another gemmscope");
    GpuFacts facts{read_from<recording::GpuProperties>(file.at("gpu")), {}};
    if (file.has("measured"))
        facts.measured = read_from<recording::GpuMeasurement>(file.at("measured"));
    const std::size_t sms = facts.properties.sm_count;
    if (facts.measured && !facts.measured->group_of_sm.empty() && facts.measured->group_of_sm.size() != sms)
        throw kernels::Error("its groups are not of its SMs");
    return facts;
}

ReadGpu read_gpu(const std::filesystem::path& path)
try {
    std::error_code unknown;
    if (!std::filesystem::exists(path, unknown))
        return {{}, {{recording::Missing::not_kept, {path.string()}}}};
    return {gpu_from_json(read_json(path)), {}};
} catch (const std::exception& error) {
    return {{}, {{recording::Missing::unreadable, {path.string(), error.what()}}}};
}

ReadGpu read_shipped_gpu(const std::filesystem::path& folder)
{
    return folder.empty() ? ReadGpu{{}, {{recording::Missing::not_shipped, {"gpu.json"}}}}
                          : read_gpu(folder / "gpu.json");
}

void write_gpu(const GpuFacts& facts, const std::filesystem::path& path)
try {
    write_kept(path, to_json(facts).dump(1) + "\n");
} catch (const std::exception& error) {
    throw kernels::Error(fmt::format("What was measured could not be kept. {}", error.what()));
}

std::filesystem::path measured_gpu_path(const std::string& name)
{
    const std::filesystem::path folder = config_folder();
    if (folder.empty())
        return {};
    std::string plain;
    for (const char letter : name)
        plain += std::isalnum(static_cast<unsigned char>(letter)) != 0 ? letter : '-';
    return folder / fmt::format("gpu-{}.json", plain);
}

} // namespace app
