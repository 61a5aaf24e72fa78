#include "cuda/disassembler.h"

#include "cuda/compiler.h"
#include "cuda/library.h"
#include "error.h"
#include "machine_code/cubin.h"
#include "machine_code/elf.h"
#include "machine_code/line_table.h"
#include "machine_code/machine_code.h"
#include "recording/disk.h"
#include "run_program.h"
#include "temporary_folder.h"
#include "traced/struct_text.h"
#include "traced/user_kernel.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace cuda {

Disassembler::Disassembler() : program_(find_program("nvdisasm")) {}

std::map<uint32_t, std::string> Disassembler::texts(std::string_view cubin, std::string_view kernel) const
try {
    const std::optional<uint32_t> symbol =
        program_.empty() ? std::nullopt : find_symbol(cubin, kernel); // a cubin may contain many kernels
    if (!symbol)
        return {};
    const kernels::TemporaryFolder folder;
    const std::string file = (folder.path() / "cubin").string();
    std::ofstream(file, std::ios::binary) << cubin;
    return parse_disassembly(
        kernels::run_program(
            {.words = {program_.string(), "-c", "-fun", std::to_string(*symbol), file}, .takes_errors = false})
            .text);
} catch (const kernels::Error&) { // no folder for the file, or not a cubin
    return {};
}

} // namespace cuda

namespace kernels {

// Compiles a stage to machine code. See machine_code.h.

namespace {

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
    const std::map<uint32_t, std::string> texts = disassembler.texts(compiled.image, compiled.lowered_name);
    for (Instruction& instruction : code.instructions) {
        if (instruction.ptx_line > 0 && instruction.ptx_line <= code.ptx_to_source.size())
            instruction.line = code.ptx_to_source[instruction.ptx_line - 1];
        if (const auto text = texts.find(instruction.address); text != texts.end())
            instruction.text = text->second;
    }
    return code;
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

MachineCode watched_ptx(const Stage& of, const ParameterValues& parameters)
{
    Stage stage = of;
    if (stage.text != nullptr) // texts that differ only in comments find the same cached result
        stage.text = std::make_shared<const std::string>(traced::compiled_words(*stage.text));
    const cuda::Compiler compiler = cuda::ptx_compiler();
    MachineCode result{.compute_capability = cuda::ptx_capability, .compiler = "NVRTC " + compiler.version()};
    const cuda::Program program = cuda::program_with(stage, cuda::watch_probe_file);
    std::vector<std::string_view> kernels = {stage.kernel};
    if (stage.second)
        kernels.push_back(stage.second->kernel);
    for (const std::string_view kernel : kernels) {
        KernelCode code{.kernel = kernel_expression(stage, kernel, parameters, "WatchProbe")};
        code.ptx = cuda::lines_of(compiler.compile(program, code.kernel).ptx);
        code.ptx_to_source = cuda::source_lines(code.ptx, file_name(stage.body_file));
        result.kernels.push_back(std::move(code));
    }
    return result;
}

std::string ptx_of(const std::string& program, std::span<const SourceText> headers)
{
    cuda::Program whole{.text = program};
    for (const SourceText& header : headers)
        whole.headers.push_back({header.name, header.text});
    return cuda::ptx_compiler().compile(whole, "").ptx;
}

} // namespace kernels

// The toolkit's assembler.
namespace traced {

namespace {

constexpr uint64_t largest_cubin = uint64_t{1} << 28;

// Returns "sm_90a" for ".target sm_90a". Returns an empty text if there is no such directive.
std::string target_of(const std::string& ptx)
{
    constexpr std::string_view directive = ".target ";
    const std::size_t at = ptx.find(directive);
    if (at == std::string::npos)
        return {};
    const std::size_t begin = at + directive.size(), end = ptx.find_first_of(", \t\r\n", begin);
    return ptx.substr(begin, end - begin);
}

} // namespace

std::string assembled(const std::string& ptx, const std::string& kernel)
{
    const std::string program = cuda::find_program("ptxas").string(), target = target_of(ptx);
    // PTX for an older GPU is assembled for the H100, as the driver would on an H100.
    const std::string own = "sm_" + std::to_string(compiled_for);
    if (program.empty())
        return {};
    const kernels::TemporaryFolder folder;
    const std::filesystem::path source = folder.path() / "kernel.ptx", cubin = folder.path() / "kernel.cubin";
    std::ofstream(source, std::ios::binary) << ptx;
    const kernels::ProgramOutput ended = kernels::run_program(
        {.words = {program, "--generate-line-info", "--gpu-name", target.starts_with(own) ? target : own, "--entry",
                   kernel, source.string(), "--output-file", cubin.string()}});
    return ended.good ? recording::read_whole(cubin, largest_cubin) : std::string();
}

} // namespace traced
