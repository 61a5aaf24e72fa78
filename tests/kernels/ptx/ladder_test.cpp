// Every rung of the ladder, compiled by NVRTC for a GPU, run by the PTX machine and by the CPU backend: two ways that share
// neither compiler nor probes.
#include "backend.h"
#include "error.h"
#include "gemm/device_form.h"
#include "gemm/reference.h"
#include "machine_code/machine_code.h"
#include "ptx/machine.h"
#include "recording/inputs.h"
#include "traced/builder.h"

#include <gtest/gtest.h>

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
};

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
    static const std::vector<std::byte> no_maps(2 * kernels::tensor_map_bytes);
    std::vector<std::byte> arguments = stage.arguments(job.parameters, job.problem,
                                                       {.A = place(0),
                                                        .B = place(1),
                                                        .C = static_cast<float*>(place(2)),
                                                        .tensor_maps = no_maps.data(),
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
        traced::Builder builder(planned, {}, {});
        const ptx::Outcome outcome =
            ptx::run(program, {.extent = extent, .dynamic_shared_bytes = dynamic, .arguments = arguments}, all,
                     [&](uint64_t block, uint32_t warp, const traced::Step& step) { builder.take(block, warp, step); });
        for (const auto& [line, totals] : builder.finish().lines)
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
    Ran ran;
    try {
        ran = run_ptx(job, operands);
    } catch (const kernels::Unavailable& missing) {
        GTEST_SKIP() << missing.what();
    } catch (const kernels::Error& refused) {
        ASSERT_NE(stage.only_compute_capability, 0) << refused.what(); // Hopper's own instructions, named
        EXPECT_NE(std::string(refused.what()).find("run the kernel on a GPU"), std::string::npos) << refused.what();
        return;
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

INSTANTIATE_TEST_SUITE_P(Rungs, PtxLadder, testing::Range<std::size_t>(0, kernels::make_ladder().size()),
                         [](const auto& rung) { return std::string(kernels::make_ladder()[rung.param].slug); });

} // namespace
