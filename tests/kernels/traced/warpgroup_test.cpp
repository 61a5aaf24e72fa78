// Compares Hopper kernels of CUDA files with float64: tensor maps, bulk copies and products of warpgroups.
#include "error.h"
#include "ptx/file_launch.h"
#include "ptx/trace.h"
#include "tests/kernels/traced/run_kernel.h"

#include <fmt/format.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>

namespace {

using recording::Op;
using test::run;
using test::says;

template <class T>
std::vector<T> values_of(const traced::Buffer& buffer)
{
    std::vector<T> values(buffer.bytes.size() / sizeof(T));
    std::memcpy(values.data(), buffer.bytes.data(), buffer.bytes.size());
    return values;
}

const traced::Buffer& named(const std::vector<traced::Buffer>& buffers, const char* name)
{
    return *std::ranges::find(buffers, name, &traced::Buffer::name);
}

int count(const recording::WarpTrace& warp, Op op)
{
    return static_cast<int>(std::ranges::count(warp.accesses, op, &recording::Access::op));
}

// Tests each swizzle: 128, 64 and 32 bytes, and none.
TEST(Warpgroup, ProductsOfTilesByTensorMaps)
{
    const std::string text = test::cuda_text("warpgroup.cu");
    for (const int swizzle : {128, 64, 32, 0}) {
        traced::Request request{.kernel = fmt::format("warpgroup<{}>", swizzle)};
        const int columns = swizzle == 0 ? 8 : swizzle / 2, deep = swizzle == 0 ? 16 : columns;
        request.arguments = {fmt::format("map(A:half,64,{},{})", columns, swizzle),
                             fmt::format("map(BT:half,64,{},{})", columns, swizzle), "C", "N", "K"};
        ptx::Traced traced;
        SKIP_WHERE_UNAVAILABLE(traced = run(text, request));
        ASSERT_TRUE(traced.check);
        EXPECT_TRUE(traced.check->ok) << swizzle << ": " << traced.check->error;
        const std::vector<std::string>& notes = traced.recording.executed->notes;
        EXPECT_TRUE(std::ranges::any_of(
            notes, [](const std::string& note) { return note.starts_with("PTX leaves the last bits of wgmma open"); }));
        const recording::WarpTrace& warp = traced.recording.blocks.at(0).warps.at(0);
        EXPECT_EQ(count(warp, Op::bulk_load), 2 * 128 / deep * (deep / columns));
        EXPECT_EQ(count(warp, Op::bulk_store), count(warp, Op::bulk_load));
        EXPECT_EQ(count(warp, Op::matrix_multiply), 2 * 128 / 16) << "each reads A and B";
        EXPECT_EQ(count(traced.recording.blocks[0].warps.at(1), Op::bulk_load), 0)
            << "one thread of warp 0 issues the copies";
        const recording::Array& tile = traced.recording.arrays.at(3);
        EXPECT_EQ(tile.name, "As");
        EXPECT_EQ(tile.element_bytes, 2u);
        EXPECT_EQ(tile.cols, static_cast<uint32_t>(columns));
        const uint32_t turned = swizzle == 0 ? 0 : 16; // the second line of 128 bytes
        EXPECT_EQ(tile.offset_of(swizzle == 0 ? 8 : 256 / static_cast<uint32_t>(swizzle) / 2, 0), 128 + turned);
    }
}

TEST(Warpgroup, WrongMapsAreSaid)
{
    const std::string text = test::cuda_text("warpgroup.cu");
    traced::Request request = traced::with_facts_of_file({.file = "warpgroup.cu"}, text);
    const traced::UserKernel kernel = ptx::kernel_of(request, text);
    traced::CompiledKernel compiled;
    SKIP_WHERE_UNAVAILABLE(compiled = traced::compile(kernel));
    const auto refusal = [&](const char* map) {
        request.arguments = {map, "map(BT:half,64,64,128)", "C", "N", "K"};
        return test::refusal([&] { ptx::trace(request, kernel, compiled, {}); });
    };
    const auto expect = [&](const char* map, const char* part) { EXPECT_TRUE(says(refusal(map), part)); };
    expect("A", "is a tensor map. Give map(BUFFER:TYPE,ROWS,COLUMNS,SWIZZLE)");
    expect("map(A:half,64)", "a tensor map is written map(");
    expect("map(A:half,64,300,128)", "300");
    expect("map(A:half,64,64,64)", "a box's row has 128 bytes, more than the 64 of its swizzle");
    expect("map(A:half,64,64,48)", "0, 32, 64 and 128 are possible");
    expect("map(A:halve,64,64,128)", "halve is no type");
    expect("map(A:half,32,64,128)", "cannot go on"); // fewer bytes than the mbarrier expects
    request.buffers = {"in=16*64*64"}, request.check = "";
    expect("map(in:float4,4,4)", "its elements have 16 bytes, and 8 are the most");
}

constexpr const char* typed = R"(
// gemmscope: kernel=product grid=1 block=128 args=a,b,d buffer=a=64*32:random buffer=b=8*32:random buffer=d=64*8*4
#include <stdint.h>
__device__ uint64_t descriptor(const void* start, int lines)
{
    return static_cast<uint64_t>(128 >> 4) << 32 | static_cast<uint64_t>(lines * 16 >> 4) << 16 |
           (static_cast<uint32_t>(__cvta_generic_to_shared(start)) & 0x3ffff) >> 4;
}
__global__ void product(const unsigned char* a, const unsigned char* b, uint32_t* d)
{
    __shared__ alignas(128) unsigned char As[64 * 32], Bs[8 * 32]; // lines of 32 bytes along k, in pieces of 8 x 16
    for (int i = threadIdx.x; i < 64 * 32; i += 128)
        As[i / 32 / 8 * 128 + i / 32 % 8 * 16 + i % 32 / 16 * 64 * 16 + i % 16] = a[i];
    for (int i = threadIdx.x; i < 8 * 32; i += 128)
        Bs[i / 32 % 8 * 16 + i % 32 / 16 * 8 * 16 + i % 16] = b[i];
    __syncthreads();
    uint32_t s[4] = {START};
    const int lane = threadIdx.x % 32, row = threadIdx.x / 32 * 16 + lane / 4;
    uint32_t in[4];
    for (int i = 0; i < 4; ++i)
        in[i] = reinterpret_cast<const uint32_t*>(a)[(row + i % 2 * 8) * 8 + i / 2 * 4 + lane % 4];
    asm volatile("fence.proxy.async;\nwgmma.fence.sync.aligned;\nwgmma.mma_async.sync.aligned.m64n8" SHAPE
                 " {%0, %1, %2, %3}, " OPERAND_A ", %5, 1" LAST ";\n"
                 "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;"
                 : "+r"(s[0]), "+r"(s[1]), "+r"(s[2]), "+r"(s[3])
                 : "l"(descriptor(As, 64)), "l"(descriptor(Bs, 8)), "r"(in[0]), "r"(in[1]), "r"(in[2]), "r"(in[3])
                 : "memory");
    for (int i = 0; i < 4; ++i)
        d[(row + i / 2 * 8) * 8 + lane % 4 * 2 + i % 2] = s[i];
}
)";

