// Tests the bank and sector rules with every measured pattern, and with cases derived by hand.
#include "model/access_cost.h"
#include "model/pattern_file.h"
#include "tests/paths.h"
#include "tests/says.h"

#include "error.h"
#include "temporary_folder.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>

namespace {

using model::Pattern;
using recording::Op;
using test::says;

Pattern strided(int width, uint64_t stride)
{
    Pattern pattern{.width = width};
    for (int lane = 0; lane < model::lanes; ++lane)
        pattern.offset[lane] = lane * stride;
    return pattern;
}

TEST(Model, EqualsEveryMeasuredPattern)
{
    const std::vector<model::PatternRow> rows = model::read_patterns(test::data("h200_access_patterns.csv"));
    ASSERT_EQ(rows.size(), 864u);
    for (const model::PatternRow& row : rows) {
        ASSERT_TRUE(row.measured);
        EXPECT_EQ(model::evaluate(row), *row.measured) << "line " << row.line;
    }
}

TEST(Model, EqualsEveryMeasuredCopyMatrixStoreAndAtomic)
{
    std::map<std::string, int> rows;
    for (const model::PatternRow& row : model::read_patterns(test::data("h200_copy_patterns.csv"))) {
        ASSERT_TRUE(row.measured);
        EXPECT_EQ(model::evaluate(row), *row.measured) << row.op << ", line " << row.line;
        ++rows[row.op];
    }
    EXPECT_EQ(rows.size(), 14u);
    for (const auto& [op, count] : rows)
        EXPECT_GE(count, 25) << op;
}

model::CopyPattern copy_of_rows(uint64_t from, uint64_t to)
{
    model::CopyPattern copy;
    for (uint64_t lane = 0; lane < model::lanes; ++lane) {
        copy.from[lane] = from + lane * 16;
        copy.to[lane] = to + lane * 16;
    }
    return copy;
}

// A row of B begins within a sector, as in fastest at N = 260. An H200 counted 32 sectors although 17 are read.
TEST(Model, ACopyPastL1FetchesASectorForEachPlaceThatItGoesTo)
{
    EXPECT_EQ(model::copy_read(copy_of_rows(0, 0)), (model::GlobalCost{1, 16}));
    EXPECT_EQ(model::copy_read(copy_of_rows(16, 0)), (model::GlobalCost{1, 32}));
    EXPECT_EQ(model::copy_read(copy_of_rows(16, 16)), (model::GlobalCost{1, 17})) << "no halves of sectors are swapped";
    model::CopyPattern through = copy_of_rows(16, 0);
    through.bypass = false;
    EXPECT_EQ(model::copy_read(through), (model::GlobalCost{1, 17}));
    model::CopyPattern half = copy_of_rows(0, 0);
    half.mask = 0xffff;
    half.idle = 0xffff0000;
    EXPECT_EQ(model::copy_read(half), (model::GlobalCost{1, 8})) << "idle lanes fetch nothing";
    EXPECT_EQ(model::copy_write(half), (model::SharedCost{4, 0})) << "idle lanes write zeros";
}

// Copies eight floats of each of four rows of A to 32 different banks of a tile. An H200 took four wavefronts.
TEST(Model, ACopyThroughL1WaitsForTheBanksThatItReadsFrom)
{
    model::CopyPattern copy{.width = 4, .bypass = false};
    for (uint64_t lane = 0; lane < model::lanes; ++lane) {
        copy.from[lane] = lane / 8 * 2048 + lane % 8 * 4;
        copy.to[lane] = lane * 4;
    }
    EXPECT_EQ(model::copy_write(copy), (model::SharedCost{4, 3}));
    copy.bypass = true; // the cost without L1
    EXPECT_EQ(model::copy_write(copy), (model::SharedCost{1, 0}));
}

TEST(Model, ScheduleAgreesWithCostOnEveryMeasuredPattern)
{
    for (const model::PatternRow& row : model::read_patterns(test::data("h200_access_patterns.csv"))) {
        if (row.op.ends_with("global"))
            continue;
        const Op op = row.op.starts_with("st") ? Op::shared_store : Op::shared_load;
        std::set<int> wavefronts;
        std::map<std::pair<int, int>, uint64_t> word_at; // (wavefront, bank) -> the one word it delivers
        std::size_t words = 0;
        for (const model::Word& word : model::schedule(op, row.pattern)) {
            wavefronts.insert(word.wavefront);
            EXPECT_EQ(word.word % 32, word.bank);
            EXPECT_EQ(word_at.emplace(std::pair(word.wavefront, word.bank), word.word).first->second, word.word);
            ++words;
        }
        EXPECT_EQ(static_cast<int>(wavefronts.size()), row.measured->a) << "line " << row.line;
        EXPECT_EQ(words, static_cast<std::size_t>(std::popcount(row.pattern.mask)) * row.pattern.width / 4);
    }
}

TEST(Model, NeighboursAreOneWavefront)
{
    EXPECT_EQ(model::shared_access(Op::shared_load, strided(4, 4)), (model::SharedCost{1, 0}));
    EXPECT_EQ(model::shared_access(Op::shared_load, strided(8, 8)), (model::SharedCost{2, 0}));
    EXPECT_EQ(model::shared_access(Op::shared_load, strided(16, 16)), (model::SharedCost{4, 0}));
}

TEST(Model, EightNeighbouringColumnsPerThreadConflict)
{
    // vectorized reads B with 16 bytes per lane, 32 bytes apart, and lanes 16-31 repeat lanes 0-15.
    EXPECT_EQ(model::shared_access(Op::shared_load, strided(16, 32)), (model::SharedCost{8, 4}));
}

TEST(Model, LoadsOfOnePairMergeAndStoresDoNot)
{
    Pattern pairs{.width = 16};
    for (int lane = 0; lane < model::lanes; ++lane)
        pairs.offset[lane] = lane / 2 * 16;
    EXPECT_EQ(model::lanes_per_group(Op::shared_load, pairs), 16);
    EXPECT_EQ(model::lanes_per_group(Op::shared_store, pairs), 8);
    EXPECT_EQ(model::shared_access(Op::shared_load, pairs), (model::SharedCost{2, 0}));
    EXPECT_EQ(model::shared_access(Op::shared_store, pairs), (model::SharedCost{4, 0}));
}

TEST(Model, PhasesOfLdmatrixDoNotMerge)
{
    Pattern pairs{.width = 16};
    for (int lane = 0; lane < model::lanes; ++lane)
        pairs.offset[lane] = lane / 2 * 16;
    EXPECT_EQ(model::shared_access(Op::shared_load, pairs), (model::SharedCost{2, 0}));
    EXPECT_EQ(model::shared_access(Op::matrix_load, pairs), (model::SharedCost{4, 0}));
    EXPECT_EQ(model::shared_access(Op::matrix_load, strided(16, 128)), (model::SharedCost{32, 28}));
}

// The order is random, so that patterns replace each other in the cache.
TEST(Model, RememberedCostsAreThoseOfThePattern)
{
    const std::vector<model::PatternRow> rows = model::read_patterns(test::data("h200_access_patterns.csv"));
    model::CostMemo costs;
    uint32_t random = 1;
    for (int i = 0; i < 20000; ++i) {
        random = random * 1664525 + 1013904223;
        const model::PatternRow& row = rows[(random >> 8) % rows.size()];
        Pattern pattern = row.pattern;
        for (uint64_t& offset : pattern.offset)
            offset += (random >> 20) / 16 * 16;
        pattern.mask &= random % 3 == 0 ? random : ~0u;
        for (const Op op : {Op::global_load, Op::global_store, Op::shared_load, Op::shared_store, Op::matrix_load})
            ASSERT_EQ(costs.totals_of(op, pattern.width, pattern.mask, pattern.offset), model::totals_of(op, pattern));
    }
}

TEST(Model, NoActiveLaneCostsNothing)
{
    Pattern none = strided(4, 4);
    none.mask = 0;
    EXPECT_EQ(model::shared_access(Op::shared_load, none), (model::SharedCost{0, 0}));
    EXPECT_EQ(model::global_access(none), (model::GlobalCost{0, 0}));
    EXPECT_TRUE(model::schedule(Op::shared_load, none).empty());
}

TEST(Model, SectorsOfARowAndOfAColumn)
{
    EXPECT_EQ(model::global_access(strided(4, 4)), (model::GlobalCost{1, 4}));
    EXPECT_EQ(model::global_access(strided(4, 4096)), (model::GlobalCost{1, 32}));
    EXPECT_EQ(model::global_access(strided(4, 0)), (model::GlobalCost{1, 1}));
}

class PatternFile : public testing::Test {
protected:
    const kernels::TemporaryFolder folder;
    std::filesystem::path write(const std::string& text)
    {
        std::ofstream(folder / "patterns.csv") << text;
        return folder / "patterns.csv";
    }
    static std::string row(const std::string& head)
    {
        std::string text = head;
        for (int lane = 0; lane < 32; ++lane)
            text += ",0";
        return text + "\n";
    }
};

TEST_F(PatternFile, RefusesWhatIsNoPatternAndNamesTheLine)
{
    for (const std::string& bad :
         {row("ld.shared,3,ffffffff,1,0"), row("ld.local,4,ffffffff,1,0"), row("ld.shared,4,xyz,1,0"),
          row("ld.shared,4,ffffffff,one,0"), std::string("ld.shared,4,ffffffff,1,0,0\n"),
          std::string("ld.shared,8,ffffffff,1,0,4") + row("").substr(2)}) {
        EXPECT_TRUE(says(test::refusal([&] { model::read_patterns(write("# comment\n" + bad)); }), "Line 2"));
    }
}

TEST_F(PatternFile, AcceptsRowsThatWereNotMeasured)
{
    const std::vector<model::PatternRow> rows = model::read_patterns(write(row("ld.shared,4,ffffffff,,")));
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_FALSE(rows[0].measured);
    EXPECT_EQ(model::evaluate(rows[0]), (model::TwoFigures{1, 0}));
}

TEST_F(PatternFile, RefusesMissingAndEmptyFiles)
{
    EXPECT_THROW(model::read_patterns("/nowhere/patterns.csv"), kernels::Error);
    EXPECT_THROW(model::read_patterns("/dev/zero"), kernels::Error) << "/dev/zero never ends";
    EXPECT_THROW(model::read_patterns(write("# nothing\n")), kernels::Error);
}

} // namespace
