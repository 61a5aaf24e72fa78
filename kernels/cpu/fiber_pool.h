// One fiber per CUDA thread of a block. Fibers are reused from block to block: creating one costs much more than a
// switch.
#pragma once

#include "cpu_kernel.h"

#include <boost/context/fiber.hpp>
#include <boost/context/stack_context.hpp>

#include <cstddef>
#include <exception>
#include <vector>

namespace cpu {

// All stacks of a pool in one mapping. A process may have 65,530 mappings (vm.max_map_count); with a guarded mapping
// for each of 1,024 fibers, 32 pools exceeded that. A word at the end of each stack replaces its guard page.
class FiberStacks {
public:
    explicit FiberStacks(std::size_t count); // throws kernels::Error if the system has no address space left
    FiberStacks(const FiberStacks&) = delete;
    FiberStacks& operator=(const FiberStacks&) = delete;
    ~FiberStacks();

    boost::context::stack_context stack(std::size_t index) const;
    bool overflowed(std::size_t index) const; // true: the memory below that stack may be damaged
    void leave() { memory_ = nullptr; }       // leaks the mapping

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

    // Runs the fiber until it suspends itself (returns false) or the body returns (returns true). After that, the next
    // call starts the body again. Rethrows what the body threw. Throws kernels::Error if the body has overflowed its
    // stack.
    bool resume(std::size_t index);

    // Returns to the caller of resume(); called from the running fiber.
    void suspend();

private:
    // The allocator that Boost returns a stack to; the pool keeps all stacks until it is destroyed.
    struct Return {
        static void deallocate(boost::context::stack_context& stack) noexcept;
    };
    struct Closing {}; // thrown through a suspended body to unwind its stack

    boost::context::fiber run(boost::context::fiber caller);
    void switch_to(std::size_t index);
    [[noreturn]] void give_up(std::size_t index);

    ThreadBody body_;
    const std::byte* arguments_;
    FiberStacks stacks_;
    std::vector<boost::context::fiber> fibers_;
    boost::context::fiber caller_;
    const void* caller_stack_ = nullptr; // for the address sanitizer
    std::size_t caller_stack_size_ = 0;
    std::exception_ptr failure_;
    bool returned_ = false; // whether the body has returned since the last switch
    bool closing_ = false;
};

} // namespace cpu
