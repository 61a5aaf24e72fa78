#include "cuda/cuda_backend.h"
#include "cuda/library.h"
#include "cuda/program.h"
#include "cuda/tensor_map.h"
#include "gemm/inputs.h"
#include "kernel_sources.h"
#include "measure/speed.h"
#include "processor.h"
#include "recording/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace cuda {

using kernels::Job;
using kernels::ProbeKind;

DeviceOperands::DeviceOperands(const Context& context, const Job& job, const kernels::Operands& operands)
    : DeviceOperands(context, job.stage->operation, kernels::types_of(job), job.problem, operands)
{
    fit_workspace(context, job);
}

DeviceOperands::DeviceOperands(const Context& context, kernels::Operation operation, const Types& types,
                               const recording::Problem& problem, const kernels::Operands& operands)
    : types(types)
{
    const kernels::DeviceForm form(operation, types, problem, operands);
    const uint64_t needed = form.A().size() + form.B().size() + form.C().size();
    if (const uint64_t free = context.free_bytes(); needed > free)
        throw kernels::Error(fmt::format("A, B and C take {} together, and the GPU has {} free; choose a smaller size.",
                                         bytes_in_words(needed), bytes_in_words(free)));
    const auto upload = [&](std::span<const std::byte> values) {
        Buffer buffer(context, values.size());
        context.upload(buffer, values.data(), buffer.bytes());
        return buffer;
    };
    A = upload(form.A());
    B = upload(form.B());
    C = upload(form.C());
}

std::vector<float> DeviceOperands::result(const Context& context) const
{
    std::vector<std::byte> bytes(C.bytes());
    context.download(bytes.data(), C, C.bytes());
    return kernels::to_floats(bytes, types.c);
}

void DeviceOperands::restore_c(const Context& context, const kernels::Operands& operands) const
{
    const kernels::DeviceMatrix form = kernels::device_form(types.c, operands.C);
    context.upload(C, form.bytes.data(), C.bytes());
}

void DeviceOperands::fit_workspace(const Context& context, const Job& job)
{
    const uint64_t needed = kernels::workspace_bytes(*job.stage, job.parameters, job.problem);
    if (needed == workspace.bytes())
        return;
    workspace = Buffer();
    if (const uint64_t free = context.free_bytes(); needed > free)
        throw kernels::Error(
            fmt::format("The workspace of {} takes {}, and the GPU has {} free; choose a smaller size.",
                        job.stage->slug, bytes_in_words(needed), bytes_in_words(free)));
    workspace = Buffer(context, needed);
    context.fill(workspace, 0xff);
}

CudaBackend::CudaBackend(int gpu)
    : context_(gpu),
      compiler_(Nvrtc(context_.cuda_version() / 1000), static_cast<int>(context_.device().compute_capability)),
      device_(context_.device())
{
    device_.toolkit = fmt::format("NVRTC {}, {}", compiler_.version(), device_.toolkit);
}

recording::Launch CudaBackend::begin(const Job& job, const std::stop_token& stop) const
{
    if (stop.stop_requested())
        throw kernels::Cancelled();
    constexpr uint32_t largest = 0x7fffffff;
    if (job.problem.M > largest || job.problem.N > largest || job.problem.K > largest)
        throw kernels::Error(fmt::format("M, N and K must not exceed {}; choose a smaller size.", largest));
    if (const std::string reason = kernels::missing_on(device_, *job.stage); !reason.empty())
        throw kernels::Unavailable(reason);
    const recording::Launch launch = job.stage->launch(job.parameters, job.problem);
    context_.enter();
    context_.check_limits(launch);
    context_.check_limits(kernels::second_launch(*job.stage, job.parameters, job.problem));
    return launch;
}

CudaBackend::~CudaBackend()
{
    // The other members free memory of the GPU, for which this thread needs a current context.
    context_.driver().cuCtxSetCurrent(context_.handle());
}

