// What views say of a stage: which templates, and with what numbers.
#include "viz/views/50_occupancy/occupancy_case.h"
#include "viz/views/55_roofline/roofline_messages.h"

#include <gtest/gtest.h>

namespace {

using namespace viz;

OccupancyCase typed_case(const SmLimits& limits, const KernelNeeds& needs)
{
    OccupancyCase one;
    one.needs = needs;
    one.typed = true;
    one.now = residency(limits, needs);
    return one;
}

TEST(OccupancyMessages, NameTheLimitAndWhatRegistersWouldChange)
{
    const SmLimits limits = limits_of(90).value();
    const Value::List registers{Value("registers").as(Meaning::conflict)};
    EXPECT_EQ(residency_messages(limits, typed_case(limits, {256, 123, 8192})),
              (Messages{{"occupancy.residency",
                         {{"blocks", 2}, {"warps", 16}, {"most", 64}, {"share", share(0.25)}, {"limits", registers}}},
                        {"occupancy.more_registers", {{"registers", 6}}},
                        {"occupancy.fewer_registers", {{"registers", 43}}},
                        {"occupancy.typed"}}));
}

TEST(OccupancyMessages, SayWhatLetsTheNextBlockIn)
{
    const SmLimits limits = limits_of(90).value();
    EXPECT_EQ(next_block_message(limits, typed_case(limits, {256, 123, 8192})),
              (Message{"occupancy.gain_by_registers", {{"registers", 43}, {"block", index(2)}}}));
    EXPECT_EQ(next_block_message(limits, typed_case(limits, {256, 32, 100 * 1024})).id, "occupancy.gain_by_shared");
    EXPECT_EQ(next_block_message(limits, typed_case(limits, {256, 123, 100 * 1024})).id, "occupancy.no_single_gain");
    EXPECT_EQ(headline(limits, typed_case(limits, {256, 32, 0})).id, "occupancy.full");
    EXPECT_EQ(headline(limits, typed_case(limits, {2048, 32, 0})).id, "occupancy.refused_headline");
}

TEST(OccupancyMessages, SayWhyNothingCanBeLaunched)
{
    const SmLimits limits = limits_of(90).value();
    const Messages messages = residency_messages(limits, typed_case(limits, {2048, 32, 0}));
    ASSERT_EQ(messages.size(), 1u);
    EXPECT_EQ(messages[0].id, "occupancy.refused");
}

RungFigures rung_at(double gflops)
{
    RungFigures rung;
    rung.slug = "swizzled";
    rung.tile = ReuseTile{ReuseTile::Holder::block, 128, 128, 4}; // 32 FLOP per byte
    rung.speed = {SpeedAt{{.M = 4096, .N = 4096, .K = 4096}, gflops}, {}};
    return rung;
}

Ceilings ceilings()
{
    Ceilings all;
    all.l1 = Ceiling{32000, true};
    all.dram = Ceiling{1000, true};
    all.arithmetic.push_back({"fp32", {60000, true}});
    return all;
}

TEST(RooflineMessages, NameTheNearestRoof)
{
    const Value::List shares{
        Message{"roofline.share_of", {{"share", share(1500.0 / 32000)}, {"what", "L1"}}},
        Message{"roofline.share_of", {{"share", share(48000.0 / 60000)}, {"what", "the FP32 peak"}}}};
    EXPECT_EQ(place_messages(rung_at(48000), ceilings()),
              (Messages{{"roofline.place", {{"gflops", number(48000)}, {"size", "4096³"}, {"demand", number(1.5)}}},
                        {"roofline.shares", {{"shares", shares}}},
                        {"roofline.from_caches", {{"dram", number(1)}, {"share", share(1 - 1000.0 / 1500)}}},
                        {"roofline.nearest", {{"two", true}, {"name", "the FP32 peak"}}}}));
    EXPECT_EQ(place_messages(rung_at(6400), ceilings()).back(), (Message{"roofline.far", {{"two", true}}}));
}

// 8,000 GFLOPS at 0.32 FLOP per byte of shared memory: 25 of its 31 TB/s, while L1 and the peak are far away.
TEST(RooflineMessages, SharedMemoryIsARoof)
{
    Ceilings all = ceilings();
    all.shared = Ceiling{31250, true};
    const Message said = nearest_roof(rung_at(8000), all, 0.32);
    EXPECT_EQ(said, (Message{"roofline.headline",
                             {{"share", Value(share(0.8)).as(Meaning::good)}, {"name", "shared memory"}}}));
    EXPECT_EQ(place_messages(rung_at(8000), all, 0.32).back(),
              (Message{"roofline.nearest", {{"two", false}, {"name", "shared memory"}}}));
    EXPECT_EQ(nearest_roof(rung_at(48000), all, {}).arguments[1], (Argument{"name", "the FP32 peak"}));
    EXPECT_EQ(nearest_roof({}, all, {}).id, "roofline.headline_unknown");
}

TEST(RooflineMessages, SayHowFarTheFloorIs)
{
    const double least = 2.0 * 4096 * 4096 * 4096 / 60000 * 1e-6; // milliseconds of arithmetic
    const recording::Problem problem{.M = 4096, .N = 4096, .K = 4096};
    const Messages messages = floor_messages(rung_at(30000), problem, ceilings());
    ASSERT_EQ(messages.size(), 3u);
    EXPECT_EQ(messages[0].id, "roofline.floor");
    EXPECT_EQ(messages[1], (Message{"roofline.least", {{"time", nanoseconds(least * 1e6)}, {"memory", false}}}));
    EXPECT_EQ(messages[2].arguments[1], (Argument{"times", number(2)}));
    EXPECT_EQ(floor_messages(rung_at(30000), problem, {}).size(), 1u) << "without a roof there is no floor";
}

} // namespace
