#include "app/catalogue/gpu_file.h"

#include "app/shell/settings.h"

#include "error.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <cctype>
#include <cmath>
#include <fstream>

namespace app {

namespace {

using Json = nlohmann::json;
using recording::GpuMeasurement;
using recording::GpuProperties;

constexpr int known_format = 1;

double positive(const Json& json, const char* name)
{
    const auto value = json.at(name).get<double>();
    if (!(value > 0) || !std::isfinite(value))
        throw kernels::Error(fmt::format("{} is not above zero", name));
    return value;
}

Json to_json(const recording::Latency& latency)
{
    return {{"bytes", latency.bytes}, {"ns", latency.ns}, {"cycles", latency.cycles}};
}

recording::Latency latency_from(const Json& json)
{
    return {json.at("bytes").get<uint64_t>(), positive(json, "ns"), positive(json, "cycles")};
}

Json to_json(const recording::Bandwidth& bandwidth)
{
    return {{"bytes", bandwidth.bytes}, {"gbps", bandwidth.gbps}};
}

recording::Bandwidth bandwidth_from(const Json& json)
{
    return {json.at("bytes").get<uint64_t>(), positive(json, "gbps")};
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

GpuProperties properties_from(const Json& json)
{
    return {.name = json.at("name"),
            .toolkit = json.at("toolkit"),
            .compute_capability = json.at("compute_capability"),
            .sm_count = json.at("sm_count"),
            .clock_khz = json.at("clock_khz"),
            .memory_clock_khz = json.at("memory_clock_khz"),
            .memory_bus_bits = json.at("memory_bus_bits"),
            .memory_bytes = json.at("memory_bytes"),
            .l2_bytes = json.at("l2_bytes"),
            .registers_per_sm = json.at("registers_per_sm"),
            .shared_bytes_per_sm = json.at("shared_bytes_per_sm"),
            .shared_bytes_per_block = json.at("shared_bytes_per_block"),
            .threads_per_sm = json.at("threads_per_sm"),
            .blocks_per_sm = json.at("blocks_per_sm"),
            .fp32_gflops = json.at("fp32_gflops")};
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
            {"peaks", peaks},
            {"group_of_sm", measured.group_of_sm}};
}

GpuMeasurement measurement_from(const Json& json)
{
    GpuMeasurement result{
        .name = json.at("name"), .toolkit = json.at("toolkit"), .measured_at = json.at("measured_at")};
    for (const Json& one : json.at("latency"))
        result.latency.push_back(latency_from(one));
    for (const Json& one : json.at("bandwidth"))
        result.bandwidth.push_back(bandwidth_from(one));
    if (!json.at("shared_latency").is_null())
        result.shared_latency = latency_from(json.at("shared_latency"));
    if (!json.at("l1_bandwidth").is_null())
        result.l1_bandwidth = bandwidth_from(json.at("l1_bandwidth"));
    if (!json.at("shared_bandwidth").is_null())
        result.shared_bandwidth = bandwidth_from(json.at("shared_bandwidth"));
    for (const Json& one : json.at("peaks"))
        result.peaks.push_back({one.at("instruction"), one.at("type"), positive(one, "gflops")});
    json.at("group_of_sm").get_to(result.group_of_sm);
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

GpuFacts gpu_from_json(const Json& json)
{
    if (json.at("format").get<int>() != known_format)
        throw kernels::Error("it has a format of another gemmscope");
    GpuFacts facts{properties_from(json.at("gpu")), {}};
    if (!json.at("measured").is_null())
        facts.measured = measurement_from(json.at("measured"));
    const std::size_t sms = facts.properties.sm_count;
    if (facts.measured && !facts.measured->group_of_sm.empty() && facts.measured->group_of_sm.size() != sms)
        throw kernels::Error("its groups are not of its SMs");
    return facts;
}

ReadGpu read_gpu(const std::filesystem::path& path)
{
    std::ifstream file(path);
    if (!file)
        return {{}, fmt::format("No measurements of a GPU are there: there is no {}.", path.string())};
    try {
        return {gpu_from_json(Json::parse(file)), {}};
    } catch (const Json::exception&) { // its words are for programmers
        return {{}, fmt::format("The measurements of a GPU cannot be read: {} is damaged.", path.string())};
    } catch (const std::exception& error) {
        return {{}, fmt::format("The measurements of a GPU cannot be read: {}: {}.", path.string(), error.what())};
    }
}

void write_gpu(const GpuFacts& facts, const std::filesystem::path& path)
{
    std::error_code error;
    std::filesystem::create_directories(path.parent_path(), error);
    const std::filesystem::path beside = path.string() + "." + std::to_string(getpid());
    {
        std::ofstream file(beside);
        file << to_json(facts).dump(1) << '\n';
        file.close();
        if (!file)
            throw kernels::Error(fmt::format("What was measured could not be written to {}.", beside.string()));
    }
    std::filesystem::rename(beside, path, error);
    if (error)
        throw kernels::Error(
            fmt::format("What was measured could not be written to {}: {}.", path.string(), error.message()));
}

std::filesystem::path measured_gpu_path(const std::string& name)
{
    const std::filesystem::path settings = settings_path();
    if (settings.empty())
        return {};
    std::string plain;
    for (const char letter : name)
        plain += std::isalnum(static_cast<unsigned char>(letter)) != 0 ? letter : '-';
    return settings.parent_path() / fmt::format("gpu-{}.json", plain);
}

} // namespace app
