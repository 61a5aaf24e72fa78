#include "injection/injected/recorder.h"

#include "injection/injected/launch_list.h"
#include "injection/injected/sanitizer_api.h"
#include "machine_code/elf.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <thread>

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace injection {

namespace {

// The number of entries: sharers times instructions. Large kernels access memory in several thousand instructions.
constexpr Byte4 table_size = 1 << 18;

// Maps each kind of instruction to the function of patches.cu that it calls. Accesses to local memory are not patched.
// If an access may be to shared or to local memory, and both kinds are patched, the launch fails with an internal error
// (CUDA 13.0, seen on an H200 with a cuda::pipeline in shared memory).
constexpr struct {
    Patched kind;
    const char* function;
} patches[] = {
    {Patched::block_enter, "gemmscope_block_enter"},
    {Patched::block_exit, "gemmscope_block_exit"},
    {Patched::global_access, "gemmscope_global"},
    {Patched::shared_access, "gemmscope_shared"},
    {Patched::remote_shared_access, "gemmscope_remote"},
    {Patched::matrix_access, "gemmscope_matrix"},
    {Patched::memcpy_async, "gemmscope_copy"},
    {Patched::pipeline_commit, "gemmscope_copy_commit"},
    {Patched::pipeline_wait, "gemmscope_copy_wait"},
    {Patched::barrier, "gemmscope_barrier"},
    {Patched::shuffle, "gemmscope_shuffle"},
    {Patched::cuda_barrier, "gemmscope_mbarrier"},
    {Patched::warpgroup_multiply, "gemmscope_wgmma"},
    {Patched::warpgroup_wait, "gemmscope_wgmma_wait"},
    {Patched::bulk_copy_to_shared, "gemmscope_bulk_read"},
    {Patched::bulk_copy_to_global, "gemmscope_bulk_write"},
};

uint64_t blocks_of(const LaunchData& launch)
{
    return uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2];
}

std::vector<Byte4> chosen_blocks(const Request& request, const LaunchData& launch)
{
    std::vector<Byte4> chosen;
    const auto add = [&](uint64_t block) {
        const auto linear = static_cast<Byte4>(block);
        if (std::find(chosen.begin(), chosen.end(), linear) == chosen.end() && chosen.size() < most_blocks)
            chosen.push_back(linear);
    };
    const uint64_t blocks = blocks_of(launch);
    for (const std::string& text : request.blocks) {
        uint32_t at[3] = {0, 0, 0};
        if (std::sscanf(text.c_str(), "%u,%u,%u", &at[0], &at[1], &at[2]) < 1 || at[0] >= launch.grid[0] ||
            at[1] >= launch.grid[1] || at[2] >= launch.grid[2])
            throw std::runtime_error("The launch has no block " + text + ": its grid is " +
                                     std::to_string(launch.grid[0]) + "," + std::to_string(launch.grid[1]) + "," +
                                     std::to_string(launch.grid[2]) + ".");
        add(at[0] + uint64_t{launch.grid[0]} * (at[1] + uint64_t{launch.grid[1]} * at[2]));
    }
    if (request.blocks.empty()) {
        add(0);
        add(blocks / 2);
        add(blocks - 1);
    }
    return chosen;
}

bool launches(const CallData& call)
{
    return call.function != nullptr && std::string_view(call.function).substr(0, 8) == "cuLaunch";
}

void write_bytes(const std::filesystem::path& file, const void* bytes, std::size_t count)
{
    std::ofstream to(file, std::ios::binary);
    to.write(static_cast<const char*>(bytes), static_cast<std::streamsize>(count));
    if (!to.flush())
        throw std::runtime_error(file.string() + " could not be written.");
}

} // namespace

Recorder::Recorder(const Request& request, std::filesystem::path folder)
    : request_(request), folder_(std::move(folder)), api_(request.library), kernel_(request.kernel),
      copies_(request.value_bytes)
{
    Handle subscriber = nullptr;
    api_.check(api_.subscribe(&subscriber, &Recorder::called, this), "to watch the program");
    api_.check(api_.enable_domain(1, subscriber, Domain::resource), "to watch the program's modules");
    api_.check(api_.enable_domain(1, subscriber, Domain::launch), "to watch the program's launches");
    api_.check(api_.enable_domain(1, subscriber, Domain::graphs), "to watch the program's graphs");
    if (request.value_bytes > 0) // without these calls buffers have no names
        api_.enable_domain(1, subscriber, Domain::driver);
}

