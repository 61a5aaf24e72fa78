// A figure and how it was had, or why there is none. Facts only: whoever shows them makes the sentence. A figure that
// could not be had is missing with its reason, never zero.
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

// How a figure was had.
enum class How : uint8_t {
    measured, // timed, or told by the driver
    recorded, // written down while the instrumented kernel ran
    derived,  // computed from what was recorded
    counted,  // by the GPU's hardware counters
};

struct Provenance {
    How how = How::measured;
    bool shipped = false;           // it comes with gemmscope; else it was had on this machine
    std::string device;             // "NVIDIA H200"; empty: of no device
    std::string date;               // UTC, ISO 8601, day or second; empty: in this run
    std::optional<Problem> problem; // of which size; none: of no problem
    uint32_t samples = 0;           // of which it is the median; 0: it is none
    friend bool operator==(const Provenance&, const Provenance&) = default;
};

// Of what was recorded, or follows from it.
Provenance provenance_of(const Recording& recording, bool shipped);

// Why there is no figure. Behind each: what Reason::arguments then has.
enum class Missing : uint8_t {
    unknown,         // nobody said
    looking_for_gpu, // it is not known yet whether there is one
    in_progress,     // it is being had
    not_asked,       // nobody started what gives it
    cancelled,       // it was started, and stopped before it was had
    no_gpu,          // why, as the search for one said it
    absent,          // this machine cannot run the stage: why
    failed,          // what gave it ended with an error: its sentence
    wrong_result,    // the kernel's result is wrong, so its speed says nothing
    no_arithmetic,   // GFLOPS, or a share, of a kernel that computes nothing: the time in ms
    not_recorded,    // the recording does not have it
    recorded_on_cpu, // likewise: a CPU has no such figure
    from_file,       // a recording from a file is not timed
    tiny,            // nor is a stage in its tiny form
    not_shipped,     // gemmscope comes without it: the file; or nothing where there is one, of other stages
    reading,         // the shipped file is being read: its name
    unreadable,      // the shipped file cannot be read: its path, the error
    damaged,         // rows of the shipped file are left out: how many, of how many, its path, why the first of them
    other_stages,    // the shipped file has none of the stages known: its path
    other_launch,    // the shipped file has this stage at other sizes or with other parameters, or not at all
    other_code,      // what is shipped was had with other machine code
    not_each,        // what is shipped is of the launch, and not of each instruction
    after_timing,    // it is had once the baseline was timed
    not_kept,        // nothing that was measured on a GPU was kept: the path
};

struct Reason {
    Missing missing = Missing::unknown;
    std::vector<std::string> arguments = {};
    friend bool operator==(const Reason&, const Reason&) = default;
};
using Reasons = std::vector<Reason>; // one after the other: why there is none here, and why none is shipped

template <class T>
class Measured {
public:
    Measured() : held_(Reason{}) {}
    // Implicit, so that `return Reason{Missing::no_gpu, {why}};` says why there is no figure.
    // NOLINTBEGIN(google-explicit-constructor)
    Measured(Reason why) : held_(std::move(why)) {}
    Measured(Missing why) : held_(Reason{why, {}}) {}
    // NOLINTEND(google-explicit-constructor)
    Measured(T value, Provenance from) : held_(Held{std::move(value), std::move(from)}) {}

    explicit operator bool() const { return std::holds_alternative<Held>(held_); }

    // These three throw std::bad_variant_access where they are asked for what is not there.
    const T& operator*() const { return std::get<Held>(held_).value; }
    const T* operator->() const { return &**this; }
    const Provenance& from() const { return std::get<Held>(held_).from; }
    const Reason& missing() const { return std::get<Reason>(held_); }
    std::optional<T> value() const { return *this ? std::optional<T>(**this) : std::nullopt; }

    // What a function makes of the value, had in the same way; or missing for the same reason.
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
