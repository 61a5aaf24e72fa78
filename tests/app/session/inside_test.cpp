// Additional facts for a recording: machine code, counters, and the reasons why they are missing.
#include "app/data/counters.h"
#include "app/engine/count.h"
#include "app/engine/device_scheduler.h"
#include "app/session/recordings.h"
#include "tests/app/engine/machine_with.h"
#include "tests/app/said.h"
#include "tests/app/session/fake_gpu.h"
#include "tests/kernels/recording/sample_recording.h"
#include "tests/ladder.h"
#include "tests/says.h"

#include "backend.h"
#include "own/copy.h"
#include "own/own_stage.h"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <fstream>
#include <optional>
#include <unistd.h>

namespace {

using test::said;
using test::ladder;
using test::says;

app::RecordingPtr record(std::string_view slug)
{
    const kernels::Job job = test::job(slug, {.M = 32, .N = 32, .K = 32, .alpha = 1, .beta = 0});
    return std::make_shared<const recording::Recording>(test::record(job));
}

app::RecordingPtr changed(const app::RecordingPtr& recording, const std::function<void(recording::Recording&)>& change)
{
    recording::Recording copy = *recording;
    change(copy);
    return std::make_shared<const recording::Recording>(std::move(copy));
}

app::ExamineResult examine(const app::RecordingPtr& recording)
{
    const app::Machine none;
    return app::ExamineTask{.recording = recording, .job = {}}.run({ladder(), none});
}

TEST(Inside, JobIsThatOfTheRecording)
{
    const app::RecordingPtr recording = record("vectorized");
    const auto job = app::find_job(ladder(), app::job_of(*recording));
    ASSERT_TRUE(job);
    EXPECT_EQ(job->stage->slug, "vectorized");
    EXPECT_EQ(job->parameters, job->stage->standard_parameters());
    EXPECT_EQ(job->problem, recording->problem);
    EXPECT_FALSE(app::find_job(ladder(), app::job_of(*changed(recording, [](auto& r) { r.stage = "another"; }))));
    EXPECT_FALSE(app::find_job(ladder(), app::job_of(*changed(recording, [](auto& r) { r.parameters.pop_back(); }))));
    EXPECT_FALSE(app::find_job(ladder(), app::job_of(*changed(recording, [](auto& r) { r.parameters[0].value = 0; }))));
}

TEST(Inside, MachineCodeFitsTheRecordingsLines)
{
    const app::ExamineResult code = examine(record("shared_tile"));
    if (code.code.kernels.empty())
        GTEST_SKIP() << said(code.missing); // no NVRTC
    EXPECT_EQ(said(code.missing), "");
    ASSERT_TRUE(code.executed);
    EXPECT_GT(code.executed->shared_load.instructions, 0u);
    EXPECT_FALSE(code.lines.empty());
}

TEST(Inside, MachineCodeOfAnOwnStageIsThatOfTheRungItWasCopiedFrom)
{
    std::optional<kernels::Stage> mine;
    SKIP_WHERE_UNAVAILABLE(
        mine = kernels::load_own_stage("mine", kernels::copied_stage(test::stage("shared_tile"), "mine")));
    const kernels::Job job{&*mine, mine->standard_parameters(), {.M = 32, .N = 32, .K = 32, .alpha = 1, .beta = 0}};
    const app::ExamineResult own = examine(std::make_shared<const recording::Recording>(test::record(job)));
    const app::ExamineResult rung = examine(record("shared_tile"));
    EXPECT_EQ(said(own.missing), "");
    ASSERT_TRUE(own.executed && rung.executed);
    EXPECT_EQ(*own.executed, *rung.executed);
}

TEST(Inside, WhatDoesNotFitIsSaid)
{
    const app::RecordingPtr recording = record("shared_tile");
    const auto missing = [&](const std::function<void(recording::Recording&)>& change) {
        const app::ExamineResult code = examine(changed(recording, change));
        EXPECT_TRUE(code.lines.empty());
        return said(code.missing);
    };
    EXPECT_TRUE(says(missing([](auto& r) { r.sources[0].text.insert(0, "\n"); }), "source has changed"));
    EXPECT_TRUE(says(missing([](auto& r) { r.stage = "another"; }), "does not have in that form"));
}

// Uses the device scheduler, as the window does: counting that a recording interrupts is repeated.
app::Machine machine_of(const std::shared_ptr<test::FakeGpu>& gpu)
{
    static app::DeviceScheduler turns;
    return test::machine_with(app::shared_backend(*gpu, turns, app::Lane::counters));
}

app::CountTask task_for(const app::RecordingPtr& recording, const app::ShippedCounters& shipped)
{
    app::CountTask task{.job = app::job_of(*recording), .recording = recording, .shipped = {}};
    task.shipped = app::counted_elsewhere(shipped, app::find_job(ladder(), task.job));
    return task;
}

app::CountedLaunch count(const app::Machine& machine, const app::ShippedCounters& shipped,
                         const app::RecordingPtr& recording, std::stop_token stop = {})
{
    return *task_for(recording, shipped).run({ladder(), machine, std::move(stop)}).launch;
}

app::CountedInstructions count_instructions(const app::Machine& machine, const app::ShippedCounters& shipped,
                                            const app::RecordingPtr& recording)
{
    app::CountTask task = task_for(recording, shipped);
    task.launch = false;
    task.instructions = true;
    return *task.run({ladder(), machine}).instructions;
}

TEST(Inside, CountersOrTheReasonWhyNot)
{
    const app::RecordingPtr recording = record("naive");
    const auto gpu = std::make_shared<test::FakeGpu>();
    const app::ShippedCounters nothing = app::read_counters("/nowhere", ladder());
    const app::Machine machine = machine_of(gpu);
    app::CountedLaunch counted = count(machine, nothing, recording);
    EXPECT_FALSE(counted.counters);
    EXPECT_EQ(said(counted.missing), "Nobody may count here.");

    gpu->counted = kernels::Counters{};
    counted = count(machine, nothing, recording);
    ASSERT_TRUE(counted.counters);
    EXPECT_EQ(said(counted.missing), "");
    EXPECT_EQ(counted.check.figures.size(), 10u);
    EXPECT_EQ(counted.least_dram_bytes, 2 * 32 * 32 * 4);

    app::Machine none;
    none.why_no_gpu = "There is no GPU.";
    EXPECT_EQ(said(count(none, nothing, recording).missing),
              "There is no GPU. There is no shipped counters.json: /nowhere/counters.json is not there.");
}

// Returns counters that agree with a recording without shared memory.
kernels::Counters agreeing(const recording::Recording& recording)
{
    const recording::Totals t = recording.totals();
    kernels::Counters counters;
    for (const std::string_view name : kernels::counter_names())
        counters.sums[std::string(name)] = 0;
    counters.sums["smsp__sass_inst_executed_op_ldgsts.sum"] = 8; // counters of copies may differ between readings
    counters.sums["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"] = t.global_load.requests;
    counters.sums["smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum"] = t.global_load.sectors;
    counters.sums["l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"] = t.global_store.requests;
    counters.sums["smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_st.sum"] = t.global_store.sectors;
    return counters;
}

TEST(Inside, ReadingsOfCopiesAreRepeatedUntilTheyAgree)
{
    const app::RecordingPtr recording = record("naive");
    const auto gpu = std::make_shared<test::FakeGpu>();
    const app::ShippedCounters nothing = app::read_counters("/nowhere", ladder());
    const app::Machine machine = machine_of(gpu);
    gpu->counted = agreeing(*recording);
    kernels::Counters other = *gpu->counted;
    --other.sums["smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum"];
    gpu->counted_before = {other, other};
    app::CountedLaunch counted = count(machine, nothing, recording);
    EXPECT_EQ(counted.readings, 3);
    EXPECT_EQ(gpu->readings, 3);
    EXPECT_TRUE(counted.check.ok());

    gpu->counted_before = {other};
    gpu->interrupted = 2;
    counted = count(machine, nothing, recording);
    EXPECT_EQ(counted.readings, 2) << "a reading that a recording interrupts is repeated and not counted";
    EXPECT_TRUE(counted.check.ok());
}

TEST(Inside, ReadingsEndWhenAskedTo)
{
    const app::RecordingPtr recording = record("naive");
    const auto gpu = std::make_shared<test::FakeGpu>();
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
    EXPECT_THROW(count(machine, nothing, recording, stop.get_token()), kernels::Cancelled);
    EXPECT_EQ(gpu->readings, 3);
}

// Returns the accesses that are derived from the machine code as if the GPU had counted them.
kernels::InstructionCounters as_derived(const app::ExamineResult& code, const kernels::Job& job)
{
    kernels::InstructionCounters result{.instructions = {}, .device = {.name = "fake GPU"}};
    const kernels::Executed executed = kernels::executed(code.code, *job.stage, job.parameters, job.problem, {});
    for (std::size_t kernel = 0; kernel < code.code.kernels.size(); ++kernel)
        for (const kernels::Instruction& one : code.code.kernels[kernel].instructions)
            if (one.op)
                result.instructions.push_back({kernel, one.address});
    for (const kernels::SassAccessCounts& row : executed.instructions) // to the first instruction of its line
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

TEST(Inside, ALaunchOfTooManyInstructionsIsNotFollowed)
{
    const app::RecordingPtr recording = record("shared_tile");
    const app::ExamineResult code = examine(recording);
    if (code.code.kernels.empty())
        GTEST_SKIP() << said(code.missing); // no NVRTC
    kernels::Job job = *app::find_job(ladder(), app::job_of(*recording));
    const auto follow = [&] { return kernels::executed(code.code, *job.stage, job.parameters, job.problem, {}); };
    EXPECT_FALSE(follow().instructions.empty());
    job.problem = {.M = 4096, .N = 4096, .K = 4096};
    EXPECT_THROW(follow(), kernels::Unavailable);
}

TEST(Inside, InstructionsAreCountedBesideWhatIsDerived)
{
    const app::RecordingPtr recording = record("shared_tile");
    const app::ExamineResult code = examine(recording);
    if (code.code.kernels.empty())
        GTEST_SKIP() << said(code.missing); // no NVRTC
    const auto gpu = std::make_shared<test::FakeGpu>();
    const app::Machine machine = machine_of(gpu);
    const app::ShippedCounters nothing = app::read_counters("/nowhere", ladder());
    app::CountedInstructions counted = count_instructions(machine, nothing, recording);
    EXPECT_EQ(said(counted.missing), "Nobody may look into instructions here.");

    gpu->counted_instructions = as_derived(code, *app::find_job(ladder(), app::job_of(*recording)));
    counted = count_instructions(machine, nothing, recording);
    EXPECT_EQ(said(counted.missing), "");
    ASSERT_FALSE(counted.accesses.empty());
    for (const kernels::CountedAccesses& one : counted.accesses)
        EXPECT_TRUE(one.agrees()) << one.line << ' ' << one.name;

    ASSERT_NE(counted.run, nullptr);
    uint64_t executed = 0;
    for (const kernels::InstructionCount& one : gpu->counted_instructions->instructions)
        executed += one.executed;
    EXPECT_EQ(counted.run->executed(), executed);
    EXPECT_EQ(counted.run->source, app::source_checksum(*recording))
        << "the profile's lines are those of the shown source";
    EXPECT_FALSE(counted.run->samples.has_value());
    EXPECT_EQ(counted.not_sampled, "Nobody may look at warps here.") << "the counts are there without samples";
    const uint32_t somewhere = gpu->counted_instructions->instructions.front().address;
    gpu->warps_sampled =
        recording::WarpSamples{.states = {"barrier"}, .samples = {{0, somewhere, 0, 9}}, .cycles = 1024};
    counted = count_instructions(machine, nothing, recording);
    EXPECT_EQ(counted.not_sampled, "");
    EXPECT_EQ(counted.run->samples->kept(), 9u);
    app::CountTask both = task_for(recording, nothing);
    both.instructions = true;
    const app::CountResult checked = both.run({ladder(), machine});
    EXPECT_FALSE(checked.instructions->run->samples.has_value()) << "a check of all counters needs no samples";
    EXPECT_EQ(checked.instructions->not_sampled, "");

    const app::RecordingPtr other = changed(recording, [](auto& r) { r.device.compute_capability = 80; });
    EXPECT_TRUE(says(said(count_instructions(machine, nothing, other).missing), "sm_80"));
}

TEST(Inside, ShippedCountersStandWhereThereIsNoGpuAndOfTheSameMachineCode)
{
    const app::RecordingPtr recording = record("shared_tile");
    const kernels::Job job = *app::find_job(ladder(), app::job_of(*recording));
    app::Machine none;
    none.why_no_gpu = "There is no GPU.";
    const app::ExamineResult code = examine(recording);
    if (code.code.kernels.empty())
        GTEST_SKIP() << said(code.missing); // no NVRTC
    app::CountedRow row{.slug = "shared_tile",
                        .parameters = job.parameters,
                        .problem = job.problem,
                        .counters = {.sums = {{"smsp__inst_issued.sum", 77}}, .device = {.name = "a GPU"}},
                        .each = app::with_names(as_derived(code, job), code.code)};
    app::ShippedCounters shipped{.from = {.date = "2026-11-21"}, .rows = {row}};
    const recording::Provenance elsewhere{
        .how = recording::How::counted, .shipped = true, .device = "a GPU", .date = "2026-11-21"};
    const app::CountedLaunch counted = count(none, shipped, recording);
    ASSERT_TRUE(counted.counters);
    EXPECT_EQ(counted.shipped, elsewhere);
    const app::CountedInstructions instructions = count_instructions(none, shipped, recording);
    ASSERT_TRUE(instructions.counters) << said(instructions.missing);
    EXPECT_EQ(instructions.shipped, elsewhere);
    for (const kernels::CountedAccesses& one : instructions.accesses)
        EXPECT_TRUE(one.agrees()) << one.line << ' ' << one.name;

    shipped.rows[0].each[0].name = "LDG.U8"; // as from another compiler
    EXPECT_EQ(count_instructions(none, shipped, recording).missing,
              recording::Reasons{{recording::Missing::other_code}});
}

} // namespace
