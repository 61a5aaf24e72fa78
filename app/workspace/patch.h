// A change of what the window shows, as one line of text: a lesson's step, a question's picture, --show, a saved state.
//     stage=vectorized compare=swizzled view=banks at="As.store(k, row" lane=5 BK=16
// A plain value, which names what it sets by words that a person reads and types: what it leaves out is at its default. The
// timed size, the clock, the code below the source and the panels stay as they were.
#pragma once

#include "job.h"

#include "viz/analysis/clock.h"
#include "viz/stage_column.h"

#include "base/field_words.h"
#include "recording/inputs.h"
#include "recording/recording.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace app {

// What is open over the view.
enum class Page : uint8_t { none, keys, first, learn, sources, counters, accuracy, candidates };
constexpr std::array<std::string_view, 8> names_of(Page)
{
    return {"none", "keys", "first", "learn", "sources", "counters", "accuracy", "candidates"};
}

// What stands in the lower half of the source panel; words: what the current access does.
enum class CodeView : uint8_t { words, machine, ptx, counters };
constexpr std::array<std::string_view, 4> names_of(CodeView)
{
    return {"words", "machine", "ptx", "counters"};
}

// What is open around the view. Widths in pixels at scale 1; 0: a share of the window's width.
struct Panels {
    bool ladder = true, source = true, card = true;
    float ladder_width = 0, source_width = 0;
    std::size_t source_column = 0; // whose source is shown
    bool speeds = false;           // how the ladder's speeds came about
    bool hides_times = false;      // speeds wait to be revealed
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
          kernels::may_be_missing); // in saved states of before 2026-11-27
    visit("speeds", panels.speeds);
    visit("hides_times", panels.hides_times);
}

// The part of a value that it has from a base, for the fields() of that base.
template <class Base, class T>
auto& base_of(T& value)
{
    return static_cast<std::conditional_t<std::is_const_v<T>, const Base, Base>&>(value);
}

// Where the window is, as a patch and a workspace both have it: a member here and a line of fields() is all that a new one needs;
// CONTRIBUTING.md says what then has it, and what does not.
struct Location {
    std::string view = "flow";
    std::string arranged; // within the view, as View::options() has it; empty: as it opens
    Page page = Page::none;
    friend bool operator==(const Location&, const Location&) = default;
};
void fields(auto& visit, kernels::Like<Location> auto& location)
{
    visit("view", location.view, kernels::always_written);
    visit("page", location.page);
    visit("arranged", location.arranged);
}

struct Patch : Location {
    // A stage that is shown, or compared.
    struct Column {
        std::string stage;              // its slug; empty: none
        std::filesystem::path file;     // a recording or a source, shown instead; empty: none
        kernels::NamedTexts parameters; // "BK" to "16"
        friend bool operator==(const Column&, const Column&) = default;
    };
    std::array<Column, viz::most_columns> columns{Column{.stage = "vectorized"}};
    bool tiny = false;
    std::string size;  // as typed; empty: the stage's own small one
    std::string timed; // the size that is timed, as typed; empty: the window's
    float alpha = 1, beta = 0;
    std::optional<recording::Inputs> inputs; // none: whole numbers where all is tiny, else random
    bool as_written = false;                 // of files: what their PTX asks for, not what their machine code does
    bool here = false;                       // recorded here, although a recording is shipped
    uint32_t warp = 0, lane = 0;
    // The step: its number; else the first one of the warp at a source line that has this text, or of this operation; else
    // the one that tells most.
    std::optional<std::size_t> step;
    std::string at, operation;
    std::size_t skip = 0;                           // so many such steps first
    std::optional<double> time;                     // of stages that race, instead of a step; in units of the clock
    std::optional<viz::ClockUnit> clock;            // none: as it was
    std::optional<CodeView> code;                   // below the source; none: as it was
    uint32_t line = 0;                              // a source line that is marked; 0: none
    std::optional<std::pair<uint32_t, uint32_t>> c; // (row, col) of C
    recording::Index3 block{0, 0, 0};               // that is looked at
    std::string lesson;                             // that is open, and its step from 1: "banks:2"; empty: none
    std::string quiz;                               // under way, instead of a lesson, as text_of(QuizPlace) has it
    Panels panels;                                  // set by a saved state alone
    friend bool operator==(const Patch&, const Patch&) = default;

    const std::string& stage() const { return columns[0].stage; }
    bool compares() const { return !columns[1].stage.empty() || !columns[1].file.empty(); }
};
void fields(auto& visit, kernels::Like<Patch> auto& patch)
{
    using kernels::always_written, kernels::any_number, kernels::by_own_name;
    constexpr auto finite = kernels::between(std::numeric_limits<float>::lowest(), std::numeric_limits<float>::max());
    auto& [first, second, third] = patch.columns;
    visit("stage", first.stage, always_written);
    visit("compare", second.stage);
    visit("third", third.stage);
    fields(visit, base_of<Location>(patch));
    visit("file", first.file);
    visit("second_file", second.file);
    visit("tiny", patch.tiny);
    visit("size", patch.size);
    visit("timed", patch.timed);
    visit("alpha", patch.alpha, any_number, finite);
    visit("beta", patch.beta, any_number, finite);
    visit("inputs", patch.inputs);
    visit("as_written", patch.as_written);
    visit("here", patch.here);
    visit("parameter", first.parameters, by_own_name);
    visit("second", second.parameters);
    visit("of_third", third.parameters);
    visit("warp", patch.warp);
    visit("step", patch.step);
    visit("at", patch.at);
    visit("op", patch.operation);
    visit("skip", patch.skip);
    visit("time", patch.time);
    visit("clock", patch.clock);
    visit("code", patch.code);
    visit("lane", patch.lane);
    visit("line", patch.line);
    visit("c", patch.c);
    visit("block", patch.block);
    visit("lesson", patch.lesson);
    visit("quiz", patch.quiz);
    fields(visit, patch.panels);
}

// Within quotation marks \" is one of them. Throws kernels::Error that names the word it does not know.
Patch parse_patch(std::string_view text);

// What parse_patch() reads back; what is at its default is left out.
std::string text_of(const Patch& patch);

// The command that opens the window there, for a shell.
std::string command_of(const Patch& patch);

// The stage of a column, with parameters and size. Throws kernels::Error.
kernels::Job job_of(const Patch& patch, const std::vector<kernels::Stage>& ladder, std::size_t column = 0);

// Index of the patch's block in the recording; 0 where it is not there.
std::size_t block_of(const Patch& patch, const recording::Recording& recording);

// The patch's step in a recording of its first stage; none: it has no such step, or asks for none.
std::optional<std::size_t> step_of(const Patch& patch, const recording::Recording& recording);

} // namespace app
