#include "cudart/recorded_launch.h"

#include "error.h"
#include "machine_code/cubin.h"
#include "machine_code/elf.h"
#include "machine_code/line_table.h"
#include "ptx/file_launch.h"
#include "recording/disk.h"
#include "run_program.h"
#include "traced/source_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

namespace cudart {

namespace {

namespace fs = std::filesystem;

// Returns the files that the PTX names in lines such as ".file 1 "/home/me/scale.cu"". A file that does not exist there
// is expected beside `source`.
std::vector<fs::path> files_of(const std::string& ptx, const fs::path& source)
{
    std::vector<fs::path> files;
    constexpr std::string_view mark = ".file";
    for (std::size_t at = ptx.find(mark); at != std::string::npos; at = ptx.find(mark, at + 1)) {
        const std::size_t open = ptx.find_first_of("\"\n", at);
        const std::size_t close = open == std::string::npos ? open : ptx.find_first_of("\"\n", open + 1);
        if (close == std::string::npos || ptx[open] != '"')
            continue;
        fs::path file = ptx.substr(open + 1, close - open - 1);
        if (std::error_code ignored; !source.empty() && !fs::exists(file, ignored))
            file = source.parent_path() / file.filename();
        if (traced::is_source(file) && file.string().find("/targets/") == std::string::npos)
            files.push_back(file);
    }
    return files;
}

// Returns the kernel in a text that the program may have been compiled from. Returns nothing if it is not there.
std::optional<traced::UserKernel> kernel_in(const fs::path& file, const LaunchToRecord& launch)
{
    const LaunchChoice& wanted = launch.session.wanted;
    try {
        const std::string text = wanted.text && file == wanted.source
                                     ? *wanted.text
                                     : recording::read_whole(file, recording::largest_source);
        std::string name = launch.named.kernel;
        if (std::ranges::count(traced::kernels_in(text), name, &traced::WrittenKernel::name) > 1)
            name = launch.named.demangled; // an overloaded function needs its types
        return traced::user_kernel(file, text, name, wanted.request.include_folders);
    } catch (const kernels::Error&) { // the text has no kernel of that name
        return {};
    }
}

// Finds the source of the kernel. If no file contains it, for example without -lineinfo, its PTX takes the place of the
// source.
traced::UserKernel kernel_of(const LaunchToRecord& launch, std::vector<uint32_t>& lines)
{
    std::optional<traced::UserKernel> kernel;
    if (const fs::path& source = launch.session.wanted.source; !source.empty())
        kernel = kernel_in(source, launch);
    if (!kernel)
        for (const fs::path& file : files_of(launch.module.ptx, launch.session.wanted.source))
            if (!kernel)
                kernel = kernel_in(file, launch);
    const std::vector<std::string> ptx = cuda::lines_of(launch.module.ptx);
    if (kernel)
        lines = cuda::source_lines(ptx, kernels::plain_path(kernel->file.filename().string()));
    const bool has_lines = std::ranges::any_of(lines, [](uint32_t line) { return line != 0; });
    if (kernel && has_lines)
        return *std::move(kernel);
    lines.resize(ptx.size());
    for (std::size_t i = 0; i < ptx.size(); ++i)
        lines[i] = static_cast<uint32_t>(i + 1);
    return {.file = "kernel.ptx",
            .text = launch.module.ptx,
            .kernel = launch.named.kernel,
            .include_folders = {},
            .defines = {}};
}

traced::CompiledKernel compiled_of(const LaunchToRecord& launch, std::vector<uint32_t> lines)
{
    traced::CompiledKernel result{.ptx = launch.module.ptx,
                                  .lowered_name = launch.question.name,
                                  .cubin = launch.module.cubin,
                                  .signature = launch.named.demangled,
                                  .source_lines = std::move(lines),
                                  .compiler = launch.session.wanted.compiler};
    // The program may have been built without machine code for an H100. Code of several sources calls functions that
    // the assembler would put in the place of their calls in one text, so what it executes is not known.
    if (result.cubin.empty() && !result.ptx.starts_with(linked_mark))
        result.cubin = traced::assembled(result.ptx, result.lowered_name);
    if (!result.cubin.empty())
        if (const auto resources = cuda::thread_resources(result.cubin, result.lowered_name)) {
            result.registers = resources->registers;
            result.local_bytes = resources->local_bytes;
        }
    return result;
}

// A word of the kernel's arguments that is an address in a window, and the name that the kernel has for it.
struct PointerArgument {
    std::size_t window = 0;
    std::string name, type; // "in", "float"
};

class Arguments {
public:
    Arguments(const LaunchToRecord& launch, const ptx::Program& program, const traced::WrittenKernel& written,
              const std::string& text)
        : launch_(launch), program_(program), written_(written)
    {
        try {
            parameters_ = ptx::parameters_of(program, written, launch.named.demangled, text);
        } catch (const kernels::Error&) { // a struct whose layout is unknown; its pointers have no names
            parameters_.assign(program.parameters.size(), {});
        }
    }

