// Tests how recordings of kernels that were observed at their machine instructions are stored and built.
#include "tests/kernels/recording/recording_file_support.h"

#include "recording/check.h"
#include "recording_generated.h"
#include "traced/builder.h"

namespace {

using namespace file_support;
using recording::Access;
using recording::Op;
using recording::Recording;

Recording executed()
{
    Recording recording = sample::with_every_kind();
    recording.executed = recording::InstructionTrace{
        .kernel = "transpose<32>",
        .language = "PTX",
        .instructions = {{"ld.global.f32 %f1, [%rd5]", 52, 4}, {"bar.sync 0", 61, 0}},
        .multiplies = true,
        .notes = {"ex2.approx is computed by the host."},
        .values = {{.array = 1, .type = "float", .before = {0, 1, 2, 3}},
                   {.array = 2, .type = "half", .before = {0, 1}, .after = {2, 3}, .again = {4, 5}, .ran_again = true}},
        .guessed = {3},
        .races = {{.block = {0, 0, 0}, .array = 3, .offset = 4, .first = {0, 1, 1, true}, .second = {0, 2, 0, false}}}};
    recording.blocks[0].warps[0].accesses[0].instruction = 1;
    recording.blocks[0].warps[0].accesses[4].instruction = 2;
    return recording;
}

TEST(InstructionTrace, RoundTrip)
{
    const Folder folder;
    const Recording recording = executed();
    recording::write(recording, folder / "x.gscope");
    const Recording back = recording::read(folder / "x.gscope");
    expect_identical(recording, back);
    EXPECT_EQ(back.executed, recording.executed);
    EXPECT_EQ(back.blocks[0].warps[0].accesses, recording.blocks[0].warps[0].accesses);
}

TEST(InstructionTrace, WhatMustHold)
{
    const auto refused = [](auto breaks) {
        Recording recording = executed();
        breaks(recording);
        return refusal(wrap(content_of(recording)));
    };
    EXPECT_EQ(refused([](Recording&) {}), "");
    EXPECT_TRUE(says(refused([](Recording& r) { r.blocks[0].warps[0].accesses[0].instruction = 3; }),
                     "access 0 is of machine instruction 3 of 2"));
    EXPECT_TRUE(says(refused([](Recording& r) { r.executed.reset(); }), "is of machine instruction 1 of 0"));
    EXPECT_TRUE(says(refused([](Recording& r) { r.executed->instructions[1].address = 52; }),
                     "not in the order of their addresses: 52 after 52"));
    EXPECT_TRUE(says(refused([](Recording& r) { r.executed->instructions[0].line = 99; }), "is of line 99 of 8"));
    EXPECT_TRUE(says(refused([](Recording& r) { r.executed->notes.resize(65); }), "has 65 notes, more than the 64"));
    EXPECT_TRUE(says(refused([](Recording& r) { r.executed->values[0].array = 99; }), "has values of array 99 of"));
    EXPECT_TRUE(says(refused([](Recording& r) { r.executed->values[0].array = 3; }), "is not in global memory"));
    EXPECT_TRUE(says(refused([](Recording& r) { r.executed->values[0].array = 2; }), "has values of array 2 twice"));
    EXPECT_TRUE(says(refused([](Recording& r) { r.executed->values[1].after.pop_back(); }), "have 2 and 1 bytes"));
    EXPECT_TRUE(says(refused([](Recording& r) { r.executed->values[1].before.resize(2u << 20); }), "bytes of values"));
    EXPECT_TRUE(says(refused([](Recording& r) { r.executed->guessed = {99}; }), "guesses the shape of array 99 of"));
    const auto refused_race = [&](auto change) { return refused([&](Recording& r) { change(r.executed->races[0]); }); };
    EXPECT_TRUE(says(refused_race([](recording::Race& race) { race.block.x = 99; }), "outside the grid"));
    EXPECT_TRUE(says(refused_race([](recording::Race& race) { race.array = 1; }), "no place in shared memory"));
    EXPECT_TRUE(says(refused_race([](recording::Race& race) { race.offset = ~0u; }), "no place in shared memory"));
    EXPECT_TRUE(says(refused_race([](recording::Race& race) { race.second.lane = 32; }), "do not exist"));
    EXPECT_TRUE(says(refused_race([](recording::Race& race) { race.first.line = 9999; }), "do not exist"));
    EXPECT_TRUE(says(refused_race([](recording::Race& race) { race.first.writes = false; }), "two reads"));
}

// So recordings of earlier formats are written exactly as they were read.
TEST(InstructionTrace, ValuesThatThereAreNotTakeNoByteOfTheFile)
{
    Recording recording = executed();
    recording.executed->values.clear();
    recording.executed->guessed.clear();
    recording.executed->races.clear();
    const auto content = content_of(recording);
    const auto* const table = recording::format::GetRecording(content.data())->executed();
    EXPECT_EQ(table->values(), nullptr);
    EXPECT_EQ(table->guessed(), nullptr);
    EXPECT_EQ(table->races(), nullptr);
    EXPECT_NE(table->notes(), nullptr);
}

// Describes a launch of one block that reads `in` and writes `out` (2 x 32 floats) and a shared tile.
Recording planned()
{
    Recording recording;
    recording.stage = "transpose";
    recording.problem = {.M = 2, .N = 32, .K = 1};
    recording.launch = {{1, 1, 1}, {32, 1, 1}};
    recording.sources = {{"x.cu", "1\n2\n3\n4\n5\n"}};
    recording.arrays = {{.name = "A"}, {.name = "B"}, {.name = "out", .rows = 2, .cols = 32, .bytes = 256}};
    recording.arrays.push_back({.name = "in", .rows = 1, .cols = 64, .bytes = 256});
    recording.arrays.push_back(
        {.name = "tile", .space = recording::Space::shared, .rows = 1, .cols = 1056, .bytes = 4224});
    recording.executed = recording::InstructionTrace{.kernel = "transpose", .language = "PTX"};
    return recording;
}

traced::Step step(Op op, uint32_t line, uint64_t first, uint64_t stride, uint32_t mask = ~0u)
{
    traced::Step result{.op = op, .width = 4, .line = line, .mask = mask};
    for (uint64_t lane = 0; lane < 32; ++lane)
        result.address[lane] = first + lane * stride;
    return result;
}

TEST(InstructionTrace, BuilderCountsKeepsAndOwns)
{
    const recording::Index3 block{0, 0, 0};
    traced::Builder builder(planned(), {{0x1000, 2}, {0x2000, 3}, {64, 4}}, std::span(&block, 1));
    builder.take(0, 0, step(Op::global_load, 2, 0x2000, 4));
    builder.take(0, 0, step(Op::shared_load, 3, 64, 128)); // reads a column: 32 words of one bank
    builder.take(0, 0, step(Op::shared_load, 0, 64, 132)); // no line: the previous step's line applies
    builder.take(0, 0, step(Op::global_store, 4, 0x1080, 4));
    builder.take(0, 0, step(Op::global_load, 5, 0x9000, 4)); // outside all arrays
    EXPECT_EQ(builder.elsewhere(), 1u);
    Recording recording = builder.finish();
    const std::vector<Access>& steps = recording.blocks.at(0).warps.at(0).accesses;
    ASSERT_EQ(steps.size(), 4u);
    EXPECT_EQ(steps[1].offset[3], 3 * 128u);
    EXPECT_EQ(steps[2].line, 3u);
    ASSERT_EQ(recording.lines.size(), 4u);
    EXPECT_EQ(recording.lines[1].totals.shared_load.wavefronts, 33u);
    EXPECT_EQ(recording.lines[3].totals.global_load.sectors, 4u);
    EXPECT_EQ(recording.owner[32 + 5], 5u);
    EXPECT_EQ(recording.owner[5], recording::no_owner);
    ASSERT_EQ(recording.executed->notes.size(), 1u);
    recording::check_planned(recording);
    traced::guess_shape(recording.arrays[4], 4, recording.blocks);
    EXPECT_EQ(recording.arrays[4].element_bytes, 4u);
    EXPECT_TRUE(recording.arrays[4].cols == 32 || recording.arrays[4].cols == 33);
}

// Two blocks write the same words. The later block owns them, whichever builder took its steps.
TEST(InstructionTrace, BuildersOfOneLaunchAreJoined)
{
    Recording launch = planned();
    launch.launch.grid = {3, 1, 1};
    const std::array<recording::Index3, 2> blocks{{{0, 0, 0}, {2, 0, 0}}};
    const traced::Builder none(launch, {{0x1000, 2}, {0x2000, 3}, {64, 4}}, blocks);
    traced::Builder whole = none, first = none, after = none;
    for (const uint64_t block : {0, 1, 2})
        for (const traced::Step& one : {step(Op::global_load, 2, 0x2000, 4), step(Op::global_store, 4, 0x1000, 4),
                                        step(Op::global_load, 5, 0x9000, 4)}) {
            whole.take(block, 0, one);
            (block == 0 ? first : after).take(block, 0, one);
        }
    first.join(std::move(after));
    EXPECT_EQ(first.elsewhere(), 2u); // loads are examined only in blocks that are kept
    const Recording joined = first.finish(), expected = whole.finish();
    EXPECT_EQ(joined.owner, expected.owner);
    EXPECT_EQ(joined.totals(), expected.totals());
    EXPECT_EQ(joined.lines.size(), expected.lines.size());
    for (const std::size_t block : {0, 1})
        EXPECT_EQ(joined.blocks[block].warps[0].accesses, expected.blocks[block].warps[0].accesses);
    EXPECT_EQ(joined.owner[5], 2 * 32 + 5u);
    EXPECT_EQ(joined.blocks.at(1).warps.at(0).accesses.size(), 2u);
}

} // namespace
