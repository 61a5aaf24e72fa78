#include "cpu/fiber_pool.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace cpu {

namespace {

constexpr std::size_t stack_bytes = 64 * 1024; // touched pages only: most threads use one or two of the sixteen

// The address sanitizer must be told of each change of stack; without it these do nothing.
void switch_started([[maybe_unused]] void** own, [[maybe_unused]] const void* bottom, [[maybe_unused]] std::size_t size)
{
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(own, bottom, size);
#endif
}

void switch_finished([[maybe_unused]] void* own, [[maybe_unused]] const void** old_bottom,
                     [[maybe_unused]] std::size_t* old_size)
{
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(own, old_bottom, old_size);
#endif
}

} // namespace

void FiberStacks::deallocate(boost::context::stack_context& stack) noexcept
{
#if defined(__SANITIZE_ADDRESS__)
    __asan_unpoison_memory_region(static_cast<char*>(stack.sp) - stack.size, stack.size);
#endif
    boost::context::protected_fixedsize_stack::deallocate(stack);
}

FiberPool::FiberPool(std::size_t count, ThreadBody body, const std::byte* arguments)
    : body_(body), arguments_(arguments), stacks_(stack_bytes), fibers_(count)
{
    for (Fiber& fiber : fibers_) {
        fiber.stack = stacks_.allocate();
        const boost::context::preallocated place(fiber.stack.sp, fiber.stack.size, fiber.stack);
        fiber.context =
            boost::context::fiber(std::allocator_arg, place, stacks_,
                                  [this](boost::context::fiber&& caller) { return run(std::move(caller)); });
    }
}

FiberPool::~FiberPool()
{
    closing_ = true;
    for (Fiber& fiber : fibers_)
        switch_to(fiber);
}

bool FiberPool::resume(std::size_t index)
{
    returned_ = false;
    switch_to(fibers_[index]);
    if (failure_)
        std::rethrow_exception(std::exchange(failure_, nullptr));
    return returned_;
}

void FiberPool::switch_to(Fiber& fiber)
{
    void* own = nullptr;
    switch_started(&own, static_cast<char*>(fiber.stack.sp) - fiber.stack.size, fiber.stack.size);
    fiber.context = std::move(fiber.context).resume();
    switch_finished(own, nullptr, nullptr);
}

void FiberPool::suspend()
{
    void* own = nullptr;
    switch_started(&own, caller_stack_, caller_stack_size_);
    caller_ = std::move(caller_).resume();
    switch_finished(own, &caller_stack_, &caller_stack_size_);
    if (closing_)
        throw Closing();
}

boost::context::fiber FiberPool::run(boost::context::fiber caller)
{
    switch_finished(nullptr, &caller_stack_, &caller_stack_size_);
    caller_ = std::move(caller);
    try {
        while (!closing_) {
            try {
                body_(arguments_);
            } catch (const Closing&) {
                throw;
            } catch (...) {
                failure_ = std::current_exception();
            }
            returned_ = true;
            suspend();
        }
    } catch (const Closing&) { // the stack is unwound: the fiber ends
    }
    switch_started(nullptr, caller_stack_, caller_stack_size_);
    return std::move(caller_);
}

} // namespace cpu
