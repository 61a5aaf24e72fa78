// Measures a stage's time with several parameter sets at random problem sizes. The stages' choices of parameters
// (`suited`) are fitted to these data. Not a test.
//   build/bench/launch_times STAGE SHAPES SEED MULTIPLE < parameter sets, one a line: "BM=128 BN=64"
// N and K are rounded down to multiples of MULTIPLE. Prints lines of "M N K microseconds cublas error PARAMETERS".
#include "backend.h"
#include "error.h"
#include "gemm/size.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <sstream>

namespace {

kernels::ParameterValues parsed(const kernels::Stage& stage, const std::string& line)
{
    kernels::ParameterValues values = stage.standard_parameters();
    std::istringstream words(line);
    for (std::string word; words >> word;) {
        const std::size_t equals = word.find('=');
        const auto same = [&](const kernels::ParameterSpec& one) { return one.name == word.substr(0, equals); };
        const auto found = std::ranges::find_if(stage.parameters, same);
        if (equals == std::string::npos || found == stage.parameters.end())
            throw kernels::Error(fmt::format("{} has no parameter {}.", stage.slug, word));
        values[static_cast<std::size_t>(found - stage.parameters.begin())] = std::stoi(word.substr(equals + 1));
    }
    return values;
}

std::vector<kernels::Job> jobs_of(const kernels::Stage& stage)
{
    std::vector<kernels::Job> jobs;
    for (std::string line; std::getline(std::cin, line);)
        if (!line.empty())
            jobs.push_back({&stage, parsed(stage, line), {}});
    return jobs;
}

std::string text_of(const kernels::Job& job)
{
    std::string text;
    for (std::size_t i = 0; i < job.parameters.size(); ++i)
        text += fmt::format(" {}={}", job.stage->parameters[i].name, job.parameters[i]);
    return text;
}

void run(const std::string& slug, std::size_t count, uint32_t seed, uint32_t multiple)
{
    const std::vector<kernels::Stage> ladder = kernels::make_ladder();
    const kernels::Stage& stage = kernels::find_stage(ladder, slug);
    std::vector<kernels::Job> jobs = jobs_of(stage);
    const auto backend = kernels::make_cuda_backend(0);
    const kernels::ProbeKind probe = kernels::ProbeKind::none;
    backend->prepare(jobs, {&probe, 1}, {});
    for (recording::Problem shape : kernels::random_shapes(count, seed)) {
        shape.N = std::max(shape.N / multiple * multiple, multiple);
        shape.K = std::max(shape.K / multiple * multiple, multiple);
        for (kernels::Job& job : jobs) {
            job.problem = shape;
            const kernels::BenchResult result = backend->bench(job, {.seconds = 0.003}, {});
            fmt::print("{} {} {} {:.2f} {:.2f} {:.1e}{}\n", shape.M, shape.N, shape.K, result.stage.median_ms * 1000,
                       result.cublas.median_ms * 1000, result.relative_error, text_of(job));
        }
        std::fflush(stdout);
    }
}

} // namespace

int main(int count, char** arguments)
try {
    if (count != 5)
        throw kernels::Error("launch_times STAGE SHAPES SEED MULTIPLE < parameter sets");
    run(arguments[1], std::stoul(arguments[2]), static_cast<uint32_t>(std::stoul(arguments[3])),
        static_cast<uint32_t>(std::stoul(arguments[4])));
} catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
}
