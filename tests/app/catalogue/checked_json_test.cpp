// JSON that does harm is refused, and figures are checked on their way to their types.
#include "app/catalogue/checked_json.h"
#include "tests/says.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace {

using app::Fields;

TEST(CheckedJson, WhatIsNestedTooDeeplyIsRefusedAtOnce)
{
    for (const char* open : {"[", "{\"a\":", "[{\"a\":"}) {
        std::string deep;
        for (int i = 0; i < 40; ++i)
            deep += open;
        deep += "no JSON"; // so far nobody reads
        EXPECT_EQ(test::refusal([&] { app::parse_json(deep); }), "it is nested too deeply") << open;
    }
    EXPECT_NO_THROW(app::parse_json(std::string(20, '[') + std::string(20, ']')));
    EXPECT_EQ(test::refusal([] { app::parse_json("{"); }), "it is damaged");
}

TEST(CheckedJson, WholeNumbersFitTheirTypes)
{
    const nlohmann::json json = app::parse_json(
        R"({"good": 7, "large": 4294967296, "huge": 1e300, "larger": 99999999999999999999999, "negative": -1,
            "half": 0.5, "text": "7", "null": null})");
    const Fields fields(json);
    EXPECT_EQ(fields.whole<uint32_t>("good"), 7u);
    EXPECT_EQ(fields.whole<uint64_t>("large"), 4294967296u);
    EXPECT_EQ(fields.whole_or<int>("null", 3), 3);
    EXPECT_EQ(fields.whole_or<int>("nowhere", 3), 3);
    for (const char* name : {"large", "huge", "larger", "negative", "half", "text", "null"})
        EXPECT_EQ(test::refusal([&] { fields.whole<uint32_t>(name); }),
                  std::string(name) + " is not a whole number from 0 to 4294967295");
    EXPECT_EQ(test::refusal([&] { fields.whole<int>("good", 8, 9); }), "good is not a whole number from 8 to 9");
    EXPECT_EQ(test::refusal([&] { fields.whole<int>("nowhere"); }), "nowhere is missing");
}

TEST(CheckedJson, FiguresAreFiniteAndNotNegative)
{
    const nlohmann::json json = {{"good", 0.5},         {"zero", 0},   {"negative", -1e-9}, {"infinite", HUGE_VAL},
                                 {"not", std::nan("")}, {"text", "1"}, {"null", nullptr}};
    const Fields fields(json);
    EXPECT_EQ(fields.positive("good"), 0.5);
    EXPECT_EQ(fields.figure("zero"), 0);
    EXPECT_EQ(fields.maybe_positive("null"), std::nullopt);
    EXPECT_EQ(test::refusal([&] { fields.positive("zero"); }), "zero is not above zero");
    for (const char* name : {"negative", "infinite", "not", "text", "null"})
        EXPECT_EQ(test::refusal([&] { fields.positive(name); }),
                  std::string(name) + " is not a number of at least zero");
    EXPECT_EQ(fields.factor("negative"), -1e-9f);
    const nlohmann::json large = {{"alpha", 1e39}};
    EXPECT_EQ(test::refusal([&] { Fields(large).factor("alpha"); }), "alpha is not a number");
}

TEST(CheckedJson, OfOtherKindsIsSaid)
{
    const nlohmann::json json = {{"list", nlohmann::json::array()}, {"text", "words"}};
    const Fields fields(json);
    EXPECT_TRUE(fields.list("list").empty());
    EXPECT_EQ(test::refusal([&] { fields.list("text"); }), "text is not a list");
    EXPECT_EQ(test::refusal([&] { fields.object("list"); }), "list has no names");
    EXPECT_EQ(test::refusal([&] { fields.text("list"); }), "list is not a text");
    EXPECT_EQ(test::refusal([&] { fields.flag("text"); }), "text is neither true nor false");
    EXPECT_EQ(test::refusal([&] { const Fields none(json.at("list")); }), "it is damaged");
}

} // namespace
