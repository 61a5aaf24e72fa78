#include "cuda/microbenchmarks.h"

#include "cuda/library.h"
#include "cuda/program.h"
#include "error.h"
#include "measure/speed.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

namespace cuda {

namespace {

constexpr uint64_t kib = 1024, mib = 1024 * kib, gib = 1024 * mib;

// Each argument must have the type that the kernel declares: its bytes are passed unchanged.
template <class... Argument>
void launch(const Kernel& kernel, uint32_t blocks, uint32_t threads, const Argument&... argument)
{
    const std::array<std::span<const std::byte>, sizeof...(argument)> bytes = {argument_bytes(argument)...};
    kernel.launch({.grid = {blocks}, .block = {threads}}, bytes);
}

struct Clocks { // mirrors microbenchmarks::Clocks
    uint64_t cycles = 0, ns = 0;
};

// `took` is the kernel's Clocks.
recording::Latency latency_of(const Context& context, const Buffer& took, uint64_t bytes, int steps)
{
    Clocks clocks;
    context.download(&clocks, took, sizeof clocks);
    return {bytes, static_cast<double>(clocks.ns) / steps, static_cast<double>(clocks.cycles) / steps};
}

double gbps(double bytes, double milliseconds)
{
    return bytes / milliseconds * 1e-6;
}

// The groups of SMs, as a disjoint-set forest.
class Groups {
public:
    explicit Groups(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0u); }

    uint32_t root(uint32_t member) const
    {
        while (parent_[member] != member)
            member = parent_[member];
        return member;
    }
    void join(uint32_t a, uint32_t b) { parent_[root(a)] = root(b); }

    // Returns the group numbers, in the order of the groups' first members.
    std::vector<uint32_t> numbers() const
    {
        std::map<uint32_t, uint32_t> number;
        std::vector<uint32_t> result;
        for (uint32_t member = 0; member < parent_.size(); ++member)
            result.push_back(number.try_emplace(root(member), static_cast<uint32_t>(number.size())).first->second);
        return result;
    }

private:
    std::vector<uint32_t> parent_;
};

} // namespace

Microbenchmarks::Microbenchmarks(const Context& context, const Compiler& compiler)
    : context_(context), compiler_(compiler), sms_(context.device().sm_count)
{
    add_latency();
    add_bandwidth();
    add_arithmetic();
    if (context.device().compute_capability >= 90)
        add_groups();
}

std::vector<std::string> Microbenchmarks::steps() const
{
    std::vector<std::string> words;
    for (const Step& step : steps_)
        words.push_back(step.words);
    return words;
}

void Microbenchmarks::run(std::size_t step, recording::GpuMeasurement& result, const std::stop_token& stop)
{
    if (stop.stop_requested())
        throw kernels::Cancelled();
    steps_.at(step).work(result, stop);
}

const Kernel& Microbenchmarks::kernel(const std::string& name, uint32_t dynamic_shared)
{
    const auto found = kernels_.find(name);
    if (found != kernels_.end())
        return found->second;
    const Compiled compiled = compiler_.compile(program_for_file(microbenchmarks_file), "microbenchmarks::" + name);
    return kernels_.emplace(name, Kernel(context_, compiled.image, compiled.lowered_name, dynamic_shared))
        .first->second;
}

// Returns the median time of several launches after two for warm-up.
double Microbenchmarks::milliseconds(const std::function<void()>& launch, const std::stop_token& stop) const
{
    constexpr int warm = 2, samples = 9;
    const Event start(context_), end(context_);
    std::vector<double> took;
    for (int i = 0; i < warm + samples; ++i) {
        if (stop.stop_requested())
            throw kernels::Cancelled();
        start.record();
        launch();
        end.record();
        context_.synchronize("A microbenchmark");
        if (i >= warm)
            took.push_back(end.milliseconds_since(start));
    }
    return kernels::timing_of(took).median_ms;
}

