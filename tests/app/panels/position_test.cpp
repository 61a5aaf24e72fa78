// The selection when another recording is shown.
#include "app/panels/derive.h"
#include "app/panels/navigation.h"

#include "app/panels/state.h"
#include "app/session/snapshot.h"

#include "backend.h"
#include "tests/ladder.h"

#include <gtest/gtest.h>

#include <memory>

namespace {

// 4 x 4 blocks of shared_tile, of which the first and the last were recorded.
std::shared_ptr<const recording::Recording> first_and_last()
{
    return std::make_shared<recording::Recording>(
        test::record("shared_tile", {.M = 128, .N = 128, .K = 32}, {{0, 0, 0}, {3, 3, 0}}));
}

std::size_t block_shown(const std::shared_ptr<const recording::Recording>& recording, const recording::Index3& chosen)
{
    app::Snapshot now;
    now.columns.push_back({.recording = recording});
    now.details.emplace_back();
    now.choice.block = chosen;
    app::State state;
    app::derive(now, state);
    return state.at.selection.block;
}

TEST(Derive, ThePageOfASearchIsOpenWhileThereIsOneAndNoOther)
{
    app::Snapshot now;
    now.columns.emplace_back();
    now.details.emplace_back();
    app::State state;
    const auto page = [&](bool searched) {
        now.searched.reset();
        if (searched)
            now.searched.emplace();
        app::derive(now, state);
        return state.at.page;
    };
    EXPECT_EQ(page(false), app::Page::none);
    EXPECT_EQ(page(true), app::Page::candidates);
    EXPECT_EQ(page(false), app::Page::none);
    state.open(app::Page::learn);
    EXPECT_EQ(page(true), app::Page::learn);
    state.open(app::Page::none);
    EXPECT_EQ(page(true), app::Page::candidates) << "the page of the search stays open";
}

// A trace has a launch but no M, N and K, so the text names blocks and threads.
TEST(LaunchText, HasBlocksAndThreads)
{
    EXPECT_EQ(app::launch_text({{8, 8, 4}, {128, 1, 1}}), "8 × 8 × 4 blocks of 128 threads");
    EXPECT_EQ(app::launch_text({{1, 1, 1}, {32, 1, 1}}), "1 block of 32 threads");
}

// If the selected block was not recorded, the first recorded block is shown instead.
TEST(Derive, ABlockThatWasNotRecordedIsNoOther)
{
    const auto recording = first_and_last();
    EXPECT_EQ(block_shown(recording, {0, 0, 0}), 0u);
    EXPECT_EQ(block_shown(recording, {3, 3, 0}), 1u);
    EXPECT_EQ(block_shown(recording, {2, 3, 0}), 0u);
    EXPECT_EQ(block_shown(recording, {7, 7, 0}), 1u) << "outside the grid: its last block";
}

} // namespace
