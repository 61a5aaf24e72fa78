// Terms of the glossary, found in sentences.
#include "viz/text/glossary.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace {

using Words = std::vector<std::string_view>;

std::string name_at(const Words& words)
{
    const viz::FoundTerm found = viz::term_at(viz::shipped_terms(), words);
    return found.term == nullptr ? "" : found.term->name + "/" + std::to_string(found.words);
}

TEST(Glossary, FindsTheLongestTermInAnyForm)
{
    EXPECT_EQ(name_at({"wavefronts,"}), "wavefront/1");
    EXPECT_EQ(name_at({"Bank", "conflicts", "cost"}), "bank conflict/2");
    EXPECT_EQ(name_at({"banks", "answer"}), "bank/1");
    EXPECT_EQ(name_at({"bank.", "Conflicts"}), "bank/1") << "a sentence ends between them";
    EXPECT_EQ(name_at({"shared", "memory"}), "shared memory/2");
    EXPECT_EQ(name_at({"shared", "tiles"}), "");
    EXPECT_EQ(name_at({"embankment"}), "");
    EXPECT_EQ(name_at({}), "");
    EXPECT_EQ(name_at({","}), "");
}

TEST(Glossary, ExplainsEachWordOnceInASentence)
{
    std::vector<std::string> names;
    for (const viz::Term& term : viz::shipped_terms()) {
        EXPECT_TRUE(term.meaning.ends_with('.')) << term.name;
        names.insert(names.end(), term.names.begin(), term.names.end());
    }
    EXPECT_GT(names.size(), 40u);
    std::ranges::sort(names);
    EXPECT_EQ(std::ranges::adjacent_find(names), names.end()) << *std::ranges::adjacent_find(names);
}

} // namespace
