// Which recording each column shows: asked for in each turn, and the one before while another is made.
#pragma once

#include "app/session/engine.h"
#include "app/session/file_history.h"
#include "app/workspace/choice.h"

#include <array>
#include <set>
#include <span>
#include <string>
#include <utility>

namespace app {

// What a column is to show: a file, or a stage recorded as the task says or shipped so.
struct WantedRecording {
    std::filesystem::path file = {}; // not empty: this and nothing else
    RecordTask task = {};
    std::filesystem::path shipped = {};  // folder of what may be shown instead; empty: it is recorded here
    std::optional<RunFileTask> run = {}; // of a file that is no recording but a source, and is run
    RunPtr made = {};                    // of a file: this is what it did
    friend bool operator==(const WantedRecording&, const WantedRecording&) = default;
};
using WantedRecordings =
    std::array<std::optional<WantedRecording>, viz::most_columns>; // none: the column shows nothing

// A stage of the ladder, its first block in full and the one that is chosen. `shipped`: where recordings are shipped.
WantedRecording wanted_stage(const Choice& choice, const std::vector<kernels::Stage>& ladder, std::size_t index,
                             const kernels::ParameterValues& parameters, const std::filesystem::path& shipped);

struct ShownRecording {
    enum class State { none, reading, recording, cancelled, failed, ready };
    State state = State::none;
    Recorded recorded;    // while another one is made the old one stays, where it is of the same launch
    bool shipped = false; // it was not made here
    std::string why;      // of `failed`: a sentence
    RunPtr run;           // of a source that ran; it stays, where the source as it is now cannot
    Progress progress;    // of one that is busy
    bool busy() const { return state == State::reading || state == State::recording; }
};

class Recordings {
public:
    Recordings(const std::vector<kernels::Stage>& ladder, Engine& engine) : ladder_(ladder), engine_(engine) {}

    // In each turn. What is to be recorded waits while `machine` is null.
    void turn(const WantedRecordings& wanted, const MachineFacts* machine);
    void read_again(std::size_t column); // the file that it shows, which stays until the new one is there
    // What the column shows next is read, also where it is the same file.
    void leave(std::size_t column) { columns_[column] = {}; }
    void forget(); // what was made and kept, and what is shown, so that it is made anew
    void cancel(); // what is being made
    std::string take_notice() { return std::exchange(notice_, {}); } // what went wrong on the way, although it is shown

    const ShownRecording& shown(std::size_t column) const { return columns_[column].shown; }

private:
    struct Own {
        std::optional<WantedRecording> wanted;
        OpenTask shipped;      // what may be shown instead
        bool given_up = false; // before it was asked for
        ShownRecording shown;
    };

    void want(Own& own, const std::optional<WantedRecording>& wanted);
    std::optional<ShownRecording> look(const Own& own, const MachineFacts* machine);
    std::optional<ShownRecording> look_shipped(const Own& own, const std::string& why_not);
    void prepare_together(std::span<const Own* const> recorded);
    OpenTask shipped_one(const WantedRecording& wanted) const;

    const std::vector<kernels::Stage>& ladder_;
    Engine& engine_;
    std::array<Own, viz::most_columns> columns_;
    std::set<std::string> told_; // of what is shipped and cannot be read: once
    std::string notice_;
};

} // namespace app
