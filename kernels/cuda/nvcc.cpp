#include "cuda/nvcc.h"

#include "cuda/toolkit_paths.h"
#include "temporary_folder.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace cuda {

namespace {

namespace fs = std::filesystem;

std::string content_of(const fs::path& file)
{
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

} // namespace

Nvcc::Nvcc() : program_(find_program("nvcc").string()) {}

Nvcc::Output Nvcc::compile(const traced::UserKernel& kernel) const
{
    const kernels::TemporaryFolder folder;
    const fs::path file = fs::absolute(kernel.file), wrapper = folder.path() / "gemmscope.cu",
                   ptx = folder.path() / "out.ptx", log = folder.path() / "log";
    std::ofstream out(wrapper);
    out << "#include \"" << file.string() << "\"\n";
    if (kernel.kernel.find('<') != std::string::npos) // a template has code only where it is used
        out << "static void* gemmscope_uses_it __attribute__((used)) = (void*)&" << kernel.kernel << ";\n";
    out.close();
    std::string command = quoted(program_) + " --ptx --generate-line-info --gpu-architecture=sm_90 --std=c++20 -o " +
                          quoted(ptx.string());
    for (const std::string& include : kernel.include_folders)
        command += " --include-path " + quoted(include);
    command += " --include-path " + quoted(file.parent_path().string());
    for (const std::string& define : kernel.defines)
        command += " --define-macro " + quoted(define);
    command += " " + quoted(wrapper.string()) + " >" + quoted(log.string()) + " 2>&1";
    Output output{.good = std::system(command.c_str()) == 0};
    output.ptx = content_of(ptx);
    output.log = content_of(log);
    return output;
}

} // namespace cuda
