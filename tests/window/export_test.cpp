// Ctrl-E exports the view to a file while the window continues.
#include "views.h"

#include "../pictures/read_pictures.h"

#include <cstdlib>
#include <filesystem>

namespace test {

namespace {

// Searches up to a pixel away, because the view in the window does not begin at a whole pixel.
bool has_nearby(const app::Picture& picture, int col, int row, const Rgb& wanted)
{
    for (int y = row - 1; y <= row + 1; ++y)
        for (int x = col - 1; x <= col + 1; ++x) {
            const Rgb drawn =
                rgb(picture.pixels[static_cast<std::size_t>(y) * picture.width + static_cast<std::size_t>(x)]);
            if (std::abs(drawn.red - wanted.red) + std::abs(drawn.green - wanted.green) +
                    std::abs(drawn.blue - wanted.blue) <
                24)
                return true;
        }
    return false;
}

class ExportsFromTheWindow : public Views {
protected:
    void ask(const std::string& format)
    {
        program->press("e", true);
        program->wait_for("the form", shown("export:go"));
        press_button("export:" + format);
    }
    // The rows of the form depend on its options.
    void press_button(const std::string& widget)
    {
        program->wait_settled();
        program->click(widget); // when it has stopped moving
    }
    // Returns the file that the status line names.
    std::filesystem::path written()
    {
        const std::string begin = "Exported to ";
        program->wait_for("a file",
                          [&](const State& state) { return state.at("notice").get<std::string>().starts_with(begin); });
        std::string path = program->state().at("notice").get<std::string>().substr(begin.size());
        path.pop_back(); // the sentence's full stop
        return path;
    }
};

TEST_F(ExportsFromTheWindow, ARaceIsOfferedAsAnAnimation)
{
    open({"--stage", "swizzled", "--compare", "vectorized", "--view", "banks"});
    program->press("e", true);
    program->wait_for("the steps that are played", shown("export:##from"));
}

TEST_F(ExportsFromTheWindow, APictureOfWhatIsShown)
{
    open({"--stage", "vectorized", "--view", "banks", "--theme", "light"});
    const std::size_t step = program->state().at("step");
    ask("png");
    press_button("export:scale 1");
    press_button("export:go");
    const std::filesystem::path file = written();
    const app::Picture picture = read_png(file);
    std::filesystem::remove(file);
    // Compares with the window without the form, with the mouse elsewhere.
    program->press("Escape");
    program->point_at({3, 3});
    program->wait_settled();
    const Rect view = widget("view");
    const auto [x, y] = view.at(0, 0);
    EXPECT_NEAR(static_cast<double>(picture.width), view.width, 1);
    EXPECT_NEAR(static_cast<double>(picture.height), view.height, 1);
    int same = 0, all = 0;
    for (int row = 20; row < static_cast<int>(picture.height) - 20; row += 31)
        for (int col = 20; col < static_cast<int>(picture.width) - 20; col += 37) {
            const Rgb shown = program->pixel({x + col, y + row});
            same += has_nearby(picture, col, row, shown) ? 1 : 0;
            ++all;
        }
    EXPECT_GT(same, all * 9 / 10) << all; // text begins at other fractions of a pixel
    EXPECT_EQ(program->state().at("step"), step);
}

TEST_F(ExportsFromTheWindow, ASequenceAndTheWindowIsWhereItWas)
{
    open({"--stage", "vectorized", "--view", "banks"});
    const std::size_t step = program->state().at("step");
    ask("gif");
    press_button("export:scale 1");
    press_button("export:go");
    const std::filesystem::path file = written();
    const std::vector<app::Picture> pictures = read_gif(file);
    EXPECT_GT(pictures.size(), 20u);
    EXPECT_LT(pictures.front().pixels.front() & 0xff, 64u) << "the window is dark";
    std::filesystem::remove(file);
    program->wait_for("its step", is("step", step));
}

TEST_F(ExportsFromTheWindow, WhatIsWrittenCanBeGivenUp)
{
    open({"--stage", "vectorized", "--view", "flow"});
    ask("gif");
    press_button("export:go");
    program->wait_for("progress", shown("export:cancel"));
    program->press("Escape");
    program->wait_for("the end of it", is("notice", "Nothing was exported."));
    program->press("w"); // the window still responds
    program->wait_settled();
}

} // namespace

} // namespace test
