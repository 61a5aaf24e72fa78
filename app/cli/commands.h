// One function per command: options in, text or JSON on standard output, exit status back. All throw kernels::Error. A command with
// options of its own adds itself to the command line, and sets the exit status when it runs.
#pragma once

#include "app/cli/engine.h"

#include "gemm/size.h"
#include "measure/baseline.h"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI { // NOLINT(readability-identifier-naming): the library's
class App;
}

namespace app {

// What several commands share, as the user typed it.
struct JobOptions {
    std::vector<std::string> stages;     // slugs; empty: all
    std::vector<std::string> sizes;      // "128" or "128x64x32"; empty: the command's own
    std::vector<std::string> parameters; // "BM=64"
    std::optional<std::string> backend;  // "cuda" or "cpu"; none: cuda where there is a GPU
    std::optional<float> alpha, beta;
    recording::Inputs inputs = recording::Inputs::random; // of a recording or a verification
    bool json = false;
    WorkerChoice worker;
};

struct RecordOptions {
    JobOptions job;
    std::vector<std::string> blocks; // "X,Y" or "X,Y,Z"; empty: 0,0
    bool bare = false; // without the blocks in full and without the owners of C's elements: small at any size
    std::filesystem::path output;
};

int list_stages(bool json);
// What this was built with, what it finds, and what was loaded from where.
int show_version();
int verify_stages(const JobOptions& options, const std::string& probe);
struct BenchOptions {
    double seconds = 1.0;   // for the samples of each
    bool kernels = false;   // which kernels cuBLAS launches, too
    std::size_t shapes = 0; // so many drawn at random instead of sizes that are given; 0: none
    uint32_t seed = 1;      // of these
    bool energy = false;    // of a launch, too
};
int bench_stages(JobOptions options, const BenchOptions& what);
// Searches for the fastest parameters of one stage, and remembers them. Ctrl-C ends the search, not the table.
int tune_stage(const JobOptions& options, double seconds);
int record_stage(const RecordOptions& options);
struct CountOptions {
    bool check = false;           // one line each, and 1 where they disagree
    bool per_instruction = false; // count each machine instruction too
    bool no_samples = false;      // what warps wait for is not asked
    bool only_counted = false;    // nothing beside the counters: following machine code takes minutes at large sizes
};
// The GPU's counters beside what the recording says.
int count_stages(const JobOptions& options, const CountOptions& what);
// What the compiler made of a stage, and as written, as executed.
int show_code(const JobOptions& options, bool ptx);
int show_info(const std::filesystem::path& file, bool json);
// Of the worker's machine; `measured`: with small kernels, and kept for the window. Throws kernels::Unavailable without a GPU.
int show_gpu(const JobOptions& options, bool measured);
int compare_files(const std::filesystem::path& a, const std::filesystem::path& b, bool json);
int evaluate_patterns(const std::filesystem::path& csv, bool check, bool json);
// The same rows, as the worker's GPU counts them.
int measure_access_patterns(const std::filesystem::path& csv, const JobOptions& options);

struct CounterTableOptions {
    bool table = false, csv = false;
    std::string columns = "profile"; // or "all", or ids between commas
    std::string sort, filter;        // an id, descending with a minus before it; part of a name
};
void add_counter_table_options(CLI::App& counters, CounterTableOptions& options);
// What was counted of the whole ladder. `sizes`: as typed; none: 1024 and 4096, as far as they were counted.
int show_counter_table(const CounterTableOptions& options, const std::vector<std::string>& sizes, bool json);

void add_learning_commands(CLI::App& program, int& status); // quiz and lessons
void add_sources_command(CLI::App& program, int& status);   // what published ladders claim, beside what a GPU gave here
void add_warps_command(CLI::App& program, int& status);     // when the warps of one SM run and when they wait
void add_new_command(CLI::App& program, int& status);       // a stage file of one's own, a copy of one of the ladder's

// See kernels::parse_size; with the scales of the options.
recording::Problem parse_size(const std::string& text, const JobOptions& options, kernels::Operation operation);
using kernels::size_name;

// The size that was typed, or else the standard one; more than one is refused with this sentence.
std::string one_size(const JobOptions& options, std::string_view standard, const char* refusal);

// "X,Y" or "X,Y,Z"; nothing: it is something else.
std::optional<recording::Index3> parse_block(const std::string& text);

// The stages of the options, in the order given; all of them when none is given.
std::vector<const kernels::Stage*> chosen_stages(const std::vector<kernels::Stage>& ladder,
                                                 const std::vector<std::string>& slugs);

// Stages and libraries by their names; all stages when none is given.
struct NamedOnes {
    std::vector<const kernels::Stage*> stages;
    std::vector<const kernels::Baseline*> libraries;
};
NamedOnes named_in(const std::vector<kernels::Stage>& ladder, const std::vector<std::string>& slugs);

// Takes out what the device cannot run at all, when the options name no stages; says so on standard error.
void leave_out_missing(std::vector<kernels::Job>& jobs, const JobOptions& options, const recording::Device& device);

std::vector<StageJob> all_named(const std::vector<kernels::Job>& jobs);

kernels::Job make_job(const kernels::Stage& stage, const JobOptions& options, recording::Problem problem);

// Gives jobs the parameters that won on this GPU, or else suit the problem there, under those that the user set.
void use_tuned(std::vector<kernels::Job>& jobs, const JobOptions& options, const recording::Device& device);

// TYPE by its name, a number as a number.
nlohmann::json parameter_json(std::string_view name, int value);

} // namespace app
