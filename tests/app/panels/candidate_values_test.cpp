// Values that the list of candidates shows once for all candidates.
#include "app/panels/candidate_values.h"

#include <gtest/gtest.h>

#include <vector>

namespace {

using kernels::Candidate;

Candidate right(double gflops, double of_cublas, kernels::ParameterValues parameters)
{
    Candidate one;
    one.state = Candidate::State::right;
    one.gflops = gflops;
    one.of_cublas = of_cublas;
    one.parameters = std::move(parameters);
    return one;
}

TEST(CandidateValues, TellsParametersThatDifferFromThoseThatDoNot)
{
    const std::vector<Candidate> ranked{right(100, 1, {8, 128, 4}), right(90, 0.9, {16, 128, 4}),
                                        right(80, 0.8, {8, 128, 2})};
    const app::SharedParameters shared = app::shared_parameters(ranked, 3);
    EXPECT_EQ(shared.same, std::vector<std::size_t>{1});
    EXPECT_EQ(shared.differing, (std::vector<std::size_t>{0, 2}));
    EXPECT_TRUE(app::shared_parameters(std::span(ranked).first(1), 3).same.empty())
        << "a single candidate shares nothing";
}

// Each candidate was timed together with cuBLAS. The list compares all of them with one cuBLAS time.
TEST(CandidateValues, HasOneFigureOfCublasForAll)
{
    const std::vector<Candidate> ranked{right(100, 0.5, {}), right(90, 1, {}), right(80, 0.8, {})};
    EXPECT_DOUBLE_EQ(app::cublas_beside(ranked), 100) << "the median of 200, 90 and 100";
    EXPECT_EQ(app::cublas_beside({}), 0);
}

} // namespace
