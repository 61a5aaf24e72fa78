// Fields and keys: what is typed goes where one looks, and nowhere else.
#include "tests/paths.h"
#include "tests/says.h"
#include "views.h"

#include <nlohmann/json.hpp>

#include <string>

namespace {

using test::State;
using test::says;

class Fields : public test::Views {
protected:
    void wait(const std::string& what, const std::function<bool(const State&)>& reached)
    {
        program->wait_for(what, reached);
        program->wait_settled();
    }
    void wait_for_widget(const std::string& name)
    {
        program->wait_for(name, [&](const State& state) { return state.at("widgets").contains(name); });
    }
    void wait_arranged(const std::string& words)
    {
        program->wait_for("arranged as " + words, [&](const State& state) { return state.at("arranged") == words; });
    }
    // Layout, with "col" as what was typed.
    void open_with_a_formula()
    {
        open({"--stage", "vectorized", "--view", "layout"});
        program->click("places your formula");
        wait_for_widget("typing:formula");
        type("col");
        wait_arranged("places=formula formula=col");
        program->press("Return");
    }
};

TEST_F(Fields, AFormulaIsTypedAnewWheneverItsRowIsClicked)
{
    open_with_a_formula();
    program->click("places your formula");
    wait_for_widget("typing:formula");
    type("row");
    wait_arranged("places=formula formula=row");
    EXPECT_EQ(program->state().at("view"), "layout") << "no letter was a command";
    program->press("Home");
    type("col");
    wait_arranged("places=formula formula=colrow");
    program->press("a", true);
    type("r");
    wait_arranged("places=formula formula=r");
}

// What is tried of one tile is not tried of another stage's.
TEST_F(Fields, AFormulaStaysWithItsStage)
{
    open_with_a_formula();
    program->click("stage:swizzled");
    wait("another stage, as recorded", [](const State& state) {
        return state.at("stage") == "swizzled" && state.at("settled") == true && state.at("arranged") == "";
    });
    program->click("stage:vectorized");
    wait("the formula again", [](const State& state) {
        return state.at("stage") == "vectorized" && state.at("arranged") == "places=formula formula=col";
    });
}

TEST_F(Fields, TheFormOfSizesSelectsWhatItHasAtEveryOpening)
{
    open({"--stage", "naive"});
    for (const int side : {100, 64}) {
        program->press("m");
        wait_for_widget("typing:size, recorded");
        type(std::to_string(side));
        program->press("Return");
        // The size is there one frame before the form is gone, which until then takes the keys.
        wait("a size of " + std::to_string(side) + " and no form", [&](const State& state) {
            return test::has(state, "command", "size=" + std::to_string(side)) &&
                   !state.at("widgets").contains("typing:size, recorded");
        });
    }
}

TEST_F(Fields, TheKeyOfALaunchByHandIsNoLetterOfIt)
{
    open({"--stage", "naive", "--view", "hierarchy"});
    program->press("e");
    wait_for_widget("typing:block");
    type("8x2y");
    wait_for_widget("x and y swapped");
}

// Zooming and turning the plan are no letters of it either, and what was zoomed to stays.
TEST_F(Fields, APlanTypedByHandStaysZoomedWhenItIsTurned)
{
    open({"--stage", "naive", "--view", "hierarchy"});
    program->press("e");
    wait_for_widget("typing:block");
    type("8x2");
    wait_for_widget("plan of 8x2");
    const double whole = program->state().at("widgets").at("thread").at(2).get<double>();
    const auto zoomed = [&](const State& state) {
        return state.at("widgets").at("thread").at(2).get<double>() > 1.5 * whole;
    };
    type("z");
    wait("the block", zoomed);
    EXPECT_TRUE(program->state().at("widgets").contains("plan of 8x2"));
    type("y");
    wait("the block, turned",
         [&](const State& state) { return state.at("widgets").contains("plan of 8x2 swapped") && zoomed(state); });
    EXPECT_TRUE(says(program->state().at("hint").get<std::string>(), "block"));
}

// Behind the first page nothing changes.
TEST_F(Fields, KeysDoNothingBehindTheFirstPage)
{
    program.emplace(display, std::vector<std::string>());
    ASSERT_TRUE(program->state().at("learning").at("first_page"));
    program->press("c");
    program->press("Down");
    program->press("t"); // the theme is the window's
    program->wait_for("the other theme", [](const State& state) { return state.at("theme") == "light"; });
    program->press("Escape");
    wait("the window", [](const State& state) { return state.at("learning").at("first_page") == false; });
    EXPECT_EQ(program->state().at("compare"), "");
    EXPECT_EQ(program->state().at("stage"), "vectorized");
}

TEST_F(Fields, LessonsAreNotCoveredByTheFirstPage)
{
    program.emplace(display, std::vector<std::string>());
    program->press("question");
    wait_for_widget("help:learn");
    program->click("help:learn");
    wait_for_widget("library:conflicts:banks");
    EXPECT_FALSE(program->state().at("learning").at("first_page"));
}

TEST_F(Fields, AFileIsOpenedByItsPath)
{
    open({"--stage", "naive"});
    const kernels::TemporaryFolder folder;
    const std::string file = (std::filesystem::path(folder.path()) / "mine.gscope").string();
    std::filesystem::copy_file(test::shipped("programs/transpose.gscope"), file);
    program->click("new kernel");
    wait_for_widget("new kernel:open");
    program->click("new kernel:open");
    program->wait_for("the field", [](const State& state) { return state.at("palette") == "open "; });
    type("x");
    const auto typed = [](const State& state) { return state.at("palette") == "open x"; };
    program->wait_for("what is typed", typed);
    program->press("Return");
    program->wait_settled();
    program->wait_for("the field stays, with what is wrong", typed);
    program->press("BackSpace");
    type(file);
    program->wait_for("its path", [&](const State& state) { return state.at("palette") == "open " + file; });
    program->press("Return");
    program->wait_for("its recording", [](const State& state) { return test::has(state, "command", "mine.gscope"); });
    EXPECT_NE(program->state().at("stage"), "naive");
}

// Views come before questions about them.
TEST_F(Fields, WhatIsSoughtLeadsToAView)
{
    open({"--stage", "vectorized", "--view", "banks"});
    for (const char* word : {"stall", "scheduler", "spill"}) {
        program->press("p", true);
        program->wait_for("the field", [](const State& state) { return state.at("palette") == ""; });
        type(word);
        program->wait_for(word, [&](const State& state) { return state.at("palette") == word; });
        program->press("Return");
        wait("a view", [](const State& state) { return state.at("palette").is_null() && state.at("view") != "banks"; });
        EXPECT_EQ(program->state().at("learning").at("question"), "") << word;
        program->show_view("banks");
    }
}

} // namespace
