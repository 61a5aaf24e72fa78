// The sizes (M of the problem) at which the scripted worker's backend does what no backend should.
#pragma once

#include <cstdint>

namespace test {

enum class Misfortune : uint32_t {
    aborts = 1001,
    aborts_once, // and leaves the file that the environment's SCRIPTED_MARK names
    never_ends,
    waits_to_be_stopped,
    no_memory,
    prints,
    faults, // the device is lost with it
    falls_silent,
    compiles_for_long,
    compiles_for_ever, // gives signs of life for a second
};

} // namespace test
