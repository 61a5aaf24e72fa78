#include "cuda/nvcc.h"

#include "cuda/library.h"
#include "error.h"
#include "machine_code/elf.h"
#include "recording/disk.h"
#include "run_program.h"
#include "temporary_folder.h"
#include "traced/request.h"
#include "traced/source_text.h"
#include "traced/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace cuda {

namespace {

namespace fs = std::filesystem;

// A variable that holds the kernel's address. It makes the compiler resolve which instantiation is meant, however its
// template arguments are written.
constexpr std::string_view mark = "gemmscope_names_this_kernel";

// What nvcc says of dynamic parallelism, without which it refuses the whole file.
constexpr std::string_view launches_kernels = "requires separate compilation mode";

// Returns whether the compiler refuses a source because its code for the GPU is complete only with that of others, or
// because it declares a variable of the GPU as extern before it defines it.
bool needs_device_linker(std::string_view errors)
{
    return errors.find(launches_kernels) != std::string_view::npos ||
           errors.find("Unresolved extern") != std::string_view::npos ||
           errors.find("previously declared here") != std::string_view::npos;
}

constexpr uint64_t largest_ptx = uint64_t{1} << 30;

// Returns the name from ".global .align 8 .u64 MARK = _Z8multiplyILi32EEvPf;", or an empty text if there is none. The
// line becomes blank, so that line numbers do not change.
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
    if (name.empty() || name.is_absolute() || name.begin()->string() == "..") // read from its own location
        return;
    std::error_code ignored; // the compiler reports missing files
    fs::create_directories((folder / name).parent_path(), ignored);
    std::ofstream(folder / name, std::ios::binary) << file.text;
}

// The folder in which nvcc runs. nvcc passes its arguments, the working folder and TMPDIR to a shell, which would
// execute commands in them. Therefore all of them are names that we choose, and links lead from these names to the
// user's files.
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

    // Creates a link to a file or folder elsewhere and returns its name; a file's link ends in `name`.
    std::string link(const fs::path& target, const std::string& name = "")
    {
        std::string link = fmt::format("gemmscope_{}_", links_.size());
        std::error_code ignored; // the compiler reports missing files
        if (!name.empty()) {
            fs::create_directory(path() / link, ignored);
            link += "/" + name;
        }
        fs::create_symlink(fs::absolute(target, ignored), path() / link, ignored);
        links_.emplace_back(link, target.string());
        return link;
    }

    // Replaces the links by their targets, which the user knows.
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
        std::error_code ignored; // TemporaryFolder reports why a folder cannot be created
        return kernels::is_plain_path(fs::temp_directory_path(ignored).string()) ? fs::path() : fs::path("/tmp");
    }

    kernels::TemporaryFolder folder_;
    std::vector<std::pair<std::string, std::string>> links_; // names of the links, and their targets
};

// Returns the name under which the compiler finds a file on disk. The files that it includes are in the same folder, so
// the name goes through a link to that folder, unless the file's own name is not safe.
std::string name_on_disk(Workplace& place, const fs::path& root, const std::string& folder)
{
    const std::string name = root.filename().string();
    return kernels::is_plain_path(name) ? folder + "/" + name : place.link(root, kernels::plain_path(name));
}

// Returns the names in the linker's messages, "undefined reference to `cufftPlan1d'". C++ names of functions in other
// files stay in their readable form.
std::vector<std::string> undefined_names(std::string_view log)
{
    std::vector<std::string> names;
    constexpr std::string_view mark = "ndefined reference to "; // nvlink begins with an upper-case letter
    for (std::size_t at = log.find(mark); at != std::string_view::npos; at = log.find(mark, at + 1)) {
        const std::size_t begin = at + mark.size() + 1, end = log.find('\'', begin);
        std::string name = kernels::readable_name(std::string(log.substr(begin, end - begin)).c_str());
        if (end != std::string_view::npos && std::ranges::find(names, name) == names.end())
            names.push_back(std::move(name));
    }
    return names;
}

// Returns folders above the file with the names that projects use for shared headers: NVIDIA's samples have
// ../../../Common/helper_cuda.h.
std::vector<fs::path> folders_of_headers(const fs::path& file)
{
    constexpr int most_levels = 4;
    std::vector<fs::path> folders;
    fs::path folder = file.parent_path();
    for (int level = 0; level < most_levels && folder.has_relative_path(); ++level, folder = folder.parent_path())
        for (const char* const name : {"Common", "common", "include", "inc"})
            if (std::error_code ignored; fs::is_directory(folder / name, ignored))
                folders.push_back(folder / name);
    return folders;
}

// Returns "computeGold" for "ns::computeGold(float*, int)".
std::string base_name(const std::string& name)
{
    const std::string before = name.substr(0, name.find_first_of("(<"));
    const std::size_t scope = before.rfind("::");
    return scope == std::string::npos ? before : before.substr(scope + 2);
}

