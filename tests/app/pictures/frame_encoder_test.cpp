// The data that is sent to the page. tests/browser checks that the page draws the same picture from it.
#include "app/pictures/frame_encoder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace app {

namespace {

constexpr viz::Colour background = 0xff102030;

struct FrameEncoderTest : testing::Test {
    FrameEncoderTest()
    {
        ImGui::SetCurrentContext(context);
        ImGuiIO& io = ImGui::GetIO();
        io.IniFilename = nullptr;
        io.DisplaySize = {800, 600};
        io.Fonts->AddFontDefault();
        io.Fonts->Build();
        io.Fonts->SetTexID(&fonts);
    }
    ~FrameEncoderTest() override { ImGui::DestroyContext(context); }

    template <class Draw>
    std::string frame(Draw draw)
    {
        ImGui::NewFrame();
        draw(*ImGui::GetBackgroundDrawList());
        ImGui::Render();
        return encoder.encode(*ImGui::GetDrawData(), background, [this](ImTextureID id) {
            ++reads;
            if (id == &picture)
                return TexturePixels{16, 16, 4, pixels};
            TexturePixels result;
            unsigned char* bytes = nullptr;
            ImGui::GetIO().Fonts->GetTexDataAsAlpha8(&bytes, &result.width, &result.height, &result.bytes_per_pixel);
            result.bytes = {bytes, static_cast<std::size_t>(result.width) * static_cast<std::size_t>(result.height)};
            return result;
        });
    }
    // Draws a page of words, one of which may change.
    static void draw_page(ImDrawList& list, const char* changing)
    {
        for (int row = 0; row < 30; ++row)
            list.AddText({10, 10 + 15.0f * static_cast<float>(row)}, 0xffffffff,
                         row == 15 ? changing : "warps read banks of shared memory, 32 at a time");
    }

    int fonts = 0, picture = 0; // their addresses are used as texture ids
    ImGuiContext* context = ImGui::CreateContext();
    FrameEncoder encoder;
    std::vector<unsigned char> pixels = std::vector<unsigned char>(16 * 16 * 4, 0x55);
    int reads = 0;
};

TEST_F(FrameEncoderTest, NothingGoesOutWhileNothingChanges)
{
    EXPECT_NE(frame([](ImDrawList& list) { draw_page(list, "eight wavefronts"); }), "");
    EXPECT_EQ(frame([](ImDrawList& list) { draw_page(list, "eight wavefronts"); }), "");
    EXPECT_EQ(encoder.frames(), 1u);
}

TEST_F(FrameEncoderTest, OfAChangedWordLittleIsSent)
{
    const std::string first = frame([](ImDrawList& list) { draw_page(list, "eight wavefronts"); });
    const std::string second = frame([](ImDrawList& list) { draw_page(list, "seven wavefronts"); });
    EXPECT_NE(second, "");
    EXPECT_LT(second.size() * 10, first.size());
    // Pieces that the page already has are referred to and not sent again.
    const std::string third = frame([](ImDrawList& list) { draw_page(list, "eight wavefronts"); });
    EXPECT_LT(third.size(), second.size());
}

TEST_F(FrameEncoderTest, OfAChangedTextureItsChangedRowsAreSent)
{
    const auto draw = [this](ImDrawList& list) { list.AddImage(&picture, {0, 0}, {16, 16}); };
    const std::string first = frame(draw);
    EXPECT_GT(first.size(), pixels.size());
    EXPECT_EQ(frame(draw), "");
    constexpr std::size_t row = 16 * 4;
    std::fill_n(pixels.begin() + 3 * row, row, 0xaa);
    const std::string second = frame(draw);
    EXPECT_GT(second.size(), row);
    EXPECT_LT(second.size(), 2 * row);
    EXPECT_NE(second.find(std::string(row, '\xaa')), std::string::npos);
}

TEST_F(FrameEncoderTest, WhatIsOutOfSightIsNotSent)
{
    const std::string empty = frame([](ImDrawList& list) { list.AddText({0, 0}, 0xffffffff, "a"); });
    const std::string same = frame([](ImDrawList& list) {
        list.AddText({0, 0}, 0xffffffff, "a");
        list.AddText({0, 5000}, 0xffffffff, "far below the window");
        list.AddText({-500, 5}, 0xffffffff, "left of it");
    });
    EXPECT_EQ(same, "");
}

TEST_F(FrameEncoderTest, APositionIsAMultipleOfAPartOfAPixel)
{
    ImGui::NewFrame();
    ImGui::GetBackgroundDrawList()->AddRectFilled({10, 20}, {13, 24}, 0xffffffff);
    ImGui::Render();
    const FrameEncoder::Drawn drawn{{ImGui::GetBackgroundDrawList()}, {0, 0}, {800, 600}, background, [](ImTextureID) {
                                        return TexturePixels{16, 16, 1, {}};
                                    }};
    FrameEncoder coarse({.themes = 2, .forgets = false, .per_pixel = 4});
    const auto columns = coarse.encode({drawn, drawn});
    ASSERT_TRUE(columns);
    EXPECT_EQ((*columns)[FrameEncoder::x], std::string(1, 2 * 4 * 10));
    EXPECT_EQ((*columns)[FrameEncoder::y], std::string("\xa0\x01"));
    EXPECT_FALSE(coarse.encode({drawn, drawn}));
}

TEST_F(FrameEncoderTest, WhatHasNotBeenDrawnForLongIsForgotten)
{
    constexpr int frames = 400;
    for (int i = 0; i < frames; ++i)
        frame([i](ImDrawList& list) {
            for (int word = 0; word < 200; ++word)
                list.AddText({static_cast<float>(i % 100), 3.0f * static_cast<float>(word)},
                             0xff000000u + i * 200 + word, "another word");
        });
    EXPECT_EQ(encoder.frames(), static_cast<uint64_t>(frames));
    // A word has 44 vertices in at most six pieces.
    EXPECT_LT(encoder.pieces(), 3 * FrameEncoder::most_unused_vertices / 24);
}

} // namespace

} // namespace app
