// The first page, lessons and questions, as a new user meets them.
#include "tests/paths.h"
#include "tests/says.h"
#include "views.h"

#include "temporary_folder.h"

#include <filesystem>
#include <string>

namespace {

using namespace test;

class Learning : public Views {
protected:
    const State& learning() const { return program->state().at("learning"); }
    void wait_for_lesson(const std::string& slug, int step)
    {
        program->wait_for("step " + std::to_string(step) + " of " + slug, is("learning", "lesson", slug),
                          is("learning", "step", step));
        program->wait_settled();
    }
    void wait_for_question()
    {
        program->wait_for("a question", is_not("learning", "question", ""));
        program->wait_settled();
    }
};

TEST_F(Learning, OpensOnTheFirstPageOnceAndLeadsToTheTour)
{
    program.emplace(display, std::vector<std::string>());
    EXPECT_TRUE(learning().at("first_page"));
    EXPECT_TRUE(shows("picture:product"));
    program->click("first:tour");
    wait_for_lesson("tour", 0);
    EXPECT_EQ(program->state().at("stage"), "naive");
    EXPECT_FALSE(learning().at("first_page"));
    EXPECT_FALSE(learning().at("done"));
    program->press("Down"); // the step asks for another stage
    program->wait_for("the deed", is("learning", "done", true));
    program->press("n");
    wait_for_lesson("tour", 1);
    EXPECT_EQ(program->state().at("stage"), "shared_tile");
    program->press("Escape");
    program->wait_for("no lesson", is("learning", "lesson", ""));
    program->wait_for("what was shown before", is("stage", "vectorized"));
    program->press("question");
    program->wait_for("help", is("help", true));
    program->click("help:first");
    program->wait_for("the first page", is("learning", "first_page", true));
}

// A file that is opened before or during the tour is shown after it.
TEST_F(Learning, LeavesAnOpenedFileOpen)
{
    const kernels::TemporaryFolder folder;
    const std::string file = (std::filesystem::path(folder.path()) / "mine.gscope").string();
    std::filesystem::copy_file(test::shipped("programs/transpose.gscope"), file);
    const auto no_lesson = is("learning", "lesson", "");
    const auto shows_file = mentions("command", "mine.gscope");
    open({"--show", "stage=vectorized view=banks file=" + file});
    program->wait_for("the file", shows_file);
    program->press("question");
    program->wait_for("help", is("help", true));
    program->click("help:first");
    program->wait_for("the first page", shown("first:tour"));
    program->click("first:tour");
    wait_for_lesson("tour", 0);
    EXPECT_FALSE(shows_file(program->state()));
    program->press("Escape");
    program->wait_for("no lesson", no_lesson);
    program->wait_for("the file that was open before", shows_file);

    open({"--lesson", "tour"});
    wait_for_lesson("tour", 0);
    program->press("p", true);
    program->wait_for("the field", is_not("palette", nullptr));
    type(file);
    program->wait_for("its path", is("palette", file));
    program->press("Return");
    program->wait_for("the file", shows_file);
    program->wait_settled();
    program->press("Escape");
    program->wait_for("no lesson", no_lesson);
    program->wait_settled();
    EXPECT_TRUE(shows_file(program->state())) << "the file was opened during the tour";
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
    for (int step = 2; step <= 4; ++step) {
        program->press("n");
        wait_for_lesson("swizzled", step);
    }
    EXPECT_EQ(program->state().at("view"), "banks");
    EXPECT_EQ(program->state().at("compare"), "vectorized");
    const auto step = program->state().at("step");
    program->press("Right");
    program->wait_for("the way back", shown("lesson:return"));
    const auto mine = program->state().at("step");
    EXPECT_NE(mine, step);
    program->click("lesson:return");
    program->wait_for("the lesson's step", is("step", step));
    program->wait_for("a way to what was mine", shown("lesson:mine"));
    program->click("lesson:mine");
    program->wait_for("my own step", is("step", mine));
}

// A link may have a lesson and nothing else.
TEST_F(Learning, ALinkToALessonShowsWhatTheLessonShows)
{
    open({"--show", "lesson=swizzled:2"});
    wait_for_lesson("swizzled", 1);
    program->wait_for("its view", is("view", "layout"));
    EXPECT_EQ(program->state().at("stage"), "swizzled");
}

// If a lesson shows another kernel, a button returns to the previous one.
TEST_F(Learning, LeadsBackToTheKernelThatWasShown)
{
    open({"--stage", "padded_a"}, shipped_without_gpu()); // a lesson with a shipped program
    EXPECT_FALSE(program->shows("lesson:leave"));
    program->press("h");
    program->wait_for("the page", shown("library:conflicts:padded_a"));
    program->click("library:conflicts:padded_a");
    wait_for_lesson("padded_a", 0);
    program->wait_for("the way out", is("stage", "transpose"), shown("lesson:leave"));
    program->wait_settled();
    program->click("lesson:leave");
    program->wait_for("no lesson", is("learning", "lesson", ""), lacks("command", "transpose.gscope"));
    EXPECT_EQ(program->state().at("stage"), "padded_a");
}

// A step has its own view options. The user's options are stored, and a button restores them.
TEST_F(Learning, SetsWhatIsArrangedWithinAView)
{
    open({"--stage", "swizzled", "--view", "layout"});
    program->click("places row after row");
    program->wait_for("other places", is("arranged", "places=row_after_row"));
    program->press("h");
    program->wait_for("the page", shown("library:conflicts:swizzled"));
    program->click("library:conflicts:swizzled");
    wait_for_lesson("swizzled", 0);
    program->press("n");
    wait_for_lesson("swizzled", 1);
    EXPECT_EQ(program->state().at("arranged"), "");
    EXPECT_FALSE(shows("lesson:return"));
    for (int step = 2; step <= 3; ++step) {
        program->press("n");
        wait_for_lesson("swizzled", step);
    }
    EXPECT_EQ(program->state().at("arranged"), "element=0,0");
    display.move_pointer(program->window(), {5, 5}); // away from the elements, which would show their bits
    program->wait_for("no other element", gone("flipped bit 4"));
    program->click("places row after row");
    program->wait_for("the way back", shown("lesson:return"));
    program->click("lesson:return");
    program->wait_for("as the lesson has it", is("arranged", "element=0,0"));
    program->wait_for("a way to what was mine", shown("lesson:mine"));
    program->click("lesson:mine");
    program->wait_for("what was tried", mentions("arranged", "places=row_after_row"));
    program->press("Escape");
    program->wait_for("what was shown before the lesson", is("arranged", "places=row_after_row"));
}

// The size that a lesson sets is reset when the lesson closes or the next one begins.
TEST_F(Learning, GivesBackTheSize)
{
    const auto small = mentions("command", "size=50x45x20");
    open({"--stage", "shared_tile", "--view", "tiling"});
    for (const char* leave : {"Escape", "lesson:after"}) {
        program->press("h");
        program->wait_for("the page", shown("library:threads_to_tiles:divergence"));
        program->click("library:threads_to_tiles:divergence");
        wait_for_lesson("divergence", 0);
        EXPECT_TRUE(small(program->state()));
        program->press("n");
        wait_for_lesson("divergence", 1);
        if (std::string(leave) == "Escape") {
            program->press(leave);
        } else { // the last step shows a program
            program->press("n");
            program->wait_for("the last step", shown(leave));
            program->click(leave);
        }
        program->wait_for("the size before, of the stage before", lacks("command", "size=50x45x20"),
                          lacks("command", "divergence.gscope"));
    }
}

// A task about one parameter is not solved if other parameters change, too.
TEST_F(Learning, RewardsOneParameterAlone)
{
    open({"--lesson", "workbench"});
    wait_for_lesson("workbench", 0);
    const auto set = [&](int key) {
        program->press("p", true);
        program->wait_for("the field", is("palette", ""));
        for (const char* letter : {"K", "E", "Y", "space"})
            program->press(letter);
        program->press(std::to_string(key));
        program->press("Return");
        program->wait_for("KEY", is("parameters", "KEY", key));
        program->wait_settled();
    };
    set(1);
    EXPECT_NE(program->state().at("parameters").at("BM"), 128) << "KEY 1 is built in with another tile";
    EXPECT_TRUE(says(program->state().at("said").get<std::string>(), "BM")) << "and that is said";
    EXPECT_FALSE(learning().at("done"));
    program->press("z", true);
    program->wait_for("as it was", is("parameters", "KEY", 4));
    set(2);
    program->wait_for("done", is("learning", "done", true));
}

// A panel below the source that a lesson has opened closes with the lesson.
TEST_F(Learning, PutsTheMachineCodeAway)
{
    open({"--lesson", "compiler"});
    wait_for_lesson("compiler", 0);
    EXPECT_EQ(program->state().at("code"), 1);
    program->press("Escape");
    program->wait_for("words again", is("code", 0));
}

TEST_F(Learning, GoesOnAfterItsQuestions)
{
    open({"--lesson", "banks:5"});
    wait_for_lesson("banks", 4);
    program->click("lesson:quiz");
    for (int i = 0; i < 3; ++i) {
        program->wait_for("a question that is open", is_not("learning", "question", ""),
                          is("learning", "answered", false));
        program->wait_settled();
        program->click("choice:" + std::to_string(learning().at("answer").get<int>()));
        program->wait_for("the answer", shown("quiz:next"));
        program->press("n");
    }
    program->wait_for("the way on", shown("quiz:lesson"));
    program->press("n");
    program->wait_for("the next lesson", is("learning", "lesson", "conflict_cost")); // its recording is shipped
}

TEST_F(Learning, AsksAndShowsTheAnswer)
{
    open({"--lesson", "quiz"});
    wait_for_question();
    EXPECT_FALSE(learning().at("answered"));
    EXPECT_TRUE(says(program->state().at("hint").get<std::string>(), "hidden"));
    program->click("choice:" + std::to_string(learning().at("answer").get<int>()));
    program->wait_for("the answer", is("learning", "answered", true));
    EXPECT_EQ(learning().at("right"), 1);
    program->wait_for("the next question", shown("quiz:next"));
    const auto before = learning().at("question");
    program->click("quiz:next");
    program->wait_for("another question", is_not("learning", "question", before));
    EXPECT_FALSE(learning().at("answered"));
    program->wait_settled();
    program->press(std::to_string(learning().at("answer").get<int>() + 1)); // keys count from 1
    program->wait_for("the answer by a key", is("learning", "right", 2));
}

TEST_F(Learning, HasAPageOfCoursesAndAMapOfConcepts)
{
    open({});
    program->press("h");
    program->wait_for("the page", shown("library:conflicts:banks"));
    program->point_at(widget("library:conflicts:banks").middle());
    const auto in_sight = [&] {
        return program->shows("concept:banks") && widget("concept:banks").bottom() < widget("timeline").top;
    };
    while (!in_sight()) { // scrolls to the concepts, which are below the courses
        const int frame = program->state().at("frame");
        display.scroll(false);
        program->wait_for("the page further down", [&](const State& state) { return state.at("frame") > frame; });
        program->wait_settled();
    }
    program->click("concept:banks");
    wait_for_lesson("banks", 0);
    EXPECT_EQ(program->state().at("stage"), "thread_tile_1d");
}

// A view's default comparison is restored when a lesson that was opened from the view is closed.
TEST_F(Learning, KeepsNoComparisonThatNobodyChose)
{
    open({"--stage", "vectorized", "--view", "faster"});
    program->wait_for("the rung below", is_not("compare", ""));
    program->press("h");
    program->wait_for("the page", shown("library:conflicts:banks"));
    program->click("library:conflicts:banks");
    wait_for_lesson("banks", 0);
    program->press("Escape");
    program->wait_for("what was shown before", is("learning", "lesson", ""), is("stage", "vectorized"),
                      is("view", "faster"), is_not("compare", ""));
    program->show_view("threads");
    program->wait_for("one stage", is("compare", ""));
}

TEST_F(Learning, JumpsFromTheRungsCardToAStep)
{
    open({"--stage", "vectorized", "--view", "roofline"});
    program->click("card:1");
    program->wait_for("banks", is("view", "banks"));
}

} // namespace
