// Tests the names and meaning of the GPU's counters, their comparison with a recording, and the reasons why they are
// unavailable. No GPU is needed: wherever CUPTI is installed, its host part knows each chip's counters.
#include "backend.h"
#include "measure/counter_check.h"
#include "measure/readings.h"
#include "tests/kernels/recording/sample_recording.h"
#include "tests/ladder.h"
#include "tests/says.h"

#include <gtest/gtest.h>

#include <cmath>

namespace {

using kernels::Agreement;
using test::says;

constexpr uint64_t some = 7;

kernels::Counters all_counters(uint64_t value)
{
    kernels::Counters counters;
    counters.device.max_threads_per_sm = 2048;
    for (const std::string_view name : kernels::counter_names())
        counters.sums[std::string(name)] = value;
    return counters;
}

void set(kernels::Counters& counters, const std::string& name, uint64_t value)
{
    ASSERT_TRUE(counters.sums.contains(name)) << name;
    counters.sums[name] = value;
}

const kernels::CheckedFigure& row(const kernels::CounterCheck& check, std::string_view group, std::string_view figure)
{
    for (const kernels::CheckedFigure& one : check.figures)
        if (one.group == group && one.figure == figure)
            return one;
    throw std::out_of_range("no such figure");
}

// Returns counters that match these totals.
kernels::Counters counters_of(const recording::Totals& totals)
{
    kernels::Counters counters = all_counters(0);
    set(counters, "smsp__sass_inst_executed_op_shared_ld.sum", totals.shared_load.instructions);
    set(counters, "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", totals.shared_load.wavefronts);
    set(counters, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", totals.shared_load.conflicts);
    set(counters, "smsp__sass_inst_executed_op_shared_st.sum", totals.shared_store.instructions);
    set(counters, "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum", totals.shared_store.wavefronts);
    set(counters, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", totals.shared_store.conflicts);
    set(counters, "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", totals.global_load.requests);
    set(counters, "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum", totals.global_load.sectors);
    set(counters, "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", totals.global_store.requests);
    set(counters, "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_st.sum", totals.global_store.sectors);
    return counters;
}

const recording::Totals totals{
    .shared_load = {100, 300, 200}, .shared_store = {20, 30, 10}, .global_load = {40, 160}, .global_store = {8, 32}};

// Returns a recording with the totals on one line and without a complete block.
recording::Recording recording_of(const recording::Totals& totals)
{
    recording::Recording recording;
    recording.lines = {{.line = 3, .totals = totals}};
    return recording;
}

TEST(Counters, FiguresAddWhatBelongsTogether)
{
    kernels::Counters counters = all_counters(some);
    const kernels::CounterFigures f = kernels::figures(counters);
    EXPECT_EQ(f.shared_load.instructions, 2 * some); // LDS and LDSM
    EXPECT_EQ(f.shared_load.wavefronts, 2 * some);
    EXPECT_EQ(f.shared_store.instructions, some);
    EXPECT_EQ(f.global_load.requests, some); // includes cp.async's requests
    EXPECT_EQ(f.global_load.sectors, 2 * some);
    EXPECT_EQ(f.l1_hit_rate, 0.5); // as many misses as hits
    EXPECT_EQ(f.l2_hit_rate, 0.5);
    EXPECT_EQ(f.ipc, 1.0);
    EXPECT_DOUBLE_EQ(f.occupancy.value(), 1.0 / 64); // one of 64 warps in every active cycle
}

TEST(Counters, WhatIsMissingIsNotZero)
{
    kernels::Counters counters = all_counters(some);
    counters.sums.erase("smsp__sass_inst_executed_op_ldsm.sum");
    counters.sums.erase("sm__warps_active.sum");
    set(counters, "lts__t_sectors_lookup_hit.sum", 0);
    set(counters, "lts__t_sectors_lookup_miss.sum", 0);
    const kernels::CounterFigures f = kernels::figures(counters);
    EXPECT_FALSE(f.shared_load.instructions);
    EXPECT_TRUE(f.shared_load.wavefronts);
    EXPECT_FALSE(f.occupancy);
    EXPECT_FALSE(f.l2_hit_rate); // no accesses
    EXPECT_FALSE(kernels::figures({}).dram_read_bytes);
}

TEST(Counters, OfSeveralKernelsAddUpAndPercentagesAreTheMeanOverTheirTime)
{
    const std::string compute = "sm__throughput.avg.pct_of_peak_sustained_elapsed";
    const std::vector<std::string> names = {"smsp__inst_executed.sum", compute, "gpu__time_duration.sum"};
    const std::vector<std::vector<double>> values = {{100, 80, 3000}, {20, 40, 1000}};
    kernels::Counters counters;
    kernels::add_up(names, values, counters);
    EXPECT_EQ(counters.sums.at("smsp__inst_executed.sum"), 120u);
    EXPECT_EQ(counters.sums.at("gpu__time_duration.sum"), 4000u);
    EXPECT_EQ(counters.percents.at(compute), 70) << "80 for three quarters of the time";
    EXPECT_DOUBLE_EQ(kernels::figures(counters).compute_throughput.value(), 0.7);
    EXPECT_FALSE(counters.sums.contains(compute));
}

TEST(Counters, WhatOneOfSeveralKernelsLacksIsMissing)
{
    const std::string dram = "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed";
    const std::vector<std::string> names = {"smsp__inst_executed.sum", dram, "gpu__time_duration.sum"};
    const std::vector<std::vector<double>> values = {{100, 80, 3000}, {std::nan(""), std::nan(""), 1000}};
    kernels::Counters counters;
    kernels::add_up(names, values, counters);
    EXPECT_EQ(counters.sums.size(), 1u);
    EXPECT_TRUE(counters.percents.empty());
    kernels::Counters without_time;
    kernels::add_up(std::vector{dram}, std::vector<std::vector<double>>{{50}, {70}}, without_time);
    EXPECT_TRUE(without_time.percents.empty()) << "the weights are unknown";
    EXPECT_FALSE(kernels::figures(without_time).dram_throughput);
}

TEST(Counters, OfPipesAreThoseThatTheGpuHas)
{
    kernels::Counters counters = all_counters(some);
    set(counters, "sm__inst_executed_pipe_lsu.sum", 0);
    counters.sums.erase("sm__inst_executed_pipe_tma.sum");
    const kernels::CounterFigures f = kernels::figures(counters);
    EXPECT_EQ(f.pipes.size(), kernels::figures(all_counters(some)).pipes.size() - 1);
    EXPECT_EQ(f.executed_by("fmaheavy"), some);
    EXPECT_EQ(f.executed_by("lsu"), 0u) << "none went there";
    EXPECT_EQ(f.executed_by("tma"), std::nullopt) << "there is no such pipe";
}

TEST(CounterCheck, EqualFiguresAgree)
{
    const kernels::CounterCheck check = kernels::check(recording_of(totals), {}, counters_of(totals));
    EXPECT_EQ(check.figures.size(), 10u);
    for (const kernels::CheckedFigure& figure : check.figures)
        EXPECT_EQ(figure.agreement, Agreement::equal) << figure.group << ' ' << figure.figure;
    EXPECT_TRUE(check.ok());
}

TEST(CounterCheck, OneMoreOfAnythingIsSeen)
{
    const kernels::Counters equal = counters_of(totals);
    for (const auto& [name, sum] : equal.sums) {
        if (sum == 0)
            continue;
        kernels::Counters counters = equal;
        counters.sums[name] = sum + 1;
        EXPECT_FALSE(kernels::check(recording_of(totals), {}, counters).ok()) << name;
        counters.sums.erase(name);
        EXPECT_FALSE(kernels::check(recording_of(totals), {}, counters).ok()) << name << " is missing";
    }
}

TEST(CounterCheck, ConflictsMayIncludeArbitration)
{
    kernels::Counters counters = counters_of(totals);
    set(counters, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", 13);
    set(counters, "l1tex__data_bank_conflicts_type_arbitration.sum", 3); // plus a quarter: counted in another run
    EXPECT_EQ(row(kernels::check(recording_of(totals), {}, counters), "shared_store", "conflicts").agreement,
              Agreement::arbitration);
    set(counters, "l1tex__data_bank_conflicts_type_arbitration.sum", 2);
    EXPECT_EQ(row(kernels::check(recording_of(totals), {}, counters), "shared_store", "conflicts").agreement,
              Agreement::differs);
    // A count below the derived value cannot be due to arbitration.
    set(counters, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", 9);
    EXPECT_EQ(row(kernels::check(recording_of(totals), {}, counters), "shared_store", "conflicts").agreement,
              Agreement::differs);
}

TEST(CounterCheck, MergedLoadsTakeNoMoreThanAsWritten)
{
    kernels::Counters counters = counters_of(totals);
    set(counters, "smsp__sass_inst_executed_op_shared_ld.sum", 50);
    set(counters, "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", 300);
    set(counters, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", 150);
    kernels::CounterCheck check = kernels::check(recording_of(totals), {}, counters);
    EXPECT_EQ(row(check, "shared_load", "instructions").agreement, Agreement::merged);
    EXPECT_EQ(row(check, "shared_load", "conflicts").agreement, Agreement::merged);
    EXPECT_EQ(row(check, "shared_load", "wavefronts").agreement, Agreement::equal);
    EXPECT_TRUE(check.ok());
    set(counters, "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", 301);
    EXPECT_FALSE(kernels::check(recording_of(totals), {}, counters).ok());
    // There is less than one wavefront per instruction.
    set(counters, "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", 49);
    EXPECT_FALSE(kernels::check(recording_of(totals), {}, counters).ok());
}

TEST(CounterCheck, WhatIsExecutedMustBeCountedExactly)
{
    recording::Totals executed = totals;
    executed.shared_load = {50, 200, 100};
    kernels::Counters counters = counters_of(executed);
    EXPECT_TRUE(kernels::check(recording_of(totals), executed, counters).ok());
    EXPECT_EQ(row(kernels::check(recording_of(totals), executed, counters), "shared_load", "wavefronts").agreement,
              Agreement::equal);
    // A count below the source's value is not accepted if the executed code is known.
    set(counters, "smsp__sass_inst_executed_op_shared_ld.sum", 51);
    EXPECT_FALSE(kernels::check(recording_of(totals), executed, counters).ok());
    EXPECT_TRUE(kernels::check(recording_of(totals), {}, counters).ok());
}

TEST(CounterCheck, FragmentsOfWmmaAreOpaque)
{
    recording::Recording recording = sample::recording();
    uint8_t shared = 0;
    while (recording.arrays.at(shared).space != recording::Space::shared)
        ++shared;
    recording::Access access;
    access.op = recording::Op::tile_load;
    access.array = shared;
    recording.lines = recording_of(totals).lines;
    recording.blocks.at(0).warps.at(0).accesses.push_back(access);
    kernels::Counters counters = counters_of(totals);
    set(counters, "smsp__sass_inst_executed_op_shared_ld.sum", 1000);
    const kernels::CounterCheck check = kernels::check(recording, {}, counters);
    EXPECT_EQ(row(check, "shared_load", "instructions").agreement, Agreement::opaque);
    EXPECT_EQ(row(check, "shared_store", "instructions").agreement, Agreement::equal);
    EXPECT_TRUE(check.ok());
}

constexpr const char* copies = "smsp__sass_inst_executed_op_ldgsts.sum";
constexpr const char* load_sectors = "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum";

// Simulates a counter of sectors that is correct only in reading `right`; 0: never.
kernels::CounterReading settled(uint64_t number_of_copies, int right)
{
    int number = 0;
    const auto read = [&] {
        kernels::Counters counters = counters_of(totals);
        set(counters, copies, number_of_copies);
        if (++number != right)
            set(counters, load_sectors, 100 + number);
        return counters;
    };
    return kernels::settle(read(), recording_of(totals), {}, read);
}

TEST(CounterReadings, CopiesAreReadAgainUntilTheyAgree)
{
    EXPECT_EQ(settled(8, 1).readings, 1);
    EXPECT_EQ(settled(8, 2).readings, 2);
    EXPECT_TRUE(settled(8, 12).check.ok());
    const kernels::CounterReading never = settled(8, 0);
    EXPECT_EQ(never.readings, kernels::most_readings);
    EXPECT_FALSE(never.check.ok());
    EXPECT_EQ(never.counters.sums.at(load_sectors), 100u + kernels::most_readings) << "the last one";
}

TEST(CounterReadings, WithoutCopiesOneIsEnough)
{
    EXPECT_EQ(settled(0, 2).readings, 1);
    kernels::Counters wrong = counters_of(totals);
    set(wrong, copies, 8);
    set(wrong, load_sectors, 1);
    EXPECT_EQ(kernels::settle(wrong, recording_of(totals), {}, nullptr).readings, 1) << "it cannot be read again";
    kernels::Counters absent = counters_of(totals);
    set(absent, copies, 8);
    absent.sums.erase(load_sectors);
    const auto none = [] { return kernels::Counters{}; };
    EXPECT_EQ(kernels::settle(absent, recording_of(totals), {}, none).readings, 1) << "no reading brings it";
}

TEST(CounterReadings, WordsSayHowMany)
{
    EXPECT_EQ(kernels::readings_words(1, true), "");
    EXPECT_EQ(
        kernels::readings_words(4, true),
        "Read 4 times: the counter of the sectors that asynchronous copies read is not the same in every reading. "
        "Shown is the first one that agrees.");
    EXPECT_TRUE(says(kernels::readings_words(12, false), "No reading agrees"));
}

TEST(Counters, TheCpuHasNone)
{
    const kernels::Stage& stage = test::stage("naive");
    EXPECT_TRUE(says(
        test::refusal<kernels::Unavailable>([&] {
            kernels::make_cpu_backend()->counters({&stage, stage.standard_parameters(), {.M = 8, .N = 8, .K = 8}}, {});
        }),
        "NVIDIA GPUs only"));
}

} // namespace

#ifdef GEMMSCOPE_CUPTI

#include "cuda/access_patterns.h"
#include "cuda/cupti.h"

#include <optional>

namespace {

TEST(Cupti, RefusalsSayWhatToDo)
{
    const auto words = [](CUptiResult result) { return cuda::refusal(result, "CUPTI_ERROR_X", "cuptiCall"); };
    const std::string permission = words(CUPTI_ERROR_INSUFFICIENT_PRIVILEGES);
    for (const char* part : {"only administrators", "NVreg_RestrictProfilingToAdminUsers=0", "--cap-add=SYS_ADMIN",
                             "(CUPTI_ERROR_X from cuptiCall)"})
        EXPECT_TRUE(says(permission, part));
    for (int result = CUPTI_SUCCESS + 1; result <= CUPTI_ERROR_INVALID_CHIP_NAME; ++result) {
        const std::string text = words(static_cast<CUptiResult>(result));
        EXPECT_TRUE(says(text, "CUPTI_ERROR_X from cuptiCall"));
        EXPECT_TRUE(says(text, "; "));
        EXPECT_TRUE(text.ends_with(".") && text.find(". ") == std::string::npos) << "one sentence: " << text;
    }
    EXPECT_TRUE(says(words(CUPTI_ERROR_HARDWARE_BUSY), "Another profiler"));
    EXPECT_TRUE(says(words(CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED), "MIG"));
}

class CuptiHost : public testing::Test {
protected:
    void SetUp() override { SKIP_WHERE_UNAVAILABLE(cupti.emplace()); }
    std::optional<cuda::Cupti> cupti;
};

TEST_F(CuptiHost, EveryCounterExistsOnHopper)
{
    const cuda::Metrics metrics(*cupti, "GH100", {});
    std::vector<const char*> names;
    for (const std::string_view name : kernels::counter_names()) {
        EXPECT_TRUE(metrics.has(std::string(name))) << name;
        names.push_back(name.data());
    }
    for (const std::string_view name : kernels::percent_names()) {
        EXPECT_TRUE(metrics.has(std::string(name))) << name;
        names.push_back(name.data());
    }
    EXPECT_FALSE(metrics.has("smsp__no_such_counter.sum"));
    std::vector<uint8_t> config = metrics.config(names);
    const int passes = metrics.passes(config);
    EXPECT_GE(passes, 1);
    EXPECT_LE(passes, 12); // each pass takes a run of the kernel
}

TEST_F(CuptiHost, TheCountersOfAccessPatternsExistOnHopperInTwoRunsAtMost)
{
    for (const char* op : {"ld.shared", "st.shared", "ld.global", "st.global", "cp.ca.global", "cp.cg.shared",
                           "stmatrix.x4", "atom.add.u32", "red.add.f32"}) {
        const cuda::Metrics metrics(*cupti, "GH100", {});
        model::PatternRow row;
        row.op = op;
        std::vector<const char*> names;
        for (const std::string_view name : cuda::pattern_metrics(row)) {
            EXPECT_TRUE(metrics.has(std::string(name))) << name;
            names.push_back(name.data());
        }
        std::vector<uint8_t> config = metrics.config(names);
        EXPECT_LE(metrics.passes(config), 2) << op; // each pass takes a launch of every pattern
    }
}

TEST_F(CuptiHost, AnUnknownChipIsRefusedInWords)
{
    EXPECT_TRUE(says(test::refusal<kernels::Unavailable>([&] { const cuda::Metrics metrics(*cupti, "NO100", {}); }),
                     "cuptiProfilerHostInitialize"));
}

} // namespace

#else

TEST(Cupti, NeedsItsHeaders)
{
    GTEST_SKIP() << "built without CUPTI's headers";
}

#endif
