#include "app/data/searches.h"

#include "app/data/config_folder.h"
#include "app/data/fields_json.h"

#include "gemm/size.h"
#include "recording/disk.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/file.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <utility>

namespace app {

namespace {

using kernels::Candidate;
using nlohmann::json;

constexpr std::array states{std::pair(Candidate::State::right, "right"), std::pair(Candidate::State::wrong, "wrong"),
                            std::pair(Candidate::State::failed, "failed"),
                            std::pair(Candidate::State::waiting, "not timed")};

Candidate::State state_from(const std::string& name)
{
    if (name == "waiting")
        return Candidate::State::waiting;
    const auto found = std::ranges::find_if(states, [&](const auto& one) { return one.second == name; });
    if (found == states.end())
        throw kernels::Error("state is none that is known");
    return found->first;
}

// The form of a candidate in the file. The stage interprets the parameters. A candidate that is not right has no
// figures.
struct CandidateRow {
    json parameters;
    std::string state;
    Candidate candidate;
};
void fields(auto& visit, kernels::Like<CandidateRow> auto& row)
{
    using kernels::above_zero, kernels::may_be_missing;
    auto& candidate = row.candidate;
    visit("state", row.state);
    visit("parameters", row.parameters, may_be_missing);
    visit("failure", candidate.failure, kernels::unless_empty);
    visit("of_cublas", candidate.of_cublas, above_zero);
    if (row.state == state_name(Candidate::State::right)) {
        visit("gflops", candidate.gflops, above_zero);
        visit("median_ms", candidate.timing.median_ms, above_zero);
        visit("error", candidate.error, may_be_missing);
    } else {
        std::optional<json> none;
        for (const char* const figure : {"gflops", "median_ms", "error"})
            visit(figure, none);
    }
}

struct SearchRow {
    std::string gpu, origin;
    bool whole = false;
    std::vector<CandidateRow> candidates;
};
void fields(auto& visit, kernels::Like<SearchRow> auto& row)
{
    visit("gpu", row.gpu);
    visit("origin", row.origin, kernels::may_be_missing);
    visit("whole", row.whole);
    visit("candidates", row.candidates);
}

CandidateRow row_of(const Candidate& candidate, const kernels::Stage& stage)
{
    CandidateRow row{.parameters = parameters_json(stage, candidate.parameters),
                     .state = std::string(state_name(candidate.state)),
                     .candidate = candidate};
    if (candidate.state != Candidate::State::right)
        row.candidate.of_cublas.reset();
    return row;
}

// Returns nothing for a waiting candidate, and for parameters that the stage no longer has.
std::optional<Candidate> candidate_of(const CandidateRow& row, const kernels::Stage& stage)
{
    const auto parameters = parameters_of(row.parameters, stage);
    Candidate candidate = row.candidate;
    candidate.state = state_from(row.state);
    if (!parameters || candidate.state == Candidate::State::waiting)
        return std::nullopt;
    candidate.parameters = *parameters;
    if (candidate.state != Candidate::State::right && candidate.failure.empty())
        candidate.failure = "It could not be run.";
    return candidate;
}

} // namespace

std::string_view state_name(Candidate::State state)
{
    return std::ranges::find(states, state, &std::pair<Candidate::State, const char*>::first)->second;
}

json to_json(const TriedParameters& search, const kernels::Stage& stage)
{
    SearchRow row{.gpu = search.gpu,
                  .origin = "measured: on " + search.gpu + ", median of runs with cuBLAS in between",
                  .whole = search.whole,
                  .candidates = {}};
    for (const Candidate& candidate : search.ranked)
        row.candidates.push_back(row_of(candidate, stage));
    json result = to_named_json(row);
    result["stage"] = search.stage;
    result["size"] = kernels::size_name(search.problem, stage.operation);
    return result;
}

std::optional<TriedParameters> tried_parameters_from(const json& json, const Ladder& ladder)
{
    const std::optional<kernels::Job> job = job_in(json, ladder);
    if (!job)
        return std::nullopt;
    const auto row = from_named_json<SearchRow>(json);
    TriedParameters search{.stage = std::string(job->stage->slug),
                           .problem = job->problem,
                           .gpu = row.gpu,
                           .ranked = {},
                           .whole = row.whole,
                           .from = {}};
    for (const CandidateRow& one : row.candidates)
        if (std::optional<Candidate> candidate = candidate_of(one, *job->stage))
            search.ranked.push_back(std::move(*candidate));
    std::ranges::stable_sort(search.ranked, {}, [](const Candidate& one) {
        return std::pair(one.state != Candidate::State::right, -one.gflops);
    });
    return search;
}

const TriedParameters* ShippedSearches::find(std::string_view stage) const
{
    const auto found = std::ranges::find(searches, stage, &TriedParameters::stage);
    return found == searches.end() ? nullptr : &*found;
}

ShippedSearches read_searches(const std::filesystem::path& folder, const Ladder& ladder)
{
    ShippedSearches result;
    recording::Provenance made_on;
    result.missing = read_shipped(
        {.folder = folder, .name = "candidates.json", .lists = {"searches"}},
        [&](const json&, const recording::Provenance& from) { made_on = from; },
        [&](std::string_view, const json& row) {
            std::optional<TriedParameters> search = tried_parameters_from(row, ladder);
            if (!search || search->ranked.empty())
                return;
            search->from = made_on;
            result.searches.push_back(std::move(*search));
        });
    return result;
}

namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

constexpr int version = 1;

bool same_place(const Winner& a, const Winner& b)
{
    return a.gpu == b.gpu && a.stage == b.stage && a.size == b.size;
}

fs::path free_name_beside(const fs::path& path)
{
    fs::path name = path.string() + ".broken";
    for (int number = 2; fs::exists(name); ++number)
        name = path.string() + ".broken" + std::to_string(number);
    return name;
}

// Locks the file until the descriptor is closed. One process holds the lock at a time. Without lock support in the file
// system there is no lock. The lock is a separate file, because a TemporaryFolder locks the folder itself.
recording::FileDescriptor lock(const fs::path& path)
{
    recording::FileDescriptor held(::open((path.string() + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    while (held.get() >= 0 && ::flock(held.get(), LOCK_EX) != 0 && errno == EINTR) {
    }
    return held;
}

} // namespace

std::string size_class(const recording::Problem& problem)
{
    const auto nearest = [](uint32_t extent) { return uint64_t{1} << std::lround(std::log2(extent)); };
    return fmt::format("{}x{}x{}", nearest(problem.M), nearest(problem.N), nearest(problem.K));
}

fs::path TunedFile::usual_path()
{
    const fs::path folder = config_folder();
    return folder.empty() ? folder : folder / "tuned.json";
}

TunedFile::TunedFile(fs::path path) : path_(std::move(path))
{
    read();
}

void TunedFile::read()
{
    winners_.clear();
    broken_.clear();
    std::error_code ignored;
    if (path_.empty() || !fs::exists(path_, ignored))
        return;
    std::size_t damaged = 0;
    try {
        const Json json = read_json(path_);
        if (field_of<int>(json, "version") != version)
            throw kernels::Error("its version is another");
        for (const Json& winner : list_of(json, "winners"))
            try {
                winners_.push_back(from_named_json<Winner>(winner));
            } catch (const std::exception&) {
                ++damaged;
            }
        if (damaged > 0)
            broken_ = fmt::format("{} of the {} winners in {} are damaged and left out; the next search writes a new "
                                  "file and keeps this beside it.",
                                  damaged, winners_.size() + damaged, path_.string());
    } catch (const std::exception&) {
        winners_.clear();
        broken_ = fmt::format("{} cannot be understood, so what was tuned is not known; the next search writes a new "
                              "one and keeps this beside it.",
                              path_.string());
    }
}

const Winner* TunedFile::find(const std::string& gpu, const kernels::Stage& stage,
                              const recording::Problem& problem) const
{
    const Winner wanted{.gpu = gpu, .stage = std::string(stage.slug), .size = size_class(problem)};
    const auto found = std::ranges::find_if(winners_, [&](const Winner& own) { return same_place(own, wanted); });
    return found == winners_.end() ? nullptr : &*found;
}

void TunedFile::remember(const Winner& winner)
try {
    if (path_.empty())
        throw kernels::Error("neither HOME nor XDG_CONFIG_HOME is set.");
    fs::create_directories(path_.parent_path());
    const recording::FileDescriptor held = lock(path_);
    read(); // again, because another gemmscope may have written meanwhile
    if (!broken_.empty())
        fs::rename(path_, free_name_beside(path_));
    broken_.clear();
    std::erase_if(winners_, [&](const Winner& own) { return same_place(own, winner); });
    winners_.push_back(winner);
    Json list = Json::array();
    for (const Winner& own : winners_)
        list.push_back(to_named_json(own));
    recording::write_atomically(path_, Json{{"version", version}, {"winners", list}}.dump(2) + "\n");
} catch (const std::exception& error) {
    throw kernels::Error(fmt::format("The winner could not be remembered in {}: {}", path_.string(), error.what()));
}

Winner winner_of(const kernels::Stage& stage, const recording::Problem& problem, const kernels::Candidate& best,
                 const std::string& gpu)
{
    const auto now = std::chrono::time_point_cast<std::chrono::seconds>(std::chrono::system_clock::now());
    return {.gpu = gpu,
            .stage = std::string(stage.slug),
            .size = size_class(problem),
            .parameters = kernels::named(stage, best.parameters),
            .gflops = best.gflops,
            .date = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now))};
}

kernels::ParameterValues standard_parameters(const TunedFile& tuned, const kernels::Stage& stage,
                                             const recording::Device& device, const recording::Problem& problem)
{
    kernels::ParameterValues values = stage.standard_parameters(device, problem);
    const Winner* winner = stage.candidates.empty() ? nullptr : tuned.find(device.name, stage, problem);
    if (winner == nullptr)
        return values;
    kernels::ParameterValues own = values;
    for (const recording::Parameter& parameter : winner->parameters)
        for (std::size_t i = 0; i < own.size(); ++i)
            if (stage.parameters[i].name == parameter.name)
                own[i] = parameter.value;
    return stage.refusal(own).empty() && stage.type(own) == stage.type(values) ? own : values;
}

} // namespace app