    std::vector<PointerArgument> pointers() const
    {
        std::vector<PointerArgument> result;
        for (std::size_t i = 0; i < program_.parameters.size(); ++i) {
            const auto [name, type, first, bytes] = program_.parameters[i];
            for (uint64_t at = 0; at + 8 <= bytes; at += 8)
                if (const auto window = window_of(word(first + at, 8)))
                    result.push_back(named(i, at, *window));
        }
        return result;
    }

    // Returns the value of an integer parameter with that name, in upper or lower case.
    std::optional<uint64_t> number(std::string_view name) const
    {
        for (std::size_t i = 0; i < written_.parameters.size() && i < program_.parameters.size(); ++i)
            if (const ptx::Parameter& place = program_.parameters[i];
                same_name(written_.parameters[i].name, name) && (place.bytes == 4 || place.bytes == 8))
                return word(place.first, place.bytes);
        return {};
    }

private:
    static bool same_name(std::string_view a, std::string_view b)
    {
        return std::ranges::equal(a, b, [](char x, char y) {
            return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
        });
    }

    uint64_t word(uint64_t at, uint64_t bytes) const
    {
        uint64_t value = 0;
        std::memcpy(&value, launch_.question.arguments.data() + at, bytes);
        return value;
    }

    std::optional<std::size_t> window_of(uint64_t address) const
    {
        const uint64_t number = ptx::region_number(address);
        if (number >= launch_.windows.size())
            return {};
        const Window& window = launch_.windows[number];
        if (address - ptx::global_address(number) >= window.bytes)
            return {};
        return number;
    }

    PointerArgument named(std::size_t parameter, uint64_t at, std::size_t window) const
    {
        const bool is_written = written_.parameters.size() == program_.parameters.size();
        std::string name = is_written ? written_.parameters[parameter].name : fmt::format("argument {}", parameter + 1);
        const traced::KernelParameter& known = parameters_[parameter];
        if (program_.parameters[parameter].bytes == 8)
            return {window, name, known.type.base};
        for (const traced::StructMember& member : known.members)
            if (member.first == at)
                return {window, fmt::format("{}.{}", name, member.name), member.type.base};
        return {window, fmt::format("{} at byte {}", name, at), ""};
    }

