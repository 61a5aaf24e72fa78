// A recording of a launch with many blocks, placed by a simulated scheduler: each block starts on the slot that becomes
// free first.
#pragma once

#include "backend.h"
#include "tests/ladder.h"

#include <queue>
#include <vector>

namespace test {

struct Scheduler {
    uint32_t sms = 132, slots = 2; // slots: per SM
    // Time of the block with this number, in nanoseconds.
    uint64_t (*duration)(uint32_t) = [](uint32_t block) { return uint64_t{30000} + block * 2654435761u % 9000; };
};

inline recording::Recording placed_launch(std::string_view slug, uint32_t side, const Scheduler& scheduler = {})
{
    const kernels::Job job = test::job(slug, {.M = side, .N = side, .K = side});
    recording::Recording result = kernels::describe_launch(
        job, {.backend = "cuda", .name = "NVIDIA H200", .compute_capability = 90, .sm_count = scheduler.sms});
    struct Free {
        uint64_t ns;
        uint32_t order, sm;
        bool operator>(const Free& other) const { return ns != other.ns ? ns > other.ns : order > other.order; }
    };
    std::priority_queue<Free, std::vector<Free>, std::greater<>> free;
    for (uint32_t i = 0; i < scheduler.sms * scheduler.slots; ++i) // starts with one block on every SM
        free.push({0, i, i % scheduler.sms});
    for (uint32_t block = 0; block < result.launch.grid.volume(); ++block) {
        Free slot = free.top();
        free.pop();
        const uint64_t end = slot.ns + scheduler.duration(block);
        result.placements.push_back({slot.sm, slot.ns, end});
        free.push({end, slot.order, slot.sm});
    }
    result.resources = result.resources.value_or(recording::Resources{});
    result.placed = {.resources = *result.resources, .plain_ms = 1, .placed_ms = 1.01};
    return result;
}

} // namespace test
