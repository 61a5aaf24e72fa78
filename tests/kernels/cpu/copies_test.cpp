// The cost of the writes of asynchronous copies, in totals and in pictures.
#include "model/recorded_copy.h"
#include "recording/file.h"
#include "tests/ladder.h"
#include "tests/paths.h"
#include "tests/says.h"
#include "viz/analysis/bank_picture.h"
#include "viz/analysis/comparison_messages.h"
#include "viz/analysis/heatmap.h"
#include "viz/text/rich.h"

#include "backend.h"
#include "gemm/size.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>
#include <fstream>
#include <numeric>

namespace {

using recording::Op;
using recording::Recording;
using recording::SharedTotals;
using test::says;

Recording shipped(const std::string& slug)
{
    return recording::read(test::shipped(slug + ".gscope"));
}

// Returns the cost of the copies with this width.
SharedTotals writes_of_width(const Recording& recording, int width)
{
    SharedTotals sum;
    for (const recording::BlockTrace& block : recording.blocks)
        for (const recording::WarpTrace& warp : block.warps)
            for (std::size_t step = 0; step < warp.accesses.size(); ++step)
                if (const auto copy = model::copy_at(warp, step);
                    copy && copy->width == width && (copy->mask | copy->idle) != 0) {
                    const model::SharedCost cost = model::copy_write(*copy);
                    sum += {1, static_cast<uint64_t>(cost.wavefronts), static_cast<uint64_t>(cost.conflicts)};
                }
    return sum;
}

// Counts of an H200 for this stage at the size of its recording, from counters.json.
struct Counted {
    uint64_t copies = 0;                     // copies that copied something
    std::map<std::string, uint64_t> written; // wavefronts by CUPTI's counters per instruction, by name
};

Counted counted(const Recording& recording)
{
    const std::string slug = recording.stage, size = kernels::size_name(recording.problem, kernels::Operation::gemm);
    const auto file = nlohmann::json::parse(std::ifstream(test::shipped("counters.json")));
    Counted result;
    for (const nlohmann::json& row : file.at("rows")) {
        if (row.at("stage") != slug || row.at("size") != size)
            continue;
        result.copies = row.at("counters").at("smsp__sass_inst_executed_op_ldgsts.sum");
        for (const nlohmann::json& one : row.at("per_instruction").at("instructions"))
            result.written[one.at("name")] += one.at("shared_wavefronts").get<uint64_t>();
    }
    return result;
}

TEST(Copies, TheirWritesAreAsAnH200Counted)
{
    for (const char* slug : {"async_copy", "autotuned", "fastest"}) {
        const Recording recording = shipped(slug);
        const auto writes = model::copy_writes(recording);
        ASSERT_TRUE(writes) << slug << ": a block is not recorded in full";
        const Counted gpu = counted(recording);
        EXPECT_EQ(writes->instructions, gpu.copies) << slug;
        EXPECT_EQ(writes_of_width(recording, 4).wavefronts, gpu.written.at("LDGSTS")) << slug;
        EXPECT_EQ(writes_of_width(recording, 16).wavefronts, gpu.written.at("LDGSTS.128")) << slug;
    }
}

// The rule was measured by single patterns. In this kernel the counter exceeds it, and reports too many bytes.
TEST(Copies, OfMmaLdmatrixAreFewerThanCounted)
{
    const Recording recording = test::record(test::job("mma_ldmatrix", {.M = 128, .N = 128, .K = 128}));
    EXPECT_EQ(writes_of_width(recording, 16), (SharedTotals{192, 768, 0}));
    EXPECT_EQ(counted(recording).written.at("LDGSTS.128"), 1168u);
    EXPECT_EQ(counted(recording).copies, 192u);
}

TEST(Copies, OfTheLaunchAreKnownWhereAllBlocksAre)
{
    Recording recording = shipped("async_copy");
    const auto whole = model::copy_writes(recording);
    ASSERT_TRUE(whole);
    SharedTotals sum;
    for (const recording::BlockTrace& block : recording.blocks)
        sum += model::copy_writes(block);
    EXPECT_EQ(*whole, sum);
    EXPECT_EQ(recording.totals().shared_store, SharedTotals{}) << "no counter of stores includes copies";
    recording.launch.grid.x *= 2;
    EXPECT_FALSE(model::copy_writes(recording));
    Recording without = shipped("vectorized");
    without.launch.grid.x = 2;
    EXPECT_EQ(model::copy_writes(without), SharedTotals{}) << "its blocks make no copies";
    without.blocks.clear();
    EXPECT_FALSE(model::copy_writes(without));
}

model::CopyPattern neighbours(int width)
{
    model::CopyPattern copy{.width = width, .bypass = width == 16, .from = {}, .to = {}};
    for (int lane = 0; lane < model::lanes; ++lane)
        copy.from[lane] = copy.to[lane] = static_cast<uint64_t>(lane * width);
    return copy;
}

TEST(Copies, ThePictureHasEachLanesWordsOnce)
{
    const viz::BankPicture plain = viz::bank_picture(neighbours(16));
    EXPECT_EQ(plain.cost, (model::SharedCost{4, 0}));
    EXPECT_EQ(plain.spans.size(), 32u);
    EXPECT_EQ(plain.groups, (std::vector<uint32_t>{0xff, 0xff00, 0xff0000, 0xff000000}));
    EXPECT_EQ(plain.reason, (viz::Messages{{"banks.copy_apart"}}));

    const Recording recording = shipped("fastest");
    const recording::WarpTrace& warp = recording.blocks.at(0).warps.at(1);
    std::size_t seen = 0;
    for (std::size_t step = 0; step < warp.accesses.size(); ++step) {
        const auto copy = model::copy_at(warp, step);
        if (!copy)
            continue;
        ++seen;
        const viz::BankPicture picture = viz::bank_picture(*copy);
        EXPECT_EQ(picture.cost, model::copy_write(*copy));
        EXPECT_EQ(picture.rows.size(), static_cast<std::size_t>(picture.cost.wavefronts));
        uint32_t lanes = 0;
        for (const viz::BankSpan& span : picture.spans) {
            EXPECT_EQ(std::popcount(span.lanes), 1) << "copies to one word are not merged";
            EXPECT_LT(span.wavefront, picture.cost.wavefronts);
            lanes |= span.lanes;
        }
        EXPECT_EQ(lanes, copy->mask | copy->idle);
    }
    EXPECT_GT(seen, 0u);
}

TEST(Copies, LanesOfOneBankWriteInTurn)
{
    model::CopyPattern copy = neighbours(16);
    copy.to[1] = copy.to[0] + 128;
    copy.to[2] = copy.to[0];
    const viz::BankPicture picture = viz::bank_picture(copy);
    EXPECT_EQ(picture.cost, (model::SharedCost{6, 0})) << "three wavefronts in the first group";
    EXPECT_EQ(picture.rows[1].group, 0);
    EXPECT_TRUE(picture.rows[2].conflict);
    EXPECT_FALSE(picture.rows[3].conflict) << "the next group";
    EXPECT_EQ(picture.reason, (viz::Messages{{"banks.copy_meets",
                                              {{"lanes", "lanes 0-2"}, {"bank", viz::index(0)}, {"same_word", false}}},
                                             {"banks.copy_past_l1"}}));
}

// Through L1, a lane also waits for lanes that read from its bank of L1. The picture has no lane in these wavefronts.
TEST(Copies, ReadsThroughL1WaitToo)
{
    model::CopyPattern copy = neighbours(4);
    for (int lane = 0; lane < model::lanes; ++lane)
        copy.from[lane] = static_cast<uint64_t>(lane) * 64;
    const viz::BankPicture picture = viz::bank_picture(copy);
    EXPECT_EQ(picture.cost, (model::SharedCost{16, 15}));
    EXPECT_EQ(picture.rows.size(), 16u);
    for (const viz::BankSpan& span : picture.spans)
        EXPECT_EQ(span.wavefront, 0);
    EXPECT_TRUE(picture.rows[15].conflict);
    EXPECT_EQ(picture.reason.back(), (viz::Message{"banks.copy_waits", {{"wavefronts", 15}}}));
}

// Waits for reads in L1 are not bank conflicts. For lanes that write zeros and bypass L1, each bank is accessed once,
// so there is no conflict either.
TEST(Copies, WaitsForL1AreNoConflictsOfBanks)
{
    model::CopyPattern copy = neighbours(4);
    for (int lane = 0; lane < model::lanes; ++lane)
        copy.from[lane] = static_cast<uint64_t>(lane) * 64;
    EXPECT_EQ(viz::bank_picture(copy).bank_conflicts(), 0);
    EXPECT_EQ(viz::bank_picture(copy).l1_waits, 15);
    copy = neighbours(16);
    copy.mask = 0xffff;
    copy.idle = 0xffff0000;
    const viz::BankPicture filled = viz::bank_picture(copy);
    EXPECT_TRUE(filled.clashes.empty());
    EXPECT_EQ(filled.bank_conflicts(), 0);
    EXPECT_EQ(filled.l1_waits, filled.cost.conflicts);
}

TEST(Copies, AreInTheHeatmapBesideItsTotals)
{
    for (const char* slug : {"async_copy", "fastest", "mma_ldmatrix"}) {
        const Recording recording = shipped(slug);
        const viz::Heatmap map = viz::heatmap(recording.blocks.at(0));
        EXPECT_EQ(map.copies, model::copy_writes(recording.blocks.at(0))) << slug;
        SharedTotals rows;
        for (const viz::HeatRow& row : map.rows)
            rows += row.totals;
        SharedTotals both = map.totals;
        both += map.copies;
        both.conflicts -= map.copies.conflicts; // these copies wait for their reads in L1, not for a bank
        EXPECT_EQ(rows, both) << slug;
    }
}

TEST(Copies, AreComparedWhereTheyAreKnown)
{
    Recording recording = shipped("async_copy");
    const auto wavefronts = [&] {
        return viz::figures_of(recording, recording.blocks.at(0))
            .values[static_cast<std::size_t>(viz::Measure::wavefronts)]
            .value();
    };
    const auto reserved = [&] {
        const viz::ComparedRung rung{"async_copy", recording, {}, {}};
        return viz::plain(viz::reservations(rung, rung));
    };
    const recording::Problem& size = recording.problem;
    const double products = double(size.M) * size.N * size.K / 1000; // thousands of multiplications
    const recording::Totals totals = recording.totals();
    EXPECT_NEAR(wavefronts() * products,
                static_cast<double>(totals.shared_load.wavefronts + model::copy_writes(recording)->wavefronts), 1e-6);
    EXPECT_TRUE(says(reserved(), "include those of its asynchronous copies"));
    EXPECT_FALSE(says(reserved(), "Not counted for async_copy"));
    recording.launch.grid.z = 2;
    EXPECT_TRUE(says(reserved(), "Not counted for async_copy: what asynchronous copies write"));
    EXPECT_FALSE(says(reserved(), "include those"));
}

} // namespace
