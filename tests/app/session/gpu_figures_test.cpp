// Background measurements of the GPU: progress, completion, and storage for the next start.
#include "app/data/gpu.h"
#include "temporary_folder.h"
#include "tests/app/session/session_support.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>

namespace test {

namespace {

class MeasurableGpu : public FakeBackend {
public:
    explicit MeasurableGpu(std::shared_ptr<Script> script) : FakeBackend(script, "cuda"), script_(std::move(script)) {}
    recording::GpuProperties gpu() const override { return {.name = "fake GPU", .sm_count = 2, .fp32_gflops = 1000}; }
    std::vector<std::string> gpu_steps() override { return {"the first step", "the second step"}; }
    void measure_gpu(std::size_t step, recording::GpuMeasurement& result, std::stop_token stop) override
    {
        result.peaks.push_back({"fma", "fp32", 900.0 + static_cast<double>(step)});
        while (script_->hold_bench && !stop.stop_requested())
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        if (stop.stop_requested())
            throw kernels::Cancelled();
        result.name = "fake GPU";
        result.measured_at = "2026-11-21T09:00:00Z";
    }

private:
    std::shared_ptr<Script> script_;
};

class GpuProberTest : public SessionTest {
protected:
    GpuProberTest() { setenv("XDG_CONFIG_HOME", folder.path().c_str(), 1); }
    ~GpuProberTest() override { unsetenv("XDG_CONFIG_HOME"); }
    app::SessionOptions measurable()
    {
        app::SessionOptions result = options(true);
        result.worker.factories.cuda = [this](int) { return std::make_unique<MeasurableGpu>(script); };
        return result;
    }
    kernels::TemporaryFolder folder;
};

TEST_F(GpuProberTest, MeasuresAndRemembers)
{
    {
        test::Session session(measurable());
        ASSERT_TRUE(eventually(session, [&] { return session.snapshot()->ladder_facts.gpu.here; }));
        EXPECT_FALSE(session.snapshot()->ladder_facts.gpu.measured);
        session.measure_gpu();
        ASSERT_TRUE(eventually(session, [&] { return session.snapshot()->ladder_facts.gpu.measured ? true : false; }));
        const viz::GpuState state = session.snapshot()->ladder_facts.gpu;
        EXPECT_EQ(state.measured->peaks.size(), 2u);
        EXPECT_TRUE(state.failed.empty());
        EXPECT_FALSE(state.measured.from().shipped);
        EXPECT_EQ(state.measured.from().date, "2026-11-21");
        EXPECT_FALSE(state.measuring);
    }
    test::Session again(measurable());
    ASSERT_TRUE(eventually(again, [&] { return again.snapshot()->ladder_facts.gpu.here; }));
    EXPECT_TRUE(again.snapshot()->ladder_facts.gpu.measured) << "measurements are stored between runs";
}

TEST_F(GpuProberTest, TellsItsProgressAndIsCancelled)
{
    test::Session session(measurable());
    ASSERT_TRUE(eventually(session, [&] { return session.snapshot()->ladder_facts.gpu.here; }));
    script->hold_bench = true;
    session.measure_gpu();
    ASSERT_TRUE(eventually(session, [&] { return session.snapshot()->ladder_facts.gpu.step == "the first step"; }));
    EXPECT_TRUE(session.snapshot()->ladder_facts.gpu.measuring);
    EXPECT_EQ(session.snapshot()->ladder_facts.gpu.steps, 2u);
    session.stop_measuring_gpu();
    ASSERT_TRUE(eventually(session, [&] { return !session.snapshot()->ladder_facts.gpu.measuring; }));
    EXPECT_EQ(session.snapshot()->ladder_facts.gpu.failed, recording::Reasons{{recording::Missing::cancelled}});
    EXPECT_FALSE(session.snapshot()->ladder_facts.gpu.measured);
    EXPECT_FALSE(std::filesystem::exists(app::measured_gpu_path("fake GPU")));

    script->hold_bench = false;
    session.measure_gpu();
    EXPECT_TRUE(eventually(session, [&] { return session.snapshot()->ladder_facts.gpu.measured ? true : false; }))
        << "the GPU is measured again";
    EXPECT_EQ(session.snapshot()->ladder_facts.gpu.measured->peaks.size(), 2u)
        << "results of the cancelled measurement are dropped";
}

model::PatternRow pattern(uint64_t stride)
{
    model::PatternRow row;
    row.op = "ld.shared";
    for (uint64_t lane = 0; lane < row.pattern.offset.size(); ++lane)
        row.pattern.offset[lane] = 4 * stride * lane;
    return row;
}

// With a real GPU the pattern has figures. Without one, as with this fake GPU, the reason is reported.
TEST_F(GpuProberTest, AnAccessPatternIsMeasuredOrItIsSaidWhyNot)
{
    test::Session session(measurable());
    ASSERT_TRUE(eventually(session, [&] { return session.snapshot()->ladder_facts.gpu.here; }));
    EXPECT_EQ(session.snapshot()->ladder_facts.pattern, nullptr) << "no pattern was requested";
    session.measure_pattern(pattern(1));
    session.measure_pattern(pattern(2));
    ASSERT_TRUE(eventually(session, [&] {
        const auto& measured = session.snapshot()->ladder_facts.pattern;
        return measured != nullptr && !measured->busy;
    }));
    const viz::MeasuredPattern& measured = *session.snapshot()->ladder_facts.pattern;
    EXPECT_EQ(measured.row.pattern, pattern(2).pattern) << "only the last pattern is measured";
    EXPECT_NE(measured.failed.empty(), !measured.row.measured && !measured.row.times) << measured.failed;
    EXPECT_EQ(measured.from.device, "fake GPU");
}

TEST_F(GpuProberTest, WithoutAGpuThereIsNothingToMeasure)
{
    test::Session session(options(false));
    ASSERT_TRUE(eventually(session, [&] { return session.snapshot()->machine() != nullptr; }));
    session.measure_gpu();
    session.measure_pattern(pattern(1));
    EXPECT_EQ(session.snapshot()->ladder_facts.pattern, nullptr);
    EXPECT_FALSE(session.snapshot()->ladder_facts.gpu.measuring);
    EXPECT_FALSE(session.snapshot()->ladder_facts.gpu.here);
    EXPECT_EQ(session.snapshot()->ladder_facts.gpu.not_here.at(0),
              (recording::Reason{recording::Missing::no_gpu, {"There is no GPU in this test."}}));
}

} // namespace

} // namespace test
