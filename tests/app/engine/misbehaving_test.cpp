// Users' kernels that misbehave: each gives a sentence, and the next task works. They run as PTX everywhere, and also
// on the GPU if there is one.
#include "app/engine/process_worker.h"
#include "tests/paths.h"
#include "tests/played_clock.h"
#include "tests/says.h"
#include "tests/worker/misbehaving_stage.h"

#include "machine_code/machine_code.h"
#include "temporary_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace {

using app::Lane;
using test::Misdeed;
using test::says;

app::Result run_in_lane(app::Worker& worker, const app::Task& task, Lane lane)
{
    return worker.run(task, lane, {}, [](const app::Progress&) {});
}

std::string how_it_fails(app::Worker& worker, const app::Task& task, Lane lane)
{
    return test::refusal([&] { run_in_lane(worker, task, lane); });
}

class MisbehavingFile : public testing::Test {
protected:
    // Returns a task with a kernel of this body, launched with one block of 64 threads.
    app::TraceTask file(const std::string& body, const std::string& before = "")
    {
        const std::filesystem::path path = folder / "mine.cu";
        std::ofstream(path) << before << "\n__global__ void mine(float* out, int n) { " << body << " }\n";
        app::TraceTask task;
        task.request.file = path;
        task.request.kernel = "mine";
        task.request.grid = "1";
        task.request.block = "64";
        task.request.arguments = {"out", "5"};
        task.request.buffers = {"out=256:zeros"};
        return task;
    }

    // Returns why the task cannot run here, for example without a CUDA compiler; otherwise "".
    std::string why_not_here(const app::TraceTask& task)
    {
        return test::refusal<kernels::Unavailable>([&] { run_in_lane(worker, task, Lane::code); });
    }

    kernels::TemporaryFolder folder;
    std::vector<kernels::Stage> ladder = kernels::make_ladder();
    app::ProcessWorker worker{
        ladder, {.command = {test::scripted_worker()}, .wanted = {"cpu", {}}, .now = test::PlayedClock().reader()}, [] {
        }};
};

TEST_F(MisbehavingFile, IsToldInASentenceAndTheNextOneIsRight)
{
    const std::string fine = "out[threadIdx.x] = 2.0f * n;";
    if (const std::string why = why_not_here(file(fine)); !why.empty())
        GTEST_SKIP() << why;
    const struct {
        const char *body, *before, *said;
    } all[] = {
        {"out[threadIdx.x] = *(const float*)(n - 5ll);", "", "a null pointer"},
        {"out[threadIdx.x + 1000] = 1;", "", "which has 256"},
        {"for (volatile int i = 0; i < 1; i *= 1) {} out[threadIdx.x] = 1;", "", "does not end"},
        {"out[threadIdx.x] = deep(n, 1 << 24);",
         "__device__ __noinline__ float deep(float v, int l) { volatile float f[64]; f[l % 64] = v; return l == 0 ? "
         "f[3] : "
         "deep(f[l % 64], l - 1) + f[l % 7]; }",
         ""},
        {"__trap();", "", "a trap"},
        {"__shared__ float s[100000]; s[threadIdx.x] = 1; out[threadIdx.x] = s[n];", "", "shared"},
        {"out[threadIdx.x] = ;", "", "mine.cu"},
    };
    for (const auto& one : all) {
        const std::string why = how_it_fails(worker, file(one.body, one.before), Lane::code);
        EXPECT_NE(why, "") << one.body;
        EXPECT_TRUE(says(why, one.said)) << one.body;
        const auto next = std::get<app::TraceResult>(run_in_lane(worker, file(fine), Lane::code));
        EXPECT_EQ(next.recorded.recording->executed->kernel, "mine");
    }
}

// The clock of the scripted worker runs while this file exists. Otherwise it stands still.
class RunningClock {
public:
    explicit RunningClock(const kernels::TemporaryFolder& folder) : file_(folder / "hurry")
    {
        setenv("SCRIPTED_HASTY", file_.c_str(), 1);
    }
    RunningClock(const RunningClock&) = delete;
    RunningClock& operator=(const RunningClock&) = delete;
    ~RunningClock() { unsetenv("SCRIPTED_HASTY"); }
    void begin() const { std::ofstream(file_) << "x"; }
    void end() const { std::filesystem::remove(file_); }

private:
    std::filesystem::path file_;
};

app::ProcessOptions with_stopped_clock(std::vector<std::string> command, const char* backend)
{
    return {.command = std::move(command), .wanted = {backend, {}}, .now = test::PlayedClock().reader()};
}

