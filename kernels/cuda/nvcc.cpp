#include "cuda/nvcc.h"

#include "cuda/toolkit_paths.h"
#include "error.h"
#include "recording/disk.h"
#include "run_program.h"
#include "temporary_folder.h"
#include "traced/defines.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace cuda {

namespace {

namespace fs = std::filesystem;

// A variable that holds the kernel's address: so the compiler says which of several instantiations is meant, in whatever words
// its arguments were given.
constexpr std::string_view mark = "gemmscope_names_this_kernel";

constexpr uint64_t largest_ptx = uint64_t{1} << 30;

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
    if (name.empty() || name.is_absolute() || name.begin()->string() == "..") // it is read from where it lies
        return;
    std::error_code ignored; // then the compiler says what it does not find
    fs::create_directories((folder / name).parent_path(), ignored);
    std::ofstream(folder / name, std::ios::binary) << file.text;
}

// The folder in which nvcc runs. nvcc makes shell commands of its arguments, of the folder that it runs in and of TMPDIR, and
// what stands in these the shell obeys. So all of them are names that we give, and links lead from there to a person's files.
class Workplace {
public:
    Workplace() : folder_(parent())
    {
        if (!kernels::is_plain_path(folder_.path().string()))
            throw kernels::Error(fmt::format("nvcc cannot work in {}: the name has characters that mean something to a "
                                             "shell. Set TMPDIR to a folder with a plain name, such as /tmp.",
                                             folder_.path().string()));
    }

    const fs::path& path() const { return folder_.path(); }

    // A name for a file or a folder that lies elsewhere; for a file one that ends in `name`.
    std::string link(const fs::path& target, const std::string& name = "")
    {
        std::string link = fmt::format("gemmscope_{}_", links_.size());
        std::error_code ignored; // then the compiler says what it does not find
        if (!name.empty()) {
            fs::create_directory(path() / link, ignored);
            link += "/" + name;
        }
        fs::create_symlink(fs::absolute(target, ignored), path() / link, ignored);
        links_.emplace_back(link, target.string());
        return link;
    }

    // With the links' targets instead of them, as a person knows them.
    std::string with_targets(std::string text) const
    {
        for (const auto& [link, target] : links_)
            for (std::size_t at = text.find(link); at != std::string::npos; at = text.find(link, at + target.size()))
                text.replace(at, link.size(), target);
        return text;
    }

private:
    static fs::path parent()
    {
        std::error_code ignored; // TemporaryFolder reports why a folder cannot be made
        return kernels::is_plain_path(fs::temp_directory_path(ignored).string()) ? fs::path() : fs::path("/tmp");
    }

    kernels::TemporaryFolder folder_;
    std::vector<std::pair<std::string, std::string>> links_; // their names, and where they lead
};

// Where the compiler finds the file that it is to compile, as it lies on the disk. Beside it lie the files that it includes, so
// it is named by its folder, unless its own name is one that we cannot use.
std::string name_on_disk(Workplace& place, const fs::path& root, const std::string& folder)
{
    const std::string name = root.filename().string();
    return kernels::is_plain_path(name) ? folder + "/" + name : place.link(root, kernels::plain_path(name));
}

} // namespace

Nvcc::Nvcc() : program_(find_program("nvcc").string()) {}

Nvcc::Output Nvcc::compile(const traced::UserKernel& kernel, std::span<const traced::OwnFile> files) const
{
    if (!kernels::is_plain_path(program_))
        throw kernels::Error(fmt::format("{} is not run: its path has characters that mean something to a shell, and "
                                         "nvcc makes shell commands of it. Install CUDA in a folder with a plain name.",
                                         program_));
    Workplace place;
    const fs::path root = kernel.files.empty() ? fs::absolute(kernel.file) : kernel.files.front().path;
    for (const traced::OwnFile& one : files)
        write_below(place.path() / "own", one);
    std::vector<std::string> folders;
    if (!files.empty())
        folders.emplace_back("own");
    for (const std::string& one : kernel.include_folders)
        folders.push_back(place.link(one));
    folders.push_back(place.link(root.parent_path()));
    std::ofstream out(place.path() / "gemmscope.cu");
    out << traced::define_lines(kernel.defines) << "#include \""
        << (files.empty() ? name_on_disk(place, root, folders.back()) : "own/" + files.front().name) << "\"\n";
    if (kernel.kernel.find('<') != std::string::npos) // a template has code only where it is used
        out << "__device__ const void* " << mark << " __attribute__((used)) = (const void*)&" << kernel.kernel << ";\n";
    out.close();
    kernels::ProgramCall call{
        .words = {program_, "--ptx", "--generate-line-info", "--gpu-architecture=sm_90", "--std=c++20",
                  "--expt-relaxed-constexpr", "--extended-lambda", "-o", "out.ptx"},
        .folder = place.path(),
        .environment = {"TMPDIR=" + place.path().string()}};
    for (const std::string& one : folders)
        call.words.insert(call.words.end(), {"--include-path", one});
    call.words.emplace_back("gemmscope.cu");
    const kernels::ProgramOutput ended = kernels::run_program(std::move(call));
    Output output{.good = ended.good,
                  .ptx = ended.good ? recording::read_whole(place.path() / "out.ptx", largest_ptx) : std::string()};
    output.log = place.with_targets(ended.text);
    output.entry = take_mark(output.ptx);
    return output;
}

} // namespace cuda
