// Syntax highlighting of source text.
#include "app/panels/source/highlight.h"

#include <gtest/gtest.h>

#include <string>

namespace {

using app::SourceKind; // in the order of the letters below

// Returns the kind of each byte as a letter.
std::string kinds(std::string_view source)
{
    constexpr char letters[] = {'.', 'k', 'u', 'c', 'n', 't', 'p'};
    std::string result;
    for (const app::SourceLine& line : app::highlight(source)) {
        std::string row(line.text.size(), '?');
        for (const app::SourceSpan& span : line.spans)
            row.replace(span.first, span.count, span.count, letters[static_cast<int>(span.kind)]);
        result += row + "\n";
    }
    return result;
}

TEST(Highlight, KnowsWords)
{
    EXPECT_EQ(kinds("int x = 42;"), "kkk.....nn.\n");
    EXPECT_EQ(kinds("__shared__ float3x"), "uuuuuuuuuu........\n");
    EXPECT_EQ(kinds("a1 0x1fu"), "...nnnnn\n");
    EXPECT_EQ(kinds("#pragma unroll // so"), "pppppppppppppppccccc\n");
}

TEST(Highlight, KnowsCommentsAndTexts)
{
    EXPECT_EQ(kinds("x // int 5"), "..cccccccc\n");
    EXPECT_EQ(kinds("a/*1\n2*/b/* */c"), ".ccc\nccc.ccccc.\n");
    EXPECT_EQ(kinds("\"a\\\"1\" 1"), "tttttt.n\n");
}

TEST(Highlight, KeepsEveryLine)
{
    EXPECT_EQ(app::highlight("").size(), 0u);
    EXPECT_EQ(app::highlight("a\n\nb").size(), 3u);
    EXPECT_EQ(app::highlight("a\n").size(), 1u);
}

TEST(Highlight, KnowsHowFarAFunctionsBodyIsIndented)
{
    const std::vector<app::SourceLine> lines = app::highlight("struct P {\n"
                                                              "  int a;\n"
                                                              "};\n"
                                                              "void f(int a,\n"
                                                              "       int b)\n"
                                                              "{\n"
                                                              "    for (;;) {\n"
                                                              "\n"
                                                              "#pragma unroll\n"
                                                              "        a();\n"
                                                              "#pragma unroll\n"
                                                              "    }\n"
                                                              "}\n"
                                                              "        int far;\n");
    EXPECT_EQ(app::indentation(lines[9]), 8u);
    EXPECT_EQ(app::indentation(lines[7]), 0u);
    EXPECT_EQ(app::body_indentation(lines, 10), 4u);
    EXPECT_EQ(app::body_indentation(lines, 7), 4u);
    EXPECT_EQ(app::body_indentation(lines, 2), 2u);
    EXPECT_EQ(app::body_indentation(lines, 6), 0u);  // the brace itself
    EXPECT_EQ(app::body_indentation(lines, 14), 8u); // to the end of the file
    EXPECT_EQ(app::body_indentation(lines, 0), 0u);
    EXPECT_EQ(app::body_indentation(lines, 15), 0u);
}

} // namespace
