// The metrics of a launch, each defined by one entry.
#include "app/data/metrics.h"

#include "error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>

namespace {

TEST(Metrics, EachHasAnIdOfItsOwnATitleAndASentence)
{
    std::set<std::string_view> ids, counters;
    for (const app::Metric& metric : app::metrics()) {
        EXPECT_TRUE(ids.insert(metric.id).second) << metric.id;
        EXPECT_TRUE(metric.counter.empty() || counters.insert(metric.counter).second) << metric.counter;
        EXPECT_FALSE(metric.title.empty() || metric.format.empty()) << metric.id;
        EXPECT_TRUE(metric.about.ends_with('.')) << metric.id;
        EXPECT_EQ(&app::metric(metric.id), &metric);
    }
    EXPECT_THROW(app::metric("no_such"), kernels::Error);
    EXPECT_TRUE(std::ranges::is_partitioned(app::metrics(), [](const app::Metric& metric) { return metric.in_table; }))
        << "the metrics of the table come first";
}

kernels::Counters counted()
{
    kernels::Counters counters;
    counters.sums = {{"dram__bytes_read.sum", 3000}, {"dram__bytes_write.sum", 1000}, {"gpu__time_duration.sum", 8}};
    return counters;
}

TEST(Metrics, AFigureThatCouldNotBeHadIsMissing)
{
    const kernels::Counters counters = counted();
    app::LaunchFacts facts{.counters = &counters, .figures = kernels::figures(counters)};
    EXPECT_EQ(app::metric("dram_bytes").of(facts).value(), 4000);
    EXPECT_EQ(app::metric("dram_gbps").of(facts).value(), 500);
    EXPECT_FALSE(app::metric("l1_hit_rate").of(facts));
    EXPECT_FALSE(app::metric("dram_share").of(facts)) << "the GPU's bandwidth is not known";
    facts.peak_gbps = {1000, {}};
    EXPECT_EQ(app::metric("dram_share").of(facts).value(), 0.5);
    EXPECT_EQ(app::metric("compute_throughput").of(facts).missing().missing, recording::Missing::not_shipped);
    EXPECT_FALSE(app::metric("gflops").of(facts)) << "it was not timed";
    const app::LaunchFacts nothing{.why_not_counted = {recording::Missing::other_launch, {}}};
    EXPECT_EQ(app::metric("dram_bytes").of(nothing).missing().missing, recording::Missing::other_launch);
}

// A launch with all figures, chosen so that metrics are easy to compute by hand.
struct KnownLaunch {
    kernels::Counters counters;
    app::TimedRow timed;
    app::LaunchFacts facts;

