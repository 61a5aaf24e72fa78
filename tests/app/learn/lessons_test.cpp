// Every step of every lesson: its place can be shown, its figures are computed, and no figure stands in its prose.
#include "app/learn/concepts.h"
#include "app/learn/facts.h"
#include "app/panels/derive.h"
#include "app/panels/navigation.h"

#include "error.h"
#include "recording/file.h"
#include "temporary_folder.h"
#include "tests/app/learn/shipped_examples.h"
#include "tests/paths.h"
#include "tests/says.h"
#include "tests/waiting.h"

#include "viz/analysis/ownership.h"
#include "viz/text/templates.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>

namespace {

using app::Lesson;
using app::LessonStep;
using app::Lessons;
using test::examples;
using test::says;

std::set<std::string> view_names()
{
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(test::source_tree() / "viz/views"))
        if (const std::string name = entry.path().filename(); name.find('_') != std::string::npos)
            names.insert(name.substr(name.find('_') + 1));
    return names;
}

template <class Visit>
void each_step(Visit visit)
{
    for (const Lesson& lesson : app::shipped_lessons().all())
        for (const LessonStep& step : lesson.steps)
            visit(lesson, step);
}

TEST(Lessons, NamePlacesThatThereAre)
{
    const std::set<std::string> views = view_names();
    each_step([&](const Lesson&, const LessonStep& step) {
        EXPECT_TRUE(views.contains(step.of.view)) << step.id << ": " << step.of.view;
        if (!step.place)
            return;
        const auto recording = examples().of(*step.place);
        ASSERT_FALSE(recording->blocks.empty()) << step.id;
        EXPECT_EQ(recording->blocks[app::block_of(*step.place, *recording)].block, step.place->block) << step.id;
        if (!step.place->at.empty() || !step.place->operation.empty() || step.place->step) {
            EXPECT_TRUE(app::step_of(*step.place, *recording)) << step.id << ": " << app::text_of(*step.place);
        }
        if (!step.place->columns[1].stage.empty()) {
            EXPECT_NE(examples().of(*step.place, true), nullptr);
        }
    });
}

// Where a step shows an element of C in the data path, its block, warp and lane are those of the element's owner, and
// all steps of the lesson show the same element.
TEST(Lessons, FollowTheElementThatTheyName)
{
    int steps = 0;
    each_step([&](const Lesson& lesson, const LessonStep& step) {
        if (!step.place || !step.place->c || step.place->view != "flow")
            return;
        ++steps;
        const auto recording = examples().of(*step.place);
        const auto owner = viz::owner_of(*recording, step.place->c->first, step.place->c->second);
        ASSERT_TRUE(owner) << step.id;
        EXPECT_EQ(owner->block_index, step.place->block) << step.id;
        EXPECT_EQ(owner->warp, step.place->warp) << step.id;
        EXPECT_EQ(owner->lane, step.place->lane) << step.id;
        for (const LessonStep& other : lesson.steps)
            if (other.place && other.place->c) {
                EXPECT_EQ(other.place->c, step.place->c) << other.id;
            }
    });
    EXPECT_GT(steps, 0);
}

// The view of each concept exists. The place of a concept is in this view and has a recording.
TEST(Concepts, LeadToPlacesThatThereAre)
{
    const std::set<std::string> views = view_names();
    bool watched = false;
    for (const app::Concept& row : app::all_concepts()) {
        EXPECT_TRUE(views.contains(row.view)) << row.slug;
        if (!row.place)
            continue;
        EXPECT_EQ(row.place->view, row.view) << row.slug;
        EXPECT_NE(examples().of(*row.place), nullptr) << row.slug;
        watched = watched || (row.slug == "warps_over_time" && row.place->arranged == "time");
    }
    EXPECT_TRUE(watched) << "the table has a place for warps_over_time";
}

