// Operations of the lanes of a warp together: shuffles, ldmatrix, mma. Each lane passes its operands and is suspended
// until all participating lanes have arrived. Then the data is exchanged, and all lanes continue.
#pragma once

#include <cstdint>
#include <span>

namespace cpu {

struct Collective {
    const char* name; // "shuffle"
    uint32_t lanes;   // bit i is set if lane i participates
    int line;         // source line, for errors
    // operands[lane] is what that lane passed; null for lanes that do not participate.
    void (*exchange)(const Collective& collective, std::span<void* const> operands);
    friend bool operator==(const Collective&, const Collective&) = default;
};

inline constexpr uint32_t whole_warp = ~0u;

// Called from the running fiber. Throws Error naming the source lines if participating lanes can never arrive.
void meet(const Collective& collective, void* operands);

} // namespace cpu
