// A CUDA file's own main as a part of RunFileTask: which launch is recorded, what it prints, and what text of the file
// runs.
#include "app/engine/run_file.h"
#include "tests/says.h"

#include "app/engine/program.h"
#include "backend.h"
#include "temporary_folder.h"
#include "traced/user_kernel.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

const std::string three_kernels =
    "#include <cstdio>\n"
    "__global__ void init(int* x) { __shared__ int one[32]; one[threadIdx.x] = 1; __syncthreads(); x[threadIdx.x] = "
    "one[0]; }\n"
    "__global__ void swap(int* x) { __shared__ int s[32]; s[threadIdx.x] = x[threadIdx.x]; __syncthreads();\n"
    "    x[threadIdx.x] = s[31 - threadIdx.x]; }\n"
    "__global__ void scale(int* x, int n) { for (int i = 0; i < 100; ++i) x[blockIdx.x * 32 + threadIdx.x] *= n; }\n"
    "int main() {\n"
    "    int* x; cudaMalloc(&x, 512);\n"
    "    init<<<1, 32>>>(x); swap<<<1, 32>>>(x); scale<<<4, 32>>>(x, 3); scale<<<4, 32>>>(x, 4); scale<<<2, 32>>>(x, "
    "5);\n"
    "    fprintf(stderr, \"errors, \"); printf(\"output\\n\"); return 3;\n"
    "}\n";

// The parameter chooses between this machine's GPU and the PTX machine. Both give the same results.
class MainProgram : public testing::TestWithParam<bool> {
protected:
    void SetUp() override
    {
        if (!traced::can_build_host_programs())
            GTEST_SKIP() << "nvcc is not installed";
        if (GetParam() && !kernels::has_gpu())
            GTEST_SKIP() << "there is no GPU";
    }

    app::RunFileResult run(const std::string& of, app::ChosenLaunch chosen)
    {
        std::ofstream(file_) << three_kernels;
        chosen.on_gpu = GetParam();
        const app::Machine machine;
        const std::vector<kernels::Stage> ladder;
        app::TaskContext context{ladder, machine};
        context.progress = [&](const app::Progress& now) { progress_.push_back(now); };
        return app::RunFileTask{.file = file_, .text = of, .main = chosen}.run(context);
    }

    kernels::TemporaryFolder folder_;
    const std::filesystem::path file_ = folder_ / "three.cu";
    std::vector<app::Progress> progress_;
};

TEST_P(MainProgram, TheLaunchThatTellsMostIsRecorded)
{
    const app::RunFileResult result = run(three_kernels, {});
    EXPECT_EQ(result.recorded.recording->stage, "swap")
        << "the kernel that uses shared memory, not one that only fills a buffer";
    const app::MainRun& main = *result.main;
    ASSERT_EQ(main.launches.size(), 4u);
    EXPECT_EQ(main.launches[main.recorded].kernel, "swap");
    EXPECT_EQ(main.launches[2].count, 2u);
    EXPECT_EQ(main.launches[3].first_of_kernel, 3u);
    EXPECT_EQ(main.launches[3].first, 5u);
    EXPECT_EQ(main.printed, "errors, output\n");
    EXPECT_EQ(main.status, 3);
    EXPECT_EQ(main.on_gpu, GetParam());
    ASSERT_FALSE(progress_.empty());
    EXPECT_EQ(progress_.back().printed, main.printed);
}

TEST_P(MainProgram, AnotherLaunchIsRecordedWhereItIsChosen)
{
    const app::RunFileResult result = run(three_kernels, {.kernel = "scale(int*, int)", .launch = 3});
    EXPECT_EQ(result.recorded.recording->stage, "scale");
    EXPECT_EQ(result.recorded.recording->launch.grid.x, 2u);
    EXPECT_EQ(result.main->recorded, 3u);
}

// The text in the editor may not be saved yet.
TEST_P(MainProgram, TheTextRunsAndNotWhatLiesInTheFile)
{
    std::string typed = three_kernels;
    typed.replace(typed.find("output"), 6, "typed!");
    const app::RunFileResult result = run(typed, {});
    EXPECT_EQ(result.main->printed, "errors, typed!\n");
    EXPECT_EQ(result.recorded.recording->source().text, typed);
    if (!GetParam()) { // the compiler for the GPU removes values that nothing else reads
        EXPECT_EQ(result.recorded.recording->blocks[0].warps[0].accesses[0].line, 3u);
    }
    typed.insert(0, "#error nothing of it compiles\n");
    EXPECT_TRUE(test::says(test::refusal([&] { run(typed, {}); }), "three.cu:1:2: error"));
}

TEST_P(MainProgram, OutputGoesToErrorsWhereAProgramReadsTheResult)
{
    std::ofstream(file_) << three_kernels;
    app::HostProgramTask task{.command = {file_.string()}, .request = {}, .launch = 0};
    task.output_to_errors = true;
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const app::HostProgramResult result = app::run_host_program(task, [](const std::string&) {}, {});
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "errors, output\n");
    EXPECT_EQ(result.end.recorded->kernel, "swap");
}

INSTANTIATE_TEST_SUITE_P(Gpu, MainProgram, testing::Bool(),
                         [](const auto& of) { return of.param ? "OnAGpu" : "WithoutAGpu"; });

} // namespace
