// The sizes (M of the problem) at which the scripted worker's backend misbehaves.
#pragma once

#include <cstdint>

namespace test {

enum class Misfortune : uint32_t {
    aborts = 1001,
    aborts_once,         // and creates the file that the environment variable SCRIPTED_MARK names
    never_ends,          // and advances the worker's clock by an hour
    does_not_stop,       // nor end; creates the file of SCRIPTED_MARK; the worker's clock stands still
    waits_to_be_stopped, // creates that file too
    no_memory,
    prints,
    faults, // loses the device
    falls_silent,
    compiles_for_long,   // for 80 s of the worker's clock, with a sign of life every 20 s
    compiles_for_ever,   // the same, and then never ends
    aborts_in_a_library, // that a CrashNote names
};

} // namespace test
