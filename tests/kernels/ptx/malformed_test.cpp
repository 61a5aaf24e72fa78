// PTX that no compiler accepts, and bytes that no driver writes, are refused before they are used as an index.
#include "error.h"
#include "ptx/machine.h"
#include "ptx/trace.h"
#include "recording/format.h"
#include "tests/says.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <limits>

namespace {

using test::says;

constexpr std::string_view kernel_frame = R"(
.visible .entry kernel(.param .u64 kernel_param_0, .param .align 64 .b8 map[128])
{{
	.reg .pred %p<8>;
	.reg .b32 %r<64>;
	.reg .f32 %f<32>;
	.reg .b64 %d<32>;
	.reg .f64 %e<8>;
	.shared .align 1024 .b8 tile[4096];
	.shared .align 8 .b8 barrier[8];
	ld.param.u64 %d1, [kernel_param_0];
	mov.u32 %r1, %tid.x;
	mov.u32 %r2, tile;
	mov.u32 %r3, barrier;
	mov.b64 %d2, map;
	cvta.param.u64 %d3, %d2;
	mov.u32 %r4, 0;
{}
}}
)";

ptx::Program program_of(std::string_view body)
{
    return ptx::make_program(ptx::parse(fmt::format(kernel_frame, body), {}), "kernel", 1);
}

// Returns whether the statement is refused before it runs.
bool is_malformed(std::string_view statement)
{
    return !test::refusal([&] { program_of(statement); }).empty();
}

void execute(std::string_view body, const std::vector<std::byte>& map = std::vector<std::byte>(128))
{
    const ptx::Program program = program_of(body);
    std::vector<ptx::Region> regions(1);
    regions[0] = {"data", std::vector<std::byte>(4096)};
    ptx::MachineLaunch launch{.extent = {.grid = {1, 1, 1}, .block = {32, 1, 1}}, .most_steps = 20000};
    launch.arguments.resize(program.parameter_bytes);
    const uint64_t address = ptx::global_address(0);
    std::memcpy(launch.arguments.data(), &address, sizeof address);
    std::memcpy(launch.arguments.data() + program.parameters[1].first, map.data(), map.size());
    ptx::run(program, launch, regions, {});
}

std::string said_of(std::string_view body)
{
    return test::refusal([&] { execute(body); });
}

std::string registers(char letter, int count)
{
    std::string list;
    for (int i = 0; i < count; ++i)
        list += fmt::format("{}%{}{}", i == 0 ? "" : ", ", letter, i + 8);
    return "{" + list + "}";
}

TEST(PtxMachine, EndsWhateverNumberOfStepsIsAllowed)
{
    const ptx::Program program = program_of("");
    for (const uint64_t steps : {uint64_t{100}, std::numeric_limits<uint64_t>::max()}) {
        std::vector<ptx::Region> regions(1);
        regions[0] = {"data", std::vector<std::byte>(4096)};
        ptx::MachineLaunch launch{.extent = {.grid = {1, 1, 1}, .block = {32, 1, 1}}, .most_steps = steps};
        launch.arguments.resize(program.parameter_bytes);
        EXPECT_NO_THROW(ptx::run(program, launch, regions, {})) << steps;
    }
}

TEST(MalformedPtx, OnlyDp2aHasHalves)
{
    EXPECT_TRUE(is_malformed("dp4a.hi.u32.u32 %r4, %r1, %r2, %r3;"));
    EXPECT_FALSE(is_malformed("dp2a.hi.u32.u32 %r4, %r1, %r2, %r3;"));
    EXPECT_FALSE(is_malformed("dp4a.u32.u32 %r4, %r1, %r2, %r3;"));
}

TEST(MalformedPtx, AProductOfTwice64BitsIsRefused)
{
    for (const char* statement : {"mul.wide.u64 %d4, %d2, %d3;", "mad.wide.s64 %d4, %d2, %d3, %d3;"})
        EXPECT_TRUE(is_malformed(statement)) << statement;
    EXPECT_FALSE(is_malformed("mul.wide.u32 %d4, %r2, %r3;"));
}

