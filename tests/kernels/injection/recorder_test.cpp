#include "injection/executed_recording.h"
#include "injection/injected/recorder.h"
#include "injection/raw_trace.h"
#include "tests/paths.h"
#include "tests/says.h"

#include "recording/file.h"
#include "recording/values.h"
#include "temporary_folder.h"

#include <dlfcn.h>
#include <elf.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <numeric>

namespace {

using namespace injection;
using recording::Moment;
using test::says;

constexpr const char* kernel = "_Z5scalePfPKfi"; // scale(float*, float const*, int)

template <class T>
std::string bytes_of(const T& value)
{
    return {reinterpret_cast<const char*>(&value), sizeof value};
}

// A cubin as far as it is read: the name of the kernel's code, and the section with its parameters.
std::string cubin_with(const std::string& parameters)
{
    const std::string names = std::string("\0.shstrtab\0", 11) + ".text." + kernel + '\0' + ".nv.info." + kernel + '\0';
    Elf64_Ehdr start{};
    std::memcpy(start.e_ident, ELFMAG, SELFMAG);
    start.e_shentsize = sizeof(Elf64_Shdr);
    start.e_shnum = 3;
    start.e_shstrndx = 1;
    start.e_shoff = sizeof start + names.size() + parameters.size();
    Elf64_Shdr table{}, info{};
    table.sh_name = 1;
    table.sh_offset = sizeof start;
    table.sh_size = names.size();
    info.sh_name = static_cast<uint32_t>(names.find(".nv.info."));
    info.sh_offset = sizeof start + names.size();
    info.sh_size = parameters.size();
    return bytes_of(start) + names + parameters + bytes_of(Elf64_Shdr{}) + bytes_of(table) + bytes_of(info);
}

std::string parameter(uint16_t number, uint16_t first, uint32_t size)
{
    return bytes_of(uint32_t{0x000c1704}) + bytes_of(uint32_t{0}) + bytes_of(number) + bytes_of(first) +
           bytes_of(size << 18 | 0x1f000);
}

// A program with three buffers whose kernel doubles the numbers of one into another.
class PlayedProgram : public testing::Test {
protected:
    PlayedProgram()
    {
        std::iota(in.begin(), in.end(), 1.0f);
        allocate(in);
        allocate(out);
        allocate(other);
        const ModuleData module{.context = nullptr, .module = this, .cubin_bytes = cubin.size(), .cubin = cubin.data()};
        call(Domain::resource, module_loaded, &module);
    }

    template <class Function>
    Function find(const char* name) const
    {
        return reinterpret_cast<Function>(dlsym(library.get(), name));
    }
    void call(Domain domain, uint32_t id, const void* what) const
    {
        find<void (*)(int, uint32_t, const void*)>("played_call")(static_cast<int>(domain), id, what);
    }
    void allocate(const std::vector<float>& memory, uint32_t flags = 0, uint32_t id = memory_allocated) const
    {
        const MemoryData data{.address = reinterpret_cast<uint64_t>(memory.data()),
                              .bytes = memory.size() * sizeof(float),
                              .context = nullptr,
                              .device = 0,
                              .stream = nullptr,
                              .stream_handle = nullptr,
                              .pool = nullptr,
                              .flags = flags};
        call(Domain::resource, id, &data);
    }

    static InstructionTotals touching(uint64_t pc, const std::vector<float>& memory, Byte4 flags)
    {
        const auto first = reinterpret_cast<uint64_t>(memory.data());
        return {.pc = pc,
                .executed = 2,
                .lanes_active = 64,
                .wavefronts = 0,
                .groups = 0,
                .sectors = 8,
                .not_lowest = ~first,
                .highest = first + memory.size() * sizeof(float) - 1,
                .kind = EventKind::global_access,
                .size = 4,
                .flags = flags,
                .unused = 0};
    }

