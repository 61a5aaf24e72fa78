#include "cuda/nvcc.h"

#include "cuda/toolkit_paths.h"
#include "recording/disk.h"
#include "temporary_folder.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <string_view>

namespace cuda {

namespace {

namespace fs = std::filesystem;

// A variable that holds the kernel's address: so the compiler says which of several instantiations is meant, in whatever words
// its arguments were given.
constexpr std::string_view mark = "gemmscope_names_this_kernel";

// ".global .align 8 .u64 MARK = _Z8multiplyILi32EEvPf;": the name, empty where there is none. The line goes, its place stays.
std::string take_mark(std::string& ptx)
{
    const std::string assigned = fmt::format("{} = ", mark);
    const std::size_t at = ptx.find(assigned);
    if (at == std::string::npos)
        return {};
    const std::size_t name = at + assigned.size(), end = ptx.find_first_of(";\n", name), line = ptx.rfind('\n', at) + 1;
    if (end == std::string::npos || ptx[end] != ';')
        return {};
    std::string result = ptx.substr(name, end - name);
    ptx.erase(line, end + 1 - line);
    return result;
}

void write_below(const fs::path& folder, const traced::OwnFile& file)
{
    const fs::path name = fs::path(file.name).lexically_normal();
    if (name.is_absolute() || name.begin()->string() == "..") // it is read from where it lies
        return;
    fs::create_directories((folder / name).parent_path());
    std::ofstream(folder / name, std::ios::binary) << file.text;
}

} // namespace

Nvcc::Nvcc() : program_(find_program("nvcc").string()) {}

Nvcc::Output Nvcc::compile(const traced::UserKernel& kernel, std::span<const traced::OwnFile> files) const
{
    const kernels::TemporaryFolder folder;
    const fs::path wrapper = folder.path() / "gemmscope.cu", ptx = folder.path() / "out.ptx",
                   log = folder.path() / "log";
    const fs::path root = kernel.files.empty() ? fs::absolute(kernel.file) : kernel.files.front().path;
    for (const traced::OwnFile& one : files)
        write_below(folder.path() / "own", one);
    std::ofstream out(wrapper);
    out << "#include " << std::quoted((files.empty() ? root : folder.path() / "own" / files.front().name).string())
        << "\n";
    if (kernel.kernel.find('<') != std::string::npos) // a template has code only where it is used
        out << "__device__ const void* " << mark << " __attribute__((used)) = (const void*)&" << kernel.kernel << ";\n";
    out.close();
    std::string command = quoted(program_) +
                          " --ptx --generate-line-info --gpu-architecture=sm_90 --std=c++20 --expt-relaxed-constexpr "
                          "--extended-lambda -o " +
                          quoted(ptx.string());
    const auto include = [&](const std::string& where) { command += " --include-path " + quoted(where); };
    if (!files.empty())
        include((folder.path() / "own").string());
    for (const std::string& one : kernel.include_folders)
        include(one);
    include(root.parent_path().string());
    for (const std::string& define : kernel.defines)
        command += " --define-macro " + quoted(define);
    command += " " + quoted(wrapper.string()) + " >" + quoted(log.string()) + " 2>&1";
    Output output{.good = std::system(command.c_str()) == 0};
    output.ptx = recording::content_of(ptx);
    output.log = recording::content_of(log);
    output.entry = take_mark(output.ptx);
    return output;
}

} // namespace cuda
