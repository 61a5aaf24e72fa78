// What the window shows, as one line of text: a lesson's step, a question's picture, an option of the command line. Plain values.
//     stage=vectorized compare=swizzled view=banks at="As.store(k, row" lane=5 BK=16
#pragma once

#include "job.h"

#include "recording/inputs.h"
#include "recording/recording.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace app {

struct Place {
    std::string stage = "vectorized", compare, third; // slugs; compare empty: one stage; third empty: of two
    std::string view = "flow";
    std::string page; // "sources", "counters", of these "accuracy", or "candidates"; over the view; empty: none
    bool tiny = false;
    std::string size;                                                   // as typed; empty: the stage's own small one
    std::vector<std::pair<std::string, std::string>> parameters;        // of the first stage, "BK" to "16"
    std::vector<std::pair<std::string, std::string>> second_parameters; // of the one it is compared with
    std::vector<std::pair<std::string, std::string>> third_parameters;  // likewise
    std::filesystem::path file,
        second_file;   // recordings or sources, shown instead of the first stage, of the second; empty: none
    std::string timed; // the size that is timed, as typed; empty: the window's
    float alpha = 1, beta = 0;
    std::optional<recording::Inputs> inputs; // none: whole numbers where all is tiny, else random
    bool here = false;                       // recorded here, although a recording is shipped
    uint32_t warp = 0, lane = 0;
    // The step: its number; else the first one of the warp at a source line that has this text, or of this operation; else
    // the one that tells most.
    std::optional<std::size_t> step;
    std::string at, operation;
    std::size_t skip = 0;                           // so many such steps first
    std::optional<double> time;                     // of two stages that race, instead of a step; in units of the clock
    std::string code;                               // below the source: machine, ptx or counters; empty: as it was
    std::string clock;                              // its unit: wavefronts, sectors or steps; empty: what tells most
    uint32_t line = 0;                              // a source line that is marked; 0: none
    std::optional<std::pair<uint32_t, uint32_t>> c; // (row, col) of C
    recording::Index3 block{0, 0, 0};               // that is looked at
    std::string arranged;                           // within the view, as View::options() has it; empty: as it opens
    friend bool operator==(const Place&, const Place&) = default;
};

// Within quotation marks \" is one of them. Throws kernels::Error that names the word it does not know.
Place parse_place(std::string_view text);

// What parse_place() reads back; what is at its default is left out.
std::string text_of(const Place& place);

// The command that opens the window there, for a shell; `options` stand behind it as they are.
std::string command_of(const Place& place, std::string_view options = {});

// Its first stage, or the second, with parameters and size. Throws kernels::Error.
kernels::Job job_of(const Place& place, const std::vector<kernels::Stage>& ladder, bool second = false);

// Index of the place's block in the recording; 0 where it is not there.
std::size_t block_of(const Place& place, const recording::Recording& recording);

// The place's step in a recording of its first stage; none: it has no such step, or asks for none.
std::optional<std::size_t> step_of(const Place& place, const recording::Recording& recording);

} // namespace app
