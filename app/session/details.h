// What can be had beside a recording: what the compiler made of its stage, and what the GPU counted of it.
#pragma once

#include "app/catalogue/catalogue.h"
#include "app/session/engine.h"

#include <array>
#include <map>
#include <memory>
#include <span>
#include <vector>

namespace app {

using CodePtr = std::shared_ptr<const ExamineResult>;
using CountersPtr = std::shared_ptr<const CountedLaunch>;
using InstructionsPtr = std::shared_ptr<const CountedInstructions>;

enum class Detail { code, counters, instructions }; // of a recording

class Details {
public:
    Details(const std::vector<kernels::Stage>& ladder, Engine& engine) : ladder_(ladder), engine_(engine) {}

    // In each turn: asks for what is wanted of the recordings that are shown. Without a GPU, counters are the catalogue's; null: it
    // is not loaded yet.
    void turn(const MachineFacts* machine, CataloguePtr catalogue, std::span<const RecordingPtr> shown);

    // From now on, in place of what was wanted of another recording; instructions only where what is shipped costs nothing.
    // Whether that changes anything.
    bool want(Detail detail, const RecordingPtr& recording);
    // Counts anew what the GPU counts; counters after those of another recording, for both are compared.
    void count_again(Detail detail, const RecordingPtr& recording);
    void cancel() { wanted_ = {}, again_.clear(); } // all that is under way

    // Null while it is not known.
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
    std::array<std::vector<RecordingPtr>, 3> wanted_; // of each detail
    std::vector<RecordingPtr> again_; // asked for by a key: these are counted also where they are not shown any more
    mutable std::map<std::pair<Detail, RecordingPtr>, std::shared_ptr<const void>>
        failed_; // parts that say why they are missing
};

} // namespace app
