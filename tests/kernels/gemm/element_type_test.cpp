// Tests A and B in other types than FP32: the bytes that a kernel receives, and the tolerance of its result.
#include "describe.h"
#include "gemm/element_type.h"
#include "gemm/inputs.h"
#include "gemm/rounding.h"
#include "measure/speed.h"
#include "tests/ladder.h"
#include "tests/says.h"

#include <gtest/gtest.h>

#include <cmath>

namespace typed {

enum Fault : int { none, one_product_missing, nan };

struct Parameters {
    int TYPE = type_fp16;
    int FAULT = none;
};

// A kernel in which one thread computes one element of C.
template <Parameters P, class Probe>
void typed(TensorGemm gemm, Probe probe)
{
    using E = Element<P.TYPE>;
    Block block(probe);
    const auto A = gemm.A<E>(block), B = gemm.B<E>(block);
    const auto C = gemm.C(block);
    const int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y;
    float sum = 0;
    for (int k = 0; k < gemm.K; ++k) {
        const E a = A(row, k), b = B(k, col);
        if (P.FAULT != one_product_missing || k != gemm.K / 2 || row != gemm.M - 1 || col != gemm.N - 1)
            sum += kernels::to_float(a) * kernels::to_float(b);
    }
    if (P.FAULT == nan && row == gemm.M - 1 && col == gemm.N - 1)
        sum = NAN;
    const float old = gemm.beta != 0 ? C(row, col) : 0;
    C.store(row, col, gemm.alpha * sum + gemm.beta * old);
}

inline constexpr Parameters variants[] = {
    {type_fp16}, {type_bf16}, {type_tf32}, {type_bf16, one_product_missing}, {type_bf16, nan}};

inline auto info()
{
    return StageInfo<Parameters, TensorGemm>{
        .slug = "typed",
        .idea = "for tests",
        .builds_on = "",
        .parameters = {{"TYPE", &Parameters::TYPE, "of A and B"},
                       {"FAULT", &Parameters::FAULT, "what is wrong with it"}},
        .variants = variants,
        .refusal = [](Parameters p) -> std::string {
            return p.TYPE == type_fp32 ? "TYPE must be fp16, bf16 or tf32" : "";
        },
        .launch = [](Parameters, const Problem& problem) -> Launch {
            return {.grid = {ceil_div(problem.N, 32), static_cast<int>(problem.M)}, .block = {32}};
        },
        .on_cpu = compiled<variants>([]<Parameters P, class Probe>() { return &typed<P, Probe>; }),
        .type = [](Parameters p) { return static_cast<Type>(p.TYPE); },
    };
}

} // namespace typed

