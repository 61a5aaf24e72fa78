#include "app/serve/protocol.h"

#include "error.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace app {

namespace {

const std::vector<std::string> messages = {
    R"({"kind":"hello","width":1600,"height":1000,"density":2,"light":true,"place":"view=banks"})",
    R"({"kind":"size","width":412,"height":915,"density":2.625})",
    R"({"kind":"move","x":-3.5,"y":17})",
    R"({"kind":"button","x":1,"y":2,"button":1,"down":true,"shift":true})",
    R"({"kind":"wheel","x":0,"y":-1.5,"control":true})",
    R"({"kind":"key","key":"ArrowLeft","down":true,"repeated":true,"alt":true})",
    R"({"kind":"paste","text":"naive"})",
    R"({"kind":"go","place":"stage=naive view=flow"})",
    R"({"kind":"shown","number":12})"};

TEST(Protocol, EachKindOfMessageIsRead)
{
    for (std::size_t i = 0; i < messages.size(); ++i)
        EXPECT_EQ(parse_message(messages[i]).index(), i) << messages[i];
    const auto hello = std::get<Hello>(parse_message(messages[0]));
    EXPECT_EQ(hello.width, 1600);
    EXPECT_EQ(hello.density, 2);
    EXPECT_TRUE(hello.light);
    EXPECT_EQ(hello.place, "view=banks");
    const auto button = std::get<PointerButton>(parse_message(messages[3]));
    EXPECT_EQ(button.button, 1);
    EXPECT_TRUE(button.modifiers.shift);
    EXPECT_FALSE(button.modifiers.control);
    EXPECT_EQ(std::get<Wheel>(parse_message(messages[4])).y, -1.5f);
    EXPECT_TRUE(std::get<KeyStroke>(parse_message(messages[5])).repeated);
    EXPECT_EQ(std::get<ShownFrame>(parse_message(messages[8])).number, 12u);
}

TEST(Protocol, WhatIsOutOfItsLimitsIsRefused)
{
    for (const char* wrong :
         {"", "1", "[]", "{}", R"({"kind":"dance"})", R"({"kind":"size","width":100000,"height":1,"density":1})",
          R"({"kind":"size","width":1600,"height":1000,"density":0})",
          R"({"kind":"size","width":"1600","height":1000,"density":1})", R"({"kind":"move","x":1e30,"y":0})",
          R"({"kind":"move","x":null,"y":0})", R"({"kind":"button","x":1,"y":2,"button":7,"down":true})",
          R"({"kind":"wheel","x":0,"y":1000})", R"({"kind":"key","key":"","down":true})",
          R"({"kind":"shown","number":-1})"})
        EXPECT_THROW(parse_message(wrong), kernels::Error) << wrong;
    EXPECT_THROW(parse_message(R"({"kind":"paste","text":")" + std::string(70'000, 'a') + R"("})"), kernels::Error);
    EXPECT_THROW(parse_message(R"({"kind":"go","place":")" + std::string(5'000, 'a') + R"("})"), kernels::Error);
    EXPECT_THROW(parse_message(std::string(60'000, '[')), kernels::Error);
}

TEST(Protocol, AnUploadHasAHarmlessName)
{
    const auto named = [](const std::string& name) {
        return parse_upload(std::string(1, static_cast<char>(name.size())) + name + "text").name;
    };
    EXPECT_EQ(named("race-2.gstate"), "race-2.gstate");
    EXPECT_EQ(named("../../etc/passwd"), "_._.._etc_passwd");
    EXPECT_EQ(named(".bashrc"), "_bashrc");
    EXPECT_EQ(named(std::string("a\0b", 3)), "a_b");
    EXPECT_EQ(parse_upload(std::string("\x01"
                                       "a") +
                           "bytes")
                  .bytes,
              "bytes");
    for (const char* wrong : {"", "\x05"
                                  "abc"})
        EXPECT_THROW(parse_upload(wrong), kernels::Error);
    EXPECT_THROW(parse_upload(std::string("\0abc", 4)), kernels::Error);
}

} // namespace

} // namespace app
