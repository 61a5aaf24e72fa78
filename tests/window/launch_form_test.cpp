// A CUDA file that does not say how to launch its kernel. The form contains what is known, and the kernel runs while
// the user types.
#include "program.h"
#include "tests/paths.h"

#include "temporary_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace {

using namespace test;

class LaunchForm : public testing::Test {
protected:
    void type_into(Program& program, const std::string& field, const std::string& keys)
    {
        program.click(field);
        display_.press("a", true);
        for (const char key : keys)
            display_.press_slowly(key == '-' ? "minus" : std::string(1, key));
    }

    kernels::TemporaryFolder folder_;
    const std::filesystem::path file_ = folder_ / "add.cu";
    Display display_{{1280, 800}};
};

TEST_F(LaunchForm, RunsAsOneTypes)
{
    std::ofstream(file_) << "__global__ void add(float* x, float by)\n"
                            "{\n    x[blockIdx.x * blockDim.x + threadIdx.x] += by;\n}\n"
                            "__global__ void twice(float* x)\n"
                            "{\n    for (int i = 0; i < 2; ++i)\n        x[threadIdx.x + 1024 * i] *= 2;\n}\n";
    Program program(display_, {"open", file_.string(), "--backend", "cpu", "--view", "global"});
    if (const std::string status = program.state().at("status"); status.find("NVRTC") != std::string::npos)
        GTEST_SKIP() << status;
    EXPECT_TRUE(has(program.state(), "status", "2 kernels: 1 add, 2 twice"));
    EXPECT_TRUE(has(program.state(), "status", "--grid"));
    EXPECT_TRUE(has(program.state(), "status", "gemmscope trace"));
    EXPECT_FALSE(program.shows("main:yes")) << "it has no main";
    program.press("F8");
    program.wait_for("the form", shown("launch:grid"));
    type_into(program, "launch:grid", "0x4");
    program.wait_settled("a picture", is("stage", "add"), is("steps", 2));
    type_into(program, "launch:fill:x", "-inf");
    type_into(program, "launch:block", "4x");
    program.wait_settled("the reason", shown("launch:error"), is("steps", 2));
    type_into(program, "launch:block", "64");
    program.wait_settled("the picture again", gone("launch:error"));
    program.click("launch:kernels");
    program.wait_for("the kernels", shown("launch:kernel:1"));
    program.click("launch:kernel:1");
    program.wait_settled("the other kernel", gone("launch:value:by"));
    type_into(program, "launch:grid", "1");
    program.wait_settled("its picture", is("stage", "twice"), is("steps", 4));
    EXPECT_EQ(test::text_of(file_).find("gemmscope"), std::string::npos) << "the file stays as it is";
}

} // namespace
