// Tests fastest with tiles split along K: every phase of every tile is computed once, and C is right.
#include "backend.h"
#include "device/shares.h"
#include "measure/speed.h"
#include "stage.h"
#include "tests/ladder.h"

#include <gtest/gtest.h>

#include <map>

namespace {

TEST(Shares, HaveEachPhaseOfEachTileOnce)
{
    for (const int tiles : {1, 5, 12, 13, 30})
        for (const int phases : {1, 3, 7, 100})
            for (const int wave : {0, 1, 12, 64}) {
                const Shares shares(tiles, phases, wave);
                std::map<std::pair<int, int>, int> computed; // number of times, by tile and phase
                for (int block = 0; block < shares.blocks(); ++block)
                    for (int part = 0; part < 2; ++part) {
                        const Share share = shares.part(block, part);
                        for (int i = 0; i < share.phases; ++i)
                            ++computed[{share.tile, share.first + i}];
                        if (share.phases > 0 && share.slot >= 0) { // what the second kernel finds
                            const int cut = share.tile - shares.alone(), cutter = block - shares.alone();
                            EXPECT_EQ(shares.cutter(cut, share.first), cutter);
                            EXPECT_EQ(shares.slot(cut, cutter), share.slot);
                            EXPECT_LT(share.slot, shares.slots());
                        }
                    }
                EXPECT_EQ(computed.size(), static_cast<std::size_t>(tiles) * phases) << tiles << " " << wave;
                for (const auto& [where, times] : computed)
                    EXPECT_EQ(times, 1) << where.first << " " << where.second;
            }
}

// If rows of C may start anywhere, a warp first exchanges results between lanes through shared memory.
TEST(Fastest, ResultsOfRowsThatStartAnywhereAreStoredWhereTheyBelong)
{
    const kernels::Stage& stage = test::stage("fastest");
    const std::unique_ptr<kernels::Backend> cpu = kernels::make_cpu_backend();
    for (const kernels::ParameterValues& parameters : stage.cpu_variants)
        for (const recording::Problem problem :
             {recording::Problem{.M = 130, .N = 201, .K = 57, .alpha = -0.5f, .beta = 3}, {.M = 65, .N = 34, .K = 40}})
            for (const kernels::ProbeKind probe : {kernels::ProbeKind::none, kernels::ProbeKind::count})
                EXPECT_TRUE(kernels::verify(*cpu, {&stage, parameters, problem}, probe, {}).ok) << problem.N;
}

TEST(Shares, GiveTheSameProductWhenAddedUp)
{
    const kernels::Stage& stage = test::stage("fastest");
    const std::unique_ptr<kernels::Backend> cpu = kernels::make_cpu_backend();
    const kernels::ParameterValues cut = stage.cpu_variants.at(4); // WAVE=12
    for (const recording::Problem problem : {recording::Problem{.M = 130, .N = 200, .K = 57, .alpha = -0.5f, .beta = 3},
                                             {.M = 64, .N = 64, .K = 1000},
                                             {.M = 200, .N = 500, .K = 333, .alpha = 2, .beta = 1}})
        for (const kernels::ProbeKind probe : {kernels::ProbeKind::none, kernels::ProbeKind::count})
            EXPECT_TRUE(kernels::verify(*cpu, {&stage, cut, problem}, probe, {}).ok) << problem.K;
}

} // namespace
