// The view of access patterns: keys, mouse, typed formulas, and use without a recording.
#include "temporary_folder.h"
#include "views.h"

#include "viz/draw/draw.h"

#include <fstream>

namespace {

using namespace test;

class Patterns : public Views {
protected:
    void open_patterns(const std::string& arranged = {}, std::vector<std::string> more = {})
    {
        std::vector<std::string> arguments{
            "--show", "stage=shared_tile view=patterns" + (arranged.empty() ? "" : " arranged=\"" + arranged + "\"")};
        arguments.insert(arguments.end(), more.begin(), more.end());
        open(std::move(arguments));
    }
    void wait_arranged(const std::string& words)
    {
        program->wait_for("arranged as \"" + words + "\"", is("arranged", words));
        program->wait_settled();
    }
    bool headline_has(const std::string& words) const
    {
        for (const auto& [name, box] : program->state().at("widgets").items())
            if (name.starts_with("headline:") && name.find(words) != std::string::npos)
                return true;
        return false;
    }
};

// Eight lanes access every second word of eight banks. Lanes 4 to 7 wait, are amber, and have a row of their own.
TEST_F(Patterns, OpenWithALaneThatWaits)
{
    open_patterns();
    EXPECT_TRUE(headline_has("2 wavefronts")) << program->state().at("widgets");
    EXPECT_EQ(drawn("lane 4").at("value"), 0) << "its bank";
    const Rect first = drawn_in("bank 0 in wavefront 1"), second = drawn_in("bank 0 in wavefront 2");
    EXPECT_NEAR(first.left, second.left, 1) << "one bank is one column";
    EXPECT_GT(second.top, first.top);
    EXPECT_EQ(program->pixel(second.inside()), rgb(theme.warning));
    EXPECT_EQ(program->pixel(first.inside()), rgb(theme.lane_group[0]));
    EXPECT_EQ(program->pixel(drawn_in("lane 5").inside()), rgb(theme.warning));
    expect_hint(drawn_in("lane 4").middle(), "word 8, bank 0 = 8 mod 8, wavefront 2");
}

TEST_F(Patterns, KeysChangeEveryNumber)
{
    open_patterns("stride=1");
    for (const auto& [key, arranged] : {std::pair{"plus", ""},
                                        {"plus", "stride=3"},
                                        {"minus", ""},
                                        {"f", "offset=1"},
                                        {"F", ""},
                                        {"p", "padding=1"},
                                        {"P", ""},
                                        {"y", "xor=1"},
                                        {"y", "xor=3"},
                                        {"Y", "xor=1"},
                                        {"Y", ""},
                                        {"u", "row=2"},
                                        {"U", ""},
                                        {"v", "width=8"},
                                        {"V", ""},
                                        {"k", "access=store"},
                                        {"k", ""},
                                        {"g", "memory=global"},
                                        {"g", ""},
                                        {"z", "wavefront=1"},
                                        {"z", "wavefront=2"},
                                        {"z", ""},
                                        {"Z", "wavefront=2"},
                                        {"z", ""},
                                        {"e", "stride=8"},
                                        {"a", "lanes=32 stride=32"},
                                        {"e", "lanes=32 stride=32 padding=1"},
                                        {"E", "lanes=32 stride=32"}}) {
        program->press(key);
        wait_arranged(arranged);
    }
    EXPECT_TRUE(headline_has("32 wavefronts"));
}

// If only the first wavefront is shown, waiting words have not arrived, and their cells are empty.
TEST_F(Patterns, WavefrontsComeOneAfterTheOther)
{
    open_patterns("wavefront=1");
    const Rgb empty = rgb(viz::draw::empty_colour(theme));
    EXPECT_EQ(program->pixel(drawn_in("bank 0 in wavefront 2").inside()), empty);
    program->press("z");
    wait_arranged("wavefront=2");
    EXPECT_EQ(program->pixel(drawn_in("bank 0 in wavefront 2").inside()), rgb(theme.warning));
}

TEST_F(Patterns, ALaneIsDraggedToAnotherBankAndTheCurveIsClicked)
{
    open_patterns("stride=1");
    display.move_pointer(program->window(), drawn_in("lane 1").middle());
    program->wait_settled();
    display.button(true);
    program->wait_for("the button", [](const State& state) { return state.at("pointer_changes").get<int>() > 0; });
    const Point lane = drawn_in("lane 5").middle();
    display.move_pointer(program->window(), {lane.x, lane.y + 60});
    wait_arranged("stride=5");
    display.button(false);
    program->click("stride 16");
    wait_arranged("stride=16");
    EXPECT_TRUE(headline_has("8 wavefronts"));
    EXPECT_EQ(drawn("stride now").at("value"), 8);
}

// Digits in a number's field are not keys of the view.
TEST_F(Patterns, ANumberIsClickedAndTyped)
{
    open_patterns("stride=1");
    program->click("number offset");
    type("77");
    program->press("Return");
    wait_arranged("stride=1 offset=77");
    EXPECT_EQ(program->state().at("view"), "patterns");
}

TEST_F(Patterns, AFormulaIsTyped)
{
    open_patterns();
    program->press("o");
    program->wait_for("the field", shown("typing:formula"));
    type("lane");
    wait_arranged("formula=lane");
    program->wait_for("its picture", [&](const State&) { return headline_has("1 wavefront"); });
    type("s");
    program->wait_for("a refusal", [&](const State&) { return headline_has("no pattern"); });
    EXPECT_TRUE(program->state().at("words").dump().find("lanes") != std::string::npos);
}

// A kernel with a compile error has no recording. The view of patterns does not need one.
TEST_F(Patterns, NeedNoRecording)
{
    const kernels::TemporaryFolder folder;
    std::ofstream(folder / "broken.cu")
        << "// gemmscope: grid 1\n// gemmscope: block 32\n__global__ void broken( { }\n";
    open({"open", (folder / "broken.cu").string(), "--view", "patterns"});
    EXPECT_NE(program->state().at("status"), "");
    EXPECT_TRUE(headline_has("2 wavefronts"));
    program->press("plus");
    wait_arranged("stride=3");
    program->click("preset column");
    wait_arranged("stride=8");
}

TEST_F(Patterns, WordsKeepApartAtEverySize)
{
    for (const char* theme_name : {"dark", "light"})
        for (const char* arranged : {"", "lanes=32 stride=12", "lanes=32 width=16 stride=1",
                                     "lanes=32 memory=global stride=3", "lanes=32 stride=0", "formula=lane*3"}) {
            open_patterns(arranged, {"--theme", theme_name});
            for (const Size size : {Size{1024, 700}, Size{1280, 800}, Size{1600, 1000}}) {
                resize(size);
                expect_words_apart(program->state());
            }
        }
}

} // namespace
