// Searches for parameters in the window's session, with a fake GPU.
#include "temporary_folder.h"
#include "tests/app/session/fake_gpu.h"
#include "tests/app/session/followed.h"
#include "tests/says.h"
#include "tests/waiting.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <memory>
#include <thread>

namespace {

using test::says;
namespace fs = std::filesystem;

class SearchTest : public testing::Test {
protected:
    SearchTest()
    {
        options.first = "autotuned";
        options.tuned = file;
        options.worker.in_process = true;
        options.measures = false;
        options.worker.factories.cuda = [](int) {
            auto gpu = std::make_unique<test::FakeGpu>();
            gpu->answers = {{64, {.ms = 4}}, {128, {.ms = 2}}, {256, {.ms = 1}}};
            for (int value = 1; value < 64; ++value)
                gpu->answers[value] = {.ms = 8}; // the other stages' first parameters
            gpu->answers[100] = {.fails = true};
            return gpu;
        };
    }

    template <class Condition>
    bool wait(test::Session& session, Condition condition)
    {
        return test::happens([&] {
            session.poll();
            return condition();
        });
    }

    const kernels::TemporaryFolder folder;
    const fs::path file = folder / "tuned.json";
    app::SessionOptions options;
};

TEST_F(SearchTest, ItsWinnerIsInUseAndRemembered)
{
    {
        test::Session session(options);
        ASSERT_TRUE(wait(session, [&] { return session.snapshot()->machine() != nullptr; }));
        const std::size_t stage = session.snapshot()->leading_rung().value();
        EXPECT_EQ(session.snapshot()->stage(stage).parameters,
                  session.snapshot()->ladder()[stage].standard_parameters());
        EXPECT_EQ(session.snapshot()->search(), nullptr);
        session.search_parameters(stage);
        ASSERT_TRUE(wait(session, [&] {
            return session.snapshot()->search() != nullptr && !session.snapshot()->search()->running;
        }));
        EXPECT_TRUE(session.snapshot()->search()->whole) << session.snapshot()->search()->error;
        EXPECT_EQ(session.snapshot()->search()->done, session.snapshot()->search()->steps);
        EXPECT_EQ(session.snapshot()->stage(stage).parameters[0], 256);
        session.leave_search();
        EXPECT_EQ(session.snapshot()->search(), nullptr);
    }
    test::Session next(options);
    ASSERT_TRUE(wait(next, [&] { return next.snapshot()->machine() != nullptr; }));
    EXPECT_EQ(next.snapshot()->stage(next.snapshot()->leading_rung().value()).parameters[0], 256);
    app::Sizes sizes = next.snapshot()->choice.sizes;
    sizes.timed = {.M = 512, .N = 512, .K = 512}; // another size class, for which no winner is stored
    next.change([&](app::Choice& choice) { choice.sizes = sizes; });
    EXPECT_EQ(next.snapshot()->stage(next.snapshot()->leading_rung().value()).parameters[0], 128);
}

TEST_F(SearchTest, StoppedItShowsWhatItHasAndRemembersNothing)
{
    test::Session session(options);
    ASSERT_TRUE(wait(session, [&] { return session.snapshot()->machine() != nullptr; }));
    session.search_parameters(session.snapshot()->leading_rung().value());
    ASSERT_TRUE(wait(
        session, [&] { return session.snapshot()->search() != nullptr && session.snapshot()->search()->done > 0; }));
    session.leave_search();
    ASSERT_TRUE(wait(session, [&] { return !session.snapshot()->search()->running; }));
    EXPECT_FALSE(session.snapshot()->search()->whole);
    EXPECT_EQ(session.snapshot()->search()->ranked.front().state, kernels::Candidate::State::right);
    EXPECT_FALSE(fs::exists(file));
}

// The key is pressed again while the search runs, also on another stage. The search waits before its second candidate.
TEST_F(SearchTest, AskedForAgainItGoesOnAsItIs)
{
    const auto held = std::make_shared<std::atomic<bool>>(true);
    options.worker.factories.cuda = [make = options.worker.factories.cuda, held](int number) {
        auto gpu = make(number);
        auto& fake = dynamic_cast<test::FakeGpu&>(*gpu);
        fake.while_timing = [held, &benched = fake.benched](const std::stop_token& stop) {
            while (!benched.empty() && *held && !stop.stop_requested())
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
        };
        return gpu;
    };
    test::Session session(options);
    ASSERT_TRUE(wait(session, [&] { return session.snapshot()->machine() != nullptr; }));
    const std::size_t stage = session.snapshot()->leading_rung().value();
    session.search_parameters(stage);
    ASSERT_TRUE(wait(
        session, [&] { return session.snapshot()->search() != nullptr && session.snapshot()->search()->done > 0; }));
    const std::size_t done = session.snapshot()->search()->done;
    for (const std::size_t again : {stage - 1, stage}) {
        session.search_parameters(again);
        const app::SnapshotPtr now = session.snapshot();
        EXPECT_EQ(now->search()->stage, &now->ladder()[stage]);
        EXPECT_EQ(now->search()->done, done) << "the search does not start again";
    }
    *held = false;
    ASSERT_TRUE(wait(session, [&] { return !session.snapshot()->search()->running; }));
    EXPECT_TRUE(session.snapshot()->search()->whole) << session.snapshot()->search()->error;
    EXPECT_EQ(session.snapshot()->stage(stage).parameters[0], 256);
}

TEST_F(SearchTest, BaselinesAreShownAlsoWithoutAGpu)
{
    options.backend = "cpu";
    options.first = "naive";
    options.measures = true;
    test::Session session(options);
    app::Sizes sizes = session.snapshot()->choice.sizes;
    sizes.timed = {.M = 64, .N = 64, .K = 64};
    session.change([&](app::Choice& choice) { choice.sizes = sizes; });
    ASSERT_TRUE(wait(session, [&] { return session.snapshot()->baselines.back().known(); }));
    const app::SnapshotPtr snapshot = session.snapshot();
    const auto& all = snapshot->baselines;
    ASSERT_EQ(all.size(), kernels::baselines().size());
    for (const app::BaselineMeasurement& one : all)
        if (one.baseline->needs_gpu())
            EXPECT_TRUE(says(one.missing, "needs an NVIDIA GPU"));
        else
            EXPECT_TRUE(one.result ? one.result->right() : one.missing.find("OpenBLAS") != std::string::npos);
}

} // namespace