void Microbenchmarks::add_latency()
{
    for (uint64_t bytes = 4 * kib; bytes <= gib; bytes *= 2)
        if (bytes <= context_.free_bytes() / 2)
            steps_.push_back({fmt::format("latency over {}", bytes_in_words(bytes)),
                              [this, bytes](recording::GpuMeasurement& result, const std::stop_token&) {
                                  result.latency.push_back(chase(bytes));
                              }});
    steps_.push_back({"latency of shared memory", [this](recording::GpuMeasurement& result, const std::stop_token&) {
                          result.shared_latency = chase_shared();
                      }});
    steps_.push_back({"latency of bank conflicts", [this](recording::GpuMeasurement& result, const std::stop_token&) {
                          for (int ways = 1; ways <= 32; ++ways)
                              result.conflict_latency.push_back(chase_conflicts(ways));
                      }});
    for (const uint64_t bytes : {64 * kib, 4 * mib, 512 * mib}) // sizes that fit in L1, in L2, and in DRAM only
        if (bytes <= context_.free_bytes() / 2)
            steps_.push_back({fmt::format("load, load, add, store over {}", bytes_in_words(bytes)),
                              [this, bytes](recording::GpuMeasurement& result, const std::stop_token&) {
                                  for (uint32_t length = 1; length <= recording::longest_chain; ++length)
                                      result.chains.push_back(chain(bytes, length));
                                  for (uint32_t length = 3; length <= recording::longest_chain; ++length)
                                      result.chains.push_back(loads_at_once(bytes, length));
                              }});
}

namespace {

constexpr uint64_t line_bytes = 128; // as in the kernels

// Returns the steps before the clock starts: one full round if that is not too many. A line that was only written takes
// longer to read the first time.
int warm_steps(uint64_t lines, int steps)
{
    constexpr uint64_t longest_warm = uint64_t{1} << 20; // in lines, 128 MiB: a third of a second
    return static_cast<int>(lines <= longest_warm ? std::max<uint64_t>(lines, static_cast<uint64_t>(steps)) : steps);
}

} // namespace

recording::DependentChain Microbenchmarks::chain(uint64_t bytes, uint32_t instructions)
{
    constexpr int steps = 4096;
    const uint64_t lines = bytes / line_bytes, nothing = 0;
    const int warm = warm_steps(lines, steps);
    const Buffer memory(context_, bytes), took(context_, sizeof(Clocks));
    launch(kernel("link"), sms_ * 4, 256, memory.address(), lines, line_bytes);
    launch(kernel(fmt::format("dependent_chain<{}>", instructions)), 1, 1, memory.address(), nothing, warm, steps,
           took.address());
    const recording::Latency one = latency_of(context_, took, bytes, steps);
    return {bytes, instructions, one.ns, one.cycles};
}

recording::DependentChain Microbenchmarks::loads_at_once(uint64_t bytes, uint32_t instructions)
{
    constexpr int steps = 4096;
    const uint64_t apart = 2 * line_bytes, links = bytes / apart;
    const int warm = warm_steps(links, steps);
    const Buffer memory(context_, bytes), took(context_, sizeof(Clocks));
    context_.fill(memory, 0);
    launch(kernel("link"), sms_ * 4, 256, memory.address(), links, apart);
    launch(kernel(fmt::format("loads_at_once<{}>", instructions)), 1, 1, memory.address(), warm, steps, took.address());
    const recording::Latency one = latency_of(context_, took, bytes, steps);
    return {bytes, instructions, one.ns, one.cycles, true};
}

recording::Latency Microbenchmarks::chase(uint64_t bytes)
{
    constexpr int steps = 8192;
    const uint64_t lines = bytes / line_bytes;
    const int warm = warm_steps(lines, steps);
    const Buffer memory(context_, bytes), took(context_, sizeof(Clocks));
    launch(kernel("link"), sms_ * 4, 256, memory.address(), lines, line_bytes);
    launch(kernel("chase"), 1, 1, memory.address(), warm, steps, took.address());
    return latency_of(context_, took, bytes, steps);
}

recording::Latency Microbenchmarks::chase_shared()
{
    constexpr int steps = 8192;
    const Buffer took(context_, sizeof(Clocks));
    launch(kernel("chase_shared"), 1, 1, steps, took.address());
    return latency_of(context_, took, 4 * kib, steps);
}

// Measures the second launch: the first one loads the kernel's instructions.
recording::ConflictLatency Microbenchmarks::chase_conflicts(int ways)
{
    constexpr int steps = 4096;
    const Buffer took(context_, sizeof(Clocks));
    for (int time = 0; time < 2; ++time)
        launch(kernel("chase_conflicts"), 1, 32, ways, steps, took.address());
    const recording::Latency one = latency_of(context_, took, 0, steps);
    return {static_cast<uint32_t>(ways), one.ns, one.cycles};
}