Kernels CudaBackend::loaded(const Job& job, ProbeKind probe)
{
    Kernels result;
    for (const KernelName& name : kernels_for(*job.stage, job.parameters, probe)) {
        const auto found = kernels_.find(name.key());
        result.push_back(found != kernels_.end() ? &found->second : &keep(name, compiler_.compile(*job.stage, name)));
    }
    return result;
}

const Kernel& CudaBackend::keep(const KernelName& name, const Compiled& compiled)
{
    Kernel loaded(context_, compiled.image, compiled.lowered_name, name.dynamic_shared);
    return kernels_.emplace(name.key(), std::move(loaded)).first->second;
}

void CudaBackend::prepare(std::span<const Job> jobs, std::span<const ProbeKind> probes, std::stop_token stop)
{
    struct Task {
        const kernels::Stage* stage;
        KernelName name;
        std::optional<Compiled> compiled;
        std::string error;
    };
    context_.enter();
    std::map<std::string, Task> missing;
    for (const Job& job : jobs)
        for (const ProbeKind probe : probes)
            for (const KernelName& name : kernels_for(*job.stage, job.parameters, probe))
                if (!kernels_.contains(name.key()))
                    missing.try_emplace(name.key(), Task{job.stage, name, {}, {}});
    std::vector<Task*> tasks;
    for (auto& [expression, task] : missing)
        tasks.push_back(&task);
    kernels::in_parallel(tasks.size(), [&](uint64_t i) {
        if (stop.stop_requested())
            return;
        try {
            tasks[i]->compiled = compiler_.compile(*tasks[i]->stage, tasks[i]->name);
        } catch (const std::exception& error) {
            tasks[i]->error = error.what();
        }
    });
    for (const auto& [expression, task] : missing) // compiled kernels are kept even if the user has cancelled
        if (task.compiled)
            keep(task.name, *task.compiled);
    if (stop.stop_requested())
        throw kernels::Cancelled();
    for (const auto& [expression, task] : missing)
        if (!task.error.empty())
            throw kernels::Error(task.error);
}

std::vector<TensorMap> CudaBackend::tensor_maps(const Job& job, const DeviceOperands& operands) const
{
    if (!job.stage->boxes)
        return {};
    const Type type = kernels::type_of(job);
    const kernels::OperandShapes shape = kernels::device_shapes(job.stage->operation, type, job.problem);
    const std::array<kernels::TensorBox, 2> boxes = job.stage->boxes(job.parameters);
    return {tensor_map(context_, operands.A, shape.A, type, boxes[0]),
            tensor_map(context_, operands.B, shape.B, type, boxes[1])};
}

Launches CudaBackend::launches(const Job& job, const DeviceOperands& operands) const
{
    const std::vector<TensorMap> maps = tensor_maps(job, operands);
    const kernels::Pointers pointers{operands.A.as<const void>(), operands.B.as<const void>(), operands.C.as<float>(),
                                     maps.empty() ? nullptr : maps.front().data(), operands.workspace.as<float>()};
    return {.arguments = job.stage->arguments(job.parameters, job.problem, pointers),
            .extents = {job.stage->launch(job.parameters, job.problem),
                        kernels::second_launch(*job.stage, job.parameters, job.problem)}};
}

void Launches::queue(const Kernels& kernels, const std::array<std::span<const std::byte>, 2>& probes) const
{
    for (std::size_t i = 0; i < extents.size(); ++i)
        if (extents[i].grid.volume() > 0) {
            const std::array<std::span<const std::byte>, 2> both = {arguments, probes[i]};
            kernels[i]->launch(extents[i], both, i > 0);
        }
}

void CudaBackend::launch(const Job& job, const Kernels& queued, const DeviceOperands& operands,
                         const std::array<std::span<const std::byte>, 2>& probes) const
{
    launches(job, operands).queue(queued, probes);
}

namespace {

std::string name_of(const Job& job)
{
    return fmt::format("The kernel {}", job.stage->slug);
}

uint32_t lines_of(std::string_view text)
{
    return static_cast<uint32_t>(std::count(text.begin(), text.end(), '\n')) + 1;
}

} // namespace

