// A frame of which only the changed parts are drawn has the same pixels as one that is drawn completely.
#include "app/platform/kept_frame.h"

#include "app/platform/gui.h"
#include "app/platform/offscreen.h"

#include "viz/draw/draw.h"
#include "viz/theme.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace app {

namespace {

constexpr int width = 500, height = 333; // not multiples of the tile size
constexpr PixelBox all{0, 0, width, height};

long long area(const std::vector<PixelBox>& boxes)
{
    long long sum = 0;
    for (const PixelBox& box : boxes)
        sum += static_cast<long long>(box.right - box.left) * (box.bottom - box.top);
    return sum;
}

struct KeptFrameTest : testing::Test {
    KeptFrameTest()
    {
        gui.use(theme);
        ImGui::GetIO().DisplaySize = {width, height};
        ImGui::GetIO().DeltaTime = 0.02f;
    }

    template <class Draw>
    ImDrawData& frame(Draw draw)
    {
        gui.begin_frame();
        ImGui::NewFrame();
        draw(*ImGui::GetBackgroundDrawList());
        ImGui::Render();
        return *ImGui::GetDrawData();
    }
    std::vector<PixelBox> changed(ImDrawData& data)
    {
        return changes.since_last(data, all, ImGui::GetIO().Fonts->TexID);
    }
    static Picture whole_picture(ImDrawData& data, viz::Colour background)
    {
        const Framebuffer whole(width, height);
        glViewport(0, 0, width, height);
        FrameChanges none;
        draw_within(data, none.since_last(data, all, ImGui::GetIO().Fonts->TexID), height, background);
        return whole.read();
    }

    Offscreen offscreen;
    Gui gui{nullptr};
    viz::Theme theme = viz::make_theme(true, 1);
    FrameChanges changes;
};

// A page with boxes, lines, words and cleared areas, some of which move from frame to frame.
struct Page {
    explicit Page(unsigned seed) : random(seed) {}

    float number(float most) { return std::uniform_real_distribution<float>(0, most)(random); }
    void change()
    {
        for (int i = 0; i < 3; ++i)
            places[static_cast<std::size_t>(number(39.9f))] = {number(width), number(height)};
    }
    void draw(ImDrawList& list) const
    {
        for (std::size_t i = 0; i < places.size(); ++i) {
            const ImVec2 at = places[i];
            const ImU32 colour = IM_COL32(50 + 5 * i, 200 - 4 * i, 90, i % 2 == 0 ? 255 : 120);
            const ImVec2 end{at.x + 40, at.y + 25};
            switch (i % 5) {
            case 0: list.AddRectFilled(at, end, colour, 3); break;
            case 1:
                list.AddBezierCubic(at, {at.x + 80, at.y}, {at.x, at.y + 60}, {at.x + 90, at.y + 70}, colour, 1.5f);
                break;
            case 2: list.AddText(at, colour, "bank 17"); break;
            case 3: viz::draw::fill_opaque(list, at, end, colour | 0xff000000u); break;
            default: // clipped
                list.PushClipRect(at, {at.x + 15, at.y + 70});
                list.AddCircleFilled({at.x + 10, at.y + 60}, 20, colour);
                list.PopClipRect();
            }
        }
    }

    std::mt19937 random;
    std::vector<ImVec2> places = std::vector<ImVec2>(40);
};

TEST_F(KeptFrameTest, ItsPixelsAreThoseOfAWholeFrame)
{
    Page page(11);
    for (int i = 0; i < 20; ++i)
        page.change();
    const Framebuffer kept(width, height);
    for (int i = 0; i < 60; ++i) {
        page.change();
        ImDrawData& data = frame([&](ImDrawList& list) { page.draw(list); });
        const std::vector<PixelBox> boxes = changed(data);
        kept.bind();
        glViewport(0, 0, width, height);
        draw_within(data, boxes, height, theme.background);
        const Picture shown = kept.read();
        const Picture wanted = whole_picture(frame([&](ImDrawList& list) { page.draw(list); }), theme.background);
        ASSERT_EQ(shown.pixels, wanted.pixels) << "frame " << i;
    }
}

TEST_F(KeptFrameTest, OnlyWhatDiffersIsDrawn)
{
    const auto page = [](float x) {
        return [x](ImDrawList& list) {
            for (float y = 10; y < height; y += 20)
                list.AddText({10, y}, 0xffffffff, "a warp reads 32 banks at once");
            list.AddRectFilled({x, 100}, {x + 10, 110}, 0xff00ff00);
        };
    };
    EXPECT_EQ(changed(frame(page(300))), std::vector<PixelBox>{all});
    EXPECT_TRUE(changed(frame(page(300))).empty());
    ImDrawData& moved = frame(page(340));
    const std::vector<PixelBox> boxes = changed(moved);
    EXPECT_GT(area(boxes), 0);
    EXPECT_LE(area(boxes), 4 * 64 * 64);
    draw_within(moved, boxes, height, theme.background);
    EXPECT_LE(moved.TotalIdxCount, 2 * 6) << "the text must not be drawn again";
    EXPECT_EQ(changes.since_last(frame(page(340)), {0, 0, width, 300}, ImGui::GetIO().Fonts->TexID),
              (std::vector<PixelBox>{{0, 0, width, 300}}));
}

// A texture may have new pixels although its id is the same.
TEST_F(KeptFrameTest, AnImageIsDrawnEachTime)
{
    GLuint texture = 0;
    glGenTextures(1, &texture);
    const auto page = [&](ImDrawList& list) {
        list.AddImage(reinterpret_cast<ImTextureID>(std::intptr_t{texture}), {64, 64}, {128, 128});
        list.AddRectFilled({300, 100}, {310, 110}, 0xff00ff00);
    };
    changed(frame(page));
    const std::vector<PixelBox> boxes = changed(frame(page));
    ASSERT_EQ(boxes.size(), 1u);
    EXPECT_LE(boxes[0].left, 64);
    EXPECT_GE(boxes[0].right, 128);
    EXPECT_LT(boxes[0].right, 300);
}

// Changed areas that are far apart cost few draw calls each.
TEST_F(KeptFrameTest, TheBoxesAreFewAndDoNotOverlap)
{
    const auto page = [](int frame) {
        return [frame](ImDrawList& list) {
            for (int i = 0; i < 12; ++i) {
                const ImVec2 at{static_cast<float>(i * 97 % width), static_cast<float>(i * 71 % height)};
                list.AddRectFilled(at, {at.x + 5, at.y + 5}, 0xff000000u + static_cast<ImU32>(frame));
            }
        };
    };
    changed(frame(page(1)));
    const std::vector<PixelBox> boxes = changed(frame(page(2)));
    EXPECT_LE(boxes.size(), 6u);
    for (std::size_t i = 0; i < boxes.size(); ++i)
        for (std::size_t j = i + 1; j < boxes.size(); ++j)
            EXPECT_TRUE(boxes[i].right <= boxes[j].left || boxes[j].right <= boxes[i].left ||
                        boxes[i].bottom <= boxes[j].top || boxes[j].bottom <= boxes[i].top);
}

} // namespace

} // namespace app