TEST_F(MisbehavingFile, HasATimeLimit)
{
    if (const std::string why = why_not_here(file("out[threadIdx.x] = n;")); !why.empty())
        GTEST_SKIP() << why;
    const RunningClock clock(folder);
    app::ProcessWorker own(ladder, with_stopped_clock({test::scripted_worker()}, "cpu"), [] {});
    app::TraceTask endless = file("for (volatile int i = 0; i < 1; i *= 1) {} out[threadIdx.x] = 1;");
    endless.request.most_steps = ~uint64_t{0};
    clock.begin();
    const std::string why = how_it_fails(own, endless, Lane::code);
    clock.end();
    EXPECT_TRUE(says(why, "Running a kernel of mine.cu gave no sign of life"));
    EXPECT_NO_THROW(run_in_lane(own, file("out[threadIdx.x] = n;"), Lane::code));
}

// Returns the number of seconds in a sentence such as "gave no sign of life for 4,200 s".
int silence_in(const std::string& why)
{
    const std::string before = "no sign of life for ";
    std::string number = why.substr(std::min(why.find(before), why.size() - before.size()) + before.size());
    std::erase(number, ',');
    return std::atoi(number.c_str());
}

// A user's kernel may be silent for 60 s plus `user_patience`, which is an hour here.
TEST_F(MisbehavingFile, HasAPatienceOfItsOwn)
{
    if (const std::string why = why_not_here(file("out[threadIdx.x] = n;")); !why.empty())
        GTEST_SKIP() << why;
    app::ProcessOptions options = with_stopped_clock({test::scripted_worker()}, "cpu");
    EXPECT_LT(options.user_patience, options.patience) << "by default";
    options.user_patience = std::chrono::hours(1);
    const RunningClock clock(folder);
    app::ProcessWorker own(ladder, options, [] {});
    app::TraceTask endless = file("for (volatile int i = 0; i < 1; i *= 1) {} out[threadIdx.x] = 1;");
    endless.request.most_steps = ~uint64_t{0};
    clock.begin();
    const std::string why = how_it_fails(own, endless, Lane::code);
    EXPECT_GT(silence_in(why), 3660) << why;
}

app::VerifyTask on_gpu(Misdeed what, uint32_t size)
{
    return {.job = {"misbehaving", {{"WHAT", static_cast<int>(what)}}, {.M = size, .N = size, .K = size}, {}}};
}

TEST(MisbehavingOnGpu, Compiles)
{
    const kernels::Stage stage = test::misbehaving_stage();
    for (int what = 0; what < 7; ++what)
        SKIP_WHERE_UNAVAILABLE(EXPECT_FALSE(kernels::machine_code(stage, {what}, 90).kernels.empty()) << what);
}

TEST(MisbehavingOnGpu, EachIsToldInASentenceAndTheNextTaskIsRight)
{
    std::vector<kernels::Stage> ladder = kernels::make_ladder();
    ladder.push_back(test::misbehaving_stage());
    const kernels::TemporaryFolder folder;
    const RunningClock clock(folder);
    app::ProcessWorker worker(ladder, with_stopped_clock({test::scripted_worker(), "misbehaving"}, "cuda"), [] {});
    if (const std::string why = how_it_fails(worker, on_gpu(Misdeed::none, 33), Lane::ladder); why != "")
        GTEST_SKIP() << why;
    const struct {
        Misdeed what;
        const char* said;
    } all[] = {{Misdeed::reads_null, "memory"},
               {Misdeed::writes_beyond, "memory"},
               {Misdeed::never_ends, "no sign of life"},
               {Misdeed::overflows_stack, ""},
               {Misdeed::traps, ""},
               {Misdeed::too_much_shared, "shared"}};
    for (const auto& one : all) {
        if (one.what == Misdeed::never_ends)
            clock.begin();
        const std::string why = how_it_fails(worker, on_gpu(one.what, 40), Lane::ladder);
        clock.end();
        std::printf("%d: %s\n", static_cast<int>(one.what), why.c_str());
        EXPECT_NE(why, "") << static_cast<int>(one.what);
        EXPECT_TRUE(says(why, one.said));
        EXPECT_TRUE(std::get<app::VerifyResult>(run_in_lane(worker, on_gpu(Misdeed::none, 50), Lane::ladder)).worst.ok);
        const app::VerifyTask other{.job = {"naive",
                                            app::named({&kernels::find_stage(ladder, "naive"),
                                                        kernels::find_stage(ladder, "naive").standard_parameters(),
                                                        {}})
                                                .parameters,
                                            {.M = 33, .N = 33, .K = 33},
                                            {}}};
        EXPECT_TRUE(std::get<app::VerifyResult>(run_in_lane(worker, other, Lane::ladder)).worst.ok);
    }
}

} // namespace
