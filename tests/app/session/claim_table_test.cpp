// Claims compared with shipped speeds: every figure is computed, none is typed in.
#include "app/data/recordings.h"
#include "app/data/shipped_file.h"
#include "app/session/claim_table.h"

#include "tests/ladder.h"
#include "tests/paths.h"
#include "viz/text/templates.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <iterator>

namespace {

using app::Agreement;
using app::ClaimMeasure;

struct Tables : testing::Test {
    const app::Claims claims = app::shipped_claims(test::ladder());
    const app::CataloguePtr shipped = app::load_catalogue(app::shipped_folder(), test::ladder());
    const app::ClaimTable table = app::claim_table(claims, *shipped, test::ladder());

    const app::ClaimRow& row(std::string_view id) const
    {
        for (const app::ClaimRow& one : table.rows)
            if (one.claim->id == id)
                return one;
        throw std::out_of_range(std::string(id));
    }
    double shipped_speed(std::string_view slug) const
    {
        for (const app::TimedRow& one : shipped->speeds.rows)
            if (one.slug == slug)
                return one.gflops.value();
        return 0;
    }
};

using ClaimTable = Tables;

TEST_F(ClaimTable, ComparesTheSameTwoStages)
{
    const app::ClaimRow& linear = row("sgemm_cuda_7");
    EXPECT_DOUBLE_EQ(*linear.claimed, 16213.0 / 18237);
    EXPECT_DOUBLE_EQ(*linear.theirs_here, 28086.0 / 31434);
    EXPECT_DOUBLE_EQ(*linear.ours, shipped_speed("linearized_b") / shipped_speed("vectorized"));
    EXPECT_EQ(linear.agreement, Agreement::opposite);
    EXPECT_EQ(linear.cause, app::Cause::our_code) << "the published program is slower on an H200, too";
    EXPECT_EQ(linear.ours.from().device, "NVIDIA H200");
    EXPECT_EQ(row("sgemm_cuda_8").agreement, Agreement::agrees);
    EXPECT_EQ(row("sgemm_cuda_11").agreement, Agreement::opposite);
    EXPECT_FALSE(row("sgemm_cuda_11").theirs_here) << "the published program's results were wrong";
    EXPECT_EQ(row("others_split_k").agreement, Agreement::no_difference);
    const double reads =
        shipped_speed("swizzled_reads") / shipped_speed("vectorized"); // the claim says that it is slower
    EXPECT_EQ(row("others_swizzled_reads").agreement,
              app::agreement_of(ClaimMeasure::speed, {}, app::ClaimOrder::slower, reads));
    EXPECT_EQ(row("rtx_3090_registers").agreement, Agreement::no_difference);
}

TEST_F(ClaimTable, WhatIsNotKnownHasNoVerdict)
{
    EXPECT_EQ(row("sgemm_cuda_1").agreement, Agreement::unknown) << "the claim is compared with nothing";
    EXPECT_EQ(row("sgemm_cuda_12").agreement, Agreement::unknown) << "the row claims nothing";
    EXPECT_TRUE(row("sgemm_cuda_12").ours);
    EXPECT_FALSE(row("sgemm_cuda_12").claim->missing.empty());
    // Without a shipped speed the row has only the claim and the reason.
    const app::ClaimTable alone = app::claim_table(claims, *app::empty_catalogue(), test::ladder());
    EXPECT_EQ(alone.count(Agreement::unknown), alone.rows.size());
    for (const app::ClaimRow& one : alone.rows) {
        EXPECT_FALSE(one.ours);
        EXPECT_NE(viz::plain(app::words_of(one)), "");
    }
    EXPECT_EQ(app::heading_of(alone).find_first_of("0123456789"), std::string::npos) << "no figures";
}

TEST_F(ClaimTable, MemoryIsComparedByWhatWasCounted)
{
    EXPECT_GT(*row("rtx_3090_coalesced").ours, 1);
    const app::ClaimRow& traffic = row("others_naive_traffic");
    double moved = 0;
    const nlohmann::json file = app::read_json(app::shipped_folder() / "counters.json");
    for (const nlohmann::json& one : file.at("rows"))
        if (one.at("stage") == "naive" && one.at("size") == "4096")
            for (const char* name : {"dram__bytes_read.sum", "dram__bytes_write.sum"})
                moved += one.at("counters").at(name).get<double>();
    EXPECT_GT(moved, 8e9);
    EXPECT_EQ(*traffic.ours, moved) << "bytes read and written";
    EXPECT_EQ(traffic.agreement, Agreement::less);
    EXPECT_EQ(app::figure_words(*traffic.claim, traffic.claimed), "548 GB");
}

TEST(ClaimAgreement, IsOfTheDirectionForSpeedsAndOfTheAmountElse)
{
    constexpr ClaimMeasure speed = ClaimMeasure::speed, share = ClaimMeasure::cublas_share;
    EXPECT_EQ(app::agreement_of(speed, 1.2, {}, 3.0), Agreement::agrees);
    EXPECT_EQ(app::agreement_of(speed, 1.2, {}, 1.01), Agreement::no_difference);
    EXPECT_EQ(app::agreement_of(speed, 1.2, {}, 0.9), Agreement::opposite);
    EXPECT_EQ(app::agreement_of(speed, {}, app::ClaimOrder::slower, 0.9), Agreement::agrees);
    EXPECT_EQ(app::agreement_of(speed, {}, app::ClaimOrder::faster, 0.9), Agreement::opposite);
    EXPECT_EQ(app::agreement_of(speed, 1.2, {}, {}), Agreement::unknown);
    EXPECT_EQ(app::agreement_of(share, 0.95, {}, 0.9), Agreement::agrees);
    EXPECT_EQ(app::agreement_of(share, 0.95, {}, 0.8), Agreement::less);
    EXPECT_EQ(app::agreement_of(share, 0.5, {}, 0.8), Agreement::more);
    EXPECT_EQ(app::agreement_of(share, {}, app::ClaimOrder::faster, 0.8), Agreement::unknown)
        << "a share has no slower or faster";
}

TEST_F(ClaimTable, ThePageInTheDocsIsTheOneThatIsGenerated)
{
    EXPECT_EQ(test::text_of(test::source_tree() / "docs/sources.md"), app::claim_page(table))
        << "run: gemmscope sources --page > docs/sources.md";
}

} // namespace
