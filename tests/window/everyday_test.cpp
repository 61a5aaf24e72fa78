// Everyday actions by keys alone: saving and opening, undo, going back, searching by name, other keys.
#include "tests/paths.h"
#include "tests/says.h"
#include "views.h"

#include <algorithm>
#include <fstream>
#include <string>

namespace {

using namespace test;

class Everyday : public Views {
protected:
    Everyday() { std::filesystem::current_path(folder_.path()); }
    ~Everyday() override { std::filesystem::current_path(before_); }

    void wait_for(const std::string& name, const State& value) { wait(name + " = " + value.dump(), is(name, value)); }
    void press(const std::string& key, bool with_control = false) { program->press(key, with_control); }
    void find(const std::string& words)
    {
        press("p", true);
        program->wait_for("the field", is_not("palette", nullptr));
        for (const char letter : words)
            press(letter == ' '   ? "space"
                  : letter == '.' ? "period"
                  : letter == '-' ? "minus"
                  : letter == '_' ? "underscore"
                  : letter == '(' ? "parenleft"
                  : letter == ',' ? "comma"
                  : letter == ')' ? "parenright"
                                  : std::string(1, letter));
        wait_for("palette", words);
    }
    void save()
    {
        press("s", true);
        program->wait_for("the form", shown("export:go"));
        press("Return");
    }
    std::string text(const char* name) const { return program->state().at(name); }
    std::filesystem::path saved_file() const
    {
        for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
            if (entry.path().extension() == ".gstate")
                return entry.path();
        return {};
    }

