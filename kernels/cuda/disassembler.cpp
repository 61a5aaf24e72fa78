#include "cuda/disassembler.h"

#include "cuda/compiler.h"
#include "cuda/library.h"
#include "error.h"
#include "machine_code/cubin.h"
#include "machine_code/disassembly.h"
#include "machine_code/elf.h"
#include "machine_code/machine_code.h"
#include "machine_code/ptx_source.h"
#include "run_program.h"
#include "temporary_folder.h"
#include "traced/text_parts.h"

#include <fmt/format.h>

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
