#include "ptx/stage_run.h"

#include "error.h"
#include "gemm/inputs.h"
#include "ptx/machine.h"
#include "ptx/tensor_map.h"
#include "traced/builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace ptx {

namespace {

std::string joined(const std::vector<std::string>& lines)
{
    std::string text;
    for (const std::string& line : lines)
        text += line + "\n";
    return text;
}

std::string entry_of(const std::string& text)
{
    const std::size_t at = text.find(".entry ");
    return text.substr(at + 7, text.find_first_of("( \n", at + 7) - at - 7);
}

std::string_view identifier(std::string_view text)
{
    const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    return text.substr(0, static_cast<std::size_t>(std::ranges::find_if_not(text, is_word) - text.begin()));
}

} // namespace

Program program_of(const kernels::KernelCode& kernel)
{
    const std::string text = joined(kernel.ptx);
    return make_program(parse(text, kernel.ptx_to_source), entry_of(text), region_count);
}

kernels::Pointers stage_pointers(const std::byte* tensor_maps)
{
    const auto at = [](std::size_t region) { return reinterpret_cast<void*>(global_address(region)); };
    return {.A = at(region_a),
            .B = at(region_b),
            .C = static_cast<float*>(at(region_c)),
            .tensor_maps = tensor_maps,
            .workspace = static_cast<float*>(at(region_workspace))};
}

std::vector<traced::Place> places_of(std::span<const recording::Array> arrays, const Program& program, uint64_t dynamic)
{
    struct Room {
        std::string_view name;
        uint64_t next = 0, end = 0;
    };
    std::vector<Room> rooms;
    for (const Placed& placed : program.shared)
        rooms.push_back({placed.name, placed.first, placed.first + (placed.dynamic ? dynamic : placed.bytes)});
    std::ranges::sort(rooms, {}, &Room::next);
    std::vector<traced::Place> places;
    for (std::size_t i = 0; i < arrays.size(); ++i) {
        const recording::Array& array = arrays[i];
        if (array.space == recording::Space::global) {
            if (array.bytes > 0)
                places.push_back({global_address(i < 3 ? i : std::size_t{region_workspace}), i});
            continue;
        }
        const auto fits = [&](const Room& room) { return room.next + array.bytes <= room.end; };
        auto found = std::ranges::find_if(
            rooms, [&](const Room& room) { return fits(room) && room.name.ends_with(identifier(array.name)); });
        if (found == rooms.end())
            found = std::ranges::find_if(rooms, fits);
        if (found == rooms.end())
            continue;
        places.push_back({found->next, i});
        found->next += array.bytes;
    }
    return places;
}

namespace {

// Returns the tensor maps that the driver would make for A and B: boxes whose rows are swizzled in 128 bytes.
std::vector<std::byte> tensor_maps(const kernels::Job& job)
{
    std::vector<std::byte> result(2 * kernels::tensor_map_bytes);
    if (!job.stage->boxes)
        return result;
    const auto boxes = job.stage->boxes(job.parameters);
    const auto shapes = kernels::device_shapes(job.stage->operation, kernels::type_of(job), job.problem);
    for (const std::size_t i : {region_a, region_b}) {
        const kernels::OperandShape& shape = i == region_a ? shapes.A : shapes.B;
        const TensorMap map{.address = global_address(i),
                            .axes = 2,
                            .element_bytes = shape.element_bytes,
                            .extent = {shape.cols, shape.rows},
                            .stride = {shape.element_bytes, shape.row_bytes()},
                            .box = {static_cast<uint32_t>(boxes[i].cols), static_cast<uint32_t>(boxes[i].rows)},
                            .swizzle = 128};
        if (const std::string wrong = refusal(map); !wrong.empty())
            throw kernels::Error(fmt::format("{} cannot copy its tiles: {}.", job.stage->slug, wrong));
        const auto bytes = bytes_of(map);
        std::memcpy(result.data() + i * kernels::tensor_map_bytes, bytes.data(), bytes.size());
    }
    return result;
}

constexpr uint32_t most_lines = 65536; // lines of a source for which a recording has totals

// Receives the accesses that the kernel reports, in the blocks that one core runs.
struct StageSink {
    std::shared_ptr<traced::Recorder> recorder; // shared by all cores
    std::size_t arrays = 0;                     // number of arrays of the recording
    traced::Recorder::Counts counts;