// The chosen stage stays if the view can show the concept with it. Otherwise the concept has a place that can, and its
// entry names this place.
TEST(Concepts, KeepTheStageThatCanShowThem)
{
    const auto concept_of = [](std::string_view slug) -> const app::Concept& {
        return *std::ranges::find(app::all_concepts(), slug, &app::Concept::slug);
    };
    const viz::LadderFacts nothing;
    const auto found = [&](std::string_view slug, const char* stage) {
        const auto shown = examples().of(app::parse_patch(fmt::format("stage={}", stage)));
        return app::concept_place(concept_of(slug), shown.get(), 0, nothing);
    };
    for (const app::Concept& row : app::all_concepts()) {
        if (const app::ConceptPlace place = found(row.slug, "vectorized"); !place.keeps) {
            ASSERT_NE(place.own, nullptr) << row.slug;
            const auto own = examples().of(*place.own);
            ASSERT_NE(own, nullptr) << row.slug;
            const app::ConceptPlace there = app::concept_place(row, own.get(), 0, nothing);
            EXPECT_TRUE(there.keeps || row.needs == "own" || row.needs == "counted" || row.needs == "sampled" ||
                        row.needs == "watched")
                << row.slug << " needs " << row.needs << ", which its own place has not";
        }
    }
    EXPECT_TRUE(found("banks", "vectorized").keeps);
    EXPECT_FALSE(found("banks", "naive").keeps) << "naive has no shared memory";
    EXPECT_TRUE(found("occupancy", "naive").keeps);
    EXPECT_TRUE(found("reuse", "naive").keeps);
    EXPECT_FALSE(found("reuse", "vector_add").keeps) << "vector_add uses each value once";
    const app::ConceptPlace barrier = found("barriers", "vectorized");
    ASSERT_TRUE(barrier.keeps && barrier.step);
    EXPECT_EQ(
        examples().of(app::parse_patch("stage=vectorized"))->blocks[0].warps[0].accesses.at(barrier.step->step).op,
        recording::Op::barrier);
    EXPECT_FALSE(found("barriers", "naive").keeps);
    EXPECT_TRUE(found("local_memory", "swizzled_reads_indexed").keeps);
    EXPECT_FALSE(found("local_memory", "vectorized").keeps) << "vectorized has enough registers";
    EXPECT_FALSE(found("warp_tile", "vectorized").keeps) << "vectorized has no warp tile";
    EXPECT_TRUE(found("warp_tile", "warp_tile").keeps);
    EXPECT_FALSE(found("thread_tile", "shared_tile").keeps) << "a thread of shared_tile computes one result";
    EXPECT_TRUE(found("thread_tile", "vectorized").keeps);
    const app::Patch& wide = *found("vector_access", "naive").own;
    const auto& accesses = examples().of(wide)->blocks[0].warps[wide.warp].accesses;
    EXPECT_EQ(accesses.at(app::step_of(wide, *examples().of(wide)).value()).width, 16);
    EXPECT_EQ(app::shown_there(*found("local_memory", "vectorized").own), "swizzled_reads_indexed");
    EXPECT_EQ(app::shown_there(*found("own_kernel", "vectorized").own), "transpose.gscope");
    EXPECT_EQ(app::shown_there(*found("cures_that_fail", "naive").own), "linearized_b beside vectorized");
}

TEST(Lessons, HaveEveryFigureComputed)
{
    std::set<std::string> used;
    each_step([&](const Lesson&, const LessonStep& step) {
        try {
            const auto facts = app::facts_of(step, app::shipped_lessons(), examples());
            EXPECT_NO_THROW(app::shipped_lessons().templates().compose({step.id, facts})) << step.id;
        } catch (const kernels::Error& error) {
            ADD_FAILURE() << error.what();
        }
    });
}

// A learner chooses a lesson by how hard and how long it is, and reads one page at a glance.
TEST(Lessons, SayHowHardAndHowLongTheyAre)
{
    for (const Lesson& lesson : app::shipped_lessons().all()) {
        EXPECT_GE(lesson.minutes, 1) << lesson.slug;
        EXPECT_TRUE(says(app::effort_words(lesson), " min")) << lesson.slug;
    }
    EXPECT_EQ(app::effort_words(*app::shipped_lessons().find("banks")), "beginner · 5 min");
    EXPECT_EQ(app::shipped_lessons().find("wgmma_tma")->level, app::Level::advanced);
}

TEST(Lessons, HaveAtMostSixtyWordsOnAPage)
{
    each_step([&](const Lesson&, const LessonStep& step) {
        const std::string text = viz::plain(app::words_of(step, app::shipped_lessons(), examples()));
        std::istringstream words(text);
        int count = 0;
        for (std::string word; words >> word;)
            count += std::ranges::any_of(word, [](unsigned char c) { return std::isalnum(c) != 0; }) ? 1 : 0;
        EXPECT_LE(count, 60) << step.id << ": " << text;
        EXPECT_GE(count, 1) << step.id << ": " << text;
    });
}

