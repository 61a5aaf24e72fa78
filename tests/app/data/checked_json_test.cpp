// Harmful JSON is refused.
#include "app/data/shipped_file.h"
#include "tests/says.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace {

TEST(CheckedJson, WhatIsNestedTooDeeplyIsRefusedAtOnce)
{
    for (const char* open : {"[", "{\"a\":", "[{\"a\":"}) {
        std::string deep;
        for (int i = 0; i < 40; ++i)
            deep += open;
        deep += "no JSON"; // never reached
        EXPECT_EQ(test::refusal([&] { app::parse_json(deep); }), "it is nested too deeply") << open;
    }
    EXPECT_NO_THROW(app::parse_json(std::string(20, '[') + std::string(20, ']')));
    EXPECT_EQ(test::refusal([] { app::parse_json("{"); }), "it is damaged");
}

} // namespace
