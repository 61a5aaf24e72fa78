// Sentences about races: each pair of lines once, and not too many.
#pragma once

#include "ptx/memory.h"

#include <fmt/format.h>

#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ptx {

// In the kernel's source; of the PTX where that is not known.
inline std::string line_name(const Statement& statement)
{
    return statement.source_line != 0 ? fmt::format("line {}", statement.source_line)
                                      : fmt::format("line {} of its PTX", statement.line);
}

class RaceNotes {
public:
    // Whether nothing was said yet of what happens at these two lines; it counts as said from now on.
    bool first_of(const std::string& line, const std::string& other)
    {
        return sentences_.size() < most_sentences && said_.emplace(line, other).second;
    }
    void add(std::string sentence) { sentences_.push_back(std::move(sentence)); }
    const std::vector<std::string>& sentences() const { return sentences_; }

private:
    static constexpr std::size_t most_sentences = 8;
    std::set<std::pair<std::string, std::string>> said_;
    std::vector<std::string> sentences_;
};

} // namespace ptx