void Recorder::called(void* self, Domain domain, uint32_t id, const void* what)
{
    auto& recorder = *static_cast<Recorder*>(self);
    if (domain == Domain::driver && !launches(*static_cast<const CallData*>(what)))
        return; // most calls need not wait for each other
    const std::lock_guard lock(recorder.mutex_);
    try {
        if (domain == Domain::resource)
            recorder.resource(id, what);
        else if (domain == Domain::launch && id == launch_begin)
            recorder.begins(*static_cast<const LaunchData*>(what), false);
        else if (domain == Domain::launch && id == launch_end)
            recorder.ends(*static_cast<const LaunchData*>(what));
        else if (domain == Domain::graphs)
            recorder.graph(id, what);
        else if (domain == Domain::driver)
            recorder.driver(*static_cast<const CallData*>(what));
    } catch (const std::exception& error) { // the traced program must not be affected
        recorder.fail(error.what());
    }
}

void Recorder::fail(const std::string& sentence)
{
    done_ = true;
    std::ofstream(folder_ / (error_file + std::to_string(getpid()))) << sentence << '\n';
}

// The callbacks for launches do not have the arguments; those for the calls that launch have them.
void Recorder::driver(const CallData& call)
{
    if (!done_ && call.ends == 0)
        arguments_[std::this_thread::get_id()] = arguments_of_call(call.function, call.parameters);
    else
        arguments_.erase(std::this_thread::get_id());
}

void Recorder::resource(uint32_t id, const void* what)
{
    if (done_)
        return;
    const auto& memory = *static_cast<const MemoryData*>(what);
    const auto& module = *static_cast<const ModuleData*>(what);
    switch (id) {
    case module_loaded:
        if (has_wanted_kernel({module.cubin, module.cubin_bytes})) {
            modules_[module.module] = {.cubin = {module.cubin, module.cubin_bytes}};
            patch(module.context, module.module);
        }
        break;
    case module_unloading: modules_.erase(module.module); break;
    case memory_allocated: allocations_[memory.address] = {.bytes = memory.bytes, .flags = memory.flags}; break;
    case host_memory_allocated:
    case memory_allocated_async:
        allocations_[memory.address] = {.bytes = memory.bytes, .flags = memory.flags, .of_cuda_malloc = false};
        break;
    case memory_freed:
    case host_memory_freed:
    case memory_freed_async: allocations_.erase(memory.address); break;
    default: break;
    }
}

bool Recorder::matches(const std::string& name) const
{
    return std::regex_search(kernels::readable_name(name.c_str()), kernel_) || std::regex_search(name, kernel_);
}

bool Recorder::has_wanted_kernel(std::string_view cubin) const
{
    constexpr std::string_view section = ".text."; // followed by the kernel's name, in the list of sections' names
    for (std::size_t at = cubin.find(section); at != std::string_view::npos; at = cubin.find(section, at + 1)) {
        const std::string_view rest = cubin.substr(at + section.size());
        if (matches(std::string(rest.substr(0, rest.find('\0')))))
            return true;
    }
    return false;
}

bool Recorder::wanted(const LaunchData& launch)
{
    return !done_ && !recorded_ && launch.name != nullptr && matches(launch.name) && ++matches_ == request_.launch;
}

// Handles a graph. The callbacks for its launches come when the graph is launched, not while a stream is captured. The
// launches run only after the whole graph was given to the GPU.
void Recorder::graph(uint32_t id, const void* what)
{
    const auto& graph = *static_cast<const GraphData*>(what);
    const auto& node = *static_cast<const GraphNodeData*>(what);
    switch (id) {
    case graph_begin: uploads_ = graph.uploaded != 0; break;
    case graph_node_begin:
        if (node.type == kernel_node && !uploads_)
            begins(node.launch, true);
        break;
    case graph_end:
        if (recorded_ && recorded_->in_graph)
            ended();
        break;
    default: break;
    }
}

void Recorder::begins(const LaunchData& launch, bool in_graph)
{
    if (!in_graph && is_captured(launch.stream))
        return;
    if (!wanted(launch)) {
        if (modules_.contains(launch.module))
            api_.set_launch_data(launch.launch, launch.function, launch.stream_handle, nullptr);
        return;
    }
    if (!modules_.contains(launch.module))
        throw std::runtime_error("The module of " + kernels::readable_name(launch.name) +
                                 " was not seen when it was loaded, so its launch cannot be recorded.");
    const Recorded recorded{.launch = launch, .name = launch.name, .in_graph = in_graph};
    prepare(recorded);
    copy_before(recorded);
    recorded_ = recorded;
    std::ofstream(folder_ / begun_file) << launch.name << '\n';
    api_.check(api_.set_launch_data(launch.launch, launch.function, launch.stream_handle, memory_.on_gpu),
               "to hand memory to the launch");
}

