#include "app/text/table.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sstream>
#include <string>
#include <vector>

namespace {

app::Table made()
{
    app::Table table("some", "name | value");
    table.add({"a, \"b\"", 1.5});
    table.add({"c", nullptr});
    table.add({"two\nlines", true});
    table.add({"x,y", 2});
    return table;
}

const app::Table table = made();

TEST(Table, WhatSeparatesIsQuotedInCsvAndWhatIsNotKnownIsEmpty)
{
    EXPECT_EQ(app::csv_of(table), "name,value\r\n\"a, \"\"b\"\"\",1.5\r\nc,\r\n\"two\nlines\",true\r\n\"x,y\",2\r\n");
}

TEST(Table, EachRowIsAnObjectInJson)
{
    const nlohmann::json json = nlohmann::json::parse(app::json_of(table));
    EXPECT_EQ(json.at("table"), "some");
    EXPECT_EQ(json.at("rows").at(0), (nlohmann::json{{"name", "a, \"b\""}, {"value", 1.5}}));
    EXPECT_TRUE(json.at("rows").at(1).at("value").is_null());
}

// The lines of a text, without their ends.
std::vector<std::string> lines_of(const std::string& text)
{
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line);
    return lines;
}

TEST(Table, TextIsAlignedUnderItsHeadings)
{
    app::Table timed("timed", "stage:< | median_ms:{:.2f} | share:% | ok=:?ok:WRONG");
    timed.add({"naive", 12.345, 0.5, true});
    timed.add({"a_longer_name", 1.0, nullptr, false});
    EXPECT_EQ(lines_of(app::text_of(timed)), (std::vector<std::string>{"stage          median ms  share",     //
                                                                       "naive              12.35  50.0%  ok", //
                                                                       "a_longer_name       1.00      -  WRONG"}));
}

// The columns have fixed widths, so rows that are printed one by one look as in the complete table.
TEST(Table, RowsThatComeOneByOneStandUnderTheHeadings)
{
    app::Table timed("timed", "stage:< | gflops=GFLOPS:thousands");
    const std::string headings = app::headings_text(timed);
    const std::string row = app::row_text(timed, {{"stage", "double_buffered_halves"}, {"gflops", 31434.4}});
    EXPECT_EQ(row.size(), headings.size());
    EXPECT_EQ(row.substr(row.size() - 7), "31,434\n");
}

TEST(Table, ReasonsStandOnceBelowIt)
{
    app::Table counted("counted", "name:< | hits:% | bytes:bytes");
    for (const char* const name : {"a", "b"})
        counted.rows.push_back(
            {{"name", name}, {"hits", nullptr}, {"bytes", 2048}, {"missing", {{"hits", "Nothing counts it."}}}});
    counted.rows.push_back({{"name", "c"}, {"missing", "It is not installed."}});
    const std::vector<std::string> lines = lines_of(app::text_of(counted));
    ASSERT_EQ(lines.size(), 5u);
    EXPECT_EQ(lines[1], "a        -  2 KiB");
    EXPECT_EQ(lines[3], "c     It is not installed.") << "the reason replaces all figures of the row";
    EXPECT_EQ(lines[4], "-: Nothing counts it.");
}

TEST(Table, ColumnsAreMembersOfMembersOrDerived)
{
    app::Table lines("lines", "line | load.sectors=sectors | twice");
    lines.columns[1].group = lines.columns[2].group = "global";
    lines.derive("twice", [](const nlohmann::json& row) { return 2 * row.at("load").at("sectors").get<int>(); });
    lines.rows.push_back({{"line", 7}, {"load", {{"sectors", 21}}}});
    EXPECT_EQ(app::csv_of(lines), "line,load.sectors,twice\r\n7,21,42\r\n");
    EXPECT_EQ(lines_of(app::text_of(lines)), (std::vector<std::string>{"          global",     //
                                                                       "line  sectors  twice", //
                                                                       "   7       21     42"}));
}

TEST(Table, NumbersReadWithTheirUnits)
{
    EXPECT_EQ(app::number_text("energy", 0.5), "500 mJ");
    EXPECT_EQ(app::number_text("count", 2.5e8), "250.00 M");
    EXPECT_EQ(app::number_text("thousands", 3.14159), "3.14");
    EXPECT_EQ(app::number_text("thousands", 51234.5), "51,235");
    EXPECT_EQ(app::number_text("times", 250), "250 ×");
    EXPECT_EQ(app::number_text("{:.1e}", 0.000123), "1.2e-04");
}

// Each number is rounded to the digits shown, but a nonzero number never becomes 0.
TEST(Table, NumbersAreRounded)
{
    const auto expect = [](std::string_view format, std::initializer_list<std::pair<double, const char*>> all) {
        for (const auto& [number, text] : all)
            EXPECT_EQ(app::number_text(format, number), text) << format;
    };
    expect("%", {{0, "0%"},
                 {0.0004, "<0.1%"},
                 {-0.0004, ">-0.1%"},
                 {0.0006, "0.1%"},
                 {0.12689, "12.7%"},
                 {0.12641, "12.6%"},
                 {0.9994, "99.9%"},
                 {0.9996, "100%"},
                 {1.0004, "100%"},
                 {1.0006, "100.1%"}});
    expect("bytes", {{7, "7 bytes"},
                     {1023.6, "1,024 bytes"},
                     {1023, "1,023 bytes"},
                     {1024, "1 KiB"},
                     {2041, "1.99 KiB"},
                     {102.6 * 1024, "103 KiB"},
                     {1.5 * 1024 * 1024, "1.5 MiB"},
                     {3.0 * 1024 * 1024 * 1024, "3 GiB"}});
    expect("time", {{0.126, "0.13 ns"},
                    {9.96, "10 ns"},
                    {999.4, "999 ns"},
                    {1236, "1.24 µs"},
                    {1234, "1.23 µs"},
                    {5.678e6, "5.68 ms"},
                    {2.346e9, "2.35 s"},
                    {1.2346e12, "1,235 s"}});
    expect("energy", {{0.04567, "45.7 mJ"}, {0.9996, "1e+03 mJ"}, {1.2345, "1.23 J"}, {1.237, "1.24 J"}});
    expect("count", {{99'999, "99,999"}, {126'700, "0.13 M"}, {1.236e6, "1.24 M"}, {2.346e9, "2.35 G"}});
    expect("thousands", {{0.127, "0.13"},
                         {9.994, "9.99"},
                         {9.996, "10.0"},
                         {12.37, "12.4"},
                         {99.96, "100"},
                         {1234.6, "1,235"},
                         {1234.4, "1,234"}});
    expect("times", {{0.127, "0.13 ×"}, {12.37, "12.4 ×"}});
}

} // namespace
