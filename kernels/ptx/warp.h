// One warp while it runs: its registers, its lanes that went different ways, and what its instructions do to it. The
// families of instructions (memory.cpp, collective.cpp, matrix.cpp and so on) decode and execute theirs by what it has.
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

    void begin(); // a new block

    // Runs until nothing more can be done, or `most` instructions are. Returns how many were.
    uint64_t run(uint64_t most);
    bool finished() const { return live == 0; }
    bool ready() const;
    uint64_t steps() const { return steps_; } // of this block
    std::string waiting() const;              // what its lanes wait for, for a sentence; empty: nothing
    // Lanes that wait in a state go on. Of barriers: those of one, with what it counted, if it did.
    void release(State state, uint32_t barrier = 0, std::optional<uint32_t> result = {});

    // What follows is for instructions while they are executed.

    // Lanes stay at the instruction until they are released, instead of going on to the next one.
    void stay(State state, uint32_t barrier = 0);
    // Whether all lanes that are wanted here are here. Else these wait for them.
    bool meets(uint32_t wanted);
    bool meets_whole(const Instruction& instruction,
                     uint32_t mask); // the same of all 32; throws Fault where some have ended
    void part(uint32_t mask);        // the other lanes of the group go on by themselves

    // A sentence that begins with the thread's name. Throws Fault.
    [[noreturn]] void fail(const Instruction& instruction, int lane, const std::string& what,
                           Fault::Kind kind = Fault::Kind::other, std::optional<Fault::Missed> missed = {}) const;
    [[noreturn]] void fail(const Instruction& instruction, const std::string& what) const;
    const Statement& statement(const Instruction& instruction) const;

    uint32_t* words(uint32_t offset) { return at<uint32_t>(registers.data(), offset); } // of each lane
    uint64_t* wides(uint32_t offset) { return at<uint64_t>(registers.data(), offset); }
    uint64_t value(uint32_t marked, int lane) const { return read_register(registers.data(), marked, lane); }
    void set(uint32_t marked, int lane, uint64_t to) { write_register(registers.data(), marked, lane, to); }
    void set_bits(uint32_t offset, uint32_t mask, uint32_t bits) { write_bits(registers.data(), offset, mask, bits); }
    // The address that an instruction gives, as it says it.
    uint64_t address(const Instruction& instruction, int lane) const
    {
        return value(address_register(instruction), lane) + instruction.added;
    }

    // One lane's access. locate() makes a generic space, and an address of it, what they are.
    struct Place {
        Space space = Space::none;
        uint64_t address = 0;
        std::byte* bytes = nullptr;
    };
    // Where those bytes are. Throws Fault where they are not, or are not aligned.
    Place locate(const Instruction& instruction, Space space, uint64_t address, uint64_t bytes, int lane, bool writes);
    // The quick way of what nearly all accesses are: lanes of one mask in one space, aligned, and inside. Fills
    // `addresses` of all lanes; those outside the mask are where its first one is.
    struct Stretch {
        std::byte* bytes = nullptr; // null: they are not all there, or not of one kind
        uint64_t first = 0;         // address of bytes[0] in its space
        Space space = Space::none;
    };
    Stretch stretch(const Instruction& instruction, uint32_t mask, uint64_t bytes, bool writes,
                    LaneAddresses& addresses);
    Block* block_of(
        uint64_t address) const; // whose shared memory it is in, as mapa gives it; null: none of the cluster
    bool is_own(uint64_t address) const { return block_of(address) == &block; }

    // Looks whether a read of shared or global memory races with another.
    void check_load(const WarpAccess& access, Space space);
    void check_shared(const Instruction& instruction, uint64_t where, uint64_t bytes, int lane, bool writes);

    // Hands a step to whoever watches. `width`: bytes of each lane; `copied`: bytes that a bulk copy
    // moves. Addresses that are those of `step` are not copied.
    void tell(recording::Op op, const Instruction& instruction, uint32_t mask, const LaneAddresses& address,
              uint32_t width, Space space = Space::none, uint64_t copied = 0);

    Block& block;
    const WarpName name;
    const uint32_t number;
    uint32_t live = 0;                     // lanes that have not ended
    uint32_t in_cluster = 0, may_pass = 0; // lanes that wait at the cluster's barrier; those that need not any more
    bool yields = false;                   // the other warps' turn
    std::vector<std::byte> registers, local;
    traced::Step step; // that is told next
    AsyncCopies copies;

private:
    std::optional<std::size_t> choose();
    void branch(const Instruction& instruction, uint32_t taken);
    void leave(uint32_t mask);
    Place in_other_block(const Instruction& instruction, uint64_t address, uint64_t bytes, int lane, bool writes);

    uint32_t all_ = 0; // lanes that exist
    std::vector<Group> groups_;
    std::size_t current_ = 0; // the group whose instruction is executed
    bool stays_ = false;
    uint64_t turns_ = 0, steps_ = 0;
};

} // namespace ptx
