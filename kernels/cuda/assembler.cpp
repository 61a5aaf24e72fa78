// The toolkit's assembler.
#include "cuda/library.h"
#include "recording/disk.h"
#include "run_program.h"
#include "temporary_folder.h"
#include "traced/user_kernel.h"

#include <filesystem>
#include <fstream>

namespace traced {

namespace {

constexpr uint64_t largest_cubin = uint64_t{1} << 28;

// "sm_90a" of ".target sm_90a"; empty: it says none.
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
    // Of an older GPU the code for an H100 is made, which is what PTX for it becomes there.
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