    kernels::TemporaryFolder folder_;

private:
    std::filesystem::path before_ = std::filesystem::current_path();
};

TEST_F(Everyday, ARaceIsFound)
{
    open({"--stage", "swizzled"});
    find("race");
    press("Return");
    wait("both stages", is("palette", nullptr), is("compare", "vectorized"), is("view", "flow"));
}

// The palette finds a block by its number. If the grid has no such block, a message appears and the field stays open.
TEST_F(Everyday, ABlockIsFound)
{
    open({"--stage", "shared_tile"});
    find("block 3");
    press("Return");
    wait("the fourth block", is("palette", nullptr), mentions("origin", "block (3,0)"));
    find("block 999");
    press("Return");
    wait("why not", is_not("palette", nullptr), mentions("origin", "block (3,0)"));
}

// The palette opens views for the chosen stage. If a view can show the subject only with another stage, the entry names
// that stage.
TEST_F(Everyday, FindingAViewKeepsTheStageOrSaysWhichItTakes)
{
    open({"--stage", "shared_tile", "--view", "flow"});
    find("barriers");
    ASSERT_TRUE(shows("palette:view:about-barriers"));
    program->click("palette:view:about-barriers");
    wait_for("view", "barriers");
    EXPECT_EQ(text("stage"), "shared_tile") << "it has barriers itself";
    EXPECT_EQ(text("said"), "");
    find("barriers");
    press("Escape");
    find("shuffles");
    ASSERT_TRUE(shows("palette:view:about-shuffles"));
    program->click("palette:view:about-shuffles");
    wait_for("stage", "warp_shuffle");
    EXPECT_TRUE(says(text("said"), "warp_shuffle"));
    press("z", true);
    wait_for("stage", "shared_tile");
    for (const auto& [words, stage, view] :
         {std::array{"warp tile", "warp_tile", "tiling"}, std::array{"tensor cores", "mma_ldmatrix", "registers"}}) {
        find(words);
        press("Return");
        wait_for("stage", stage);
        wait_for("view", view);
        press("z", true);
        wait_for("stage", "shared_tile");
    }
    find("pad B");
    ASSERT_TRUE(shows("palette:claim:claim-sgemm_cuda_8"));
    program->click("palette:claim:claim-sgemm_cuda_8");
    wait("the claim", shown("claims:chosen:sgemm_cuda_8"));
}

// The selected element stays selected in the next stage, together with the thread that computes it there.
TEST_F(Everyday, TheElementsThreadIsSelectedInTheNextStage)
{
    open({"--show", "stage=shared_tile view=threads c=70,5"});
    find("thread_tile_2d");
    press("Return");
    wait("its thread: row 8 of threads, in warp 4", is("stage", "thread_tile_2d"), mentions("command", "warp=4"));
}

// naive's recording has few blocks: the one of the chosen element is recorded, so that all views speak of one block.
TEST_F(Everyday, TheElementsBlockIsRecordedInTheNextStage)
{
    open({"--show", "stage=shared_tile view=threads c=70,5"}, shipped_without_gpu());
    find("naive");
    press("Return");
    wait("its block", is("stage", "naive"), mentions("origin", "block (2,0)"));
    find("c(100,40)");
    press("Return");
    wait("another one", mentions("origin", "block (3,1)"));
}

// A parameter that was changed is marked, and one click brings back what the stage comes with.
TEST_F(Everyday, ParametersAreReset)
{
    open({"--show", "stage=vectorized view=banks parameter=BK:16"});
    wait("the way back", shown("parameters:reset 0"));
    EXPECT_EQ(program->state().at("parameters").at("BK"), 16);
    program->click("parameters:reset 0");
    wait("BK as it comes", [](const State& state) { return state.at("parameters").at("BK") == 8; });
    EXPECT_FALSE(shows("parameters:reset 0"));
}

// A complete session without the mouse.
TEST_F(Everyday, AWholeWalkWithKeysAlone)
{
    open({"--stage", "shared_tile", "--view", "banks"});
    find("vectorized");
    EXPECT_TRUE(shows("palette:stage:vectorized"));
    press("Return");
    wait_for("stage", "vectorized");
    EXPECT_TRUE(program->state().at("palette").is_null());
    find("BK 16");
    press("Return");
    wait("BK of 16", is("parameters", "BK", 16));
    EXPECT_EQ(text("compare"), "vectorized") << "compared with the previous stage";
    press("z", true);
    wait("BK as it was", is_not("parameters", "BK", 16));
    find("compare with swizzled");
    press("Return");
    wait_for("compare", "swizzled");
    find("warps over time");
    EXPECT_TRUE(shows("palette:view:about-warps_over_time")) << "it leads to a stage whose warps were watched";
    press("Escape");
    find("accuracy");
    EXPECT_TRUE(shows("palette:page:accuracy"));
    press("Return");
    wait("what the types cost in accuracy", mentions("command", "page=accuracy"));
    press("Escape");
    wait("the view again", lacks("command", "page="));
    find("occupancy");
    EXPECT_TRUE(shows("palette:command:view-occupancy"));
    EXPECT_TRUE(shows("palette:view:about-occupancy_steps"));
    const std::size_t first_step = program->state().at("step");
    press("Escape");
    press("Right"); // directly after Escape
    wait_for("step", first_step + 1);
    press("Right");
    wait_for("step", first_step + 2);
    press("w");
    press("l");
    wait("step, warp and lane", is("step", first_step + 2), mentions("command", "warp=1"),
         mentions("command", "lane=1"));
    const std::size_t step = program->state().at("step");
    press("Tab");
    wait("another view", is_not("view", "banks"));
    display.press_while("Alt_L", "Left");
    wait_for("view", "banks");
    EXPECT_EQ(program->state().at("step"), step);
    display.press_while("Alt_L", "Right");
    wait("the other view again", is_not("view", "banks"));
    find("32 banks");
    press("Return");
    wait("the lesson", is("learning", "lesson", "banks"));
    press("n");
    wait("its step", is("learning", "step", 1));
    press("Escape");
    wait("no lesson", is("learning", "lesson", ""));
    press("q", true);
    EXPECT_EQ(program->exit_status(), 0);
}

TEST_F(Everyday, OpensAsItWasSaved)
{
    open({"--stage", "vectorized", "--view", "banks"});
    press("c");
    wait("a comparison", is_not("compare", ""));
    find("alpha 0.5");
    press("Return");
    wait("alpha", mentions("command", "alpha=0.5"));
    for (int i = 0; i < 3; ++i)
        press("Right");
    press("w");
    press("l");
    press("l");
    press("bracketleft"); // closes the ladder
    wait("no ladder", gone("stage:vectorized"));
    const State before = program->wait_settled();
    save();
    wait("the file", mentions("said", ".gstate"));
    const std::filesystem::path file = saved_file();
    ASSERT_FALSE(file.empty());
    open({"open", file.string()});
    program->wait_settled();
    for (const char* name : {"stage", "compare", "view", "step", "hint", "command", "parameters"})
        EXPECT_EQ(program->state().at(name), before.at(name)) << name;
    EXPECT_FALSE(shows("stage:vectorized"));

    press("C", true); // the copied command leads to the same place
    wait("the command", mentions("said", "--show"));
    const std::string command = text("command");
    const std::size_t first = command.find('\''), last = command.rfind('\'');
    open({"--show", command.substr(first + 1, last - first - 1)});
    program->wait_settled();
    for (const char* name : {"stage", "compare", "view", "step", "hint", "command"})
        EXPECT_EQ(program->state().at(name), before.at(name)) << name;
}

// The form refuses a folder that does not exist, and asks before it replaces a file.
TEST_F(Everyday, SavesWhereItIsTold)
{
    open({"--stage", "naive", "--view", "global"});
    const auto size = [&] { return std::filesystem::file_size(folder_ / "mine.gstate"); };
    std::ofstream(folder_ / "mine.gstate") << "other";
    press("s", true);
    wait_shown("typing:export");
    type("no/mine");
    press("Return");
    program->wait_for("why not", shown("problem:There is no folder no; type one that exists.", "typing:export"));
    press("a", true);
    type("mine");
    press("Return");
    wait_shown("problem:This file exists already. Enter again replaces it.");
    EXPECT_EQ(size(), 5u);
    press("Return");
    wait("the file", mentions("said", "mine.gstate"), gone("export:go"));
    EXPECT_GT(size(), 100u);
    EXPECT_FALSE(std::filesystem::exists(folder_ / "no"));
    press("s", true);
    wait_shown("typing:export");
    press("Escape");
    wait("no form", gone("export:go"));
    EXPECT_FALSE(std::filesystem::exists(folder_ / "naive_global.gstate"));
    std::filesystem::create_directory(folder_ / "other"); // the next file goes to the folder of the last one
    for (const char* name : {"other/first", ""}) {
        press("s", true);
        wait_shown("typing:export");
        if (*name != 0)
            type(name);
        press("Return");
        wait("the file", mentions("said", *name != 0 ? "other/first.gstate" : "other/naive_global.gstate"));
    }
}

TEST_F(Everyday, OpensThreeStagesAndASecondFileAsTheyWereSaved)
{
    const std::string shipped = test::shipped("vectorized.gscope");
    for (const std::string& place :
         {std::string("stage=vectorized compare=swizzled third=prefetched view=banks BK=16 of_third=BK:16"),
          "stage=swizzled view=banks second_file=\"" + shipped + "\""}) {
        open({"--show", place});
        const std::size_t first = program->state().at("step");
        press("Right");
        wait_for("step", first + 1);
        const State before = program->wait_settled();
        save();
        wait("the file", mentions("said", ".gstate"));
        const std::filesystem::path file = saved_file();
        open({"open", file.string()});
        program->wait_settled();
        for (const char* name : {"stage", "compare", "third", "view", "step", "hint", "command", "parameters"})
            EXPECT_EQ(program->state().at(name), before.at(name)) << name;
        EXPECT_NE(text("compare"), "");
        std::filesystem::remove(file);
    }
}

// Every page can be opened with the mouse alone.
TEST_F(Everyday, PagesStandFirstBehindTheButtonFind)
{
    open({"--stage", "vectorized"});
    for (const auto& [page, leave] :
         {std::pair{"counters-table", "counters:leave"}, std::pair{"sources-table", "claims:leave"}}) {
        program->click("find");
        program->wait_for("the pages, among the first as nothing is typed", shown("palette:page:stage-search"));
        program->click(std::string("palette:page:") + page);
        wait(page, shown(leave));
        EXPECT_TRUE(program->state().at("palette").is_null());
        program->click(leave);
        wait("the view", gone(leave));
    }
}

TEST_F(Everyday, TakesUpAQuizWhereItWasLeft)
{
    open({"--lesson", "quiz seed=5 count=4 course=conflicts"});
    const auto asks = is_not("learning", "question", "");
    wait("a question", asks);
    program->click("choice:0");
    wait("the answer", is("learning", "answered", true));
    const State answered = program->wait_settled();
    save();
    wait("the file", mentions("said", ".gstate"));
    open({"open", saved_file().string()});
    wait("the question", asks);
    for (const char* name : {"learning", "view", "stage", "compare", "step", "command"})
        EXPECT_EQ(program->state().at(name), answered.at(name)) << name;
    press("n");
    wait("the next one", is("learning", "answered", false));
    const State second = program->wait_settled();
    const std::string command = text("command"), begin = "--show '";
    const std::size_t at = command.find(begin) + begin.size();
    open({"--show", command.substr(at, command.rfind('\'') - at)});
    wait("the same question", asks);
    EXPECT_EQ(program->state().at("learning"), second.at("learning"));
    EXPECT_TRUE(says(text("hint"), "hidden"));
}

TEST_F(Everyday, OpensADamagedStateWithASentence)
{
    std::ofstream(folder_ / "broken.gstate") << "{ \"gemmscope_state\": 1, ";
    EXPECT_TRUE(says(test::refusal<std::runtime_error>([&] {
                         open({"open", (folder_ / "broken.gstate").string()});
                     }),
                     "broken.gstate cannot be opened: it is damaged"));
}

TEST_F(Everyday, StepsForAWhileAreOnePlaceAndStagesAreUndone)
{
    open({"--stage", "naive", "--view", "global"});
    const int places = program->state().at("places");
    const int first = program->state().at("step");
    for (int step = first + 1; step <= first + 6; ++step) {
        press("Right");
        wait_for("step", step);
    }
    EXPECT_EQ(program->state().at("places"), places);
    press("Down");
    wait("another stage", is_not("stage", "naive"));
    EXPECT_EQ(program->state().at("places"), places + 1);
    press("z", true);
    wait_for("stage", "naive");
    press("Z", true);
    wait("the other one again", is_not("stage", "naive"));
}

TEST_F(Everyday, SavesTheFiguresOfAPicture)
{
    open({"--stage", "vectorized", "--view", "banks"});
    const auto file_of_kind = [&](const std::string& kind) {
        for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
            if (entry.path().extension() == kind)
                return entry.path();
        return std::filesystem::path();
    };
    const auto saved_as = [&](const std::string& kind) { wait("a file " + kind, mentions("said", kind)); };
    display.press("T", true); // with Shift
    saved_as(".json");
    ASSERT_FALSE(file_of_kind(".json").empty());
    std::ifstream json(file_of_kind(".json"));
    EXPECT_FALSE(State::parse(json).at("rows").empty());
    press("Right");
    press("t", true);
    saved_as(".csv");
    ASSERT_FALSE(file_of_kind(".csv").empty());
    std::ifstream csv(file_of_kind(".csv"));
    std::string columns;
    std::getline(csv, columns);
    EXPECT_TRUE(says(columns, "panel") && says(columns, "value"));
}

// A term with a dotted underline is explained beside the mouse.
TEST_F(Everyday, ExplainsATermWhereTheMouseIs)
{
    open({"--lesson", "banks"}); // its text begins with "Shared memory"
    const Rect column = widget("column");
    const int x = column.inside(40).x, top = column.at(0, 0).y, bottom = column.at(0, 1).y;
    const auto explained = [&] { // in its first frame the explanation is only measured
        const State& tooltip = program->state().at("tooltip");
        return !tooltip.is_null() && tooltip.get<Rect>().width > 150;
    };
    for (int y = top + 40; y < bottom && !explained(); y += 7) {
        program->point_at({x, y});
        program->wait_settled();
    }
    EXPECT_TRUE(explained());
    display.move_pointer(program->window(), {x, bottom - 5});
    wait("no more of it", is("tooltip", nullptr));
}

TEST_F(Everyday, PresentsInLargeTypeWithItsKeys)
{
    open({"--stage", "naive", "--view", "global", "--scale", "1"});
    press("F5");
    wait_for("presenting", true);
    EXPECT_NEAR(program->state().at("scale").get<double>(), 1.35, 0.01);
    press("Right");
    program->wait_for("the key", shown("presenting:keys"));
    press("F5");
    wait_for("scale", 1.0);
}

// The pen draws over the view and selects nothing there.
TEST_F(Everyday, PresentsWithAPen)
{
    open({"--stage", "naive", "--view", "global"});
    press("F9");
    wait("what it needs", mentions("notice", "F5 first"), is("pen", false));
    press("F5");
    wait_for("presenting", true);
    press("F9");
    wait("the pen", is("pen", true));
    const Rect view = widget("view");
    const Point middle = view.at(0.5, 0.4);
    const std::string command = text("command");
    const auto draw = [&] {
        for (const bool down : {true, false}) {
            program->point_at(view.at(down ? 0.3 : 0.7, 0.4));
            const State before = program->state().at("pointer_changes");
            display.button(down);
            program->wait_for("the button", is_not("pointer_changes", before));
        }
        program->wait_settled();
    };
    EXPECT_NE(program->pixel(middle), rgb(theme.accent()));
    draw();
    EXPECT_EQ(program->state().at("drawn_lines"), 1);
    EXPECT_EQ(program->pixel(middle), rgb(theme.accent()));
    EXPECT_EQ(text("command"), command);
    draw();
    wait("another line", is("drawn_lines", 2));
    display.press_while("Shift_L", "F9");
    wait("no lines", is("drawn_lines", 0));
    EXPECT_NE(program->pixel(middle), rgb(theme.accent()));
    draw();
    wait("a line", is("drawn_lines", 1));
    press("Tab");
    wait("no line over another view", is("drawn_lines", 0), is("pen", true));
    press("Escape");
    wait("no pen", is("pen", false), is("presenting", true));
    draw();
    EXPECT_EQ(program->state().at("drawn_lines"), 0);
}

TEST_F(Everyday, PresentsABlankScreen)
{
    open({"--stage", "naive", "--view", "global"});
    press("F5");
    wait("the presentation", is("presenting", true));
    const std::string command = text("command");
    const auto is_blank = [&] {
        const Rect view = widget("view");
        for (int y = view.at(0, 0).y; y < view.at(0, 1).y; ++y)
            if (program->pixel({view.middle().x, y}) != rgb(theme.background))
                return false;
        return true;
    };
    EXPECT_FALSE(is_blank());
    press("F10");
    wait("a blank screen", is("blank", true));
    EXPECT_TRUE(is_blank());
    press("Right"); // this key only ends it
    wait("the picture", is("blank", false));
    EXPECT_FALSE(is_blank());
    press("F10");
    wait("a blank screen", is("blank", true));
    program->click(widget("view").middle()); // so does a click
    wait("the picture", is("blank", false));
    EXPECT_FALSE(is_blank());
    EXPECT_EQ(text("command"), command);
    EXPECT_EQ(program->state().at("step"), 0);
}

TEST_F(Everyday, OpensWhatIsDroppedAndRemembersIt)
{
    const Program::Environment own{{"XDG_CONFIG_HOME", folder_ / "config"}};
    open({"--stage", "swizzled", "--view", "layout"}, own);
    save();
    wait("the file", mentions("said", ".gstate"));
    const std::filesystem::path file = saved_file();
    press("Down");
    wait("another stage", is_not("stage", "swizzled"));
    display.drop(program->window(), file.string());
    wait_for("stage", "swizzled");
    EXPECT_EQ(text("view"), "layout");
    display.drop(program->window(), "/tmp/picture.png");
    wait("what can be opened", mentions("said", "picture.png cannot be opened"));
    EXPECT_EQ(text("stage"), "swizzled");
    press("q", true);
    EXPECT_EQ(program->exit_status(), 0);
    open({"--stage", "naive", "--view", "global"}, own);
    find("gstate");
    press("Return");
    wait_for("stage", "swizzled");
}

TEST_F(Everyday, SpeedsWaitToBeRevealed)
{
    open({"--stage", "swizzled", "--view", "faster"});
    const auto shows_picture = [](const State& state) {
        for (const auto& [name, where] : state.at("widgets").items())
            if (name.starts_with("picture:"))
                return true;
        return false;
    };
    EXPECT_TRUE(shows_picture(program->state()));
    press("F6");
    wait("no speeds", [&](const State& state) { return !shows_picture(state); });
    press("F6");
    wait("speeds", shows_picture);
}

} // namespace
