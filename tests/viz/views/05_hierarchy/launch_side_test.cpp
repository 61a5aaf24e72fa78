// What is said of a place in the plan of a launch.
#include "viz/views/05_hierarchy/launch_side.h"

#include "tests/kernels/recording/sample_recording.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

namespace {

// Ids of a block that was not recorded in full are computed; of what its threads did nothing is known.
TEST(LaunchSide, SaysWhichBlocksWereNotRecorded)
{
    viz::StageColumn column;
    column.recording = std::make_shared<const recording::Recording>(sample::recording());
    viz::LaunchPlace place;
    const viz::LaunchSide side(column, place);
    for (uint64_t block = 0; block < 6; ++block) {
        const viz::Messages said = viz::point_messages(side, {.block = block, .thread = 5});
        EXPECT_EQ(std::ranges::count(said, "hierarchy.not_recorded", &viz::Message::id),
                  block == 0 || block == 5 ? 0 : 1)
            << block;
    }
}

} // namespace
