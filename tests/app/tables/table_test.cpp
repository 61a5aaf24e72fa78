#include "app/tables/table.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace {

const app::Table table{
    "some", {"name", "value"}, {{"a, \"b\"", 1.5}, {"c", nullptr}, {"two\nlines", true}, {"x,y", 2}}};

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

} // namespace
