// The choice of one of several GPUs, and which worker runs which task.
#include "app/engine/message.h"
#include "app/engine/task.h"
#include "tests/says.h"

#include "error.h"

namespace {

using test::says;

TEST(Gpus, AreFoundByNumberAndByUuid)
{
    const std::vector<kernels::ListedGpu> gpus = {{0, "A", "GPU-12ab"}, {1, "B", "GPU-12cd"}};
    EXPECT_EQ(kernels::find_gpu(gpus, "").number, 0);
    EXPECT_EQ(kernels::find_gpu(gpus, "1").number, 1);
    EXPECT_EQ(kernels::find_gpu(gpus, "GPU-12cd").number, 1);
    EXPECT_EQ(kernels::find_gpu(gpus, "GPU-12a").number, 0);
    const auto refusal = [&](const char* wanted) {
        return test::refusal<kernels::Unavailable>([&] { kernels::find_gpu(gpus, wanted); });
    };
    EXPECT_TRUE(says(refusal("2"), "0 is A (GPU-12ab), 1 is B (GPU-12cd)"));
    EXPECT_TRUE(says(refusal("GPU-12"), "More than one"));
    EXPECT_TRUE(says(refusal("1x"), "no GPU 1x"));
    EXPECT_THROW(kernels::find_gpu({}, ""), kernels::Unavailable);
}

TEST(Gpus, WhatIsWantedGoesToTheWorkerAndBack)
{
    for (const app::WantedDevice& wanted :
         {app::WantedDevice{}, app::WantedDevice{"cpu", {}}, app::WantedDevice{std::nullopt, "GPU-12ab"},
          app::WantedDevice{"cuda", "3"}}) {
        const app::WantedDevice back = app::wanted_in(app::opening(wanted));
        EXPECT_EQ(back.backend, wanted.backend);
        EXPECT_EQ(back.gpu, wanted.gpu);
    }
}

TEST(Gpus, OneThatIsNotThereIsNoReasonToTakeTheCpu)
{
    app::BackendFactories factories;
    factories.gpus = [] { return std::vector<kernels::ListedGpu>{{0, "A", "GPU-12ab"}}; };
    factories.cuda = [](int) -> std::unique_ptr<kernels::Backend> { throw kernels::Unavailable("It is busy."); };
    const app::Machine machine = app::open_machine(factories, {std::nullopt, "7"});
    EXPECT_FALSE(machine.device);
    EXPECT_TRUE(says(machine.error, "no GPU 7"));
    EXPECT_EQ(app::open_machine(factories, {}).why_no_gpu, "It is busy.");
}

TEST(UserKernels, AreKnownByTheirFiles)
{
    EXPECT_TRUE(app::is_of_user(app::OpenTask{"/a/mine.cu", {}}));
    EXPECT_TRUE(app::is_of_user(app::TraceTask{}));
    EXPECT_FALSE(app::is_of_user(app::OpenTask{"/a/mine.gscope", {}}));
    EXPECT_FALSE(app::is_of_user(app::RecordTask{}));
}

} // namespace