struct Typed {
    const char* shape;
    const char* last = ", 1, 1";
    const char* start = "0";
    bool registers = false;
};

ptx::Traced run_typed(const Typed& what)
{
    traced::Request request;
    request.defines = {fmt::format("SHAPE=\"{}\"", what.shape), fmt::format("LAST=\"{}\"", what.last),
                       fmt::format("OPERAND_A=\"{}\"", what.registers ? "{%6, %7, %8, %9}" : "%4"),
                       fmt::format("START={}", what.start)};
    return run(typed, request);
}

// Compares d with the product of a and b^T. `of_a` and `of_b` return element k of a line. Sums begin with `start`, in
// the first register of a thread only.
template <class Sum, class ElementA, class ElementB>
void expect_product(const ptx::Traced& traced, int depth, ElementA of_a, ElementB of_b, double start = 0)
{
    const auto a = values_of<uint8_t>(named(traced.before, "a")), b = values_of<uint8_t>(named(traced.before, "b"));
    const auto d = values_of<Sum>(named(traced.after, "d"));
    for (std::size_t row = 0; row < 64; ++row)
        for (std::size_t col = 0; col < 8; ++col) {
            double sum = row % 16 < 8 && col % 2 == 0 ? start : 0, large = 1e-30;
            for (std::size_t k = 0; k < static_cast<std::size_t>(depth); ++k) {
                const double one = of_a(&a[row * 32], k) * of_b(&b[col * 32], k);
                sum += one;
                large += std::abs(one);
            }
            EXPECT_NEAR(static_cast<double>(d[row * 8 + col]), sum, large * 1e-5) << row << ", " << col;
        }
}

