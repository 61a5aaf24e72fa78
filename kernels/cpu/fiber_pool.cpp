#include "cpu/fiber_pool.h"

#include "error.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>

#include <sys/mman.h>

// GCC defines the first macro, Clang has the feature.
#if defined(__SANITIZE_ADDRESS__)
#define GEMMSCOPE_ADDRESS_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define GEMMSCOPE_ADDRESS_SANITIZER
#endif
#endif
#if defined(GEMMSCOPE_ADDRESS_SANITIZER)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#include <sanitizer/lsan_interface.h>
#endif

namespace cpu {

namespace {

// Only touched pages take memory: most threads use one or two of the sixteen.
constexpr std::size_t stack_bytes = 64 * 1024;
constexpr std::size_t guard_bytes = 4096;
constexpr uint64_t stack_end[2] = {0x9e3779b97f4a7c15,
                                   0xbf58476d1ce4e5b9}; // arbitrary; two words keep the stacks aligned

// The address sanitizer must be notified of each stack switch; without the sanitizer these functions do nothing.
void switch_started([[maybe_unused]] void** own, [[maybe_unused]] const void* bottom, [[maybe_unused]] std::size_t size)
{
#if defined(GEMMSCOPE_ADDRESS_SANITIZER)
    __sanitizer_start_switch_fiber(own, bottom, size);
#endif
}

void switch_finished([[maybe_unused]] void* own, [[maybe_unused]] const void** old_bottom,
                     [[maybe_unused]] std::size_t* old_size)
{
#if defined(GEMMSCOPE_ADDRESS_SANITIZER)
    __sanitizer_finish_switch_fiber(own, old_bottom, old_size);
#endif
}

// Tells the sanitizer that this leak is intended.
void never_freed([[maybe_unused]] const void* memory)
{
#if defined(GEMMSCOPE_ADDRESS_SANITIZER)
    __lsan_ignore_object(memory);
#endif
}

} // namespace

FiberStacks::FiberStacks(std::size_t count) : bytes_(guard_bytes + count * stack_bytes)
{
    void* memory =
        mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED)
        throw kernels::Error(
            fmt::format("There is no address space for the stacks of {} CUDA threads ({} MiB); lift the "
                        "limit of virtual memory (ulimit -v), or close other programs.",
                        count, bytes_ >> 20));
    memory_ = static_cast<std::byte*>(memory);
    mprotect(memory_, guard_bytes, PROT_NONE); // below the lowest stack, which has no other guard
    for (std::size_t i = 0; i < count; ++i)
        std::memcpy(memory_ + guard_bytes + i * stack_bytes, &stack_end, sizeof stack_end);
}

FiberStacks::~FiberStacks()
{
    if (memory_)
        munmap(memory_, bytes_);
}

boost::context::stack_context FiberStacks::stack(std::size_t index) const
{
    boost::context::stack_context result;
    result.size = stack_bytes - sizeof stack_end;
    result.sp = memory_ + guard_bytes + (index + 1) * stack_bytes; // stacks grow down
    return result;
}

bool FiberStacks::overflowed(std::size_t index) const
{
    return std::memcmp(memory_ + guard_bytes + index * stack_bytes, &stack_end, sizeof stack_end) != 0;
}

// A fiber ends inside Boost's last functions. The address sanitizer would keep their frames poisoned for whatever uses
// the stack next.
void FiberPool::Return::deallocate([[maybe_unused]] boost::context::stack_context& stack) noexcept
{
#if defined(GEMMSCOPE_ADDRESS_SANITIZER)
    __asan_unpoison_memory_region(static_cast<char*>(stack.sp) - stack.size, stack.size);
#endif
}

FiberPool::FiberPool(std::size_t count, ThreadBody body, const std::byte* arguments)
    : body_(body), arguments_(arguments), stacks_(count)
{
    fibers_.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        const boost::context::stack_context stack = stacks_.stack(i);
        const boost::context::preallocated place(stack.sp, stack.size, stack);
        fibers_.emplace_back(std::allocator_arg, place, Return(),
                             [this](boost::context::fiber&& caller) { return run(std::move(caller)); });
    }
}

FiberPool::~FiberPool()
{
    closing_ = true;
    for (std::size_t i = 0; i < fibers_.size(); ++i)
        switch_to(i);
}

bool FiberPool::resume(std::size_t index)
{
    returned_ = false;
    switch_to(index);
    if (stacks_.overflowed(index))
        give_up(index);
    if (failure_)
        std::rethrow_exception(std::exchange(failure_, nullptr));
    return returned_;
}

// The stack below may be damaged, so no fiber can be ended properly: all of them are leaked.
void FiberPool::give_up(std::size_t index)
{
    stacks_.leave();
    auto left = std::make_unique<std::vector<boost::context::fiber>>(std::move(fibers_));
    never_freed(left.release());
    fibers_.clear();
    throw kernels::Error(
        fmt::format("Thread {} of a block needs more than the {} KiB of stack that the CPU backend gives "
                    "each: make its arrays smaller, or run it on an NVIDIA GPU.",
                    index, stack_bytes >> 10));
}

void FiberPool::switch_to(std::size_t index)
{
    void* own = nullptr;
    const boost::context::stack_context stack = stacks_.stack(index);
    switch_started(&own, static_cast<char*>(stack.sp) - stack.size, stack.size);
    fibers_[index] = std::move(fibers_[index]).resume();
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
    } catch (const Closing&) { // the stack has been unwound: the fiber ends
    }
    switch_started(nullptr, caller_stack_, caller_stack_size_);
    return std::move(caller_);
}

} // namespace cpu
