// The stored versions of user files.
#include "app/session/file_history.h"

#include "temporary_folder.h"

#include <gtest/gtest.h>

#include <fstream>

namespace {

app::FileVersionPtr version(const std::filesystem::path& file, uint64_t number, const std::string& text)
{
    return std::make_shared<const app::FileVersion>(
        app::FileVersion{.number = number,
                         .file = file,
                         .run = nullptr,
                         .text = text,
                         .parameters = {{"BK", 8}},
                         .problem = {.M = 128, .N = 64, .K = 32},
                         .figures = {.shared = true, .conflicts = 7, .gflops = 12.5, .right = false, .how = "c++"}});
}

void write(const std::filesystem::path& file, const std::string& text)
{
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
}

TEST(KeptVersions, ComeBackAsTheyWere)
{
    const kernels::TemporaryFolder folder;
    const std::filesystem::path a = folder / "a.cu", other = folder / "x" / "a.cu";
    EXPECT_NE(app::kept_versions_file(folder.path(), a), app::kept_versions_file(folder.path(), other));
    const std::vector<app::FileVersionPtr> own = {version(a, 3, "one\n\"two\""), version(a, 4, "three")};
    write(app::kept_versions_file(folder.path(), a), app::kept_versions_text(own));
    write(app::kept_versions_file(folder.path(), other), "{\"file\": \"x\", \"versions\": [{\"number\": 1}]}");
    const std::vector<app::FileVersionPtr> read = app::read_kept_versions(folder.path());
    ASSERT_EQ(read.size(), 2u) << "the damaged file is skipped";
    EXPECT_EQ(read[0]->file, a);
    EXPECT_EQ(read[0]->number, 3u);
    EXPECT_EQ(read[0]->text, "one\n\"two\"");
    EXPECT_EQ(read[0]->parameters, own[0]->parameters);
    EXPECT_EQ(read[0]->problem, own[0]->problem);
    EXPECT_EQ(read[0]->figures, own[0]->figures);
    app::FileHistory history;
    history.know(read);
    EXPECT_EQ(history.of(a).size(), 2u);
    EXPECT_EQ(history.find(a, 4)->text, "three");
}

app::RunPtr run_of(const std::string& text)
{
    app::RunFileResult run;
    run.text = text;
    run.recorded.recording = std::make_shared<const recording::Recording>();
    return std::make_shared<const app::RunFileResult>(std::move(run));
}

// A version equal to an older one replaces it. Otherwise these versions would soon displace all others.
TEST(KeptVersions, GoingBackAndForthMakesNoMoreOfThem)
{
    app::FileHistory history;
    const std::filesystem::path a = "a.cu", other = "b.cu";
    EXPECT_TRUE(history.add(other, run_of("one")));
    for (int i = 0; i < 5; ++i) {
        EXPECT_TRUE(history.add(a, run_of("one")));
        EXPECT_TRUE(history.add(a, run_of("two")));
        EXPECT_FALSE(history.add(a, run_of("two")));
    }
    const std::vector<app::FileVersionPtr> all = history.of(a);
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(all[0]->text, "one");
    EXPECT_EQ(all[0]->number, 9u);
    EXPECT_EQ(all[1]->number, 10u);
    EXPECT_EQ(history.of(other).size(), 1u);
}

TEST(KeptVersions, AreBounded)
{
    const kernels::TemporaryFolder folder;
    const std::filesystem::path a = folder / "a.cu";
    std::vector<app::FileVersionPtr> many;
    for (uint64_t i = 1; i <= 50; ++i)
        many.push_back(version(a, i, std::to_string(i)));
    write(app::kept_versions_file(folder.path(), a), app::kept_versions_text(many));
    const auto read = app::read_kept_versions(folder.path());
    ASSERT_EQ(read.size(), app::FileHistory::most_of_file);
    EXPECT_EQ(read.back()->number, 50u);
    EXPECT_TRUE(app::read_kept_versions(folder / "nowhere").empty());
}

} // namespace
