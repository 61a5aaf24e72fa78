// The CPU's CountProbe and RecordProbe in one: it passes every access to the running block's recorder, which counts all
// accesses and keeps those of chosen blocks.
#pragma once

#include "recording/op.h"

#include <cstdint>

namespace cpu {

struct TraceProbe {
    static constexpr bool traced = true;

    void begin() {}
    void end() {}
    void access(recording::Op op, int array, uint64_t byte_offset, int width, bool active, int line,
                bool transposed = false);
    void barrier(int line) { access(recording::Op::barrier, 0, 0, 0, true, line); }
};

} // namespace cpu
