#include "viz/stage_column.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace {

using namespace viz;

RecordingPtr with_lines(std::size_t warps)
{
    auto recording = std::make_shared<recording::Recording>();
    recording->blocks.emplace_back();
    recording->blocks.back().warps.resize(warps);
    return recording;
}

int calls = 0;

std::size_t warps_times(const recording::Recording& recording, std::size_t factor)
{
    ++calls;
    return recording.blocks.at(0).warps.size() * factor;
}

std::size_t warps_of(const recording::Recording&, const recording::BlockTrace& block)
{
    ++calls;
    return block.warps.size();
}

struct Counter {
    explicit Counter(const RecordingPtr& of, int from) : recording(of), count(from) {}
    RecordingPtr recording;
    int count;
};

class MemoTest : public testing::Test {
protected:
    MemoTest() { calls = 0; }
    StageColumn column{.recording = with_lines(3)};
};

TEST_F(MemoTest, ComputesOnceForTheSameArguments)
{
    EXPECT_EQ(column.memo<warps_times>(std::size_t{2}), 6u);
    EXPECT_EQ(column.memo<warps_times>(std::size_t{2}), 6u);
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(column.memo<warps_times>(std::size_t{5}), 15u);
    EXPECT_EQ(column.memo<warps_times>(std::size_t{2}), 6u);
    EXPECT_EQ(calls, 2);
}

TEST_F(MemoTest, ForgetsAllWithAnotherRecording)
{
    EXPECT_EQ(column.memo<warps_times>(std::size_t{2}), 6u);
    column.tool<Counter>(1).count = 7;
    const RecordingPtr before = std::exchange(column.recording, with_lines(4));
    EXPECT_EQ(column.memo<warps_times>(std::size_t{2}), 8u);
    EXPECT_EQ(column.tool<Counter>(1).count, 1);
    EXPECT_EQ(column.tool<Counter>(1).recording, column.recording);
    column.recording = before;
    EXPECT_EQ(column.memo<warps_times>(std::size_t{2}), 6u);
    EXPECT_EQ(calls, 3);
}

TEST_F(MemoTest, TellsBlocksApartByTheirPlaceInTheRecording)
{
    auto two = std::make_shared<recording::Recording>(*column.recording);
    two->blocks.push_back(two->blocks.front());
    column.recording = two;
    EXPECT_EQ(column.memo<warps_of>(two->blocks[0]), 3u);
    EXPECT_EQ(column.memo<warps_of>(two->blocks[1]), 3u);
    EXPECT_EQ(column.memo<warps_of>(two->blocks[0]), 3u);
    EXPECT_EQ(calls, 2);
}

TEST_F(MemoTest, KeepsTheAnswersAskedForLast)
{
    for (std::size_t factor = 0; factor < Memo::most_values; ++factor)
        column.memo<warps_times>(factor);
    column.memo<warps_times>(std::size_t{0}); // it is now the most recent one
    column.memo<warps_times>(Memo::most_values);
    EXPECT_EQ(calls, static_cast<int>(Memo::most_values) + 1);
    column.memo<warps_times>(std::size_t{0});
    EXPECT_EQ(calls, static_cast<int>(Memo::most_values) + 1);
    column.memo<warps_times>(std::size_t{1}); // this one was the oldest and was dropped
    EXPECT_EQ(calls, static_cast<int>(Memo::most_values) + 2);
}

std::atomic<bool> may_end;

int when_allowed(const recording::Recording& recording)
{
    while (!may_end)
        std::this_thread::yield();
    return static_cast<int>(recording.blocks.at(0).warps.size());
}

class LaterTest : public MemoTest {
protected:
    LaterTest() { may_end = false; }
    ~LaterTest() override { may_end = true; } // a future waits for its function
    const int* asked_in_a_new_frame() const
    {
        column.kept->begin_frame();
        return column.memo_later<when_allowed>(false);
    }
};

TEST_F(LaterTest, IsNullUntilItIsComputed)
{
    EXPECT_TRUE(column.settled());
    EXPECT_EQ(asked_in_a_new_frame(), nullptr);
    may_end = true;
    const int* answer = nullptr;
    while ((answer = asked_in_a_new_frame()) == nullptr)
        std::this_thread::yield();
    EXPECT_EQ(*answer, 3);
}

TEST_F(LaterTest, AFrameThatLackedItIsFollowedByAnother)
{
    EXPECT_EQ(asked_in_a_new_frame(), nullptr);
    may_end = true;
    while (column.memo_later<when_allowed>(false) == nullptr)
        std::this_thread::yield();
    EXPECT_FALSE(column.settled()) << "this frame began before the answer was there";
    ASSERT_NE(asked_in_a_new_frame(), nullptr);
    EXPECT_TRUE(column.settled());
}

TEST_F(LaterTest, IsNotWaitedForByViewsThatDoNotAsk)
{
    EXPECT_EQ(asked_in_a_new_frame(), nullptr);
    column.kept->begin_frame();
    EXPECT_TRUE(column.settled());
    column.recording = with_lines(5);
    EXPECT_EQ(column.memo<warps_times>(std::size_t{1}), 5u) << "while the other one runs";
}

TEST_F(LaterTest, IsComputedAtOnceWhereItIsQuick)
{
    may_end = true;
    ASSERT_NE(column.memo_later<when_allowed>(true), nullptr);
    EXPECT_EQ(*column.memo_later<when_allowed>(true), 3);
    EXPECT_EQ(*column.memo_later<warps_of>(true, column.recording->blocks[0]), 3u);
    EXPECT_TRUE(column.settled());
}

} // namespace
