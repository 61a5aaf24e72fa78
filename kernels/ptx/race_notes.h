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
    // Of what happens at two lines. make(): the sentence, where nothing was said of the two yet.
    template <class Make>
    void add(const std::string& line, const std::string& other, Make make)
    {
        if (notes_.size() < most_notes && said_.emplace(line, other).second)
            notes_.push_back({line, other, make()});
    }
    // Adds those of blocks that come after.
    void join(const RaceNotes& after)
    {
        for (const Note& note : after.notes_)
            add(note.line, note.other, [&note] { return note.sentence; });
    }
    std::vector<std::string> sentences() const
    {
        std::vector<std::string> result;
        for (const Note& note : notes_)
            result.push_back(note.sentence);
        return result;
    }

private:
    static constexpr std::size_t most_notes = 8;
    struct Note {
        std::string line, other, sentence;
    };
    std::set<std::pair<std::string, std::string>> said_;
    std::vector<Note> notes_;
};

} // namespace ptx
