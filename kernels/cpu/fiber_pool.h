// One fiber per CUDA thread of a block, kept from block to block: making a fiber costs much more than a switch.
#pragma once

#include "cpu/kernel.h"

#include <boost/context/fiber.hpp>
#include <boost/context/protected_fixedsize_stack.hpp>

#include <exception>
#include <vector>

namespace cpu {

// Memory for stacks. A fiber ends in the middle of Boost's last functions, and what the address sanitizer has forbidden of
// their frames would stay so for whatever comes to lie there next.
class FiberStacks : public boost::context::protected_fixedsize_stack {
public:
    explicit FiberStacks(std::size_t bytes) : boost::context::protected_fixedsize_stack(bytes) {}
    void deallocate(boost::context::stack_context& stack) noexcept;
};

class FiberPool {
public:
    FiberPool(std::size_t count, ThreadBody body, const std::byte* arguments);
    ~FiberPool();
    FiberPool(const FiberPool&) = delete;
    FiberPool& operator=(const FiberPool&) = delete;

    // Lets the fiber run until it suspends itself (false) or the body returns (true). After that the next resume starts
    // the body anew. Rethrows what the body threw.
    bool resume(std::size_t index);

    // From within the fiber that runs: back to the caller of resume().
    void suspend();

private:
    struct Fiber {
        boost::context::stack_context stack;
        boost::context::fiber context;
    };
    struct Closing {}; // thrown through a suspended body so that its stack is unwound

    boost::context::fiber run(boost::context::fiber caller);
    void switch_to(Fiber& fiber);

    ThreadBody body_;
    const std::byte* arguments_;
    FiberStacks stacks_;
    std::vector<Fiber> fibers_;
    boost::context::fiber caller_;
    const void* caller_stack_ = nullptr; // as the address sanitizer knows it
    std::size_t caller_stack_size_ = 0;
    std::exception_ptr failure_;
    bool returned_ = false; // the body, since the last switch
    bool closing_ = false;
};

} // namespace cpu