TEST(MalformedPtx, VectorsHaveAsManyRegistersAsTheStatementSays)
{
    EXPECT_FALSE(is_malformed("ld.global.v4.f32 {%f1, %f2, _, %f4}, [%d1];"));
    EXPECT_FALSE(is_malformed("st.shared.v2.b64 [%r2], {%d1, %d2};"));
    for (const char* statement :
         {"ld.global.v4.f32 {%f1, %f2, %f3}, [%d1];", "ld.global.f32 {%f1, %f2}, [%d1];",
          "ld.global.v2.f32 %f1, [%d1];", "ld.global.v2.f32 {}, [%d1];", "st.global.v4.f32 [%d1], {%f1, %f2, %f3};",
          "st.shared.f32 [%r2], {%f1, %f2};",
          "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r2], {}, [%r3];",
          "st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.u32 [%r2], {%r1, %r1, %r1}, [%r3];",
          "red.async.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r2], {%r1, %r1}, [%r3];"})
        EXPECT_TRUE(is_malformed(statement)) << statement;
    // An access has at most 16 bytes per lane on the architecture that PTX is compiled for here.
    EXPECT_TRUE(is_malformed("ld.global.v8.b32 " + registers('r', 8) + ", [%d1];"));
    EXPECT_TRUE(is_malformed("ld.global.v4.b64 " + registers('d', 4) + ", [%d1];"));
    EXPECT_TRUE(is_malformed("st.global.v8.b64 [%d1], " + registers('d', 8) + ";"));
    EXPECT_TRUE(is_malformed("ld.global.v8.b64 " + registers('d', 8) + ", [%d1];"));
}

TEST(MalformedPtx, PredicatesAreNoData)
{
    for (const char* statement :
         {"st.global.u32 [%d1], %p1;", "st.global.v2.u32 [%d1], {%r1, %p1};", "atom.global.add.u32 %r1, [%d1], %p1;",
          "mov.b64 %d4, {%p1, %p2};", "ld.global.u32 %r1, [%p1];",
          "cp.async.bulk.global.shared::cta.bulk_group [%d1], [%r2], %p1;"})
        EXPECT_TRUE(is_malformed(statement)) << statement;
}

TEST(MalformedPtx, FragmentsOfWmmaHaveTheRegistersOfTheirTile)
{
    const auto load = [](int count) {
        return "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 " + registers('r', count) + ", [%r2], 16;";
    };
    const auto store = [](int count) {
        return "wmma.store.d.sync.aligned.row.m16n16k16.shared.f32 [%r2], " + registers('f', count) + ", 16;";
    };
    const auto multiply = [](const char* types, char letter, int d, int a, int b, int c) {
        return fmt::format("wmma.mma.sync.aligned.row.col.m16n16k16.{} {}, {}, {}, {};", types, registers(letter, d),
                           registers('r', a), registers('r', b), registers(letter, c));
    };
    EXPECT_FALSE(is_malformed(load(8)));
    EXPECT_FALSE(is_malformed(store(8)));
    EXPECT_FALSE(is_malformed(multiply("f32.f32", 'f', 8, 8, 8, 8)));
    EXPECT_FALSE(is_malformed(multiply("f16.f16", 'r', 4, 8, 8, 4)));
    EXPECT_FALSE(is_malformed(multiply("s32.u8.u8.s32", 'r', 8, 2, 2, 8)));
    for (const int count : {0, 1, 4, 7, 9})
        EXPECT_TRUE(is_malformed(load(count)) && is_malformed(store(count))) << count;
    EXPECT_TRUE(is_malformed(multiply("f32.f32", 'f', 7, 8, 8, 8)));
    EXPECT_TRUE(is_malformed(multiply("f32.f32", 'f', 8, 2, 8, 8)));
    EXPECT_TRUE(is_malformed(multiply("f32.f32", 'f', 8, 8, 0, 8)));
    EXPECT_TRUE(is_malformed(multiply("f32.f32", 'f', 8, 8, 8, 1)));
    for (const char* types : {"f64.f64", "f16x2.f16x2", "pred.pred", "b8.b8", "s32.f16.f16.s32", "f32.s8.s8.f32",
                              "s32.s8.u8.s32", "f32.f16.bf16.f32", "f64.f16.f16.f64"})
        EXPECT_TRUE(is_malformed(multiply(types, 'r', 8, 8, 8, 8))) << types;
}

TEST(MalformedPtx, ReductionsHaveTypesThatCanBeReduced)
{
    const auto copy = [](const char* what) {
        return fmt::format("cp.reduce.async.bulk.global.shared::cta.bulk_group.{} [%d1], [%r2], 64;", what);
    };
    for (const char* good : {"add.u32", "min.s64", "add.f64", "add.noftz.bf16", "max.f16", "xor.b64", "inc.u32"})
        EXPECT_FALSE(is_malformed(copy(good))) << good;
    for (const char* bad : {"add.b128", "add.pred", "add.u8", "and.f32", "exch.b32", "cas.b32", "add"})
        EXPECT_TRUE(is_malformed(copy(bad))) << bad;
    EXPECT_TRUE(is_malformed("atom.global.and.f32 %f1, [%d1], %f2;"));
    EXPECT_TRUE(is_malformed("red.async.shared::cluster.mbarrier::complete_tx::bytes.exch.b32 [%r2], %r1, [%r3];"));
}

