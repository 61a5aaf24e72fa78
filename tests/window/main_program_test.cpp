// A CUDA file with a main function is dropped on the window. The user is asked once, and "yes" lists the launches.
#include "program.h"
#include "tests/paths.h"
#include "tests/waiting.h"

#include "temporary_folder.h"
#include "traced/user_kernel.h"

#include <gtest/gtest.h>

#include <sys/types.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

using namespace test;

pid_t parent_of(pid_t process)
{
    std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
    std::string number, name, state;
    pid_t parent = 0;
    stat >> number >> name >> state >> parent;
    return parent;
}

class MainProgram : public testing::Test {
protected:
    void SetUp() override
    {
        if (!traced::can_build_host_programs())
            GTEST_SKIP() << "nvcc is not installed";
    }

    // Returns a program that fills, scales and sums. Each run of its main() adds a line to `ran_`.
    std::string text(const std::string& after_launches = "", const std::string& before = "") const
    {
        return R"(#include <cstdio>
#include <unistd.h>
__global__ void init(float* x) { x[blockIdx.x * 256 + threadIdx.x] = 1; }
__global__ void scale(float* x, float by) { x[blockIdx.x * 256 + threadIdx.x] *= by; }
__global__ void total(const float* x, float* out)
{
    __shared__ float sums[256];
    int t = threadIdx.x;
    sums[t] = x[blockIdx.x * 256 + t];
    __syncthreads();
    for (int s = 128; s > 0; s /= 2) {
        if (t < s)
            sums[t] += sums[t + s];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = sums[0];
}
int main()
{
    std::FILE* ran = std::fopen(")" +
               ran_.string() + R"(", "a");
    std::fprintf(ran, "%d\n", getpid());
    std::fclose(ran);
)" + before + R"(    float *x, *out, sum;
    cudaMalloc(&x, 4096);
    cudaMalloc(&out, 16);
    init<<<4, 256>>>(x);
    scale<<<4, 256>>>(x, 2.0f);
    total<<<4, 256>>>(x, out);
    cudaMemcpy(&sum, out, 4, cudaMemcpyDeviceToHost);
    std::printf("a block's sum is %g\n", sum);
)" + after_launches +
               "    return 0;\n}\n";
    }
    void write(const std::string& words) const { std::ofstream(file_) << words; }

    std::vector<int> runs() const // ids of the processes that ran
    {
        std::vector<int> all;
        std::ifstream from(ran_);
        for (int process = 0; from >> process;)
            all.push_back(process);
        return all;
    }

    static bool ran(const State& state) { return state.at("settled").get<bool>() && has_widget(state, "main:ran"); }

    kernels::TemporaryFolder folder_;
    const std::filesystem::path file_ = folder_ / "sums.cu", ran_ = folder_ / "ran.txt";
    Display display_{{1280, 800}};
};

TEST_F(MainProgram, IsAskedForOnceAndShowsItsLaunches)
{
    write(text());
    Program program(display_, {"--stage", "naive", "--backend", "cpu", "--view", "banks"});
    display_.drop(program.window(), file_.string());
    program.wait_for("the question", shown("main:yes"));
    program.wait_settled();
    EXPECT_TRUE(runs().empty()) << "nothing runs before the yes";
    program.press("y");
    program.wait_for("its launches", ran);
    const auto since_compiled = std::filesystem::file_time_type::clock::now() - std::filesystem::last_write_time(ran_);
    EXPECT_LT(std::chrono::duration<double>(since_compiled).count(), 3) << "from its main's begin to the picture";
    EXPECT_EQ(runs().size(), 1u);
    EXPECT_EQ(program.state().at("stage"), "total") << "it has shared memory; init only fills";
    EXPECT_GT(program.state().at("steps").get<int>(), 0);
    EXPECT_TRUE(program.shows("main:launch:2"));
    program.click("main:launch:1");
    program.wait_for("the other launch", ran, is("stage", "scale"));
    EXPECT_EQ(program.state().at("compare"), "") << "another launch is no other version";
    EXPECT_EQ(runs().size(), 2u);
    EXPECT_FALSE(program.shows("main:printed text"));
    program.press("F7");
    program.wait_for("what it printed", shown("main:printed text"));
    // A saved file runs again without a question.
    write(text("    std::puts(\"more\");\n"));
    program.wait_for("the run of what was saved", [&](const State& state) { return ran(state) && runs().size() == 3; });
    display_.drop(program.window(), file_.string());
    program.wait_for("the run of what was opened again",
                     [&](const State& state) { return ran(state) && runs().size() == 4; });
}

TEST_F(MainProgram, ANoIsRespectedAndAYesIsForThatFileAlone)
{
    write("// gemmscope: kernel=scale grid=4 block=256 args=x,2 buffer=x=4096\n" + text());
    Program program(display_, {"open", file_.string(), "--backend", "cpu", "--view", "global"});
    ASSERT_TRUE(program.shows("main:no"));
    EXPECT_EQ(program.state().at("stage"), "scale") << "meanwhile its kernel alone is shown, as its comment says";
    program.press("n");
    program.wait_for("an end of the question", gone("main:no"));
    display_.drop(program.window(), file_.string());
    program.wait_settled();
    EXPECT_FALSE(program.shows("main:no")) << "the question is asked once";
    EXPECT_TRUE(runs().empty());
    program.press("Y");
    program.wait_for("its launches", ran);
    EXPECT_EQ(runs().size(), 1u);
    const std::filesystem::path other = folder_ / "other.cu";
    std::ofstream(other) << text();
    display_.drop(program.window(), other.string());
    program.wait_for("another question", shown("main:no"));
    program.wait_settled();
    EXPECT_EQ(runs().size(), 1u);
}

TEST_F(MainProgram, OneThatNeverEndsIsStopped)
{
    const std::string endless = "    for (volatile int i = 0;;)\n        i = 1;\n";
    write(text("", endless));
    Program program(display_, {"open", file_.string(), "--backend", "cpu", "--view", "global"});
    program.press("y");
    program.wait_for("its begin",
                     [&](const State& state) { return has_widget(state, "main:stop") && runs().size() == 1; });
    program.press("Escape");
    program.wait_for("its end", shown("main:failed"));
    EXPECT_TRUE(test::happens([&] { return kill(runs().front(), 0) != 0 && errno == ESRCH; }));
    write(text(endless));
    program.wait_for("what it recorded before it went on for ever", ran);
    EXPECT_TRUE(program.shows("main:trouble"));
    EXPECT_EQ(program.state().at("stage"), "total");
}

// The program ends with its worker, even if the worker is killed and cannot end it.
TEST_F(MainProgram, OneThatNeverEndsEndsWithWhoRunsIt)
{
    write(text("", "    for (volatile int i = 0;;)\n        i = 1;\n"));
    Program program(display_, {"open", file_.string(), "--backend", "cpu", "--view", "global"});
    program.press("y");
    program.wait_for("its begin", [&](const State&) { return runs().size() == 1; });
    const pid_t process = runs().front();
    kill(parent_of(process), SIGKILL);
    EXPECT_TRUE(test::happens([&] { return kill(process, 0) != 0 && errno == ESRCH; }));
    program.wait_for("another run by another worker", [&](const State&) { return runs().size() == 2; });
    program.close();
    EXPECT_EQ(program.exit_status(), 0);
    EXPECT_TRUE(test::happens([&] { return kill(runs().back(), 0) != 0 && errno == ESRCH; }));
}

TEST_F(MainProgram, WhatDoesNotCompileIsSaid)
{
    write("int main() { return wrong; }\n__global__ void k(int* x) { x[0] = 1; }\n");
    Program program(display_, {"open", file_.string(), "--backend", "cpu", "--view", "global"});
    program.press("y");
    program.wait_for("the reason", shown("main:failed"), mentions("status", "wrong"));
    write(text());
    program.wait_for("its launches", ran);
}

} // namespace
