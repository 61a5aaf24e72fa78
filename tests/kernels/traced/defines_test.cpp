// Tests macros that are defined for a kernel.
#include "traced/request.h"

#include "run_kernel.h"

#include <string>

namespace {

std::string refused(const std::string& define)
{
    return test::refusal([&] { traced::define_lines({define}); });
}

TEST(Defines, AreLinesOfText)
{
    EXPECT_EQ(traced::define_lines(
                  {"TILE=16", "FAST", "EMPTY=", "EQUAL=a == b", "_x9='$(id)'", "F(a, b)=(a + b)", "G(...)=1"}),
              "#define TILE 16\n#define FAST 1\n#define EMPTY \n#define EQUAL a == b\n#define _x9 '$(id)'\n"
              "#define F(a, b) (a + b)\n#define G(...) 1\n");
    EXPECT_EQ(traced::define_lines({}), "");
}

TEST(Defines, HaveANameAndStayOnTheirLine)
{
    for (const char* name : {"", "=1", "9A=1", "A B=1", "A\n#include \"x\"\n=1", "-DA=1", "A(=1", "A(b=1", "A)=1",
                             "A(b\n)=1", "A($(id))=1", "$(id)=1", "A;=1"})
        EXPECT_NE(refused(name), "") << name;
    for (const char* value : {"A=1\n#include \"x\"", "A=1\r2", "A=\\", "A=1 \\ \t", "A=\x1b[31m"})
        EXPECT_NE(refused(value), "") << value;
    EXPECT_NE(refused(std::string("A=1\0", 4)), "");
    EXPECT_EQ(refused("A=\"\\\"\""), "") << "a backslash within";
}

TEST(Defines, LeaveTheLinesOfTheFileWhereTheyAre)
{
    RUN_OR_SKIP(traced, "// gemmscope: grid=1 block=32 args=x buffer=x=128 define=ONE=1 define='TWICE(x)=(2 * (x))'\n"
                        "__global__ void k(int* x)\n{\n    x[threadIdx.x] = TWICE(ONE) + __LINE__;\n}\n");
    EXPECT_EQ(test::values<int>(traced.after, "x")[3], 2 + 4);
    ASSERT_FALSE(traced.recording.lines.empty());
    EXPECT_EQ(traced.recording.lines[0].line, 4u);
}

} // namespace
