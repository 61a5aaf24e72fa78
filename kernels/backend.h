// A backend runs stages: on the GPU (cuda/) or on the CPU (cpu/). Values in, values out: no handle leaves it.
// Every function may be called from any thread, one call at a time; long ones watch the stop token and throw Cancelled.
// All throw Error with a sentence for the user: out of memory, a kernel that does not compile or that faults, ...
#pragma once

#include "error.h"
#include "gemm/inputs.h"
#include "job.h"
#include "recording/counted.h"
#include "recording/gpu.h"
#include "recording/launched.h"
#include "recording/warp_times.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace kernels {

using recording::Counters;
using recording::InstructionCounters;
using recording::WarpSamples;

// What one launch takes of the whole GPU, as the mean over many, one after another without a pause.
struct Energy {
    std::optional<double> joules;
    double ms =
        0; // of a launch meanwhile: longer than when it is timed alone where the GPU has reached its power limit
    std::string missing; // why there are no joules although they were asked for, as a sentence
};

// One timed subject of a bench: median, and the spread as the middle half of the samples.
struct Timing {
    double median_ms = 0, low_ms = 0, high_ms = 0; // low, high: 25th and 75th percentile
    int samples = 0;
    Energy energy; // where it was asked for
};

struct BenchResult {
    Timing stage, cublas; // interleaved in one run; cublas multiplies the same operands in the same type
    Timing cublas_best;   // likewise, the fastest of all its algorithms; without samples where it was not asked for
    double relative_error = 0;  // of the stage's output, against float64 of the operands as the kernel gets them
    double total_error = 0;     // against float64 of the FP32 operands: what the kernel's type costs in all
    std::string cublas_missing; // why `cublas` has no samples, as a sentence; empty when it has
};

struct BenchOptions {
    double seconds = 1.0;      // budget for the samples of one job, at least 5 samples
    double energy_seconds = 0; // for the energy of a launch; 0: it is not asked for
    bool library_best = false; // also time the fastest of cuBLAS's algorithms: at each problem each is tried once
};

struct Precision {
    Type type = type_fp32; // of A and B
    bool fp64 = false;     // all of it, instead
};

// What a library made of a multiplication, and how long it took.
struct LibraryRun {
    Timing timing;
    std::vector<double> C;
    uint32_t rows = 0; // the first so many of C were computed
};

// Which warps are watched while they run, and how many may be resident.
struct WatchedWarps {
    uint32_t sm = 0;           // the one whose warps are watched
    uint32_t resident = 0;     // warps on it at most, by asking for more shared memory; 0: as many as fit
    uint32_t extra_shared = 0; // or so many bytes more for each block
    friend bool operator==(const WatchedWarps&, const WatchedWarps&) = default;
};

class Backend {
public:
    virtual ~Backend() = default;

    virtual const recording::Device& device() const = 0;

    // A fault has left the device unusable for this process; every later call throws Error. May be asked at any time after
    // a call, by the thread that made it.
    virtual bool lost() const { return false; }

    // C = what the kernel makes of A, B and C, with the given probe. C is in and out.
    virtual void run(const Job& job, ProbeKind probe, Operands& operands, std::stop_token stop) = 0;

    // Whole launch counted, the chosen blocks in full. Operands are random with a fixed seed.
    virtual recording::Recording record(const Job& job, std::span<const recording::Index3> blocks,
                                        std::stop_token stop) = 0;

    // Runs the uninstrumented kernel a few times with the GPU's counters on. Throws Unavailable where there are none, or
    // where the user may not read them, with what to do about it.
    virtual Counters counters(const Job& job, std::stop_token stop);

    // The same per instruction: runs the kernel once, with code of CUPTI's around each of its instructions. Throws likewise.
    virtual InstructionCounters instruction_counters(const Job& job, std::stop_token stop);

    // When the warps of one SM took which step: runs the kernel with a probe that notes the SM's clock, and without it, to say
    // what that costs. Throws Unavailable where there is no such clock.
    virtual recording::WarpTimes warp_times(const Job& job, const WatchedWarps& watched, std::stop_token stop);

    // What the warps of the uninstrumented kernel wait for, looked at while it runs a few times. Throws likewise, and where
    // the hardware had no room for the samples.
    virtual WarpSamples warp_samples(const Job& job, std::stop_token stop);

    // Times the job beside cuBLAS. The CPU backend throws Unavailable: its speed says nothing about a GPU.
    virtual BenchResult bench(const Job& job, const BenchOptions& options, std::stop_token stop) = 0;

    // cuBLAS alone. Throws Unavailable where there is none.
    virtual LibraryRun cublas(Precision precision, const recording::Problem& problem, const Operands& operands,
                              const BenchOptions& options, std::stop_token stop);

    // The kernels that cuBLAS launches for one multiplication, in order. Throws Unavailable where there is none, or no
    // CUPTI to trace it, with what to install.
    virtual std::vector<recording::LaunchedKernel> cublas_kernels(Precision precision,
                                                                  const recording::Problem& problem,
                                                                  std::stop_token stop);

    // The GPU's counters over one such multiplication, of all the kernels that it launches together. Throws likewise, and where
    // there are no counters.
    virtual Counters cublas_counters(Precision precision, const recording::Problem& problem, std::stop_token stop);

    // What the job computes, in float64.
    virtual std::vector<double> reference(const Job& job, const Operands& operands, std::stop_token stop) = 0;

    // Compiles what the jobs need, several at once, and keeps it. Optional: other calls compile on demand.
    virtual void prepare(std::span<const Job> jobs, std::span<const ProbeKind> probes, std::stop_token stop) = 0;

    // What the driver says of the GPU. The CPU backend throws Unavailable, here and below.
    virtual recording::GpuProperties gpu() const;

    // The steps of measuring it, each in words; a step takes a second or less, and adds what it found to `result`.
    virtual std::vector<std::string> gpu_steps();
    virtual void measure_gpu(std::size_t step, recording::GpuMeasurement& result, std::stop_token stop);
};

std::unique_ptr<Backend> make_cpu_backend();

// A GPU of this machine.
struct ListedGpu {
    int number = 0;         // as CUDA counts them
    std::string name, uuid; // "NVIDIA H200", "GPU-5f1d..." as nvidia-smi -L prints it
    friend bool operator==(const ListedGpu&, const ListedGpu&) = default;
};

// Throws Unavailable: no driver, no GPU, built without the toolkit.
std::vector<ListedGpu> list_gpus();

// The GPU that a person means by its number, or by its UUID or the beginning of that; empty: the first. Throws Unavailable in a
// sentence with those that there are.
const ListedGpu& find_gpu(const std::vector<ListedGpu>& gpus, const std::string& wanted);

// `gpu`: its number. Throws Unavailable: no driver, no such GPU, no NVRTC (and which package has it), built without the toolkit.
std::unique_ptr<Backend> make_cuda_backend(int gpu);

} // namespace kernels
