// Facts and texts of the tiling view, from recordings of real kernels.
#include "tests/ladder.h"
#include "tests/says.h"
#include "viz/views/10_tiling/facts.h"

#include "backend.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace {

using namespace viz;
using test::says;

viz::StageColumn stage_of(const char* slug, uint32_t size, const kernels::ParameterValues& parameters = {})
{
    const kernels::Stage& stage = test::stage(slug);
    const kernels::Job job{
        &stage, parameters.empty() ? stage.standard_parameters() : parameters, {.M = size, .N = size, .K = size}};
    StageColumn shown{.slug = slug, .idea = {}, .recording = {}, .status = {}, .speed = {}, .shipped = {}};
    shown.recording = std::make_shared<recording::Recording>(test::record(job));
    return shown;
}

Focus at(const StageColumn& stage, std::size_t step)
{
    return focus_on(stage, stage, {.step = step});
}

// Returns the first step of the warp with this operation.
std::size_t step_of(const StageColumn& stage, recording::Op op)
{
    const auto& accesses = stage.recording->blocks[0].warps[0].accesses;
    return static_cast<std::size_t>(std::ranges::find(accesses, op, &recording::Access::op) - accesses.begin());
}

TEST(TilingFacts, KeepNothingOfTheRecordingBefore)
{
    StageColumn column = stage_of("shared_tile", 64);
    const TilingFacts tiled = tiling_facts(column, at(column, step_of(column, recording::Op::barrier) + 1), 0);
    EXPECT_EQ(tiled.used.arrays.size(), column.recording->arrays.size());
    column.recording = stage_of("naive", 64).recording;
    const TilingFacts facts = tiling_facts(column, at(column, 0), 0);
    EXPECT_TRUE(facts.used.arrays.empty());
    EXPECT_TRUE(facts.now.arrays.empty()) << "without shared memory nothing is looked for in a compute phase";
}

TEST(TilingWords, SayWhatAPhaseMoves)
{
    const StageColumn shared = stage_of("shared_tile", 64);
    const Focus load = at(shared, 0);
    const TilingFacts facts = tiling_facts(shared, load, 0);
    EXPECT_EQ(
        plain(phase_words(load, facts)),
        "k-tile 1 of 2, load: 32 x 32 of A and 32 x 32 of B from global memory, 8,192 bytes, then stored in shared "
        "memory.");
    const Focus compute = at(shared, step_of(shared, recording::Op::barrier) + 1);
    const TilingFacts computed = tiling_facts(shared, compute, 0);
    EXPECT_TRUE(says(plain(phase_words(compute, computed)), "A serves 32 results, each of B 32 results"));
    EXPECT_EQ(plain(lane_words("s", compute, computed, 5)),
              "s: block (0,0), warp 0, lane 5 reads As(0, 0), which holds A(0, 0).");
}

// The contents of tiles at a step do not depend on the steps that were shown before.
TEST(TilingFacts, AreThoseOfTheStepAfterAnotherOne)
{
    const StageColumn shared = stage_of("shared_tile", 64);
    const Focus load = at(shared, 0), compute = at(shared, step_of(shared, recording::Op::barrier) + 1);
    const auto held = [&](const Focus& focus) {
        return plain(lane_words("s", compute, tiling_facts(shared, focus, 0), 5));
    };
    EXPECT_TRUE(says(held(compute), "holds A(0, 0)"));
    EXPECT_FALSE(says(held(load), "holds A(0, 0)"));
    EXPECT_TRUE(says(held(compute), "holds A(0, 0)")) << "kept, and the tiles with it";
}

