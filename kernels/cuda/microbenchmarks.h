// Measures the GPU step by step with the kernels of device/microbenchmarks.h. Internal to kernels/cuda.
#pragma once

#include "cuda/compiler.h"
#include "cuda/context.h"
#include "recording/gpu.h"

#include <functional>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

namespace cuda {

class Microbenchmarks {
public:
    Microbenchmarks(const Context& context, const Compiler& compiler);

    std::vector<std::string> steps() const; // descriptions for the user
    // Throws kernels::Cancelled, and kernels::Error, for example if the GPU has too little free memory.
    void run(std::size_t step, recording::GpuMeasurement& result, const std::stop_token& stop);

private:
    struct Step {
        std::string words;
        std::function<void(recording::GpuMeasurement&, const std::stop_token&)> work;
    };

    const Kernel& kernel(const std::string& name, uint32_t dynamic_shared = 0); // compiled on first use
    double milliseconds(const std::function<void()>& launch, const std::stop_token& stop) const;

    void add_latency();
    void add_bandwidth();
    void add_arithmetic();
    void add_groups();
    recording::Latency chase(uint64_t bytes);
    recording::Latency chase_shared();
    recording::ConflictLatency chase_conflicts(int ways);
    recording::DependentChain chain(uint64_t bytes, uint32_t instructions);
    recording::DependentChain loads_at_once(uint64_t bytes, uint32_t instructions);
    recording::Bandwidth read(uint64_t bytes, const std::stop_token& stop);
    recording::Bandwidth read_l1(const std::stop_token& stop);
    recording::Bandwidth read_shared(const std::stop_token& stop);
    recording::Streaming stream(uint32_t warps_per_sm, uint32_t width, const std::stop_token& stop);
    double peak(const std::string& name, double operations, uint32_t threads, uint32_t blocks, int repeats,
                const std::stop_token& stop);
    std::vector<uint32_t> sms_of_clusters(uint32_t size);
    std::vector<uint32_t> groups(const std::stop_token& stop);

    const Context& context_;
    const Compiler& compiler_;
    uint32_t sms_;
    std::vector<Step> steps_;
    std::map<std::string, Kernel> kernels_;
};

recording::GpuProperties properties_of(const Context& context);

} // namespace cuda
