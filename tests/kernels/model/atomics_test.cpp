// What atomic operations of one warp cost: by hand, and as an H200 counted it (tests/data/h200_atomics.csv); which rule
// an instruction has; and that totals and files keep the cost.
#include "model/access_cost.h"
#include "recording/file.h"
#include "recording/format.h"
#include "tests/paths.h"
#include "traced/builder.h"

#include <gtest/gtest.h>

#include <span>
#include <sstream>
#include <string>
#include <vector>

namespace {

using model::GlobalCost;
using model::Pattern;
using model::SharedCost;
using recording::AtomicRule;
using recording::Op;

Pattern words(AtomicRule rule, auto word_of, uint32_t mask = ~0u)
{
    Pattern pattern{.width = 4, .mask = mask, .offset = {}, .atomic = rule};
    for (int lane = 0; lane < model::lanes; ++lane)
        pattern.offset[static_cast<std::size_t>(lane)] = 4 * static_cast<uint64_t>(word_of(lane));
    return pattern;
}

TEST(Atomics, LanesOfABankOrWordsOfABank)
{
    const auto one = [](int) { return 5; };
    const auto pairs = [](int lane) { return lane / 2; };
    const auto two_words = [](int lane) { return lane % 4 * 32; }; // four words of bank 0, eight lanes on each
    EXPECT_EQ(model::shared_atomic(words(AtomicRule::lane_by_lane, one)), (SharedCost{32, 31}));
    EXPECT_EQ(model::shared_atomic(words(AtomicRule::counted, one)), (SharedCost{1, 0}));
    EXPECT_EQ(model::shared_atomic(words(AtomicRule::either, one)), std::nullopt);
    EXPECT_EQ(model::shared_atomic(words(AtomicRule::lane_by_lane, pairs)), (SharedCost{2, 1}));
    EXPECT_EQ(model::shared_atomic(words(AtomicRule::counted, pairs)), (SharedCost{1, 0}));
    EXPECT_EQ(model::shared_atomic(words(AtomicRule::lane_by_lane, two_words)), (SharedCost{32, 31}));
    EXPECT_EQ(model::shared_atomic(words(AtomicRule::counted, two_words)), (SharedCost{4, 3}));
    EXPECT_EQ(model::shared_atomic(words(AtomicRule::either, [](int lane) { return lane; })), (SharedCost{1, 0}));
    EXPECT_EQ(model::shared_atomic(words(AtomicRule::lane_by_lane, one, 0x0000ffff)), (SharedCost{16, 15}));
    EXPECT_EQ(model::shared_atomic(words(AtomicRule::compare_and_swap, pairs)), (SharedCost{4, 1}));
    for (const AtomicRule rule : {AtomicRule::unknown, AtomicRule::loop, AtomicRule::sectors, AtomicRule::not_measured})
        EXPECT_EQ(model::shared_atomic(words(rule, one)), std::nullopt);
}

TEST(Atomics, SectorsOnceForEachLaneOfAnAddress)
{
    EXPECT_EQ(model::global_atomic(words(AtomicRule::sectors, [](int) { return 5; })), (GlobalCost{1, 32}));
    EXPECT_EQ(model::global_atomic(words(AtomicRule::sectors, [](int lane) { return lane; })), (GlobalCost{1, 4}));
    // Words 0 and 1 of one sector: 16 lanes on each.
    EXPECT_EQ(model::global_atomic(words(AtomicRule::sectors, [](int lane) { return lane % 2; })), (GlobalCost{1, 16}));
    // In the first sector 24 lanes update one word. In the second sector 8 lanes update a different word each.
    EXPECT_EQ(model::global_atomic(words(AtomicRule::sectors, [](int lane) { return lane < 24 ? 0 : lane - 16; })),
              (GlobalCost{1, 25}));
    EXPECT_EQ(model::global_atomic(words(AtomicRule::not_measured, [](int) { return 0; })), std::nullopt);
}

// The one pattern that the rule for global memory misses is counted with one sector more.
TEST(Atomics, CostWhatAnH200Counted)
{
    std::istringstream file(test::text_of(test::data("h200_atomics.csv")));
    int shared = 0, global = 0, missed = 0;
    for (std::string line; std::getline(file, line);) {
        std::istringstream fields(line);
        std::vector<std::string> all;
        for (std::string field; std::getline(fields, field, ',');)
            all.push_back(field);
        if (all.size() != 35 || all[0] == "kind")
            continue;
        const bool in_shared = all[0].starts_with("shared");
        const AtomicRule rule = !in_shared               ? AtomicRule::sectors
                                : all[0] == "shared_one" ? AtomicRule::counted
                                                         : AtomicRule::lane_by_lane;
        const Pattern pattern =
            words(rule, [&](int lane) { return std::stoi(all[static_cast<std::size_t>(3 + lane)]); });
        if (in_shared) {
            EXPECT_EQ(model::shared_atomic(pattern), (SharedCost{std::stoi(all[1]), std::stoi(all[2])})) << line;
            int most = 0;
            for (const model::Word& word : model::schedule(Op::shared_atomic, pattern))
                most = std::max<int>(most, word.wavefront + 1);
            EXPECT_EQ(most, std::stoi(all[1])) << line;
            ++shared;
        } else {
            missed += model::global_atomic(pattern)->sectors != std::stoi(all[1]);
            ++global;
        }
    }
    EXPECT_EQ(shared, 100);
    EXPECT_EQ(global, 75);
    EXPECT_EQ(missed, 3);
}

TEST(Atomics, TheInstructionTellsTheRule)
{
    const auto shared = [](std::string_view text, int width = 4) {
        return recording::atomic_rule(Op::shared_atomic, width, text);
    };
    EXPECT_EQ(shared("ATOMS.POPC.INC.32 RZ, [R4+URZ]"), AtomicRule::counted);
    EXPECT_EQ(shared("ATOMS.POPC.INC  // atom.shared.add.u32 %r1, [%r2], 1;"), AtomicRule::counted);
    EXPECT_EQ(shared("@P0 ATOMS.ADD  // atom.shared.add.u32 %r1, [%r2], 1;"), AtomicRule::lane_by_lane);
    EXPECT_EQ(shared("ATOMS.EXCH R0, [R4], R5"), AtomicRule::lane_by_lane);
    EXPECT_EQ(shared("ATOMS.CAST.SPIN R0, [R4], R5, R6"), AtomicRule::loop);
    EXPECT_EQ(shared("ATOMS.CAST.SPIN.64 R0, [R4], R5, R6", 8), AtomicRule::not_measured);
    EXPECT_EQ(shared("ATOMS.CAS R0, [R4], R5, R6"), AtomicRule::compare_and_swap);
    EXPECT_EQ(shared("ATOMS.EXCH.64 R0, [R4], R6", 8), AtomicRule::not_measured);
    EXPECT_EQ(shared("ATOMS.OR R0, [R4], R5"), AtomicRule::lane_by_lane);
    EXPECT_EQ(shared("ATOM.E.ADD.STRONG.GPU PT, R0, [R2], R5"), AtomicRule::lane_by_lane);
    EXPECT_EQ(shared("ATOM  // red.add.u32 [%rd1], 1;"), AtomicRule::lane_by_lane) << "a generic address";
    EXPECT_EQ(shared("ATOM  // atom.max.u32 %r1, [%rd1], %r2;"), AtomicRule::not_measured);
    EXPECT_EQ(shared("ATOMS  // atom.shared.add.u32 %r1, [%r2], %r3;"), AtomicRule::lane_by_lane) << "an older file";
    EXPECT_EQ(shared("atom.shared.add.u32 %r1, [%r2], 1;"), AtomicRule::either);
    EXPECT_EQ(shared("red.shared.add.u32 [%r2], 1;"), AtomicRule::counted);
    EXPECT_EQ(shared("atom.shared.add.u32 %r1, [%r2], 11;"), AtomicRule::lane_by_lane);
    EXPECT_EQ(shared("atom.shared.add.f32 %f1, [%r2], %f2;"), AtomicRule::loop);
    EXPECT_EQ(shared("atom.shared.add.u64 %rd1, [%r2], 1;", 8), AtomicRule::not_measured);
    EXPECT_EQ(shared("atom.shared.cas.b16 %rs1, [%r2], %rs2, %rs3;", 2), AtomicRule::not_measured);
    EXPECT_EQ(shared(""), AtomicRule::unknown);
    const auto global = [](std::string_view text, int width = 4) {
        return recording::atomic_rule(Op::global_atomic, width, text);
    };
    EXPECT_EQ(global("RED  // atom.global.add.u32 %r1, [%rd2], 1;"), AtomicRule::sectors);
    EXPECT_EQ(global("REDG.E.ADD.F32.FTZ.RN.STRONG.GPU [R4.64], R7"), AtomicRule::sectors);
    EXPECT_EQ(global("atom.global.cas.b32 %r1, [%rd2], %r3, %r4;"), AtomicRule::sectors);
    EXPECT_EQ(global("ATOMG.E.ADD.64.STRONG.GPU PT, R2, [R4.64], R6", 8), AtomicRule::not_measured);
    EXPECT_EQ(global("ATOM.E.ADD.STRONG.GPU PT, R0, [R2], R5"), AtomicRule::not_measured) << "a generic address";
    EXPECT_EQ(global(""), AtomicRule::unknown);
}

// One warp adds to one word with two instructions. The cost of the first one is known, that of the second one is not.
TEST(Atomics, TotalsAndFilesKeepTheCost)
{
    recording::Recording planned;
    planned.stage = "k";
    planned.launch = {{1, 1, 1}, {32, 1, 1}};
    planned.sources = {{"k.cu", "a\nb\n"}};
    planned.arrays = {{"A", recording::Space::global, 0, 0, 4, 0, {}},
                      {"B", recording::Space::global, 0, 0, 4, 0, {}},
                      {"C", recording::Space::global, 1, 1, 4, 4, {}},
                      {"bins", recording::Space::shared, 1, 32, 4, 128, {}}};
    planned.executed = recording::InstructionTrace{
        .kernel = "k", .language = "SASS", .instructions = {{"ATOMS.ADD", 0, 1}, {"ATOMS.CAST.SPIN.64", 16, 2}}};
    const std::vector<recording::Index3> blocks{{0, 0, 0}};
    traced::Builder builder(planned, {{0, 3}, {1u << 20, 2}}, blocks);
    traced::Step step{.op = Op::shared_atomic, .width = 4, .line = 1, .instruction = 1, .mask = ~0u};
    builder.take(0, 0, step);
    step.line = step.instruction = 2;
    step.width = 8;
    builder.take(0, 0, step);
    const recording::Recording made = builder.finish();
    ASSERT_EQ(made.lines.size(), 2u);
    EXPECT_EQ(made.lines[0].totals.shared_atomic_cost, (recording::SharedTotals{1, 32, 31}));
    EXPECT_EQ(made.lines[1].totals.shared_atomic, (recording::AtomicTotals{1, 32, 32}));
    EXPECT_EQ(made.lines[1].totals.shared_atomic_cost, recording::SharedTotals{});
    EXPECT_EQ(made.blocks[0].warps[0].accesses[0].atomic, AtomicRule::lane_by_lane);
    EXPECT_EQ(made.blocks[0].warps[0].accesses[1].atomic, AtomicRule::not_measured);
    const auto bytes = recording::encode(made);
    const recording::Recording read = recording::decode(std::as_bytes(std::span(bytes.data(), bytes.size())));
    EXPECT_TRUE(recording::differences(made, read, 10).empty());
    EXPECT_EQ(read.lines, made.lines);
    EXPECT_EQ(read.blocks[0].warps[0].accesses, made.blocks[0].warps[0].accesses);
}

} // namespace
