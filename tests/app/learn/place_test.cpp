// A place as text, there and back, and the step that it names.
#include "app/learn/examples.h"
#include "app/learn/rung_comment.h"
#include "tests/says.h"

#include "error.h"

#include <gtest/gtest.h>

namespace {

using app::Place;
using test::says;

TEST(Place, IsReadBackAsItWasWritten)
{
    Place place;
    place.stage = "vectorized", place.compare = "swizzled", place.view = "banks";
    place.size = "64x64x32", place.parameters = {{"BK", "16"}, {"threads", "32"}};
    place.warp = 2, place.lane = 7, place.at = "As.store(k, row", place.operation = "shared store", place.skip = 3;
    place.c = {4, 5}, place.block = {1, 2, 0}, place.tiny = true;
    EXPECT_EQ(app::parse_place(app::text_of(place)), place);
    place.step = 12;
    EXPECT_EQ(app::parse_place(app::text_of(place)), place);
    EXPECT_EQ(app::parse_place(app::text_of(Place{})), Place{});
    place.file = "/a folder/it's \"mine\".cu", place.timed = "2048", place.alpha = 0.1f, place.beta = -2;
    place.inputs = recording::Inputs::small, place.here = true, place.second_parameters = {{"BK", "8"}};
    place.time = 12.3456789, place.clock = "sectors", place.line = 70, place.page = "counters";
    EXPECT_EQ(app::parse_place(app::text_of(place)), place);
    place.third = "prefetched", place.third_parameters = {{"BK", "16"}}, place.second_file = "/other/b c.gscope";
    EXPECT_EQ(app::parse_place(app::text_of(place)), place);
    place.arranged = "tile=As;places=formula;formula=row*(cols + 1) + col";
    EXPECT_EQ(app::parse_place(app::text_of(place)), place);
    EXPECT_TRUE(says(app::command_of(place, "--lesson banks:2"), "it'\\''s")) << "for a shell";
}

TEST(Place, SaysWhichWordItDoesNotKnow)
{
    for (const char* text : {"stge=naive", "lane=x", "c=3", "at=\"open", "step=-1", "step=", "alpha=x", "inputs=none",
                             "clock=days", "second=BK", "time=nan", "page=news"})
        EXPECT_THROW(app::parse_place(text), kernels::Error) << text;
    EXPECT_TRUE(says(test::refusal([] { app::parse_place("stage=naive colour=red"); }), "\"colour\""));
}

TEST(Place, FindsItsStepBySourceTextAndOperation)
{
    app::Examples examples({});
    Place place = app::parse_place("stage=shared_tile size=64 at=\"As.store(\"");
    const auto recording = examples.of(place);
    const auto store = app::step_of(place, *recording);
    ASSERT_TRUE(store);
    const auto& accesses = recording->blocks[0].warps[0].accesses;
    EXPECT_EQ(accesses[*store].op, recording::Op::shared_store);
    place.at.clear(), place.operation = "barrier";
    const auto first = app::step_of(place, *recording);
    place.skip = 1;
    const auto second = app::step_of(place, *recording);
    ASSERT_TRUE(first && second);
    EXPECT_LT(*store, *first);
    EXPECT_LT(*first, *second);
    place.at = "no such text";
    EXPECT_FALSE(app::step_of(place, *recording));
}

TEST(RungComment, IsCutIntoParagraphsWithTheirLabels)
{
    const auto paragraphs =
        app::leading_comment("// naive: one thread\n// each.\n//\n// Look at: the\n// lanes.\n//\n// No label "
                             "here: since it is a long sentence.\n\n// not this\n");
    ASSERT_EQ(paragraphs.size(), 3u);
    EXPECT_EQ(paragraphs[0].text, "naive: one thread each.");
    EXPECT_EQ(paragraphs[1].label, "Look at");
    EXPECT_EQ(paragraphs[1].text, "the lanes.");
    EXPECT_EQ(paragraphs[2].label, "No label here");
}

} // namespace