    // The kernel, and what its patches write. Before it, the memory on the GPU must have been copied.
    void run()
    {
        const auto* const trace = static_cast<const Trace*>(find<const void* (*)()>("played_launch_data")());
        ASSERT_NE(trace, nullptr);
        std::ranges::transform(in, out.begin(), [](float number) { return 2 * number; });
        trace->table[0] = touching(0x1000, in, flag_read);
        trace->table[1] = touching(0x1010, out, flag_write);
    }

    LaunchData launch_data()
    {
        LaunchData launch{};
        launch.module = this;
        launch.name = kernel;
        launch.grid[0] = 2;
        launch.block[0] = 32;
        for (int axis = 1; axis < 3; ++axis)
            launch.grid[axis] = launch.block[axis] = 1;
        launch.launch = &in;
        return launch;
    }

    void launch()
    {
        const float *to = out.data(), *from = in.data();
        const int count = 64;
        const void* const arguments[] = {&to, &from, &count};
        struct { // of cuLaunchKernel
            const void* function = nullptr;
            uint32_t extents[6] = {}, shared_bytes = 0;
            const void* stream = nullptr;
            const void* const* arguments = nullptr;
        } parameters;
        parameters.arguments = arguments;
        CallData cuda_call{.ends = 0, .function = "cuLaunchKernel", .parameters = &parameters};
        const LaunchData data = launch_data();
        call(Domain::driver, 307, &cuda_call);
        call(Domain::launch, launch_begin, &data);
        run();
        call(Domain::launch, launch_end, &data);
        cuda_call.ends = 1;
        call(Domain::driver, 307, &cuda_call);
    }

    recording::Recording recorded() const
    {
        EXPECT_EQ(read_errors(folder.path()), "");
        recording::Recording made = executed_recording(read_trace(folder.path()), {});
        EXPECT_FALSE(recording::to_file_bytes(made).empty()); // throws if the recording breaks the rules of the format
        return made;
    }

    static std::size_t array_called(const recording::Recording& made, const std::string& name)
    {
        return static_cast<std::size_t>(std::ranges::find(made.arrays, name, &recording::Array::name) -
                                        made.arrays.begin());
    }

