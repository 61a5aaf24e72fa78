// Compiles a kernel from any CUDA file. See traced/user_kernel.h.
#include "traced/user_kernel.h"

#include "cuda/compiler.h"
#include "cuda/library.h"
#include "cuda/nvcc.h"
#include "cuda/nvrtc.h"
#include "error.h"
#include "machine_code/cubin.h"
#include "machine_code/elf.h"
#include "machine_code/line_table.h"
#include "processor.h"
#include "run_program.h"
#include "traced/host_code.h"
#include "traced/own_files.h"
#include "traced/request.h"
#include "traced/source_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>

namespace traced {

namespace {

std::filesystem::path toolkit_headers()
{
    for (const std::filesystem::path& home : cuda::toolkit_homes())
        if (std::error_code ignored; std::filesystem::exists(home / "include" / "cuda_fp16.h", ignored))
            return home / "include";
    return {};
}

// The files to compile, and the replacements of other headers.
class Sources {
public:
    explicit Sources(const UserKernel& kernel) : kernel_(kernel), toolkit_(toolkit_headers()), files_(kernel.files)
    {
        if (files_.empty())
            files_ = {{kernel.file.filename().string(), std::filesystem::absolute(kernel.file), kernel.text}};
        name_root();
        std::error_code ignored;
        headers_ = cuda::host_headers(std::filesystem::exists(toolkit_ / "cccl" / "cuda" / "std", ignored) ||
                                      std::filesystem::exists(toolkit_ / "cuda" / "std", ignored));
        // The user's own headers are used as they are, except for those that only a host needs.
        std::erase_if(files_, [this](const OwnFile& one) { return &one != files_.data() && is_of_host(one.name); });
        for (const OwnFile& one : files_)
            for (const std::string& name : includes_in(one.text))
                if (!is_known(name))
                    missing_.push_back(name);
        for (const OwnFile& one : files_)
            for (const std::string& name : names_in_directives(one.text))
                if (leads_to_no_source(name, one) && std::ranges::find(missing_, name) == missing_.end())
                    missing_.push_back(name);
    }

    const UserKernel& kernel() const { return kernel_; }
    // Returns the name that compilers use for the kernel's file.
    std::string name_of_kernels_file() const
    {
        std::string name = kernel_.file.filename().string();
        return name == root_name_ ? files_.front().name : name;
    }
    // Replaces the root's name by the name that the user knows.
    std::string as_known(std::string said) const
    {
        const std::string called = files_.front().name;
        for (std::size_t at = 0; called != root_name_ && (at = said.find(called, at)) != std::string::npos;
             at += root_name_.size())
            said.replace(at, called.size(), root_name_);
        return said;
    }
    const std::vector<OwnFile>& files() const { return files_; }
    const std::vector<std::string>& missing() const { return missing_; }

    // Returns the files with the host program removed from each.
    std::vector<OwnFile> without_host(const std::map<std::string, std::set<unsigned>>& wrong_lines) const
    {
        HostCodeHints hints;
        for (int twice = 0; twice < 2; ++twice) // a macro may be defined in terms of another file's macro
            for (const OwnFile& one : files_)
                hints.device_macros = device_macros(one.text, std::move(hints.device_macros));
        std::vector<OwnFile> result = files_;
        for (OwnFile& one : result) {
            const auto wrong = wrong_lines.find(one.name);
            hints.wrong_lines = wrong == wrong_lines.end() ? std::set<unsigned>() : wrong->second;
            one.text = without_host_code(one.text, hints);
        }
        return result;
    }

    // `files` may have only the first file; the others are then read from the disk.
    cuda::Program program(std::span<const OwnFile> files) const
    {
        cuda::Program program;
        program.text = fmt::format("{}{}#include \"{}\"\n", cuda::text_of_no_header(), define_lines(kernel_.defines),
                                   files.front().name);
        for (const OwnFile& one : files)
            program.headers.push_back({one.name, one.text});
        program.headers.insert(program.headers.end(), headers_.begin(), headers_.end());
        for (const std::string& name : missing_)
            program.headers.push_back({name, ""});
        return program;
    }