void Recorder::patch(Handle context, Handle module)
{
    if (has_patches_.insert(context).second) { // the patches are a module that each context loads once
        const std::filesystem::path file =
            std::filesystem::path(request_.patches) /
            ("patches-" + std::to_string(current_gpu_facts().number("compute_capability")) + ".cubin");
        api_.check(api_.add_patches(file.c_str(), context), "the patches");
    }
    for (const auto& [kind, function] : patches)
        api_.check(api_.patch_instructions(kind, module, function), function);
    api_.check(api_.patch_module(module), "to patch the kernel's module");
}

void Recorder::prepare(const Recorded& recorded)
{
    const LaunchData& launch = recorded.launch;
    const auto allocate = [&](auto*& memory, std::size_t bytes, int fill) {
        void* allocated = nullptr;
        api_.check(api_.alloc(launch.context, &allocated, bytes), "memory on the GPU");
        memory = static_cast<std::remove_reference_t<decltype(memory)>>(allocated);
        api_.check(api_.set(allocated, fill, bytes, recorded.stream()), "to clear memory");
    };
    memory_ = {};
    Trace& trace = memory_.trace;
    const std::vector<Byte4> chosen = chosen_blocks(request_, launch);
    std::copy(chosen.begin(), chosen.end(), trace.block);
    trace.blocks = static_cast<Byte4>(chosen.size());
    trace.table_size = table_size;
    grid_blocks_ = blocks_of(launch);
    allocate(trace.table, table_size * sizeof(InstructionTotals), 0);
    allocate(trace.runs, grid_blocks_ * sizeof(BlockRun), 0);
    // Halves the size until it fits in the memory that the program has left free.
    for (uint64_t bytes = request_.event_bytes;; bytes /= 2) {
        void* events = nullptr;
        if (api_.alloc(launch.context, &events, bytes) == 0) {
            trace.events = static_cast<Event*>(events);
            trace.events_per_block = bytes / sizeof(Event) / chosen.size();
            break;
        }
        if (bytes < (1 << 20))
            throw std::runtime_error(
                "The program has left less than 1 MiB of the GPU's memory, and tracing needs some.");
    }
    Trace* on_gpu = nullptr;
    allocate(on_gpu, sizeof trace, 0);
    memory_.on_gpu = on_gpu;
    api_.check(api_.to_device(on_gpu, &trace, sizeof trace, recorded.stream()), "to write memory");

    facts_ = gpu_facts(launch.device);
    const Fields resources = kernel_facts(launch.function);
    facts_.fields.insert(facts_.fields.end(), resources.fields.begin(), resources.fields.end());
    facts_.add("kernel", launch.name);
    facts_.add("name", kernels::readable_name(launch.name));
    constexpr const char* axes[] = {"x", "y", "z"};
    for (int i = 0; i < 3; ++i) {
        facts_.add(std::string("grid_") + axes[i], launch.grid[i]);
        facts_.add(std::string("block_") + axes[i], launch.block[i]);
        facts_.add(std::string("cluster_") + axes[i], launch.cluster[i]);
    }
}

MemoryCopies::Copy Recorder::copying(const Recorded& recorded) const
{
    return [this, stream = recorded.stream()](void* to, uint64_t from, uint64_t bytes) {
        const auto* const at = reinterpret_cast<const void*>(from); // NOLINT(performance-no-int-to-ptr): the GPU's
        return api_.problem(api_.to_host(to, const_cast<void*>(at), bytes, stream), "to read the program's memory");
    };
}

std::vector<ArgumentWord> Recorder::arguments(const Recorded& recorded) const
try {
    const auto found = arguments_.find(std::this_thread::get_id());
    if (found == arguments_.end() || found->second == nullptr)
        return {};
    return argument_words(modules_.at(recorded.launch.module).cubin, recorded.name, found->second);
} catch (const kernels::Error&) { // the module is of a form that is not known
    return {};
}

// Nothing of a graph has run when its callbacks come, so that there is no moment to copy from.
void Recorder::copy_before(const Recorded& recorded)
{
    if (request_.value_bytes == 0 || recorded.in_graph)
        return;
    std::vector<uint64_t> pointers;
    for (const ArgumentWord& word : arguments(recorded)) {
        facts_.add("argument", std::to_string(word.parameter) + " " + std::to_string(word.offset) + " " +
                                   std::to_string(word.value));
        pointers.push_back(word.value);
    }
    copies_.before(allocations_, pointers, copying(recorded));
}

void Recorder::copy_after(const Recorded& recorded, const std::vector<InstructionTotals>& totals)
{
    if (recorded.in_graph)
        facts_.add(
            "not_kept",
            "A launch in a CUDA graph runs with the others of its graph, so nothing can be copied right before it.");
    else
        copies_.after(allocations_, totals, copying(recorded));
    for (const std::string& problem : copies_.problems())
        facts_.add("not_kept", problem);
    copies_.write(folder_ / values_file);
    copies_ = MemoryCopies(0); // gives the memory back
}

