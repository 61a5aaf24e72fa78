// One fiber per CUDA thread of a block, kept from block to block: making a fiber costs much more than a switch.
#pragma once

#include "cpu_kernel.h"

#include <boost/context/fiber.hpp>
#include <boost/context/stack_context.hpp>

#include <cstddef>
#include <exception>
#include <vector>

namespace cpu {

// All stacks of a pool in one mapping: a process may have 65,530 of them (vm.max_map_count), and with a guarded mapping for
// each of 1,024 fibers 32 pools needed more. A word at the end of each stack stands in for its guard.
class FiberStacks {
public:
    explicit FiberStacks(std::size_t count); // throws kernels::Error where the system has no address space for them
    FiberStacks(const FiberStacks&) = delete;
    FiberStacks& operator=(const FiberStacks&) = delete;
    ~FiberStacks();

    boost::context::stack_context stack(std::size_t index) const;
    bool overflowed(std::size_t index) const; // what lies below that stack may be damaged then
    void leave() { memory_ = nullptr; }       // never unmapped

private:
    std::byte* memory_;
    std::size_t bytes_;
};

class FiberPool {
public:
    FiberPool(std::size_t count, ThreadBody body, const std::byte* arguments);
    ~FiberPool();
    FiberPool(const FiberPool&) = delete;
    FiberPool& operator=(const FiberPool&) = delete;

    // Lets the fiber run until it suspends itself (false) or the body returns (true). After that the next resume starts
    // the body anew. Rethrows what the body threw; throws kernels::Error when the body has used more than its stack.
    bool resume(std::size_t index);

    // From within the fiber that runs: back to the caller of resume().
    void suspend();

private:
    // What Boost gives a stack back to: the pool keeps them all until its end.
    struct Return {
        static void deallocate(boost::context::stack_context& stack) noexcept;
    };
    struct Closing {}; // thrown through a suspended body so that its stack is unwound

    boost::context::fiber run(boost::context::fiber caller);
    void switch_to(std::size_t index);
    [[noreturn]] void give_up(std::size_t index);

    ThreadBody body_;
    const std::byte* arguments_;
    FiberStacks stacks_;
    std::vector<boost::context::fiber> fibers_;
    boost::context::fiber caller_;
    const void* caller_stack_ = nullptr; // as the address sanitizer knows it
    std::size_t caller_stack_size_ = 0;
    std::exception_ptr failure_;
    bool returned_ = false; // the body, since the last switch
    bool closing_ = false;
};

} // namespace cpu
