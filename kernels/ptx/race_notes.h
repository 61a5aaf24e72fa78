// Sentences about races: each pair of lines once, and not too many.
#pragma once

#include "ptx/memory.h"

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ptx {

class RaceNotes {
public:
    // Whether what happens at these two lines is still to be said; it is asked once.
    bool wants(uint32_t line, uint32_t other)
    {
        return sentences_.size() < most_sentences && said_.insert({line, other}).second;
    }
    void add(std::string sentence) { sentences_.push_back(std::move(sentence)); }
    const std::vector<std::string>& sentences() const { return sentences_; }

private:
    static constexpr std::size_t most_sentences = 8;
    std::set<std::pair<uint32_t, uint32_t>> said_;
    std::vector<std::string> sentences_;
};

// In the kernel's source; in the PTX where that is not known.
inline uint32_t line_of(const Statement& statement)
{
    return statement.source_line != 0 ? statement.source_line : statement.line;
}

} // namespace ptx
