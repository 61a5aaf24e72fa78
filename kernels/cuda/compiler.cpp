#include "cuda/compiler.h"

#include "error.h"
#include "heartbeat.h"
#include "recording/disk.h"
#include "user_cache.h"

#include <fmt/format.h>

#include <cstdint>
#include <string_view>

namespace cuda {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view magic = "gemmscope cubin 2\n";
constexpr uint64_t entry_limit = 256u << 20; // image, PTX and warnings of one kernel: several MB if the kernel is large

using kernels::Hash;

std::string body_of(const Compiled& compiled)
{
    return fmt::format("{}\n{}\n{}\n{}\n{}{}{}", compiled.lowered_name, compiled.log.size(), compiled.image.size(),
                       compiled.ptx.size(), compiled.log, compiled.image, compiled.ptx);
}

// Removes the first line from the front of the text and returns it; returns nothing if there is no line break.
std::optional<std::string_view> take_line(std::string_view& text)
{
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos)
        return std::nullopt;
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    return line;
}

std::optional<std::size_t> take_number(std::string_view& text)
{
    const auto line = take_line(text);
    if (!line || line->empty() || line->size() > 12 || line->find_first_not_of("0123456789") != std::string_view::npos)
        return std::nullopt;
    return std::stoull(std::string(*line));
}

// Returns no folder if other users could place GPU code there; kernels are then compiled anew each time.
fs::path usual_folder()
try {
    const fs::path folder = kernels::user_cache();
    return folder.empty() ? folder : kernels::private_folder(folder / "cubins");
} catch (const kernels::Error&) {
    return {};
}

} // namespace

CubinCache::CubinCache() : CubinCache(usual_folder()) {}

CubinCache::CubinCache(fs::path folder) : folder_(std::move(folder)) {}

std::string CubinCache::key(const Program& program, const std::string& expression,
                            const std::vector<std::string>& options, const std::string& compiler)
{
    kernels::CacheKey key;
    key.add(program.text);
    for (const Program::Header& header : program.headers) {
        key.add(header.name);
        key.add(header.text);
    }
    key.add(expression);
    for (const std::string& option : options)
        key.add(option);
    key.add(compiler);
    return key.text();
}

fs::path CubinCache::file_of(const std::string& key) const
{
    return folder_ / (key + ".cubin");
}

std::optional<Compiled> CubinCache::find(const std::string& key) const
{
    if (folder_.empty())
        return std::nullopt;
    std::string contents;
    try {
        contents = recording::read_whole(file_of(key), entry_limit);
    } catch (const std::exception&) {
        return std::nullopt;
    }
    std::string_view rest = contents;
    if (!rest.starts_with(magic))
        return std::nullopt;
    rest.remove_prefix(magic.size());
    const auto checksum = take_line(rest);
    if (!checksum || *checksum != fmt::format("{:016x}", Hash().add(rest).value))
        return std::nullopt;
    const auto name = take_line(rest);
    const auto log_size = take_number(rest);
    const auto image_size = take_number(rest);
    const auto ptx_size = take_number(rest);
    if (!name || !log_size || !image_size || !ptx_size || *log_size + *image_size + *ptx_size != rest.size())
        return std::nullopt;
    return Compiled{.image = std::string(rest.substr(*log_size, *image_size)),
                    .lowered_name = std::string(*name),
                    .log = std::string(rest.substr(0, *log_size)),
                    .ptx = std::string(rest.substr(*log_size + *image_size))};
}

void CubinCache::store(const std::string& key, const Compiled& compiled) const
{
    if (folder_.empty())
        return;
    const std::string body = body_of(compiled);
    try {
        std::filesystem::create_directories(folder_);
        recording::write_atomically(file_of(key), fmt::format("{}{:016x}\n{}", magic, Hash().add(body).value, body));
    } catch (const std::exception&) { // no space, no permission: compiled again next time
    }
}

Compiler::Compiler(Nvrtc nvrtc, int compute_capability, CubinCache cache)
    : nvrtc_(std::move(nvrtc)), options_(nvrtc_.options_for(compute_capability)), cache_(std::move(cache))
{
}

Compiled Compiler::compile(const kernels::Stage& stage, const KernelName& name) const
{
    return compile(program_for(stage, name.probe), name.expression);
}

Compiled Compiler::compile(const Program& program, const std::string& expression) const
{
    const std::string key = CubinCache::key(program, expression, options_, "NVRTC " + version());
    if (std::optional<Compiled> cached = cache_.find(key))
        return std::move(*cached);
    const kernels::Heartbeat alive(sign_); // compiling a large kernel on a slow machine takes a minute or more
    Compiled compiled = nvrtc_.compile(program, expression, options_);
    cache_.store(key, compiled);
    return compiled;
}

Compiler ptx_compiler()
{
    Compiler compiler(Nvrtc(), ptx_capability);
    std::string& architecture = compiler.options_.front(); // for machine code: "--gpu-architecture=sm_90a"
    if (const std::size_t at = architecture.find("=sm_"); at != std::string::npos)
        architecture.replace(at, 4, "=compute_");
    return compiler;
}

} // namespace cuda
