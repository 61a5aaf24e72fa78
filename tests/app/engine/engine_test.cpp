// Requests that are repeated in every turn.
#include "app/engine/engine.h"

#include "tests/waiting.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace {

using app::Lane;
using app::Loadable;
using app::PrepareTask;
using app::SaveTask;
using app::VerifyTask;
using namespace std::chrono_literals;

VerifyTask verify(const char* stage)
{
    return {.job = {.stage = stage}};
}

PrepareTask prepare(std::size_t jobs)
{
    return {.jobs = std::vector<app::StageJob>(jobs)};
}

SaveTask save(const char* file)
{
    return {file, app::SourceText{"text"}};
}

class EngineTest : public testing::Test {
protected:
    std::atomic<int> begun = 0, done = 0, stopped = 0;
    std::atomic<bool> hold = false, fails = false;
    app::Engine engine{
        [this](const app::Task& task, Lane, const std::stop_token& stop, const auto& tell) -> app::Result {
            ++begun;
            tell({1, 2, "half", {}});
            while (hold && !stop.stop_requested())
                std::this_thread::sleep_for(1ms);
            if (stop.stop_requested())
                ++stopped;
            if (stop.stop_requested())
                throw kernels::Cancelled();
            ++done;
            if (fails)
                throw kernels::Error("It broke.");
            if (std::holds_alternative<VerifyTask>(task))
                return app::VerifyResult{{.ok = true, .error = done * 1.0}};
            if (std::holds_alternative<SaveTask>(task))
                return app::SaveResult{true, {}};
            return app::PrepareResult{std::get<PrepareTask>(task).jobs.size()};
        },
        [] {}};

    // Repeats the request in every turn until it is answered.
    template <app::Request R>
    Loadable<R> answer(const R& request, Lane lane = Lane::files)
    {
        Loadable<R> known;
        EXPECT_TRUE(test::happens([&] {
            engine.poll();
            known = engine.ask(request, lane);
            engine.end_turn();
            return !known.busy;
        }));
        return known;
    }
    void turns(int count)
    {
        for (int i = 0; i < count; ++i)
            engine.poll(), engine.end_turn();
    }
};

TEST_F(EngineTest, ARequestIsHandedOverOnceAndItsAnswerStays)
{
    EXPECT_TRUE(engine.ask(prepare(3), Lane::files).busy);
    EXPECT_TRUE(engine.ask(prepare(3), Lane::files).busy);
    EXPECT_EQ(answer(prepare(3)).value->jobs, 3u);
    EXPECT_EQ(answer(prepare(4)).value->jobs, 4u);
    turns(3);
    const auto first = answer(prepare(3)).value;
    EXPECT_EQ(first, answer(prepare(3)).value) << "the answer is the same object";
    EXPECT_EQ(done, 2);
    engine.forget(prepare(3));
    EXPECT_EQ(engine.known(prepare(3)), nullptr);
    answer(prepare(3));
    EXPECT_EQ(done, 3);
}

TEST_F(EngineTest, WhatNobodyAsksForAnyMoreIsCancelled)
{
    hold = true;
    engine.ask(prepare(1), Lane::files);
    engine.ask(verify("waits"), Lane::files);
    engine.end_turn();
    EXPECT_TRUE(engine.ask(prepare(1), Lane::files).busy);
    engine.end_turn();
    EXPECT_EQ(engine.known(verify("waits")), nullptr);
    EXPECT_TRUE(test::happens([&] { return begun == 1; }));
    EXPECT_NE(engine.known(prepare(1)), nullptr);
    engine.end_turn();
    EXPECT_TRUE(test::happens([&] { return stopped == 1; }));
    hold = false;
    EXPECT_EQ(answer(prepare(1)).value->jobs, 1u) << "the request is repeated";
    EXPECT_EQ(done, 1) << "a cancelled waiting task never runs";
}

TEST_F(EngineTest, WhatIsToBeWrittenIsWrittenAlsoWhereNobodyAsks)
{
    hold = true;
    engine.renew(save("a file"), Lane::files);
    turns(3);
    hold = false;
    EXPECT_TRUE(test::happens([&] {
        engine.poll();
        const auto* known = engine.follow(save("a file"));
        return known != nullptr && known->value != nullptr && known->value->written;
    }));
    EXPECT_EQ(stopped, 0);
}