    std::vector<std::string> options() const
    {
        std::vector<std::string> options;
        for (const std::string& folder : kernel_.include_folders)
            options.push_back("--include-path=" + folder);
        options.push_back("--include-path=" + files_.front().path.parent_path().string());
        if (!toolkit_.empty())
            options.push_back("--include-path=" + toolkit_.string());
        if (std::error_code ignored; !toolkit_.empty() && std::filesystem::exists(toolkit_ / "cccl", ignored))
            options.push_back("--include-path=" + (toolkit_ / "cccl").string());
        return options;
    }

private:
    // Compilers get another name for a file such as a"b.cu, which no #include can name.
    void name_root()
    {
        std::string& name = files_.front().name;
        root_name_ = name;
        if (kernels::is_plain_path(name))
            return;
        name = kernels::plain_path(name);
        while (std::ranges::count(files_, name, &OwnFile::name) > 1)
            name.insert(name.begin(), '_');
    }

    bool is_of_host(const std::string& name) const
    {
        return std::ranges::find(headers_, name, &cuda::Program::Header::name) != headers_.end();
    }

    bool is_known(const std::string& name) const
    {
        return is_of_host(name) || std::ranges::find(files_, name, &OwnFile::name) != files_.end() ||
               std::ranges::find(missing_, name) != missing_.end() || is_source(toolkit_ / name) ||
               is_source(toolkit_ / "cccl" / name) ||
               std::ranges::any_of(kernel_.include_folders, [&](const std::string& folder) {
                   return is_source(std::filesystem::path(folder) / name);
               });
    }

    // Opening a pipe would block a compiler forever.
    bool leads_to_no_source(const std::string& name, const OwnFile& from) const
    {
        const auto is_in = [&name](const std::filesystem::path& folder) { return is_no_source(folder / name); };
        return is_in(from.path.parent_path()) || is_in(files_.front().path.parent_path()) ||
               std::ranges::any_of(kernel_.include_folders, is_in);
    }

