#include "cudart/device.h"

#include "cudart/recorded_launch.h"
#include "error.h"
#include "gemm/block_limits.h"
#include "injection/traced_program.h"
#include "machine_code/cubin.h"
#include "machine_code/elf.h"
#include "machine_code/line_table.h"
#include "ptx/machine.h"
#include "run_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <mutex>
#include <set>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace cudart {

namespace {

using Clock = std::chrono::steady_clock;

constexpr uint64_t page = 4096;
// Limits of the number of regions. A process may use the addresses above the region most_host_visible for its code (at
// 0x55...), its libraries and its stack.
constexpr std::size_t most_host_visible = 1200, most_regions = 4000;

double milliseconds_since(Clock::time_point begin)
{
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

recording::Index3 index_of(const Extent& extent)
{
    return {extent.x, extent.y, extent.z};
}

ptx::MachineLaunch machine_launch(const LaunchKernel& question)
{
    ptx::MachineLaunch launch{.extent = {index_of(question.grid), index_of(question.block)},
                              .dynamic_shared_bytes = question.shared_bytes,
                              .cooperative = question.cooperative};
    const auto* const bytes = reinterpret_cast<const std::byte*>(question.arguments.data());
    launch.arguments.assign(bytes, bytes + question.arguments.size());
    if (question.cluster.x > 0)
        launch.cluster = index_of(question.cluster);
    return launch;
}

constexpr std::string_view how_to_be_quicker =
    "Smaller sizes make it quicker: by the program's own arguments, which come after '--', or by -D NAME=VALUE where "
    "the file "
    "lets it; --kernel with --grid, --block and --args runs one kernel without the host program.";

// Reports once that a launch will take longer than a minute, as soon as its speed shows it. Measures processor time, so
// that other programs on the machine do not make the launch look longer.
class LongLaunch {
public:
    // `cores` is the number of cores that share the blocks.
    LongLaunch(const Session& session, const NamedLaunch& named, uint64_t blocks, std::size_t cores)
        : session_(session), named_(named), blocks_(blocks), cores_(static_cast<double>(cores))
    {
    }

    void block_begins()
    {
        const std::lock_guard lock(mutex_);
        if (++begun_ == 1)
            begin_ = std::clock(); // excludes the time for copies of the memory
        const double seconds = static_cast<double>(std::clock() - begin_) / CLOCKS_PER_SEC / cores_;
        if (told_ || seconds < 2 || begun_ < 3)
            return;
        const double all = seconds * static_cast<double>(blocks_) / static_cast<double>(begun_ - 1);
        if (all < 60)
            return;
        told_ = true;
        session_.tell(fmt::format("{}, launch {} of the program, has {} blocks, which take about {} here. {}",
                                  named_.kernel, named_.number, blocks_,
                                  all < 90 ? "a minute" : fmt::format("{:.0f} minutes", all / 60), how_to_be_quicker));
    }

private:
    const Session& session_;
    const NamedLaunch& named_;
    const uint64_t blocks_;
    const double cores_;
    std::clock_t begin_ = 0;
    std::mutex mutex_; // several cores run blocks
    uint64_t begun_ = 0;
    bool told_ = false;
};

// Receives the steps of a launch that is not recorded. Only counts the blocks that have begun.
struct BlockCount {
    LongLaunch* slow;
    uint64_t next = 0;
    void take(uint64_t block, uint32_t, const traced::Step&)
    {
        if (block < next)
            return;
        next = block + 1;
        slow->block_begins();
    }
    void join(const BlockCount&) {}
};

// Prints a kernel's output to this process's standard output, in order with the program's own output.
void print(const std::string& text)
{
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
}

uint32_t most_threads_of(const std::string& ptx, const std::string& kernel)
{
    // The directives are between the parameters and the body: ".entry NAME(...)\n.maxntid 256, 1, 1".
    const std::size_t entry = ptx.find(".entry " + kernel + "(");
    const std::size_t body = entry == std::string::npos ? entry : ptx.find('{', entry);
    uint32_t most = 1024;
    for (const char* const word : {".maxntid", ".reqntid"}) {
        const std::size_t at = entry == std::string::npos ? entry : ptx.find(word, entry);
        if (at == std::string::npos || at > body)
            continue;
        uint64_t threads = 1;
        const char* digits = ptx.c_str() + at + std::strlen(word);
        for (int axis = 0; axis < 3; ++axis) {
            char* end = nullptr;
            threads *= std::max<uint64_t>(1, std::strtoull(digits, &end, 10));
            digits = end;
            if (*digits != ',')
                break;
            ++digits;
        }
        most = static_cast<uint32_t>(std::min<uint64_t>(most, threads));
    }
    return most;
}

} // namespace

Device::Device(Session& session) : session_(session), memory_(memfd_create("gemmscope", MFD_CLOEXEC))
{
    if (memory_ < 0)
        throw kernels::Error("The system gives no memory that two processes can share.");
}

Device::~Device()
{
    for (const Window& window : windows_)
        if (window.shared != nullptr)
            munmap(window.shared, window.bytes);
    close(memory_);
}

std::string Device::answer(Call call, const std::string& bytes, const std::stop_token& stop)
{
    switch (call) {
    case Call::load_module: return packed(load(unpacked<LoadModule>(bytes)));
    case Call::describe_kernel: return packed(describe(unpacked<DescribeKernel>(bytes)));
    case Call::allocate: {
        const auto question = unpacked<Allocate>(bytes);
        return packed(allocate(question.bytes, question.host_visible));
    }
    case Call::release: release(unpacked<ReleaseMemory>(bytes).address); return packed(Answer{});
    case Call::launch: return packed(Answer{static_cast<uint32_t>(launch(unpacked<LaunchKernel>(bytes), stop))});
    case Call::tell: session_.fail(unpacked<Tell>(bytes).words); return packed(Answer{});
    }
    throw std::runtime_error("No such question.");
}

std::optional<std::size_t> Device::add_window(Window window)
{
    const uint64_t room = (window.bytes + page - 1) / page * page;
    if (windows_.size() >= most_regions || allocated_ + window.bytes > most_memory ||
        ftruncate(memory_, static_cast<off_t>(file_bytes_ + room)) != 0)
        return {};
    window.offset = file_bytes_;
    if (window.bytes > 0) {
        void* const at =
            mmap(nullptr, window.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory_, static_cast<off_t>(window.offset));
        if (at == MAP_FAILED)
            return {};
        window.shared = static_cast<std::byte*>(at);
    }
    file_bytes_ += room;
    allocated_ += window.bytes;
    regions_.push_back(
        {.name = window.name, .bytes = std::vector<std::byte>(window.bytes), .writable = window.writable});
    windows_.push_back(std::move(window));
    without_effect_.reset();
    return windows_.size() - 1;
}

Allocated Device::allocate(uint64_t bytes, bool host_visible)
{
    std::optional<std::size_t> number;
    if (bytes <= most_memory)
        number = add_window({.name = {}, .bytes = bytes});
    if (!number || (host_visible && *number >= most_host_visible)) {
        session_.tell(
            fmt::format("The program asks for {} bytes, beside {} in {} buffers; together it gets {} at most, in "
                        "{} buffers.",
                        bytes, allocated_, windows_.size(), most_memory, most_regions));
        return {};
    }
    return {ptx::global_address(*number), windows_[*number].offset};
}

// Frees a buffer. No other buffer gets its address, so later accesses to it are detected.
void Device::release(uint64_t address)
{
    const uint64_t number = ptx::region_number(address);
    if (number >= windows_.size() || windows_[number].freed)
        return;
    Window& window = windows_[number];
    munmap(window.shared, window.bytes);
    fallocate(memory_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(window.offset),
              static_cast<off_t>(window.bytes));
    allocated_ -= window.bytes;
    window.shared = nullptr;
    window.freed = true;
    regions_[number] = {.name = fmt::format("a buffer of {} bytes that was freed", window.bytes), .bytes = {}};
    window.bytes = 0;
    without_effect_.reset();
}

LoadedModule Device::load(const LoadModule& question)
{
    LoadedModule result;
    result.number = modules_.size();
    auto loaded = std::make_unique<LoadedPtx>();
    loaded->ptx = question.ptx;
    loaded->cubin = question.cubin;
    loaded->first_variable = windows_.size();
    try {
        const std::string file = kernels::plain_path(session_.wanted.source.filename().string());
        loaded->module = ptx::parse(loaded->ptx, cuda::source_lines(cuda::lines_of(loaded->ptx), file));
    } catch (const kernels::Error& error) {
        result.error = error.what();
        return result;
    }
    // The variables are in the order in which make_program() places them.
    ptx::Program places;
    std::set<std::string> known;
    for (const ptx::Variable& variable : loaded->module.variables) {
        if (variable.space == ptx::Space::shared || !known.insert(variable.name).second)
            continue;
        places.variable_addresses.push_back(ptx::global_address(windows_.size()));
        places.variables.push_back(variable);
        if (!add_window(
                {.name = variable.name, .bytes = variable.bytes, .writable = variable.space != ptx::Space::constant})) {
            result.error = "The program's variables on the GPU take more memory than there is.";
            return result;
        }
    }
    const std::vector<ptx::Region> initial = ptx::variable_regions(places);
    for (std::size_t i = 0; i < initial.size(); ++i) {
        const std::size_t number = loaded->first_variable + i;
        if (!initial[i].bytes.empty())
            std::memcpy(windows_[number].shared, initial[i].bytes.data(), initial[i].bytes.size());
        result.variables.push_back(
            {initial[i].name, ptx::global_address(number), windows_[number].bytes, windows_[number].offset});
    }
    modules_.push_back(std::move(loaded));
    return result;
}

const ptx::Program& Device::program(LoadedPtx& module, const std::string& name)
{
    const auto known = module.programs.find(name);
    if (known != module.programs.end())
        return known->second;
    return module.programs.emplace(name, ptx::make_program(module.module, name, module.first_variable)).first->second;
}

DescribedKernel Device::describe(const DescribeKernel& question)
{
    DescribedKernel result;
    try {
        LoadedPtx& module = *modules_.at(question.module);
        const ptx::Program& made = program(module, question.name);
        for (const ptx::Parameter& parameter : made.parameters)
            result.parameters.push_back({parameter.first, parameter.bytes});
        result.parameter_bytes = made.parameter_bytes;
        result.shared_bytes = made.shared_bytes;
        result.local_bytes = made.local_bytes;
        result.most_threads = most_threads_of(module.ptx, question.name);
        if (!module.cubin.empty())
            if (const auto resources = cuda::thread_resources(module.cubin, question.name))
                result.registers = resources->registers;
    } catch (const kernels::Error& error) {
        result.error = fmt::format("{} cannot be run: {}",
                                   injection::short_name(kernels::readable_name(question.name.c_str())), error.what());
    }
    return result;
}

// Returns a sentence that says why a GPU would refuse the launch before running it. Empty if a GPU would run it.
std::string Device::refusal(const LaunchKernel& question, const ptx::Program& program, Status& status) const
{
    const recording::Index3 grid = index_of(question.grid), block = index_of(question.block);
    const auto refuse = [&](Status with, std::string words) {
        status = with;
        return words;
    };
    if (grid.volume() == 0 || block.volume() == 0 || block.volume() > 1024 || block.z > 64 || grid.x > 0x7fffffff ||
        grid.y > 65535 || grid.z > 65535)
        return refuse(
            Status::invalid_configuration,
            fmt::format("a grid of {} x {} x {} and blocks of {} x {} x {} threads are more or fewer than a GPU "
                        "takes, which is 1 to 1024 threads and 1 to 2147483647 x 65535 x 65535 blocks",
                        grid.x, grid.y, grid.z, block.x, block.y, block.z));
    if (const uint32_t most = most_threads_of(modules_.at(question.module)->ptx, question.name); block.volume() > most)
        return refuse(Status::invalid_value, fmt::format("a block has {} threads, and the kernel's __launch_bounds__ "
                                                         "allow {}",
                                                         block.volume(), most));
    if (question.shared_bytes > question.most_shared_bytes)
        return refuse(Status::invalid_value,
                      fmt::format("{} bytes of dynamic shared memory are more than the {} that it is allowed; more is "
                                  "asked for by cudaFuncSetAttribute, up to {}",
                                  question.shared_bytes, question.most_shared_bytes, most_dynamic_shared));
    if (program.dynamic_first + question.shared_bytes > most_dynamic_shared)
        return refuse(Status::invalid_value,
                      fmt::format("a block needs {} bytes of shared memory, more than the {} that a GPU gives it",
                                  program.dynamic_first + question.shared_bytes, most_dynamic_shared));
    const recording::Index3 cluster =
        question.cluster.x > 0 ? index_of(question.cluster) : program.cluster.value_or(recording::Index3{});
    if (cluster.volume() == 0 || grid.x % cluster.x != 0 || grid.y % cluster.y != 0 || grid.z % cluster.z != 0)
        return refuse(Status::invalid_value, "the grid is no multiple of the cluster");
    return {};
}

bool Device::fetch_memory()
{
    bool changed = false;
    for (std::size_t i = 0; i < windows_.size(); ++i) {
        const Window& window = windows_[i];
        if (window.bytes == 0 || std::memcmp(window.shared, regions_[i].bytes.data(), window.bytes) == 0)
            continue;
        std::memcpy(regions_[i].bytes.data(), window.shared, window.bytes);
        changed = true;
    }
    return changed;
}

// Copies only the pages that differ. A page that was never written takes no memory.
void Device::return_memory()
{
    for (std::size_t i = 0; i < windows_.size(); ++i)
        for (uint64_t at = 0; at < windows_[i].bytes; at += page) {
            const uint64_t bytes = std::min(page, windows_[i].bytes - at);
            const std::byte* const from = regions_[i].bytes.data() + at;
            if (std::memcmp(windows_[i].shared + at, from, bytes) != 0)
                std::memcpy(windows_[i].shared + at, from, bytes);
        }
}

Status Device::launch(const LaunchKernel& question, const std::stop_token& stop)
{
    const std::string demangled = kernels::readable_name(question.name.c_str());
    const NamedLaunch named{demangled, injection::short_name(demangled), session_.count() + 1};
    const auto failed = [&](const std::string& why) {
        const std::string sentence =
            fmt::format("{}, launch {} of the program, failed. {}", named.kernel, named.number, why);
        if (session_.failed_launch.empty())
            session_.failed_launch = sentence;
        session_.fail(sentence);
    };
    LoadedPtx& module = *modules_.at(question.module);
    const ptx::Program& made = program(module, question.name);
    SeenLaunch seen{.name = demangled,
                    .launch = {index_of(question.grid), index_of(question.block)},
                    .cluster = question.cluster.x > 0 ? index_of(question.cluster)
                                                      : made.cluster.value_or(recording::Index3{}),
                    .resources = {}};
    seen.resources.shared_bytes_per_block = static_cast<uint32_t>(
        question.shared_bytes > 0 ? made.dynamic_first + question.shared_bytes : made.shared_bytes);
    Status status = Status::success;
    if (const std::string why = refusal(question, made, status); !why.empty()) {
        session_.add(seen);
        failed(why + ".");
        return status;
    }
    const Clock::time_point begin = Clock::now();
    try {
        seen.executed = 1;
        if (!session_.is_wanted(seen) || !record(question, named, seen, stop))
            seen.executed = run(question, named, stop) ? 1 : 0;
    } catch (const kernels::Cancelled&) {
        throw;
    } catch (const ptx::Fault& fault) {
        failed(fault.what());
        status = fault.kind == ptx::Fault::Kind::address ? Status::illegal_address
                 : fault.kind == ptx::Fault::Kind::trap  ? Status::assertion
                                                         : Status::launch_failure;
    } catch (const kernels::Error& error) {
        failed(error.what());
        status = Status::launch_failure;
    }
    seen.milliseconds = milliseconds_since(begin);
    tell_of_many(named.number, seen.milliseconds);
    seen.steps = last_steps_;
    session_.add(seen);
    return status;
}

// Reports once that many quick launches together may take long.
void Device::tell_of_many(uint64_t launches, double milliseconds)
{
    constexpr double long_ms = 20'000;
    const double before = std::exchange(busy_ms_, busy_ms_ + milliseconds);
    if (before < long_ms && busy_ms_ >= long_ms && launches > 1)
        session_.tell(fmt::format("{} launches of the program took {:.0f} s so far. {}", launches, busy_ms_ / 1000,
                                  how_to_be_quicker));
}

// Returns false if the launch was skipped: it equals the previous one, which had no effect.
bool Device::run(const LaunchKernel& question, const NamedLaunch& named, const std::stop_token& stop)
{
    const bool changed = fetch_memory();
    const std::string key = packed(question);
    if (!changed && without_effect_ == key)
        return false;
    without_effect_.reset();
    const ptx::MachineLaunch launch = machine_launch(question);
    const ptx::Program& kernel = program(*modules_.at(question.module), question.name);
    LongLaunch slow(session_, named, launch.extent.grid.volume(), ptx::cores_for(kernel, launch, regions_));
    const auto watched = ptx::run_watched(
        kernel, launch, regions_, [&] { return BlockCount{&slow}; }, stop);
    last_steps_ = watched.outcome.steps;
    print(watched.outcome.printed);
    bool same = watched.outcome.printed.empty();
    for (std::size_t i = 0; i < windows_.size() && same; ++i)
        same =
            windows_[i].bytes == 0 || std::memcmp(windows_[i].shared, regions_[i].bytes.data(), windows_[i].bytes) == 0;
    if (same)
        without_effect_ = key;
    else
        return_memory();
    return true;
}

// Returns false if the launch cannot be recorded, but another one may be recorded instead. Then it was not run.
bool Device::record(const LaunchKernel& question, const NamedLaunch& named, const SeenLaunch& seen,
                    const std::stop_token& stop)
try {
    fetch_memory();
    without_effect_.reset();
    LoadedPtx& module = *modules_.at(question.module);
    const std::size_t cores = ptx::cores_for(program(module, question.name), machine_launch(question), regions_);
    LongLaunch slow(session_, named, index_of(question.grid).volume(), cores);
    ptx::Traced traced = recorded_launch({.session = session_,
                                          .module = module,
                                          .question = question,
                                          .named = named,
                                          .windows = windows_,
                                          .regions = regions_},
                                         stop, [&](uint64_t) { slow.block_begins(); });
    for (std::size_t i = 0; i < regions_.size(); ++i)
        regions_[i].bytes = std::move(traced.after[i].bytes);
    last_steps_ = traced.steps;
    print(traced.printed);
    return_memory();
    session_.take(
        {std::move(traced), named.demangled, named.kernel, seen.resources.shared_bytes_per_block, named.number});
    return true;
} catch (const kernels::Cancelled&) {
    throw;
} catch (const ptx::Fault&) {
    throw;
} catch (const kernels::Error& error) {
    if (session_.wanted.launch != 0)
        throw;
    session_.fail(
        fmt::format("{}, launch {} of the program, cannot be recorded. {}", named.kernel, named.number, error.what()));
    return false;
}

} // namespace cudart
