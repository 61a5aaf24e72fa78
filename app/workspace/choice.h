// The user's choice: the shown stages, their sizes and their parameters.
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
#include <span>
#include <string>
#include <vector>

namespace app {

// Problem sizes. Matrices are recorded small and timed large. vector_add uses a number of elements instead, and
// thread_coords is recorded at a smaller size.
struct Sizes {
    // M, N and K that were chosen for all stages. Empty: whole tiles, at least two each way and eight along K, so that
    // every picture shows a grid of blocks and a loop over K. The shown stages determine how large that is.
    std::optional<recording::Problem> recorded;
    recording::Problem timed{.M = 4096, .N = 4096, .K = 4096};
    float alpha = 1, beta = 0; // of recorded and of timed problems
    recording::Problem recorded_threads{.M = 6, .N = 4};
    std::optional<recording::Problem> tiny; // size of every stage in tiny mode; empty: the shown stages determine it
    uint32_t recorded_elements = 1000, timed_elements = 1u << 24;
    friend bool operator==(const Sizes&, const Sizes&) = default;
};

inline constexpr uint32_t largest_recorded = 1024, largest_timed = 65536, largest_tiny = 64; // sides
inline constexpr uint32_t largest_recorded_elements = 1u << 20, largest_timed_elements = 1u << 28;

// Returns the size for a kernel that is no stage of the ladder.
recording::Problem file_problem(const Sizes& sizes);
recording::Problem timed_problem(const Sizes& sizes, kernels::Operation operation);

// What a column shows: a stage of the ladder, or a file instead.
struct ChosenStage {
    std::optional<std::size_t> rung; // with a file in column 0: the stage that is shown after the file is closed
    std::optional<std::filesystem::path> file;
    std::vector<recording::Parameter> file_parameters; // parameters that were chosen for a stage in the file
    std::optional<uint64_t> version;                   // an earlier version of the file in column 0
    // Parameters of this column alone. The column then shows the stage of column 0 as it was before its parameters were
    // changed.
    std::optional<kernels::ParameterValues> parameters;
    bool any() const { return rung || file || version; }
    friend bool operator==(const ChosenStage&, const ChosenStage&) = default;
};

struct Choice {
    // Nothing is compared without a stage in column 1. Column 2 has a stage only if column 1 has one.
    std::array<ChosenStage, viz::most_columns> columns;
    Sizes sizes;
    std::map<std::size_t, kernels::ParameterValues> parameters; // of stages for which the user chose some
    // Tiny mode shows every stage that has a tiny form in it, so small that every number is readable.
    bool tiny = false;
    std::map<std::size_t, kernels::ParameterValues> tiny_parameters; // like `parameters`, for the tiny forms
    std::optional<recording::Inputs> inputs; // none: small whole numbers in tiny mode, otherwise random
    // For files whose kernels run without a GPU: shows the accesses of their PTX instead of those of the machine code.
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
    void compare(std::optional<std::size_t> stage); // in column 1; empty: clears columns 1 and 2
    void compare(const std::filesystem::path& other) { compare(std::nullopt), columns[1].file = other; }
    // Adds the stage to the comparison, or removes it if it is already there.
    void toggle_beside(std::size_t stage);
    void set_tiny(bool wanted);            // keeps everything that was chosen for the other mode
    recording::Inputs filled_with() const; // values of A, B and C in recordings made here
    void change_inputs();                  // switches to the other kind of input
    void set_parameters(std::size_t stage, const kernels::ParameterValues& values,
                        const kernels::ParameterValues& standard, bool of_tiny_form);
    // Gives the stage of a column other parameters than it had `before`. If nothing else is compared, column 1 keeps
    // the earlier parameters of column 0.
    void change_parameters(std::size_t column, const kernels::ParameterValues& values,
                           const kernels::ParameterValues& before, const kernels::ParameterValues& standard,
                           bool of_tiny_form);
    void set_file_parameter(const std::string& name, int value);
    void swap(); // swaps columns 0 and 1, but not a stage with a file
};

// Return what the choice means for a stage of the ladder. `standard`: its parameters if none were chosen.
bool is_tiny(const Choice& choice, const kernels::Stage& stage);
kernels::ParameterValues parameters(const Choice& choice, const std::vector<kernels::Stage>& ladder, std::size_t stage,
                                    const kernels::ParameterValues& standard);
// A stage of the ladder with the parameters that it is shown with.
struct ShownStage {
    const kernels::Stage* stage;
    kernels::ParameterValues parameters;
};
// Returns a size of whole tiles for all matrix products among these stages, as recorded_problem() describes it.
recording::Problem whole_problem(std::span<const ShownStage> shown);

// Returns the size to record. Compared stages multiply the same matrices. If their sizes of whole tiles differ, this is
// the common size that is shipped for all stages, or a larger one. A stage that runs only on a GPU determines the size,
// because it is shipped at its own size only.
recording::Problem recorded_problem(const Choice& choice, const std::vector<kernels::Stage>& ladder, std::size_t stage);

// Returns why a stage cannot have these parameters on a machine with or without a GPU. Empty if it can.
std::string refusal(const kernels::Stage& stage, const kernels::ParameterValues& values, bool gpu);

// Returns the values with one changed. If they cannot run, returns the nearest valid set with the new value: the one
// with the fewest other changed parameters and, among these, with the smallest factors of change. The search covers the
// choices of one other parameter and the built-in sets. If no set is valid, returns the invalid values.
kernels::ParameterValues with_value(const kernels::Stage& stage, kernels::ParameterValues values, std::size_t index,
                                    int value, bool gpu);

// Returns the block, with each index limited to the last one of the grid.
recording::Index3 block_within(const recording::Index3& block, const recording::Index3& grid);

// Returns the blocks to record in full. In a grid of up to four these are all blocks, so that each can be shown and
// totals that need every access are known. In a larger grid they are the first and the chosen one.
std::vector<recording::Index3> blocks_in_full(const recording::Index3& grid, const recording::Index3& chosen);

} // namespace app
