// One block while it runs: its shared memory, its barriers and its warps. For machine.cpp and warp.cpp.
#pragma once

#include "ptx/machine.h"
#include "ptx/mbarrier.h"
#include "ptx/memory.h"
#include "ptx/program.h"
#include "ptx/shared_check.h"
#include "ptx/tensor_map.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ptx {

class Block;
class Cluster;

// What an atomic operation leaves in memory. `swap`: what compare-and-swap puts there.
uint64_t combined(const Instruction& instruction, uint64_t before, uint64_t operand, uint64_t swap);

// A copy under way: done when it is waited for.
struct PendingCopy {
    uint32_t mask = 0;
    uint32_t statement = 0;
    uint8_t width = 0;
    LaneAddresses from{}, to{};
    std::array<uint8_t, 32> bytes{}; // that are read; the rest is written as zeros
};

class Warp {
public:
    Warp(Block& block, uint32_t number);
    Warp(const Warp&) = delete;
    Warp& operator=(const Warp&) = delete;

    void begin(); // a new block

    // Runs until nothing more can be done, or `most` instructions are. Returns how many were.
    uint64_t run(uint64_t most);
    bool finished() const { return live_ == 0; }
    bool ready() const;
    uint32_t live() const { return live_; }
    uint64_t steps() const { return steps_; } // of this block
    void release(uint32_t barrier);           // lanes that wait there go on
    void give_result(uint32_t barrier, uint32_t result);
    void release_group(); // that its warpgroup is complete
    void wake();          // lanes that wait at an mbarrier look at it again
    bool all_in_cluster() const { return (live_ & ~in_cluster_) == 0; } // at the cluster's barrier
    void pass_cluster_barrier();
    std::string waiting() const; // what its lanes wait for, for a sentence; empty: nothing

private:
    enum class State : uint8_t { ready, joining, at_barrier, at_mbarrier, at_group_wait, at_cluster };
    struct Group { // lanes that are at the same instruction
        uint32_t next = 0, mask = 0;
        State state = State::ready;
        uint32_t barrier = 0;
    };

    std::optional<std::size_t> choose();
    void step(Group& group, const Instruction& instruction, uint32_t mask);
    void branch(std::size_t group, const Instruction& instruction, uint32_t taken);
    void leave(std::size_t group, uint32_t mask);
    bool meets(Group& group, uint32_t wanted);
    void collective(Group& group, const Instruction& instruction, uint32_t mask);
    void barrier(Group& group, const Instruction& instruction, uint32_t mask);
    void shuffle(const Instruction& instruction, uint32_t mask);
    void vote(const Instruction& instruction, uint32_t mask);
    void match(const Instruction& instruction, uint32_t mask);
    void reduce(const Instruction& instruction, uint32_t mask);
    void load(const Instruction& instruction, uint32_t mask);
    void store(const Instruction& instruction, uint32_t mask);
    void store_lane(const Instruction& instruction, int lane, std::byte* to, const WarpAccess& access, Space space);
    void check_lanes(const Instruction& instruction, uint32_t mask, const LaneAddresses& addresses);
    void atomic(const Instruction& instruction, uint32_t mask);
    void async_copy(const Instruction& instruction, uint32_t mask);
    void async_store(const Instruction& instruction, uint32_t mask);
    bool cluster_barrier(Group& group, const Instruction& instruction, uint32_t mask);
    void commit();
    void wait(uint64_t pending);
    void complete(const PendingCopy& copy, uint32_t mask);
    void matrices(const Instruction& instruction, uint32_t mask);
    void tile(const Instruction& instruction, uint32_t mask);
    bool mbarrier(Group& group, const Instruction& instruction, uint32_t mask);
    void at_mbarrier(const Instruction& instruction, int lane);
    Mbarrier& mbarrier_at(const Instruction& instruction, uint64_t where, int lane);
    void make_mbarrier(const Instruction& instruction, int lane);
    void arrive(Mbarrier& barrier, const Instruction& instruction, int64_t count, int lane);
    void expect(Mbarrier& barrier, const Instruction& instruction, int64_t bytes, int lane);
    void complete_copies(uint32_t mask);
    void bulk_copy(const Instruction& instruction, uint32_t mask);
    void tensor_copy(const Instruction& instruction, uint32_t mask);
    struct Box {
        const TensorMap& map;
        const std::array<int64_t, most_axes>& first;
        uint64_t tile = 0; // its place in shared memory
    };
    void copy_box(const Instruction& instruction, const Box& box, int lane);
    struct CopyTarget {
        uint64_t to = 0, barrier = 0; // in shared memory of the cluster
    };
    std::vector<CopyTarget> targets_of(const Instruction& instruction, int lane, std::size_t barrier) const;
    void tell_copy(const Instruction& instruction, int lane, uint64_t from, uint64_t to);
    void tell_owner(const Instruction& instruction, int lane, uint64_t to, uint64_t bytes);
    void group_multiply(const Instruction& instruction, uint32_t mask);
    void group_wait(Group& group, const Instruction& instruction, uint32_t mask);
    void print(const Instruction& instruction, uint32_t mask);
    std::string bytes_at(const Instruction& instruction, uint64_t from, int lane, bool text);
    void require_whole(const Instruction& instruction, uint32_t mask) const;

