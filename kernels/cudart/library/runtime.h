// What the stand-in knows of the program that it runs in: its connection to gemmscope, its memory, its modules, the error that
// comes next. One object for the process, as CUDA's runtime is; it is never destroyed, since programs call the runtime until their
// last destructor.
#pragma once

#include "cudart/library/types.h"
#include "cudart/protocol.h"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace cudart {

struct Allocation {
    enum class Kind { device, managed, pinned, registered };
    uint64_t address = 0, bytes = 0;
    char* host = nullptr; // where this process sees the bytes
    Kind kind = Kind::device;
};

struct Module {
    std::string ptx, cubin;
    std::string no_code; // a sentence: it has no PTX that can be read
    bool asked = false;
    LoadedModule loaded;
};

struct Kernel {
    Module* module = nullptr;
    std::string name;
    std::optional<DescribedKernel> described;
    uint64_t most_dynamic_shared = 48 * 1024; // until cudaFuncSetAttribute allows more
};

struct Symbol {
    Module* module = nullptr;
    std::string name;
    void** managed = nullptr; // the host's pointer to it, which is set once its address is known
};

class Runtime {
public:
    static Runtime& get();

    // What CUDA's functions return: it is what cudaGetLastError gives next, and where it is a fault of a kernel, what all others give.
    Error result(Error error);
    Error take_last_error();
    Error last_error() const;
    void fail_for_good(Error error) { sticky_ = error; }
    Error sticky() const { return sticky_; }

    // Throws nothing: where gemmscope is gone, the process ends.
    template <class Reply, class Question>
    Reply ask(Call call, const Question& question)
    {
        return unpacked<Reply>(exchange(call, packed(question)));
    }
    void tell(const std::string& words);      // a sentence for whoever started the program
    void tell_once(const std::string& words); // the first time

    Error allocate(void** to, std::size_t bytes, Allocation::Kind kind);
    Error release(const void* pointer);
    void register_host(void* pointer, std::size_t bytes);
    const Allocation* allocation_of(const void* pointer);
    uint64_t allocated() const { return allocated_; }

    void** add_module(const void* fat_binary);
    void add_kernel(void** module, const void* host, const char* name);
    void add_symbol(void** module, const void* host, const char* name, void** managed);
    Kernel* kernel(const void* host); // by the address of its host function, or by itself; null: there is none
    const DescribedKernel& describe(Kernel& kernel); // once
    const LoadedVariable* variable(const void* symbol);
    void load_managed(); // symbols that the host reads without asking

private:
    Runtime() = default;
    std::string exchange(Call call, const std::string& bytes);
    void connect();
    bool map(Allocation& allocation, uint64_t offset);
    const LoadedModule& load(Module& module);

    std::recursive_mutex mutex_;
    int socket_ = -1, memory_ = -1;
    Error sticky_ = success;
    std::vector<std::string> told_;
    std::map<uint64_t, Allocation> allocations_;
    std::vector<std::unique_ptr<Module>> modules_;
    std::map<const void*, std::unique_ptr<Kernel>> kernels_;
    std::map<const void*, Symbol> symbols_;
    uint64_t allocated_ = 0;
};

inline Error good()
{
    return Runtime::get().result(success);
}

// A function that is not served: it is told by its name, and fails.
Error not_served(const char* function);

// Work of a stream: done at once, or kept where the stream is being captured to a graph.
using Work = std::function<Error()>;
Error submit(void* stream, Work work);

// A node of a graph that a program builds by itself: what `work` gives to that stream. A graph's work is done in the order in which its
// nodes were added, in which each comes after those that it depends on.
Error add_node(void** node, void* graph, const std::function<Error(void* stream)>& work);

// Launches with the arguments as they are now, and what a launch says.
struct Launch {
    dim3 grid, block, cluster{0, 0, 0};
    std::size_t shared_bytes = 0;
    void* stream = nullptr;
    bool cooperative = false;
};
Error launch(const void* function, const Launch& launch, void** arguments);

} // namespace cudart
