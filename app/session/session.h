// What the window shows and asks for: the ladder, the chosen stages with their recordings, sizes and parameters.
// All of it is used from the window's thread alone; the work is done by two threads of its own and comes back through
// poll(). Nothing here waits.
#pragma once

#include "app/catalogue/catalogue.h"
#include "app/catalogue/recordings.h"
#include "app/catalogue/tuned.h"
#include "app/session/gpu_prober.h"
#include "app/session/inside.h"
#include "app/session/measurer.h"
#include "app/session/recorder.h"
#include "app/session/rung.h"
#include "app/session/shelf.h"
#include "app/session/tuner.h"

#include "viz/view.h"

#include <array>
#include <deque>
#include <filesystem>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace app {

struct SessionOptions {
    std::string first = "vectorized", second;  // slugs; second empty: no comparison
    std::optional<std::string> backend;        // "cuda", "cpu"; default: the best there is
    std::optional<std::filesystem::path> file; // shown as the first instead of a recording made here
    std::filesystem::path shipped;             // see shipped_folder(); empty: nothing is shipped
    std::function<void()> wake = [] {};        // called from other threads when poll() has something to take
    std::filesystem::path tuned = TunedFile::usual_path();
    BackendFactories factories;
};

// Matrices are recorded small and timed large; vector_add counts elements instead, thread_coords is recorded smaller.
struct Sizes {
    recording::Problem recorded{.M = 128, .N = 128, .K = 128};
    recording::Problem timed{.M = 4096, .N = 4096, .K = 4096}; // alpha, beta as in `recorded`
    recording::Problem recorded_threads{.M = 6, .N = 4};
    uint32_t recorded_elements = 1000, timed_elements = 1u << 24;
};

inline constexpr uint32_t largest_recorded = 1024, largest_timed = 32768; // sides
inline constexpr uint32_t largest_recorded_elements = 1u << 20, largest_timed_elements = 1u << 28;

class Session {
public:
    // Throws kernels::Error naming the valid slugs.
    explicit Session(SessionOptions options);

    // Takes what the threads have finished; true when something shown has changed.
    bool poll();

    const std::vector<kernels::Stage>& ladder() const { return ladder_; }
    const Rung& rung(std::size_t stage) const { return rungs_[stage]; }
    const Machine* machine() const { return opened_ ? &future_.get() : nullptr; } // null while it is being opened
    std::optional<double> cublas_gflops() const { return cublas_gflops_; }        // at the timed size
    // In the order of kernels::baselines(); without result and words where nothing is known yet.
    const std::vector<BaselineMeasurement>& baselines() const { return baselines_; }
    const Sizes& sizes() const { return sizes_; }
    recording::Problem recorded_problem(std::size_t stage) const;
    recording::Problem timed_problem(std::size_t stage) const;

    const viz::Subject& first() const { return shown_[0].subject; }
    const viz::Subject* second() const { return comparing_ ? &shown_[1].subject : nullptr; }
    std::optional<std::size_t> first_stage() const { return shown_[0].stage; }
    std::optional<std::size_t> second_stage() const { return comparing_ ? shown_[1].stage : std::nullopt; }
    const std::optional<std::filesystem::path>& file() const { return file_; } // of the first, when it is from a file
    const ShippedSpeeds& shipped_speeds() const { return shipped_speeds_; }
    const TimedRow* shipped_speed(std::size_t stage) const; // null: none with its parameters
    bool shows_shipped(Slot slot) const { return shown_[static_cast<std::size_t>(slot)].shipped; }
    bool recorded_instead(std::size_t stage) const; // a recording is shipped, but one made here was asked for
    recording::Index3 wanted_block() const { return wanted_block_; }
    bool shelf_settled() const { return shelf_.settled(); } // what is shipped of all stages has been read
    bool busy() const;                                      // a recording is being made or read
    bool settled() const;  // no recording or file is under way, and where to run is known
    bool measured() const; // every stage was verified, and on a GPU timed, at least once
    const std::string& notice() const { return notice_; } // what became of the last save or cancellation
    void clear_notice() { notice_.clear(); }

