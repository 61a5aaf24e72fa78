// A value with its provenance, or the reason why it is missing. A missing value is never zero. These types hold only
// facts, and the code that displays them writes the sentences.
#pragma once

#include "recording/recording.h"

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace recording {

// How a value was obtained.
enum class How : uint8_t {
    measured, // timed, or reported by the driver
    recorded, // stored while the instrumented kernel ran
    derived,  // computed from what was recorded
    counted,  // by the GPU's hardware counters
};

struct Provenance {
    How how = How::measured;
    bool shipped = false;           // it comes with gemmscope; otherwise it was obtained on this machine
    std::string device;             // "NVIDIA H200"; empty: not tied to a device
    std::string date;               // UTC, ISO 8601, day or second; empty: obtained in this run
    std::optional<Problem> problem; // the problem size; empty: not tied to a problem
    uint32_t samples = 0;           // number of samples whose median it is; 0: not a median
    friend bool operator==(const Provenance&, const Provenance&) = default;
};

// Returns the provenance of values that are in the recording or follow from it.
Provenance provenance_of(const Recording& recording, bool shipped);

// Why a value is missing. The remark after each reason lists what Reason::arguments contains.
enum class Missing : uint8_t {
    unknown,         // no reason was given
    looking_for_gpu, // the search for a GPU is still running
    in_progress,     // it is being obtained
    not_asked,       // the work that yields it was not started
    cancelled,       // the work was started and then cancelled
    no_gpu,          // the reason found by the search for a GPU
    absent,          // this machine cannot run the stage: the reason
    failed,          // the work ended with an error: its sentence
    wrong_result,    // the kernel's result is wrong, so its speed is meaningless
    no_arithmetic,   // GFLOPS, or a percentage of peak, for a kernel without arithmetic: the time in ms
    not_recorded,    // the recording lacks it
    recorded_on_cpu, // the recording lacks it because a CPU has no such value
    from_file,       // recordings opened from a file are not timed
    tiny,            // the tiny form of a stage is not timed
    not_shipped,     // gemmscope ships without it: the file; no argument if the file exists for other stages
    reading,         // the shipped file is being read: its name
    unreadable,      // the shipped file cannot be read: its path, the error
    damaged, // rows of the shipped file were skipped: their number, the number of all rows, the path, the first reason
    other_stages, // the shipped file has none of the known stages: its path
    other_launch, // the shipped file lacks this stage, or has it only at other sizes or with other parameters
    other_code,   // the shipped value was obtained with different machine code
    not_each,     // the shipped value covers the launch, not each instruction
    after_timing, // it is obtained after the baseline has been timed
    not_kept,     // no measurement on a GPU was saved: the path where it would be
};

struct Reason {
    Missing missing = Missing::unknown;
    std::vector<std::string> arguments = {};
    friend bool operator==(const Reason&, const Reason&) = default;
};
using Reasons = std::vector<Reason>; // why the value is missing here, and then why no value is shipped

template <class T>
class Measured {
public:
    Measured() : held_(Reason{}) {}
    // Implicit, so that `return Reason{Missing::no_gpu, {why}};` states why the value is missing.
    // NOLINTBEGIN(google-explicit-constructor)
    Measured(Reason why) : held_(std::move(why)) {}
    Measured(Missing why) : held_(Reason{why, {}}) {}
    // NOLINTEND(google-explicit-constructor)
    Measured(T value, Provenance from) : held_(Held{std::move(value), std::move(from)}) {}

    explicit operator bool() const { return std::holds_alternative<Held>(held_); }

    // These three throw std::bad_variant_access if the value is missing.
    const T& operator*() const { return std::get<Held>(held_).value; }
    const T* operator->() const { return &**this; }
    const Provenance& from() const { return std::get<Held>(held_).from; }
    const Reason& missing() const { return std::get<Reason>(held_); }
    std::optional<T> value() const { return *this ? std::optional<T>(**this) : std::nullopt; }

    // Applies a function to the value and keeps its provenance. A missing value stays missing for the same reason.
    template <class Function>
    auto with(Function function) const -> Measured<std::decay_t<std::invoke_result_t<Function, const T&>>>
    {
        if (!*this)
            return missing();
        return {function(**this), from()};
    }

    friend bool operator==(const Measured&, const Measured&) = default;

private:
    struct Held {
        T value;
        Provenance from;
        friend bool operator==(const Held&, const Held&) = default;
    };
    std::variant<Reason, Held> held_;
};

} // namespace recording
