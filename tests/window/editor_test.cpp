// The source panel as an editor: a user changes a line, and its conflicts disappear.
#include "program.h"
#include "tests/paths.h"
#include "tests/says.h"

#include "temporary_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

using namespace test;

const char* const transpose = R"(// gemmscope: kernel=transpose grid=N/32,M/32 block=32,32 args=in,out,M,N
// gemmscope: buffer=in=4*M*N:iota buffer=out=4*M*N size=64
__global__ void transpose(const float* in, float* out, int M, int N)
{
    __shared__ float tile[32][32];
    tile[threadIdx.y][threadIdx.x] = in[(blockIdx.y * 32 + threadIdx.y) * N + blockIdx.x * 32 + threadIdx.x];
    __syncthreads();
    out[(blockIdx.x * 32 + threadIdx.y) * M + blockIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
)";

// Returns the headline of the first stage, which is at the left.
std::string headline(const State& state)
{
    std::string words;
    double left = 1e9;
    for (const auto& [name, place] : state.at("widgets").items())
        if (const Rect rectangle = place; name.starts_with("headline:") && rectangle.left < left) {
            left = rectangle.left;
            words = name.substr(name.find(':') + 1);
        }
    return words;
}

class Editor : public testing::Test {
protected:
    std::vector<std::string> opened() const
    {
        std::ofstream(transpose_) << transpose;
        return {"open", transpose_.string(), "--backend", "cpu", "--view", "banks"};
    }
    static std::string without_compiler(const Program& program)
    {
        const std::string status = program.state().at("status");
        return status.find("NVRTC") == std::string::npos ? "" : status;
    }

    kernels::TemporaryFolder folder_;
    const std::filesystem::path transpose_ = folder_ / "transpose.cu";
    Display display_{{1600, 1000}};
};

TEST_F(Editor, ALineIsChangedAndItsConflictsVanish)
{
    Program program(display_, opened());
    if (const std::string why = without_compiler(program); !why.empty())
        GTEST_SKIP() << why;
    EXPECT_TRUE(says(headline(program.state()), "32 wavefronts"));
    const Rect button = program.widget("external editor"), names = program.widget("names of figures");
    EXPECT_TRUE(names.left >= button.right() || names.top >= button.bottom())
        << "what heads the figures is not printed over a button: " << names << button;
    program.press("O");
    program.wait_for("the editor", shown("typing:source"));
    for (const char* key : {"Down", "Down", "Down", "Down", "End", "Left", "Left", "BackSpace", "3"})
        display_.press_slowly(key);
    program.press("Return", true);
    program.wait_settled("the second version", shown("version:2"));
    EXPECT_TRUE(says(test::text_of(transpose_), "tile[32][33]"));
    EXPECT_TRUE(says(headline(program.state()), "1 wavefront"));
    EXPECT_EQ(program.state().at("compare"), "transpose"); // the previous version
    // A compile error appears at its line, and the picture stays.
    display_.press_slowly("x");
    program.press("Return", true);
    program.wait_for("the error",
                     [](const State& state) { return state.at("hint").get<std::string>().starts_with("Line 5: "); });
    EXPECT_GT(program.state().at("steps").get<int>(), 0);
    // Makes the first version the third one. Its results are known, so it need not run again.
    program.click("version:1");
    program.wait_for("the first version again", [&](const State& state) {
        return state.at("settled").get<bool>() && has_widget(state, "version:3") &&
               test::text_of(transpose_).find("tile[32][32]") != std::string::npos &&
               headline(state).find("32 wavefronts") != std::string::npos;
    });
}

// Text that is typed right after a run is kept, and Ctrl+Enter inserts no line break.
TEST_F(Editor, WhatIsTypedRightAfterARunStays)
{
    Program program(display_, opened());
    if (const std::string why = without_compiler(program); !why.empty())
        GTEST_SKIP() << why;
    program.press("O");
    program.wait_for("the editor", shown("typing:source"));
    for (const char* key : {"Down", "Down", "Down", "End", "slash", "slash"})
        display_.press_slowly(key);
    display_.press("Return", true);
    for (const char* key : {"a", "b", "c"})
        display_.press(key);
    program.wait_settled("the second version", shown("version:2"));
    program.press("Return", true);
    program.wait_for("what was typed", [&](const State& state) {
        return state.at("settled").get<bool>() &&
               test::text_of(transpose_).find("\n{//abc\n    __shared__") != std::string::npos;
    });
}

TEST_F(Editor, ARungIsCopiedAndTheCopyStandsInTheLadder)
{
    const std::string stages = (folder_ / "stages").string();
    Program program(display_, {"--stage", "naive", "--backend", "cpu", "--view", "global"},
                    {{"GEMMSCOPE_STAGES", stages}});
    program.click("edit copy");
    program.wait_settled("the copy", is("stage", "my_naive"), shown("own:my_naive"));
    EXPECT_GT(program.state().at("steps").get<int>(), 0);
    EXPECT_TRUE(says(test::text_of(std::filesystem::path(stages) / "my_naive.cu"), "namespace my_naive"));
}

} // namespace
