// Which recording each column shows: asked for, kept, and taken when it is made or read.
#pragma once

#include "app/session/file_history.h"
#include "app/worker/task_queue.h"
#include "app/workspace/choice.h"

#include <deque>

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
    bool busy() const { return state == State::reading || state == State::recording; }
};

class Recordings {
public:
    Recordings(const std::vector<kernels::Stage>& ladder, TaskQueue& queue) : ladder_(ladder), queue_(queue) {}

    // None: the column shows nothing. Where `machine` is null, what is to be recorded waits for machine_found().
    void want(std::size_t column, const std::optional<WantedRecording>& wanted, const MachineFacts* machine);
    void machine_found(const MachineFacts& machine);
    void read_again(std::size_t column); // the file that it shows, which stays until the new one is there
    void forget();                       // what was made and kept, and what is shown, so that it is made anew
    void cancel();                       // what is being made
    bool receive(const Report& report);
    std::string take_notice() { return std::exchange(notice_, {}); } // what went wrong on the way, although it is shown

    const ShownRecording& shown(std::size_t column) const { return columns_[column].shown; }

private:
    struct Own {
        std::optional<WantedRecording> wanted;
        Ticket ticket = 0;
        bool submitted = false; // else it waits for the machine
        bool asks_shipped = false;
        ShownRecording shown;
    };
    struct Kept {
        WantedRecording wanted;
        ShownRecording shown;
    };

    void open(Own& own);
    void begin(Own& own, const MachineFacts& machine);
    void record(Own& own);
    void prepare_together();
    void take(Own& own, const Recorded& recorded);
    void fail(Own& own, const Failure& failure);
    const kernels::Stage& stage_of(const Own& own) const;

    const std::vector<kernels::Stage>& ladder_;
    TaskQueue& queue_;
    std::optional<MachineFacts> machine_;
    std::array<Own, viz::most_columns> columns_;
    std::deque<Kept> kept_; // newest first
    Ticket preparing_ = 0;
    std::string notice_;
};

} // namespace app