// Returns whether the text defines the function; calls and declarations do not count.
bool has_function(std::string_view text, std::string_view name)
{
    constexpr std::string_view blanks = " \t\r\n";
    const std::string code = traced::only_code(text);
    for (std::size_t at = traced::find_word(code, name); at != std::string::npos;
         at = traced::find_word(code, name, at + 1)) {
        std::size_t end = code.find_first_not_of(blanks, at + name.size());
        if (end == std::string::npos || code[end] != '(')
            continue;
        for (int depth = 0; end < code.size(); ++end) {
            depth += code[end] == '(';
            depth -= code[end] == ')';
            if (depth == 0)
                break;
        }
        end = code.find_first_not_of(blanks, std::min(end + 1, code.size()));
        if (end != std::string::npos && code[end] == '{')
            return true;
    }
    return false;
}

std::vector<fs::path> sources_in(const fs::path& folder)
{
    constexpr std::size_t most_sources = 40;
    std::vector<fs::path> sources;
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
        const std::string ending = entry.path().extension().string();
        if ((ending == ".cpp" || ending == ".cu" || ending == ".cc" || ending == ".c") &&
            traced::is_source(entry.path()))
            sources.push_back(entry.path());
    }
    std::ranges::sort(sources);
    sources.resize(std::min(sources.size(), most_sources));
    return sources;
}

// Returns other sources of the same program: files next to this one, or next to its headers, that define a missing
// function and have no main. If two files define the same function, the first is used.
std::vector<fs::path> sources_with(std::vector<std::string> missing, const fs::path& file)
{
    std::vector<fs::path> folders = folders_of_headers(file), result;
    folders.insert(folders.begin(), file.parent_path());
    for (const fs::path& folder : folders)
        for (const fs::path& source : sources_in(folder)) {
            const std::string text = recording::read_whole(source, recording::largest_source);
            if (source == file || missing.empty() || traced::has_main(text))
                continue;
            if (std::erase_if(missing, [&](const std::string& name) { return has_function(text, base_name(name)); }) >
                0)
                result.push_back(source);
        }
    return result;
}

