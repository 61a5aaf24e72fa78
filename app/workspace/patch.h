// A change of what the window shows, as one line of text. Lesson steps, pictures of questions, --show and saved states
// use it:
//     stage=vectorized compare=swizzled view=banks at="As.store(k, row" lane=5 BK=16
//
// A patch is a plain value. It names its settings with words that users read and type. Omitted settings get their
// default values, except the timed size, the clock, the code below the source and the panels, which keep their current
// values.
#pragma once

#include "stage.h"

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

// The page that covers the view.
enum class Page : uint8_t { none, keys, first, learn, sources, counters, accuracy, candidates };
constexpr std::array<std::string_view, 8> names_of(Page)
{
    return {"none", "keys", "first", "learn", "sources", "counters", "accuracy", "candidates"};
}

// Content of the lower half of the source panel. `words` describes the current access.
enum class CodeView : uint8_t { words, machine, ptx, counters };
constexpr std::array<std::string_view, 4> names_of(CodeView)
{
    return {"words", "machine", "ptx", "counters"};
}

// Panels around the view. Widths are in pixels at scale 1; 0 means a share of the window's width.
struct Panels {
    bool ladder = true, source = true, card = true;
    float ladder_width = 0, source_width = 0;
    std::size_t source_column = 0; // column whose source is shown
    bool speeds = false;           // show how the ladder's speeds were measured
    bool hides_times = false;      // hide speeds until they are revealed
    bool space = false; // the page of a search shows which parameters are possible, instead of how fast each was
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
          kernels::may_be_missing); // missing in saved states from before 2026-11-27
    visit("speeds", panels.speeds);
    visit("hides_times", panels.hides_times);
    visit("space", panels.space, kernels::may_be_missing);
}

// Returns the `Base` part of a value, for the fields() of that base.
template <class Base, class T>
auto& base_of(T& value)
{
    return static_cast<std::conditional_t<std::is_const_v<T>, const Base, Base>&>(value);
}

// Where the window is. Both Patch and Workspace have this base. A new property needs only a member here and a line in
// fields(). CONTRIBUTING.md says which features then include it and which do not.
struct Location {
    std::string view = "flow";
    std::string arranged; // options of the view, see View::options(); empty: defaults
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
    // A shown or compared stage.
    struct Column {
        std::string stage;              // slug; empty: none
        std::filesystem::path file;     // recording or source that is shown instead; empty: none
        kernels::NamedTexts parameters; // for example "BK" and "16"
        friend bool operator==(const Column&, const Column&) = default;
    };
    std::array<Column, viz::most_columns> columns{Column{.stage = "vectorized"}};
    bool tiny = false;
    std::string size;  // as typed; empty: the stage's own small size
    std::string timed; // timed size as typed; empty: the current one
    float alpha = 1, beta = 0;
    std::optional<recording::Inputs> inputs; // none: whole numbers in tiny mode, otherwise random
    bool as_written = false;                 // for files: show the accesses of the PTX, not those of the machine code
    bool here = false;                       // recorded here, although a recording is shipped
    uint32_t warp = 0, lane = 0;
    // Selects the step by its number. Otherwise selects the warp's first step at a source line that contains `at`, or
    // of this operation. Otherwise selects the default step.
    std::optional<std::size_t> step;
    std::string at, operation;
    std::size_t skip = 0;                           // number of matching steps to skip
    std::optional<double> time;                     // in clock units; replaces the step while stages race
    std::optional<viz::ClockUnit> clock;            // empty: unchanged
    std::optional<CodeView> code;                   // content below the source; empty: unchanged
    uint32_t line = 0;                              // highlighted source line; 0: none
    std::optional<std::pair<uint32_t, uint32_t>> c; // (row, col) of C
    recording::Index3 block{0, 0, 0};               // selected block
    std::string lesson;                             // open lesson and its step from 1: "banks:2"; empty: none
    std::string quiz;                               // open quiz instead of a lesson, as text_of(QuizPlace) writes it
    Panels panels;                                  // set only by a saved state
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

// Parses a patch. Inside quotation marks, \" is a quotation mark. Throws kernels::Error that names the unknown word.
Patch parse_patch(std::string_view text);

// Writes a patch for parse_patch() and omits default values.
std::string text_of(const Patch& patch);

// Returns the shell command that opens the window with this patch.
std::string command_of(const Patch& patch);

// Returns the stage of a column with parameters and size. Throws kernels::Error.
kernels::Job job_of(const Patch& patch, const std::vector<kernels::Stage>& ladder, std::size_t column = 0);

// Returns the index of the patch's block in the recording, or 0 if it is not recorded.
std::size_t block_of(const Patch& patch, const recording::Recording& recording);

// Returns the patch's step in a recording of its first stage. Returns nothing if the recording has no such step or the
// patch names none.
std::optional<std::size_t> step_of(const Patch& patch, const recording::Recording& recording);

} // namespace app