    const LaunchToRecord& launch_;
    const ptx::Program& program_;
    const traced::WrittenKernel& written_;
    std::vector<traced::KernelParameter> parameters_;
};

// Returns whether the kernel uses the variable. Headers declare variables that it does not use. The address of a
// variable in use is a constant of the program.
bool uses(const ptx::Program& program, uint64_t address, uint64_t bytes)
{
    return std::ranges::any_of(program.constants, [&](const ptx::Program::Constant& constant) {
        return constant.wide && constant.value >= address && constant.value - address <= bytes;
    });
}

std::string short_variable_name(const std::string& symbol)
{
    const std::string name = kernels::readable_name(symbol.c_str());
    const std::size_t scope = name.rfind("::");
    return scope == std::string::npos ? name : name.substr(scope + 2);
}

// Makes the whole window one row of elements of the buffer's type.
void shape(traced::Buffer& buffer, uint64_t bytes)
{
    buffer.element_bytes = traced::bytes_of_type(buffer.type);
    if (buffer.element_bytes == 0 || bytes % buffer.element_bytes != 0) {
        buffer.element_bytes = bytes % 4 == 0 ? 4 : 1;
        buffer.type = bytes % 4 == 0 ? "float" : "char";
    }
    buffer.cols = static_cast<uint32_t>(bytes / buffer.element_bytes);
}

std::vector<traced::Buffer> buffers_of(const LaunchToRecord& launch, const ptx::Program& program,
                                       const Arguments& arguments)
{
    std::vector<traced::Buffer> buffers;
    const std::vector<PointerArgument> pointers = arguments.pointers();
    for (std::size_t i = 0; i < launch.windows.size(); ++i) {
        const Window& window = launch.windows[i];
        traced::Buffer buffer{.name = window.name.empty() ? launch.regions[i].name : short_variable_name(window.name),
                              .type = {},
                              .bytes = launch.regions[i].bytes,
                              .writable = window.writable,
                              .shown = false};
        const auto pointer = std::ranges::find(pointers, i, &PointerArgument::window);
        if (pointer != pointers.end()) {
            buffer.name = pointer->name;
            buffer.type = pointer->type;
            buffer.shown = true;
        } else if (!window.name.empty()) {
            buffer.shown = window.writable && window.bytes > 0 && !window.name.starts_with('$') &&
                           uses(program, ptx::global_address(i), window.bytes);
        }
        if (buffer.name.empty())
            buffer.name = fmt::format("buffer {}", i);
        shape(buffer, window.bytes);
        buffers.push_back(std::move(buffer));
    }
    return buffers;
}

// Marks the launch as a matrix multiplication if the kernel's name suggests it, and if it has matrices A, B and C of
// the sizes that M, N and K give.
bool make_product(const std::string& kernel, const Arguments& arguments, traced::PreparedLaunch& launch)
{
    std::string name = kernel.substr(0, kernel.find('<'));
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (name.find("mm") == std::string::npos && name.find("mul") == std::string::npos)
        return false;
    const auto n = arguments.number("N");
    const uint64_t N = n.value_or(0), M = arguments.number("M").value_or(N), K = arguments.number("K").value_or(N);
    const uint64_t rows[] = {M, K, M}, cols[] = {K, N, N};
    traced::Buffer* matrices[3] = {};
    for (int i = 0; i < 3; ++i)
        for (traced::Buffer& buffer : launch.buffers)
            if (buffer.shown && buffer.name.size() == 1 && std::toupper(buffer.name[0]) == 'A' + i &&
                rows[i] * cols[i] * buffer.element_bytes == buffer.bytes.size() && buffer.bytes.size() > 4)
                matrices[i] = &buffer;
    if (matrices[0] == nullptr || matrices[1] == nullptr || matrices[2] == nullptr)
        return false;
    for (int i = 0; i < 3; ++i) {
        matrices[i]->role = static_cast<char>('A' + i);
        matrices[i]->rows = static_cast<uint32_t>(rows[i]);
        matrices[i]->cols = static_cast<uint32_t>(cols[i]);
    }
    launch.problem = {.M = static_cast<uint32_t>(M), .N = static_cast<uint32_t>(N), .K = static_cast<uint32_t>(K)};
    return true;
}

} // namespace

ptx::Traced recorded_launch(const LaunchToRecord& launch, const std::stop_token& stop, const ptx::OnProgress& told)
{
    std::vector<uint32_t> lines;
    const traced::UserKernel kernel = kernel_of(launch, lines);
    const traced::CompiledKernel compiled = compiled_of(launch, std::move(lines));
    ptx::FileLaunch ready;
    if (kernel.file != "kernel.ptx")
        ready.written = traced::find_kernel(kernel.text, kernel.kernel);
    ready.names = traced::names_of(launch.session.wanted.request, kernel.all_text());
    const ptx::Module module = ptx::parse(compiled.ptx, compiled.source_lines);
    ready.program = ptx::make_program(module, compiled.lowered_name, launch.module.first_variable);
    const Arguments arguments(launch, ready.program, ready.written, kernel.all_text());
    ready.launch.buffers = buffers_of(launch, ready.program, arguments);
    ready.launch.multiplies = make_product(launch.named.kernel, arguments, ready.launch);
    ready.program.variables.clear(); // they are among the buffers
    ready.program.variable_addresses.clear();
    const LaunchKernel& question = launch.question;
    ready.launch.extent = {{question.grid.x, question.grid.y, question.grid.z},
                           {question.block.x, question.block.y, question.block.z}};
    ready.cooperative = question.cooperative;
    if (question.cluster.x > 0)
        ready.launch.cluster = recording::Index3{question.cluster.x, question.cluster.y, question.cluster.z};
    ready.launch.dynamic_shared_bytes = question.shared_bytes;
    const auto* const bytes = reinterpret_cast<const std::byte*>(question.arguments.data());
    ready.arguments.bytes.assign(bytes, bytes + question.arguments.size());
    ready.by_host_program =
        fmt::format("The program's own host code made this launch, number {} of the program; memory held "
                    "what it had put there.",
                    launch.named.number);
    if (const std::size_t failures = launch.session.failures.size(); failures > 0)
        ready.by_host_program +=
            fmt::format(" Before it {} failed: {}", failures == 1 ? "one call" : fmt::format("{} calls", failures),
                        launch.session.failures.front());
    traced::Request request = launch.session.wanted.request;
    request.check.clear();
    return ptx::trace(request, kernel, compiled, std::move(ready), stop, told);
}

} // namespace cudart