    uint64_t address(const Instruction& instruction, int lane) const;
    // Where that lane's bytes are; a sentence where they are not. The space becomes what it is.
    std::byte* locate(const Instruction& instruction, Space& space, uint64_t& address, uint64_t bytes, int lane,
                      bool writes);
    struct Places { // of each lane
        LaneAddresses address{};
        std::array<Space, 32> space{};
    };
    // Bytes that all lanes of an instruction access: the block's shared memory, or one region.
    struct Stretch {
        std::byte* bytes = nullptr; // null: they are not all there
        uint64_t first = 0;         // address of bytes[0] in its space
        Space space = Space::none;
    };
    void fill_addresses(const Instruction& instruction, uint32_t mask, LaneAddresses& address) const;
    Stretch stretch(const Instruction& instruction, uint32_t mask, uint64_t bytes, bool writes,
                    LaneAddresses& address) const;
    // The same of the place that the instruction gives, which `places` then has.
    std::byte* locate(const Instruction& instruction, uint64_t bytes, int lane, bool writes, Places& places);
    void check_shared(const Instruction& instruction, uint64_t where, uint64_t bytes, int lane, bool writes);
    void check_load(const WarpAccess& access, Space space);
    struct Wanted {
        uint64_t bytes = 0;
        int lane = 0;
        bool writes = false;
    };
    Block* block_of(uint64_t address) const;
    std::byte* in_other_block(const Instruction& instruction, Space& space, uint64_t address, const Wanted& wanted);
    bool is_own(uint64_t address) const { return block_of(address) == &block_; }
    void tell(recording::Op op, const Instruction& instruction, uint32_t mask, const LaneAddresses& address,
              uint32_t width, Space space = Space::none);
    void note(const Instruction& instruction, uint32_t mask);
    void tell_memory(const Instruction& instruction, uint32_t mask, const Places& places, uint32_t width,
                     recording::Op global, recording::Op shared);
    ThreadName thread(int lane) const { return name_.thread(lane); }
    const Statement& statement(const Instruction& instruction) const;

    Block& block_;
    const WarpName name_;
    uint32_t number_ = 0, all_ = 0, live_ = 0;
    uint32_t in_cluster_ = 0, may_pass_ = 0; // lanes that wait at the cluster's barrier; those that need not any more
    std::vector<Group> groups_;
    std::vector<std::byte> registers_, local_;
    uint64_t turns_ = 0, steps_ = 0;
    bool yields_ = false;                                   // the other warps' turn
    std::vector<PendingCopy> open_;                         // not committed
    std::deque<std::vector<PendingCopy>> groups_of_copies_; // committed, the oldest first
};

class Block {
public:
    Block(Cluster& cluster, uint32_t rank);

    struct Turn {
        bool ran = false, done = false; // some warp went on; all threads have ended
    };
    void begin(const recording::Index3& index);
    Turn turn(uint64_t& steps, const std::stop_token& stop); // of each of its warps
    bool finished() const { return live() == 0; }
    void join(const Block& after); // what was noted of blocks that come after
    std::string waiting() const;   // what its warps wait for, for a sentence
    std::vector<std::string> warnings() const { return check_.notes().sentences(); }

    // Lanes arrive at a barrier. True: it was complete, and all may go on.
    bool arrive(uint32_t barrier, uint32_t wanted, uint32_t lanes, uint32_t holds, Combine combine);
    void lanes_left(); // barriers may be complete now
    void mbarrier_done();
    void meet_group(uint32_t number); // a warp of that warpgroup waits for the others
    bool all_at_cluster_barrier() const;
    void pass_cluster_barrier();

    Cluster& cluster;
    const Program& program;
    const MachineLaunch& launch;
    std::vector<Region>& regions;
    const Watch& watch;
    const uint32_t rank;                // in its cluster
    const recording::Index3 in_cluster; // likewise, from 0
    std::vector<std::byte> shared;
    recording::Index3 index{0, 0, 0};
    uint64_t linear = 0, clock = 0;
    std::string printed; // by printf
    LocalTraffic local;
    uint64_t between_blocks = 0; // see Outcome
    Mbarriers mbarriers;
    std::map<uint64_t, TensorMap> tiles; // that tensor maps fill, by their place in shared memory

    SharedCheck& check() { return check_; }

private:
    struct Barrier {
        uint32_t arrived = 0, wanted = 0; // 0: all threads of the block that have not ended
        uint32_t count = 0;               // of threads for which it holds
        uint32_t members = 0;
        Combine combine = Combine::none;
    };
    uint32_t live() const;
    void complete(uint32_t number);
    std::array<Barrier, 16> barriers_;
    std::array<uint32_t, 8> in_groups_{}; // warps that wait, of each warpgroup
    std::vector<std::unique_ptr<Warp>> warps_;
    SharedCheck check_;
};

} // namespace ptx
