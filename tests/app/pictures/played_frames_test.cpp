#include "app/pictures/played_frames.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <zlib.h>

#include <string>
#include <vector>

namespace app {

namespace {

struct PlayedFramesTest : testing::Test {
    PlayedFramesTest()
    {
        ImGui::SetCurrentContext(context);
        ImGuiIO& io = ImGui::GetIO();
        io.IniFilename = nullptr;
        io.DisplaySize = {400, 300};
        io.Fonts->AddFontDefault();
        io.Fonts->Build();
        io.Fonts->SetTexID(&fonts);
    }
    ~PlayedFramesTest() override { ImGui::DestroyContext(context); }

    template <class Draw>
    void take(Draw draw)
    {
        ImGui::NewFrame();
        draw(*ImGui::GetBackgroundDrawList());
        ImGui::Render();
        played.take(*ImGui::GetDrawData(), 0xff000000);
    }
    // Adds a moment with a light and a dark frame, which have the same word in two colours or different words.
    void moment(const char* light, const char* dark, std::vector<viz::TipArea> tips = {})
    {
        take([&](ImDrawList& list) { list.AddText({10, 10}, 0xff000000, light); });
        take([&](ImDrawList& list) { list.AddText({10, 10}, 0xffffffff, dark); });
        played.end({50, played.moments()}, tips);
    }
    std::string unpacked() const
    {
        const std::string packed = played.packed();
        std::string bytes(4 << 20, '\0');
        uLongf size = bytes.size();
        EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(bytes.data()), &size,
                             reinterpret_cast<const Bytef*>(packed.data()), packed.size()),
                  Z_OK);
        bytes.resize(size);
        return bytes;
    }
    nlohmann::json about() const
    {
        const std::string bytes = unpacked();
        return nlohmann::json::parse(bytes.substr(bytes.find('{'), bytes.find('}') + 1 - bytes.find('{')));
    }

    int fonts = 0; // its address is used as a texture id
    ImGuiContext* context = ImGui::CreateContext();
    PlayedFrames played{{}, 1};
};

TEST_F(PlayedFramesTest, ThemesThatDifferInColoursAreOneFrame)
{
    moment("bank", "bank");
    moment("warp", "warp");
    EXPECT_EQ(about().at("frameCount"), 2);
    EXPECT_EQ(about().at("shown"), (nlohmann::json{{0, 1}, {0, 1}}));
    EXPECT_EQ(about().at("steps"), (nlohmann::json{0, 1}));
    EXPECT_EQ(about().at("width"), 400);
}

TEST_F(PlayedFramesTest, ThemesWithOtherShapesHaveFramesOfTheirOwn)
{
    moment("bank", "banks");
    EXPECT_EQ(about().at("shown"), (nlohmann::json{{0}, {1}}));
}

TEST_F(PlayedFramesTest, WhatIsShownAgainIsNoNewFrame)
{
    moment("bank", "bank");
    moment("bank", "bank");
    EXPECT_EQ(about().at("shown"), (nlohmann::json{{0, 0}, {0, 0}}));
    EXPECT_EQ(about().at("milliseconds"), (nlohmann::json{50, 50}));
}

TEST_F(PlayedFramesTest, TipsThatStayAreThereOnce)
{
    const viz::TipArea lane{{1, 2}, {30, 40}, "Lane 5 reads bank 7."}, other{{1, 2}, {30, 40}, "Lane 6 waits."};
    moment("a", "a", {lane});
    moment("b", "b", {lane});
    moment("c", "c", {lane, other});
    EXPECT_EQ(about().at("tips"), (nlohmann::json{0, 0, 1}));
    const std::string bytes = unpacked();
    EXPECT_NE(bytes.find(" reads bank "), std::string::npos);
    EXPECT_EQ(bytes.find(" reads bank "), bytes.rfind(" reads bank "));
}

TEST_F(PlayedFramesTest, CharactersThatNoFrameUsesAreBlank)
{
    moment("a", "a");
    const std::size_t few = played.packed().size();
    moment("abcdefghijklmnopqrstuvwxyz", "abcdefghijklmnopqrstuvwxyz");
    EXPECT_GT(played.packed().size(), few + 400);
}

} // namespace

} // namespace app
