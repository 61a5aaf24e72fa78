// What a teacher hands out and collects: sheets with and without answers, and files of answers.
#include "app/cli/command.h"
#include "app/learn/quiz_file.h"
#include "tests/paths.h"
#include "tests/says.h"

#include "temporary_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace {

using test::says;

std::string printed(std::vector<std::string> words, int expected = 0)
{
    std::vector<const char*> arguments{"gemmscope"};
    for (const std::string& word : words)
        arguments.push_back(word.c_str());
    testing::internal::CaptureStdout();
    EXPECT_EQ(app::run_command_line(static_cast<int>(arguments.size()), arguments.data()), expected);
    return testing::internal::GetCapturedStdout();
}

int count_of(const std::string& text, const std::string& part)
{
    int count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++count;
    return count;
}

TEST(QuizCommand, WritesASheetWithoutAndWithAnswers)
{
    const kernels::TemporaryFolder folder;
    const std::string plain = (folder.path() / "plain.html").string(), told = (folder.path() / "told.html").string();
    const std::vector<std::string> quiz = {"quiz", "--concept", "banks", "coalescing", "--seed", "7", "--count", "4"};
    std::vector<std::string> first = quiz, second = quiz;
    first.insert(first.end(), {"--sheet", plain});
    second.insert(second.end(), {"--sheet", told, "--answers"});
    EXPECT_TRUE(says(printed(first), "4 questions"));
    EXPECT_TRUE(says(printed(second), "with the answers"));
    const std::string sheet = test::text_of(plain), answers = test::text_of(told);
    EXPECT_EQ(count_of(sheet, "<section>"), 4);
    EXPECT_EQ(count_of(answers, "<section>"), 4);
    EXPECT_EQ(count_of(sheet, "class=\"right\""), 0);
    EXPECT_EQ(count_of(answers, "class=\"right\""), 4);
    EXPECT_TRUE(says(sheet, "<span>Name</span>"));
    EXPECT_TRUE(says(sheet, "gemmscope quiz --seed 7 --count 4 --concept banks coalescing"));
    EXPECT_FALSE(says(sheet, "gemmscope --show")) << "a command that shows the answer";
    EXPECT_TRUE(says(answers, "gemmscope --show"));
}

TEST(QuizCommand, EvaluatesTheAnswersThatWereHandedIn)
{
    const kernels::TemporaryFolder folder;
    const std::filesystem::path ada = folder.path() / "ada.json", bob = folder.path() / "bob.json";
    app::write_answers({{"Which bank?", "banks", 1, 1}, {"How many sectors?", "coalescing", 2, 2}}, ada);
    app::write_answers({{"Which bank?", "banks", 0, 1}, {"How many sectors?", "coalescing", 2, 2}}, bob);
    const std::string text = printed({"quiz", "--collect", ada.string(), bob.string()});
    EXPECT_TRUE(says(text, "ada.json"));
    EXPECT_TRUE(says(text, "bob.json"));
    EXPECT_LT(text.rfind("banks"), text.rfind("coalescing")) << "the concept with the fewest right answers comes first";
    const std::string csv = printed({"quiz", "--csv", "--collect", ada.string(), bob.string()});
    EXPECT_TRUE(says(csv, "bob.json,1,2,banks"));
    EXPECT_TRUE(says(csv, "banks,1,2"));
}

} // namespace
