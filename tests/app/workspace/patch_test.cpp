// Places are written as text and read back, and select the named step.
#include "app/learn/example_recordings.h"
#include "app/learn/lessons.h"
#include "tests/says.h"

#include "error.h"

#include <gtest/gtest.h>

namespace {

using app::Patch;
using test::says;

TEST(Patch, IsReadBackAsItWasWritten)
{
    Patch place;
    place.columns[0].stage = "vectorized", place.columns[1].stage = "swizzled", place.view = "banks";
    place.size = "64x64x32", place.columns[0].parameters = {{"BK", "16"}, {"threads", "32"}};
    place.warp = 2, place.lane = 7, place.at = "As.store(k, row", place.operation = "shared store", place.skip = 3;
    place.c = {4, 5}, place.block = {1, 2, 0}, place.tiny = true;
    EXPECT_EQ(app::parse_patch(app::text_of(place)), place);
    place.step = 12;
    EXPECT_EQ(app::parse_patch(app::text_of(place)), place);
    EXPECT_EQ(app::parse_patch(app::text_of(Patch{})), Patch{});
    place.columns[0].file = "/a folder/it's \"mine\".cu", place.timed = "2048", place.alpha = 0.1f, place.beta = -2;
    place.inputs = recording::Inputs::small, place.as_written = true, place.here = true,
    place.columns[1].parameters = {{"BK", "8"}};
    place.time = 12.3456789, place.clock = viz::ClockUnit::sectors, place.line = 70, place.page = app::Page::counters;
    EXPECT_EQ(app::parse_patch(app::text_of(place)), place);
    place.columns[2].stage = "prefetched", place.columns[2].parameters = {{"BK", "16"}},
    place.columns[1].file = "/other/b c.gscope";
    EXPECT_EQ(app::parse_patch(app::text_of(place)), place);
    place.arranged = "tile=As;places=formula;formula=row*(cols + 1) + col";
    EXPECT_EQ(app::parse_patch(app::text_of(place)), place);
    place.lesson = "banks:2", place.quiz = "seed=7 title=\"it's \\\"mine\\\"\"", place.code = app::CodeView::words;
    place.panels = {.ladder = false,
                    .source = true,
                    .card = false,
                    .ladder_width = 200.5f,
                    .source_width = 333,
                    .source_column = 2,
                    .speeds = true,
                    .hides_times = true};
    EXPECT_EQ(app::parse_patch(app::text_of(place)), place) << app::text_of(place);
    EXPECT_TRUE(says(app::command_of(place), "it'\\''s")) << "the apostrophe is quoted for a shell";
    place.columns[0].parameters = {{"BK", ""}, {"TM", "4"}};
    EXPECT_EQ(app::parse_patch(app::text_of(place)), place) << "a parameter without a value: " << app::text_of(place);
}

TEST(Patch, DiffersByEachOfItsWords)
{
    for (const char* word : {"stage=naive",    "compare=naive",  "third=naive",
                             "view=banks",     "page=keys",      "arranged=x",
                             "file=x",         "second_file=x",  "tiny",
                             "size=8",         "timed=8",        "alpha=2",
                             "beta=2",         "inputs=small",   "as_written",
                             "here",           "BK=8",           "second=BK:8",
                             "of_third=BK:8",  "warp=1",         "step=0",
                             "at=x",           "op=x",           "skip=1",
                             "time=0",         "clock=steps",    "code=words",
                             "lane=1",         "line=1",         "c=0,0",
                             "block=0,1,0",    "lesson=x",       "quiz=x",
                             "ladder=no",      "source=no",      "card=no",
                             "ladder_width=1", "source_width=1", "source_column=1",
                             "speeds",         "hides_times"}) {
        const Patch patch = app::parse_patch(word);
        EXPECT_NE(patch, Patch{}) << word;
        EXPECT_TRUE(says(app::text_of(patch), word)) << app::text_of(patch);
    }
}

TEST(Patch, SaysWhichWordItDoesNotKnow)
{
    for (const char* text :
         {"stge=naive", "lane=x", "c=3", "at=\"open", "step=-1", "step=", "alpha=x", "inputs=none", "clock=days",
          "second=BK", "time=nan", "page=news", "inputs=unknown", "source_column=3", "block=1,2,3,4", "c=1,2,3"})
        EXPECT_THROW(app::parse_patch(text), kernels::Error) << text;
    EXPECT_TRUE(says(test::refusal([] { app::parse_patch("stage=naive colour=red"); }), "\"colour\""));
    EXPECT_TRUE(says(test::refusal([] { app::parse_patch("stage=naive stage=vectorized"); }), "compare=vectorized"));
}

TEST(Patch, FindsItsStepBySourceTextAndOperation)
{
    app::ExampleRecordings examples({});
    Patch place = app::parse_patch("stage=shared_tile size=64 at=\"As.store(\"");
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
