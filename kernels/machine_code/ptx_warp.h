// Follows one warp through a kernel's PTX, without a GPU and without data: its path and its addresses depend on neither,
// in the kernels of the ladder. Gives the accesses to memory in the order in which the warp makes them.
#pragma once

#include "machine_code/ptx_program.h"
#include "recording/recording.h"

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace cuda {

using LaneValues = std::array<uint64_t, recording::warp_size>;

struct PtxWarpPlace {
    recording::Launch launch;
    recording::Index3 block{0, 0, 0};
    uint32_t warp = 0;
};

struct PtxEvents {
    // The lanes of the mask access these addresses; statement.code says how.
    std::function<void(const PtxStatement& statement, uint32_t mask, const LaneValues& addresses)> access;
    // Of an asynchronous copy: the lanes of `idle` take part and read nothing.
    std::function<void(const PtxStatement& statement, uint32_t mask, uint32_t idle, const LaneValues& from,
                       const LaneValues& to)>
        copy;
    std::function<void(const PtxStatement& statement)> unknown; // of PtxCode::unknown
    std::function<void()> barrier;
};

class PtxWarp {
public:
    // `parameters`: each of the kernel's, as bytes. All outlive the object.
    PtxWarp(const PtxProgram& program, std::span<const std::vector<std::byte>> parameters, const PtxEvents& events);

    // To the end of the kernel. Takes what was run from `steps`. Throws kernels::Unavailable, with the reason as a sentence:
    // the path or an address depends on data, or no steps are left.
    void run(const PtxWarpPlace& place, uint64_t& steps);

private:
    uint32_t next_lanes(uint32_t& statement) const;
    uint32_t lanes_that_run(const PtxStatement& statement, uint32_t lanes) const;
    void step(const PtxStatement& statement, uint32_t number, uint32_t lanes);
    void access(const PtxStatement& statement, uint32_t mask);
    void copy(const PtxStatement& statement, uint32_t mask);
    LaneValues addresses(const PtxStatement& statement, const PtxOperand& address, uint32_t mask) const;
    void branch(const PtxStatement& statement, uint32_t number, uint32_t lanes, uint32_t taken);
    void compute(const PtxStatement& statement, uint32_t mask);
    void load_parameter(const PtxStatement& statement, uint32_t mask);
    void mark_data(const PtxStatement& statement);
    bool needs_data(const PtxStatement& statement) const;
    uint64_t value(const PtxOperand& operand, int lane) const;
    uint64_t special(uint32_t which, int lane) const;
    void refuse(const PtxStatement& statement) const;

    const PtxProgram& program_;
    std::span<const std::vector<std::byte>> parameters_;
    const PtxEvents& events_;
    PtxWarpPlace place_;
    std::vector<LaneValues> registers_;
    std::vector<uint8_t> is_data_;                      // of each register: nobody knows its value
    uint32_t threads_ = 0;                              // the lanes that exist
    std::array<uint32_t, recording::warp_size> next_{}; // statement of each lane; past the end: it has returned
};

} // namespace cuda
