// What is had beside a recording: machine code, counters, and the reasons why not.
#include "app/session/inside.h"
#include "tests/app/session/fake_gpu.h"
#include "tests/kernels/recording/sample_recording.h"

#include "backend.h"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <fstream>
#include <unistd.h>

namespace {

const std::vector<kernels::Stage>& ladder()
{
    static const std::vector<kernels::Stage> stages = kernels::make_ladder();
    return stages;
}

app::RecordingPtr record(std::string_view slug)
{
    const kernels::Stage& stage = kernels::find_stage(ladder(), slug);
    const kernels::Job job{&stage, stage.standard_parameters(), {.M = 32, .N = 32, .K = 32, .alpha = 1, .beta = 0}};
    const recording::Index3 block{0, 0, 0};
    return std::make_shared<const recording::Recording>(
        kernels::make_cpu_backend()->record(job, std::span(&block, 1), {}));
}

app::RecordingPtr changed(const app::RecordingPtr& recording, const std::function<void(recording::Recording&)>& change)
{
    recording::Recording copy = *recording;
    change(copy);
    return std::make_shared<const recording::Recording>(std::move(copy));
}

TEST(Inside, JobIsThatOfTheRecording)
{
    const app::RecordingPtr recording = record("vectorized");
    const auto job = app::job_of(ladder(), *recording);
    ASSERT_TRUE(job);
    EXPECT_EQ(job->stage->slug, "vectorized");
    EXPECT_EQ(job->parameters, job->stage->standard_parameters());
    EXPECT_EQ(job->problem, recording->problem);
    EXPECT_FALSE(app::job_of(ladder(), *changed(recording, [](auto& r) { r.stage = "another"; })));
    EXPECT_FALSE(app::job_of(ladder(), *changed(recording, [](auto& r) { r.parameters.pop_back(); })));
    EXPECT_FALSE(app::job_of(ladder(), *changed(recording, [](auto& r) { r.parameters[0].value = 0; })));
}

TEST(Inside, MachineCodeFitsTheRecordingsLines)
{
    const app::CodeOf code = app::examine(ladder(), record("shared_tile"), {});
    if (code.code.kernels.empty())
        GTEST_SKIP() << code.missing; // no NVRTC
    EXPECT_EQ(code.missing, "");
    ASSERT_TRUE(code.executed);
    EXPECT_GT(code.executed->shared_load.instructions, 0u);
    EXPECT_FALSE(code.lines.empty());
}

TEST(Inside, WhatDoesNotFitIsSaid)
{
    const app::RecordingPtr recording = record("shared_tile");
    const auto missing = [&](const std::function<void(recording::Recording&)>& change) {
        const app::CodeOf code = app::examine(ladder(), changed(recording, change), {});
        EXPECT_TRUE(code.lines.empty());
        return code.missing;
    };
    EXPECT_NE(missing([](auto& r) { r.sources[0].text += "\n"; }).find("source has changed"), std::string::npos);
    EXPECT_NE(missing([](auto& r) { r.stage = "another"; }).find("does not have in that form"), std::string::npos);
}

app::Machine machine_of(const std::shared_ptr<cpu_tests::FakeGpu>& gpu)
{
    app::Machine machine;
    machine.backend = gpu;
    return machine;
}

TEST(Inside, CountersOrTheReasonWhyNot)
{
    const app::RecordingPtr recording = record("naive");
    const auto gpu = std::make_shared<cpu_tests::FakeGpu>();
    const app::ShippedCounters nothing = app::read_counters("/nowhere", ladder());
    const app::Machine machine = machine_of(gpu);
    app::CountersOf counted = app::count({machine, nothing}, ladder(), recording, {});
    EXPECT_FALSE(counted.counters);
    EXPECT_EQ(counted.missing, "Nobody may count here.");

    gpu->counted = kernels::Counters{};
    counted = app::count({machine, nothing}, ladder(), recording, {});
    ASSERT_TRUE(counted.counters);
    EXPECT_EQ(counted.missing, "");
    EXPECT_EQ(counted.check.figures.size(), 10u);
    EXPECT_EQ(counted.least_dram_bytes, 2 * 32 * 32 * 4);

    app::Machine none;
    none.why_no_gpu = "There is no GPU.";
    EXPECT_EQ(app::count({none, nothing}, ladder(), recording, {}).missing,
              "There is no GPU. There are no shipped counters of a GPU: /nowhere/counters.json is not there.");
}

// What the counters must say of a recording without shared memory.
kernels::Counters agreeing(const recording::Recording& recording)
{
    const recording::Totals t = recording.totals();
    kernels::Counters counters;
    for (const std::string_view name : kernels::counter_names())
        counters.sums[std::string(name)] = 0;
    counters.sums["smsp__sass_inst_executed_op_ldgsts.sum"] = 8; // so they may differ from reading to reading
    counters.sums["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"] = t.global_load.requests;
    counters.sums["smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum"] = t.global_load.sectors;
    counters.sums["l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"] = t.global_store.requests;
    counters.sums["smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_st.sum"] = t.global_store.sectors;
    return counters;
}

TEST(Inside, ReadingsOfCopiesAreRepeatedUntilTheyAgree)
{
    const app::RecordingPtr recording = record("naive");
    const auto gpu = std::make_shared<cpu_tests::FakeGpu>();
    const app::ShippedCounters nothing = app::read_counters("/nowhere", ladder());
    const app::Machine machine = machine_of(gpu);
    gpu->counted = agreeing(*recording);
    kernels::Counters other = *gpu->counted;
    --other.sums["smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum"];
    gpu->counted_before = {other, other};
    app::CountersOf counted = app::count({machine, nothing}, ladder(), recording, {});
    EXPECT_EQ(counted.readings, 3);
    EXPECT_EQ(gpu->readings, 3);
    EXPECT_TRUE(counted.check.ok());

    gpu->counted_before = {other};
    gpu->interrupted = 2;
    counted = app::count({machine, nothing}, ladder(), recording, {});
    EXPECT_EQ(counted.readings, 2) << "those that a recording interrupts are made again, and not counted";
    EXPECT_TRUE(counted.check.ok());
}

TEST(Inside, ReadingsEndWhenAskedTo)
{
    const app::RecordingPtr recording = record("naive");
    const auto gpu = std::make_shared<cpu_tests::FakeGpu>();
    const app::ShippedCounters nothing = app::read_counters("/nowhere", ladder());
    const app::Machine machine = machine_of(gpu);
    gpu->counted = kernels::Counters{}; // never agrees
    gpu->counted->sums = agreeing(*recording).sums;
    ++gpu->counted->sums["smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum"];
    std::stop_source stop;
    gpu->while_counting = [&] {
        if (gpu->readings == 3)
            stop.request_stop();
    };
    EXPECT_THROW(app::count({machine, nothing}, ladder(), recording, stop.get_token()), kernels::Cancelled);
    EXPECT_EQ(gpu->readings, 3);
}

// What following the machine code derives, as if the GPU had counted it.
kernels::InstructionCounters as_derived(const app::CodeOf& code, const kernels::Job& job)
{
    kernels::InstructionCounters result{.instructions = {}, .device = {.name = "fake GPU"}};
    const kernels::Executed executed = kernels::executed(code.code, *job.stage, job.parameters, job.problem, {});
    for (std::size_t kernel = 0; kernel < code.code.kernels.size(); ++kernel)
        for (const kernels::Instruction& one : code.code.kernels[kernel].instructions)
            if (one.op)
                result.instructions.push_back({kernel, one.address});
    for (const kernels::ExecutedInstructions& row : executed.instructions) // all to the first of its line
        for (kernels::InstructionCount& count : result.instructions) {
            const auto& all = code.code.kernels[row.kernel].instructions;
            const auto one = std::ranges::find(all, count.address, &kernels::Instruction::address);
            if (count.kernel != row.kernel || one->line != row.line || one->name != row.name)
                continue;
            const recording::Totals& t = row.totals;
            count.executed += t.shared_load.instructions + t.shared_store.instructions + t.global_load.requests +
                              t.global_store.requests;
            count.shared_wavefronts += t.shared_load.wavefronts + t.shared_store.wavefronts;
            count.global_sectors += t.global_load.sectors + t.global_store.sectors;
            break;
        }
    return result;
}

TEST(Inside, InstructionsAreCountedBesideWhatIsDerived)
{
    const app::RecordingPtr recording = record("shared_tile");
    const app::CodeOf code = app::examine(ladder(), recording, {});
    if (code.code.kernels.empty())
        GTEST_SKIP() << code.missing; // no NVRTC
    const auto gpu = std::make_shared<cpu_tests::FakeGpu>();
    const app::Machine machine = machine_of(gpu);
    const app::ShippedCounters nothing = app::read_counters("/nowhere", ladder());
    app::InstructionsOf counted = app::count_instructions({machine, nothing}, ladder(), recording, {});
    EXPECT_EQ(counted.missing, "Nobody may look into instructions here.");

    gpu->counted_instructions = as_derived(code, *app::job_of(ladder(), *recording));
    counted = app::count_instructions({machine, nothing}, ladder(), recording, {});
    EXPECT_EQ(counted.missing, "");
    ASSERT_FALSE(counted.accesses.empty());
    for (const kernels::CountedAccesses& one : counted.accesses)
        EXPECT_TRUE(one.agrees()) << one.line << ' ' << one.name;

    const app::RecordingPtr other = changed(recording, [](auto& r) { r.device.compute_capability = 80; });
    EXPECT_NE(app::count_instructions({machine, nothing}, ladder(), other, {}).missing.find("sm_80"),
              std::string::npos);
}

TEST(Inside, ShippedCountersStandWhereThereIsNoGpuAndOfTheSameMachineCode)
{
    const app::RecordingPtr recording = record("shared_tile");
    const kernels::Job job = *app::job_of(ladder(), *recording);
    app::Machine none;
    none.why_no_gpu = "There is no GPU.";
    const app::CodeOf code = app::examine(ladder(), recording, {});
    if (code.code.kernels.empty())
        GTEST_SKIP() << code.missing; // no NVRTC
    app::CountedRow row{.slug = "shared_tile",
                        .parameters = job.parameters,
                        .problem = job.problem,
                        .counters = {.sums = {{"smsp__inst_issued.sum", 77}}, .device = {.name = "a GPU"}},
                        .each = app::with_names(as_derived(code, job), code.code)};
    app::ShippedCounters shipped{.from = {.date = "2026-11-21"}, .rows = {row}};
    const app::CountersOf counted = app::count({none, shipped}, ladder(), recording, {});
    ASSERT_TRUE(counted.counters);
    EXPECT_EQ(counted.shipped, "a GPU, 2026-11-21");
    const app::InstructionsOf instructions = app::count_instructions({none, shipped}, ladder(), recording, {});
    ASSERT_TRUE(instructions.counters) << instructions.missing;
    EXPECT_EQ(instructions.shipped, "a GPU, 2026-11-21");
    for (const kernels::CountedAccesses& one : instructions.accesses)
        EXPECT_TRUE(one.agrees()) << one.line << ' ' << one.name;

    shipped.rows[0].each[0].name = "LDG.U8"; // as another compiler made it
    EXPECT_NE(app::count_instructions({none, shipped}, ladder(), recording, {}).missing.find("other machine code"),
              std::string::npos);
}

struct Made {
    app::RecordingPtr recording;
    int number = 0;
};

// Work that waits until the test lets it go on.
class ByRecordingTest : public testing::Test {
protected:
    app::RecordingPtr first = std::make_shared<const recording::Recording>();
    app::RecordingPtr second = std::make_shared<const recording::Recording>();
    std::atomic<int> begun = 0, let = 0;
    app::ByRecording<Made> made{[this](const app::RecordingPtr& recording, const std::stop_token& stop) {
                                    const int number = ++begun;
                                    while (let < number && !stop.stop_requested())
                                        std::this_thread::yield();
                                    if (stop.stop_requested())
                                        throw kernels::Cancelled();
                                    return Made{recording, number};
                                },
                                [] {}};
    void wait()
    {
        while (!made.poll())
            std::this_thread::yield();
    }
};

TEST_F(ByRecordingTest, IsMadeOnceAndKept)
{
    made.want(first);
    EXPECT_TRUE(made.busy());
    EXPECT_EQ(made.of(first), nullptr);
    made.want(first);
    let = 1;
    wait();
    EXPECT_FALSE(made.busy());
    ASSERT_NE(made.of(first), nullptr);
    EXPECT_EQ(made.of(first)->number, 1);
    made.want(first);
    EXPECT_FALSE(made.busy());
    made.forget(first);
    EXPECT_EQ(made.of(first), nullptr);
}

TEST_F(ByRecordingTest, TheLastOneWantedReplacesWhatIsUnderWay)
{
    made.want(first);
    while (begun == 0)
        std::this_thread::yield();
    made.want(second); // does not wait
    let = 2;
    wait(); // the first one's end
    wait();
    EXPECT_EQ(made.of(first), nullptr);
    ASSERT_NE(made.of(second), nullptr);
}

TEST_F(ByRecordingTest, CanBeCancelled)
{
    made.want(first);
    made.cancel();
    wait();
    EXPECT_FALSE(made.busy());
    EXPECT_EQ(made.of(first), nullptr);
}

} // namespace
