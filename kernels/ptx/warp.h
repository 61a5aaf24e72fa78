// A running warp: its registers, its diverged lanes, and the functions that instructions need. The files of the
// instructions (memory.cpp, collective.cpp, matrix.cpp and so on) decode and execute them by these functions.
#pragma once

#include "ptx/arithmetic.h"
#include "ptx/copies.h"
#include "ptx/memory.h"
#include "traced/builder.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ptx {

class Block;

class Warp {
public:
    enum class State : uint8_t { ready, joining, at_barrier, at_mbarrier, at_group_wait, at_cluster };
    struct Group { // lanes that are at the same instruction
        uint32_t next = 0, mask = 0;
        State state = State::ready;
        uint32_t barrier = 0;
    };

    Warp(Block& block, uint32_t number);
    Warp(const Warp&) = delete;
    Warp& operator=(const Warp&) = delete;

    void begin(); // begins a new block

    // Runs until no group can continue, or `most` instructions have run. Returns how many have run.
    uint64_t run(uint64_t most);
    bool finished() const { return live == 0; }
    bool ready() const;
    uint64_t steps() const { return steps_; } // since the block began
    std::string waiting() const;              // what its lanes wait for, as part of a sentence; may be empty
    // Lets groups that wait in a state continue. For barriers only those at `barrier`, with its result if it has one.
    void release(State state, uint32_t barrier = 0, std::optional<uint32_t> result = {});

    // The following functions are for instructions while they execute.

    // Keeps the lanes at the instruction until they are released, instead of continuing with the next one.
    void stay(State state, uint32_t barrier = 0);
    // Returns whether all lanes in `wanted` are here. Otherwise these lanes wait for them.
    bool meets(uint32_t wanted);
    // Does the same for all 32 lanes. Throws Fault if some have ended.
    bool meets_whole(const Instruction& instruction, uint32_t mask);
    void part(uint32_t mask); // lets the other lanes of the group continue by themselves

    // Throws Fault with a sentence that begins with the thread's name.
    [[noreturn]] void fail(const Instruction& instruction, int lane, const std::string& what,
                           Fault::Kind kind = Fault::Kind::other, std::optional<Fault::Missed> missed = {}) const;
    [[noreturn]] void fail(const Instruction& instruction, const std::string& what) const;
    const Statement& statement(const Instruction& instruction) const;

    uint32_t* words(uint32_t offset) { return at<uint32_t>(registers.data(), offset); } // one for each lane
    uint64_t* wides(uint32_t offset) { return at<uint64_t>(registers.data(), offset); }
    uint64_t value(uint32_t marked, int lane) const { return read_register(registers.data(), marked, lane); }
    void set(uint32_t marked, int lane, uint64_t to) { write_register(registers.data(), marked, lane, to); }
    void set_bits(uint32_t offset, uint32_t mask, uint32_t bits) { write_bits(registers.data(), offset, mask, bits); }
    // Returns the address as the instruction gives it.
    uint64_t address(const Instruction& instruction, int lane) const
    {
        return value(address_register(instruction), lane) + instruction.added;
    }

    // The bytes of one lane's access. locate() replaces a generic space and address by those that they stand for.
    struct Place {
        Space space = Space::none;
        uint64_t address = 0;
        std::byte* bytes = nullptr;
    };
    // Finds the bytes. Throws Fault if they do not exist, or if the address is not aligned.
    Place locate(const Instruction& instruction, Space space, uint64_t address, uint64_t bytes, int lane, bool writes);
    // A fast path for nearly all accesses: all lanes are in one space, aligned and inside. Sets `addresses` for all
    // lanes. Lanes outside the mask get the address of its first lane.
    struct Stretch {
        std::byte* bytes = nullptr; // null if the lanes are not all inside, aligned and of one space
        uint64_t first = 0;         // address of bytes[0] in its space
        Space space = Space::none;
    };
    Stretch stretch(const Instruction& instruction, uint32_t mask, uint64_t bytes, bool writes,
                    LaneAddresses& addresses);
    // Returns the block whose shared memory contains the address, which has the form that mapa returns. Returns null if
    // no block of the cluster does.
    Block* block_of(uint64_t address) const;
    bool is_own(uint64_t address) const { return block_of(address) == &block; }

    // Checks whether a read of shared or global memory races with another access.
    void check_load(const WarpAccess& access, Space space);
    void check_shared(const Instruction& instruction, uint64_t where, uint64_t bytes, int lane, bool writes);

    // Reports a step to the watch. `width` is in bytes per lane. `copied` is the number of bytes that a bulk copy
    // moves. If `address` is step.address, it is not copied.
    void tell(recording::Op op, const Instruction& instruction, uint32_t mask, const LaneAddresses& address,
              uint32_t width, Space space = Space::none, uint64_t copied = 0);

    Block& block;
    const WarpName name;
    const uint32_t number;
    uint32_t live = 0; // lanes that have not ended
    // Lanes that wait at the cluster's barrier, and lanes that may pass it.
    uint32_t in_cluster = 0, may_pass = 0;
    bool yields = false;         // the other warps run next
    bool waits_for_grid = false; // it has read the workspace of the grid's barrier last
    std::vector<std::byte> registers, local;
    traced::Step step; // the step that is reported next
    AsyncCopies copies;

private:
    std::optional<std::size_t> choose();
    void branch(const Instruction& instruction, uint32_t taken);
    void leave(uint32_t mask);
    Place in_other_block(const Instruction& instruction, uint64_t address, uint64_t bytes, int lane, bool writes);

    uint32_t all_ = 0; // lanes that exist
    std::vector<Group> groups_;
    std::size_t current_ = 0; // the group that is executing
    bool stays_ = false;
    uint64_t turns_ = 0, steps_ = 0;
};

} // namespace ptx
