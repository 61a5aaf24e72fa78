// Where the lanes of the warp that runs wait for each other at a collective.
#pragma once

#include "cpu/collective.h"
#include "recording/recording.h"

#include <array>
#include <functional>
#include <string>

namespace cpu {

class WarpMeeting {
public:
    bool empty() const { return waiting_ == 0; }
    void arrive(uint32_t lane, const Collective& collective, void* operands);

    // Exchanges the data of every collective that is complete, and returns the lanes that may go on.
    uint32_t release();

    // Why the lanes that still wait cannot go on, as a sentence. elsewhere: what a lane does that is not here, "has
    // returned". Not empty() when called.
    std::string explain(const std::function<std::string(uint32_t lane)>& elsewhere) const;

private:
    struct Arrival {
        Collective collective;
        void* operands;
    };

    bool is_here(uint32_t lane) const { return (waiting_ >> lane & 1) != 0; }
    bool has_come(uint32_t lane, const Collective& collective) const;
    bool is_complete(const Collective& collective) const;

    uint32_t waiting_ = 0;
    std::array<Arrival, recording::warp_size> arrivals_{};
};

} // namespace cpu