    const kernels::TemporaryFolder folder;
    const std::unique_ptr<void, int (*)(void*)> library{dlopen(test::played_sanitizer(), RTLD_NOW), &dlclose};
    const std::string cubin = cubin_with(parameter(2, 16, 4) + parameter(1, 8, 8) + parameter(0, 0, 8));
    std::vector<float> in = std::vector<float>(64), out = std::vector<float>(64, -1.0f), other = std::vector<float>(64);
    Recorder recorder{Request{.kernel = "scale",
                              .blocks = {},
                              .library = test::played_sanitizer(),
                              .patches = "",
                              .event_bytes = 1 << 20,
                              .value_bytes = 1 << 20},
                      folder.path()};
};

TEST_F(PlayedProgram, ValuesBeforeAndAfterAreThoseOfMemory)
{
    launch();
    const recording::Recording made = recorded();
    ASSERT_TRUE(made.executed);
    ASSERT_EQ(made.executed->values.size(), 2u); // the launch did not touch the third buffer
    const std::size_t from = array_called(made, "argument 2");
    EXPECT_EQ(made.arrays.at(2).name, "argument 1"); // the kernel's output
    const recording::Values* const written = recording::values_of(made, 2);
    const recording::Values* const read = recording::values_of(made, from);
    ASSERT_TRUE(written != nullptr && read != nullptr);
    EXPECT_EQ(written->type, "float");
    EXPECT_EQ(written->before.size(), 256u);
    EXPECT_EQ(recording::value_at(made, *written, Moment::before, 12), -1.0);
    EXPECT_EQ(recording::value_at(made, *written, Moment::after, 12), 8.0);
    EXPECT_EQ(recording::value_at(made, *written, Moment::after, 252), 128.0);
    EXPECT_EQ(recording::value_at(made, *read, Moment::before, 12), 4.0);
    EXPECT_TRUE(read->after.empty()) << "the launch did not change it";
    EXPECT_FALSE(written->ran_again);
}

TEST_F(PlayedProgram, ABufferThatCannotBeReadIsMissingWithItsReason)
{
    find<void (*)(uint64_t)>("played_refuse")(reinterpret_cast<uint64_t>(out.data()));
    launch();
    const recording::Recording made = recorded();
    ASSERT_EQ(made.executed->values.size(), 1u);
    EXPECT_EQ(made.arrays.at(made.executed->values[0].array).name, "argument 2");
    EXPECT_TRUE(says(made.executed->notes.back(), "argument 1"));
    EXPECT_TRUE(says(made.executed->notes.back(), "played error"));
}

TEST_F(PlayedProgram, OnlyMemoryOfCudaMallocIsCopied)
{
    allocate(in, memory_managed);
    allocate(out, 0, host_memory_allocated);
    launch();
    const recording::Recording made = recorded();
    EXPECT_TRUE(made.executed->values.empty());
    EXPECT_TRUE(says(made.executed->notes.back(), "page-locked"));
}

TEST_F(PlayedProgram, ALaunchInAGraphHasNoValuesAndSaysWhy)
{
    const GraphData graph{
        .context = nullptr, .stream = nullptr, .stream_handle = nullptr, .graph = &out, .uploaded = 0};
    GraphNodeData node{.graph = &out, .launch_id = 1, .node = &in, .type = kernel_node, .launch = launch_data()};
    call(Domain::graphs, graph_begin, &graph);
    call(Domain::graphs, graph_node_begin, &node);
    run();
    call(Domain::graphs, graph_end, &graph);
    const recording::Recording made = recorded();
    EXPECT_TRUE(made.executed->values.empty());
    EXPECT_TRUE(says(fmt::format("{}", fmt::join(made.executed->notes, " ")), "CUDA graph"));
}

// Addresses without memory behind them: the bytes at an address are its lowest bits.
std::string copy_made_up(void* to, uint64_t from, uint64_t bytes)
{
    std::fill_n(static_cast<char*>(to), bytes, static_cast<char>(from >> 12));
    return {};
}

TEST(MemoryCopies, OfALargePoolWhatArgumentsPointToIsKept)
{
    const kernels::TemporaryFolder folder;
    constexpr uint64_t pool = 0x700000000000, small = 0x600000000000;
    const Allocations allocations{{small, {.bytes = 8192}}, {pool, {.bytes = 3ull << 30}}};
    MemoryCopies copies(4096);
    copies.before(allocations, {pool + 0x5000, 7}, copy_made_up);
    EXPECT_TRUE(says(copies.problems().at(0), "1 GiB"));
    const auto touching = [](uint64_t lowest) {
        InstructionTotals totals{};
        totals.executed = 1;
        totals.not_lowest = ~lowest;
        totals.highest = lowest + (1 << 20);
        totals.kind = EventKind::global_access;
        return totals;
    };
    copies.after(allocations, {touching(pool + 0x5100), touching(pool + 0x90000), touching(small + 4)}, copy_made_up);
    copies.write(folder.path() / values_file);
    std::ofstream(folder.path() / "launch") << "kernel k\n";
    for (const char* const file : {events_file, totals_file, allocations_file, cubin_file})
        std::ofstream(folder.path() / file).flush();
    std::ofstream(folder.path() / runs_file) << std::string(sizeof(BlockRun), '\0');
    const std::vector<KeptMemory> kept = read_trace(folder.path()).kept;
    ASSERT_EQ(kept.size(), 2u); // of the pool's other part nothing is known before the launch
    EXPECT_EQ(kept[0].address, small);
    EXPECT_EQ(kept[0].before.size(), 4100u); // 4096 bytes from its start, and from the lowest address
    EXPECT_EQ(kept[1].address, pool + 0x5000);
    EXPECT_EQ(kept[1].before.size(), 0x1000u); // as far as it was copied
    EXPECT_EQ(kept[1].before.at(0), 0x5u);
}

} // namespace
