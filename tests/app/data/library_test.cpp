// The kernels that cuBLAS launches, as a session traces them on a fake GPU or reads them from a shipped file.
#include "app/engine/measure.h"
#include "tests/app/engine/machine_with.h"
#include "tests/app/said.h"
#include "tests/app/session/session_support.h"
#include "tests/ladder.h"
#include "tests/says.h"
#include "tests/shipped_folder.h"

#include <gtest/gtest.h>

namespace {

using test::FakeBackend;
using test::Script;
using test::Session;
using test::said;
using test::says;

class GpuWithCublas : public FakeBackend {
public:
    GpuWithCublas(std::shared_ptr<Script> script, bool traces) : FakeBackend(std::move(script), "cuda"), traces_(traces)
    {
    }
    kernels::LibraryRun cublas(kernels::Precision precision, const recording::Problem& problem,
                               const kernels::Operands& operands, const kernels::BenchOptions&,
                               std::stop_token stop) override
    {
        return test::played_cublas(precision, problem, operands, stop);
    }
    std::vector<recording::LaunchedKernel> cublas_kernels(kernels::Precision precision, const recording::Problem&,
                                                          std::stop_token) override
    {
        if (!traces_)
            throw kernels::Unavailable("CUPTI is not here.");
        return {{.name = "gemm_" + std::string(kernels::name_of(precision.type)), .launch = {{4, 2, 1}, {256, 1, 1}}}};
    }

    kernels::Counters cublas_counters(kernels::Precision precision, const recording::Problem& problem,
                                      std::stop_token) override
    {
        if (!traces_)
            throw kernels::Unavailable("No counters for you.");
        return {.sums = {{"dram__bytes_read.sum", problem.M}},
                .percents = {{"sm__throughput.avg.pct_of_peak_sustained_elapsed", precision.fp64 ? 64.0 : 32.0}},
                .launches = 2};
    }

private:
    bool traces_;
};

class LibraryTest : public test::SessionTest {
protected:
    std::unique_ptr<Session> open(bool traces)
    {
        app::SessionOptions own = measuring(true);
        own.shipped = folder.path();
        own.worker.factories.cuda = [this, traces](int) -> std::unique_ptr<kernels::Backend> {
            return std::make_unique<GpuWithCublas>(script, traces);
        };
        auto session = std::make_unique<Session>(own);
        app::Sizes sizes = session->snapshot()->choice.sizes;
        sizes.timed = size;
        session->change([&](app::Choice& choice) { choice.sizes = sizes; });
        return session;
    }

    const recording::Problem size{.M = 64, .N = 64, .K = 64};
    test::ShippedFolder folder;
};

TEST_F(LibraryTest, IsTracedOnceTheLibraryWasTimed)
{
    const auto session = open(true);
    ASSERT_TRUE(eventually(*session, [&] { return session->snapshot()->baselines.back().known(); }));
    EXPECT_EQ(said(session->snapshot()->ladder_facts.library->missing), "");
    const viz::LibraryKernels::Row* row = session->snapshot()->ladder_facts.library->find("fp32", size);
    ASSERT_NE(row, nullptr);
    EXPECT_EQ(row->at.kernels.at(0).name, "gemm_fp32");
    EXPECT_EQ(viz::plain(viz::how_had(row->at.from)), "recorded here on fake GPU");
    EXPECT_EQ(session->snapshot()->ladder_facts.library->rows.size(), 4u) << "FP64 is no rung's type";
}

TEST_F(LibraryTest, SaysWhyItCannotBeTraced)
{
    std::ofstream(folder.path() / "library.json")
        << R"({"format": 1, "device": "another GPU", "date": "2026-11-20", "rows": [{"stage": "cublas_sgemm",
        "size": "64", "kernels": []}]})";
    const auto session = open(false);
    ASSERT_TRUE(eventually(
        *session, [&] { return said(session->snapshot()->ladder_facts.library->missing) == "CUPTI is not here."; }));
    EXPECT_EQ(session->snapshot()->ladder_facts.library->find("fp32", size), nullptr)
        << "kernels of another GPU do not count";
}

TEST_F(LibraryTest, IsCountedWhereThatIsAskedFor)
{
    const auto counted = [&](const char* baseline, bool counts) {
        const app::Machine machine = test::machine_with(std::make_shared<GpuWithCublas>(script, counts));
        const app::TaskContext context{test::ladder(), machine};
        const app::BaselineTask task{
            .baseline = baseline, .problem = size, .seconds = 0, .traced = true, .counted = true};
        return task.run(context);
    };
    const app::BaselineResult both = counted("cublas_dgemm", true);
    ASSERT_TRUE(both.counters) << both.counters_missing;
    EXPECT_EQ(both.counters->percents.begin()->second, 64);
    EXPECT_EQ(both.kernels.size(), 1u) << "the kernel is traced for its registers";
    EXPECT_FALSE(both.timed) << "no timing was requested";
    const app::BaselineResult none = counted("cublas_tf32", false);
    EXPECT_FALSE(none.counters);
    EXPECT_EQ(none.counters_missing, "No counters for you.");
    EXPECT_EQ(none.kernels_missing, "CUPTI is not here.");
    EXPECT_EQ(counted("cpu_loop", true).counters_missing,
              "CPU loop runs on a CPU, and counters are read of a GPU only.");
}

TEST_F(LibraryTest, ThatIsShippedOrBroken)
{
    std::ofstream(folder.path() / "library.json")
        << R"({"format": 1, "device": "X", "date": "2026-11-20", "rows": [{"stage": "cublas_sgemm", "size": "64",
        "kernels": [{"name": "k", "grid": [1, 0, 1]}]}, {"stage": "cublas_of_tomorrow"}]})";
    const viz::LibraryKernels broken = app::read_library(folder.path());
    EXPECT_TRUE(broken.rows.empty());
    EXPECT_TRUE(says(said(broken.missing), "grid is not a whole number from 1"));
    const viz::Shapes none = app::read_shapes(folder.path(), test::ladder());
    EXPECT_TRUE(says(said(none.missing), "shapes.json is not there"));
}

} // namespace