    KnownLaunch()
    {
        counters.sums = {{"dram__bytes_read.sum", 6 << 20},
                         {"dram__bytes_write.sum", 2 << 20},
                         {"gpu__time_duration.sum", 4 << 20},
                         {"l1tex__t_sectors_lookup_hit.sum", 30 << 20},
                         {"l1tex__t_sectors_lookup_miss.sum", 70 << 20},
                         {"lts__t_sectors_lookup_hit.sum", 600 << 20},
                         {"lts__t_sectors_lookup_miss.sum", 200 << 20},
                         {"sm__cycles_active.sum", 1000},
                         {"sm__warps_active.sum", 16000},
                         {"smsp__inst_issued.sum", 2000},
                         {"smsp__inst_executed.sum", 1900},
                         {"smsp__sass_inst_executed_op_ldgsts.sum", 21},
                         {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", 40},
                         {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldsm.sum", 2},
                         {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum", 8},
                         {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", 45},
                         {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", 9},
                         {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", 5},
                         {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", 1},
                         {"l1tex__data_bank_conflicts_type_arbitration.sum", 3},
                         {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum", 500},
                         {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts.sum", 50},
                         {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_st.sum", 7}};
        uint64_t percent = 0; // 19 of the 1,900 instructions
        for (const char* const pipe :
             {"fmaheavy", "fmalite", "tensor", "fp64", "alu", "xu", "lsu", "tma", "uniform", "cbu", "adu"})
            counters.sums[std::string("sm__inst_executed_pipe_") + pipe + ".sum"] = 19 * ++percent;
        counters.percents = {{"sm__throughput.avg.pct_of_peak_sustained_elapsed", 61},
                             {"gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed", 62},
                             {"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", 63}};
        counters.resources.registers_per_thread = 128;
        counters.device.max_threads_per_sm = 2048;
        timed = {.right = true,
                 .error = 3e-7,
                 .total_error = 2e-4,
                 .timing = {.median_ms = 2, .low_ms = 1.9, .high_ms = 2.2, .energy = {.joules = 0.02, .ms = 2.5}},
                 .gflops = 8,
                 .of_cublas = 0.8,
                 .of_best = 0.7,
                 .of_peak = 0.6};
        facts = {.counters = &counters,
                 .figures = kernels::figures(counters),
                 .timed = &timed,
                 .peak_gbps = {4, {}},
                 .naive_gflops = {0.8, {}}};
    }
};

// The text of a metric's value contains the value, the format and the unit, so a change of any of them fails here.
struct ReadsAs {
    const char* id;
    const char* text;
    app::Better better;
};
using enum app::Better;
constexpr ReadsAs reads_as[] = {
    {"dram_bytes", "8 MiB", fewer},
    {"dram_gbps", "2.00", neither},
    {"dram_share", "50.0%", neither},
    {"l1_hit_rate", "30.0%", neither},
    {"l2_hit_rate", "75.0%", neither},
    {"duration", "4.19 ms", fewer},
    {"gflops", "8.00", more},
    {"over_naive", "10.0 ×", more},
    {"error", "2.0e-04", fewer},
    {"compute_throughput", "61.0%", neither},
    {"memory_throughput", "62.0%", neither},
    {"dram_throughput", "63.0%", neither},
    {"joules", "20 mJ", fewer},
    {"gflop_per_joule", "0.8", more}, // 8 GFLOPS for 2 ms are 0.016 GFLOP
    {"l2_bytes", "25 GiB", fewer},    // 800 x 2^20 sectors of 32 bytes
    {"l2_gbps", "6,400", neither},    // in 4 x 2^20 ns
    {"l1_tbps", "0.80", neither},     // 100 x 2^20 sectors of 32 bytes, in the same time
    {"global_sectors", "557", fewer},
    {"shared_wavefronts", "50", fewer},
    {"bank_conflicts", "6", fewer},
    {"instructions", "2,000", fewer},
    {"issued_per_cycle", "2.00", neither},
    {"issue_slots", "50.0%", neither}, // of four schedulers
    {"occupancy", "25.0%", neither},   // 16 warps of 64
    {"active_cycles", "1,000", fewer},
    {"registers", "128", fewer},
    {"pipe_fmaheavy", "1.0%", neither},
    {"pipe_fmalite", "2.0%", neither},
    {"pipe_tensor", "3.0%", neither},
    {"pipe_fp64", "4.0%", neither},
    {"pipe_alu", "5.0%", neither},
    {"pipe_xu", "6.0%", neither},
    {"pipe_lsu", "7.0%", neither},
    {"pipe_tma", "8.0%", neither},
    {"pipe_uniform", "9.0%", neither},
    {"pipe_cbu", "10.0%", neither},
    {"pipe_adu", "11.0%", neither},
    {"arbitration", "3", fewer},
    {"async_copies", "21", neither},
    {"shared_load_hardware_wavefronts", "45", fewer},
    {"shared_store_hardware_wavefronts", "9", fewer},
    {"dram_read_bytes", "6 MiB", fewer},
    {"dram_write_bytes", "2 MiB", fewer},
    {"executed_warp_instructions", "1,900", fewer},
    {"l2_sectors", "838.86 M", fewer},
    {"global_load_sectors", "550", fewer},
    {"shared_load_wavefronts", "42", fewer},
    {"shared_store_wavefronts", "8", fewer},
    {"median_ms", "2.0000", fewer},
    {"spread", "15.0%", fewer}, // 0.3 ms of 2
    {"of_cublas", "80.0%", more},
    {"of_best", "70.0%", more},
    {"of_peak", "60.0%", more},
    {"error_of_sums", "3.0e-07", fewer},
    {"watts", "8", neither}, // 0.02 J in 2.5 ms
};

TEST(Metrics, ReadWithTheirUnitsAndSayWhichWayIsBetter)
{
    const KnownLaunch launch;
    for (const ReadsAs& expected : reads_as) {
        const app::Metric& metric = app::metric(expected.id);
        const recording::Measured<double> value = metric.of(launch.facts);
        ASSERT_TRUE(value) << expected.id;
        EXPECT_EQ(app::number_text(metric.format, *value), expected.text) << expected.id;
        EXPECT_EQ(metric.better, expected.better) << expected.id;
    }
}

// If the values have no unit, the heading has it.
TEST(Metrics, HeadingsHaveTheUnitsThatValuesLack)
{
    for (const auto& [id, heading] : {std::pair{"dram_gbps", "DRAM GB/s"},
                                      {"gflops", "GFLOPS"},
                                      {"gflop_per_joule", "GFLOP per J"},
                                      {"issued_per_cycle", "per cycle"},
                                      {"active_cycles", "SM cycles"},
                                      {"l2_sectors", "L2 sectors"},
                                      {"global_load_sectors", "sectors loaded"},
                                      {"median_ms", "median ms"},
                                      {"watts", "W"}})
        EXPECT_EQ(app::column_of(app::metric(id)).heading, heading) << id;
}

// Checks all metrics: twice the counts must give the same share, and twice the count, bytes or time.
TEST(Metrics, FormatsGoWithHowAValueGrows)
{
    const KnownLaunch launch;
    KnownLaunch twice; // twice every count, including cycles and time
    for (auto& [name, sum] : twice.counters.sums)
        sum *= 2;
    twice.counters.resources.registers_per_thread *= 2;
    twice.facts.figures = kernels::figures(twice.counters);
    for (const app::Metric& metric : app::metrics()) {
        const auto once = metric.of(launch.facts), doubled = metric.of(twice.facts);
        ASSERT_TRUE(once && doubled) << metric.id;
        const bool amount = metric.format == "count" || metric.format == "bytes" || metric.format == "time";
        if (metric.format == "%") {
            EXPECT_EQ(*doubled, *once) << metric.id << " is no share: it grows with what is counted";
            EXPECT_TRUE(*once >= 0 && *once <= 1) << metric.id << " is no share: it is " << *once;
        }
        if (amount) {
            EXPECT_EQ(*doubled, 2 * *once) << metric.id << " is no amount: it does not grow with what is counted";
        }
        if (amount || metric.format == "energy") {
            EXPECT_NE(metric.better, app::Better::more) << metric.id << " is a cost";
        }
    }
}

TEST(Metrics, AWrongResultHasNoSpeed)
{
    KnownLaunch launch;
    launch.timed.right = false;
    for (const char* const id : {"gflops", "over_naive", "of_cublas", "of_best", "of_peak"})
        EXPECT_EQ(app::metric(id).of(launch.facts).missing().missing, recording::Missing::wrong_result) << id;
    EXPECT_EQ(app::metric("median_ms").of(launch.facts).value(), 2);
    launch.timed = {.timing = {.median_ms = 2}};
    launch.timed.missing = "It is not installed.";
    for (const char* const id : {"gflops", "of_cublas", "median_ms", "error", "spread"})
        EXPECT_EQ(app::metric(id).of(launch.facts).missing(),
                  (recording::Reason{recording::Missing::failed, {"It is not installed."}}))
            << id;
}

} // namespace
