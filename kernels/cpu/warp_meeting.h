// Synchronizes the lanes of the running warp at collectives.
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

    // Exchanges the data of every complete collective, and returns the lanes that may continue.
    uint32_t release();

    // Returns a sentence that says why the waiting lanes cannot continue. `elsewhere` describes a lane that has not
    // arrived: "has returned". Must not be called when empty().
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
