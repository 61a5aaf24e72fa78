// All that the window shows, in a file that opens it again: a .gstate. A codec: the struct, its text, its checks, its version.
#pragma once

#include "app/learn/place.h"
#include "app/learn/quiz_place.h"

#include "viz/stage_column.h"

#include "base/fields.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace app {

// What is open around the view. Widths in pixels at scale 1; 0: a share of the window's width.
struct Panels {
    bool ladder = true, source = true, card = true;
    float ladder_width = 0, source_width = 0;
    std::size_t source_column = 0; // whose source is shown
    bool source_of_second = false; // of column 1, in files of before 2026-11-27; false once they are read
    bool speeds = false;           // how the ladder's speeds came about
    bool hides_times = false;      // speeds wait to be revealed
    std::string code;              // below the source, as --code has it; empty: the access in words
    std::string page;              // over the view: "keys", "first", "learn", "counters"; empty: none
    friend bool operator==(const Panels&, const Panels&) = default;
};
void fields(auto& visit, kernels::Like<Panels> auto& panels)
{
    constexpr auto width = kernels::between(0, 4000);
    visit("ladder", panels.ladder);
    visit("source", panels.source);
    visit("card", panels.card);
    visit("ladder_width", panels.ladder_width, width);
    visit("source_width", panels.source_width, width);
    visit("source_column", panels.source_column, kernels::between(std::size_t{0}, viz::most_columns - 1),
          kernels::may_be_missing);
    visit("source_of_second", panels.source_of_second, kernels::unless_empty);
    visit("speeds", panels.speeds);
    visit("hides_times", panels.hides_times);
    visit("code", panels.code);
    visit("page", panels.page, kernels::may_be_missing);
}

struct SavedState {
    Place place;
    std::string lesson; // that is open, by its slug; empty: none
    std::size_t lesson_step = 0;
    Panels panels;
    std::optional<QuizPlace> quiz;                    // under way, instead of a lesson
    std::optional<std::string> packed, packed_second; // the bytes of the place's files
    friend bool operator==(const SavedState&, const SavedState&) = default;
};

inline constexpr std::size_t largest_packed = std::size_t{4} << 20;

// "gemmscope --show '...' --lesson banks:2", or --lesson 'quiz seed=17 ...'
std::string command_of(const SavedState& state);

std::string name_of(const SavedState& state); // for its file: "vectorized_swizzled_banks"

// JSON, with a checksum. from_text() throws kernels::Error in words that go behind a file's name: "it was written by a newer gemmscope".
std::string to_text(const SavedState& state);
SavedState from_text(std::string_view text);

// With its files packed in where they are small enough, unless it stays on this machine. Writes the whole or nothing; throws
// kernels::Error.
void write_state(SavedState state, const std::filesystem::path& path, bool packs = true);

// Its files are where they were, or, where one is another by now or gone, unpacked into `folder`. Throws kernels::Error, a
// sentence that says what to do.
SavedState read_state(const std::filesystem::path& path, const std::filesystem::path& folder);

bool is_state_file(const std::filesystem::path& path); // by its name

} // namespace app