void Microbenchmarks::add_bandwidth()
{
    for (uint64_t bytes = mib; bytes <= 2 * gib; bytes *= 2)
        if (bytes <= context_.free_bytes() / 2)
            steps_.push_back({fmt::format("bandwidth over {}", bytes_in_words(bytes)),
                              [this, bytes](recording::GpuMeasurement& result, const std::stop_token& stop) {
                                  result.bandwidth.push_back(read(bytes, stop));
                              }});
    steps_.push_back({"bandwidth of L1", [this](recording::GpuMeasurement& result, const std::stop_token& stop) {
                          result.l1_bandwidth = read_l1(stop);
                      }});
    steps_.push_back(
        {"bandwidth of shared memory", [this](recording::GpuMeasurement& result, const std::stop_token& stop) {
             result.shared_bandwidth = read_shared(stop);
         }});
    for (const uint32_t width : {4u, 8u, 16u})
        steps_.push_back({fmt::format("bandwidth by resident warps, {} bytes per load", width),
                          [this, width](recording::GpuMeasurement& result, const std::stop_token& stop) {
                              for (uint32_t warps = 1; warps * 32 <= context_.device().max_threads_per_sm; warps *= 2)
                                  result.streaming.push_back(stream(warps, width, stop));
                          }});
}

recording::Bandwidth Microbenchmarks::read(uint64_t bytes, const std::stop_token& stop)
{
    constexpr uint32_t threads = 256, chunk_bytes = threads * 64;
    constexpr double total = 8e9;
    const uint32_t blocks = sms_ * 8;
    const Buffer memory(context_, bytes), sink(context_, sizeof(float));
    context_.fill(memory, 0);
    const auto repeats = static_cast<int>(total / (double{chunk_bytes} * blocks)) + 1;
    const auto chunks = static_cast<uint32_t>(bytes / chunk_bytes);
    const double took = milliseconds(
        [&] { launch(kernel("read_past_l1"), blocks, threads, memory.address(), chunks, repeats, sink.address()); },
        stop);
    return {bytes, gbps(double{chunk_bytes} * blocks * repeats, took)};
}

recording::Bandwidth Microbenchmarks::read_l1(const std::stop_token& stop)
{
    constexpr uint32_t threads = 1024, slice_bytes = threads * 64;
    constexpr int repeats = 4000;
    const Buffer memory(context_, uint64_t{slice_bytes} * sms_), sink(context_, sizeof(float));
    context_.fill(memory, 0);
    const double took = milliseconds(
        [&] { launch(kernel("read_l1"), sms_, threads, memory.address(), slice_bytes, repeats, sink.address()); },
        stop);
    return {slice_bytes, gbps(double{slice_bytes} * sms_ * repeats, took)};
}

recording::Bandwidth Microbenchmarks::read_shared(const std::stop_token& stop)
{
    constexpr uint32_t threads = 512, tile_bytes = 32 * 1024, blocks_per_sm = 2;
    constexpr int repeats = 4000;
    const Buffer sink(context_, sizeof(float));
    const double took = milliseconds(
        [&] { launch(kernel("read_shared"), sms_ * blocks_per_sm, threads, repeats, sink.address()); }, stop);
    return {tile_bytes, gbps(double{tile_bytes} * sms_ * blocks_per_sm * repeats, took)};
}

// Each launch continues where the previous one ended, so L2 holds none of its data.
recording::Streaming Microbenchmarks::stream(uint32_t warps_per_sm, uint32_t width, const std::stop_token& stop)
{
    constexpr int repeats = 2000;
    const uint64_t bytes = std::min<uint64_t>(2 * gib, context_.free_bytes() / 2 / mib * mib);
    const Buffer memory(context_, bytes), sink(context_, sizeof(float));
    context_.fill(memory, 0);
    const uint32_t blocks_per_sm = (warps_per_sm + 31) / 32, threads = warps_per_sm / blocks_per_sm * 32;
    const uint64_t total = uint64_t{sms_} * blocks_per_sm * threads * width * repeats;
    uint64_t start = 0;
    const double took = milliseconds(
        [&] {
            launch(kernel(fmt::format("stream<{}>", width)), sms_ * blocks_per_sm, threads, memory.address(), bytes,
                   start, repeats, sink.address());
            start = (start + total) % bytes;
        },
        stop);
    return {warps_per_sm, width, gbps(static_cast<double>(total), took)};
}

// `operations` counts those of one block per repetition.
double Microbenchmarks::peak(const std::string& name, double operations, uint32_t threads, uint32_t blocks, int repeats,
                             const std::stop_token& stop)
{
    const Buffer sink(context_, sizeof(float));
    const bool scaled = name == "multiply_add";
    const double took = milliseconds(
        [&] {
            if (scaled)
                launch(kernel(name), blocks, threads, repeats, 0.999f, 0.001f, sink.address());
            else
                launch(kernel(name), blocks, threads, repeats, sink.address());
        },
        stop);
    return gbps(operations * blocks * repeats, took);
}

