// Tests the ladder's baselines: the CPU's own, and the message if a library is missing.
#include "measure/baseline.h"
#include "tests/paths.h"
#include "tests/played_gpu.h"
#include "tests/says.h"

#include <gtest/gtest.h>

#include <limits>

namespace {

using kernels::Baseline;
using test::says;

constexpr kernels::BenchOptions brief{.seconds = 0.01};

// cuBLAS with the behavior that a test needs.
class FakeBlasGpu final : public test::PlayedGpu {
public:
    explicit FakeBlasGpu(double wrong_by) : PlayedGpu({.backend = "cuda"}), wrong_by_(wrong_by) {}
    kernels::LibraryRun cublas(kernels::Precision precision, const recording::Problem& problem,
                               const kernels::Operands& operands, const kernels::BenchOptions&,
                               std::stop_token stop) override
    {
        asked = precision;
        kernels::LibraryRun run = test::played_cublas(precision, problem, operands, stop);
        run.C.back() += wrong_by_;
        return run;
    }

    kernels::Precision asked;

private:
    double wrong_by_;
};

const Baseline& named(std::string_view slug)
{
    const Baseline* found = kernels::find_baseline(slug);
    EXPECT_NE(found, nullptr) << slug;
    return *found;
}

TEST(Baseline, LoopIsRightAndTimed)
{
    const auto backend = kernels::make_cpu_backend();
    // The matrix has so few rows that all of them are timed, however long that takes.
    const recording::Problem problem{.M = 5, .N = 17, .K = 65, .alpha = -0.5f, .beta = 3};
    const kernels::BaselineResult result = bench_baseline(*backend, named("cpu_loop"), problem, brief, {});
    EXPECT_TRUE(result.right()) << result.relative_error;
    EXPECT_EQ(result.rows_timed, 5u);
    EXPECT_EQ(result.rows_checked, 5u);
    EXPECT_GT(result.gflops, 0);
    EXPECT_NEAR(result.gflops, 2e-6 * 5 * 17 * 65 / result.timing.median_ms, 1e-9);
}

TEST(Baseline, LoopTimesSomeRowsWhereAllTakeTooLong)
{
    const auto backend = kernels::make_cpu_backend();
    const recording::Problem problem{.M = 100000, .N = 64, .K = 64};
    const kernels::BaselineResult result = bench_baseline(*backend, named("cpu_loop"), problem, {.seconds = 0}, {});
    EXPECT_TRUE(result.right());
    EXPECT_EQ(result.rows_timed, 5u);
    EXPECT_LE(result.rows_checked, result.rows_timed);
}

TEST(Baseline, LoopRefusesWhatTakesMinutesPerRowAndCanBeCancelled)
{
    EXPECT_THROW(kernels::multiply_in_loops({.M = 1, .N = 1u << 20, .K = 1u << 20}, {}, brief, {}), kernels::Error);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(kernels::multiply_in_loops({.M = 1, .N = 1, .K = 1}, {{1}, {1}, {1}}, brief, stop.get_token()),
                 kernels::Cancelled);
}

// Operands of this size take 90 GB, and must not be allocated before the check.
TEST(Baseline, WhatTakesTooLongIsRefusedBeforeOperandsAreMade)
{
    const auto backend = kernels::make_cpu_backend();
    const recording::Problem problem{.M = 30000, .N = 150000, .K = 150000};
    for (const char* slug : {"cpu_loop", "cpu_blas", "cpu_blas_one"}) {
        const std::string said = test::refusal([&] { bench_baseline(*backend, named(slug), problem, brief, {}); });
        EXPECT_NE(said, "") << slug;
        EXPECT_FALSE(says(said, "memory"));
    }
}

TEST(Baseline, MissingBlasIsASentenceWithThePackage)
{
    constexpr const char* nowhere[] = {"libno_such_blas.so.0"};
    EXPECT_TRUE(says(test::refusal<kernels::Unavailable>(
                         [&] { kernels::multiply_with_blas({}, {}, brief, kernels::BlasThreads::all, {}, nowhere); }),
                     "libopenblas0"));
}

// The library's number of threads is global to the process, so it must be restored.
TEST(Baseline, OneCoreIsOneThreadOfTheLibraryAndAfterwardsAllAgain)
{
    const char* const told[] = {test::fake_blas()};
    const recording::Problem problem{.M = 1, .N = 1, .K = 1};
    const kernels::Operands operands{{1}, {1}, {0}};
    for (const auto& [threads, expected] :
         {std::pair{kernels::BlasThreads::all, 7.0}, std::pair{kernels::BlasThreads::one, 1.0},
          std::pair{kernels::BlasThreads::all, 7.0}}) {
        const kernels::LibraryRun run = kernels::multiply_with_blas(problem, operands, brief, threads, {}, told);
        EXPECT_EQ(run.C, std::vector<double>{expected});
    }
}

TEST(Baseline, CublasNeedsAGpu)
{
    const auto backend = kernels::make_cpu_backend();
    EXPECT_THROW(bench_baseline(*backend, named("cublas_sgemm"), {.M = 4, .N = 4, .K = 4}, brief, {}),
                 kernels::Unavailable);
}

TEST(Baseline, EachAsksForItsPrecision)
{
    FakeBlasGpu gpu(0);
    const recording::Problem problem{.M = 32, .N = 32, .K = 32};
    for (const auto& [slug, type] : {std::pair{"cublas_sgemm", type_fp32},
                                     {"cublas_tf32", type_tf32},
                                     {"cublas_fp16", type_fp16},
                                     {"cublas_bf16", type_bf16},
                                     {"cublas_dgemm", type_fp32}}) {
        bench_baseline(gpu, named(slug), problem, brief, {});
        EXPECT_EQ(gpu.asked.type, type) << slug;
        EXPECT_EQ(gpu.asked.fp64, std::string_view(slug) == "cublas_dgemm");
    }
}

TEST(Baseline, SaysWhatTheTypeCosts)
{
    FakeBlasGpu gpu(0);
    const recording::Problem problem{.M = 64, .N = 64, .K = 64};
    const kernels::BaselineResult half = bench_baseline(gpu, named("cublas_bf16"), problem, brief, {});
    EXPECT_TRUE(half.right());
    EXPECT_LT(half.relative_error, 1e-12); // the fake library adds in float64
    EXPECT_GT(half.total_error, 1e-3);
    EXPECT_LT(half.total_error, 1e-2);
}

TEST(Baseline, OneWrongElementAndNaNAreWrong)
{
    const recording::Problem problem{.M = 64, .N = 64, .K = 64};
    FakeBlasGpu right(0), wrong(1), nan(std::numeric_limits<double>::quiet_NaN()), single(1e-6);
    EXPECT_TRUE(bench_baseline(right, named("cublas_sgemm"), problem, brief, {}).right());
    EXPECT_FALSE(bench_baseline(wrong, named("cublas_sgemm"), problem, brief, {}).right());
    EXPECT_FALSE(bench_baseline(nan, named("cublas_sgemm"), problem, brief, {}).right());
    EXPECT_TRUE(bench_baseline(single, named("cublas_sgemm"), problem, brief, {}).right());
    // FP64 results need the tolerance of FP64.
    EXPECT_FALSE(bench_baseline(single, named("cublas_dgemm"), problem, brief, {}).right());
}

} // namespace
