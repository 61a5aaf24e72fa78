// Rich texts that have figures as arguments.
#include "viz/text/rich.h"

#include <gtest/gtest.h>

namespace {

using namespace viz;

TEST(RichText, HasItsArgumentsInTheirStyles)
{
    const Rich said = rich("**{}** conflicts of `{}`, *once*", 8192, "As");
    EXPECT_EQ(plain(said), "8,192 conflicts of As, once");
    ASSERT_EQ(said.size(), 5u);
    EXPECT_EQ(said[0].style, Style::figure);
    EXPECT_EQ(said[1].style, Style::words);
    EXPECT_EQ(said[2].style, Style::code);
    EXPECT_EQ(said[4].style, Style::strong);
}

TEST(RichText, KeepsMeaningsAndSentencesWithinIt)
{
    const Rich said = rich("{} and {}", Value(3).as(Meaning::conflict), rich("**{}** more", share(0.5)));
    EXPECT_EQ(plain(said), "3 and 50.0% more");
    EXPECT_EQ(said[0].meaning, Meaning::conflict);
    EXPECT_EQ(said[2].style, Style::figure);
}

TEST(RichText, AnAsideEndsWithItsLine)
{
    const Rich said = rich("> aside\nand on");
    ASSERT_EQ(said.size(), 3u);
    EXPECT_EQ(said[0].style, Style::faint);
    EXPECT_EQ(said[1].kind, Run::Kind::new_line);
    EXPECT_EQ(said[2].style, Style::words);
    const Rich after = rich("> an *aside* goes on");
    ASSERT_EQ(after.size(), 3u);
    EXPECT_EQ(after[2].style, Style::faint);
    EXPECT_EQ(plain(rich("5 > 4")), "5 > 4") << "inside a line > is only a sign";
}

TEST(RichText, HasHeadingsAndGivesASentenceWithinItAColour)
{
    const Rich said = rich("### Title\n{}", Value(rich("**3** words")).as(Meaning::good));
    ASSERT_EQ(said.size(), 4u);
    EXPECT_EQ(said[0], (viz::Run{.words = "Title", .style = Style::heading}));
    EXPECT_EQ(said[2], (viz::Run{.words = "3", .style = Style::figure, .meaning = Meaning::good}));
    EXPECT_EQ(said[3].style, Style::words);
}

TEST(RichText, RefusesMoreOrFewerArguments)
{
    EXPECT_THROW(rich("{} of {}", 1), TextError);
    EXPECT_THROW(rich("{}", 1, 2), TextError);
}

TEST(RichText, JoinsWhatIsNotEmpty)
{
    EXPECT_EQ(plain(joined({rich("one"), {}, rich("two")})), "one two");
    EXPECT_EQ(plain(in_lines({rich("one"), rich("two")})), "one\ntwo");
    EXPECT_EQ(plain(listed({rich("one"), rich("two"), rich("three")})), "one, two and three");
    EXPECT_EQ(plain(listed({rich("one")})), "one");
    EXPECT_EQ(counted(1, "copy", "copies"), "1 copy");
    EXPECT_EQ(counted(8192, "copy", "copies"), "8,192 copies");
}

} // namespace
