// What commands have in common that run stages: their options, and the jobs that follow from them.
#pragma once

#include "app/cli/engine.h"
#include "app/cli/options.h"
#include "app/cli/output.h"

#include "gemm/size.h"
#include "measure/baseline.h"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace app {

// As the user typed it.
struct JobOptions {
    std::vector<std::string> stages;     // slugs; empty: all
    std::vector<std::string> sizes;      // "128" or "128x64x32"; empty: the command's own
    std::vector<std::string> parameters; // "BM=64"
    std::optional<std::string> backend;  // "cuda" or "cpu"; none: cuda where there is a GPU
    std::optional<float> alpha, beta;
    recording::Inputs inputs = recording::Inputs::random; // of a recording or a verification
    Form form = Form::text;
    WorkerChoice worker;
};

void add_shape(CLI::App& command, JobOptions& job); // sizes and parameters
void add_job(CLI::App& command,
             JobOptions& job); // those, the backend, the scales, the worker and the form of what is printed
void add_stage(CLI::App& command, JobOptions& job); // the one that the command is about

// See kernels::parse_size; with the scales of the options.
recording::Problem parse_size(const std::string& text, const JobOptions& options, kernels::Operation operation);
using kernels::size_name;

// The size that was typed, or else the standard one; more than one is refused with this sentence.
std::string one_size(const JobOptions& options, std::string_view standard, const char* refusal);

// "X,Y" or "X,Y,Z"; nothing: it is something else.
std::optional<recording::Index3> parse_block(const std::string& text);

// Stages and libraries by their names, in the order given; all stages when none is given.
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

// The one stage that the options name, at one size, with what runs it.
struct OneJob {
    // `one_size_only`: the sentence that refuses more sizes than one.
    OneJob(const JobOptions& options, const std::optional<std::string>& backend, const char* one_size_only);

    std::vector<kernels::Stage> ladder;
    kernels::Job job;
    Engine engine;
    const kernels::Stage& stage() const { return *job.stage; }
    std::string size() const { return size_name(job.problem, job.stage->operation); }
};

// The columns of a row that has the members of recording::Totals.
std::vector<TableColumn> totals_columns();

// TYPE by its name, a number as a number.
nlohmann::json parameter_json(std::string_view name, int value);

} // namespace app
