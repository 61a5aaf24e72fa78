// The glossary of terms that a learner may not know, from assets/text/glossary.txt.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace viz {

// A term of the glossary.
struct Term {
    std::string name, meaning;
    std::vector<std::string> names; // all names and aliases, in lower case, singular
};

const std::vector<Term>& shipped_terms(); // compiled into the program

// Finds the longest term at the start of `words`. Returns it with the number of its words there. Ignores plurals,
// capitals and punctuation around words. `term` is null if no term starts there.
struct FoundTerm {
    const Term* term = nullptr;
    std::size_t words = 0;
};
FoundTerm term_at(const std::vector<Term>& terms, std::span<const std::string_view> words);

} // namespace viz
