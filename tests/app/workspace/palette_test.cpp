// The command palette (Ctrl+P): what it finds, and its keys.
#include "app/workspace/commands.h"

#include <gtest/gtest.h>

#include <string>

namespace {

using app::PaletteEntry;
using app::Key;
using app::Palette;

class PaletteTest : public testing::Test {
protected:
    PaletteTest()
    {
        const auto entry = [this](const char* kind, const char* title, const char* also) {
            return PaletteEntry{.kind = kind,
                                .title = title,
                                .also = also,
                                .keys = {},
                                .run = [this, title] { ran = title; },
                                .set = {},
                                .id = {}};
        };
        std::vector<PaletteEntry> entries = {
            entry("stage", "vectorized", "16 bytes at once"), entry("stage", "swizzled", "no conflicts by XOR"),
            entry("stage", "swizzled_reads", "the same for reads"), entry("view", "Shared memory", "banks"),
            entry("command", "show or hide the ladder", "Window")};
        entries.push_back(PaletteEntry{.kind = "parameter",
                                       .title = "BK = 8",
                                       .also = "depth of a k-tile",
                                       .keys = {},
                                       .run = {},
                                       .set =
                                           [this](std::string_view value) {
                                               set = value;
                                               return std::string(value == "7" ? "BK takes 8 or 16." : "");
                                           },
                                       .id = {}});
        palette.open(entries);
    }
    void type(const std::string& text)
    {
        for (const char c : text)
            palette.press(app::typed(static_cast<char32_t>(c)));
    }
    std::string first() const { return palette.found().empty() ? "" : palette.found().front()->title; }

