// Names from publications refer to existing stages and counters of this program.
#include "app/learn/published_names.h"

#include "app/data/claims.h"
#include "measure/counters.h"
#include "tests/says.h"

#include "stage.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace {

using test::says;

TEST(PublishedNames, LeadToStagesThatThereAre)
{
    const std::vector<kernels::Stage> ladder = kernels::make_ladder();
    std::set<std::string> titles;
    for (const app::PublishedKernel& kernel : app::published_kernels()) {
        EXPECT_NE(std::ranges::find(ladder, kernel.stage, &kernels::Stage::slug), ladder.end()) << kernel.stage;
        EXPECT_TRUE(titles.insert(std::string(kernel.ladder) + app::title_of(kernel)).second);
    }
    const auto named = [](std::string_view words) {
        return std::ranges::find_if(app::published_kernels(), [&](const app::PublishedKernel& kernel) {
            return says(app::title_of(kernel), std::string(words).c_str());
        });
    };
    EXPECT_EQ(named("kernel 5")->stage, "thread_tile_2d_registers");
    EXPECT_EQ(named("2D blocktiling")->stage, "thread_tile_2d_registers");
    EXPECT_EQ(named("mysgemm_v9")->stage, "warp_tile");
}

// If a claim and a name are about the same kernel of the same source, they refer to the same stage.
TEST(PublishedNames, AgreeWithTheClaims)
{
    int compared = 0;
    const app::Claims claims = app::shipped_claims(kernels::make_ladder());
    for (const app::Claim& claim : claims.all)
        for (const app::PublishedKernel& kernel : app::published_kernels())
            if (claims.source_of(claim).name == kernel.ladder &&
                claim.kernel.starts_with(std::to_string(kernel.number) + " ")) {
                ++compared;
                EXPECT_EQ(claim.stage, kernel.stage) << claim.kernel;
            }
    EXPECT_EQ(compared, 12);
}

TEST(PublishedNames, SayWhatEachCounterCountsAndHowItIsRead)
{
    for (const auto& names : {kernels::counter_names(), kernels::percent_names()})
        for (const std::string_view name : names)
            EXPECT_GT(app::meaning_of_metric(name).size(), 8u) << name;
    const std::string conflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum";
    EXPECT_EQ(app::meaning_of_metric(conflicts), "bank conflicts of loads from shared memory");
    EXPECT_EQ(app::meaning_of_metric("sm__inst_executed_pipe_fma.sum"),
              "warp instructions that the pipeline fma executed");
    EXPECT_EQ(app::meaning_of_metric("sm__no_such_thing.sum"), "");
    EXPECT_TRUE(says(app::how_to_read(conflicts, "vectorized"), "gemmscope counters vectorized"));
    EXPECT_TRUE(says(app::how_to_read(conflicts, "vectorized"), ("ncu --metrics " + conflicts).c_str()));
}

// Figures that are compared with counters have the names of counters that this program reads.
TEST(PublishedNames, GiveTheMetricOfEachComparedFigure)
{
    const std::pair<const char*, std::vector<const char*>> memories[] = {
        {"shared", {"instructions", "wavefronts", "conflicts"}}, {"global", {"requests", "sectors"}}};
    for (const auto& [memory, figures] : memories)
        for (const char* kind : {"_load", "_store"})
            for (const char* figure : figures) {
                const std::string metrics = app::metrics_of(memory + std::string(kind), figure);
                const std::string first = metrics.substr(0, metrics.find(' '));
                EXPECT_EQ(std::ranges::count(kernels::counter_names(), first), 1) << memory << kind << ": " << metrics;
            }
    EXPECT_EQ(app::metrics_of("shared_load", "conflicts"), "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum");
    EXPECT_EQ(app::metrics_of("shared_load", "pages"), "");
}

} // namespace
