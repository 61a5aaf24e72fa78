// What is known of a choice, and asking for more. Used from the window's thread alone; the work is done on others. Nothing here
// waits.
//
// In each turn, which follows whatever has changed, all that is wanted is asked of the engine again, by turn(); what is shown is made
// of its answers, by snapshot().
#pragma once

#include "app/session/engine.h"
#include "app/session/file_watch.h"
#include "app/session/programs.h"
#include "app/session/session_options.h"
#include "app/session/session_workers.h"
#include "app/session/snapshot.h"
#include "app/session/sources.h"
#include "app/worker/background.h"
#include "app/workspace/history.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace app {

class Session {
public:
    // Throws kernels::Error naming the valid slugs.
    explicit Session(SessionOptions options);
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;
    ~Session();

    // Takes what tasks report; true when something shown has changed.
    bool poll();
    // Of now. The same one until something changes.
    SnapshotPtr snapshot();

    // Works for this choice from now on. First it applies to it what follows from what the session was asked for and found out, such
    // as a file that is opened or a search's winner; those are changes in the history where a person may want to undo them.
    void follow(Choice& choice, History& history);

    // Choices that need the session; they are in force from the next follow().
    void open(const std::filesystem::path& file);
    // A stage of the ladder, as a file of one's own that is shown from then on.
    void edit_copy(std::size_t stage) { show_made(sources_.copy((*ladder_)[stage])); }
    // A new file of one's own with the text of a sample kernel; it is shown from then on.
    void begin_kernel(const kernels::Sample& sample) { show_made(sources_.begin(sample)); }
    // The source that is shown: this is its text now, which is saved and run.
    void write_source(const std::string& text);
    void open_in_editor(uint32_t line);                // the person's own
    void go_back_to(const FileVersion& version);       // its text and its parameters are those of the file again
    void record_again();                               // here, also where a recording is shipped
    void record_block(const recording::Index3& block); // records it in full, here, also where a recording is shipped
    void cancel();                                     // the recordings being made
    void save();                                       // the first recording, into the current directory
    void clear_notice();

    // Another worker from now on. What the one before made is forgotten, but for what files hold, and for its speeds, which are
    // shown again with its device.
    void use_worker(const WorkerAt& at);
    WorkerAt worker() const { return workers_.at(); }

    void search_parameters(std::size_t stage);   // for the fastest, on a GPU; they are then in use and remembered
    void show_shipped_search(std::size_t stage); // beside one that runs, nothing
    void leave_search();                         // stops it, or closes what it found
    // Another program's kernels: their page, the list, the recording, which is kept and shown.
    void look_at_programs(const std::function<void(Programs&)>& wish);
    void measure_gpu(); // in the background; nothing where there is none
    void stop_measuring_gpu() { gpu_.stop(); }

    // What belongs to a recording, once it is wanted: see ColumnDetails. Instructions are counted only where that costs nothing.
    void want(Detail detail, const RecordingPtr& recording);
    void ask_again(Detail detail, const RecordingPtr& recording); // also where it costs something
    void count_shown(); // has the GPU count what the recordings shown did; nothing where there is none
    void stop_looking() { details_.cancel(), changed(); }

private:
    struct Proposal { // of another choice
        ChoiceEdit edit;
        bool undoable = true;
    };
    void propose(ChoiceEdit edit, bool undoable = true);
    bool shows_forbidden_file(const Choice& choice) const;
    bool refuse_visitor(); // tells a visitor that it is not possible
    std::vector<std::size_t> recordable_here();
    void changed() { stale_ = true, options_.wake(); }
    void turn();
    WantedRecordings wanted() const;
    void show_made(const std::optional<std::filesystem::path>& file);
    kernels::ParameterValues parameters_of(std::size_t column) const; // of its stage
    void take_version();
    std::vector<kernels::Job> timed_jobs() const;
    void change_machine(MachinePtr found);
    void use_tuned();
    void renew_library();
    void catalogue_loaded();
    void take_notices();
    void take_winner();

    LadderPtr ladder_;
    SessionOptions options_;
    Choice choice_; // that is followed: the owner's, as it was last
    std::vector<Proposal> proposed_;
    std::vector<kernels::ParameterValues> standard_; // of each stage, where no others were chosen
    std::vector<kernels::ParameterValues> in_use_;
    recording::Problem tuned_for_; // the size that the standards are for
    CataloguePtr catalogue_;
    std::shared_ptr<const viz::LibraryKernels> library_;                // shipped, or traced here
    std::tuple<CataloguePtr, MachinePtr, std::size_t> library_made_of_; // the last: how many baselines
    MachinePtr machine_;                                                // null while it is being looked for
    WorkerAt machine_of_;                                               // whose machine that is
    bool loaded_ = false, launches_loaded_ = false;
    std::optional<std::size_t> shows_search_of_; // once the catalogue is loaded
    std::string notice_;
    bool stale_ = true;    // something has changed: a turn is due
    SnapshotPtr snapshot_; // null: it is to be made anew
    // Of each column, whatever snapshot it is in.
    std::array<std::shared_ptr<viz::Memo>, viz::most_columns> memos_{
        std::make_shared<viz::Memo>(), std::make_shared<viz::Memo>(), std::make_shared<viz::Memo>()};
    uint64_t version_ = 0;

    // The threads end first: what they use stands above them, and they report to poll() alone.
    std::shared_ptr<SeenSource> seen_ = std::make_shared<SeenSource>();
    SessionWorkers workers_;
    Engine engine_;
    Background<CataloguePtr> catalogue_loader_;
    Background<ShippedLaunches> launches_;
    Recordings recordings_;
    FileWatch watch_; // of the CUDA file that is shown
    Measurements measurements_;
    Details details_;
    GpuFigures gpu_;
    Search search_;
    Programs programs_;
    std::optional<SaveTask> saving_; // the first column's recording is being written to a file
    Sources sources_;
};

} // namespace app