double minifloat(uint8_t bits, int mantissa)
{
    const int exponent = (bits & 0x7f) >> mantissa, bias = mantissa == 3 ? 7 : 15, part = bits & ((1 << mantissa) - 1);
    const double size = exponent == 0 ? std::ldexp(part, 1 - bias - mantissa)
                                      : std::ldexp(part + (1 << mantissa), exponent - bias - mantissa);
    return (bits & 0x80) != 0 ? -size : size;
}

TEST(Warpgroup, WholeNumbers)
{
    ptx::Traced traced;
    SKIP_WHERE_UNAVAILABLE(traced = run_typed({.shape = "k32.s32.s8.u8", .last = "", .start = "100"}));
    expect_product<int32_t>(
        traced, 32, [](const uint8_t* line, std::size_t k) { return double(static_cast<int8_t>(line[k])); },
        [](const uint8_t* line, std::size_t k) { return double(line[k]); }, 100);
}

// The factor -1 of wgmma negates A.
TEST(Warpgroup, FloatingPointOfEightBits)
{
    ptx::Traced traced;
    try {
        std::string text = typed;
        for (const char* bits : {"= a[i];", "= b[i];"}) // no NaN, which E4M3 and E5M2 have among their largest values
            text.replace(text.find(bits) + 6, 1, " & 0xbb;");
        traced::Request request;
        request.defines = {"SHAPE=\"k32.f32.e4m3.e5m2\"", "LAST=\", -1, 1\"", "OPERAND_A=\"%4\"", "START=0"};
        traced = run(text, request);
    } catch (const kernels::Unavailable& missing) {
        GTEST_SKIP() << missing.what();
    }
    expect_product<float>(
        traced, 32, [](const uint8_t* line, std::size_t k) { return -minifloat(line[k] & 0xbb, 3); },
        [](const uint8_t* line, std::size_t k) { return minifloat(line[k] & 0xbb, 2); });
}

TEST(Warpgroup, AInRegisters)
{
    ptx::Traced traced;
    SKIP_WHERE_UNAVAILABLE(traced = run_typed({.shape = "k32.s32.u8.s8", .last = "", .registers = true}));
    expect_product<int32_t>(
        traced, 32, [](const uint8_t* line, std::size_t k) { return double(line[k]); },
        [](const uint8_t* line, std::size_t k) { return double(static_cast<int8_t>(line[k])); });
    EXPECT_EQ(count(traced.recording.blocks.at(0).warps.at(0), Op::matrix_multiply), 2);
}

