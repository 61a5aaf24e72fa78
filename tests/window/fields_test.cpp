// Text fields and keys: typed text goes only to the field with the focus.
#include "tests/paths.h"
#include "tests/says.h"
#include "views.h"

#include <nlohmann/json.hpp>

#include <string>

namespace {

using namespace test;

class Fields : public Views {
protected:
    void wait_arranged(const std::string& words) { program->wait_for("arranged as " + words, is("arranged", words)); }
    // Opens the layout view with the typed formula "col".
    void open_with_a_formula()
    {
        open({"--stage", "vectorized", "--view", "layout"});
        program->click("places your formula");
        wait_shown("typing:formula");
        type("col");
        wait_arranged("places=formula formula=col");
        program->press("Return");
    }
};

TEST_F(Fields, AFormulaIsTypedAnewWheneverItsRowIsClicked)
{
    open_with_a_formula();
    program->click("places your formula");
    wait_shown("typing:formula");
    type("row");
    wait_arranged("places=formula formula=row");
    EXPECT_EQ(program->state().at("view"), "layout") << "no letter ran a command";
    program->press("Home");
    type("col");
    wait_arranged("places=formula formula=colrow");
    program->press("a", true);
    type("r");
    wait_arranged("places=formula formula=r");
}

// A formula for a tile is not applied to the tiles of another stage.
TEST_F(Fields, AFormulaStaysWithItsStage)
{
    open_with_a_formula();
    program->click("stage:swizzled");
    program->wait_settled("another stage, as recorded", is("stage", "swizzled"), is("arranged", ""));
    program->click("stage:vectorized");
    wait("the formula again", is("stage", "vectorized"), is("arranged", "places=formula formula=col"));
}

TEST_F(Fields, TheFormOfSizesSelectsWhatItHasAtEveryOpening)
{
    open({"--stage", "naive"});
    for (const int side : {100, 64}) {
        program->press("m");
        wait_shown("typing:size, recorded");
        type(std::to_string(side));
        program->press("Return");
        // The new size is visible one frame before the form closes. Until then the form gets the keys.
        wait("a size of " + std::to_string(side) + " and no form", mentions("command", "size=" + std::to_string(side)),
             gone("typing:size, recorded"));
    }
}

TEST_F(Fields, TheKeyOfALaunchByHandIsNoLetterOfIt)
{
    open({"--stage", "naive", "--view", "hierarchy"});
    program->press("e");
    wait_shown("typing:block");
    type("8x2y");
    wait_shown("x and y swapped");
}

// Keys that zoom or transpose the plan are not typed into the field, and the zoom stays.
TEST_F(Fields, APlanTypedByHandStaysZoomedWhenItIsTurned)
{
    open({"--stage", "naive", "--view", "hierarchy"});
    program->press("e");
    wait_shown("typing:block");
    type("8x2");
    wait_shown("plan of 8x2");
    const double whole = widget("thread").width;
    const auto zoomed = [&](const State& state) { return rect_of(state, "thread").width > 1.5 * whole; };
    type("z");
    wait("the block", zoomed);
    EXPECT_TRUE(shows("plan of 8x2"));
    type("y");
    wait("the block, turned", shown("plan of 8x2 swapped"), zoomed);
    EXPECT_TRUE(says(program->state().at("hint").get<std::string>(), "block"));
}

// Keys have no effect on the window while the first page covers it.
TEST_F(Fields, KeysDoNothingBehindTheFirstPage)
{
    program.emplace(display, std::vector<std::string>());
    ASSERT_TRUE(program->state().at("learning").at("first_page"));
    program->press("c");
    program->press("Down");
    program->press("t"); // the theme changes on the first page, too
    program->wait_for("the other theme", is("theme", "light"));
    program->press("Escape");
    wait("the window", is("learning", "first_page", false));
    EXPECT_EQ(program->state().at("compare"), "");
    EXPECT_EQ(program->state().at("stage"), "vectorized");
}

TEST_F(Fields, LessonsAreNotCoveredByTheFirstPage)
{
    program.emplace(display, std::vector<std::string>());
    program->press("question");
    wait_shown("help:learn");
    program->click("help:learn");
    wait_shown("library:conflicts:banks");
    EXPECT_FALSE(program->state().at("learning").at("first_page"));
}

TEST_F(Fields, AFileIsOpenedByItsPath)
{
    open({"--stage", "naive"});
    const kernels::TemporaryFolder folder;
    const std::string file = (std::filesystem::path(folder.path()) / "mine.gscope").string();
    std::filesystem::copy_file(test::shipped("programs/transpose.gscope"), file);
    program->click("new kernel");
    wait_shown("new kernel:open");
    program->click("new kernel:open");
    program->wait_for("the field", is("palette", "open "));
    type("x");
    const auto typed = is("palette", "open x");
    program->wait_for("what is typed", typed);
    program->press("Return");
    program->wait_settled();
    program->wait_for("the field stays, with what is wrong", typed);
    program->press("BackSpace");
    type(file);
    program->wait_for("its path", is("palette", "open " + file));
    program->press("Return");
    program->wait_for("its recording", mentions("command", "mine.gscope"));
    EXPECT_NE(program->state().at("stage"), "naive");
}

// The palette lists views before questions about them.
TEST_F(Fields, WhatIsSoughtLeadsToAView)
{
    open({"--stage", "vectorized", "--view", "banks"});
    for (const char* word : {"stall", "scheduler", "spill"}) {
        program->press("p", true);
        program->wait_for("the field", is("palette", ""));
        type(word);
        program->wait_for(word, is("palette", word));
        program->press("Return");
        wait("a view", is("palette", nullptr), is_not("view", "banks"));
        EXPECT_EQ(program->state().at("learning").at("question"), "") << word;
        program->show_view("banks");
    }
}

} // namespace
