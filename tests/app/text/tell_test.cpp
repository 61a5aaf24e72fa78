// What is written to standard output.
#include "app/text/tell.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

namespace {

TEST(WriteJson, LosesNothingAndHasNothingThatATerminalObeys)
{
    const nlohmann::json json = {{"file", "a\x1b[31m\u202e\u009b.cu"}};
    testing::internal::CaptureStdout();
    app::write_json(json);
    const std::string said = testing::internal::GetCapturedStdout();
    EXPECT_TRUE(said.find_first_not_of("\n {}\":,.[]\\_abcdefghijklmnopqrstuvwxyz0123456789") == said.npos) << said;
    EXPECT_EQ(nlohmann::json::parse(said), json);
    testing::internal::CaptureStdout();
    app::write_json(nlohmann::json{{"file", "\x9b"}});
    EXPECT_TRUE(nlohmann::json::accept(testing::internal::GetCapturedStdout())) << "the input is invalid UTF-8";
}

} // namespace