void CudaBackend::launch_plain(const Job& job, const Kernels& queued, const DeviceOperands& operands) const
{
    launches(job, operands).queue(queued);
}

Counter CudaBackend::count(const Job& job, const DeviceOperands& operands, const ChosenBlocks& chosen)
{
    Counter counter(context_, job.stage->launch(job.parameters, job.problem), chosen,
                    lines_of(kernels::source_text(*job.stage, job.stage->body_file)));
    const CountState state = counter.state();
    CountState second = state;
    second.chosen = nullptr; // the second launch has other blocks
    launch(job, loaded(job, ProbeKind::count), operands, {argument_bytes(state), argument_bytes(second)});
    context_.synchronize(name_of(job) + " (with CountProbe)");
    return counter;
}

Recorder CudaBackend::trace(const Job& job, const DeviceOperands& operands, const ChosenBlocks& chosen,
                            std::vector<uint32_t> steps)
{
    Recorder recorder(context_, job.stage->launch(job.parameters, job.problem), chosen, std::move(steps),
                      kernels::device_shapes(job.stage->operation, kernels::types_of(job), job.problem).C);
    const RecordState state = recorder.state();
    launch(job, loaded(job, ProbeKind::record), operands, {argument_bytes(state), no_probe});
    context_.synchronize(name_of(job) + " (with RecordProbe)");
    return recorder;
}

void CudaBackend::run(const Job& job, ProbeKind probe, kernels::Operands& operands, std::stop_token stop)
{
    const recording::Launch extent = begin(job, stop);
    make_room(kernels::shapes(job.stage->operation, job.problem).bytes() +
              kernels::workspace_bytes(*job.stage, job.parameters, job.problem));
    const DeviceOperands on_device(context_, job, operands);
    if (probe == ProbeKind::none) {
        launch_plain(job, loaded(job, ProbeKind::none), on_device);
        context_.synchronize(name_of(job));
    } else if (probe == ProbeKind::place) {
        const Placer placer(context_, extent);
        const PlaceState state = placer.state();
        launch(job, loaded(job, ProbeKind::place), on_device, {argument_bytes(state), no_probe});
        context_.synchronize(name_of(job) + " (with PlaceProbe)");
    } else if (probe == ProbeKind::count) {
        count(job, on_device, ChosenBlocks(context_, extent, {}));
    } else {
        const recording::Index3 corners[] = {{0, 0, 0}, {extent.grid.x - 1, extent.grid.y - 1, extent.grid.z - 1}};
        const ChosenBlocks chosen(context_, extent, corners);
        std::vector<uint32_t> steps = count(job, on_device, chosen).steps();
        on_device.restore_c(context_, operands); // counting has already changed C
        trace(job, on_device, chosen, std::move(steps));
    }
    operands.C = on_device.result(context_);
}

recording::Recording CudaBackend::record(const Job& job, std::span<const recording::Index3> blocks,
                                         std::stop_token stop)
{
    const recording::Launch extent = begin(job, stop);
    recording::Recording result = kernels::describe_launch(job, device_);
    inputs_.reset(); // the recording itself needs memory too
    const DeviceOperands operands(
        context_, job, kernels::input_operands(job.stage->operation, job.problem, recording::input_seed, job.inputs));
    const ChosenBlocks chosen(context_, extent, blocks);
    const Counter counter = count(job, operands, chosen);
    if (stop.stop_requested())
        throw kernels::Cancelled();
    trace(job, operands, chosen, counter.steps()).finish(result);
    result.lines = counter.totals();
    result.resources = loaded(job, ProbeKind::none).front()->resources(extent.threads_per_block());
    place(job, operands, result, stop);
    return result;
}

