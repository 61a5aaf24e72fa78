// Options of a view are written as short text and read back.
#include "viz/view_options.h"
#include "viz/views/08_placement/facts.h"
#include "viz/views/35_layout/facts.h"

#include <gtest/gtest.h>

#include <string>

namespace {

enum class Colour : uint8_t { red, green };
struct Size {
    int width = 1, height = 1;
};
struct Drawing {
    std::string title;
    Colour colour = Colour::red;
    bool framed = false;
    int lines = 3;
    std::optional<Size> size;
    std::optional<std::string> note;
};
void fields(auto& visit, kernels::Like<Drawing> auto& drawing)
{
    static constexpr std::string_view colours[] = {"red", "green"};
    visit("title", drawing.title);
    visit("colour", drawing.colour, viz::OneOf{colours});
    visit("framed", drawing.framed);
    visit("lines", drawing.lines, kernels::between(1, 9));
    visit("size", drawing.size);
    visit("note", drawing.note, viz::to_the_end);
}

std::string again(std::string_view text)
{
    return viz::text_of_options(viz::options_of<Drawing>(text));
}

TEST(ViewOptions, AreReadBackAsTheyWereWritten)
{
    EXPECT_EQ(viz::text_of_options(Drawing{}), "");
    const Drawing all{"two words", Colour::green, true, 9, Size{5, 76}, "a = b; c  d"};
    const std::string text = "title=\"two words\" colour=green framed=yes lines=9 size=5,76 note=a = b; c  d";
    EXPECT_EQ(viz::text_of_options(all), text);
    EXPECT_EQ(again(text), text);
    EXPECT_EQ(again("lines=3 colour=red framed=no"), "") << "default values are omitted";
}

TEST(ViewOptions, LeaveOutWhatTheyDoNotKnowAndWhatIsOutOfItsLimits)
{
    EXPECT_EQ(again("weight=3 lines=4"), "lines=4");
    EXPECT_EQ(again("lines=10 framed=perhaps colour=blue size=5 size=5,6,7 size=5,x"), "");
    EXPECT_EQ(again("lines=0"), "");
    EXPECT_EQ(again("lines=4x"), "");
    EXPECT_EQ(again("  ;; = \" \"\"lines=5"), "") << "no text is an error";
}

TEST(ViewOptions, HaveShortForms)
{
    EXPECT_EQ(again("green;framed;lines=4"), "colour=green framed=yes lines=4");
    EXPECT_EQ(again("framed green"), "colour=green framed=yes");
    EXPECT_EQ(again("lines"), "") << "a number has no short form";
}

TEST(LayoutOptions, AreReadBackAsTheyWereWritten)
{
    for (const char* text : {"", "tile=As", "tile=As places=row_after_row", "places=padded padding=12 element=5,76",
                             "places=xor row_bits=3,1,2", "places=xor column_bits=5,2,1",
                             "tile=Bs places=formula element=0,7 formula=row*cols + (col ^ row); x=1"}) {
        const auto options = viz::options_of<viz::LayoutOptions>(text);
        EXPECT_EQ(viz::text_of_options(options), text);
        viz::LayoutOptions same{.tile = options.tile, .element = options.element};
        same.set(options.mapping());
        EXPECT_EQ(viz::text_of_options(same), text) << "by way of the places themselves";
    }
}

// Saved files and lessons of earlier versions have these forms.
TEST(LayoutOptions, OfEarlierVersionsAreRead)
{
    const auto read = [](std::string_view text) {
        return viz::text_of_options(viz::options_of<viz::LayoutOptions>(text));
    };
    EXPECT_EQ(read("tile=Bs;places=formula;element=0,7;formula=row*cols + (col ^ row); x=1"),
              "tile=Bs places=formula element=0,7 formula=row*cols + (col ^ row); x=1");
    EXPECT_EQ(read("places=xor;column_bits=5,2,1"), "places=xor column_bits=5,2,1");
    EXPECT_EQ(read("colour=red;places=sideways;padding=many;element=1;tile=As"), "tile=As");
    EXPECT_EQ(read("padding=999;row_bits=99,99,99"), "") << "the values are outside of their limits";
}

TEST(PlacementOptions, OfEarlierVersionsAreRead)
{
    const auto read = [](std::string_view text) {
        return viz::text_of_options(viz::options_of<viz::PlacementOptions>(text));
    };
    EXPECT_EQ(read("work many"), "page=work launch=many");
    EXPECT_EQ(read("tall"), "launch=tall");
    EXPECT_EQ(read("work"), "page=work");
    EXPECT_EQ(read("page=times launch=recorded"), "page=times launch=recorded")
        << "a chosen value is written even if it is the default";
}

} // namespace
