#include "cudart/library/runtime.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace cudart {

namespace {

thread_local Error last = success;

[[noreturn]] void end_process(const char* why)
{
    std::fflush(nullptr);
    std::fprintf(stderr, "%s\n", why);
    std::_Exit(1);
}

// Ends the program with its parent, because main() may run forever before it uses CUDA. Children are not affected.
__attribute__((constructor)) void end_with_parent()
{
    const char* const parent = std::getenv(parent_variable);
    if (parent == nullptr || std::atoll(parent) != getppid())
        return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (std::atoll(parent) != getppid()) // the parent ended before prctl(), so there is no signal
        std::_Exit(1);
}

uint64_t number_of(const void* pointer)
{
    return reinterpret_cast<uint64_t>(pointer);
}

} // namespace

Runtime& Runtime::get()
{
    static Runtime* const runtime = new Runtime;
    return *runtime;
}

Error Runtime::result(Error error)
{
    if (sticky_ != success)
        error = sticky_;
    if (error != success)
        last = error;
    return error;
}

Error Runtime::take_last_error()
{
    const Error error = sticky_ != success ? sticky_ : last;
    last = success;
    return error;
}

Error Runtime::last_error() const
{
    return sticky_ != success ? sticky_ : last;
}

void Runtime::connect()
{
    const char* const path = std::getenv(socket_variable);
    if (path == nullptr)
        end_process("This libcudart.so is gemmscope's: start the program with 'gemmscope trace -- PROGRAM'.");
    prctl(PR_SET_PDEATHSIG, SIGKILL); // without gemmscope no kernel can run
    socket_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
    std::snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    if (::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
        end_process("gemmscope, which runs this program's kernels, is gone.");
    memory_ = receive_descriptor(socket_);
}

std::string Runtime::exchange(Call call, const std::string& bytes)
{
    const std::lock_guard lock(mutex_);
    try {
        if (socket_ < 0)
            connect();
        std::fflush(stdout); // what the program printed must come before gemmscope's messages
        send_frame(socket_, static_cast<uint32_t>(call), bytes);
        return receive_frame(socket_).bytes;
    } catch (const std::exception&) {
        end_process("gemmscope, which runs this program's kernels, is gone.");
    }
}

void Runtime::tell(const std::string& words)
{
    ask<Answer>(Call::tell, Tell{words});
}

void Runtime::tell_once(const std::string& words)
{
    const std::lock_guard lock(mutex_);
    if (std::find(told_.begin(), told_.end(), words) != told_.end())
        return;
    told_.push_back(words);
    tell(words);
}

// Maps an allocation. Memory that only the device may use is mapped at a different address. A host that accesses it by
// its own address has a bug, and fails as it does with a GPU.
bool Runtime::map(Allocation& allocation, uint64_t offset)
{
    const bool here = allocation.kind == Allocation::Kind::managed || allocation.kind == Allocation::Kind::pinned;
    void* const wanted = here ? reinterpret_cast<void*>(allocation.address) : nullptr;
    void* const at = mmap(wanted, allocation.bytes, PROT_READ | PROT_WRITE,
                          MAP_SHARED | (here ? MAP_FIXED_NOREPLACE : 0), memory_, static_cast<off_t>(offset));
    if (at == MAP_FAILED)
        return false;
    allocation.host = static_cast<char*>(at);
    return !here || at == wanted;
}

Error Runtime::allocate(void** to, std::size_t bytes, Allocation::Kind kind)
{
    if (to == nullptr)
        return invalid_value;
    *to = nullptr;
    if (bytes == 0)
        return success;
    const std::lock_guard lock(mutex_);
    const bool host_visible = kind == Allocation::Kind::managed || kind == Allocation::Kind::pinned;
    const auto allocated = ask<Allocated>(Call::allocate, Allocate{bytes, host_visible});
    Allocation allocation{.address = allocated.address, .bytes = bytes, .kind = kind};
    if (allocated.address == 0 || !map(allocation, allocated.offset))
        return out_of_memory;
    *to = reinterpret_cast<void*>(allocation.address);
    allocations_[allocation.address] = allocation;
    allocated_ += bytes;
    return success;
}

Error Runtime::release(const void* pointer)
{
    const std::lock_guard lock(mutex_);
    if (pointer == nullptr)
        return success;
    const auto found = allocations_.find(number_of(pointer));
    if (found == allocations_.end())
        return invalid_value;
    if (found->second.kind != Allocation::Kind::registered) {
        munmap(found->second.host, found->second.bytes);
        ask<Answer>(Call::release, ReleaseMemory{found->first});
        allocated_ -= found->second.bytes;
    }
    allocations_.erase(found);
    return success;
}

void Runtime::register_host(void* pointer, std::size_t bytes)
{
    const std::lock_guard lock(mutex_);
    allocations_[number_of(pointer)] = {number_of(pointer), bytes, static_cast<char*>(pointer),
                                        Allocation::Kind::registered};
}

const Allocation* Runtime::allocation_of(const void* pointer)
{
    const std::lock_guard lock(mutex_);
    const auto after = allocations_.upper_bound(number_of(pointer));
    if (after == allocations_.begin())
        return nullptr;
    const Allocation& before = std::prev(after)->second;
    return number_of(pointer) - before.address < before.bytes ? &before : nullptr;
}

void Runtime::add_kernel(void** module, const void* host, const char* name)
{
    const std::lock_guard lock(mutex_);
    auto kernel = std::make_unique<Kernel>();
    kernel->module = reinterpret_cast<Module*>(module);
    kernel->name = name;
    kernels_[host] = std::move(kernel);
}

void Runtime::add_symbol(void** module, const void* host, const char* name, void** managed)
{
    const std::lock_guard lock(mutex_);
    symbols_[host] = {reinterpret_cast<Module*>(module), name, managed};
}

Kernel* Runtime::kernel(const void* host)
{
    const std::lock_guard lock(mutex_);
    if (const auto found = kernels_.find(host); found != kernels_.end())
        return found->second.get();
    for (const auto& [address, kernel] : kernels_) // `host` may also be a handle from __cudaGetKernel
        if (kernel.get() == host)
            return kernel.get();
    return nullptr;
}

const LoadedModule& Runtime::load(Module& module)
{
    if (module.asked)
        return module.loaded;
    module.asked = true;
    if (!module.no_code.empty()) {
        module.loaded.error = module.no_code;
        return module.loaded;
    }
    module.loaded = ask<LoadedModule>(Call::load_module, LoadModule{module.ptx, module.cubin});
    for (const LoadedVariable& variable : module.loaded.variables) {
        const bool managed = std::any_of(symbols_.begin(), symbols_.end(), [&](const auto& one) {
            return one.second.module == &module && one.second.name == variable.name && one.second.managed != nullptr;
        });
        Allocation allocation{.address = variable.address,
                              .bytes = variable.bytes,
                              .kind = managed ? Allocation::Kind::managed : Allocation::Kind::device};
        if (variable.bytes > 0 && map(allocation, variable.offset))
            allocations_[allocation.address] = allocation;
    }
    return module.loaded;
}

const DescribedKernel& Runtime::describe(Kernel& kernel)
{
    const std::lock_guard lock(mutex_);
    if (!kernel.described) {
        const LoadedModule& module = load(*kernel.module);
        if (module.error.empty())
            kernel.described = ask<DescribedKernel>(Call::describe_kernel, DescribeKernel{module.number, kernel.name});
        else
            kernel.described = DescribedKernel{.error = module.error};
    }
    return *kernel.described;
}

const LoadedVariable* Runtime::variable(const void* symbol)
{
    const std::lock_guard lock(mutex_);
    const auto found = symbols_.find(symbol);
    if (found == symbols_.end())
        return nullptr;
    const LoadedModule& module = load(*found->second.module);
    for (const LoadedVariable& one : module.variables)
        if (one.name == found->second.name)
            return &one;
    return nullptr;
}

void Runtime::load_managed()
{
    const std::lock_guard lock(mutex_);
    for (auto& [host, symbol] : symbols_)
        if (symbol.managed != nullptr)
            if (const LoadedVariable* const one = variable(host))
                *symbol.managed = reinterpret_cast<void*>(one->address);
}

Error not_served(const char* function)
{
    Runtime::get().tell_once(std::string(function) +
                             " is not served without a GPU: it fails, and what the program does with it is left out.");
    return Runtime::get().result(not_supported);
}

} // namespace cudart

// Called by stand-ins for functions of other libraries, which are made when the program is linked (cuda/nvcc.cpp).
CUDART_API int gemmscope_not_served(const char* function)
{
    if (std::string_view(function).starts_with("cu"))
        cudart::not_served(function);
    else
        cudart::Runtime::get().tell_once(std::string(function) +
                                         " is in no file that is compiled here: it returns 1, as a failed function of "
                                         "CUDA does. Build the program with its libraries and trace it as a program.");
    return 1;
}
