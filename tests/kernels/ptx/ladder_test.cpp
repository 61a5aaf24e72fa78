// Every rung of the ladder, compiled by NVRTC for a GPU, run by the PTX machine and by the CPU backend: two ways that share
// neither compiler nor probes.
#include "backend.h"
#include "error.h"
#include "gemm/device_form.h"
#include "gemm/reference.h"
#include "gemm/rounding.h"
#include "machine_code/machine_code.h"
#include "ptx/machine.h"
#include "ptx/tensor_map.h"
#include "recording/file.h"
#include "recording/inputs.h"
#include "traced/builder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

namespace {

using kernels::Job;
using recording::Totals;

std::string joined(const std::vector<std::string>& lines)
{
    std::string text;
    for (const std::string& line : lines)
        text += line + "\n";
    return text;
}

std::string entry_of(const std::string& ptx)
{
    const std::size_t at = ptx.find(".entry ");
    return ptx.substr(at + 7, ptx.find_first_of("( \n", at + 7) - at - 7);
}

struct Ran {
    std::vector<float> C;
    Totals totals;
    std::vector<recording::LineTotals> lines;
    std::vector<std::string> warnings;
    std::vector<recording::WarpTrace> warps; // of block 0 of the first launch
};

// What the driver would make of A and of B: boxes whose rows are swizzled in 128 bytes.
std::vector<std::byte> tensor_maps(const Job& job)
{
    std::vector<std::byte> result(2 * kernels::tensor_map_bytes);
    if (!job.stage->boxes)
        return result;
    const Type type = kernels::type_of(job);
    const auto boxes = job.stage->boxes(job.parameters);
    const auto shapes = kernels::device_shapes(job.stage->operation, type, job.problem);
    for (std::size_t i = 0; i < 2; ++i) {
        const auto& box = boxes[i];
        const kernels::OperandShape& shape = i == 0 ? shapes.A : shapes.B;
        const ptx::TensorMap map{.address = ptx::global_address(i),
                                 .extent = {static_cast<uint32_t>(shape.cols), static_cast<uint32_t>(shape.rows)},
                                 .stride = {2, shape.row_bytes()},
                                 .box = {static_cast<uint32_t>(box.cols), static_cast<uint32_t>(box.rows)},
                                 .swizzle = 128};
        EXPECT_EQ(ptx::refusal(map), "");
        const auto bytes = ptx::bytes_of(map);
        std::memcpy(result.data() + i * kernels::tensor_map_bytes, bytes.data(), bytes.size());
    }
    return result;
}

// Where the recording's arrays lie: the operands in their regions, the tiles one after another in dynamic shared memory.
std::vector<traced::Place> places_of(const recording::Recording& planned, uint64_t dynamic_first)
{
    std::vector<traced::Place> places;
    uint64_t tile = dynamic_first;
    for (std::size_t i = 0; i < planned.arrays.size(); ++i)
        if (planned.arrays[i].space == recording::Space::shared) {
            places.push_back({tile, i});
            tile += planned.arrays[i].bytes;
        } else if (i < 3) {
            places.push_back({ptx::global_address(i), i});
        }
    return places;
}

// A region for each operand, in the order A, B, C, workspace; an empty one has no bytes.
Ran run_ptx(const Job& job, const kernels::Operands& operands)
{
    const kernels::Stage& stage = *job.stage;
    const kernels::MachineCode code = kernels::machine_code(stage, job.parameters, 90);
    const kernels::DeviceForm form(stage.operation, kernels::type_of(job), job.problem, operands);
    std::vector<ptx::Region> regions(4);
    regions[0] = {"A", {form.A().begin(), form.A().end()}};
    regions[1] = {"B", {form.B().begin(), form.B().end()}};
    const auto C = std::as_bytes(std::span(operands.C));
    regions[2] = {"C", {C.begin(), C.end()}};
    regions[3] = {"workspace", std::vector<std::byte>(kernels::workspace_bytes(stage, job.parameters, job.problem))};
    const auto place = [](std::size_t region) { return reinterpret_cast<void*>(ptx::global_address(region)); };
    const std::vector<std::byte> maps = tensor_maps(job);
    std::vector<std::byte> arguments = stage.arguments(job.parameters, job.problem,
                                                       {.A = place(0),
                                                        .B = place(1),
                                                        .C = static_cast<float*>(place(2)),
                                                        .tensor_maps = maps.data(),
                                                        .workspace = static_cast<float*>(place(3))});
    Ran result;
    std::map<uint32_t, Totals> lines; // of both launches
    for (std::size_t i = 0; i < code.kernels.size(); ++i) {
        if (i == 1 && kernels::second_launch(stage, job.parameters, job.problem).grid.volume() == 0)
            break;
        const std::string text = joined(code.kernels[i].ptx);
        const ptx::Module module = ptx::parse(text, code.kernels[i].ptx_to_source);
        const ptx::Program program = ptx::make_program(module, entry_of(text), regions.size());
        std::vector<ptx::Region> all = regions;
        for (ptx::Region& region : ptx::variable_regions(program))
            all.push_back(std::move(region));
        arguments.resize(std::max<std::size_t>(arguments.size(), program.parameter_bytes));
        const recording::Launch extent =
            i == 0 ? stage.launch(job.parameters, job.problem) : stage.second->launch(job.parameters, job.problem);
        const uint64_t dynamic = i == 0 ? stage.dynamic_shared(job.parameters) : 0;
        recording::Recording planned = kernels::describe_launch(job, {});
        planned.launch = extent;
        const recording::Index3 first{0, 0, 0};
        const bool kept = i == 0 && stage.boxes;
        traced::Builder builder(planned,
                                kept ? places_of(planned, program.dynamic_first) : std::vector<traced::Place>(),
                                std::span(&first, kept ? 1 : 0));
        const ptx::Outcome outcome =
            ptx::run(program, {.extent = extent, .dynamic_shared_bytes = dynamic, .arguments = arguments}, all,
                     [&](uint64_t block, uint32_t warp, const traced::Step& step) { builder.take(block, warp, step); });
        recording::Recording recorded = builder.finish();
        if (kept)
            result.warps = std::move(recorded.blocks.at(0).warps);
        for (const auto& [line, totals] : recorded.lines)
            lines[line] += totals, result.totals += totals;
        result.warnings.insert(result.warnings.end(), outcome.warnings.begin(), outcome.warnings.end());
        for (std::size_t region = 0; region < regions.size(); ++region)
            regions[region].bytes = all[region].bytes;
    }
    for (const auto& [line, totals] : lines)
        result.lines.push_back({line, totals});
    result.C.resize(operands.C.size());
    std::memcpy(result.C.data(), regions[2].bytes.data(), regions[2].bytes.size());
    return result;
}

class PtxLadder : public testing::TestWithParam<std::size_t> {
protected:
    static const std::vector<kernels::Stage>& ladder()
    {
        static const std::vector<kernels::Stage> stages = kernels::make_ladder();
        return stages;
    }
};

// Rungs of which NVRTC's front end makes wider loads than the source has.
const std::set<std::string_view> merged = {"shared_tile", "thread_tile_1d", "thread_tile_2d",
                                           "thread_tile_2d_registers", "padded_b"};

// Rungs of which it gives some accesses the line of another.
const std::set<std::string_view> moved = {"warp_tile", "mma_ldmatrix"};

TEST_P(PtxLadder, EqualsTheCpuBackend)
{
    const kernels::Stage& stage = ladder()[GetParam()];
    Job job{&stage, stage.standard_parameters(), {.M = 128, .N = 128, .K = 32, .alpha = 0.5f, .beta = 3.0f}};
    if (!kernels::facts(stage.operation).is_gemm)
        job.problem = stage.operation == kernels::Operation::vector_add ? recording::Problem{.M = 1, .N = 1000, .K = 1}
                                                                        : recording::Problem{.M = 6, .N = 4, .K = 1};
    kernels::Operands operands = kernels::input_operands(stage.operation, job.problem, recording::input_seed);
    if (stage.only_compute_capability != 0)
        GTEST_SKIP() << "it has no form for the CPU backend; see EqualsWhatAnH200Recorded";
    Ran ran;
    try {
        ran = run_ptx(job, operands);
    } catch (const kernels::Unavailable& missing) {
        GTEST_SKIP() << missing.what();
    }
    EXPECT_EQ(ran.warnings, std::vector<std::string>{});
    const auto cpu = kernels::make_cpu_backend();
    const recording::Index3 block{0, 0, 0};
    const recording::Recording recorded = cpu->record(job, std::span(&block, 1), {});
    const std::vector<double> reference = kernels::cpu_reference(stage.operation, job.problem, operands, {});
    const double error = kernels::relative_error(std::span<const float>(ran.C), reference);
    cpu->run(job, kernels::ProbeKind::none, operands, {});
    const double error_of_cpu = kernels::relative_error(std::span<const float>(operands.C), reference);
    EXPECT_TRUE(error <= std::max(kernels::tolerance(job), 1.01 * error_of_cpu)) << error << ", CPU " << error_of_cpu;
    const Totals whole = recorded.totals();
    EXPECT_EQ(ran.totals.shared_store, whole.shared_store);
    EXPECT_EQ(ran.totals.global_load, whole.global_load);
    EXPECT_EQ(ran.totals.global_store, whole.global_store);
    if (merged.contains(stage.slug)) { // neighbouring loads of shared memory, by the compiler
        EXPECT_LT(ran.totals.shared_load.instructions, whole.shared_load.instructions);
        return;
    }
    EXPECT_EQ(ran.totals.shared_load, whole.shared_load);
    EXPECT_TRUE(moved.contains(stage.slug) || ran.lines == recorded.lines);
}

// Of a warp of wgmma_tma, steps that touch memory or an mbarrier. NVRTC gives the copies of A, but for the first ones, the
// line of those of B; A's descriptors start at the k that they read, in the shipped recording at their row.
std::vector<recording::Access> steps_to_compare(const recording::WarpTrace& warp)
{
    std::vector<recording::Access> result;
    for (recording::Access access : warp.accesses) {
        if (access.mask == 0 || access.op == recording::Op::barrier || access.op == recording::Op::shuffle)
            continue;
        access.instruction = 0;
        if (access.op == recording::Op::bulk_load || access.op == recording::Op::bulk_store)
            access.line = 0;
        if (access.op == recording::Op::matrix_multiply)
            for (uint32_t& offset : access.offset)
                offset = offset / 128 * 128;
        result.push_back(access);
    }
    return result;
}

// The result in float64 of A and B as the kernel gets them.
std::vector<double> reference_of(const Job& job, kernels::Operands operands)
{
    const bool half = kernels::type_of(job) == type_fp16;
    for (std::vector<float>* matrix : {&operands.A, &operands.B})
        for (float& value : *matrix)
            value = half ? kernels::to_float(kernels::to_half(value)) : kernels::to_float(kernels::to_bfloat16(value));
    return kernels::cpu_reference(job.stage->operation, job.problem, operands, {});
}

TEST(PtxLadder, EqualsWhatAnH200Recorded)
{
    const std::vector<kernels::Stage> ladder = kernels::make_ladder();
    const auto stage = std::ranges::find(ladder, "wgmma_tma", &kernels::Stage::slug);
    ASSERT_NE(stage, ladder.end());
    const recording::Recording shipped = recording::read(SOURCE_DIR "/assets/recordings/wgmma_tma.gscope");
    Job job{&*stage, {}, shipped.problem};
    for (const recording::Parameter& parameter : shipped.parameters)
        job.parameters.push_back(parameter.value);
    kernels::Operands operands = kernels::input_operands(stage->operation, job.problem, recording::input_seed);
    Ran ran;
    try {
        ran = run_ptx(job, operands);
    } catch (const kernels::Unavailable& missing) {
        GTEST_SKIP() << missing.what();
    }
    const std::vector<double> reference = reference_of(job, operands);
    EXPECT_LE(kernels::relative_error(std::span<const float>(ran.C), reference), kernels::tolerance(job));
    EXPECT_EQ(ran.totals, shipped.totals());
    ASSERT_EQ(ran.warps.size(), shipped.blocks.at(0).warps.size());
    for (std::size_t warp = 0; warp < ran.warps.size(); ++warp)
        EXPECT_TRUE(steps_to_compare(ran.warps[warp]) == steps_to_compare(shipped.blocks[0].warps[warp])) << warp;
}

// Tiles of other sizes, several of C one after another, K with a rest, FP16: against float64 alone.
TEST(PtxLadder, OtherTilesByTensorMapsAreRight)
{
    const std::vector<kernels::Stage> ladder = kernels::make_ladder();
    const auto stage = std::ranges::find(ladder, "wgmma_tma", &kernels::Stage::slug);
    ASSERT_NE(stage, ladder.end());
    struct Case {
        std::vector<int> parameters; // TYPE, BM, BN, BK, STAGES, BLOCKS, GROUP, CUT, ABOVE, BESIDE
        recording::Problem problem;
    };
    const Case cases[] = {{{type_fp16, 64, 64, 64, 2, 1, 16, 0, 1, 1}, {.M = 100, .N = 72, .K = 136}},
                          {{type_bf16, 128, 96, 64, 3, 2, 16, 0, 1, 1}, {.M = 130, .N = 200, .K = 72, .beta = 2}},
                          {{type_bf16, 192, 128, 64, 2, 2, 16, 1, 1, 1}, {.M = 192, .N = 384, .K = 256}}};
    for (const auto& [parameters, problem] : cases) {
        const Job job{&*stage, parameters, problem};
        kernels::Operands operands = kernels::input_operands(stage->operation, problem, recording::input_seed);
        try {
            const Ran ran = run_ptx(job, operands);
            const std::vector<double> reference = reference_of(job, operands);
            EXPECT_LE(kernels::relative_error(std::span<const float>(ran.C), reference), kernels::tolerance(job))
                << parameters[1] << " x " << parameters[2];
        } catch (const kernels::Unavailable& missing) {
            GTEST_SKIP() << missing.what();
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Rungs, PtxLadder, testing::Range<std::size_t>(0, kernels::make_ladder().size()),
                         [](const auto& rung) { return std::string(kernels::make_ladder()[rung.param].slug); });

} // namespace
