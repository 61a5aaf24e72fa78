#include "app/data/tuned.h"

#include "app/data/config_folder.h"
#include "app/data/fields_json.h"
#include "app/data/shipped_file.h"

#include "recording/disk.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fcntl.h>
#include <sys/file.h>

namespace app {

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