TEST(MalformedPtx, OnlyFloatingPointNumbersAreAskedForNan)
{
    for (const char* asks : {"num", "nan"}) {
        EXPECT_FALSE(is_malformed(fmt::format("setp.{}.f32 %p1, %f1, %f2;", asks)));
        EXPECT_TRUE(is_malformed(fmt::format("setp.{}.s32 %p1, %r1, %r2;", asks)));
    }
}

TEST(MalformedPtx, AReductionOfAWarpSaysHow)
{
    const auto reduced = [](const char* how) { return fmt::format("redux.sync.{} %r5, %r1, -1;", how); };
    for (const char* good : {"add.u32", "min.s32", "max.u32", "and.b32", "or.b32", "xor.b32"})
        EXPECT_FALSE(is_malformed(reduced(good))) << good;
    for (const char* bad : {"u32", "exch.b32", "cas.b32", "add.f32", "add.u64", "approx.u32"})
        EXPECT_TRUE(is_malformed(reduced(bad))) << bad;
}

TEST(MalformedPtx, ALaneIsElectedOfThoseOfTheMask)
{
    EXPECT_EQ(said_of("elect.sync %r5|%p1, 0xffffffff;"), "");
    EXPECT_FALSE(said_of("elect.sync %r5|%p1, 0;").empty());
}

TEST(MalformedPtx, ABulkCopyWithinABlockMayOverlapItself)
{
    EXPECT_EQ(said_of(R"(
	setp.ne.u32 %p1, %r1, 0;
	@%p1 exit;
	mbarrier.init.shared.b64 [%r3], 1;
	cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r2+16], [%r2], 64, [%r3];)"),
              "");
}

TEST(MalformedPtx, NestingEnds)
{
    const std::string deep(200000, '{'), nots(200000, '!');
    EXPECT_FALSE(test::refusal([&] { ptx::parse(".global .b8 x[4] = " + deep, {}); }).empty());
    EXPECT_FALSE(is_malformed("mov.pred %p1, %p2;"));
    EXPECT_FALSE(is_malformed("mov.pred %p1, " + nots + "%p2;"));
}

TEST(MalformedPtx, MemoryOfAllThreadsAndVariablesIsLimited)
{
    const auto with = [](const std::string& declaration) {
        return test::refusal(
            [&] { ptx::make_program(ptx::parse(declaration + ".visible .entry k() { ret; }", {}), "k", 0); });
    };
    EXPECT_EQ(with(".global .b8 x[1000000];"), "");
    EXPECT_FALSE(with(".global .b8 x[2147483648]; .global .b8 y[2147483648]; .global .b8 z[2147483648];").empty());
    EXPECT_EQ(said_of(".local .b8 some[1024]; ret;"), "");
    const std::string much = ".local .b8 much[1000000]; ret;";
    const ptx::Program program = program_of(much);
    std::vector<ptx::Region> regions(1);
    ptx::MachineLaunch launch{.extent = {.grid = {1, 1, 1}, .block = {1024, 1, 1}},
                              .arguments = std::vector<std::byte>(program.parameter_bytes)};
    EXPECT_FALSE(test::refusal([&] { ptx::run(program, launch, regions, {}); }).empty());
    EXPECT_FALSE(test::refusal([&] { program_of(".shared .b8 much[100000000]; ret;"); }).empty());
}

// A kernel that copies with a tensor map, for tests of the requirements on the map.
constexpr std::string_view copying = R"(
	setp.ne.u32 %p1, %r1, 0;
	@%p1 exit;
	mbarrier.init.shared.b64 [%r3], 1;
	cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r2], [%d3, {%r4, %r4}], [%r3];
	cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%d3, {%r4, %r4}], [%r2];
)";

ptx::TensorMap good_map()
{
    return {.address = ptx::global_address(0),
            .axes = 2,
            .element_bytes = 4,
            .extent = {16, 16},
            .stride = {4, 64},
            .box = {8, 8},
            .swizzle = 32,
            .element = ptx::Type::f32};
}

std::string said_of_map(const ptx::TensorMap& map)
{
    const auto bytes = ptx::bytes_of(map);
    return test::refusal([&] { execute(copying, {bytes.begin(), bytes.end()}); });
}

