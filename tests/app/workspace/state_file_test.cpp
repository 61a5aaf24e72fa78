// Saved states: written and read back, with the file that they contain, and errors in damaged ones.
#include "app/data/config_folder.h"
#include "app/learn/lessons.h"
#include "app/learn/quiz_file.h"
#include "app/workspace/state_file.h"
#include "tests/says.h"

#include "error.h"
#include "temporary_folder.h"

#include "recording/disk.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>

namespace {

using app::SavedState;
using test::says;

SavedState example()
{
    SavedState state;
    app::Patch& patch = state.patch;
    patch.columns = {app::Patch::Column{.stage = "vectorized", .file = {}, .parameters = {{"BK", "16"}}},
                     app::Patch::Column{.stage = "swizzled", .file = {}, .parameters = {}}};
    patch.view = "banks", patch.step = 7, patch.lane = 13, patch.alpha = 0.5f;
    patch.lesson = "banks:3", patch.code = app::CodeView::ptx, patch.page = app::Page::counters;
    patch.panels = {.ladder = false,
                    .source = true,
                    .card = false,
                    .ladder_width = 200.5f,
                    .source_width = 333,
                    .source_column = 2,
                    .speeds = true,
                    .hides_times = true};
    return state;
}

// Returns a state as versions before 2026-11-27 wrote it.
nlohmann::json written_before()
{
    nlohmann::json json = {{"gemmscope_state", 1},
                           {"place", "stage=vectorized compare=swizzled view=banks alpha=0.5 BK=16 step=7 lane=13"},
                           {"command", "gemmscope --show '...'"},
                           {"lesson", {{"slug", "banks"}, {"step", 2}}},
                           {"panels",
                            {{"ladder", false},
                             {"source", true},
                             {"card", false},
                             {"ladder_width", 200.5},
                             {"source_width", 333.0},
                             {"source_column", 2},
                             {"speeds", true},
                             {"hides_times", true},
                             {"code", "ptx"},
                             {"page", "counters"}}}};
    return json;
}

std::string with_checksum(nlohmann::json json)
{
    json.erase("checksum");
    json["checksum"] = app::crc32(json.dump());
    return json.dump();
}

std::string why_not(const std::string& text)
{
    return test::refusal([&] { app::from_text(text); });
}

void write(const std::filesystem::path& file, const std::string& text)
{
    std::ofstream(file, std::ios::binary) << text;
}

std::string read(const std::filesystem::path& file)
{
    return recording::read_whole(file, 1 << 30);
}

TEST(SavedState, IsReadBackAsItWasWritten)
{
    EXPECT_EQ(app::from_text(app::to_text(example())), example());
    EXPECT_EQ(app::from_text(app::to_text({})), SavedState{});
    SavedState packed = example();
    packed.patch.columns[0].file = "/some/my \"own\".cu";
    for (const std::size_t length :
         {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{1000}}) {
        packed.packed = std::string(length, '\xfe') + std::string("\0\n", 2);
        EXPECT_EQ(app::from_text(app::to_text(packed)), packed) << length;
    }
    EXPECT_EQ(app::command_of(example()),
              "gemmscope --show 'stage=vectorized compare=swizzled view=banks page=counters alpha=0.5 BK=16 step=7 "
              "code=ptx lane=13 lesson=banks:3'")
        << "the panels are not copied";
}

TEST(SavedState, OfTheFirstVersionIsRead)
{
    EXPECT_EQ(app::from_text(with_checksum(written_before())), example());
    nlohmann::json packed = written_before();
    packed.erase("lesson");
    packed["quiz"] = "seed=7 count=5 title=\"it's mine\"";
    packed["place"] = "stage=vectorized file=/some/a.cu second_file=/some/b.gscope";
    packed["packed"] = "YWI=", packed["packed_second"] = "Yw==";
    SavedState with_quiz{
        .patch = app::parse_patch("file=/some/a.cu second_file=/some/b.gscope"), .packed = "ab", .packed_second = "c"};
    with_quiz.patch.panels = example().patch.panels;
    with_quiz.patch.code = app::CodeView::ptx, with_quiz.patch.page = app::Page::counters;
    with_quiz.patch.quiz = "seed=7 count=5 title=\"it's mine\"";
    EXPECT_EQ(app::from_text(with_checksum(packed)), with_quiz);
    nlohmann::json older = written_before(); // has only whether the second stage's source is shown
    older["panels"].erase("source_column");
    older["panels"]["source_of_second"] = true;
    SavedState expected = example();
    expected.patch.panels.source_column = 1;
    EXPECT_EQ(app::from_text(with_checksum(older)), expected);
    older["panels"]["source_column"] = 3;
    EXPECT_NE(why_not(with_checksum(older)), "") << "there is no fourth column";
    for (const char* damaged : {"null", "[]", "{\"ladder_width\": true}", "{\"colour\": true}"}) {
        older["panels"] = nlohmann::json::parse(damaged);
        EXPECT_NE(why_not(with_checksum(older)), "") << damaged;
    }
    older.erase("panels");
    EXPECT_NE(why_not(with_checksum(older)), "");
}

// A quiz that was not finished: its questions, the position and the answers.
TEST(SavedState, HasTheQuestionUnderWay)
{
    SavedState state;
    state.patch.columns[1].stage = "swizzled", state.patch.columns[2].stage = "prefetched";
    app::QuizPlace quiz{.wanted = {.concepts = {"banks", "padding"}, .kinds = {"bank"}, .count = 5, .seed = 77},
                        .title = "it's \"mine\"",
                        .at = 3,
                        .right = 2,
                        .chosen = 1};
    state.patch.quiz = app::text_of(quiz);
    EXPECT_EQ(state.patch.quiz, "seed=77 count=5 concepts=banks,padding kinds=bank at=3 right=2 chosen=1 "
                                "title=\"it's \\\"mine\\\"\"");
    const SavedState back = app::from_text(app::to_text(state));
    EXPECT_EQ(back, state);
    EXPECT_EQ(app::parse_quiz_place(back.patch.quiz), quiz);
    quiz.wanted.concepts = app::shipped_lessons().concepts_of("conflicts");
    EXPECT_TRUE(says(app::text_of(quiz), "course=conflicts"));
    EXPECT_EQ(app::parse_quiz_place(app::text_of(quiz)), quiz);
    for (const char* broken :
         {"seed=x", "at=-1", "concepts=none", "kinds=none", "course=none", "colour=red", "at=1 right=2",
          "at=1 right=3 chosen=0", "count=4000000000", "count=501", "count=0", "at=501"})
        EXPECT_THROW(app::parse_quiz_place(broken), kernels::Error) << broken;
}

TEST(SavedState, SaysWhatIsWrongWithAFile)
{
    const std::string text = app::to_text(example());
    EXPECT_NE(why_not(text.substr(0, text.size() / 2)), "");
    EXPECT_NE(why_not(""), "");
    EXPECT_NE(why_not("[]"), "");
    EXPECT_TRUE(says(why_not("{}"), "no saved state"));
    std::string other = text;
    other.replace(other.find("\"gemmscope_state\": 2"), 20, "\"gemmscope_state\": 9");
    EXPECT_TRUE(says(why_not(other), "newer"));
    other = text;
    other.replace(other.find("step=7"), 6, "step=8");
    EXPECT_TRUE(says(why_not(other), "changed by hand"));
    for (std::size_t i = 0; i < text.size(); i += 7) { // no changed byte may cause a crash
        other = text;
        other[i] = static_cast<char>(other[i] ^ 0x15);
        EXPECT_NE(why_not(other), "") << i;
    }
}

TEST(SavedState, PacksItsFileInAndUnpacksItElsewhere)
{
    const kernels::TemporaryFolder folder;
    SavedState state = example();
    state.patch.columns[0].file = folder / "mine.gscope";
    write(state.patch.columns[0].file, "recorded");
    app::write_state(state, folder / "x.gstate");
    EXPECT_EQ(app::read_state(folder / "x.gstate", folder / "unpacked").patch.columns[0].file,
              state.patch.columns[0].file)
        << "the file is still the same";
    std::filesystem::remove(state.patch.columns[0].file);
    const SavedState elsewhere = app::read_state(folder / "x.gstate", folder / "unpacked");
    EXPECT_NE(elsewhere.patch.columns[0].file, state.patch.columns[0].file);
    EXPECT_EQ(elsewhere.patch.columns[0].file.filename(), "mine.gscope");
    EXPECT_EQ(read(elsewhere.patch.columns[0].file), "recorded");
    write(state.patch.columns[0].file, "another one by now");
    EXPECT_EQ(app::read_state(folder / "x.gstate", folder / "unpacked").patch.columns[0].file,
              elsewhere.patch.columns[0].file);
    EXPECT_EQ(read(state.patch.columns[0].file), "another one by now");
}

TEST(SavedState, PacksTheFileItIsComparedWith)
{
    const kernels::TemporaryFolder folder;
    SavedState state;
    state.patch.columns[0].file = folder / "a.gscope", state.patch.columns[1].file = folder / "b.gscope";
    write(state.patch.columns[0].file, "first"), write(state.patch.columns[1].file, "second");
    app::write_state(state, folder / "x.gstate");
    std::filesystem::remove(state.patch.columns[1].file);
    const SavedState elsewhere = app::read_state(folder / "x.gstate", folder / "unpacked");
    EXPECT_EQ(elsewhere.patch.columns[0].file, state.patch.columns[0].file);
    EXPECT_EQ(read(elsewhere.patch.columns[1].file), "second");
}

TEST(SavedState, LeavesOutWhatIsTooLargeAndSaysSo)
{
    const kernels::TemporaryFolder folder;
    SavedState state = example();
    state.patch.columns[0].file = folder / "large.gscope";
    write(state.patch.columns[0].file, std::string(app::largest_packed + 1, 'x'));
    app::write_state(state, folder / "x.gstate");
    EXPECT_LT(std::filesystem::file_size(folder / "x.gstate"), 10000u);
    EXPECT_EQ(app::read_state(folder / "x.gstate", folder / "unpacked").patch.columns[0].file,
              state.patch.columns[0].file);
    std::filesystem::remove(state.patch.columns[0].file);
    const std::string said = test::refusal([&] { app::read_state(folder / "x.gstate", folder / "unpacked"); });
    EXPECT_TRUE(says(said, "large.gscope"));
    EXPECT_TRUE(says(said, "copy it there"));
}

TEST(SavedState, AFileThatMayNotBeLookedAtCountsAsNotThere)
{
    const kernels::TemporaryFolder folder;
    const auto refused = [&](const std::filesystem::path& file) {
        SavedState state = example();
        state.patch.columns[0].file = file;
        app::write_state(state, folder / "x.gstate", false);
        return test::refusal(
            [&] { app::read_state(folder / "x.gstate", folder / "unpacked", [](const auto&) { return false; }); });
    };
    write(folder / "a.gscope", "there");
    const std::string there = refused(folder / "a.gscope");
    EXPECT_TRUE(says(there, "copy it there"));
    std::filesystem::remove(folder / "a.gscope");
    EXPECT_EQ(refused(folder / "a.gscope"), there);
}

// Otherwise a state could find out whether a file on this machine has the same content.
TEST(SavedState, WhatIsPackedInIsUnpackedWhereTheFileMayNotBeLookedAt)
{
    const kernels::TemporaryFolder folder;
    SavedState state = example();
    state.patch.columns[0].file = folder / "mine.gscope";
    write(state.patch.columns[0].file, "recorded");
    app::write_state(state, folder / "x.gstate");
    const SavedState read_there =
        app::read_state(folder / "x.gstate", folder / "unpacked", [](const auto&) { return false; });
    EXPECT_NE(read_there.patch.columns[0].file, state.patch.columns[0].file);
    EXPECT_EQ(read(read_there.patch.columns[0].file), "recorded");
}

TEST(SavedState, ReplacesNoFileByHalfOfOne)
{
    const kernels::TemporaryFolder folder;
    EXPECT_THROW(app::write_state(example(), folder / "no such folder" / "x.gstate"), kernels::Error);
    EXPECT_THROW(app::read_state(folder / "none.gstate", folder / "unpacked"), kernels::Error);
}

} // namespace
