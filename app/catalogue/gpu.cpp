#include "app/catalogue/gpu.h"

#include "app/catalogue/config_folder.h"

#include "error.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cctype>

namespace app {

namespace {

using Json = nlohmann::json;
using recording::GpuMeasurement;
using recording::GpuProperties;

constexpr int known_format = 1;

Json to_json(const recording::Latency& latency)
{
    return {{"bytes", latency.bytes}, {"ns", latency.ns}, {"cycles", latency.cycles}};
}

recording::Latency latency_from(const Json& json)
{
    const Fields row(json);
    return {row.whole<uint64_t>("bytes"), row.positive("ns"), row.positive("cycles")};
}

Json to_json(const recording::Bandwidth& bandwidth)
{
    return {{"bytes", bandwidth.bytes}, {"gbps", bandwidth.gbps}};
}

recording::Bandwidth bandwidth_from(const Json& json)
{
    const Fields row(json);
    return {row.whole<uint64_t>("bytes"), row.positive("gbps")};
}

Json to_json(const recording::ConflictLatency& latency)
{
    return {{"ways", latency.ways}, {"ns", latency.ns}, {"cycles", latency.cycles}};
}

recording::ConflictLatency conflict_latency_from(const Json& json)
{
    const Fields row(json);
    return {row.whole<uint32_t>("ways"), row.positive("ns"), row.positive("cycles")};
}

Json to_json(const recording::Streaming& streaming)
{
    return {{"warps_per_sm", streaming.warps_per_sm}, {"width", streaming.width}, {"gbps", streaming.gbps}};
}

recording::Streaming streaming_from(const Json& json)
{
    const Fields row(json);
    return {row.whole<uint32_t>("warps_per_sm"), row.whole<uint32_t>("width"), row.positive("gbps")};
}

Json to_json(const recording::DependentChain& chain)
{
    return {{"bytes", chain.bytes}, {"instructions", chain.instructions}, {"ns", chain.ns}, {"cycles", chain.cycles}};
}

recording::DependentChain chain_from(const Json& json)
{
    const Fields row(json);
    return {row.whole<uint64_t>("bytes"), row.whole<uint32_t>("instructions", 1, recording::longest_chain),
            row.positive("ns"), row.positive("cycles")};
}

Json to_json(const GpuProperties& gpu)
{
    return {{"name", gpu.name},
            {"toolkit", gpu.toolkit},
            {"compute_capability", gpu.compute_capability},
            {"sm_count", gpu.sm_count},
            {"clock_khz", gpu.clock_khz},
            {"memory_clock_khz", gpu.memory_clock_khz},
            {"memory_bus_bits", gpu.memory_bus_bits},
            {"memory_bytes", gpu.memory_bytes},
            {"l2_bytes", gpu.l2_bytes},
            {"registers_per_sm", gpu.registers_per_sm},
            {"shared_bytes_per_sm", gpu.shared_bytes_per_sm},
            {"shared_bytes_per_block", gpu.shared_bytes_per_block},
            {"threads_per_sm", gpu.threads_per_sm},
            {"blocks_per_sm", gpu.blocks_per_sm},
            {"fp32_gflops", gpu.fp32_gflops}};
}

GpuProperties properties_from(const Fields& gpu)
{
    return {.name = gpu.text("name"),
            .toolkit = gpu.text("toolkit"),
            .compute_capability = gpu.whole<uint32_t>("compute_capability"),
            .sm_count = gpu.whole<uint32_t>("sm_count"),
            .clock_khz = gpu.whole<uint32_t>("clock_khz"),
            .memory_clock_khz = gpu.whole<uint32_t>("memory_clock_khz"),
            .memory_bus_bits = gpu.whole<uint32_t>("memory_bus_bits"),
            .memory_bytes = gpu.whole<uint64_t>("memory_bytes"),
            .l2_bytes = gpu.whole<uint64_t>("l2_bytes"),
            .registers_per_sm = gpu.whole<uint32_t>("registers_per_sm"),
            .shared_bytes_per_sm = gpu.whole<uint32_t>("shared_bytes_per_sm"),
            .shared_bytes_per_block = gpu.whole<uint32_t>("shared_bytes_per_block"),
            .threads_per_sm = gpu.whole<uint32_t>("threads_per_sm"),
            .blocks_per_sm = gpu.whole<uint32_t>("blocks_per_sm"),
            .fp32_gflops = gpu.figure("fp32_gflops")};
}

template <class List>
Json list_of(const List& all)
{
    Json result = Json::array();
    for (const auto& one : all)
        result.push_back(to_json(one));
    return result;
}

template <class T>
Json optional_of(const std::optional<T>& value)
{
    return value ? to_json(*value) : Json(nullptr);
}

Json measurement_json(const GpuMeasurement& measured)
{
    Json peaks = Json::array();
    for (const recording::ArithmeticPeak& peak : measured.peaks)
        peaks.push_back({{"instruction", peak.instruction}, {"type", peak.type}, {"gflops", peak.gflops}});
    return {{"name", measured.name},
            {"toolkit", measured.toolkit},
            {"measured_at", measured.measured_at},
            {"latency", list_of(measured.latency)},
            {"shared_latency", optional_of(measured.shared_latency)},
            {"bandwidth", list_of(measured.bandwidth)},
            {"l1_bandwidth", optional_of(measured.l1_bandwidth)},
            {"shared_bandwidth", optional_of(measured.shared_bandwidth)},
            {"conflict_latency", list_of(measured.conflict_latency)},
            {"streaming", list_of(measured.streaming)},
            {"chains", list_of(measured.chains)},
            {"peaks", peaks},
            {"group_of_sm", measured.group_of_sm}};
}

GpuMeasurement measurement_from(const Fields& measured)
{
    GpuMeasurement result{.name = measured.text("name"),
                          .toolkit = measured.text("toolkit"),
                          .measured_at = measured.text("measured_at")};
    for (const Json& one : measured.list("latency"))
        result.latency.push_back(latency_from(one));
    for (const Json& one : measured.list("bandwidth"))
        result.bandwidth.push_back(bandwidth_from(one));
    if (measured.has("shared_latency"))
        result.shared_latency = latency_from(measured.at("shared_latency"));
    if (measured.has("l1_bandwidth"))
        result.l1_bandwidth = bandwidth_from(measured.at("l1_bandwidth"));
    if (measured.has("shared_bandwidth"))
        result.shared_bandwidth = bandwidth_from(measured.at("shared_bandwidth"));
    if (measured.has("conflict_latency"))
        for (const Json& one : measured.list("conflict_latency"))
            result.conflict_latency.push_back(conflict_latency_from(one));
    if (measured.has("streaming"))
        for (const Json& one : measured.list("streaming"))
            result.streaming.push_back(streaming_from(one));
    if (measured.has("chains"))
        for (const Json& one : measured.list("chains"))
            result.chains.push_back(chain_from(one));
    for (const Json& one : measured.list("peaks")) {
        const Fields peak(one);
        result.peaks.push_back({peak.text("instruction"), peak.text("type"), peak.positive("gflops")});
    }
    for (const Json& one : measured.list("group_of_sm"))
        result.group_of_sm.push_back(
            static_cast<uint32_t>(Fields::whole_of(one, "a group of SMs", 0, recording::no_group)));
    return result;
}

} // namespace

Json to_json(const GpuFacts& facts)
{
    return {
        {"format", known_format},
        {"gpu", to_json(facts.properties)},
        {"origins",
         {{"gpu", "as the driver describes it"}, {"measured", "measured: on it, by kernels/device/microbenchmarks.h"}}},
        {"measured", facts.measured ? measurement_json(*facts.measured) : Json(nullptr)}};
}

GpuFacts gpu_from_json(const nlohmann::json& json)
{
    const Fields file(json);
    if (file.whole<int>("format") != known_format)
        throw kernels::Error("it has a format of another gemmscope");
    GpuFacts facts{properties_from(Fields(file.at("gpu"))), {}};
    if (file.has("measured"))
        facts.measured = measurement_from(Fields(file.at("measured")));
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
