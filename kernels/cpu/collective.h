// What the lanes of a warp do together: shuffles, ldmatrix, mma. Each lane hands over its operands and is suspended until
// all lanes that take part are here; then the data changes hands, and all go on.
#pragma once

#include <cstdint>
#include <span>

namespace cpu {

struct Collective {
    const char* name; // "shuffle"
    uint32_t lanes;   // bit i: lane i takes part
    int line;         // of the source, for errors
    // operands[lane]: what that lane handed over; null for lanes that take no part.
    void (*exchange)(const Collective& collective, std::span<void* const> operands);
    friend bool operator==(const Collective&, const Collective&) = default;
};

inline constexpr uint32_t whole_warp = ~0u;

// Called from the fiber that runs. Throws Error naming the lines when lanes that take part will never come.
void meet(const Collective& collective, void* operands);

} // namespace cpu