// In blocks of 2 x 2, lanes 4 to 31 have no thread. No bounds check disables a thread.
TEST(TilingWords, TellLanesWithoutAThreadFromThoseSwitchedOff)
{
    const StageColumn tiny = stage_of("shared_tile", 4, {2});
    const Focus load = at(tiny, 0);
    const TilingFacts facts = tiling_facts(tiny, load, 0);
    const std::string said = plain(access_words(load));
    EXPECT_TRUE(says(said, "4 threads in this warp: 28 lanes of it have no thread."));
    EXPECT_FALSE(says(said, "held back"));
    EXPECT_TRUE(says(plain(edge_words(facts.recording, facts.guards)), "no thread is switched off"));
    EXPECT_TRUE(says(plain(lane_words("s", load, facts, 4)), "lane 4 has no thread"));
}

TEST(TilingWords, OfAKernelThatMultipliesNothingSpeakOfNoMatrixAndNoSize)
{
    recording::Recording other;
    other.executed = recording::InstructionTrace{.kernel = "back", .language = "PTX"};
    EXPECT_EQ(plain(edge_words(other, {.accesses = 4, .guarded = 0})),
              "Guards: none in this block: no thread is switched off in its 4 global accesses.");
    EXPECT_TRUE(
        says(plain(edge_words(other, {.accesses = 4, .guarded = 1, .lanes = 128, .off = 16})), "behind a guard"));
}

// What an asynchronous copy brings is under way until its wait: no lane may read it, whatever step the tile was filled in.
TEST(TilingFacts, ACopyIsUnderWayUntilItsWait)
{
    const StageColumn copies = stage_of("async_copy", 128);
    const std::size_t wait = step_of(copies, recording::Op::async_wait);
    const auto coming = [&](std::size_t step) {
        const TilingFacts facts = tiling_facts(copies, at(copies, step), 0);
        std::size_t cells = 0;
        for (const auto& tile : facts.filled)
            for (const CellRect& rect : tile[TilingFacts::coming])
                cells += std::size_t{rect.rows} * rect.cols;
        return std::pair(facts.coming_tiles.size(), cells);
    };
    const auto stages = static_cast<std::size_t>(copies.recording->parameters.back().value);
    EXPECT_EQ(coming(wait).first, stages - 1) << "all but one of the ring were asked for";
    EXPECT_GT(coming(wait).second, 0u);
    EXPECT_EQ(coming(wait + 1).first, stages - 2) << "the wait is for the oldest";
    const StageColumn stores = stage_of("prefetched", 128);
    const TilingFacts stored = tiling_facts(stores, at(stores, step_of(stores, recording::Op::barrier) - 1), 0);
    EXPECT_TRUE(stored.coming_tiles.empty()) << "a store is done when it was made";
}

// The headline and the footer name the same k-tiles: the one that is computed, and the one that is loaded meanwhile.
TEST(TilingWords, NameTheTileThatIsComputedAndTheOneThatIsLoaded)
{
    const StageColumn copies = stage_of("async_copy", 128);
    const std::vector<Phase> all = phases(*copies.recording, copies.recording->blocks[0].warps[0]);
    const auto later = std::ranges::find_if(all, [](const Phase& phase) {
        return phase.kind == PhaseKind::load && phase.k_tile >= 0 && phase.fetched > phase.k_tile;
    });
    ASSERT_NE(later, all.end());
    const Focus load = at(copies, later->first);
    const std::string said = plain(headline(tiling_facts(copies, load, 0)));
    const char* const does = interrupts(all, *later) ? "computes" : "before";
    EXPECT_TRUE(
        said.starts_with(fmt::format("{} k-tile {}, loads {} of 8", does, later->k_tile + 1, later->fetched + 1)))
        << said;
}

// The four warps of a block load the same 16 x 8 of A, each for itself.
TEST(TilingWords, SayWhatIsLoadedAgain)
{
    const StageColumn shuffles = stage_of("warp_shuffle", 128);
    const Focus load = at(shuffles, 0);
    const TilingFacts facts = tiling_facts(shuffles, load, 0);
    const std::string said = plain(phase_words(load, facts));
    EXPECT_TRUE(says(said, "6,144 bytes, into the threads' registers. 4,608 bytes of it are different"));
}

} // namespace
