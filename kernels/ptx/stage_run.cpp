#include "ptx/stage_run.h"

#include "error.h"
#include "gemm/device_form.h"
#include "machine_code/machine_code.h"
#include "ptx/machine.h"
#include "ptx/tensor_map.h"
#include "traced/builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <map>

namespace ptx {

namespace {

enum : std::size_t { region_a, region_b, region_c, region_workspace, region_count };

void* place(std::size_t region)
{
    return reinterpret_cast<void*>(global_address(region));
}

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

// What the driver would make of A and of B: boxes whose rows are swizzled in 128 bytes.
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

std::string_view identifier(std::string_view text)
{
    const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    return text.substr(0, static_cast<std::size_t>(std::ranges::find_if_not(text, is_word) - text.begin()));
}

// Where the recording's arrays lie. A tile is in the shared variable that is called so, after those that are there already;
// else in the first that has room for it.
std::vector<traced::Place> places_of(const recording::Recording& planned, const Program& program, uint64_t dynamic)
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
    for (std::size_t i = 0; i < planned.arrays.size(); ++i) {
        const recording::Array& array = planned.arrays[i];
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

class StageLaunches {
public:
    StageLaunches(const kernels::Job& job, kernels::Operands& operands)
        : job_(job), stage_(*job.stage), operands_(operands), code_(machine_code(stage_, job.parameters, 90)),
          regions_(region_count)
    {
        const kernels::DeviceForm form(stage_.operation, kernels::types_of(job), job.problem, operands);
        regions_[region_a] = {.name = "A", .bytes = {form.A().begin(), form.A().end()}};
        regions_[region_b] = {.name = "B", .bytes = {form.B().begin(), form.B().end()}};
        regions_[region_c] = {.name = "C", .bytes = {form.C().begin(), form.C().end()}};
        regions_[region_workspace].name = "workspace";
        // Not a number wherever the first kernel writes nothing.
        regions_[region_workspace].bytes.assign(kernels::workspace_bytes(stage_, job.parameters, job.problem),
                                                std::byte{0xff});
        const std::vector<std::byte> maps = tensor_maps(job);
        arguments_ = stage_.arguments(job.parameters, job.problem,
                                      {.A = place(region_a),
                                       .B = place(region_b),
                                       .C = static_cast<float*>(place(region_c)),
                                       .tensor_maps = maps.data(),
                                       .workspace = static_cast<float*>(place(region_workspace))});
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
        const kernels::KernelCode& kernel = code_.kernels.at(number);
        const std::string text = joined(kernel.ptx);
        const Program program = make_program(parse(text, kernel.ptx_to_source), entry_of(text), region_count);
        std::vector<Region> regions = std::move(regions_);
        for (Region& region : variable_regions(program))
            regions.push_back(std::move(region));
        std::vector<std::byte> arguments = arguments_;
        arguments.resize(std::max<std::size_t>(arguments.size(), program.parameter_bytes));
        const uint64_t dynamic = number == 0 ? stage_.dynamic_shared(job_.parameters) : 0;
        planned.launch = number == 0 ? stage_.launch(job_.parameters, job_.problem)
                                     : stage_.second->launch(job_.parameters, job_.problem);
        std::vector<traced::Place> places = places_of(planned, program, dynamic);
        traced::Builder builder(std::move(planned), std::move(places), blocks);
        const Watch watch = [&](uint64_t block, uint32_t warp, const traced::Step& step) {
            traced::Step of_source = step;
            of_source.instruction = 0;
            builder.take(block, warp, of_source);
        };
        const Outcome outcome = ptx::run(program,
                                         {.extent = number == 0 ? stage_.launch(job_.parameters, job_.problem)
                                                                : stage_.second->launch(job_.parameters, job_.problem),
                                          .dynamic_shared_bytes = dynamic,
                                          .arguments = std::move(arguments)},
                                         regions, watch, stop);
        warnings_.insert(warnings_.end(), outcome.warnings.begin(), outcome.warnings.end());
        regions.resize(region_count);
        regions_ = std::move(regions);
        return builder.finish();
    }

    // Recorded is the first launch; both are counted.
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
