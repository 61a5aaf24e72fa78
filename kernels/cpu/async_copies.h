// The asynchronous copies of one CUDA thread. A GPU may make them at any time before the wait that asks for them; here
// they are made by that wait, so that a kernel that reads too early finds what was there before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cpu {

struct AsyncCopy {
    std::byte* to;
    const std::byte* from; // null: zeros
    uint32_t bytes;
    int line; // of the source, for errors
};

class AsyncCopies {
public:
    void start(const AsyncCopy& copy) { copies_.push_back(copy); }
    void commit() { groups_.push_back(copies_.size()); } // a group may be empty

    // Makes the copies of all groups but the newest `pending`. Copies that were not committed stay.
    void wait(std::size_t pending);

    // The oldest copy that nobody has waited for; null when there is none.
    const AsyncCopy* left_over() const { return copies_.empty() ? nullptr : &copies_.front(); }

    void clear();

private:
    std::vector<AsyncCopy> copies_;   // in the order in which they were started
    std::vector<std::size_t> groups_; // of each committed group: where it ends in copies_
};

// Of the thread that runs.
AsyncCopies& async_copies();

} // namespace cpu