    void take(uint64_t block, uint32_t warp, const traced::Step& step)
    {
        if (step.noted == 0)
            return;
        if (step.noted > arrays || step.line > most_lines || static_cast<int>(step.op) >= recording::op_count)
            throw kernels::Error("The kernel tells its probe of an access that no view of its stage makes.");
        recording::Access access{.op = step.op,
                                 .array = static_cast<uint8_t>(step.noted - 1),
                                 .width = step.width,
                                 .transposed = step.transposed,
                                 .line = step.line,
                                 .mask = step.mask};
        for (std::size_t lane = 0; lane < access.offset.size(); ++lane)
            access.offset[lane] = static_cast<uint32_t>(step.address[lane]);
        recorder->take(block, warp, {&access, 1}, counts);
    }
    void join(StageSink&& after) { recorder->merge(after.counts); }
};

class StageLaunches {
public:
    StageLaunches(const kernels::Job& job, kernels::Operands& operands)
        : job_(job), stage_(*job.stage), operands_(operands), code_(watched_ptx(stage_, job.parameters)),
          regions_(region_count)
    {
        const kernels::DeviceForm form(stage_.operation, kernels::types_of(job), job.problem, operands);
        regions_[region_a] = {.name = "A", .bytes = {form.A().begin(), form.A().end()}};
        regions_[region_b] = {.name = "B", .bytes = {form.B().begin(), form.B().end()}};
        regions_[region_c] = {.name = "C", .bytes = {form.C().begin(), form.C().end()}};
        regions_[region_workspace].name = "workspace";
        // The workspace contains NaN where the first kernel writes nothing.
        regions_[region_workspace].bytes.assign(kernels::workspace_bytes(stage_, job.parameters, job.problem),
                                                std::byte{0xff});
        const std::vector<std::byte> maps = tensor_maps(job);
        arguments_ = stage_.arguments(job.parameters, job.problem, stage_pointers(maps.data()));
    }

    StageRun all(std::span<const recording::Index3> blocks, const recording::Device& device,
                 const std::stop_token& stop)
    {
        recording::Recording planned = kernels::describe_launch(job_, device);
        planned.device.toolkit = code_.compiler + ", its PTX executed";
        StageRun result{.recording = launch(0, planned, blocks, stop)};
        if (kernels::second_launch(stage_, job_.parameters, job_.problem).grid.volume() > 0)
            add(result.recording, launch(1, std::move(planned), {}, stop));
        result.warnings = std::move(warnings_);
        operands_.C = kernels::to_floats(regions_[region_c].bytes, kernels::types_of(job_).c);
        return result;
    }

private:
    recording::Recording launch(std::size_t number, recording::Recording planned,
                                std::span<const recording::Index3> blocks, const std::stop_token& stop)
    {
        const Program program = program_of(code_.kernels.at(number));
        std::vector<Region> regions = std::move(regions_);
        for (Region& region : variable_regions(program))
            regions.push_back(std::move(region));
        std::vector<std::byte> arguments = arguments_;
        arguments.resize(std::max<std::size_t>(arguments.size(), program.parameter_bytes));
        const uint64_t dynamic = number == 0 ? stage_.dynamic_shared(job_.parameters) : 0;
        const recording::Launch extent = number == 0 ? stage_.launch(job_.parameters, job_.problem)
                                                     : kernels::second_launch(stage_, job_.parameters, job_.problem);
        planned.launch = extent;
        const auto make = [&] {
            StageSink sink{.recorder = std::make_shared<traced::Recorder>(extent, planned.arrays[region_c], blocks),
                           .arrays = planned.arrays.size()};
            if (number != 0)
                sink.recorder->begin_second();
            return sink;
        };
        auto [outcome, sink] =
            run_watched(program, {.extent = extent, .dynamic_shared_bytes = dynamic, .arguments = std::move(arguments)},
                        regions, make, stop);
        warnings_.insert(warnings_.end(), outcome.warnings.begin(), outcome.warnings.end());
        regions.resize(region_count);
        regions_ = std::move(regions);
        sink.recorder->merge(sink.counts);
        sink.recorder->finish(planned);
        return planned;
    }

    // Adds the totals of the second launch. Only the first launch is recorded in full.
    static void add(recording::Recording& first, const recording::Recording& second)
    {
        std::map<uint32_t, recording::Totals> lines;
        for (const recording::Recording* one : {static_cast<const recording::Recording*>(&first), &second})
            for (const auto& [line, totals] : one->lines)
                lines[line] += totals;
        first.lines.clear();
        for (const auto& [line, totals] : lines)
            first.lines.push_back({line, totals});
    }

    const kernels::Job& job_;
    const kernels::Stage& stage_;
    kernels::Operands& operands_;
    kernels::MachineCode code_;
    std::vector<Region> regions_;
    std::vector<std::byte> arguments_;
    std::vector<std::string> warnings_;
};

} // namespace

StageRun run_stage(const kernels::Job& job, kernels::Operands& operands, std::span<const recording::Index3> blocks,
                   const recording::Device& device, const std::stop_token& stop)
{
    return StageLaunches(job, operands).all(blocks, device, stop);
}

} // namespace ptx
