// All that is shown, of one moment: what panels and views get. It never changes; another one takes its place when something
// did, and has another version.
#pragma once

#include "app/catalogue/catalogue.h"
#include "app/catalogue/shipped_launches.h"
#include "app/session/details.h"
#include "app/session/gpu_figures.h"
#include "app/session/programs.h"
#include "app/session/recordings.h"
#include "app/session/search.h"
#include "app/session/sources.h"
#include "app/session/stage_status.h"
#include "app/workspace/choice.h"

#include "viz/board.h"
#include "viz/stage_column.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace app {

using LadderPtr = std::shared_ptr<const std::vector<kernels::Stage>>;

// What the program knows of a compared stage beside what views get of it.
struct ColumnDetails {
    std::optional<std::size_t> in_ladder; // its place; none for a file's stage that the ladder has not
    bool shipped = false;                 // the recording was not made here
    bool busy = false;                    // it is being made or read
    kernels::ParameterValues parameters;  // of its stage, as it is shown
    CodePtr code;                         // of the recording; null until it is there
    CountersPtr counters;                 // likewise
    InstructionsPtr instructions;         // likewise
    RunPtr run;                           // of a source that ran; null: it is none
    std::string failed;                   // why the source as it is now did not run; empty: it did, or has not yet
};

// The main of the CUDA file that is shown.
struct MainState {
    MainAnswer answer = MainAnswer::none;
    bool busy = false;    // it is compiled or runs
    bool stopped = false; // by the user
    Progress progress;    // of one that is busy
    std::string failed;   // a sentence: why it came to nothing
    RunPtr run;           // what it did last, where it ran to an end; null: it did not yet
};

// A kernel of the CUDA file that is shown, where it is launched alone.
struct KernelAlone {
    bool can_change = false; // its launch, in a form
    traced::Request launch;  // as it was changed in the form; empty: as the text says
};

class Snapshot {
public:
    uint64_t version = 0;
    Choice choice;
    LadderPtr stages;
    std::vector<StageStatus> status;                // of each stage
    std::vector<kernels::ParameterValues> standard; // of each stage, where no others were chosen
    std::optional<MachineFacts> found;              // none while it is being looked for
    CataloguePtr catalogue;                         // empty until it is loaded
    bool measures = true;                           // stages are verified, and timed on a GPU, unasked
    bool loaded = false;                            // all that is shipped
    std::vector<viz::StageColumn> columns;          // what is shown: one stage, or those that are compared
    std::vector<ColumnDetails> details;             // of each of them
    std::vector<BaselineMeasurement> baselines;     // in the order of kernels::baselines(), at the size compared
    viz::Board board;
    std::optional<SearchState> searched;
    std::optional<ProgramState> traced;
    MainState main;
    KernelAlone alone;
    std::shared_ptr<const std::string> source;    // the text of the file that is worked on; null: none, or not read yet
    std::vector<FileVersionPtr> versions;         // of the source that is shown, oldest first
    std::filesystem::path versions_kept_in;       // on disk; empty: nowhere
    std::vector<std::filesystem::path> own_files; // a person's own sources
    std::filesystem::path own_folder;             // where they lie; empty: nowhere
    std::string notice;                           // what became of the last save or cancellation

    bool saving = false;
    bool counting = false, counting_instructions = false; // by the GPU
    bool looking = false;                                 // something beside a recording is being found out

    const std::vector<kernels::Stage>& ladder() const { return *stages; }
    std::optional<std::size_t> rung(std::string_view slug) const; // its place in the ladder; none: it is not there
    const StageStatus& stage(std::size_t index) const { return status[index]; }
    const MachineFacts* machine() const { return found ? &*found : nullptr; }
    bool gpu() const { return found && found->gpu(); }
    bool comparing() const { return columns.size() > 1; }
    // The columns from the left up to one whose recording is still being made: those that views can draw.
    std::span<const viz::StageColumn> recorded() const;
    bool derived() const; // nothing that views asked of the columns is still being computed
    std::optional<std::size_t> leading_rung() const { return details.front().in_ladder; } // of column 0
    bool shows_shipped(std::size_t column) const { return details[column].shipped; }
    const SearchState* search() const { return searched ? &*searched : nullptr; }
    const ProgramState* program() const { return traced ? &*traced : nullptr; } // null: its page is closed
    const ColumnDetails* of(const RecordingPtr& recording) const;               // null: no column shows it

    recording::Problem recorded_problem(std::size_t stage) const;
    recording::Problem timed_problem(std::size_t stage) const;
    const TimedRow* shipped_speed(std::size_t stage) const;
    const TimedRow* shipped_row(std::size_t stage, const kernels::ParameterValues& parameters) const;
    viz::Speed shipped_figures(std::size_t stage, const kernels::ParameterValues& parameters) const;
    viz::Speed shipped_figures(std::size_t stage) const { return shipped_figures(stage, status[stage].parameters); }
    bool is_tiny(std::size_t stage) const { return app::is_tiny(choice, ladder()[stage]); }
    // The rung that this one is compared with where no other was chosen: that which it builds on, else the last one before it
    // that does the same, else the next one; none: no other does.
    std::optional<std::size_t> rung_below(std::size_t stage) const;
    std::optional<double> cublas_gflops() const; // at the timed size

    bool busy() const; // a recording is being made or read
    bool settled() const { return found && !busy() && !saving; }
    bool measured() const; // every stage that is measured unasked was verified, and on a GPU timed, at least once
};
using SnapshotPtr = std::shared_ptr<const Snapshot>;

// What a snapshot is made of.
struct Known {
    const LadderPtr& ladder;
    const Choice& choice;
    const std::vector<kernels::ParameterValues>& parameters;            // in use, of each stage
    const std::vector<kernels::ParameterValues>& standard;              // of each stage, where no others were chosen
    std::array<kernels::ParameterValues, viz::most_columns> of_columns; // of the stage in each
    const MachineFacts* machine;                                        // null while it is being looked for
    const CataloguePtr& catalogue;
    const ShippedLaunches* launches; // null while they are being read
    const Recordings& recordings;
    const Measurements& measurements;
    const Details& details;
    const GpuFigures& gpu;
    const Search& search;
    const Programs& programs;
    const FileHistory& history;
    MainAnswer main;
    const std::shared_ptr<const viz::LibraryKernels>& library;
};

Snapshot make_snapshot(const Known& known);

} // namespace app