std::vector<double> CudaBackend::reference(const Job& job, const kernels::Operands& operands, std::stop_token stop)
{
    begin(job, stop);
    constexpr double worth_the_transfer = 1e8; // operations
    const kernels::Operation operation = job.stage->operation;
    const bool large =
        kernels::facts(operation).is_gemm && kernels::operations(operation, job.problem) > worth_the_transfer;
    const uint64_t needed = 2 * kernels::shapes(operation, job.problem).bytes() + (uint64_t{256} << 20);
    if (large)
        make_room(needed);
    if (!large || needed > context_.free_bytes() || !cublas())
        return kernels::cpu_reference(operation, job.problem, operands, stop);
    const DeviceOperands wide = library_operands({.fp64 = true}, job.problem, operands);
    cublas_->dgemm(operation, job.problem, wide.A, wide.B, wide.C);
    context_.synchronize("cuBLAS DGEMM");
    std::vector<double> result(operands.C.size());
    context_.download(result.data(), wide.C, wide.C.bytes());
    return result;
}

const Cublas* CudaBackend::cublas()
{
    if (!cublas_ && cublas_missing_.empty())
        try {
            cublas_ = std::make_unique<Cublas>(context_);
        } catch (const kernels::Unavailable& missing) {
            cublas_missing_ = missing.what();
        }
    return cublas_.get();
}

} // namespace cuda

namespace kernels {

std::vector<ListedGpu> list_gpus()
{
    return cuda::listed_gpus(cuda::Driver());
}

std::unique_ptr<Backend> make_cuda_backend(int gpu)
{
    return std::make_unique<cuda::CudaBackend>(gpu);
}

} // namespace kernels

// Measures where and when the blocks of a launch ran, and the overhead of recording it.
namespace cuda {

namespace {

// Time for the samples of both kernels. It is short, because the user waits for the recording.
constexpr double seconds = 0.02;

// Returns the number of launches. The one with the median end time is kept. Short kernels vary, so they get up to nine.
int runs_of(double milliseconds)
{
    return std::clamp(static_cast<int>(1e3 * seconds / std::max(milliseconds, 1e-3)), 1, 9) | 1;
}

} // namespace

void CudaBackend::place(const kernels::Job& job, const DeviceOperands& operands, recording::Recording& result,
                        const std::stop_token& stop)
{
    const Kernels plain = loaded(job, kernels::ProbeKind::none), placed = loaded(job, kernels::ProbeKind::place);
    const Placer placer(context_, result.launch);
    const PlaceState state = placer.state();
    const Launches queued = launches(job, operands);
    const auto run_plain = [&] { queued.queue(plain); };
    const auto run_placed = [&] { queued.queue(placed, {argument_bytes(state), no_probe}); };

    std::vector<Subject> subjects = {{.launch = run_plain, .samples = {}}, {.launch = run_placed, .samples = {}}};
    Sampler(context_, operands.C, nullptr).sample(subjects, seconds, stop);

    const double plain_ms = kernels::timing_of(subjects[0].samples).median_ms,
                 placed_ms = kernels::timing_of(subjects[1].samples).median_ms;
    const int runs = runs_of(plain_ms + placed_ms);
    // The plain kernel runs before each placed launch, as in the comparison of their times.
    std::vector<std::pair<uint64_t, std::vector<recording::Placement>>> found; // by the end time of the last block
    for (int i = 0; i < runs; ++i) {
        if (stop.stop_requested())
            throw kernels::Cancelled();
        run_plain();
        run_placed();
        context_.synchronize(fmt::format("The kernel {} (with PlaceProbe)", job.stage->slug));
        std::vector<recording::Placement> placements = placer.placements();
        const uint64_t end = std::ranges::max(placements, {}, &recording::Placement::end_ns).end_ns;
        found.emplace_back(end, std::move(placements));
    }
    const auto middle = found.begin() + runs / 2;
    std::ranges::nth_element(found, middle, {}, [](const auto& run) { return run.first; });
    result.placements = std::move(middle->second);
    result.placed = {.resources = placed.front()->resources(result.launch.threads_per_block()),
                     .plain_ms = plain_ms,
                     .placed_ms = placed_ms};
}

} // namespace cuda
