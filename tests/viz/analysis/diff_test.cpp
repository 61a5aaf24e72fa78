// The line diff of device code, with texts whose result is obvious.
#include "viz/analysis/source_diff.h"

#include <gtest/gtest.h>

namespace {

using namespace viz;

std::vector<SourceLine> lines_of(const std::vector<const char*>& texts)
{
    std::vector<SourceLine> lines;
    for (const char* text : texts)
        lines.push_back({static_cast<uint32_t>(lines.size() + 1), text});
    return lines;
}

// Returns "a -b +c": each line with the sign of its change.
std::string spelled(const std::vector<DiffLine>& lines)
{
    std::string text;
    for (const DiffLine& line : lines) {
        text += text.empty() ? "" : " ";
        text += line.change == Change::removed ? "-" : line.change == Change::added ? "+" : "";
        text += line.text;
    }
    return text;
}

constexpr const char* rung = "// rung: what it shows.\n"
                             "#include \"device/gemm.h\"\n"
                             "\n"
                             "namespace rung {\n"
                             "struct Parameters { int BM = 8; }; // block tile\n"
                             "#ifdef __CUDACC__\n"
                             "  // a comment\n"
                             "  block.sync();   \n"
                             "#endif\n"
                             "  print(\"// no comment\");\n"
                             "} // namespace rung\n"
                             "#ifndef __CUDACC__ // host\n"
                             "#if 1\n"
                             "host();\n"
                             "#endif\n"
                             "more_host();\n"
                             "#endif\n"
                             "last();";

TEST(SourceDiff, DeviceCodeIsWhatTheGpuCompiles)
{
    const std::vector<SourceLine> code = kernel_lines(rung, false);
    std::vector<std::pair<uint32_t, std::string>> found;
    for (const SourceLine& line : code)
        found.emplace_back(line.number, line.text);
    EXPECT_EQ(found, (std::vector<std::pair<uint32_t, std::string>>{{5, "struct Parameters { int BM = 8; };"},
                                                                    {6, "#ifdef __CUDACC__"},
                                                                    {8, "  block.sync();"},
                                                                    {9, "#endif"},
                                                                    {10, "  print(\"// no comment\");"},
                                                                    {18, "last();"}}));
}

TEST(SourceDiff, CommentsComeBackWhereTheyAreAskedFor)
{
    const std::vector<SourceLine> code = kernel_lines(rung, true);
    ASSERT_EQ(code.size(), 8u);
    EXPECT_EQ(code[0].text, "// rung: what it shows.");
    EXPECT_EQ(code[3].text, "  // a comment");
    EXPECT_TRUE(kernel_lines("", true).empty());
}

TEST(SourceDiff, FindsTheShortestListOfChanges)
{
    EXPECT_EQ(spelled(diff_lines(lines_of({"a", "b", "c", "d"}), lines_of({"a", "x", "c", "d", "e"}))),
              "a -b +x c d +e");
    EXPECT_EQ(spelled(diff_lines(lines_of({"a", "b", "c"}), lines_of({"b", "c", "a"}))), "-a b c +a");
    EXPECT_EQ(spelled(diff_lines({}, lines_of({"a"}))), "+a");
    EXPECT_EQ(spelled(diff_lines(lines_of({"a"}), {})), "-a");
}

TEST(SourceDiff, RemovedLinesComeBeforeThoseInTheirPlace)
{
    EXPECT_EQ(spelled(diff_lines(lines_of({"p", "q", "z"}), lines_of({"r", "s", "z"}))), "-p -q +r +s z");
}

TEST(SourceDiff, IndentationDoesNotCount)
{
    const auto lines = diff_lines(lines_of({"x", "  a;"}), lines_of({"      a;"}));
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_EQ(lines[1], (DiffLine{Change::none, 2, 1, "      a;"}));
}

TEST(SourceDiff, WhatIsAddedComesFirst)
{
    const auto lines = diff_lines(lines_of({"gone", "2", "3", "4", "5"}), lines_of({"2", "3", "4", "5", "new"}));
    const std::vector<Hunk> hunks = added_first(hunks_of(lines, 1));
    ASSERT_EQ(hunks.size(), 2u);
    EXPECT_EQ(spelled(hunks[0]), "5 +new");
    EXPECT_EQ(spelled(hunks[1]), "-gone 2");
}

TEST(SourceDiff, HunksKeepTheLinesAroundAChange)
{
    const auto lines = diff_lines(lines_of({"1", "2", "3", "4", "5", "6", "7", "8", "9", "x"}),
                                  lines_of({"1", "2", "a", "4", "5", "6", "7", "8", "9", "y"}));
    const std::vector<Hunk> hunks = hunks_of(lines, 2);
    ASSERT_EQ(hunks.size(), 2u);
    EXPECT_EQ(spelled(hunks[0]), "1 2 -3 +a 4 5");
    EXPECT_EQ(spelled(hunks[1]), "8 9 -x +y");
    EXPECT_EQ(hunks_of(lines, 3).size(), 1u); // their contexts touch
    EXPECT_TRUE(hunks_of(diff_lines(lines_of({"1"}), lines_of({"1"})), 2).empty());
}

} // namespace
