// A CUDA file outside the ladder, opened in the window: it is compiled, run without a GPU, and shown in every view.
#include "program.h"
#include "tests/paths.h"

#include <gtest/gtest.h>

namespace {

using namespace test;

TEST(AnyKernel, ACudaFileIsShownInEveryView)
{
    const Display display{{1280, 800}};
    for (const char* file : {"transpose.cu", "histogram.cu", "sgemm.cu"}) {
        Program program(display,
                        {"open", test::data("cuda/" + std::string(file)), "--backend", "cpu", "--view", "banks"});
        if (const std::string status = program.state().at("status"); status.find("NVRTC") != std::string::npos)
            GTEST_SKIP() << status;
        EXPECT_EQ(program.state().at("status"), "") << file;
        EXPECT_GT(program.state().at("steps"), 0) << file;
        for (const char* view : {"flow", "hierarchy", "gpu", "placement", "tiling", "threads", "patterns", "global",
                                 "banks", "layout", "registers", "reuse", "occupancy", "roofline", "faster"}) {
            program.show_view(view);
            const int steps = program.state().at("steps");
            for (int step = 0; step < std::min(steps, 4); ++step)
                program.press("Right");
            program.wait_settled();
        }
    }
}

} // namespace