void Recorder::ends(const LaunchData& launch)
{
    if (recorded_ && !recorded_->in_graph && launch.launch == recorded_->launch.launch)
        ended();
}

void Recorder::ended()
{
    const Recorded recorded = *recorded_;
    recorded_.reset();
    done_ = true;
    api_.check(api_.synchronize(recorded.stream()), "to wait for the launch");
    save(recorded);
    release(recorded.launch.context);
    allocations_.clear(); // keeps the modules: they stay patched, and each launch must switch the patches off
}

void Recorder::save(const Recorded& recorded)
{
    const LaunchData& launch = recorded.launch;
    const auto fetch = [&](void* to, void* from, std::size_t bytes) {
        api_.check(api_.to_host(to, from, bytes, recorded.stream()), "to read memory");
    };
    Trace& trace = memory_.trace;
    fetch(&trace, memory_.on_gpu, sizeof trace);
    std::vector<InstructionTotals> totals(table_size);
    fetch(totals.data(), trace.table, totals.size() * sizeof totals[0]);
    std::erase_if(totals, [](const InstructionTotals& one) { return one.pc == 0; });
    write_bytes(folder_ / totals_file, totals.data(), totals.size() * sizeof totals[0]);
    copy_after(recorded, totals);
    std::vector<BlockRun> runs(grid_blocks_);
    fetch(runs.data(), trace.runs, runs.size() * sizeof runs[0]);
    write_bytes(folder_ / runs_file, runs.data(), runs.size() * sizeof runs[0]);

    std::vector<Event> events;
    for (Byte4 i = 0; i < trace.blocks; ++i) {
        const Byte8 kept = std::min(trace.wanted[i], trace.events_per_block);
        const std::size_t before = events.size();
        events.resize(before + kept);
        if (kept > 0)
            fetch(events.data() + before, trace.events + i * trace.events_per_block, kept * sizeof(Event));
        facts_.add("traced_block", trace.block[i]);
        facts_.add("traced_events", kept);
        facts_.add("wanted_events", trace.wanted[i]);
    }
    write_bytes(folder_ / events_file, events.data(), events.size() * sizeof events[0]);
    std::vector<uint64_t> places;
    for (const auto& [address, allocated] : allocations_)
        places.insert(places.end(), {address, allocated.bytes});
    write_bytes(folder_ / allocations_file, places.data(), places.size() * sizeof places[0]);
    const std::string& cubin = modules_.at(launch.module).cubin;
    write_bytes(folder_ / cubin_file, cubin.data(), cubin.size());

    uint64_t pc = 0, bytes = 0;
    api_.check(api_.function_place(launch.module, recorded.name.c_str(), &pc, &bytes), "the kernel's place");
    facts_.add("pc", pc);
    facts_.add("code_bytes", bytes);
    facts_.add("dynamic_shared", trace.dynamic_shared);
    facts_.add("static_shared", trace.static_shared);
    facts_.add("not_in_table", trace.not_in_table);
    facts_.write(folder_ / done_file);
}

void Recorder::release(Handle context)
{
    api_.free(context, memory_.trace.events);
    api_.free(context, memory_.trace.table);
    api_.free(context, memory_.trace.runs);
    api_.free(context, memory_.on_gpu);
    memory_ = {};
}

} // namespace injection

namespace {

// Ends the program when the tracer ends for any reason, because the program was started only to be traced.
void end_with(pid_t tracer)
{
    const auto handle = static_cast<int>(syscall(SYS_pidfd_open, tracer, 0));
    if (handle < 0)
        return;
    std::thread([handle] {
        pollfd ended{.fd = handle, .events = POLLIN, .revents = 0};
        while (poll(&ended, 1, -1) < 0) {
        }
        std::_Exit(1);
    }).detach();
}

} // namespace

// CUDA's driver calls this function when it starts, in a program whose CUDA_INJECTION64_PATH names this library.
extern "C" __attribute__((visibility("default"))) int
InitializeInjection() // NOLINT(readability-identifier-naming): CUDA's
{
    const char* file = std::getenv(injection::request_variable);
    if (file == nullptr)
        return 1;
    const std::filesystem::path folder = std::filesystem::path(file).parent_path();
    try {
        // The list or the recorder lives until the process ends, because CUDA calls back until then.
        const injection::Request request = injection::Request::read(file);
        end_with(request.tracer);
        if (request.list) [[maybe_unused]]
            static auto* const list = new injection::LaunchList(request, folder);
        else [[maybe_unused]]
            static auto* const recorder = new injection::Recorder(request, folder);
    } catch (const std::exception& error) { // the program continues without tracing
        std::ofstream(folder / (injection::error_file + std::to_string(getpid()))) << error.what() << '\n';
    }
    return 1;
}