TEST(Warpgroup, WhatIsWrongIsSaid)
{
    const auto refusal = [](const Typed& what, const char* block) {
        try {
            std::string text = typed;
            text.replace(text.find("block=128"), 9, block);
            traced::Request request;
            request.defines = {fmt::format("SHAPE=\"{}\"", what.shape), fmt::format("LAST=\"{}\"", what.last),
                               "OPERAND_A=\"%4\"", "START=0"};
            run(text, request);
        } catch (const kernels::Unavailable&) {
            return std::string("no compiler");
        } catch (const kernels::Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    const Typed whole{.shape = "k32.s32.s8.u8", .last = ""};
    if (refusal(whole, "block=128") == "no compiler")
        GTEST_SKIP();
    EXPECT_EQ(refusal(whole, "block=128"), "");
    EXPECT_TRUE(says(refusal(whole, "block=64"), "is in no whole warpgroup: the block has 2 warps"));
}

// A thread that continues may overwrite the operands, because the other warps have read them too.
TEST(Warpgroup, ItsWarpsWaitForOneAnother)
{
    const Typed whole{.shape = "k32.s32.s8.u8", .last = ""};
    const auto with = [&](std::string_view mark, const std::string& more) {
        std::string text = typed;
        text.insert(text.find(mark), more);
        traced::Request request;
        request.defines = {fmt::format("SHAPE=\"{}\"", whole.shape), "LAST=\"\"", "OPERAND_A=\"%4\"", "START=0"};
        return run(text, request);
    };
    ptx::Traced traced;
    try {
        traced = with("for (int i = 0; i < 4; ++i)\n        d[",
                      "if (threadIdx.x < 32)\n for (int i = threadIdx.x; i < 2048; i += 32) As[i] = 0;\n");
    } catch (const kernels::Unavailable& missing) {
        GTEST_SKIP() << missing.what();
    }
    expect_product<int32_t>(
        traced, 32, [](const uint8_t* line, std::size_t k) { return double(static_cast<int8_t>(line[k])); },
        [](const uint8_t* line, std::size_t k) { return double(line[k]); });
    std::string said;
    try {
        with("asm volatile(\"fence.proxy.async;", "if (threadIdx.x < 96)\n");
    } catch (const kernels::Error& error) {
        said = error.what();
    }
    EXPECT_TRUE(says(said, "waits for the other warps of its warpgroup at line"));
}

// A copy to shared memory with an mbarrier, and one back with an addition. The issuing thread owns what it wrote.
TEST(Warpgroup, BulkCopiesAreSteps)
{
    constexpr const char* text = R"(
// gemmscope: grid=2 block=64 args=from,to buffer=from=2048:iota buffer=to=2048:iota
__global__ void copies(const float* from, float* to)
{
    __shared__ alignas(128) float tile[256];
    __shared__ unsigned long long full;
    const unsigned place = static_cast<unsigned>(__cvta_generic_to_shared(tile)),
                   barrier = static_cast<unsigned>(__cvta_generic_to_shared(&full));
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier) : "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 1024;" ::"r"(barrier) : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 1024, [%2];"
                     ::"r"(place), "l"(from + blockIdx.x * 256), "r"(barrier) : "memory");
    }
    __syncthreads();
    asm volatile("{ .reg .pred done;\nagain: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], 0;\n@!done bra again; }"
                 ::"r"(barrier) : "memory");
    for (int i = threadIdx.x; i < 256; i += 64)
        tile[i] = 2 * tile[i];
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 1)
        asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%0], [%1], 1024;\n"
                     "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;"
                     ::"l"(to + blockIdx.x * 256), "r"(place) : "memory");
}
)";
    ptx::Traced traced;
    SKIP_WHERE_UNAVAILABLE(traced = run(text));
    const auto to = values_of<float>(named(traced.after, "to"));
    for (std::size_t i = 0; i < to.size(); ++i)
        EXPECT_EQ(to[i], 3 * static_cast<float>(i)) << i;
    const recording::Recording& recording = traced.recording;
    const auto& steps = recording.blocks.at(0).warps.at(0).accesses;
    const auto load = std::ranges::find(steps, Op::bulk_load, &recording::Access::op);
    ASSERT_NE(load, steps.end());
    EXPECT_EQ(recording.arrays[load->array].name, "from");
    EXPECT_EQ(load->mask, 1u);
    EXPECT_EQ((load + 1)->op, Op::bulk_store);
    EXPECT_EQ(recording.arrays[(load + 1)->array].name, "tile");
    EXPECT_EQ(recording.arrays[2].name, "to");
    const auto back = std::find_if(load + 2, steps.end(), [](const auto& step) { return step.op == Op::bulk_load; });
    ASSERT_NE(back, steps.end());
    EXPECT_EQ(recording.arrays[back->array].name, "tile");
    EXPECT_EQ(back->mask, 2u);
    EXPECT_EQ((back + 1)->op, Op::bulk_store);
    EXPECT_EQ((back + 1)->array, 2);
    EXPECT_EQ(recording.owner[0], 1u);
    EXPECT_EQ(recording.owner[256 + 7], 65u);
}

} // namespace
