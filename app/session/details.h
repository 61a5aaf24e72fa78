// Details that complement a recording: what the compiler made of its stage, and what the GPU counted.
#pragma once

#include "app/data/catalogue.h"
#include "app/engine/engine.h"

#include <array>
#include <map>
#include <memory>
#include <span>
#include <vector>

namespace app {

using CodePtr = std::shared_ptr<const ExamineResult>;
using CountersPtr = std::shared_ptr<const CountedLaunch>;
using InstructionsPtr = std::shared_ptr<const CountedInstructions>;

enum class Detail { code, counters, instructions }; // details of a recording

class Details {
public:
    Details(const std::vector<kernels::Stage>& ladder, Engine& engine) : ladder_(ladder), engine_(engine) {}

    // Requests the wanted details of the shown recordings. Call it in each turn. Without a GPU the counters come from
    // the catalogue; null: it is not loaded yet.
    void turn(const MachineFacts* machine, CataloguePtr catalogue, std::span<const RecordingPtr> shown);

    // Requests a detail of this recording instead of another recording's. Instructions are requested only if that costs
    // nothing, because they are shipped. Returns whether this changes anything.
    bool want(Detail detail, const RecordingPtr& recording);
    // Counts again on the GPU. Keeps the counters of other recordings, because a comparison shows both.
    void count_again(Detail detail, const RecordingPtr& recording);
    void cancel() { wanted_ = {}, again_.clear(); } // cancels everything in progress

    // Return null while the answer is unknown.
    CodePtr code_of(const RecordingPtr& recording) const;
    CountersPtr counters_of(const RecordingPtr& recording) const;
    InstructionsPtr instructions_of(const RecordingPtr& recording) const;
    bool counting() const { return busy(Detail::counters); }
    bool counting_instructions() const { return busy(Detail::instructions); }
    bool busy() const { return busy(Detail::code) || counting() || counting_instructions(); }

private:
    std::vector<RecordingPtr>& wanted(Detail detail) { return wanted_[static_cast<std::size_t>(detail)]; }
    bool busy(Detail detail, const RecordingPtr& recording) const;
    template <class Part, Request R>
    std::shared_ptr<const Part> part_of(const R& request, Detail detail, const auto& part) const;
    bool is_shown(const RecordingPtr& recording) const;
    bool busy(Detail detail) const;

    const std::vector<kernels::Stage>& ladder_;
    Engine& engine_;
    CataloguePtr catalogue_;
    bool gpu_ = false, found_ = false;
    std::vector<RecordingPtr> shown_;
    std::array<std::vector<RecordingPtr>, 3> wanted_; // indexed by Detail
    std::vector<RecordingPtr> again_; // requested by a key: these are counted even if they are no longer shown
    mutable std::map<std::pair<Detail, RecordingPtr>, std::shared_ptr<const void>>
        failed_; // parts that only hold the reason why they are missing
};

} // namespace app