TEST_F(EngineTest, AFailureStaysWhileItIsAskedForAndIsTriedAgainAfterThat)
{
    fails = true;
    const auto broken = answer(prepare(1));
    ASSERT_TRUE(broken.failed());
    EXPECT_EQ(broken.failure->why, "It broke.");
    answer(prepare(1));
    EXPECT_EQ(done, 1);
    turns(1);
    fails = false;
    EXPECT_TRUE(answer(prepare(1)).value);
    EXPECT_EQ(done, 2);
}

TEST_F(EngineTest, ACancelledOneSaysSoUntilItIsForgotten)
{
    hold = true;
    engine.ask(prepare(1), Lane::files);
    engine.cancel(prepare(1));
    EXPECT_TRUE(answer(prepare(1)).cancelled());
    hold = false;
    EXPECT_TRUE(answer(prepare(1)).cancelled());
    engine.forget<PrepareTask>();
    EXPECT_TRUE(answer(prepare(1)).value);
}

TEST_F(EngineTest, OneThatIsRenewedKeepsItsValueUntilThereIsAnother)
{
    EXPECT_EQ(answer(verify("naive")).value->worst.error, 1);
    hold = true;
    engine.renew(verify("naive"), Lane::files);
    EXPECT_TRUE(engine.ask(verify("naive"), Lane::files).busy);
    EXPECT_EQ(engine.ask(verify("naive"), Lane::files).value->worst.error, 1);
    engine.withdraw<VerifyTask>();
    EXPECT_FALSE(engine.ask(verify("naive"), Lane::files).busy);
    EXPECT_EQ(engine.ask(verify("naive"), Lane::files).value->worst.error, 1) << "the request was not repeated";
    hold = false;
    engine.renew(verify("naive"), Lane::files);
    EXPECT_EQ(answer(verify("naive")).value->worst.error, 2);
}

TEST_F(EngineTest, AFailureStandsWhileItIsTriedAgain)
{
    fails = true;
    answer(verify("naive"));
    hold = true;
    engine.renew(verify("naive"), Lane::files);
    EXPECT_TRUE(engine.ask(verify("naive"), Lane::files).busy);
    EXPECT_TRUE(engine.ask(verify("naive"), Lane::files).failed());
    hold = fails = false;
    EXPECT_FALSE(answer(verify("naive")).failed());
}

TEST_F(EngineTest, TellsHowFarItIs)
{
    hold = true;
    EXPECT_TRUE(test::happens([&] {
        engine.poll();
        return engine.ask(prepare(1), Lane::files).progress.step == "half";
    }));
}

TEST_F(EngineTest, AnswersOfADeviceComeBackWithIt)
{
    answer(verify("naive"));
    answer(prepare(1));
    engine.change_device("one", "");
    EXPECT_EQ(engine.known(verify("naive")), nullptr);
    EXPECT_EQ(engine.known(prepare(1)), nullptr) << "the answer is useless for another device";
    engine.change_device("", "other");
    EXPECT_EQ(answer(verify("naive")).value->worst.error, 3) << "the other device answered";
    engine.change_device("other", "one");
    EXPECT_EQ(engine.known(verify("naive"))->value->worst.error, 1);

    hold = true;
    engine.renew(verify("naive"), Lane::files); // as for repeated measurements of speeds
    engine.change_device("one", "");
    engine.change_device("", "one");
    EXPECT_FALSE(engine.known(verify("naive"))->busy);
    EXPECT_EQ(engine.known(verify("naive"))->value->worst.error, 1);
}

TEST_F(EngineTest, OnlyTheLatestAnswersOfAKindStay)
{
    for (std::size_t i = 1; i <= app::most_kept<PrepareTask>() + 2; ++i)
        answer(prepare(i));
    EXPECT_EQ(engine.known(prepare(1)), nullptr);
    EXPECT_NE(engine.known(prepare(3)), nullptr);
    std::size_t known = 0;
    engine.each<PrepareTask>([&](const PrepareTask&, const Loadable<PrepareTask>&) { ++known; });
    EXPECT_EQ(known, app::most_kept<PrepareTask>() + 1) << "including the request of the last turn";
}

} // namespace
