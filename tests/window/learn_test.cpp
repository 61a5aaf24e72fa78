// The first page, lessons and questions, as somebody who comes for the first time uses them.
#include "tests/paths.h"
#include "tests/says.h"
#include "views.h"

#include "temporary_folder.h"

#include <filesystem>
#include <string>

namespace {

using test::State;
using test::says;

class Learning : public test::Views {
protected:
    const State& learning() const { return program->state().at("learning"); }
    void wait_for_lesson(const std::string& slug, int step)
    {
        program->wait_for("step " + std::to_string(step) + " of " + slug, [&](const State& state) {
            return state.at("learning").at("lesson") == slug && state.at("learning").at("step") == step;
        });
        program->wait_settled();
    }
    void wait_for_question()
    {
        program->wait_for("a question", [](const State& state) { return state.at("learning").at("question") != ""; });
        program->wait_settled();
    }
};

TEST_F(Learning, OpensOnTheFirstPageOnceAndLeadsToTheTour)
{
    program.emplace(display, std::vector<std::string>());
    EXPECT_TRUE(learning().at("first_page"));
    EXPECT_TRUE(program->state().at("widgets").contains("picture:product"));
    program->click("first:tour");
    wait_for_lesson("tour", 0);
    EXPECT_EQ(program->state().at("stage"), "naive");
    EXPECT_FALSE(learning().at("first_page"));
    EXPECT_FALSE(learning().at("done"));
    program->press("Down"); // another rung is what the step asks for
    program->wait_for("the deed", [](const State& state) { return state.at("learning").at("done") == true; });
    program->press("n");
    wait_for_lesson("tour", 1);
    EXPECT_EQ(program->state().at("stage"), "shared_tile");
    program->press("Escape");
    program->wait_for("no lesson", [](const State& state) { return state.at("learning").at("lesson") == ""; });
    program->wait_for("what was shown before", [](const State& state) { return state.at("stage") == "vectorized"; });
    program->press("question");
    program->wait_for("help", [](const State& state) { return state.at("help") == true; });
    program->click("help:first");
    program->wait_for("the first page",
                      [](const State& state) { return state.at("learning").at("first_page") == true; });
}

// What was open before the tour, or was opened while it was, is there when it is closed.
TEST_F(Learning, LeavesAnOpenedFileOpen)
{
    const kernels::TemporaryFolder folder;
    const std::string file = (std::filesystem::path(folder.path()) / "mine.gscope").string();
    std::filesystem::copy_file(test::shipped("programs/transpose.gscope"), file);
    const auto no_lesson = [](const State& state) { return state.at("learning").at("lesson") == ""; };
    const auto shows_file = [](const State& state) { return test::has(state, "command", "mine.gscope"); };
    open({"--show", "stage=vectorized view=banks file=" + file});
    program->wait_for("the file", shows_file);
    program->press("question");
    program->wait_for("help", [](const State& state) { return state.at("help") == true; });
    program->click("help:first");
    program->wait_for("the first page", [](const State& state) { return state.at("widgets").contains("first:tour"); });
    program->click("first:tour");
    wait_for_lesson("tour", 0);
    EXPECT_FALSE(shows_file(program->state()));
    program->press("Escape");
    program->wait_for("no lesson", no_lesson);
    program->wait_for("the file that was open before", shows_file);

    open({"--lesson", "tour"});
    wait_for_lesson("tour", 0);
    program->press("p", true);
    program->wait_for("the field", [](const State& state) { return !state.at("palette").is_null(); });
    type(file);
    program->wait_for("its path", [&](const State& state) { return state.at("palette") == file; });
    program->press("Return");
    program->wait_for("the file", shows_file);
    program->wait_settled();
    program->press("Escape");
    program->wait_for("no lesson", no_lesson);
    program->wait_settled();
    EXPECT_TRUE(shows_file(program->state())) << "which was opened meanwhile";
}

TEST_F(Learning, SkipsTheFirstPageWhereSomethingWasAskedFor)
{
    open({"--stage", "naive"});
    EXPECT_FALSE(learning().at("first_page"));
}

TEST_F(Learning, SetsTheWindowByStepsAndKeepsWhatThePersonDid)
{
    open({"--lesson", "swizzled"});
    wait_for_lesson("swizzled", 0);
    EXPECT_EQ(program->state().at("view"), "banks");
    program->press("n");
    wait_for_lesson("swizzled", 1);
    EXPECT_EQ(program->state().at("view"), "layout");
    for (int step = 2; step <= 3; ++step) {
        program->press("n");
        wait_for_lesson("swizzled", step);
    }
    EXPECT_EQ(program->state().at("view"), "banks");
    EXPECT_EQ(program->state().at("compare"), "vectorized");
    const auto step = program->state().at("step");
    program->press("Right");
    program->wait_for("the way back", [](const State& state) { return state.at("widgets").contains("lesson:return"); });
    const auto mine = program->state().at("step");
    EXPECT_NE(mine, step);
    program->click("lesson:return");
    program->wait_for("the lesson's step", [&](const State& state) { return state.at("step") == step; });
    program->wait_for("a way to what was mine",
                      [](const State& state) { return state.at("widgets").contains("lesson:mine"); });
    program->click("lesson:mine");
    program->wait_for("my own step", [&](const State& state) { return state.at("step") == mine; });
}

// A link may name nothing but a lesson.
TEST_F(Learning, ALinkToALessonShowsWhatTheLessonShows)
{
    open({"--show", "lesson=swizzled:2"});
    wait_for_lesson("swizzled", 1);
    program->wait_for("its view", [](const State& state) { return state.at("view") == "layout"; });
    EXPECT_EQ(program->state().at("stage"), "swizzled");
}

// A lesson that shows another kernel has a way back to the one that was there.
TEST_F(Learning, LeadsBackToTheKernelThatWasShown)
{
    open({"--stage", "padded_a"});
    EXPECT_FALSE(program->state().at("widgets").contains("lesson:leave"));
    program->press("h");
    program->wait_for("the page",
                      [](const State& state) { return state.at("widgets").contains("library:conflicts:padded_a"); });
    program->click("library:conflicts:padded_a");
    wait_for_lesson("padded_a", 0);
    program->wait_for("the way out", [](const State& state) { return state.at("widgets").contains("lesson:leave"); });
    program->click("lesson:leave");
    program->wait_for("no lesson", [](const State& state) { return state.at("learning").at("lesson") == ""; });
    EXPECT_FALSE(test::has(program->state(), "command", "transpose.gscope"));
    EXPECT_EQ(program->state().at("stage"), "padded_a");
}

// What was tried in a view is kept apart: a step shows what it speaks of, whatever was there before.
TEST_F(Learning, SetsWhatIsArrangedWithinAView)
{
    open({"--stage", "swizzled", "--view", "layout"});
    program->click("places row after row");
    program->wait_for("other places",
                      [](const State& state) { return state.at("arranged") == "places=row_after_row"; });
    program->press("h");
    program->wait_for("the page",
                      [](const State& state) { return state.at("widgets").contains("library:conflicts:swizzled"); });
    program->click("library:conflicts:swizzled");
    wait_for_lesson("swizzled", 0);
    program->press("n");
    wait_for_lesson("swizzled", 1);
    EXPECT_EQ(program->state().at("arranged"), "");
    EXPECT_FALSE(program->state().at("widgets").contains("lesson:return"));
    program->press("n");
    wait_for_lesson("swizzled", 2);
    EXPECT_EQ(program->state().at("arranged"), "element=0,0");
    EXPECT_FALSE(program->state().at("widgets").contains("flipped bit 4")) << "the element that nothing flips";
    program->click("places row after row");
    program->wait_for("the way back", [](const State& state) { return state.at("widgets").contains("lesson:return"); });
    program->click("lesson:return");
    program->wait_for("as the lesson has it", [](const State& state) { return state.at("arranged") == "element=0,0"; });
    program->wait_for("a way to what was mine",
                      [](const State& state) { return state.at("widgets").contains("lesson:mine"); });
    program->click("lesson:mine");
    program->wait_for("what was tried",
                      [](const State& state) { return test::has(state, "arranged", "places=row_after_row"); });
    program->press("Escape");
    program->wait_for("what was shown before the lesson",
                      [](const State& state) { return state.at("arranged") == "places=row_after_row"; });
}

// A size of a lesson's own is gone with it, and with the next one.
TEST_F(Learning, GivesBackTheSize)
{
    const auto small = [](const State& state) { return test::has(state, "command", "size=50x45x20"); };
    open({"--stage", "shared_tile", "--view", "tiling"});
    for (const char* leave : {"Escape", "lesson:after"}) {
        program->press("h");
        program->wait_for("the page", [](const State& state) {
            return state.at("widgets").contains("library:threads_to_tiles:divergence");
        });
        program->click("library:threads_to_tiles:divergence");
        wait_for_lesson("divergence", 0);
        EXPECT_TRUE(small(program->state()));
        program->press("n");
        wait_for_lesson("divergence", 1);
        if (std::string(leave) == "Escape") {
            program->press(leave);
        } else { // after the last step, which shows a program
            program->press("n");
            program->wait_for("the last step", [&](const State& state) { return state.at("widgets").contains(leave); });
            program->click(leave);
        }
        program->wait_for("the size before, of the stage before", [&](const State& state) {
            return !small(state) && !test::has(state, "command", "divergence.gscope");
        });
    }
}

// Of a task that asks for one parameter, others that change with it are no solution.
TEST_F(Learning, RewardsOneParameterAlone)
{
    open({"--lesson", "workbench"});
    wait_for_lesson("workbench", 0);
    const auto set = [&](int key) {
        program->press("p", true);
        program->wait_for("the field", [](const State& state) { return state.at("palette") == ""; });
        for (const char* letter : {"K", "E", "Y", "space"})
            program->press(letter);
        program->press(std::to_string(key));
        program->press("Return");
        program->wait_for("KEY", [&](const State& state) { return state.at("parameters").at("KEY") == key; });
        program->wait_settled();
    };
    set(1);
    EXPECT_NE(program->state().at("parameters").at("BM"), 128) << "KEY 1 is built in with another tile";
    EXPECT_TRUE(says(program->state().at("said").get<std::string>(), "BM")) << "and that is said";
    EXPECT_FALSE(learning().at("done"));
    program->press("z", true);
    program->wait_for("as it was", [](const State& state) { return state.at("parameters").at("KEY") == 4; });
    set(2);
    program->wait_for("done", [](const State& state) { return state.at("learning").at("done") == true; });
}

// What a lesson put below the source goes with it.
TEST_F(Learning, PutsTheMachineCodeAway)
{
    open({"--lesson", "compiler"});
    wait_for_lesson("compiler", 0);
    EXPECT_EQ(program->state().at("code"), 1);
    program->press("Escape");
    program->wait_for("words again", [](const State& state) { return state.at("code") == 0; });
}

TEST_F(Learning, GoesOnAfterItsQuestions)
{
    open({"--lesson", "banks:5"});
    wait_for_lesson("banks", 4);
    program->click("lesson:quiz");
    for (int i = 0; i < 3; ++i) {
        program->wait_for("a question that is open", [](const State& state) {
            return state.at("learning").at("question") != "" && state.at("learning").at("answered") == false;
        });
        program->wait_settled();
        program->click("choice:" + std::to_string(learning().at("answer").get<int>()));
        program->wait_for("the answer", [](const State& state) { return state.at("widgets").contains("quiz:next"); });
        program->press("n");
    }
    program->wait_for("the way on", [](const State& state) { return state.at("widgets").contains("quiz:lesson"); });
    program->press("n");
    program->wait_for("the next lesson", // its picture is of a shipped recording
                      [](const State& state) { return state.at("learning").at("lesson") == "conflict_cost"; });
}

TEST_F(Learning, AsksAndShowsTheAnswer)
{
    open({"--lesson", "quiz"});
    wait_for_question();
    EXPECT_FALSE(learning().at("answered"));
    EXPECT_TRUE(says(program->state().at("hint").get<std::string>(), "hidden"));
    program->click("choice:" + std::to_string(learning().at("answer").get<int>()));
    program->wait_for("the answer", [](const State& state) { return state.at("learning").at("answered") == true; });
    EXPECT_EQ(learning().at("right"), 1);
    program->wait_for("the next question",
                      [](const State& state) { return state.at("widgets").contains("quiz:next"); });
    const auto before = learning().at("question");
    program->click("quiz:next");
    program->wait_for("another question",
                      [&](const State& state) { return state.at("learning").at("question") != before; });
    EXPECT_FALSE(learning().at("answered"));
    program->wait_settled();
    program->press(std::to_string(learning().at("answer").get<int>() + 1)); // keys are numbered from 1
    program->wait_for("the answer by a key", [](const State& state) { return state.at("learning").at("right") == 2; });
}

TEST_F(Learning, HasAPageOfCoursesAndAMapOfConcepts)
{
    open({});
    program->press("h");
    program->wait_for("the page",
                      [](const State& state) { return state.at("widgets").contains("library:conflicts:banks"); });
    display.move_pointer(program->window(), middle_of(widget("library:conflicts:banks")));
    for (int turn = 0; turn < 40 && !program->state().at("widgets").contains("concept:banks"); ++turn) {
        display.scroll(false); // the concepts stand below the courses
        program->wait_settled();
    }
    program->click("concept:banks");
    wait_for_lesson("banks", 0);
    EXPECT_EQ(program->state().at("stage"), "thread_tile_1d");
}

// What a view compares with by itself is given back when a lesson that was opened from it is closed.
TEST_F(Learning, KeepsNoComparisonThatNobodyChose)
{
    open({"--stage", "vectorized", "--view", "faster"});
    program->wait_for("the rung below", [](const State& state) { return state.at("compare") != ""; });
    program->press("h");
    program->wait_for("the page",
                      [](const State& state) { return state.at("widgets").contains("library:conflicts:banks"); });
    program->click("library:conflicts:banks");
    wait_for_lesson("banks", 0);
    program->press("Escape");
    program->wait_for("what was shown before", [](const State& state) {
        return state.at("learning").at("lesson") == "" && state.at("stage") == "vectorized" &&
               state.at("view") == "faster" && state.at("compare") != "";
    });
    program->show_view("threads");
    program->wait_for("one stage", [](const State& state) { return state.at("compare") == ""; });
}

TEST_F(Learning, JumpsFromTheRungsCardToAStep)
{
    open({"--stage", "vectorized", "--view", "roofline"});
    program->click("card:1");
    program->wait_for("banks", [](const State& state) { return state.at("view") == "banks"; });
}

} // namespace