// The first lesson is a product of numbers that can be added up by hand, and the tour leads to it.
TEST(Lessons, BeginWithAProductByHand)
{
    const app::Course first = app::shipped_lessons().courses().front();
    const Lesson& lesson = *first.lessons.front();
    EXPECT_EQ(app::shipped_lessons().after(*app::shipped_lessons().find("tour")), &lesson);
    EXPECT_EQ(lesson.level, app::Level::beginner);
    EXPECT_TRUE(lesson.needs.empty());
    for (const LessonStep& step : lesson.steps) {
        const auto recording = examples().of(step.of);
        EXPECT_EQ(recording->problem.M, 4u) << step.id;
        EXPECT_EQ(recording->problem.N, 4u) << step.id;
        EXPECT_EQ(recording->problem.K, 4u) << step.id;
    }
}

// Digits stand only in `code`, and as a part of names such as FP32 or L1.
TEST(Lessons, HaveNoFigureInTheirProse)
{
    for (const auto& entry : std::filesystem::directory_iterator(test::source_tree() / "assets/lessons")) {
        if (entry.path().extension() != ".md")
            continue;
        std::ifstream file(entry.path());
        int rules = 0;
        for (std::string line; std::getline(file, line);) {
            rules += line == "---" ? 1 : 0;
            if (rules < 2 || line.starts_with("show:"))
                continue;
            bool code = false, argument = false;
            for (std::size_t i = 0; i < line.size(); ++i) {
                code = line[i] == '`' ? !code : code;
                argument = line[i] == '{' || (argument && line[i] != '}');
                const bool digit = std::isdigit(static_cast<unsigned char>(line[i])) != 0;
                const bool after_name = i > 0 && std::isalnum(static_cast<unsigned char>(line[i - 1])) != 0;
                EXPECT_FALSE(digit && !code && !argument && !after_name) << entry.path().filename() << ": " << line;
            }
        }
    }
}

// Recordings that lessons show, other than those of the ladder, were made from the source files beside them: gemmscope
// trace FILE.cu -o FILE.gscope
TEST(Lessons, ShowRecordingsOfTheSourcesBesideThem)
{
    int sources = 0;
    for (const auto& entry : std::filesystem::directory_iterator(test::shipped("programs"))) {
        if (entry.path().extension() != ".cu")
            continue;
        std::filesystem::path recorded = entry.path();
        const recording::Recording recording = recording::read(recorded.replace_extension(".gscope"));
        EXPECT_EQ(recording.source().text, test::text_of(entry.path())) << entry.path();
        ++sources;
    }
    EXPECT_EQ(sources, 9);
}

TEST(Lessons, CoverEveryRungAndEveryConcept)
{
    for (const kernels::Stage& stage : examples().ladder())
        EXPECT_NE(app::shipped_lessons().find(stage.slug), nullptr) << stage.slug;
    std::set<std::string> concepts;
    for (const app::Concept& row : app::all_concepts()) {
        EXPECT_TRUE(concepts.insert(row.slug).second) << row.slug;
        EXPECT_NE(app::shipped_lessons().of_concept(row.slug), nullptr) << row.slug;
        EXPECT_TRUE(view_names().contains(row.view)) << row.slug << ": " << row.view;
    }
    EXPECT_EQ(concepts.size(), 64u);
    for (const Lesson& lesson : app::shipped_lessons().all())
        for (const auto* list : {&lesson.covers, &lesson.needs})
            for (const std::string& slug : *list)
                EXPECT_TRUE(concepts.contains(slug)) << lesson.slug << ": " << slug;
    EXPECT_EQ(app::shipped_lessons().courses().size(), 3u);
}

TEST(Lessons, TeachInAnOrderInWhichWhatIsNeededCameBefore)
{
    std::set<std::string> known;
    for (const app::Course& course : app::shipped_lessons().courses())
        for (const Lesson* lesson : course.lessons) {
            for (const std::string& slug : lesson->needs)
                EXPECT_TRUE(known.contains(slug)) << course.slug << ": " << lesson->slug << " needs " << slug;
            known.insert(lesson->covers.begin(), lesson->covers.end());
        }
}

Lessons lessons_of(const std::string& text)
{
    return Lessons(std::vector<std::pair<std::string, std::string>>{{"a.md", text}});
}