namespace {

using test::says;

const kernels::Stage& stage()
{
    static const kernels::Stage described = kernels::make_stage(typed::info(), "test");
    return described;
}

kernels::Verification verified(const kernels::ParameterValues& parameters, const recording::Problem& problem)
{
    return kernels::verify(*kernels::make_cpu_backend(), {&stage(), parameters, problem}, kernels::ProbeKind::none, {});
}

TEST(ElementType, IsTheParameterTYPE)
{
    EXPECT_EQ(stage().type({type_bf16, 0}), type_bf16);
    EXPECT_EQ(stage().type({type_tf32, 0}), type_tf32);
    const kernels::Stage& naive = test::stage("naive");
    EXPECT_EQ(naive.type(naive.standard_parameters()), type_fp32);
}

TEST(ElementType, HasANameInsteadOfANumber)
{
    EXPECT_EQ(kernels::parse_parameters(stage(), {"TYPE=bf16"}).at(0), type_bf16);
    EXPECT_EQ(kernels::parse_parameters(stage(), {"TYPE=TF32"}).at(0), type_tf32);
    EXPECT_EQ(kernels::value_text("TYPE", type_fp16), "fp16");
    EXPECT_EQ(kernels::value_text("TYPE", 17), "17");
    EXPECT_EQ(kernels::value_text("BM", 2), "2");
    for (const char* wrong : {"TYPE=fp8", "TYPE=3", "TYPE="})
        EXPECT_TRUE(says(test::refusal([&] { kernels::parse_parameters(stage(), {wrong}); }), "fp16, bf16, tf32"));
    EXPECT_THROW(kernels::parse_parameters(stage(), {"TYPE=fp32"}), kernels::Error); // the stage refuses it
}

TEST(DeviceForm, RowsStartOn16BytesAndEndInZeros)
{
    const recording::Problem problem{.M = 2, .N = 9, .K = 3};
    const kernels::Operands operands{{1, 2, 3, 4, 5, 6}, std::vector<float>(27, 1.0f), std::vector<float>(18)};
    const kernels::Job job{&stage(), {type_fp16, 0}, problem};
    const kernels::DeviceForm form(job.stage->operation, kernels::type_of(job), job.problem, operands);
    ASSERT_EQ(form.A().size(), 2 * 16u); // 3 elements of 2 bytes, padded to 16
    ASSERT_EQ(form.B().size(), 3 * 32u); // 9 elements of 2 bytes, padded to 32
    const auto* a = reinterpret_cast<const uint16_t*>(form.A().data());
    EXPECT_EQ(a[0], 0x3c00);
    EXPECT_EQ(a[8], 0x4400); // 4
    for (const int padding : {3, 4, 7, 11, 15})
        EXPECT_EQ(a[padding], 0) << padding;

    const std::vector<recording::Array> arrays = kernels::arrays(stage(), job.parameters, problem);
    EXPECT_EQ(arrays[0].element_bytes, 2u);
    EXPECT_EQ(arrays[0].bytes, 32u);
    EXPECT_EQ(arrays[1].bytes, 96u);
    EXPECT_EQ(arrays[1].offset_of(1, 1), 34u);
    EXPECT_EQ(arrays[2].element_bytes, 4u);
    EXPECT_EQ(arrays[2].bytes, 72u);
}

TEST(DeviceForm, Fp32IsNotCopied)
{
    const kernels::Operands operands{{1, 2}, {3, 4}, {0}};
    const kernels::DeviceForm form(kernels::Operation::gemm, type_fp32, {.M = 1, .N = 1, .K = 2}, operands);
    EXPECT_EQ(static_cast<const void*>(form.A().data()), operands.A.data());
    EXPECT_EQ(form.A().size(), 8u);
}

TEST(ElementType, EveryTypeIsRightForItsOwnOperandsAndFurtherFromFp32)
{
    struct Expected {
        Type type;
        double unit; // relative size of one rounding of an operand
    };
    for (const auto& [type, unit] : {Expected{type_fp16, 0x1p-12}, {type_bf16, 0x1p-9}, {type_tf32, 0x1p-12}})
        for (const recording::Problem& problem : {recording::Problem{.M = 33, .N = 65, .K = 129},
                                                  {.M = 1, .N = 1, .K = 1, .alpha = -0.5f, .beta = 3},
                                                  {.M = 17, .N = 31, .K = 63, .alpha = 3, .beta = 1}}) {
            const kernels::Verification found = verified({type, 0}, problem);
            EXPECT_TRUE(found.ok) << kernels::value_text("TYPE", type) << " " << found.error << " " << found.tolerance;
            if (problem.beta != 0)
                continue; // C is not rounded, so the result has only the error from A and B
            EXPECT_GT(found.total_error, unit / 4);
            EXPECT_LT(found.total_error, unit * 4);
            EXPECT_LT(found.error, found.total_error / 16);
        }
}

TEST(ElementType, OneMissingProductAndNaNAreWrong)
{
    const recording::Problem problem{.M = 64, .N = 64, .K = 512};
    EXPECT_TRUE(verified({type_bf16, typed::none}, problem).ok);
    EXPECT_FALSE(verified({type_bf16, typed::one_product_missing}, problem).ok);
    EXPECT_FALSE(verified({type_bf16, typed::nan}, problem).ok);
}

// Adds `steps` products at a time. After each addition, bits that FP32 cannot represent are truncated.
float cut_off_sum(const std::vector<double>& products, std::size_t step)
{
    float sum = 0;
    for (std::size_t i = 0; i < products.size(); i += step) {
        double exact = sum;
        for (std::size_t j = i; j < std::min(i + step, products.size()); ++j)
            exact += products[j];
        auto nearest = static_cast<float>(exact);
        if (std::abs(double{nearest}) > std::abs(exact))
            nearest = std::nextafter(nearest, 0.0f);
        sum = nearest;
    }
    return sum;
}

TEST(Tolerance, CoversSumsThatAreCutOffAndFindsAMissingProduct)
{
    constexpr uint32_t K = 4096, elements = 256;
    for (const auto& [type, step] : {std::pair{type_fp16, 8}, std::pair{type_tf32, 4}}) {
        const recording::Problem problem{.M = 1, .N = elements, .K = K};
        const double allowed = kernels::tolerance(kernels::Operation::gemm, problem, type);
        kernels::Operands operands = kernels::input_operands(kernels::Operation::gemm, problem, 5);
        kernels::round_all(operands.A, type);
        kernels::round_all(operands.B, type);
        std::vector<double> exact(elements);
        std::vector<float> sums(elements);
        for (uint32_t col = 0; col < elements; ++col) {
            std::vector<double> products(K);
            for (uint32_t k = 0; k < K; ++k)
                exact[col] += products[k] = double{operands.A[k]} * operands.B[k * elements + col];
            sums[col] = cut_off_sum(products, step);
        }
        const double error = kernels::relative_error(sums, exact);
        EXPECT_LT(error, allowed / 1.5) << type;
        EXPECT_GT(error, allowed / 20) << type; // the tolerance is not so large that it is meaningless
        // The error of one missing product in one element of a matrix of 4096 x 4096: 1/3 of sqrt(K) / 3, over 16.
        EXPECT_GT(1 / (16 * std::sqrt(double{K})), 5 * allowed);
    }
    EXPECT_EQ(kernels::tolerance(kernels::Operation::gemm, {.K = 4096}), 512 * 0x1p-24);
}

} // namespace
