// What is wanted of a program whose kernels run without a GPU, and what is known of it so far: its launches, the one that was recorded,
// sentences. All of its processes that use CUDA share it.
#pragma once

#include "ptx/trace.h"
#include "recording/recording.h"
#include "traced/request.h"
#include "traced/telling_launch.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <regex>
#include <stop_token>
#include <string>
#include <vector>

namespace cudart {

struct Wanted {
    std::string kernel;  // a regular expression that its name contains a match of; empty: any
    uint64_t launch = 1; // the how-many-th of those that match; 0: the one that tells most (traced/telling_launch.h)
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

    Session(const Wanted& what, Say say) : wanted(what), tell(std::move(say)), kernel_(what.kernel) {}

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

    const Wanted& wanted;
    const Say tell;
    std::vector<SeenLaunch> launches;
    std::vector<std::string> failures; // sentences
    std::optional<RecordedLaunch> recorded;

private:
    static traced::LaunchToShow to_show(const RecordedLaunch& made)
    {
        return {made.kernel, made.shared_bytes, static_cast<double>(made.traced.steps)};
    }
    // How much it does is known when it has run. Of each kernel the first launch is looked at, since recording takes longer than
    // running.
    bool may_tell_most(const SeenLaunch& launch) const
    {
        const bool again = std::ranges::find(launches, launch.name, &SeenLaunch::name) != launches.end();
        const traced::LaunchToShow now{launch.name, launch.resources.shared_bytes_per_block, 0};
        return !again && (!recorded || traced::rank_of(now) >= traced::rank_of(to_show(*recorded)));
    }

    std::regex kernel_;
    uint64_t matching_ = 0, count_ = 0;
};

} // namespace cudart
