// A backend runs stages on the GPU (cuda/) or on the CPU (cpu/). Its functions take and return values and never expose
// a handle. Every function may be called from any thread, but only one call may run at a time. Long calls check the
// stop token and throw Cancelled. All of them throw Error with a sentence for the user: out of memory, a kernel that
// does not compile or that faults, ...
#pragma once

#include "error.h"
#include "gemm/inputs.h"
#include "recording/counted.h"
#include "recording/gpu.h"
#include "recording/launched.h"
#include "recording/warp_times.h"
#include "stage.h"

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

// Energy that the whole GPU uses for one launch: the mean over many launches that run back to back.
struct Energy {
    std::optional<double> joules;
    // Duration of one of these launches; longer than when timed alone if the GPU has reached its power limit.
    double ms = 0;
    std::string missing; // why joules is empty although energy was requested, as a sentence
};

// Time of one subject of a benchmark: the median and the quartiles of its samples.
struct Timing {
    double median_ms = 0, low_ms = 0, high_ms = 0; // low, high: 25th and 75th percentile
    int samples = 0;
    Energy energy; // empty unless requested
};

struct BenchResult {
    Timing stage, cublas; // samples are interleaved in one run; cublas multiplies the same operands in the same type
    Timing cublas_best;   // the same for the fastest of cuBLAS's algorithms; has no samples unless requested
    double relative_error = 0; // of the stage's output, relative to float64 of the operands as the kernel receives them
    // Error relative to float64 of the FP32 operands; includes the error of converting them to the kernel's type.
    double total_error = 0;
    std::string cublas_missing; // why `cublas` has no samples, as a sentence; empty when it has
};

struct BenchOptions {
    double seconds = 1.0;      // time for the samples of one job; at least 5 samples are taken
    double energy_seconds = 0; // time to measure the energy of a launch; 0: not measured
    bool library_best = false; // also time the fastest of cuBLAS's algorithms; each algorithm is tried once per problem
};

struct Precision {
    Type type = type_fp32; // of A and B
    bool fp64 = false;     // use FP64 for all matrices instead
};

// Result and time of a multiplication by a library.
struct LibraryRun {
    Timing timing;
    std::vector<double> C;
    uint32_t rows = 0; // C holds only this many rows, the first ones
};

// Selects the SM whose warps are observed while they run, and limits how many of them are resident.
struct WatchedWarps {
    uint32_t sm = 0; // the observed SM
    // At most this many warps are resident on the SM, enforced by requesting more shared memory; 0: as many as fit.
    uint32_t resident = 0;
    uint32_t extra_shared = 0; // alternatively, this many additional bytes of shared memory per block
    friend bool operator==(const WatchedWarps&, const WatchedWarps&) = default;
};

class Backend {
public:
    virtual ~Backend() = default;

    virtual const recording::Device& device() const = 0;

    // Returns true after a fault that made the device unusable for this process; every later call then throws Error.
    // Only the thread that made a call may call this, at any time afterwards.
    virtual bool lost() const { return false; }

    // Runs the kernel with the given probe: C = kernel(A, B, C). C is input and output.
    virtual void run(const Job& job, ProbeKind probe, Operands& operands, std::stop_token stop) = 0;

    // Records a launch: counts the accesses of all blocks, and keeps every access of the chosen blocks. The operands
    // are random with a fixed seed.
    virtual recording::Recording record(const Job& job, std::span<const recording::Index3> blocks,
                                        std::stop_token stop) = 0;

    // Runs the uninstrumented kernel a few times with the GPU's hardware counters on. Throws Unavailable if the GPU has
    // no counters or the user may not read them; the message says what to do.
    virtual Counters counters(const Job& job, std::stop_token stop);

    // Counts per instruction: runs the kernel once, with CUPTI's code around each instruction. Throws like counters().
    virtual InstructionCounters instruction_counters(const Job& job, std::stop_token stop);

    // Returns when each warp of one SM reached each step. Runs the kernel with a probe that reads the SM's clock, and
    // without it to measure the probe's overhead. Throws Unavailable if there is no such clock.
    virtual recording::WarpTimes warp_times(const Job& job, const WatchedWarps& watched, std::stop_token stop);

    // Samples what the warps of the uninstrumented kernel wait for during a few runs. Throws Unavailable like
    // counters(), and if the hardware had no room for the samples.
    virtual WarpSamples warp_samples(const Job& job, std::stop_token stop);

    // Times the job interleaved with cuBLAS. The CPU backend throws Unavailable: its speed says nothing about a GPU.
    virtual BenchResult bench(const Job& job, const BenchOptions& options, std::stop_token stop) = 0;

    // Runs and times cuBLAS alone. Throws Unavailable if cuBLAS is not installed.
    virtual LibraryRun cublas(Precision precision, const recording::Problem& problem, const Operands& operands,
                              const BenchOptions& options, std::stop_token stop);

    // Returns the kernels that cuBLAS launches for one multiplication, in launch order. Throws Unavailable if cuBLAS or
    // CUPTI, which traces the launches, is missing; the message says what to install.
    virtual std::vector<recording::LaunchedKernel> cublas_kernels(Precision precision,
                                                                  const recording::Problem& problem,
                                                                  std::stop_token stop);

    // Returns the GPU's counters for one such multiplication, summed over all kernels that it launches. Throws
    // Unavailable like cublas_kernels(), and if the GPU has no counters.
    virtual Counters cublas_counters(Precision precision, const recording::Problem& problem, std::stop_token stop);

    // Computes the job's result in float64.
    virtual std::vector<double> reference(const Job& job, const Operands& operands, std::stop_token stop) = 0;

    // Compiles the kernels of these jobs in parallel and keeps them. Optional: other calls compile on demand.
    virtual void prepare(std::span<const Job> jobs, std::span<const ProbeKind> probes, std::stop_token stop) = 0;

    // Returns what the driver reports about the GPU. The CPU backend throws Unavailable, here and below.
    virtual recording::GpuProperties gpu() const;

    // Names the steps of measuring the GPU. A step takes a second or less and adds its measurements to `result`.
    virtual std::vector<std::string> gpu_steps();
    virtual void measure_gpu(std::size_t step, recording::GpuMeasurement& result, std::stop_token stop);
};

std::unique_ptr<Backend> make_cpu_backend();

// A GPU of this machine.
struct ListedGpu {
    int number = 0;         // CUDA's device number
    std::string name, uuid; // "NVIDIA H200", "GPU-5f1d..." as nvidia-smi -L prints it
    friend bool operator==(const ListedGpu&, const ListedGpu&) = default;
};

// Throws Unavailable if there is no driver or no GPU, or if the program was built without the toolkit.
std::vector<ListedGpu> list_gpus();
bool has_gpu();

// Finds a GPU by its number, its UUID or a prefix of the UUID; an empty text means the first GPU. Throws Unavailable
// with a sentence that lists the GPUs of this machine.
const ListedGpu& find_gpu(const std::vector<ListedGpu>& gpus, const std::string& wanted);

// Takes the GPU's number. Throws Unavailable if there is no driver, no such GPU or no NVRTC (naming the package to
// install), or if the program was built without the toolkit.
std::unique_ptr<Backend> make_cuda_backend(int gpu);

} // namespace kernels