TEST(Lessons, SayWhereAFileIsWrong)
{
    const std::string head = "---\ntitle: A\n---\n";
    for (const char* body : {"", "## One\nshow: stge=a\n\nwords\n", "## One\ndone: nothing\n\nwords\n"})
        EXPECT_THROW(lessons_of(head + body), std::exception) << body;
    EXPECT_THROW(lessons_of("---\ntitel: A\n---\n## One\n\nwords\n"), kernels::Error);
    for (const char* fact : {"level: easy", "minutes: 0", "minutes: 91", "minutes: a few", "minutes: 5 or 6"})
        EXPECT_THROW(lessons_of("---\ntitle: A\n" + std::string(fact) + "\n---\n## One\n\nwords\n"), kernels::Error)
            << fact;
    EXPECT_NO_THROW(lessons_of(head + "## One\n\nwords\n"));
}

// docs/concepts.md is what `gemmscope lessons --concepts` prints.
TEST(Lessons, AreListedInTheDocuments)
{
    const std::string table = app::concept_table();
    EXPECT_EQ(test::text_of(test::source_tree() / "docs/concepts.md"), table)
        << "run: gemmscope lessons --concepts > docs/concepts.md";
    EXPECT_FALSE(says(table, "|  |")) << "a row has an empty cell";
}

// docs/concept-items.md: each place can be read, its view and its lesson exist, and the last table counts the verdicts.
TEST(Lessons, EachItemOfTheConceptsHasAPlace)
{
    const std::string text = test::text_of(test::source_tree() / "docs/concept-items.md");
    static const std::regex row(R"(\| (?:`([^`]+)`|-) \| (picture|part|words|not) \|)");
    std::map<std::string, int> verdicts;
    for (std::sregex_iterator found(text.begin(), text.end(), row); found != std::sregex_iterator(); ++found) {
        const std::string place = (*found)[1];
        ++verdicts[(*found)[2]];
        if (place.empty())
            continue;
        try {
            const app::Patch patch = app::parse_patch(place);
            EXPECT_TRUE(view_names().contains(patch.view)) << place;
            if (!patch.lesson.empty()) {
                EXPECT_NE(app::shipped_lessons().find(patch.lesson.substr(0, patch.lesson.find(':'))), nullptr)
                    << place;
            }
        } catch (const kernels::Error& error) {
            ADD_FAILURE() << place << ": " << error.what();
        }
    }
    EXPECT_TRUE(says(text, fmt::format("| {} | {} | {} | {} |", verdicts["picture"], verdicts["part"],
                                       verdicts["words"], verdicts["not"])));
}

// Opens each step through a session, as the window does.
TEST(Lessons, OpenEachStepInASession)
{
    const kernels::TemporaryFolder folder;
    app::SessionOptions options;
    options.backend = "cpu";
    options.shipped = test::shipped();
    options.tuned = folder / "tuned.json";
    options.traces = folder / "traces";
    options.worker.in_process = true;
    options.measures = false;
    app::Session session(std::move(options));
    app::State state;
    each_step([&](const Lesson&, const LessonStep& step) {
        if (!step.place)
            return;
        app::navigate(session, state, *step.place);
        EXPECT_EQ(state.notice, "") << step.id;
        EXPECT_TRUE(test::happens([&] {
            session.poll();
            app::derive(*app::snapshot_of(session, state), state);
            return !state.learning.arrival;
        })) << step.id;
        const app::SnapshotPtr now = session.snapshot();
        ASSERT_TRUE(state.learning.arrived) << step.id << ": " << viz::plain(now->columns.front().status);
        const std::string first =
            step.place->columns[0].file.empty() ? step.place->stage() : examples().of(*step.place)->stage;
        EXPECT_EQ(now->columns.front().slug, first) << step.id;
        EXPECT_EQ(!now->comparing() ? "" : now->columns[1].slug, step.place->columns[1].stage) << step.id;
        if (const auto wanted = app::step_of(*step.place, *now->columns.front().recording)) {
            EXPECT_EQ(state.at.selection.step, *wanted) << step.id;
        }
        EXPECT_EQ(state.at.selection.lane, step.place->lane) << step.id;
        EXPECT_EQ(state.at.panels.space, step.place->panels.space) << step.id;
    });
}

} // namespace