TEST(ForgedTensorMap, IsRefusedInASentence)
{
    EXPECT_EQ(said_of_map(good_map()), "");
    const std::vector<std::pair<const char*, std::function<void(ptx::TensorMap&)>>> forgeries = {
        {"no axes", [](auto& map) { map.axes = 0; }},
        {"200 axes", [](auto& map) { map.axes = 200; }},
        {"elements of no bytes", [](auto& map) { map.element_bytes = 0; }},
        {"elements of 3 bytes", [](auto& map) { map.element_bytes = 3; }},
        {"elements of 200 bytes", [](auto& map) { map.element_bytes = 200; }},
        {"an empty box", [](auto& map) { map.box[1] = 0; }},
        {"a large box", [](auto& map) { map.box[1] = 40000; }},
        {"an odd stride", [](auto& map) { map.stride[1] = 63; }},
        {"an odd address", [](auto& map) { map.address += 3; }},
        {"an odd swizzle", [](auto& map) { map.swizzle = 33; }},
        {"a swizzle of 255", [](auto& map) { map.swizzle = 255; }},
        {"a type of another width", [](auto& map) { map.element = ptx::Type::f64; }},
        {"a predicate's type", [](auto& map) { map.element = ptx::Type::pred; }},
        {"no known type", [](auto& map) { map.element = static_cast<ptx::Type>(200); }},
        {"nothing at its address", [](auto& map) { map.address = 16; }}};
    for (const auto& [name, forge] : forgeries) {
        ptx::TensorMap map = good_map();
        forge(map);
        EXPECT_FALSE(said_of_map(map).empty()) << name;
    }
}

// The box has the maximal size, which is larger than the block's shared memory. The copy ends there.
TEST(ForgedTensorMap, OfALargeBoxEndsWithItsTile)
{
    ptx::TensorMap map = good_map();
    map.box = {8, 256};
    EXPECT_FALSE(said_of_map(map).empty());
}

// Runs all steps for a file except the compiler. The result must be a valid recording.
void trace(std::string_view body)
{
    const traced::Request request{.file = "kernel.cu",
                                  .kernel = "kernel",
                                  .grid = "1",
                                  .block = "32",
                                  .arguments = {"a", "map(a:float,8,8,32)"},
                                  .buffers = {"a=1024:iota"}};
    const traced::UserKernel kernel{.file = request.file,
                                    .text =
                                        "__global__ void kernel(float* a, const __grid_constant__ CUtensorMap map) {}",
                                    .kernel = request.kernel,
                                    .include_folders = {},
                                    .defines = {}};
    const ptx::Traced traced = ptx::trace(request, kernel,
                                          {.ptx = fmt::format(kernel_frame, body),
                                           .lowered_name = "kernel",
                                           .cubin = {},
                                           .signature = "kernel(float*, CUtensorMap)",
                                           .source_lines = {},
                                           .compiler = "none"},
                                          {});
    EXPECT_EQ(test::refusal([&] { recording::check(traced.recording); }), "") << body;
}

// The kernel writes a map whose elements have no bytes.
TEST(ForgedTensorMap, ThatTheKernelWritesIsRefused)
{
    const auto writing = [](const ptx::TensorMap& map) {
        const auto bytes = ptx::bytes_of(map);
        std::string body;
        for (std::size_t i = 0; i < bytes.size(); i += 8) {
            uint64_t word = 0;
            std::memcpy(&word, bytes.data() + i, sizeof word);
            body += fmt::format("\tmov.b64 %d4, {};\n\tst.global.u64 [%d1+{}], %d4;\n", word, i);
        }
        return body + "\tmov.b64 %d3, %d1;\n" + std::string(copying);
    };
    ptx::TensorMap map = good_map();
    EXPECT_EQ(test::refusal([&] { trace(writing(map)); }), "");
    map.element_bytes = 0;
    EXPECT_FALSE(test::refusal([&] { trace(writing(map)); }).empty());
}

// Accesses outside all arrays are counted, but not shown.
TEST(ForgedTensorMap, IsRecordedOnlyWhereItsBoxIsInAnArray)
{
    trace(R"(
	setp.ne.u32 %p1, %r1, 0;
	@%p1 exit;
	mbarrier.init.shared.b64 [%r3], 1;
	mov.u32 %r5, 256;
	cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r2], [%d3, {%r5, %r4}], [%r3];)");
}

TEST(MalformedPtx, ArraysHaveElementsThatFitThem)
{
    trace(".shared .b8 odd[3];\n\tmov.u32 %r5, odd;\n\tst.shared.u8 [%r5+2], %r1;");
    trace(".shared .align 4 .b8 six[6];\n\tmov.u32 %r5, six;\n\tst.shared.u32 [%r5], %r4;");
    trace("wmma.load.a.sync.aligned.row.m16n16k16.shared.s8 {%r8, %r9}, [%r2], 17;");
}

} // namespace