    void choose(std::size_t stage);
    void compare(std::optional<std::size_t> stage); // none: stop comparing
    // The rung that this one builds on; none: it begins something.
    std::optional<std::size_t> rung_below(std::size_t stage) const;
    void swap(); // first and second change places; not with a file
    void set_sizes(const Sizes& sizes);
    void set_parameters(std::size_t stage, const kernels::ParameterValues& values);
    void set_block(recording::Index3 block);   // recorded beside block (0,0)
    void search_parameters(std::size_t stage); // for the fastest, on a GPU; they are then in use and remembered
    const SearchState* search() const { return search_ ? &*search_ : nullptr; } // null: none to show
    bool has_shipped_search(std::size_t stage) const;
    void show_shipped_search(std::size_t stage);                     // beside one that runs, nothing
    void leave_search();                                             // stops it, or closes what it found
    viz::Board board();                                              // of the moment
    const viz::LibraryKernels& library() const { return *library_; } // what cuBLAS launches
    void measure_gpu();                                              // in the background; nothing where there is none
    void stop_measuring_gpu() { prober_.cancel(); }
    // What belongs to a recording that is shown; null until it is there. Asking for it begins it.
    CodePtr code_of(const RecordingPtr& recording);
    CountersPtr counters_of(const RecordingPtr& recording);
    void count_shown(); // has the GPU count what the recordings shown did; nothing where there is none
    void count_again(const RecordingPtr& recording) { counters_.forget(recording); }
    // Null until they are counted, which a GPU does when asked to: it runs a kernel with more code in it.
    InstructionsPtr instructions_of(const RecordingPtr& recording);
    void count_instructions_of(const RecordingPtr& recording);
    const std::string& why_no_shipped_search() const { return shipped_searches_.missing; } // see ShippedSearches
    const viz::Provenance& gpu_from() const { return gpu_from_; } // what was measured of it; no device: nothing was
    bool counting_instructions() const { return instructions_.busy(); }
    bool looking_inside() const { return codes_.busy() || counters_.busy() || instructions_.busy(); }
    void stop_looking();
    void record_again(); // here, also where a recording is shipped
    void show_shipped(std::size_t stage);
    void cancel(); // the recordings being made
    void open(const std::filesystem::path& path);
    void save(); // the first recording, into the current directory

private:
    struct Shown {
        std::optional<std::size_t> stage; // into the ladder; none for a file's stage that the ladder has not
        viz::Subject subject;
        std::optional<uint64_t> ticket; // of the recording being made
        RecordTask task;                // what is shown or being made
        bool shipped = false;           // the recording was not made here
    };
    struct Kept {
        RecordTask task;
        RecordingPtr recording;
        bool shipped = false;
    };

    struct TimedAt { // on this machine
        std::string slug;
        kernels::ParameterValues parameters;
        viz::SpeedAt speed;
    };

    struct Counted { // of a recording that is shown: kept, for it takes longer than a frame has
        RecordingPtr recording;
        viz::Traffic traffic;
        std::optional<viz::ReuseTile> tile;
    };

    void remember_speed(std::string slug, const kernels::ParameterValues& parameters, viz::SpeedAt speed);
    std::vector<viz::SpeedAt> speeds_of(std::string_view slug, const kernels::ParameterValues& parameters) const;
    void add_counters(std::size_t stage, viz::RungFacts& facts) const;
    viz::RungFacts facts_of(std::size_t stage) const;
    void look_at_shown();
    viz::GpuState gpu_state() const;
    void find_gpu_facts();
    bool receive_probe();
    void show(Slot slot, std::size_t stage);
    void request(Slot slot, bool keep_shown);
    RecordTask task_for(std::size_t stage) const;
    void receive(Outcome outcome);
    void receive(const Measurement& measurement);
    void receive_file(Outcome outcome);
    void receive(BaselineMeasurement measurement);
    void receive_kernels(const BaselineMeasurement& measurement);
    void find_library();
    bool receive_search();
    void use_tuned();
    void blank_baselines();
    recording::Problem compared_problem() const; // that of the rungs which multiply, and of the baselines
    void machine_opened();
    void blank_rungs(); // their parameters stay
    void measure();
    void refresh_speeds();
    viz::Speed speed_of(std::size_t stage) const; // as measured; where there is no GPU the words name what is shipped
    viz::ShippedFigures shipped_figures(std::size_t stage) const;
    std::string place() const;

    std::vector<kernels::Stage> ladder_;
    std::vector<Rung> rungs_;
    std::packaged_task<Machine()> opening_;
    FutureMachine future_;
    std::jthread opener_;
    bool opened_ = false;
    Sizes sizes_;
    std::array<Shown, 2> shown_;
    bool comparing_ = false;
    std::optional<std::filesystem::path> file_;
    std::filesystem::path shipped_folder_;
    ShippedSpeeds shipped_speeds_;
    ShippedCounters shipped_counters_;
    ShippedSearches shipped_searches_;
    std::shared_ptr<const viz::Shapes> shapes_;
    std::shared_ptr<const viz::LibraryKernels> library_; // shipped, or traced here
    std::vector<std::size_t> recorded_instead_;          // stages
    recording::Index3 wanted_block_{0, 0, 0};
    std::deque<Kept> kept_; // recordings made, newest first
    std::optional<double> cublas_gflops_;
    std::vector<BaselineMeasurement> baselines_;
    std::vector<kernels::ParameterValues> standard_; // of each stage, where nobody has chosen others
    std::optional<SearchState> search_;
    std::vector<TimedAt> timed_;
    std::array<Counted, 2> counted_; // as shown_
    std::optional<GpuFacts> gpu_;    // of the GPU here, or of the one that the shipped figures come from
    viz::Provenance gpu_from_;       // what was measured of it
    std::string gpu_origin_, gpu_missing_;
    GpuProgress probing_{.running = false};
    std::optional<uint64_t> saving_;
    std::filesystem::path save_path_;
    std::string notice_;
    std::filesystem::path tuned_path_;
    Recorder recorder_;
    Measurer measurer_;
    Tuner tuner_;
    GpuProber prober_;
    Shelf shelf_;
    ByRecording<CodeOf> codes_;
    ByRecording<CountersOf> counters_;
    RecordingPtr counted_next_; // of two that are compared, the second
    ByRecording<InstructionsOf> instructions_;
};

} // namespace app
