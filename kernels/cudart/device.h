// The GPU of one process: its memory, its modules and its launches, which the PTX machine runs. It answers the
// questions of protocol.h.
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

// What is wanted of a program whose kernels run without a GPU, and what is known of it so far: its launches, the one
// that was recorded, sentences. All of its processes that use CUDA share it.

struct LaunchChoice {
    std::string kernel;  // a regular expression that its name contains a match of; empty: any
    uint64_t launch = 1; // the how-many-th of those that match; 0: the one that tells most (traced/host_text.h)
    bool list = false;   // nothing is recorded, all launches run
    std::filesystem::path source;    // the CUDA file that the program was made of; empty: where its PTX says it is
    std::optional<std::string> text; // of `source`; none: as it lies there
    traced::Request request;         // blocks to keep in full, steps, folders of headers
    std::string compiler;            // of the PTX: "nvcc"
};

struct SeenLaunch {   // and those after it that are the same but for what memory held
    std::string name; // demangled: "void scale<float>(float*, int)"
    recording::Launch launch;
    recording::Index3 cluster;
    recording::Resources resources; // registers 0: not known
    uint64_t first = 0;             // the how-many-th of the program it is, from 1
    uint64_t first_of_name = 0;     // and among those of kernels of this name
    uint64_t count = 1;
    uint64_t executed = 0;   // the others were as the one before, which had left memory as it was
    uint64_t steps = 0;      // instructions of warps, of all of them
    double milliseconds = 0; // of the PTX machine, likewise
};

struct RecordedLaunch {
    ptx::Traced traced;
    std::string name, kernel;  // "void scale<float>(float*, int)", "scale<float>"
    uint64_t shared_bytes = 0; // of a block
    uint64_t number = 0;       // the how-many-th launch of the program
};

class Session {
public:
    using Say = std::function<void(const std::string&)>;

    Session(const LaunchChoice& what, Say say) : wanted(what), tell(std::move(say)), kernel_(what.kernel) {}

    // Counts a launch of that name; true: it is the one to record, or may be.
    bool is_wanted(const SeenLaunch& launch)
    {
        const std::string& name = launch.name;
        std::string dense = name; // "sgemm<128, 8>", as it may be typed without the blank
        std::erase(dense, ' ');
        const bool matches = std::regex_search(name, kernel_) || std::regex_search(dense, kernel_);
        if (wanted.list || !matches)
            return false;
        if (wanted.launch == 0)
            return may_tell_most(launch);
        return !recorded && ++matching_ == wanted.launch;
    }
    // Takes what was recorded, unless what there is already tells more.
    void take(RecordedLaunch made)
    {
        if (!recorded || traced::is_shown_instead(to_show(made), to_show(*recorded)))
            recorded = std::move(made);
    }
    // A launch that is like one before is counted with it.
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
    void fail(const std::string& sentence) // of a launch or a function; told at once
    {
        failures.push_back(sentence);
        tell(sentence);
    }

    const LaunchChoice& wanted;
    const Say tell;
    std::vector<SeenLaunch> launches;
    std::vector<std::string> failures; // sentences
    std::optional<RecordedLaunch> recorded;

private:
    static traced::LaunchToShow to_show(const RecordedLaunch& made)
    {
        return {made.kernel, made.shared_bytes, static_cast<double>(made.traced.steps)};
    }
    // How much it does is known when it has run. Of each kernel the first launch is looked at, since recording takes
    // longer than running.
    bool may_tell_most(const SeenLaunch& launch) const
    {
        const bool again = std::ranges::find(launches, launch.name, &SeenLaunch::name) != launches.end();
        const traced::LaunchToShow now{launch.name, launch.resources.shared_bytes_per_block, 0};
        return !again && (!recorded || traced::rank_of(now) >= traced::rank_of(to_show(*recorded)));
    }

    std::regex kernel_;
    uint64_t matching_ = 0, count_ = 0;
};

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
    void tell_of_many(uint64_t launches, double milliseconds);
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
    double busy_ms_ = 0; // that all launches took
};

} // namespace cudart
