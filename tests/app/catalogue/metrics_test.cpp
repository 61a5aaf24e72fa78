// The metrics of a launch, each told in one entry.
#include "app/catalogue/metrics.h"

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
        << "the table's columns are the first ones";
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

} // namespace