bool is_c_name(const std::string& name)
{
    return std::ranges::all_of(name, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

// Writes stand-ins for functions of unsupported libraries such as cuFFT. When called, each fails with its name.
void write_stand_ins(const fs::path& file, const std::vector<std::string>& names)
{
    std::ofstream out(file);
    out << "extern \"C\" int gemmscope_not_served(const char*);\n";
    for (const std::string& name : names)
        out << fmt::format("extern \"C\" int {0}() {{ return gemmscope_not_served(\"{0}\"); }}\n", name);
}

} // namespace

Nvcc::Nvcc() : program_(find_program("nvcc").string()) {}

void Nvcc::check_path() const
{
    if (!kernels::is_plain_path(program_))
        throw kernels::Error(fmt::format("{} is not run: its path has characters that mean something to a shell, and "
                                         "nvcc makes shell commands of it. Install CUDA in a folder with a plain name.",
                                         program_));
}

Nvcc::Output Nvcc::compile(const traced::UserKernel& kernel, std::span<const traced::OwnFile> files) const
{
    check_path();
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
    if (kernel.kernel.find_first_of("<(") != std::string::npos) // templates generate code only where they are used
        out << "__device__ const void* " << mark << " __attribute__((used)) = (const void*)"
            << (kernel.kernel.find('(') == std::string::npos ? "&" : "") << kernel.address() << ";\n";
    out.close();
    kernels::ProgramCall call{
        .words = {program_, "--ptx", "--generate-line-info", "--gpu-architecture=sm_90", "--std=c++20",
                  "--expt-relaxed-constexpr", "--extended-lambda", "-o", "out.ptx"},
        .folder = place.path(),
        .environment = {"TMPDIR=" + place.path().string()}};
    for (const std::string& one : folders)
        call.words.insert(call.words.end(), {"--include-path", one});
    call.words.emplace_back("gemmscope.cu");
    kernels::ProgramOutput ended = kernels::run_program(kernels::ProgramCall(call));
    if (ended.text.find(launches_kernels) != std::string::npos) { // another kernel of the file may launch nothing
        call.words.emplace_back("--relocatable-device-code=true");
        ended = kernels::run_program(std::move(call));
    }
    Output output{.good = ended.good,
                  .ptx = ended.good ? recording::read_whole(place.path() / "out.ptx", largest_ptx) : std::string()};
    output.log = place.with_targets(ended.text);
    output.entry = take_mark(output.ptx);
    return output;
}

void Nvcc::build(const traced::HostBuild& build) const
{
    check_path();
    Workplace place;
    const fs::path root = fs::absolute(build.file);
    const std::string name = build.file.filename().string(), root_folder = place.link(root.parent_path());
    const std::string main_source =
        build.text ? "own/" + kernels::plain_path(name) : name_on_disk(place, root, root_folder);
    if (build.text)
        write_below(place.path(), {main_source, root, *build.text});
    std::ofstream(place.path() / "gemmscope.cu")
        << traced::define_lines(build.defines) << "#include \"" << main_source << "\"\n";
    const bool on_gpu = build.stand_in.empty();
    std::vector<std::string> words = {
        "-c", "-O2", "-w", "--generate-line-info", "--expt-relaxed-constexpr", "--extended-lambda"};
    for (const std::string& one : build.include_folders)
        words.insert(words.end(), {"--include-path", place.link(one)});
    words.insert(words.end(), {"--include-path", root_folder});
    for (const fs::path& one : folders_of_headers(root))
        words.insert(words.end(), {"--include-path", place.link(one)});
    std::vector<std::string> link = {"-o", "program"};
    if (on_gpu) {
        words.emplace_back("-arch=native");
        link.insert(link.end(), {"-arch=native", "-lcublas"});
    } else {
        words.insert(words.end(), {"--no-compress", "-gencode", "arch=compute_90a,code=compute_90a", "-gencode",
                                   "arch=compute_90a,code=sm_90a"});
        link.insert(link.end(), {"-cudart", "none", "-L", place.link(build.stand_in), "-l:libcudart.so.13"});
    }
    std::vector<std::string> objects;
    bool relocatable = false; // the GPU's code of several sources, or of a kernel that launches kernels, is linked
    const auto compile = [&](const std::string& source) {
        const std::string object = fmt::format("{}.o", objects.size());
        const auto once = [&] {
            std::vector<std::string> all = words;
            all.insert(all.end(), {source, "-o", object});
            return run(place.path(), std::move(all));
        };
        kernels::ProgramOutput compiled = once();
        if (!compiled.good && objects.empty() && needs_device_linker(compiled.text)) {
            relocatable = true;
            words.emplace_back("-rdc=true");
            compiled = once();
        }
        if (!compiled.good)
            throw kernels::Error(
                fmt::format("{} does not compile. nvcc says:\n{}", name, place.with_targets(compiled.text)));
        objects.push_back(object);
    };
    // nvcc does not link the GPU's code by itself where it is told to use no runtime of its own.
    const auto link_program = [&] {
        std::vector<std::string> all = objects;
        if (relocatable) {
            std::vector<std::string> of_device = {"-dlink", "-o", "device.o", "-lcudadevrt"};
            of_device.insert(of_device.end(),
                             on_gpu ? std::initializer_list<std::string>{"-arch=native"}
                                    : std::initializer_list<std::string>{"-gencode", "arch=compute_90a,code=sm_90a"});
            of_device.insert(of_device.begin(), objects.begin(), objects.end());
            kernels::ProgramOutput device = run(place.path(), of_device);
            if (!device.good)
                return device;
            all.insert(all.end(), {"device.o", "-lcudadevrt"});
        }
        all.insert(all.end(), link.begin(), link.end());
        return run(place.path(), std::move(all));
    };
    compile("gemmscope.cu");
    kernels::ProgramOutput linked = link_program();
    std::vector<std::string> missing = undefined_names(linked.text);
    const std::vector<fs::path> others = missing.empty() ? std::vector<fs::path>() : sources_with(missing, root);
    for (const fs::path& other : others)
        compile(place.link(other, kernels::plain_path(other.filename().string())));
    if (!others.empty()) {
        linked = link_program();
        missing = undefined_names(linked.text);
    }
    if (const auto other = std::ranges::find_if_not(missing, is_c_name); other != missing.end())
        throw kernels::Error(
            fmt::format("{} needs {}, which is in no file beside it. Build the program as its authors do, with nvcc's "
                        "options -cudart shared --no-compress -gencode arch=compute_90,code=compute_90, and give it: "
                        "gemmscope trace -- ./PROGRAM",
                        name, *other));
    if (!missing.empty() && !on_gpu) {
        write_stand_ins(place.path() / "stand_ins.cpp", missing);
        link.emplace_back("stand_ins.cpp");
        linked = link_program();
    }
    if (!linked.good)
        throw kernels::Error(fmt::format("{} cannot be linked. nvcc says:\n{}", name, place.with_targets(linked.text)));
    fs::copy_file(place.path() / "program", build.program, fs::copy_options::overwrite_existing);
}

kernels::ProgramOutput Nvcc::run(const fs::path& folder, std::vector<std::string> words) const
{
    words.insert(words.begin(), program_);
    return kernels::run_program(
        {.words = std::move(words), .folder = folder, .environment = {"TMPDIR=" + folder.string()}});
}

} // namespace cuda