void Microbenchmarks::add_arithmetic()
{
    const auto add = [this](const char* instruction, const char* type, const std::string& name, double operations,
                            uint32_t threads, uint32_t blocks_per_sm, int repeats) {
        steps_.push_back(
            {fmt::format("{} arithmetic ({})", type, instruction),
             [=, this](recording::GpuMeasurement& result, const std::stop_token& stop) {
                 result.peaks.push_back(
                     {instruction, type, peak(name, operations, threads, sms_ * blocks_per_sm, repeats, stop)});
             }});
    };
    const uint32_t capability = context_.device().compute_capability;
    add("fma", "fp32", "multiply_add", 2.0 * 16 * 256, 256, 8, 10000);
    const std::pair<const char*, const char*> types[] = {{"fp16", "Half"}, {"bf16", "Bfloat16"}, {"tf32", "Tf32"}};
    for (const auto& [type, element] : types) {
        const double depth = type == std::string_view("tf32") ? 8 : 16;
        if (capability >= 80)
            add("mma", type, fmt::format("tensor_multiply<{}>", element), 8 * 8.0 * 2 * 16 * 8 * depth, 256, 4, 5000);
        if (capability == 90 && depth == 16)
            add("wgmma", type, fmt::format("warpgroup_multiply<{}>", element), 2.0 * 64 * 256 * 64, 128, 2, 2000);
    }
}

void Microbenchmarks::add_groups()
{
    steps_.push_back(
        {"which SMs run clusters together", [this](recording::GpuMeasurement& result, const std::stop_token& stop) {
             result.group_of_sm = groups(stop);
         }});
}

// Returns the SM of each block of several clusters; empty if the GPU does not support clusters of this size.
std::vector<uint32_t> Microbenchmarks::sms_of_clusters(uint32_t size)
{
    // Requests so much shared memory that an SM holds only one block; the blocks then use all SMs.
    const auto whole_sm =
        static_cast<uint32_t>(context_.attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN));
    const uint32_t blocks = sms_ * 8 / size * size;
    const Buffer sm_of_block(context_, blocks * sizeof(uint32_t));
    try {
        launch(kernel(fmt::format("tell_sm<{}>", size), whole_sm), blocks, 64, sm_of_block.address());
    } catch (const kernels::Error&) {
        return {};
    }
    std::vector<uint32_t> sm(blocks);
    context_.download(sm.data(), sm_of_block, sm_of_block.bytes());
    return sm;
}

std::vector<uint32_t> Microbenchmarks::groups(const std::stop_token& stop)
{
    constexpr int rounds = 8;
    Groups result(sms_);
    std::vector<bool> seen(sms_);
    for (int round = 0; round < rounds; ++round)
        for (const uint32_t size : cluster_sizes) {
            if (stop.stop_requested())
                throw kernels::Cancelled();
            const std::vector<uint32_t> sm = sms_of_clusters(size);
            for (std::size_t block = 0; block < sm.size(); ++block) {
                // SM numbers have gaps, as when only a part of the GPU is available; groups are then not determined.
                if (sm[block] >= sms_)
                    return {};
                result.join(sm[block], sm[block / size * size]);
                seen[sm[block]] = true;
            }
        }
    std::vector<uint32_t> numbers = result.numbers();
    for (uint32_t sm = 0; sm < sms_; ++sm)
        if (!seen[sm])
            numbers[sm] = recording::no_group;
    return numbers;
}

recording::GpuProperties properties_of(const Context& context)
{
    const auto value = [&context](CUdevice_attribute which) { return static_cast<uint32_t>(context.attribute(which)); };
    const recording::Device& device = context.device();
    return {.name = device.name,
            .toolkit = device.toolkit,
            .compute_capability = device.compute_capability,
            .sm_count = device.sm_count,
            .clock_khz = device.clock_khz,
            .memory_clock_khz = value(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE),
            .memory_bus_bits = value(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH),
            .memory_bytes = context.total_bytes(),
            .l2_bytes = value(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE),
            .registers_per_sm = value(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR),
            .shared_bytes_per_sm = value(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR),
            .shared_bytes_per_block = value(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN),
            .threads_per_sm = device.max_threads_per_sm,
            .blocks_per_sm = value(CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR),
            .fp32_gflops = device.peak_gflops};
}

} // namespace cuda
