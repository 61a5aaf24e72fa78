// Records one launch of the program that it is injected into, and writes the result to the request's folder. The
// program continues normally. Modules with a kernel of the wanted name are patched when they are loaded, and stay
// patched. They cannot be patched later: patching waits for a lock that the driver holds inside the program's
// cuLaunchKernel.
#pragma once

#include "injection/injected/kernel_arguments.h"
#include "injection/injected/memory_copies.h"
#include "injection/injected/sanitizer_api.h"
#include "injection/request.h"
#include "injection/trace_format.h"

#include <map>
#include <mutex>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace injection {

class Recorder {
public:
    // Throws std::runtime_error if there is no Sanitizer API, if another tool uses it, or if the expression is invalid.
    Recorder(const Request& request, std::filesystem::path folder);

private:
    struct Module { // a patched module
        std::string cubin;
    };
    // The launch that is recorded, from its begin to its end.
    struct Recorded {
        LaunchData launch; // its member `name` is valid only when the launch begins
        std::string name;
        bool in_graph;
        Handle stream() const { return in_graph ? launch.graph_stream_handle : launch.stream_handle; }
    };
    // Memory on the GPU for the recorded launch.
    struct Memory {
        Trace trace{};
        void* on_gpu = nullptr;
    };

    static void called(void* self, Domain domain, uint32_t id, const void* what);
    void driver(const CallData& call);
    void resource(uint32_t id, const void* what);
    void graph(uint32_t id, const void* what);
    void begins(const LaunchData& launch, bool in_graph);
    void ends(const LaunchData& launch);
    void ended();

    bool matches(const std::string& name) const; // `name` is mangled
    bool has_wanted_kernel(std::string_view cubin) const;
    bool wanted(const LaunchData& launch);
    void patch(Handle context, Handle module);
    void prepare(const Recorded& recorded);
    void copy_before(const Recorded& recorded);
    void copy_after(const Recorded& recorded, const std::vector<InstructionTotals>& totals);
    std::vector<ArgumentWord> arguments(const Recorded& recorded) const; // empty if they are not known
    MemoryCopies::Copy copying(const Recorded& recorded) const;
    void save(const Recorded& recorded);
    void release(Handle context);
    void fail(const std::string& sentence);

    const Request request_;
    const std::filesystem::path folder_;
    const SanitizerApi api_;
    const std::regex kernel_;
    std::recursive_mutex mutex_; // launches may come from several threads, and the API calls back within its own calls
    std::map<Handle, Module> modules_;
    Allocations allocations_;
    std::map<std::thread::id, const void* const*> arguments_; // of the calls that launch kernels now
    std::set<Handle> has_patches_;                            // contexts
    uint64_t matches_ = 0;
    bool done_ = false;
    std::optional<Recorded> recorded_;
    bool uploads_ = false; // the current graph is only uploaded to the GPU, not run
    Memory memory_;
    MemoryCopies copies_;
    Fields facts_;
    uint64_t grid_blocks_ = 0;
};

} // namespace injection
