// Kinds of executed instructions, with counts that are easily added.
#include "viz/analysis/instruction_mix.h"

#include "machine_code/cubin.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <numeric>

namespace {

using viz::InstructionClass;
using viz::InstructionMix;

recording::RunProfile counted_run()
{
    return {.instructions = {{0, 0x10, "LDS.128", 7, 20},
                             {0, 0x20, "FFMA", 8, 60},
                             {0, 0x30, "FFMA", 8, 60},
                             {0, 0x40, "IMAD.WIDE", 9, 15},
                             {0, 0x50, "BAR", 9, 5},
                             {0, 0x60, "", 0, 10},
                             {1, 0x10, "LDG.128", 7, 30}},
            .samples = {}};
}

TEST(InstructionMix, AddsWhatWarpsExecuted)
{
    const InstructionMix mix = viz::mix_of(counted_run());
    EXPECT_EQ(mix[InstructionClass::floating], 120u);
    EXPECT_EQ(mix[InstructionClass::shared], 20u);
    EXPECT_EQ(mix[InstructionClass::global], 30u);
    EXPECT_EQ(mix[InstructionClass::integer], 15u);
    EXPECT_EQ(mix[InstructionClass::barriers], 5u);
    EXPECT_EQ(mix[InstructionClass::other], 10u) << "instructions without a class are in the total";
    EXPECT_EQ(mix.total(), 200u);
    EXPECT_EQ(mix.total(), counted_run().executed());
    EXPECT_DOUBLE_EQ(mix.share(InstructionClass::floating), 0.6);
    double whole = 0;
    for (std::size_t i = 0; i < viz::class_count; ++i)
        whole += mix.share(static_cast<InstructionClass>(i));
    EXPECT_DOUBLE_EQ(whole, 1);
    EXPECT_EQ(InstructionMix{}.share(InstructionClass::floating), 0) << "the total is 0";
}

TEST(InstructionMix, StandsBesideAnotherSizeByTheMultiplication)
{
    const recording::Problem small{.M = 10, .N = 10, .K = 20}, large{.M = 20, .N = 20, .K = 20};
    EXPECT_DOUBLE_EQ(viz::per_thousand(200, small), 100);
    EXPECT_DOUBLE_EQ(viz::per_thousand(200, large), 25);
    const auto counted = [](const recording::RunProfile& profile, const recording::Problem& problem) {
        return viz::by_class({std::make_shared<const recording::RunProfile>(profile), problem, {}});
    };
    recording::RunProfile other = counted_run();
    other.instructions[0].executed = 80;
    // Per 1,000 multiplications: 10 and 40 shared accesses, and 60 arithmetic instructions in both.
    const viz::MixDifference most = viz::largest_difference(counted(counted_run(), small), counted(other, small));
    EXPECT_EQ(most.of, "shared memory");
    EXPECT_DOUBLE_EQ(most.first, 10);
    EXPECT_DOUBLE_EQ(most.second, 40);
    // With four times the multiplications for the same counts, arithmetic differs most.
    EXPECT_EQ(viz::largest_difference(counted(counted_run(), small), counted(counted_run(), large)).of,
              "FP arithmetic");
}

TEST(InstructionMix, ByPipeIsOfThePhysicalPipesAndOfThoseThatTheGpuHas)
{
    const viz::HardwareFigures figures{
        .problem = {.M = 10, .N = 10, .K = 10},
        .executed = 100,
        .pipes = {{"fma", 60}, {"fmaheavy", 35}, {"fmalite", 25}, {"lsu", 30}, {"of_a_newer_gpu", 7}}};
    const viz::MixOfLaunch mix = viz::by_pipe(figures);
    EXPECT_EQ(mix.total(), 90u) << "the halves of FMA, and not their sum once more";
    EXPECT_EQ(mix.parts.size(), viz::by_pipe({}).parts.size()) << "all mixes have the same parts";
    const auto lsu = std::ranges::find(mix.parts, "loads and stores", &viz::MixPart::name);
    ASSERT_NE(lsu, mix.parts.end());
    EXPECT_DOUBLE_EQ(mix.share(*lsu), 1.0 / 3);
    EXPECT_DOUBLE_EQ(mix.per_thousand(*lsu), 30);
    EXPECT_EQ(viz::by_pipe({}).share(*lsu), 0) << "the total is 0";
}

TEST(InstructionMix, KnowsEveryOpcodeThatTheDecoderKnows)
{
    for (const cuda::Opcode& opcode : cuda::known_opcodes())
        EXPECT_NE(viz::class_of(opcode.name), InstructionClass::other) << opcode.name;
    EXPECT_EQ(viz::class_of("LDS.U.128"), InstructionClass::shared);
    EXPECT_EQ(viz::class_of("LDGSTS.128"), InstructionClass::copies);
    EXPECT_EQ(viz::class_of("LDGDEPBAR"), InstructionClass::barriers);
    EXPECT_EQ(viz::class_of("HGMMA"), InstructionClass::tensor);
    EXPECT_EQ(viz::class_of(""), InstructionClass::other);
    EXPECT_EQ(viz::class_of("OF_A_NEWER_GPU"), InstructionClass::other);
}

} // namespace
