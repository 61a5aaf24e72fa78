#include "cuda/program.h"

#include "kernel_sources.h"
#include "recording/gpu.h"
#include "stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace cuda {

namespace {

constexpr std::string_view probes_file = "device/cuda_probes.h";

// Adds the file and, recursively, the files that it includes. Skips files that only the host needs: they are not
// embedded.
void collect(std::string_view file, std::string_view text, Program& program);

void collect(std::string_view file, Program& program)
{
    collect(file, kernel_sources::file(file), program);
}

void collect(std::string_view file, std::string_view text, Program& program)
{
    const bool known = std::any_of(program.headers.begin(), program.headers.end(),
                                   [file](const Program::Header& header) { return header.name == file; });
    if (text.empty() || known)
        return;
    program.headers.push_back({std::string(file), text});
    constexpr std::string_view directive = "#include \"";
    for (std::size_t at = text.find(directive); at != std::string_view::npos; at = text.find(directive, at)) {
        at += directive.size();
        collect(text.substr(at, text.find('"', at) - at), program);
    }
}

std::string_view name_of(kernels::ProbeKind probe)
{
    switch (probe) {
    case kernels::ProbeKind::none: return "NoProbe";
    case kernels::ProbeKind::count: return "CountProbe";
    case kernels::ProbeKind::record: return "RecordProbe";
    case kernels::ProbeKind::place: return "PlaceProbe";
    }
    return "NoProbe";
}

} // namespace

Program program_for_file(std::string_view file)
{
    Program program;
    program.text = fmt::format("#include \"{}\"\n", file);
    collect(file, program);
    return program;
}

Program program_for(const kernels::Stage& stage, kernels::ProbeKind probe)
{
    return program_with(stage, probe == kernels::ProbeKind::none ? std::string_view() : probes_file);
}

Program program_with(const kernels::Stage& stage, std::string_view probe_file)
{
    Program program{.text = fmt::format("#include \"{}\"\n", stage.file)};
    collect(stage.file, kernels::source_text(stage, stage.file), program);
    if (!probe_file.empty()) {
        program.text += fmt::format("#include \"{}\"\n", probe_file);
        collect(probe_file, program);
    }
    return program;
}

std::string clock_expression(const kernels::Stage& stage, const kernels::ParameterValues& parameters)
{
    return kernel_expression(stage, stage.kernel, parameters, "ClockProbe");
}

std::vector<std::string> microbenchmark_kernels(int compute_capability)
{
    std::vector<std::string> names = {"link",         "chase",      "chase_shared", "chase_conflicts",
                                      "read_past_l1", "read_l1",    "read_shared",  "stream<4>",
                                      "stream<8>",    "stream<16>", "multiply_add"};
    for (unsigned length = 1; length <= recording::longest_chain; ++length)
        names.push_back(fmt::format("dependent_chain<{}>", length));
    for (unsigned length = 3; length <= recording::longest_chain; ++length)
        names.push_back(fmt::format("loads_at_once<{}>", length));
    if (compute_capability >= 80)
        for (const char* type : {"Half", "Bfloat16", "Tf32"})
            names.push_back(fmt::format("tensor_multiply<{}>", type));
    if (compute_capability == 90)
        for (const char* type : {"Half", "Bfloat16"})
            names.push_back(fmt::format("warpgroup_multiply<{}>", type));
    if (compute_capability >= 90)
        for (const unsigned size : cluster_sizes)
            names.push_back(fmt::format("tell_sm<{}>", size));
    for (std::string& name : names)
        name = "microbenchmarks::" + name;
    return names;
}

std::vector<KernelName> kernels_for(const kernels::Stage& stage, const kernels::ParameterValues& parameters,
                                    kernels::ProbeKind probe)
{
    const std::string version =
        stage.text != nullptr ? fmt::format(" #{:x}", std::hash<std::string>()(*stage.text)) : std::string();
    std::vector<KernelName> names = {{kernel_expression(stage, stage.kernel, parameters, name_of(probe)), probe,
                                      stage.dynamic_shared(parameters), version}};
    if (stage.second) {
        const kernels::ProbeKind other =
            probe == kernels::ProbeKind::count ? kernels::ProbeKind::count : kernels::ProbeKind::none;
        names.push_back(
            {kernel_expression(stage, stage.second->kernel, parameters, name_of(other)), other, 0, version});
    }
    return names;
}

} // namespace cuda
