#include "app/cli/interrupt.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

namespace {

TEST(Interrupt, CtrlCIsARequestToStop)
{
    using namespace std::chrono_literals;
    const app::Interrupt interrupt;
    std::this_thread::sleep_for(20ms);
    EXPECT_FALSE(interrupt.token().stop_requested());
    kill(getpid(), SIGINT);
    for (int i = 0; i < 500 && !interrupt.token().stop_requested(); ++i)
        std::this_thread::sleep_for(10ms);
    EXPECT_TRUE(interrupt.token().stop_requested());
}

} // namespace
