// The state that a class shares, without a window: who may change it, and which windows are notified.
#include "app/learn/lecture.h"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace app {

namespace {

using namespace std::chrono_literals;

QuizQuestion question_of(std::size_t choices)
{
    QuizQuestion question;
    question.kind = "bank";
    question.choices.resize(choices);
    question.answer = 1;
    return question;
}

LedPlace at(const std::string& patch)
{
    return {.patch = parse_patch(patch)};
}

class LectureTest : public testing::Test {
protected:
    struct Person { // counts its notifications
        Person(Lecture& lecture, Role role) : seat(std::in_place, lecture, role, [this] { ++woken; }) {}
        int woken = 0;
        std::optional<Seat> seat;
    };
    Lecture lecture;
    Person leader{lecture, Role::leader}, ada{lecture, Role::follower}, bob{lecture, Role::follower};
};

TEST_F(LectureTest, CountsWhoFollows)
{
    EXPECT_TRUE(lecture.led());
    EXPECT_EQ(lecture.followers(), 2u);
    const int before = leader.woken;
    bob.seat.reset();
    EXPECT_EQ(lecture.followers(), 1u);
    EXPECT_EQ(leader.woken, before + 1) << "the leader's page shows the number of followers";
    leader.seat.reset();
    EXPECT_FALSE(lecture.led());
    EXPECT_GT(ada.woken, 0) << "a follower notices that the leader left";
}

TEST_F(LectureTest, OnlyTheLeaderMovesIt)
{
    leader.seat->show(at("stage=naive view=flow"));
    EXPECT_EQ(lecture.place()->patch.stage(), "naive");
    EXPECT_EQ(ada.woken, 1);
    const uint64_t number = lecture.place_number();
    ada.seat->show(at("stage=swizzled view=banks"));
    ada.seat->ask(question_of(4));
    EXPECT_EQ(lecture.place()->patch.stage(), "naive");
    EXPECT_EQ(lecture.place_number(), number);
    EXPECT_EQ(lecture.question(), nullptr);
    leader.seat->ask(question_of(4));
    ada.seat->reveal();
    EXPECT_FALSE(lecture.question()->revealed);
    ada.seat->end_question();
    EXPECT_NE(lecture.question(), nullptr);
}

TEST_F(LectureTest, CountsTheLastAnswerOfEachFollower)
{
    leader.seat->ask(question_of(3));
    const int heard = bob.woken;
    ada.seat->answer(0);
    EXPECT_EQ(ada.seat->answered(), 0u);
    EXPECT_EQ(bob.seat->answered(), std::nullopt);
    EXPECT_EQ(bob.woken, heard) << "only the leader sees the answers";
    ada.seat->answer(2);
    bob.seat->answer(2);
    bob.seat->answer(3); // no such choice
    leader.seat->answer(1);
    EXPECT_EQ(lecture.answers(), (std::vector<std::size_t>{0, 0, 2}));
    EXPECT_EQ(lecture.answered(), 2u);
    bob.seat.reset();
    EXPECT_EQ(lecture.answered(), 1u) << "a follower who returns answers again";
}

TEST_F(LectureTest, KeepsTheAnswersOnceTheRightOneIsShown)
{
    leader.seat->ask(question_of(3));
    ada.seat->answer(1);
    leader.seat->reveal();
    EXPECT_TRUE(lecture.question()->revealed);
    ada.seat->answer(0);
    bob.seat->answer(0);
    ada.seat.reset();
    EXPECT_EQ(lecture.answers(), (std::vector<std::size_t>{0, 1, 0}));
    leader.seat->ask(question_of(2));
    EXPECT_EQ(lecture.answers(), (std::vector<std::size_t>{0, 0}));
    EXPECT_EQ(bob.seat->answered(), std::nullopt) << "the new question has no answer";
    leader.seat->end_question();
    EXPECT_EQ(lecture.question(), nullptr);
}

TEST_F(LectureTest, OutlastsALeaderWhoGoesAndComesBack)
{
    leader.seat->show(at("stage=naive view=flow step=3"));
    leader.seat->ask(question_of(2));
    ada.seat->answer(1);
    leader.seat.reset();
    ASSERT_TRUE(lecture.place());
    EXPECT_EQ(lecture.place()->patch.step, 3u);
    EXPECT_EQ(lecture.answered(), 1u);
    Seat again(lecture, Role::leader, [] {});
    again.reveal();
    EXPECT_TRUE(lecture.question()->revealed);
}

TEST(LedPlace, GoesOnWithTheTimeAndEndsWhereItStops)
{
    LedPlace place = at("stage=naive");
    place.plays = true;
    place.time = 10;
    place.speed = 8;
    const LedPlace::Clock::time_point then = place.when;
    EXPECT_DOUBLE_EQ(place.time_at(then + 2s), 26);
    place.until = 20;
    EXPECT_DOUBLE_EQ(place.time_at(then + 2s), 20);
    LedPlace later = place;
    later.when = then + 1s;
    later.time = 18 + 0.2 * 8;
    EXPECT_TRUE(place.continues_as(later)) << "a difference of a fifth of a second is no jump";
    later.time = 18 + 0.4 * 8;
    EXPECT_FALSE(place.continues_as(later)) << "a jump in time";
    later.time = 18;
    later.speed = 16;
    EXPECT_FALSE(place.continues_as(later));
    later = place;
    later.plays = false;
    EXPECT_FALSE(place.continues_as(later));
    later = place;
    later.patch.view = "banks";
    EXPECT_FALSE(place.continues_as(later));
}

} // namespace

} // namespace app
