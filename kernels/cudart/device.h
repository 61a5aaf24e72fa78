// The GPU of one process: its memory, its modules and its launches, which the PTX machine runs. It answers the questions of
// protocol.h.
#pragma once

#include "cudart/protocol.h"
#include "cudart/session.h"

#include "ptx/machine.h"
#include "ptx/module.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cudart {

// A launch in words, for sentences: "scale<float>, launch 3 of the program".
struct NamedLaunch {
    std::string demangled, kernel;
    uint64_t number = 0;
};

struct LoadedPtx {
    std::string ptx, cubin;
    ptx::Module module;
    std::size_t first_variable = 0;               // the region of its first one
    std::map<std::string, ptx::Program> programs; // by the kernel's name, made when it is launched first
};

// A buffer or a variable, where both processes see its bytes.
struct Window {
    std::string name; // of a variable; empty: a buffer
    uint64_t bytes = 0, offset = 0;
    std::byte* shared = nullptr;
    bool writable = true, freed = false;
};

class Device {
public:
    explicit Device(Session& session); // throws kernels::Error where there is no memory to share
    ~Device();
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    int memory() const { return memory_; } // a descriptor

    // Throws kernels::Cancelled, and std::runtime_error for what is no question.
    std::string answer(Call call, const std::string& bytes, const std::stop_token& stop);

private:
    LoadedModule load(const LoadModule& question);
    DescribedKernel describe(const DescribeKernel& question);
    Allocated allocate(uint64_t bytes, bool host_visible);
    void release(uint64_t address);
    Status launch(const LaunchKernel& question, const std::stop_token& stop);

    std::optional<std::size_t> add_window(Window window);
    const ptx::Program& program(LoadedPtx& module, const std::string& name);
    std::string refusal(const LaunchKernel& question, const ptx::Program& program, Status& status) const;
    bool fetch_memory();  // what the host changed; true: it changed something
    void return_memory(); // what the kernel changed
    bool run(const LaunchKernel& question, const NamedLaunch& named, const std::stop_token& stop);
    bool record(const LaunchKernel& question, const NamedLaunch& named, const SeenLaunch& seen,
                const std::stop_token& stop);

    Session& session_;
    int memory_ = -1;
    uint64_t file_bytes_ = 0, allocated_ = 0;
    std::vector<Window> windows_;      // by number of region
    std::vector<ptx::Region> regions_; // what they held when the last launch was through
    std::vector<std::unique_ptr<LoadedPtx>> modules_;
    // The last launch, where it left memory as it was: the same again does nothing, as when a program times a kernel.
    std::optional<std::string> without_effect_;
    uint64_t last_steps_ = 0;
};

} // namespace cudart
