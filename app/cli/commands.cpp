#include "app/cli/commands.h"

#include "app/catalogue/tuned.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdio>
#include <set>

namespace app {

namespace {

constexpr uint32_t largest_extent = 1u << 28; // what memory allows is less, and said where it is known

uint32_t parse_extent(std::string_view digits, const std::string& whole)
{
    uint32_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size() || value < 1 || value > largest_extent)
        throw kernels::Error(
            fmt::format("'{}' is no size; give N or MxNxK, each from 1 to {}, such as 128 or 1000x33x517 "
                        "(and stages before --size).",
                        whole, largest_extent));
    return value;
}

} // namespace

recording::Problem parse_size(const std::string& text, const JobOptions& options, kernels::Operation operation)
{
    std::vector<std::string_view> parts;
    for (std::string_view rest = text; parts.size() < 4;) {
        const std::size_t x = rest.find('x');
        parts.push_back(rest.substr(0, x));
        if (x == std::string_view::npos)
            break;
        rest.remove_prefix(x + 1);
    }
    if (parts.size() == 1)
        parts.resize(3, parts.front());
    if (parts.size() == 2 && !kernels::facts(operation).uses_k)
        parts.emplace_back("1");
    if (parts.size() != 3)
        parse_extent("", text);
    return {.M = parse_extent(parts[0], text),
            .N = parse_extent(parts[1], text),
            .K = parse_extent(parts[2], text),
            .alpha = options.alpha.value_or(1.0f),
            .beta = options.beta.value_or(0.0f)};
}

std::string size_name(const recording::Problem& p, kernels::Operation operation)
{
    if (operation == kernels::Operation::vector_add || (p.M == p.N && p.N == p.K))
        return std::to_string(p.N);
    if (!kernels::facts(operation).uses_k)
        return fmt::format("{}x{}", p.M, p.N);
    return fmt::format("{}x{}x{}", p.M, p.N, p.K);
}

std::unique_ptr<kernels::Backend> open_backend(const std::optional<std::string>& name)
{
    if (name == "cpu")
        return kernels::make_cpu_backend();
    try {
        return kernels::make_cuda_backend();
    } catch (const kernels::Unavailable& reason) {
        if (name)
            throw;
        fmt::print(stderr, "{} Going on with the CPU.\n", reason.what());
        return kernels::make_cpu_backend();
    }
}

std::vector<const kernels::Stage*> chosen_stages(const std::vector<kernels::Stage>& ladder,
                                                 const std::vector<std::string>& slugs)
{
    std::vector<const kernels::Stage*> result;
    for (const std::string& slug : slugs)
        result.push_back(&kernels::find_stage(ladder, slug));
    if (slugs.empty())
        for (const kernels::Stage& stage : ladder)
            result.push_back(&stage);
    return result;
}

void leave_out_missing(std::vector<kernels::Job>& jobs, const JobOptions& options, const recording::Device& device)
{
    if (!options.stages.empty())
        return;
    std::set<std::string> reasons;
    std::erase_if(jobs, [&](const kernels::Job& job) {
        const std::string reason = kernels::missing_on(device, *job.stage);
        return !reason.empty() && (reasons.insert(reason), true);
    });
    for (const std::string& reason : reasons)
        fmt::print(stderr, "gemmscope: left out: {}\n", reason);
}

kernels::Job make_job(const kernels::Stage& stage, const JobOptions& options, recording::Problem problem)
{
    return {&stage, kernels::parse_parameters(stage, options.parameters), kernels::used_part(stage.operation, problem)};
}

void use_tuned(std::vector<kernels::Job>& jobs, const JobOptions& options, const recording::Device& device)
{
    const TunedFile tuned;
    if (!tuned.broken().empty())
        fmt::print(stderr, "{}\n", tuned.broken());
    for (kernels::Job& job : jobs)
        job.parameters = kernels::parse_parameters(*job.stage, options.parameters,
                                                   standard_parameters(tuned, *job.stage, device, job.problem));
}

} // namespace app
