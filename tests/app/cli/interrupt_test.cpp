#include "app/cli/job.h"
#include "tests/waiting.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <csignal>

namespace {

TEST(Interrupt, CtrlCIsARequestToStop)
{
    const app::Interrupt interrupt;
    EXPECT_FALSE(interrupt.token().stop_requested());
    kill(getpid(), SIGINT);
    EXPECT_TRUE(test::happens([&] { return interrupt.token().stop_requested(); }));
}

} // namespace