    const UserKernel& kernel_;
    const std::filesystem::path toolkit_;
    std::vector<OwnFile> files_;
    std::string root_name_; // the first file's name on disk, if the compilers get another one
    std::vector<cuda::Program::Header> headers_;
    std::vector<std::string> missing_;
};

// Removes blanks from "void transpose<32>(float const*, float*, int, int)", or from a C name.
std::string without_blanks(std::string text)
{
    std::erase(text, ' ');
    return text;
}

// Finds the kernel with this name among the entries of a whole file's PTX. If no entry matches because template
// arguments are spelled differently, the only entry with that base name is used.
std::string entry_of(const std::string& ptx, const std::string& kernel)
{
    const std::string wanted = without_blanks(kernel), base(base_of_kernel(wanted));
    std::vector<std::string> alike;
    constexpr std::string_view mark = ".entry ";
    for (std::size_t at = ptx.find(mark); at != std::string::npos; at = ptx.find(mark, at + 1)) {
        const std::size_t begin = at + mark.size(), end = ptx.find_first_of("( \n\t", begin);
        std::string lowered = ptx.substr(begin, end - begin);
        const std::string named = without_blanks(kernels::readable_name(lowered.c_str()));
        const std::size_t found = named.find(base);
        if (found == std::string::npos)
            continue;
        const std::string rest = named.substr(found);
        if (rest == wanted || rest.starts_with(wanted + "("))
            return lowered;
        if (rest == base || rest[base.size()] == '(' || rest[base.size()] == '<')
            alike.push_back(std::move(lowered));
    }
    if (alike.size() == 1)
        return alike.front();
    throw kernels::Error(
        fmt::format("nvcc compiled the file, and {} kernels in it fit the name {}. Give all of its template "
                    "arguments as numbers and types.",
                    alike.size(), kernel));
}

// Reads the registers and the local memory that ptxas assigned to each thread.
void read_resources(CompiledKernel& compiled)
{
    if (compiled.cubin.empty())
        return;
    if (const auto resources = cuda::thread_resources(compiled.cubin, compiled.lowered_name)) {
        compiled.registers = resources->registers;
        compiled.local_bytes = resources->local_bytes;
    }
}

CompiledKernel by_nvcc(const Sources& sources, cuda::Nvcc::Output output)
{
    CompiledKernel result{.ptx = std::move(output.ptx), .compiler = "nvcc"};
    result.lowered_name = output.entry.empty() ? entry_of(result.ptx, sources.kernel().kernel) : output.entry;
    result.signature = kernels::readable_name(result.lowered_name.c_str());
    result.cubin = assembled(result.ptx, result.lowered_name);
    read_resources(result);
    result.source_lines = cuda::source_lines(cuda::lines_of(result.ptx), sources.name_of_kernels_file());
    return result;
}

// Compiles with nvcc, for which the file was written: first unchanged, then without the host program and with empty
// files for missing headers. `said_by_nvrtc` may be empty.
CompiledKernel by_nvcc(const cuda::Nvcc& nvcc, const Sources& sources, const std::string& said_by_nvrtc)
{
    std::string said = said_by_nvrtc;
    cuda::Nvcc::Output unchanged = nvcc.compile(sources.kernel(), {});
    if (unchanged.good)
        return by_nvcc(sources, std::move(unchanged));
    if (sources.missing().empty() || said.empty()) {
        said = fmt::format("{} does not compile. nvcc says:\n{}", sources.files().front().name, unchanged.log);
    }
    std::vector<OwnFile> alone = sources.without_host({});
    for (const std::string& name : sources.missing())
        alone.push_back({name, {}, ""});
    cuda::Nvcc::Output output = nvcc.compile(sources.kernel(), alone);
    if (!output.good)
        throw kernels::Error(said);
    return by_nvcc(sources, std::move(output));
}

CompiledKernel by_nvrtc(const cuda::Nvrtc& nvrtc, const Sources& sources, std::span<const OwnFile> files)
{
    std::vector<std::string> options = nvrtc.options_for(compiled_for);
    std::ranges::move(sources.options(), std::back_inserter(options));
    const kernels::CrashNote note(
        fmt::format("NVRTC {}, the compiler, crashes on {}. Often a type of the kernel's parameters is not declared: "
                    "name the folder "
                    "of its header by -I, or build the program with nvcc and trace that: gemmscope trace -- ./PROGRAM",
                    nvrtc.version(), sources.kernel().file.filename().string()));
    const cuda::Compiled compiled = nvrtc.compile(sources.program(files), sources.kernel().address(), options);
    CompiledKernel result{.ptx = compiled.ptx,
                          .lowered_name = compiled.lowered_name,
                          .signature = kernels::readable_name(compiled.lowered_name.c_str()),
                          .source_lines = {},
                          .compiler = "NVRTC " + nvrtc.version()};
    while (!result.ptx.empty() && result.ptx.back() == '\0')
        result.ptx.pop_back();
    if (compiled.image.starts_with("\x7f"
                                   "ELF"))
        result.cubin = compiled.image;
    read_resources(result);
    result.source_lines = cuda::source_lines(cuda::lines_of(result.ptx), sources.name_of_kernels_file());
    return result;
}

// Returns whether the first error is in a header. Some headers (all of CUB, for example) are for nvcc only.
bool fails_in_header(std::string_view log, const std::string& file)
{
    const std::size_t error = log.find(": error");
    if (error == std::string_view::npos)
        return false;
    const std::size_t line = log.rfind('\n', error);
    return !log.substr(line == std::string_view::npos ? 0 : line + 1).starts_with(file + "(");
}

// Returns the lines of messages such as "stencil.cu(12): error: ...", by file.
std::map<std::string, std::set<unsigned>> lines_with_errors(std::string_view log)
{
    std::map<std::string, std::set<unsigned>> lines;
    constexpr std::string_view mark = "): error";
    for (std::size_t at = log.find(mark); at != std::string_view::npos; at = log.find(mark, at + 1)) {
        const std::size_t line = log.rfind('\n', at) + 1, open = log.rfind('(', at); // npos + 1 is 0
        unsigned number = 0;
        if (open != std::string_view::npos && open > line &&
            std::from_chars(log.data() + open + 1, log.data() + at, number).ec == std::errc())
            lines[std::string(log.substr(line, open - line))].insert(number);
    }
    return lines;
}

// Compiles with NVRTC, which does not support host code: first unchanged, then without the host program. Code that still
// fails and is not marked as device code is removed too.
CompiledKernel by_nvrtc_without_host(const cuda::Nvrtc& nvrtc, const Sources& sources)
{
    std::string last;
    try {
        return by_nvrtc(nvrtc, sources, std::span(sources.files()).first(1));
    } catch (const kernels::Unavailable&) {
        throw;
    } catch (const kernels::Error& error) {
        last = error.what();
    }
    const auto text = [](const OwnFile& one) { return one.text; };
    std::vector<OwnFile> files = sources.files();
    std::map<std::string, std::set<unsigned>> wrong_lines;
    std::string said; // errors in the kernel so far; errors caused by removed lines are ignored
    constexpr int most_rounds = 5;
    for (int round = 0; round < most_rounds; ++round) {
        std::vector<OwnFile> alone = sources.without_host(wrong_lines);
        if (round > 0 || std::ranges::equal(alone, files, {}, text, text)) {
            if (said.empty())
                said = last;
            for (const auto& [file, lines] : lines_with_errors(last))
                wrong_lines[file].insert(lines.begin(), lines.end());
            alone = sources.without_host(wrong_lines);
        }
        if (std::ranges::equal(alone, files, {}, text, text))
            break;
        files = std::move(alone);
        try {
            return by_nvrtc(nvrtc, sources, files);
        } catch (const kernels::Error& error) {
            last = error.what();
        }
    }
    throw kernels::Error(said.empty() ? last : said);
}

// Returns the header of Thrust that a file includes, such as "thrust/sort.h", or an empty text. Thrust's headers are
// host code, which NVRTC refuses only after seconds.
std::string header_for_nvcc(const std::vector<OwnFile>& files)
{
    for (const OwnFile& one : files)
        for (const std::string& name : includes_in(one.text))
            if (name.starts_with("thrust/"))
                return name;
    return {};
}

CompiledKernel compile(const Sources& sources)
{
    const cuda::Nvcc nvcc;
    if (const std::string header = header_for_nvcc(sources.files()); !header.empty()) {
        if (nvcc.found())
            return by_nvcc(nvcc, sources, {});
        throw kernels::Error(fmt::format("{} includes {}, which only nvcc compiles. Install nvcc: it is in package "
                                         "cuda-nvcc of NVIDIA's repository.",
                                         sources.files().front().name, header));
    }
    std::string said;
    try {
        return by_nvrtc_without_host(cuda::Nvrtc(), sources);
    } catch (const kernels::Unavailable& missing) {
        if (!nvcc.found())
            throw;
        said = missing.what();
    } catch (const kernels::Error& error) {
        said = error.what();
        if (!sources.missing().empty())
            said +=
                fmt::format("\nNot found, and taken to be empty: {}. Where the kernel needs what is in there, name the "
                            "folder that has it by -I.",
                            fmt::join(sources.missing(), ", "));
        const bool of_host =
            std::ranges::any_of(sources.files(), [](const OwnFile& one) { return has_host_code(one.text); });
        if (!nvcc.found() ||
            !(of_host || !sources.missing().empty() || fails_in_header(said, sources.files().front().name)))
            throw kernels::Error(said);
    }
    return by_nvcc(nvcc, sources, said);
}

} // namespace

CompiledKernel compile(const UserKernel& kernel)
{
    if (const std::optional<UserKernel> alone = with_one_kernel(kernel)) {
        try {
            return compile(*alone);
        } catch (const kernels::Unavailable&) {
            throw;
        } catch (const kernels::Error&) {
            // The kernel launches the others, or the errors are not theirs. The whole file is compiled.
        }
    }
    const Sources sources(kernel);
    try {
        return compile(sources);
    } catch (const kernels::Unavailable&) {
        throw;
    } catch (const kernels::Error& error) {
        throw kernels::Error(sources.as_known(error.what()));
    }
}

bool can_build_host_programs()
{
    return cuda::Nvcc().found();
}

void build_host_program(const HostBuild& build)
{
    const cuda::Nvcc nvcc;
    if (!nvcc.found())
        throw kernels::Unavailable(
            "nvcc, which compiles host programs, is not installed: it is in package cuda-nvcc of NVIDIA's "
            "repository.");
    nvcc.build(build);
}

} // namespace traced
