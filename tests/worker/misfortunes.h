// The sizes (M of the problem) at which the scripted worker's backend does what no backend should.
#pragma once

#include <cstdint>

namespace test {

enum class Misfortune : uint32_t {
    aborts = 1001,
    aborts_once,         // and leaves the file that the environment's SCRIPTED_MARK names
    never_ends,          // an hour of the worker's own clock has passed at once
    does_not_stop,       // nor end, and makes the file that SCRIPTED_MARK names; of its own clock nothing passes
    waits_to_be_stopped, // makes that file too
    no_memory,
    prints,
    faults, // the device is lost with it
    falls_silent,
    compiles_for_long,   // 80 s of the worker's own clock, with a sign of life every 20 s
    compiles_for_ever,   // the same, and then it never ends
    aborts_in_a_library, // of which a CrashNote says the name
};

} // namespace test