    Palette palette;
    std::string ran, set;
};

TEST_F(PaletteTest, RanksWhatFitsBestFirst)
{
    EXPECT_EQ(palette.found().size(), 6u) << "all entries while nothing is typed";
    type("swizzled");
    EXPECT_EQ(first(), "swizzled");
    ASSERT_EQ(palette.found().size(), 2u);
    palette.press(app::named(Key::backspace));
    palette.press(app::control(U'a'));
    EXPECT_TRUE(palette.all_selected());
    palette.press(app::typed(U'v'));
    EXPECT_EQ(palette.typed(), "v") << "the character replaces the selected text";
    palette.press(app::control(U'a'));
    palette.press(app::named(Key::backspace));
    EXPECT_EQ(palette.typed(), "");
    EXPECT_FALSE(palette.all_selected());
    palette.press({.key = Key::backspace, .control = true});
    type("SM");
    EXPECT_EQ(first(), "Shared memory") << "found by the first letters of words";
    palette.press({.key = Key::backspace, .control = true});
    type("xor");
    EXPECT_EQ(first(), "swizzled") << "found by the text beside the title";
    type("qqq");
    EXPECT_TRUE(palette.found().empty());
    palette.press(app::named(Key::enter));
    EXPECT_TRUE(palette.is_open());
}

TEST_F(PaletteTest, RunsWhatIsChosenAndCloses)
{
    type("swiz");
    palette.press(app::named(Key::down));
    EXPECT_EQ(palette.chosen(), 1u);
    palette.press(app::named(Key::down));
    palette.press(app::named(Key::up));
    palette.press(app::named(Key::enter));
    EXPECT_EQ(ran, "swizzled_reads");
    EXPECT_FALSE(palette.is_open());
}

TEST_F(PaletteTest, ClosesByEscapeAndRunsNothing)
{
    type("swiz");
    palette.press(app::named(Key::escape));
    EXPECT_FALSE(palette.is_open());
    EXPECT_EQ(ran, "");
}

TEST_F(PaletteTest, SetsAParameter)
{
    type("bk");
    palette.press(app::named(Key::enter));
    EXPECT_EQ(palette.typed(), "BK ") << "the palette asks for the value";
    type("7");
    palette.press(app::named(Key::enter));
    EXPECT_TRUE(palette.is_open());
    EXPECT_EQ(palette.wrong(), "BK takes 8 or 16.");
    palette.press(app::named(Key::backspace));
    EXPECT_EQ(palette.wrong(), "");
    type("16");
    palette.press(app::named(Key::enter));
    EXPECT_EQ(set, "16");
    EXPECT_FALSE(palette.is_open());
}

TEST(PalettePath, OpensAPathHoweverItIsTyped)
{
    std::string opened;
    std::vector<app::PaletteEntry> entries(1);
    entries[0] = {.kind = "file",
                  .title = "open a file ...",
                  .also = "its path",
                  .keys = {},
                  .run = {},
                  .set =
                      [&](std::string_view value) {
                          opened = value;
                          return std::string();
                      },
                  .id = "open",
                  .takes_path = true};
    const auto typed = [&](const char* text) {
        app::Palette palette;
        palette.open(entries);
        palette.type(text);
        palette.press(app::named(Key::enter));
        return palette.is_open() ? palette.typed() : std::string("closed");
    };
    EXPECT_EQ(typed("/tmp/my file.cu"), "closed");
    EXPECT_EQ(opened, "/tmp/my file.cu");
    EXPECT_EQ(typed("open mine.cu"), "closed");
    EXPECT_EQ(opened, "mine.cu");
    EXPECT_EQ(typed("open a file"), "open ") << "the palette asks for the path";
    EXPECT_EQ(opened, "mine.cu");
}

TEST(PaletteElement, GoesWhereTheWholeTextNamesAnElement)
{
    std::string set;
    std::vector<app::PaletteEntry> entries(2);
    entries[0] = {.kind = "claim", .title = "C(5,37) is a claim", .also = "", .run = [] {}};
    entries[1] = {.kind = "element",
                  .title = "C(row, column)",
                  .also = "an element of C",
                  .set =
                      [&](std::string_view value) {
                          set = value;
                          return std::string();
                      },
                  .reads = [](std::string_view typed) { return app::element_typed(typed).has_value(); },
                  .begins = "C("};
    app::Palette palette;
    palette.open(entries);
    palette.type("C(5,37)");
    ASSERT_FALSE(palette.found().empty());
    EXPECT_EQ(palette.found().front()->kind, "element");
    palette.press(app::named(Key::enter));
    EXPECT_EQ(set, "C(5,37)");
    EXPECT_FALSE(palette.is_open());
    palette.open(entries);
    palette.type("element");
    palette.press(app::named(Key::enter));
    EXPECT_EQ(palette.typed(), "C(") << "the palette asks for row and column";
    EXPECT_TRUE(palette.is_open());
}

TEST(PaletteElement, ReadsRowAndColumn)
{
    using Element = std::pair<uint32_t, uint32_t>;
    EXPECT_EQ(app::element_typed("C(5,37)"), Element(5, 37));
    EXPECT_EQ(app::element_typed("c( 5, 37 "), Element(5, 37));
    for (const char* other : {"", "C", "C(", "C(5", "C(5,", "C(5,a)", "C(-1,2)", "C(5,37) x", "A(5,37)", "compare"})
        EXPECT_FALSE(app::element_typed(other)) << other;
}

TEST(PaletteBlock, ReadsItsNumbers)
{
    using Numbers = std::vector<uint32_t>;
    EXPECT_EQ(app::block_typed("block (1,0)"), Numbers({1, 0}));
    EXPECT_EQ(app::block_typed("Block( 3, 2, 1 "), Numbers({3, 2, 1}));
    EXPECT_EQ(app::block_typed("block 1,2"), Numbers({1, 2}));
    EXPECT_EQ(app::block_typed("block 5"), Numbers({5}));
    for (const char* other :
         {"", "block", "block (", "block (a)", "block 1,", "block 1)", "block 1,2,3,4", "blocks", "1"})
        EXPECT_TRUE(app::block_typed(other).empty()) << other;
}

TEST(Fit, CountsWordsAndOrder)
{
    EXPECT_FALSE(app::fit("wde", "swizzled reads and more")); // in order, but far apart
    EXPECT_FALSE(app::fit("dws", "swizzled"));
    EXPECT_GT(*app::fit("bank", "bank conflict"), *app::fit("bank", "shared memory bank"));
    EXPECT_GT(*app::fit("memory", "shared memory"), *app::fit("emory", "shared memory"));
    EXPECT_GT(*app::fit("naive", "naive"), *app::fit("naive", "naive_again"));
}

} // namespace
