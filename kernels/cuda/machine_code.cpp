// Compiles a stage for its machine code, and follows it. See machine_code.h.
#include "machine_code/machine_code.h"

#include "cuda/compiler.h"
#include "cuda/disassembler.h"
#include "error.h"
#include "machine_code/cubin.h"
#include "machine_code/executed_warp.h"
#include "machine_code/ptx_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace kernels {

namespace {

constexpr uint64_t most_steps = 40'000'000; // instructions of warps: some seconds

std::string_view file_name(std::string_view path)
{
    return path.substr(path.rfind('/') + 1);
}

KernelCode decode(const Stage& stage, const cuda::KernelName& name, const cuda::Compiled& compiled,
                  const cuda::Disassembler& disassembler)
{
    KernelCode code{.kernel = name.expression, .ptx = cuda::lines_of(compiled.ptx)};
    code.ptx_to_source = cuda::source_lines(code.ptx, file_name(stage.body_file));
    if (!compiled.image.starts_with("\x7f"
                                    "ELF"))
        return code; // PTX, which the driver compiles
    code.instructions = cuda::instructions(compiled.image, compiled.lowered_name);
    const std::map<uint32_t, std::string> texts = disassembler.texts(compiled.image);
    for (Instruction& instruction : code.instructions) {
        if (instruction.ptx_line > 0 && instruction.ptx_line <= code.ptx_to_source.size())
            instruction.line = code.ptx_to_source[instruction.ptx_line - 1];
        if (const auto text = texts.find(instruction.address); text != texts.end())
            instruction.text = text->second;
    }
    return code;
}

// The arrays as the kernel is told where they are: far apart, so that an address says whose it is.
constexpr uint64_t distance = uint64_t{1} << 40;

std::vector<cuda::ArrayPlace> places_of(const Stage& stage, const ParameterValues& parameters,
                                        const recording::Problem& problem, const cuda::PtxProgram& program)
{
    std::vector<cuda::ArrayPlace> places;
    const std::vector<recording::Array> all = arrays(stage, parameters, problem);
    std::size_t tile = 0;
    uint64_t dynamic = program.dynamic_start; // tiles in it follow one another
    for (std::size_t i = 0; i < all.size(); ++i) {
        const int number = static_cast<int>(i);
        if (all[i].space == recording::Space::global)
            places.push_back({cuda::PtxSpace::global, (i < 3 ? i + 1 : 4) * distance, distance, number});
        else if (tile < program.tiles.size())
            places.push_back({cuda::PtxSpace::shared, program.tiles[tile++], all[i].bytes, number});
        else {
            places.push_back({cuda::PtxSpace::shared, dynamic, all[i].bytes, number});
            dynamic += all[i].bytes;
        }
    }
    return places;
}

std::vector<std::vector<std::byte>> arguments_of(const Stage& stage, const ParameterValues& parameters,
                                                 const recording::Problem& problem)
{
    const auto at = [](uint64_t number) { return reinterpret_cast<void*>(number * distance); };
    static const std::vector<std::byte> no_maps(2 * tensor_map_bytes);
    const Pointers pointers{.A = at(1),
                            .B = at(2),
                            .C = static_cast<float*>(at(3)),
                            .tensor_maps = no_maps.data(),
                            .workspace = static_cast<float*>(at(4))};
    return {stage.arguments(parameters, problem, pointers), std::vector<std::byte>(1)}; // the probe that has no members
}

} // namespace

MachineCode machine_code(const Stage& stage, const ParameterValues& parameters, uint32_t compute_capability)
{
    const cuda::Compiler compiler(cuda::Nvrtc(), static_cast<int>(compute_capability));
    const cuda::Disassembler disassembler;
    MachineCode result{.compute_capability = compute_capability,
                       .compiler = "NVRTC " + compiler.version(),
                       .disassembler = disassembler.name()};
    for (const cuda::KernelName& name : cuda::kernels_for(stage, parameters, ProbeKind::none))
        result.kernels.push_back(decode(stage, name, compiler.compile(stage, name), disassembler));
    return result;
}

Executed executed(const MachineCode& code, const Stage& stage, const ParameterValues& parameters,
                  const recording::Problem& problem, std::stop_token stop)
{
    std::vector<recording::Launch> launches = {stage.launch(parameters, problem)};
    if (stage.second)
        launches.push_back(stage.second->launch(parameters, problem));
    const std::vector<std::vector<std::byte>> arguments = arguments_of(stage, parameters, problem);
    uint64_t steps = most_steps;
    Executed result;
    for (std::size_t i = 0; i < code.kernels.size() && i < launches.size(); ++i) {
        if (code.kernels[i].instructions.empty())
            throw Unavailable(
                "The driver compiles this kernel's PTX itself, and its machine code is not seen: the GPU is "
                "newer than the NVRTC that is installed.");
        const recording::Launch& launch = launches[i];
        const cuda::PtxProgram program = cuda::parse_ptx(code.kernels[i].ptx);
        cuda::ExecutedWarps warps(code.kernels[i], places_of(stage, parameters, problem, program));
        const cuda::PtxEvents events{
            [&](const auto& statement, uint32_t mask, const auto& addresses) {
                warps.access(statement, mask, addresses);
            },
            [&](const auto& statement, uint32_t mask, uint32_t idle, const auto& from, const auto& to) {
                warps.copy(statement, {.width = statement.width,
                                       .bypass = statement.name.starts_with("cp.async.cg"),
                                       .mask = mask,
                                       .idle = idle,
                                       .from = from,
                                       .to = to});
            },
            [&](const auto& statement) { warps.other(statement); }, [&] { warps.barrier(); }};
        cuda::PtxWarp warp(program, arguments, events);
        for (uint64_t block = 0; block < launch.grid.volume(); ++block)
            for (uint32_t number = 0; number < launch.warps_per_block(); ++number) {
                if (stop.stop_requested())
                    throw Cancelled();
                const auto& [x, y, z] = launch.grid;
                warp.run({launch,
                          {static_cast<uint32_t>(block % x), static_cast<uint32_t>(block / x % y),
                           static_cast<uint32_t>(block / x / y)},
                          number},
                         steps);
                warps.barrier();
            }
        for (ExecutedInstructions row : warps.result()) {
            row.kernel = i;
            result.instructions.push_back(std::move(row));
        }
        for (const std::string& name : warps.opaque())
            result.opaque += (result.opaque.empty() ? "" : ", ") + name;
    }
    return result;
}

} // namespace kernels
