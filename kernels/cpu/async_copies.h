// The asynchronous copies of one CUDA thread. A GPU may make them at any time before the wait for them. Here the wait
// itself makes them, so a kernel that reads too early finds the old data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cpu {

struct AsyncCopy {
    std::byte* to;
    const std::byte* from; // null: write zeros
    uint32_t bytes;
    int line; // source line, for errors
};

class AsyncCopies {
public:
    void start(const AsyncCopy& copy) { copies_.push_back(copy); }
    void commit() { groups_.push_back(copies_.size()); } // a group may be empty

    // Makes the copies of all groups except the newest `pending`. Copies that were not committed stay pending.
    void wait(std::size_t pending);

    // Returns the oldest copy that the thread never waited for; null if there is none.
    const AsyncCopy* left_over() const { return copies_.empty() ? nullptr : &copies_.front(); }

    void clear();

private:
    std::vector<AsyncCopy> copies_;   // in the order in which they were started
    std::vector<std::size_t> groups_; // for each committed group, its end in copies_
};

// Returns the copies of the running thread.
AsyncCopies& async_copies();

} // namespace cpu
