// The GPU of one process: its memory, modules and launches, which the PTX machine runs. Answers the requests of
// protocol.h.
#pragma once

#include "cudart/protocol.h"
#include "ptx/machine.h"
#include "ptx/module.h"
#include "ptx/trace.h"
#include "recording/recording.h"
#include "traced/host_text.h"
#include "traced/request.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <regex>
#include <stop_token>
#include <string>
#include <vector>

namespace cudart {

// What to record of a program whose kernels run without a GPU.
struct LaunchChoice {
    std::string kernel; // regular expression to search for in the kernel's name; empty: any kernel
    // Records the n-th matching launch, starting at 1. With 0 records the launch that ranks first (traced/host_text.h).
    uint64_t launch = 1;
    bool list = false; // record nothing and only list the launches
    // The CUDA file that the program was made from. If empty, the PTX says where it is.
    std::filesystem::path source;
    std::optional<std::string> text; // text of `source`; if absent, the content on disk
    traced::Request request;         // blocks to record in full, limit of steps, include folders
    std::string compiler;            // compiler of the PTX: "nvcc"
};

// A launch, and all later launches with the same kernel and the same configuration.
struct SeenLaunch {
    std::string name; // demangled: "void scale<float>(float*, int)"
    recording::Launch launch;
    recording::Index3 cluster;
    recording::Resources resources; // registers is 0 if not known
    uint64_t first = 0;             // position of the earliest such launch in the program, from 1
    uint64_t first_of_name = 0;     // position among the launches of kernels with this name
    uint64_t count = 1;
    // Launches that ran. The others were skipped: each equals the launch before it, which had left memory unchanged.
    uint64_t executed = 0;
    uint64_t steps = 0;      // instructions of all these launches, counted by warp
    double milliseconds = 0; // time of all these launches in the PTX machine
};

struct RecordedLaunch {
    ptx::Traced traced;
    std::string name, kernel;  // "void scale<float>(float*, int)", "scale<float>"
    uint64_t shared_bytes = 0; // per block
    uint64_t number = 0;       // position among all launches, starting at 1
};

// What is known about a program so far: its launches, the recorded one, and failures. All of its processes that use CUDA
// share it.
class Session {
public:
    using Say = std::function<void(const std::string&)>;

    Session(const LaunchChoice& what, Say say) : wanted(what), tell(std::move(say)), kernel_(what.kernel) {}

    // Counts the launch if it matches. Returns whether it is, or may be, the launch to record.
    bool is_wanted(const SeenLaunch& launch)
    {
        const std::string& name = launch.name;
        std::string dense = name; // without blanks, as the user may type it: "sgemm<128,8>"
        std::erase(dense, ' ');
        const bool matches = std::regex_search(name, kernel_) || std::regex_search(dense, kernel_);
        if (wanted.list || !matches)
            return false;
        if (wanted.launch == 0)
            return may_tell_most(launch);
        return !recorded && ++matching_ == wanted.launch;
    }
    // Keeps this launch, unless the launch that was recorded earlier ranks higher.
    void take(RecordedLaunch made)
    {
        if (!recorded || traced::is_shown_instead(to_show(made), to_show(*recorded)))
            recorded = std::move(made);
    }
    // Adds a launch to the list. Equal launches share an entry.
    void add(SeenLaunch launch)
    {
        launch.first = ++count_;
        launch.first_of_name = 1;
        for (const SeenLaunch& one : launches)
            if (one.name == launch.name)
                launch.first_of_name += one.count;
        const auto same = std::ranges::find_if(launches, [&](const SeenLaunch& one) {
            return one.name == launch.name && one.launch == launch.launch && one.cluster == launch.cluster &&
                   one.resources == launch.resources;
        });
        if (same == launches.end()) {
            launches.push_back(std::move(launch));
            return;
        }
        ++same->count;
        same->executed += launch.executed;
        same->steps += launch.steps;
        same->milliseconds += launch.milliseconds;
    }
    uint64_t count() const { return count_; }
    void fail(const std::string& sentence) // reports a failed launch or function at once
    {
        failures.push_back(sentence);
        tell(sentence);
    }

    const LaunchChoice& wanted;
    const Say tell;
    std::vector<SeenLaunch> launches;
    std::vector<std::string> failures; // sentences
    // Says which launch was the first that failed, and why. Empty if no launch has failed.
    std::string failed_launch;
    std::optional<RecordedLaunch> recorded;

private:
    static traced::LaunchToShow to_show(const RecordedLaunch& made)
    {
        return {made.kernel, made.shared_bytes, static_cast<double>(made.traced.steps)};
    }
    // Returns whether the launch may rank first. How much work it does is known only after it has run. Because recording
    // takes longer than running, only the first launch of each kernel is considered, and the second one where the first
    // was small: that may have warmed up only.
    bool may_tell_most(const SeenLaunch& launch) const
    {
        constexpr uint64_t small = 100'000; // instructions of warps
        uint64_t earlier = 0;
        for (const SeenLaunch& one : launches)
            earlier += one.name == launch.name ? one.count : 0;
        const bool again =
            earlier > 1 ||
            (earlier == 1 && !(recorded && recorded->name == launch.name && recorded->traced.steps < small));
        const traced::LaunchToShow now{launch.name, launch.resources.shared_bytes_per_block, 0};
        return !again && (!recorded || traced::rank_of(now) >= traced::rank_of(to_show(*recorded)));
    }

    std::regex kernel_;
    uint64_t matching_ = 0, count_ = 0;
};

// The names of a launch, for sentences: "scale<float>, launch 3 of the program".
struct NamedLaunch {
    std::string demangled, kernel;
    uint64_t number = 0;
};

struct LoadedPtx {
    std::string ptx, cubin;
    ptx::Module module;
    std::size_t first_variable = 0;               // region of the module's first variable
    std::map<std::string, ptx::Program> programs; // by the kernel's name, made at its first launch
};

// A buffer or a variable, mapped so that both processes see its bytes.
struct Window {
    std::string name; // of a variable; empty for a buffer
    uint64_t bytes = 0, offset = 0;
    std::byte* shared = nullptr;
    bool writable = true, freed = false;
};

class Device {
public:
    explicit Device(Session& session); // throws kernels::Error if memory cannot be shared
    ~Device();
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    int memory() const { return memory_; } // file descriptor of the memory

    // Answers a request. Throws kernels::Cancelled, and std::runtime_error if the bytes are not a valid request.
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
    bool fetch_memory();  // copies what the host changed; returns whether it changed anything
    void return_memory(); // copies what the kernel changed
    void tell_of_many(uint64_t launches, double milliseconds);
    bool run(const LaunchKernel& question, const NamedLaunch& named, const std::stop_token& stop);
    bool record(const LaunchKernel& question, const NamedLaunch& named, const SeenLaunch& seen,
                const std::stop_token& stop);

    Session& session_;
    int memory_ = -1;
    uint64_t file_bytes_ = 0, allocated_ = 0;
    std::vector<Window> windows_;      // by number of region
    std::vector<ptx::Region> regions_; // contents of the windows after the last launch
    std::vector<std::unique_ptr<LoadedPtx>> modules_;
    // The last launch, if it left memory unchanged. Equal launches after it are skipped, as when a program times a
    // kernel.
    std::optional<std::string> without_effect_;
    uint64_t last_steps_ = 0;
    double busy_ms_ = 0; // time of all launches
};

} // namespace cudart
