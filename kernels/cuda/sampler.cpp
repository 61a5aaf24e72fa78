#include "cuda/sampler.h"

#include "error.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <source_location>

namespace cuda {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int least_samples = 5;
constexpr int most_samples = 2000;
constexpr double warm_up_share = 0.2; // of the budget: an idle GPU needs time to reach its clocks
// Shorter launches are measured several at a time, because the resolution of events is 0.5 us.
constexpr double least_sample_ms = 0.2;

double seconds_since(Clock::time_point start)
{
    return std::chrono::duration<double>(Clock::now() - start).count();
}

} // namespace

// A sample's launches, captured once as a CUDA graph. A launch takes the host several microseconds. The GPU runs a
// graph's launches back to back without the host, so the time of short kernels does not include the host's.
class Sampler::Graph {
public:
    Graph(const Context& context, const Subject& subject) : context_(context)
    {
        const Driver& driver = context.driver();
        CUDA_CHECK(driver, cuStreamBeginCapture, context.stream(), CU_STREAM_CAPTURE_MODE_RELAXED);
        for (int i = 0; i < subject.launches_per_sample; ++i)
            subject.launch();
        CUgraph graph = nullptr;
        CUDA_CHECK(driver, cuStreamEndCapture, context.stream(), &graph);
        const CUresult result = driver.cuGraphInstantiateWithFlags(&executable_, graph, 0);
        driver.cuGraphDestroy(graph);
        driver.check(result, "cuGraphInstantiate", std::source_location::current());
    }
    ~Graph() { context_.driver().cuGraphExecDestroy(executable_); }
    Graph(const Graph&) = delete;
    Graph& operator=(const Graph&) = delete;

    void launch() const { CUDA_CHECK(context_.driver(), cuGraphLaunch, executable_, context_.stream()); }

private:
    const Context& context_;
    CUgraphExec executable_ = nullptr;
};

double Sampler::milliseconds_per_launch(const Subject& subject, const Graph* graph) const
{
    if (initial_)
        context_.copy(C_, *initial_);
    start_.record();
    if (graph != nullptr)
        graph->launch();
    for (int i = 0; graph == nullptr && i < subject.launches_per_sample; ++i)
        subject.launch();
    end_.record();
    context_.synchronize("A timed kernel");
    return end_.milliseconds_since(start_) / subject.launches_per_sample;
}

void Sampler::warm_up(std::vector<Subject>& subjects, double seconds, const std::stop_token& stop) const
{
    const Clock::time_point start = Clock::now();
    std::vector<double> last(subjects.size());
    do {
        for (std::size_t i = 0; i < subjects.size(); ++i)
            last[i] = milliseconds_per_launch(subjects[i]);
        if (stop.stop_requested())
            throw kernels::Cancelled();
    } while (seconds_since(start) < seconds);
    if (initial_)
        return; // C is read, so it must be restored before each launch: one launch per sample
    for (std::size_t i = 0; i < subjects.size(); ++i)
        subjects[i].launches_per_sample =
            static_cast<int>(std::clamp(std::ceil(least_sample_ms / std::max(last[i], 1e-6)), 1.0, 100.0));
}

double Sampler::once(const Subject& subject, const std::stop_token& stop) const
{
    if (stop.stop_requested())
        throw kernels::Cancelled();
    milliseconds_per_launch(subject);
    return milliseconds_per_launch(subject);
}

void Sampler::sample(std::vector<Subject>& subjects, double seconds, const std::stop_token& stop) const
{
    warm_up(subjects, seconds * warm_up_share, stop);
    std::vector<std::unique_ptr<Graph>> graphs;
    for (const Subject& subject : subjects)
        graphs.push_back(subject.launches_per_sample > 1 ? std::make_unique<Graph>(context_, subject) : nullptr);
    const Clock::time_point start = Clock::now();
    for (int sample = 0; sample < most_samples; ++sample) {
        if (sample >= least_samples && seconds_since(start) > seconds)
            break;
        for (std::size_t i = 0; i < subjects.size(); ++i)
            subjects[i].samples.push_back(milliseconds_per_launch(subjects[i], graphs[i].get()));
        if (stop.stop_requested())
            throw kernels::Cancelled();
    }
}

namespace {

// Declarations that match nvml.h: its results are an enum, its devices are pointers, its strings are zero-terminated.
using Begin = int();
using Find = int(const char* uuid, void** device);
using TotalEnergy = int(void* device, unsigned long long* millijoules);
using ResultText = const char*(int result);

constexpr int success = 0, not_supported = 3, no_permission = 4, not_found = 6;

Library open()
{
    Library library({"libnvidia-ml.so.1"});
    if (!library.found())
        throw kernels::Unavailable(
            "How much energy a GPU takes is read through NVIDIA's NVML, which comes with the driver: "
            "libnvidia-ml.so.1 was not found. Where gemmscope runs in a container, it needs the "
            "driver's 'utility' part (NVIDIA_DRIVER_CAPABILITIES).");
    return library;
}

// Explains the library's result in a sentence; `text` is the library's own message.
std::string why_no_energy(int result, const std::string& text)
{
    switch (result) {
    case not_supported: return fmt::format("This GPU does not count the energy that it takes (NVML: {}).", text);
    case no_permission: return fmt::format("This user may not read how much energy the GPU takes (NVML: {}).", text);
    case not_found:
        return fmt::format(
            "NVML does not know this GPU, of whose energy it was asked ({}); a part of a GPU (MIG) has no "
            "count of its own.",
            text);
    default: return fmt::format("How much energy the GPU takes could not be read (NVML: {}).", text);
    }
}

} // namespace

Nvml::Nvml(const std::string& uuid) : library_(open())
{
    check(library_.function<Begin*>("nvmlInit_v2")(), "nvmlInit_v2");
    check(library_.function<Find*>("nvmlDeviceGetHandleByUUID")(uuid.c_str(), &device_), "nvmlDeviceGetHandleByUUID");
    millijoules(); // throws if this GPU has no energy counter
}

Nvml::~Nvml()
{
    library_.find<Begin*>("nvmlShutdown")();
}

uint64_t Nvml::millijoules() const
{
    unsigned long long result = 0;
    check(library_.function<TotalEnergy*>("nvmlDeviceGetTotalEnergyConsumption")(device_, &result),
          "nvmlDeviceGetTotalEnergyConsumption");
    return result;
}

void Nvml::check(int result, const char* what) const
{
    if (result == success)
        return;
    auto* const text = library_.find<ResultText*>("nvmlErrorString");
    throw kernels::Unavailable(
        why_no_energy(result, fmt::format("{} from {}", text ? text(result) : "no words", what)));
}

} // namespace cuda
