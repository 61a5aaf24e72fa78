// What is chosen, and how it was chosen before.
#pragma once

#include "stage.h"

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

// Of what is shown: one, or two or three that are compared.
enum class Slot : uint8_t { first, second, third };
inline constexpr std::size_t slot_count = 3;
inline constexpr std::array<Slot, slot_count> all_slots{Slot::first, Slot::second, Slot::third};

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

struct Choice {
    std::array<std::optional<std::size_t>, slot_count>
        stages; // in the ladder; no second one: nothing is compared; a third only beside a second
    std::optional<std::filesystem::path> file;         // shown as the first instead of its stage
    std::vector<recording::Parameter> file_parameters; // of a stage in the file: those that somebody chose
    std::optional<uint64_t> version_before;            // of the file: the second is this version of it
    std::optional<std::filesystem::path> second_file;  // shown as the second instead of a stage
    Sizes sizes;
    std::map<std::size_t, kernels::ParameterValues> parameters; // of stages for which somebody chose some
    // The second is the first as it was before its parameters were changed: what they were.
    std::optional<kernels::ParameterValues> before;
    // Every stage that has a tiny form is shown in it: small enough for every number to be read.
    bool tiny = false;
    std::map<std::size_t, kernels::ParameterValues> tiny_parameters; // as `parameters`, of the tiny forms
    std::optional<recording::Inputs> inputs; // none: small whole numbers where all is tiny, else random
    recording::Index3 block{0, 0, 0};        // recorded in full beside block (0,0)
    std::set<std::size_t> recorded_here;     // stages that are recorded here although a recording of them is shipped
    friend bool operator==(const Choice&, const Choice&) = default;

    std::optional<std::size_t> stage_in(Slot slot) const { return stages[static_cast<std::size_t>(slot)]; }
    bool comparing() const { return stages[1].has_value() || version_before || second_file; }
    void show(std::size_t stage);
    void show(const std::filesystem::path& other);
    bool comparing_three() const { return comparing() && stages[2].has_value(); }
    void compare(std::optional<std::size_t> stage); // none: the third goes with it
    void compare(const std::filesystem::path& other) { compare(std::nullopt), second_file = other; }
    // With a third one beside the two; the second one where there is none yet. What is shown already is taken away again.
    void toggle_beside(std::size_t stage);
    void set_tiny(bool wanted);            // with all that was chosen for the other size left as it is
    recording::Inputs filled_with() const; // A, B and C, of what is recorded here
    void change_inputs();                  // to the other ones
    void set_parameters(std::size_t stage, const kernels::ParameterValues& values,
                        const kernels::ParameterValues& standard, bool of_tiny_form);
    void set_file_parameter(const std::string& name, int value);
    void swap(); // first and second change places; not with a file
};

// What is in force of a choice: of a stage in the ladder. `standard`: its parameters where nobody chose any.
bool is_tiny(const Choice& choice, const kernels::Stage& stage);
kernels::ParameterValues parameters(const Choice& choice, const std::vector<kernels::Stage>& ladder, std::size_t stage,
                                    const kernels::ParameterValues& standard);
// Two tiny stages that are compared multiply the same matrices: as large as either needs.
recording::Problem recorded_problem(const Choice& choice, const std::vector<kernels::Stage>& ladder, std::size_t stage);

// Blocks beside the grid mean its last ones.
recording::Index3 block_within(const recording::Index3& block, const recording::Index3& grid);

// Undo and redo: the choices before and after this one.
class History {
public:
    explicit History(Choice first) : now_(std::move(first)) {}

    const Choice& now() const { return now_; }
    // Can be undone, together with the one before where it joins that; where nothing changes, nothing happens.
    void change(Choice next, bool joins = false);
    void amend(Choice next) { now_ = std::move(next); } // by the program, which nobody needs to undo
    bool undo() { return go(before_, after_); }
    bool redo() { return go(after_, before_); }

private:
    bool go(std::vector<Choice>& from, std::vector<Choice>& to);

    static constexpr std::size_t most_kept = 1000;

    Choice now_;
    std::vector<Choice> before_, after_; // the nearest last
};

} // namespace app
