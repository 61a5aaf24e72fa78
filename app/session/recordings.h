// Determines which recording each column shows. Requests it in each turn and shows the previous one while another one
// is made.
#pragma once

#include "app/data/catalogue.h"
#include "app/engine/engine.h"
#include "app/session/file_history.h"
#include "app/workspace/choice.h"

#include <array>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace app {

// What a column shows: a file, or a stage that is recorded as the task says or shipped in that form.
struct RecordingRequest {
    std::filesystem::path file = {}; // if not empty, only this file is shown
    RecordTask task = {};
    std::filesystem::path shipped = {};  // folder of shipped recordings that may be shown instead; empty: record here
    std::optional<RunFileTask> run = {}; // for a source file, which is run
    RunPtr made = {};                    // for a file version: its earlier run
    friend bool operator==(const RecordingRequest&, const RecordingRequest&) = default;
};
using RecordingRequests =
    std::array<std::optional<RecordingRequest>, viz::most_columns>; // empty: the column shows nothing

// Returns a stage of the ladder with its first block and the chosen block in full. `shipped` is the folder of shipped
// recordings.
RecordingRequest wanted_stage(const Choice& choice, const std::vector<kernels::Stage>& ladder, std::size_t index,
                              const kernels::ParameterValues& parameters, const std::filesystem::path& shipped);

struct ShownRecording {
    enum class State { none, reading, recording, cancelled, failed, ready };
    State state = State::none;
    Recorded recorded;    // keeps the old one of the same launch while another one is made
    bool shipped = false; // it was not made here
    std::string why;      // sentence, for `failed`
    RunPtr run;           // last run of a source; stays if the current text fails
    Progress progress;    // valid while it is busy
    bool busy() const { return state == State::reading || state == State::recording; }
};

class Recordings {
public:
    Recordings(const std::vector<kernels::Stage>& ladder, Engine& engine) : ladder_(ladder), engine_(engine) {}

    // Requests the wanted recordings. Call it in each turn. Recording waits while `machine` is null.
    void turn(const RecordingRequests& wanted, const MachineFacts* machine);
    void read_again(std::size_t column); // reads the shown file again and shows the old content until then
    // Makes the column read its next file even if it is the same one.
    void leave(std::size_t column) { columns_[column] = {}; }
    void forget(); // discards made and shown recordings, so that they are made again
    void cancel(); // cancels recordings in progress
    // Returns problems that did not prevent showing a recording.
    std::string take_notice() { return std::exchange(notice_, {}); }

    const ShownRecording& shown(std::size_t column) const { return columns_[column].shown; }

private:
    struct Own {
        std::optional<RecordingRequest> wanted;
        OpenTask shipped;      // may be shown instead
        bool given_up = false; // canceled before it was requested
        ShownRecording shown;
    };

    void want(Own& own, const std::optional<RecordingRequest>& wanted);
    std::optional<ShownRecording> look(const Own& own, const MachineFacts* machine);
    std::optional<ShownRecording> look_shipped(const Own& own, const std::string& why_not);
    void prepare_together(std::span<const Own* const> recorded);
    OpenTask shipped_one(const RecordingRequest& wanted) const;

    const std::vector<kernels::Stage>& ladder_;
    Engine& engine_;
    std::array<Own, viz::most_columns> columns_;
    std::set<std::string> told_; // problems of shipped recordings that were already reported
    std::string notice_;
};

// Details that complement a recording: what the compiler made of its stage, and what the GPU counted.

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
