// The panel below the source: machine code, PTX and counters, opened with keys and clicks.
#include "program.h"

#include <gtest/gtest.h>

#include <string>

namespace {

using namespace test;

class CodeWindow : public testing::Test {
protected:
    void wait_for_code(int kind) { program.wait_settled("what is below the source", is("code", kind)); }
    // Returns the source line of an instruction that is visible; 0 if there is none.
    int line_of_an_instruction() const
    {
        for (const auto& [name, rectangle] : program.state().at("widgets").items())
            if (name.starts_with("code:"))
                return std::stoi(name.substr(5));
        return 0;
    }

    Display display{{1600, 1000}};
    Program program{display, {"--stage", "shared_tile", "--view", "banks", "--backend", "cpu"}};
};

TEST_F(CodeWindow, KeyGoesThroughAllOfThemAndBack)
{
    for (const int kind : {1, 2, 3, 0}) {
        program.press("d");
        wait_for_code(kind);
    }
    program.press("D", false);
    wait_for_code(3);
    program.click("below:in words");
    wait_for_code(0);
}

TEST_F(CodeWindow, AnInstructionLeadsToItsLine)
{
    program.click("below:machine code");
    wait_for_code(1);
    for (const int where : {3, 5, 7}) // draws frames, in which the list scrolls to the current line
        program.point_at({where, where});
    wait_for_code(1);
    const int line = line_of_an_instruction();
    if (line == 0)
        GTEST_SKIP() << "there is no machine code: NVRTC is not installed";
    EXPECT_EQ(program.state().at("line"), 0);
    program.click("code:" + std::to_string(line));
    program.wait_for("its line", is("line", line));
    // The text about the line needs room above the list, so the instructions may have moved.
    display.move_pointer(program.window(), program.middle("code:" + std::to_string(line)));
    program.wait_for("its words", mentions("hint", "line " + std::to_string(line)));
}

} // namespace
