// The words that a learner may not know, with their meanings: assets/text/glossary.txt.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace viz {

struct Term {
    std::string name, meaning;
    std::vector<std::string> names; // all it is called by, lower case, singular
};

const std::vector<Term>& shipped_terms(); // built in: constants of the program

// The term that begins with the first of these words, and how many of them are it; the longest one. Plurals, capitals and
// punctuation around a word do not count. Null: none.
struct FoundTerm {
    const Term* term = nullptr;
    std::size_t words = 0;
};
FoundTerm term_at(const std::vector<Term>& terms, std::span<const std::string_view> words);

} // namespace viz
