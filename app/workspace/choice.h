// What is chosen: the stages that are shown, their sizes and parameters.
#pragma once

#include "viz/stage_column.h"

#include "stage.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace app {

// Matrices are recorded small and timed large; vector_add counts elements instead, thread_coords is recorded smaller.
struct Sizes {
    recording::Problem recorded{.M = 128, .N = 128, .K = 128};
    recording::Problem timed{.M = 4096, .N = 4096, .K = 4096}; // alpha, beta as in `recorded`
    recording::Problem recorded_threads{.M = 6, .N = 4};
    std::optional<recording::Problem> tiny; // of every stage while all is tiny; none: as the stages shown suggest
    uint32_t recorded_elements = 1000, timed_elements = 1u << 24;
    friend bool operator==(const Sizes&, const Sizes&) = default;
};

inline constexpr uint32_t largest_recorded = 1024, largest_timed = 65536, largest_tiny = 64; // sides
inline constexpr uint32_t largest_recorded_elements = 1u << 20, largest_timed_elements = 1u << 28;

// Of a stage of this operation, while nothing is tiny.
recording::Problem recorded_problem(const Sizes& sizes, kernels::Operation operation);
recording::Problem timed_problem(const Sizes& sizes, kernels::Operation operation);

// What a column shows: a rung of the ladder, or a file instead of it.
struct ChosenStage {
    std::optional<std::size_t> rung; // beside a file in column 0: what is shown when that is closed
    std::optional<std::filesystem::path> file;
    std::vector<recording::Parameter> file_parameters; // of a stage in the file: those that were chosen
    std::optional<uint64_t> version;                   // of the file in column 0, as it was when it ran before
    // Of this column alone: it shows the rung of column 0 as it was before its parameters were changed.
    std::optional<kernels::ParameterValues> parameters;
    bool any() const { return rung || file || version; }
    friend bool operator==(const ChosenStage&, const ChosenStage&) = default;
};

struct Choice {
    // Without a stage in column 1 nothing is compared; column 2 has one only beside that.
    std::array<ChosenStage, viz::most_columns> columns;
    Sizes sizes;
    std::map<std::size_t, kernels::ParameterValues> parameters; // of rungs for which some were chosen
    // Every stage that has a tiny form is shown in it: small enough for every number to be read.
    bool tiny = false;
    std::map<std::size_t, kernels::ParameterValues> tiny_parameters; // as `parameters`, of the tiny forms
    std::optional<recording::Inputs> inputs; // none: small whole numbers where all is tiny, else random
    // Of files whose kernels run without a GPU: the accesses that their PTX asks for, not those that the machine code makes.
    bool as_written = false;
    recording::Index3 block{0, 0, 0};    // recorded in full beside block (0,0)
    std::set<std::size_t> recorded_here; // stages that are recorded here although a recording of them is shipped
    friend bool operator==(const Choice&, const Choice&) = default;

    bool comparing() const { return columns[1].any(); }
    std::size_t shown_columns() const { return !comparing() ? 1 : columns[2].any() ? 3 : 2; }
    bool has_same_rungs(const Choice& other) const
    {
        return std::ranges::equal(columns, other.columns, {}, &ChosenStage::rung, &ChosenStage::rung);
    }
    void show(std::size_t stage);
    void show(const std::filesystem::path& other);
    void compare(std::optional<std::size_t> stage); // in column 1; none: column 2 goes with it
    void compare(const std::filesystem::path& other) { compare(std::nullopt), columns[1].file = other; }
    // Adds the stage to the comparison, or removes it if it is already there.
    void toggle_beside(std::size_t stage);
    void set_tiny(bool wanted);            // with all that was chosen for the other size left as it is
    recording::Inputs filled_with() const; // A, B and C, of what is recorded here
    void change_inputs();                  // to the other ones
    void set_parameters(std::size_t stage, const kernels::ParameterValues& values,
                        const kernels::ParameterValues& standard, bool of_tiny_form);
    // Gives the stage of a column other parameters than it had `before`. Where nothing else is compared, column 1 keeps those of column 0.
    void change_parameters(std::size_t column, const kernels::ParameterValues& values,
                           const kernels::ParameterValues& before, const kernels::ParameterValues& standard,
                           bool of_tiny_form);
    void set_file_parameter(const std::string& name, int value);
    void swap(); // columns 0 and 1; not a rung with a file
};

// What a choice puts in force for a stage of the ladder. `standard`: its parameters where none were chosen.
bool is_tiny(const Choice& choice, const kernels::Stage& stage);
kernels::ParameterValues parameters(const Choice& choice, const std::vector<kernels::Stage>& ladder, std::size_t stage,
                                    const kernels::ParameterValues& standard);
// Two tiny stages that are compared multiply the same matrices: as large as either needs.
recording::Problem recorded_problem(const Choice& choice, const std::vector<kernels::Stage>& ladder, std::size_t stage);

// Why a stage cannot have these parameters on a machine with or without a GPU; empty when it can.
std::string refusal(const kernels::Stage& stage, const kernels::ParameterValues& values, bool gpu);

// The values with one changed. Where that cannot run, the nearest set with the new value that can: with the fewest other parameters
// changed, and these by the smallest factors; among one other parameter at any of its choices, and the built-in sets. Where there is
// none, what cannot run.
kernels::ParameterValues with_value(const kernels::Stage& stage, kernels::ParameterValues values, std::size_t index,
                                    int value, bool gpu);

// Blocks beside the grid mean its last ones.
recording::Index3 block_within(const recording::Index3& block, const recording::Index3& grid);

} // namespace app
