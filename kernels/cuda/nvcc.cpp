#include "cuda/nvcc.h"

#include "cuda/toolkit_paths.h"
#include "error.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <vector>

#include <unistd.h>

namespace cuda {

namespace {

namespace fs = std::filesystem;

std::string quoted(const std::string& text)
{
    std::string result = "'";
    for (const char c : text)
        result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return result + "'";
}

std::string content_of(const fs::path& file)
{
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

// A folder that goes when this does.
class TemporaryFolder {
public:
    TemporaryFolder() : path_((fs::temp_directory_path() / "gemmscope-XXXXXX").string())
    {
        if (mkdtemp(path_.data()) == nullptr)
            throw kernels::Error(
                fmt::format("No folder can be made in {}; is the disk full?", fs::temp_directory_path().string()));
    }
    ~TemporaryFolder()
    {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    fs::path path() const { return path_; }

private:
    std::string path_;
};

} // namespace

Nvcc::Nvcc()
{
    std::vector<fs::path> folders;
    for (const fs::path& home : toolkit_homes())
        folders.push_back(home / "bin");
    folders.emplace_back("/usr/local/bin");
    folders.emplace_back("/usr/bin");
    for (const fs::path& folder : folders)
        if (const fs::path program = folder / "nvcc"; program_.empty() && access(program.c_str(), X_OK) == 0)
            program_ = program.string();
}

Nvcc::Output Nvcc::compile(const traced::UserKernel& kernel) const
{
    const TemporaryFolder folder;
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
