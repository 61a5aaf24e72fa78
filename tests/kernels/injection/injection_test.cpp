#include "injection/executed_recording.h"
#include "injection/raw_trace.h"
#include "injection/request.h"
#include "injection/traced_program.h"
#include "tests/says.h"

#include "error.h"
#include "recording/file.h"
#include "temporary_folder.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <filesystem>
#include <fstream>

namespace {

namespace fs = std::filesystem;
using namespace injection;
using test::says;

class Tracing : public testing::Test {
protected:
    const kernels::TemporaryFolder temporary;
    const fs::path& folder = temporary.path();
};

// The window must not wait for minutes for a program that continues after its launch was recorded.
TEST_F(Tracing, EndsAProgramThatGoesOnForLongAfterItsRecording)
{
    const TracedProgram program{.command = {"sh", "-c", "touch \"${GEMMSCOPE_TRACE%/*}/launch\"; exec sleep 600"},
                                .most_after_recording = std::chrono::seconds(0)};
    ProgramEnd end;
    std::string why;
    try {
        list_launches(program, end, {});
    } catch (const kernels::Unavailable& error) {
        GTEST_SKIP() << error.what();
    } catch (const kernels::Error& error) {
        why = error.what();
    }
    EXPECT_TRUE(end.cut_short);
    EXPECT_TRUE(says(why, "was ended by signal 15"));
}

TEST(KernelNames, ShortNameHasNeitherTypesNorNamespaces)
{
    EXPECT_EQ(short_name("nvjet_sm90_tst_64x48_64x15_2x4_h_bz_NNT"), "nvjet_sm90_tst_64x48_64x15_2x4_h_bz_NNT");
    EXPECT_EQ(
        short_name(
            "void (anonymous namespace)::softmax_warp_forward<float, float, 9, false>(float*, float const*, int)"),
        "softmax_warp_forward<float, float, 9, false>");
    EXPECT_EQ(short_name(
                  "void at::native::elementwise_kernel<128, 4, at::native::gpu_kernel_impl<a::B>(int)::{lambda(int)#1}>"
                  "(int, float)"),
              "elementwise_kernel<...>");
    EXPECT_EQ(short_name("sgemm(float*, int)"), "sgemm");
    EXPECT_EQ(short_name(""), "");
    const std::string longest =
        short_name("sm80_xmma_gemm_f32f32_f32f32_f32_nn_n_tilesize64x64x8_stage3_split_k_kernel", 31);
    EXPECT_EQ(longest, "sm80_xmma_gemm...split_k_kernel");
}

TEST_F(Tracing, RequestIsReadAsItWasWritten)
{
    const Request written{.list = true,
                          .kernel = "gemm|soft max",
                          .launch = 7,
                          .blocks = {"0,1,2", "3"},
                          .library = "/x y/lib.so",
                          .patches = "/p",
                          .tracer = 4711,
                          .event_bytes = 12345,
                          .value_bytes = 678};
    written.write(folder / "request");
    const Request read = Request::read(folder / "request");
    EXPECT_EQ(read.list, written.list);
    EXPECT_EQ(read.kernel, written.kernel);
    EXPECT_EQ(read.launch, written.launch);
    EXPECT_EQ(read.blocks, written.blocks);
    EXPECT_EQ(read.library, written.library);
    EXPECT_EQ(read.patches, written.patches);
    EXPECT_EQ(read.tracer, written.tracer);
    EXPECT_EQ(read.event_bytes, written.event_bytes);
    EXPECT_EQ(read.value_bytes, written.value_bytes);
    EXPECT_THROW(Request::read(folder / "none"), std::runtime_error);
}

TEST_F(Tracing, LaunchesThatAreAlikeAreOneRow)
{
    std::ofstream(folder / "launches-7") << "20\t1000\t2\t1\t1\t32\t1\t1\t0\t0\t0\t40\t512\t0\t0\tvoid f<1>(int)\n"
                                            "broken line\n"
                                            "30\t3000\t2\t1\t1\t32\t1\t1\t0\t0\t0\t40\t512\t0\t0\tvoid f<1>(int)\n";
    std::ofstream(folder / "launches-8") << "10\t500\t4\t1\t1\t32\t1\t1\t2\t1\t1\t40\t512\t0\t0\tg with\ttab\n";
    const std::vector<ListedLaunch> launches = read_launches(folder);
    ASSERT_EQ(launches.size(), 2u);
    EXPECT_EQ(launches[0].name, "g with\ttab");
    EXPECT_EQ(launches[0].cluster, (recording::Index3{2, 1, 1}));
    EXPECT_EQ(launches[1].count, 2u);
    EXPECT_EQ(launches[1].time_ns, 4000);
    EXPECT_EQ(launches[1].first, 2u);
    EXPECT_EQ(launches[1].cluster, (recording::Index3{1, 1, 1}));
    EXPECT_EQ(launches[1].resources.shared_bytes_per_block, 512u);
}

constexpr uint64_t code = 0x7f0000001000, memory = 0x7e0000000000;

InstructionTotals totals_of(uint64_t at, EventKind kind, Byte4 flags, uint64_t lowest, uint64_t highest)
{
    return {.pc = code + at,
            .executed = 2,
            .lanes_active = 64,
            .wavefronts = kind == EventKind::shared_access ? 64u : 0,
            .groups = kind == EventKind::shared_access ? 2u : 0,
            .sectors = kind == EventKind::global_access ? 8u : 0,
            .not_lowest = ~lowest,
            .highest = highest,
            .kind = kind,
            .size = 4,
            .flags = flags,
            .unused = 0};
}

Event event_of(uint64_t at, EventKind kind, Byte4 flags, uint64_t first, uint64_t apart)
{
    Event event{
        .pc = code + at, .kind = kind, .size = 4, .flags = flags, .mask = ~0u, .warp = 0, .unused = 0, .address = {}};
    for (unsigned lane = 0; lane < lanes; ++lane)
        event.address[lane] = first + lane * apart;
    return event;
}

// In this trace, one warp of each of two blocks loads a row, stores it to shared memory as a column, and stores the
// result.
RawTrace sample()
{
    RawTrace trace{.kernel = "_Z1fv",
                   .name = "f()",
                   .launch = {.grid = {2, 1, 1}, .block = {32, 1, 1}},
                   .device = {.backend = "cuda", .name = "GPU", .compute_capability = 90, .sm_count = 132},
                   .resources = {.registers_per_thread = 20, .shared_bytes_per_block = 4096},
                   .pc = code,
                   .code_bytes = 64};
    trace.totals = {totals_of(0, EventKind::global_access, flag_read, memory, memory + 255),
                    totals_of(16, EventKind::shared_access, flag_write, 0, 31 * 128 + 3),
                    totals_of(48, EventKind::global_access, flag_write, memory + 4096, memory + 4096 + 255)};
    trace.runs = {{.start_ns = 1000, .end_ns = 1500, .sm = 3, .unused = 0},
                  {.start_ns = 1100, .end_ns = 1700, .sm = 4, .unused = 0}};
    trace.allocations = {{memory, 1 << 20}};
    TracedBlock block{.block = 1, .wanted = 4, .events = {}};
    block.events = {event_of(0, EventKind::global_access, flag_read, memory + 128, 4),
                    event_of(16, EventKind::shared_access, flag_write, 0, 128),
                    event_of(32, EventKind::barrier, 0, 0, 0),
                    event_of(48, EventKind::global_access, flag_write, memory + 4096 + 128, 4)};
    block.events[2].size = 0;
    trace.blocks = {{.block = 0, .wanted = 9, .events = {block.events[0]}}, block};
    return trace;
}

const std::vector<recording::MachineInstruction> listed = {{.text = "LDG.E R0, [R2]", .address = 0},
                                                           {.text = "STS [R4], R0", .address = 16},
                                                           {.text = "BAR.SYNC", .address = 32},
                                                           {.text = "STG.E [R6], R0", .address = 48}};

TEST(ExecutedRecording, BuffersAreTheRangesThatInstructionsTouch)
{
    RawTrace trace = sample();
    std::vector<Buffer> buffers = buffers_of(trace);
    ASSERT_EQ(buffers.size(), 2u);
    EXPECT_EQ(buffers[0].first, memory);
    EXPECT_EQ(buffers[0].bytes, 256u);
    EXPECT_TRUE(buffers[0].read && !buffers[0].written && buffers[1].written && !buffers[1].read);
    trace.totals.push_back(totals_of(64, EventKind::global_access, flag_read, memory + 100, memory + 5000));
    buffers = buffers_of(trace);
    ASSERT_EQ(buffers.size(), 1u); // the third range joins the other two
    EXPECT_EQ(buffers[0].bytes, 5001u);
    EXPECT_TRUE(buffers[0].read && buffers[0].written);
    trace.allocations = {{memory, 4096}, {memory + 4096, 4096}};
    EXPECT_EQ(buffers_of(trace).size(), 2u); // no range spans several allocations
}

TEST(ExecutedRecording, BuffersHaveNamesAndTypesOfTheParametersThatPointToThem)
{
    RawTrace trace = sample();
    trace.name = "void f<double>(double const*, double*, long, S)";
    trace.allocations = {{memory, 1000}, {memory + 4096, 512}};
    trace.arguments = {{0, 0, memory}, {1, 0, memory + 4096}, {2, 0, memory + 64}, {3, 0, 5}, {3, 8, memory + 8}};
    const char* const source = "template <class T> __global__ void f(const T* in, T* out, long n, S s) {}";
    std::vector<PointerArgument> pointers = pointers_of(trace, source);
    ASSERT_EQ(pointers.size(), 3u); // the number is none
    EXPECT_EQ(pointers[1].name + " " + pointers[1].type, "out double");
    EXPECT_EQ(pointers[2].name + " " + pointers[2].type, "s at byte 8 ");
    EXPECT_EQ(pointers_of(trace, "").at(0).name, "argument 1");

    pointers.pop_back();
    Memory made = memory_of(trace, pointers);
    EXPECT_EQ(made.arrays.at(2).name, "out");
    EXPECT_EQ(made.types.at(2), "double");
    EXPECT_EQ(made.arrays.at(2).cols, 64u); // the whole allocation, of which the launch touched a half
    EXPECT_EQ(made.arrays.at(3).name, "in");
    EXPECT_EQ(made.arrays.at(3).bytes, 1000u);

    trace.allocations = {{memory, 2 << 20}}; // the pool of a framework
    made = memory_of(trace, pointers);
    EXPECT_EQ(made.arrays.at(2).cols, 32u);
    EXPECT_EQ(made.arrays.at(3).name, "in");
    EXPECT_EQ(made.arrays.at(3).cols, 32u);

    // Another instruction reads what follows: one buffer, unless an argument points there.
    trace.totals.push_back(totals_of(64, EventKind::global_access, flag_read, memory + 256, memory + 511));
    EXPECT_EQ(memory_of(trace, pointers).arrays.at(3).cols, 64u);
    pointers.push_back({.address = memory + 256, .name = "second", .type = "double"});
    EXPECT_EQ(memory_of(trace, pointers).arrays.at(3).cols, 32u);
}

TEST_F(Tracing, OfKnownBuffersTheValuesAreThoseOfTheirMemory)
{
    RawTrace trace = sample();
    trace.kept = {{memory, std::vector<uint8_t>(300, 1), std::vector<uint8_t>(300, 2)}};
    trace.not_kept = {"The rest was too large."};
    const recording::Array array{.name = "in", .rows = 8, .cols = 8, .bytes = 256};
    recording::Array other = array;
    other.name = "out";
    const KnownLaunch known{.kernel = "k",
                            .problem = {},
                            .buffers = {{array, '\0', memory + 40, "int"}, {other, '\0', memory + 4096, "float"}},
                            .source = {"kernel.cu", "one\n"}};
    const recording::Recording made = executed_recording(trace, {listed, {}}, known);
    EXPECT_FALSE(recording::to_file_bytes(made).empty());
    ASSERT_EQ(made.executed->values.size(), 1u);
    const recording::Values& values = made.executed->values[0];
    EXPECT_EQ(made.arrays.at(values.array).name, "in");
    EXPECT_EQ(values.type, "int");
    EXPECT_EQ(values.before, std::vector<uint8_t>(256, 1));
    EXPECT_EQ(values.after, std::vector<uint8_t>(256, 2));
    EXPECT_TRUE(std::ranges::any_of(made.executed->notes, [](const auto& note) {
        return says(note, "What out held") && says(note, "The rest was too large.");
    }));
}

TEST_F(Tracing, RecordingHoldsWhatWasTraced)
{
    const recording::Recording made = executed_recording(sample(), {listed, {}});
    EXPECT_FALSE(recording::to_file_bytes(made).empty()); // throws if the recording breaks the rules of the format
    ASSERT_EQ(made.blocks.size(), 1u);                    // the other block is incomplete
    EXPECT_EQ(made.blocks[0].block, (recording::Index3{1, 0, 0}));
    const auto& accesses = made.blocks[0].warps.at(0).accesses;
    ASSERT_EQ(accesses.size(), 4u);
    EXPECT_EQ(accesses[0].op, recording::Op::global_load);
    EXPECT_EQ(accesses[0].offset[3], 128u + 12u);
    EXPECT_EQ(accesses[1].op, recording::Op::shared_store);
    EXPECT_EQ(accesses[1].offset[31], 31u * 128u);
    EXPECT_EQ(accesses[2].op, recording::Op::barrier);
    EXPECT_EQ(accesses[3].array, 2); // the kernel's output is the third array
    const recording::Totals totals = made.totals();
    EXPECT_EQ(totals.shared_store, (recording::SharedTotals{2, 64, 62}));
    EXPECT_EQ(totals.global_load, (recording::GlobalTotals{2, 8}));
    EXPECT_EQ(totals.global_store, (recording::GlobalTotals{2, 8}));
    ASSERT_EQ(made.placements.size(), 2u);
    EXPECT_EQ(made.placements[1].sm, 4u);
    EXPECT_EQ(made.placements[1].start_ns, 100u);
    EXPECT_EQ(made.placements[1].end_ns, 700u);
    ASSERT_TRUE(made.executed);
    ASSERT_EQ(made.executed->notes.size(), 2u);
    EXPECT_TRUE(says(made.executed->notes[0], "Block number 0"));
    EXPECT_TRUE(says(made.executed->notes[1], "What written 1, read 1 held before and after the launch is not kept."));
    ASSERT_EQ(made.executed->instructions.size(), 4u);
    EXPECT_EQ(made.executed->instructions.at(accesses[1].instruction - 1).text, "STS [R4], R0");
    EXPECT_TRUE(says(made.source().text, "00010  STS [R4], R0\n"));
}

TEST_F(Tracing, AtomicsCountTheLanesThatWaitForEachOther)
{
    RawTrace trace = sample();
    trace.totals[1].flags = flag_read | flag_write;
    trace.totals[2].flags = flag_read | flag_write;
    trace.totals[2].wavefronts = 5;
    trace.resources.local_bytes_per_thread = 72;
    const recording::Recording made = executed_recording(trace, {listed, {}});
    const recording::Totals totals = made.totals();
    EXPECT_EQ(totals.shared_atomic, (recording::AtomicTotals{2, 64, 64}));
    EXPECT_EQ(totals.global_atomic, (recording::AtomicTotals{2, 64, 5}));
    EXPECT_EQ(totals.shared_store, recording::SharedTotals{});
    EXPECT_EQ(totals.global_store, recording::GlobalTotals{});
    EXPECT_TRUE(std::ranges::any_of(
        made.executed->notes, [](const auto& note) { return says(note, "local memory") && says(note, "72 bytes"); }));
    EXPECT_EQ(totals.shared_atomic_cost, recording::SharedTotals{}) << "STS has no rule of atomic operations";
}

// `sectors` is the number of wavefronts if lanes of one word take turns, and `groups` if they are served together.
TEST_F(Tracing, AtomicsCostWhatTheirInstructionsRuleSays)
{
    RawTrace trace = sample();
    trace.totals[1].flags = trace.totals[2].flags = flag_read | flag_write;
    trace.totals[1].sectors = 40;
    trace.totals[1].groups = 6;
    trace.totals[2].wavefronts = 5;
    const auto cost = [&](const char* shared, const char* global) {
        std::vector<recording::MachineInstruction> code = listed;
        code[1].text = shared;
        code[3].text = global;
        const recording::Totals totals = executed_recording(trace, {code, {}}).totals();
        return std::pair(totals.shared_atomic_cost, totals.global_atomic_cost);
    };
    const auto [one_by_one, sent] = cost("ATOMS.ADD RZ, [R4], R0", "REDG.E.ADD.STRONG.GPU [R6], R0");
    EXPECT_EQ(one_by_one, (recording::SharedTotals{2, 40, 38}));
    EXPECT_EQ(sent, (recording::GlobalTotals{2, 8}));
    const auto [together, not_measured] = cost("ATOMS.POPC.INC.32 RZ, [R4]", "ATOM.E.CAS PT, R8, [R6], R0, R1");
    EXPECT_EQ(together, (recording::SharedTotals{2, 6, 4}));
    EXPECT_EQ(not_measured, recording::GlobalTotals{}) << "a generic address";
    EXPECT_EQ(cost("ATOMS.CAS R0, [R4], R5, R6", "RED").first, (recording::SharedTotals{2, 80, 38}));
    EXPECT_EQ(cost("ATOMS.CAST.SPIN R0, [R4], R5, R6", "RED").first, recording::SharedTotals{});
}

TEST_F(Tracing, LinesAreThoseOfTheKernelsOwnFile)
{
    const fs::path file = folder / "kernel.cu";
    std::ofstream(file) << "one\ntwo\nthree\nfour\n";
    // The store to shared memory is inlined from another file and called from line 3.
    const cuda::SourceRows rows{.files = {"/none/header.h", file.string()},
                                .rows = {{.address = 0, .file = 1, .line = 2},
                                         {.address = 16, .file = 1, .line = 3},
                                         {.address = 16, .file = 0, .line = 70, .called_from = 2},
                                         // The file has become shorter since compilation.
                                         {.address = 32, .file = 1, .line = 9}}};
    EXPECT_EQ(cuda::line_at(rows, 24, 1), 3u);
    EXPECT_EQ(cuda::line_at(rows, 24, 0), 70u);
    EXPECT_EQ(cuda::line_at(rows, 0, 0), 0u);
    const recording::Recording made = executed_recording(sample(), {listed, rows});
    EXPECT_FALSE(recording::to_file_bytes(made).empty());
    EXPECT_EQ(made.source().name, "kernel.cu");
    ASSERT_EQ(made.sources.size(), 2u); // the second source is the list of machine instructions
    const auto& accesses = made.blocks[0].warps.at(0).accesses;
    EXPECT_EQ(accesses[0].line, 2u);
    EXPECT_EQ(accesses[1].line, 3u);
    EXPECT_EQ(accesses[3].line, 4u);
    EXPECT_EQ(made.lines.at(1).line, 3u);
    EXPECT_EQ(made.lines.at(1).totals.shared_store.wavefronts, 64u);
}

TEST_F(Tracing, BuffersThatAreKnownHaveTheirNamesAndShapes)
{
    const auto array = [](const char* name, uint32_t rows, uint32_t cols) {
        return recording::Array{.name = name, .rows = rows, .cols = cols, .bytes = uint64_t{rows} * cols * 4};
    };
    KnownLaunch known{.kernel = "transpose<32>",
                      .problem = {.M = 8, .N = 8, .K = 8},
                      .multiplies = false,
                      .buffers = {{array("in", 8, 8), '\0', memory}, {array("out", 8, 8), '\0', memory + 4096}},
                      .source = {"kernel.cu", "one\ntwo\nthree\n"}};
    // The path in the line table does not exist.
    const cuda::SourceRows rows{.files = {"/none/other.h", "/none/kernel.cu"},
                                .rows = {{.address = 0, .file = 1, .line = 2}, {.address = 32, .file = 1, .line = 3}}};
    recording::Recording made = executed_recording(sample(), {listed, rows}, known);
    EXPECT_FALSE(recording::to_file_bytes(made).empty());
    EXPECT_EQ(made.stage, "transpose<32>");
    EXPECT_EQ(made.source().name, "kernel.cu");
    EXPECT_EQ(made.arrays.at(2).name, "out"); // the written buffer
    EXPECT_EQ(made.arrays.at(2).rows, 8u);
    EXPECT_EQ(made.arrays.at(3).name, "in");
    const auto* accesses = &made.blocks.at(0).warps.at(0).accesses;
    EXPECT_EQ(accesses->at(0).array, 3);
    EXPECT_EQ(accesses->at(0).offset[3], 128u + 12u);
    EXPECT_EQ(accesses->at(0).line, 2u);
    EXPECT_EQ(accesses->at(3).array, 2);
    EXPECT_EQ(made.owner.at(32), 32u); // the second block's first thread
    EXPECT_FALSE(made.executed->multiplies);

    RawTrace bulk = sample();
    bulk.totals[2].kind = EventKind::bulk_write;
    bulk.totals[2].flags = 0x400; // its source in shared memory
    EXPECT_EQ(executed_recording(bulk, {listed, rows}, known).arrays.at(2).name, "out");
    bulk.totals.pop_back(); // like a store through a tensor map, which is not observed
    EXPECT_EQ(executed_recording(bulk, {listed, rows}, known).arrays.at(2).name, "out") << "the last one";

    known.multiplies = true;
    known.buffers = {{array("C", 8, 8), 'C', memory + 4096},
                     {array("B", 8, 8), 'B', memory},
                     {array("A", 8, 8), 'A', memory + 8192}};
    made = executed_recording(sample(), {listed, rows}, known);
    EXPECT_FALSE(recording::to_file_bytes(made).empty());
    EXPECT_TRUE(made.executed->multiplies);
    EXPECT_EQ(made.problem.K, 8u);
    EXPECT_EQ(made.arrays.at(0).name + made.arrays.at(1).name + made.arrays.at(2).name, "ABC");
    accesses = &made.blocks.at(0).warps.at(0).accesses;
    EXPECT_EQ(accesses->at(0).array, 1);
}

TEST_F(Tracing, CodeOutsideTheKernelIsNamedSo)
{
    RawTrace trace = sample();
    trace.totals.push_back(totals_of(0x9000, EventKind::global_access, flag_read, memory, memory + 127));
    trace.blocks[1].events.push_back(event_of(0x9000, EventKind::global_access, flag_read, memory, 4));
    trace.blocks[1].wanted = 5;
    const recording::Recording made = executed_recording(trace, {}); // the kernel's code is unknown, too
    EXPECT_FALSE(recording::to_file_bytes(made).empty()); // throws if the recording breaks the rules of the format
    EXPECT_EQ(made.executed->instructions.size(), 4u);
    EXPECT_EQ(made.blocks[0].warps[0].accesses.size(), 5u);
}

// Patches may use only some instructions, because ptxas rejects the others. Needs no GPU.
TEST_F(Tracing, PatchesAreAssembledForEachKindOfGpu)
{
    for (const int capability : {75, 80, 90})
        try {
            make_patches(folder, capability);
            EXPECT_GT(fs::file_size(folder / ("patches-" + std::to_string(capability) + ".cubin")), 1000u);
        } catch (const kernels::Unavailable& missing) {
            GTEST_SKIP() << missing.what();
        }
}

TEST_F(Tracing, FilesThatDoNotFitAreRefused)
{
    EXPECT_THROW(read_trace(folder), std::runtime_error);
    Fields fields;
    fields.add("kernel", "k");
    fields.add("traced_block", 0);
    fields.add("traced_events", 2);
    fields.add("wanted_events", 2);
    for (const char* file : {events_file, totals_file, runs_file, allocations_file, cubin_file, values_file})
        std::ofstream(folder / file).flush();
    fields.write(folder / done_file);
    EXPECT_THROW(read_trace(folder), kernels::Error); // two events are announced
    std::ofstream(folder / events_file) << std::string(2 * sizeof(Event), '\0');
    EXPECT_THROW(read_trace(folder), kernels::Error); // the only block has no run
    std::ofstream(folder / runs_file) << std::string(sizeof(BlockRun), '\0');
    EXPECT_EQ(read_trace(folder).blocks.at(0).events.size(), 2u);
    std::ofstream(folder / values_file) << std::string(8, '\0') << '\4' << std::string(7 + 7, '\0');
    EXPECT_THROW(read_trace(folder), kernels::Error); // four bytes before the launch, and three after it
    std::ofstream(folder / values_file).flush();
    std::ofstream(folder / totals_file) << "abc";
    EXPECT_THROW(read_trace(folder), kernels::Error);
}

} // namespace
