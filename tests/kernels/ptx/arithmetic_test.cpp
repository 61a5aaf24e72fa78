// Tests single PTX instructions, bit by bit where PTX defines the result.
#include "error.h"
#include "gemm/rounding.h"
#include "ptx/machine.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <random>

namespace {

// A lane's operands and expected result.
struct Case {
    uint64_t a = 0, b = 0, c = 0, expected = 0;
};

std::string kernel_with(const std::string& body)
{
    return ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 k_param_0)\n{\n"
           ".reg .pred %p<4>;\n.reg .b16 %h<8>;\n.reg .b32 %r<16>;\n.reg .f32 %f<8>;\n.reg .b64 %d<16>;\n"
           "ld.param.u64 %d10, [k_param_0];\nmov.u32 %r10, %tid.x;\nmul.wide.u32 %d11, %r10, 32;\nadd.s64 %d12, %d10, "
           "%d11;\n"
           "ld.global.u64 %d1, [%d12];\nld.global.u64 %d2, [%d12+8];\nld.global.u64 %d3, [%d12+16];\n"
           "cvt.u32.u64 %r1, %d1;\ncvt.u32.u64 %r2, %d2;\ncvt.u32.u64 %r3, %d3;\n"
           "cvt.u16.u32 %h1, %r1;\ncvt.u16.u32 %h2, %r2;\ncvt.u16.u32 %h3, %r3;\nmov.u64 %d0, 0;\nmov.u32 %r0, 0;\n" +
           body + "\nst.global.u64 [%d12+24], %d0;\nret;\n}\n";
}

// Returns the results of 32 lanes or fewer.
std::vector<uint64_t> results(const std::string& body, const std::vector<Case>& cases)
{
    std::vector<std::byte> data(32 * 32);
    for (std::size_t i = 0; i < cases.size(); ++i)
        std::memcpy(data.data() + 32 * i, &cases[i], 24);
    std::vector<ptx::Region> regions(1);
    regions[0] = {"data", data};
    const ptx::Program program = ptx::make_program(ptx::parse(kernel_with(body), {}), "k", 1);
    ptx::MachineLaunch launch{.extent = {.grid = {1, 1, 1}, .block = {static_cast<uint32_t>(cases.size()), 1, 1}}};
    launch.arguments.resize(8);
    const uint64_t address = ptx::global_address(0);
    std::memcpy(launch.arguments.data(), &address, sizeof address);
    ptx::run(program, launch, regions, {});
    std::vector<uint64_t> all;
    for (std::size_t i = 0; i < cases.size(); ++i) {
        uint64_t value = 0;
        std::memcpy(&value, regions[0].bytes.data() + 32 * i + 24, 8);
        all.push_back(value);
    }
    return all;
}

void expect(const std::string& body, const std::vector<Case>& cases)
{
    const std::vector<uint64_t> got = results(body, cases);
    for (std::size_t i = 0; i < cases.size(); ++i)
        EXPECT_EQ(got[i], cases[i].expected)
            << body << " of " << std::hex << cases[i].a << ", " << cases[i].b << ", " << cases[i].c << " is " << got[i];
}

// Checks instructions with 32-bit results.
void expect_word(const std::string& instruction, const std::vector<Case>& cases)
{
    expect(instruction + "\ncvt.u64.u32 %d0, %r0;", cases);
}

uint64_t bits(float value)
{
    return std::bit_cast<uint32_t>(value);
}
uint64_t bits(double value)
{
    return std::bit_cast<uint64_t>(value);
}

TEST(PtxArithmetic, WholeNumbers)
{
    expect_word("add.sat.s32 %r0, %r1, %r2;", {{0x7fffffff, 1, 0, 0x7fffffff}, {0x80000000, ~0u, 0, 0x80000000}});
    expect_word("mul.hi.s32 %r0, %r1, %r2;", {{0xffffffff, 0xffffffff, 0, 0}, {0x80000000, 2, 0, 0xffffffff}});
    expect_word("mul.hi.u32 %r0, %r1, %r2;", {{0xffffffff, 0xffffffff, 0, 0xfffffffe}});
    expect("mul.hi.u64 %d0, %d1, %d2;", {{~uint64_t{0}, ~uint64_t{0}, 0, ~uint64_t{1}}});
    expect("mul.wide.s16 %r0, %h1, %h2;\ncvt.u64.u32 %d0, %r0;", {{0xffff, 2, 0, 0xfffffffe}});
    expect("mad.wide.s32 %d0, %r1, %r2, %d3;", {{0xffffffff, 3, 10, 7}});
    expect_word("div.s32 %r0, %r1, %r2;", {{0xfffffff9, 2, 0, 0xfffffffd}, {0x80000000, 0xffffffff, 0, 0x80000000}});
    expect_word("rem.s32 %r0, %r1, %r2;", {{0xfffffff9, 2, 0, 0xffffffff}});
    expect("add.cc.u64 %d0, %d1, %d2;\naddc.u64 %d0, %d3, 0;", {{~uint64_t{0}, 1, 5, 6}, {1, 1, 5, 5}});
    expect("sub.cc.u32 %r0, %r1, %r2;\nsubc.u32 %r0, %r3, 0;\ncvt.u64.u32 %d0, %r0;", {{0, 1, 5, 4}, {1, 1, 5, 5}});
    expect_word("mad24.lo.s32 %r0, %r1, %r2, %r3;", {{0xffffff, 3, 1, 0xfffffffe}});
    // The first factor is -6, and bits 16 to 47 of the product are returned.
    expect_word("mul24.hi.s32 %r0, %r1, %r2;", {{0xfffffe, 3, 0, 0xffffffff}});
    expect_word("sad.u32 %r0, %r1, %r2, %r3;", {{3, 10, 1, 8}, {10, 3, 1, 8}});
    expect_word("dp4a.s32.s32 %r0, %r1, %r2, %r3;", {{0xff010203, 0x01010101, 10, 15}});
    expect_word("min.s16 %h0, %h1, %h2;\nmov.b32 %r0, {%h0, %h3};", {{0xffff, 1, 0, 0xffff}});
}

TEST(PtxArithmetic, IsThatOfItsTypes)
{
    constexpr uint64_t minus_one = ~uint64_t{0};
    expect_word("add.s32 %r0, %r1, %r2;", {{0x7fffffff, 1, 0, 0x80000000}});
    expect_word("add.u32 %r0, %r1, %r2;", {{0xffffffff, 1, 0, 0}});
    expect("sub.s64 %d0, %d1, %d2;", {{3, 5, 0, minus_one - 1}});
    expect("mul.wide.s32 %d0, %r1, %r2;", {{0xffffffff, 3, 0, minus_one - 2}});
    expect("mul.wide.u32 %d0, %r1, %r2;", {{0xffffffff, 2, 0, 0x1fffffffe}});
    expect_word("mul.hi.s32 %r0, %r1, %r2;", {{100, 1431655766, 0, 33}}); // a third
    expect("mul.hi.s64 %d0, %d1, %d2;", {{minus_one, minus_one, 0, 0}});
    expect_word("mad.lo.s32 %r0, %r1, %r2, %r3;", {{3, 4, 5, 17}});
    expect_word("rem.u32 %r0, %r1, %r2;", {{7, 4, 0, 3}});
    expect_word("shl.b32 %r0, %r1, %r2;", {{0x80000001, 1, 0, 2}, {1, 64, 0, 0}});
    expect_word("shr.s32 %r0, %r1, %r2;", {{0x80000000, 31, 0, 0xffffffff}});
    expect_word("shr.u32 %r0, %r1, %r2;", {{0x80000000, 31, 0, 1}});
    expect_word("bfi.b32 %r0, %r1, %r2, 5, 27;", {{0x3f, 0, 0, 0x3f << 5}});
    expect_word("bfe.u32 %r0, %r1, 4, 8;", {{0xabcd, 0, 0, 0xbc}});
    expect_word("bfe.s32 %r0, %r1, 4, 8;", {{0xabcd, 0, 0, 0xffffffbc}});
    expect_word("not.b32 %r0, %r1;", {{0, 0, 0, 0xffffffff}});
    expect("cvt.s64.s32 %d0, %r1;", {{0xfffffffe, 0, 0, minus_one - 1}});
    expect("cvt.u64.u32 %d0, %r1;", {{0xfffffffffffffffe, 0, 0, 0xfffffffe}});
    expect("cvt.u16.u32 %h0, %r1;\ncvt.u64.u16 %d0, %h0;", {{0x12345, 0, 0, 0x2345}});
    expect_word("min.s32 %r0, %r1, %r2;", {{0xffffffff, 1, 0, 0xffffffff}});
    expect_word("max.u32 %r0, %r1, %r2;", {{0xffffffff, 1, 0, 0xffffffff}});
    const std::string select = "selp.b32 %r0, 1, 0, %p0;";
    expect_word("setp.lt.s32 %p0, %r1, %r2;\n" + select, {{0xffffffff, 1, 0, 1}});
    expect_word("setp.lt.u32 %p0, %r1, %r2;\n" + select, {{0xffffffff, 1, 0, 0}});
    expect_word("setp.lt.s32 %p1, %r1, %r2;\nnot.pred %p0, %p1;\n" + select, {{0xffffffff, 1, 0, 0}});
    const std::string floats = "mov.b32 %f1, %r1;\nmov.b32 %f2, %r2;\n";
    expect_word(floats + "setp.eq.f32 %p0, %f1, %f2;\n" + select, {{0x80000000, 0, 0, 1}}); // minus zero
    expect_word(floats + "setp.neu.f32 %p0, %f1, %f2;\n" + select, {{0x40000000, 0, 0, 1}});
}

TEST(PtxArithmetic, StatementsMayShareALineOrRunOn)
{
    expect_word("{ .reg .pred q; setp.eq.u32 q, %r1, 3; again: mov.u32 %r4, %r1; @q add.s32\n\t %r0, %r4, %r2; }",
                {{3, 4, 0, 7}, {5, 4, 0, 0}});
}

TEST(PtxArithmetic, Bits)
{
    expect_word("shl.b32 %r0, %r1, %r2;", {{1, 31, 0, 0x80000000}, {1, 32, 0, 0}, {1, 1u << 30, 0, 0}});
    expect_word("shr.s32 %r0, %r1, %r2;", {{0x80000000, 40, 0, 0xffffffff}, {0x80000000, 4, 0, 0xf8000000}});
    expect_word("shr.u32 %r0, %r1, %r2;", {{0x80000000, 40, 0, 0}});
    expect_word("bfe.s32 %r0, %r1, 4, 8;", {{0xf80, 0, 0, 0xfffffff8}, {0x7f0, 0, 0, 0x7f}});
    expect_word("bfe.u32 %r0, %r1, %r2, %r3;", {{0xdeadbeef, 28, 8, 0xd}, {0xdeadbeef, 40, 8, 0}, {1, 0, 0, 0}});
    expect_word("bfi.b32 %r0, %r1, %r2, 8, 4;", {{0xff, 0, 0, 0xf00}, {0, 0xffffffff, 0, 0xfffff0ff}});
    expect_word("prmt.b32 %r0, %r1, %r2, %r3;",
                {{0x03020100, 0x07060504, 0x7531, 0x07050301}, {0x80, 0, 0x8888, 0xffffffff}});
    expect_word("lop3.b32 %r0, %r1, %r2, %r3, 0x96;", {{0xf0f0, 0xff00, 0xaaaa, 0xf0f0 ^ 0xff00 ^ 0xaaaa}});
    expect_word("shf.l.wrap.b32 %r0, %r1, %r2, %r3;", {{0x80000000, 1, 1, 3}, {5, 7, 32, 7}});
    expect_word("shf.r.clamp.b32 %r0, %r1, %r2, %r3;", {{0x80000000, 1, 31, 3}, {5, 7, 40, 7}});
    expect_word("popc.b64 %r0, %d1;", {{~uint64_t{0}, 0, 0, 64}});
    expect_word("clz.b32 %r0, %r1;", {{0, 0, 0, 32}, {1, 0, 0, 31}});
    expect_word("bfind.s32 %r0, %r1;", {{0xfffffffe, 0, 0, 0}, {0, 0, 0, ~0u}, {16, 0, 0, 4}});
    expect_word("brev.b32 %r0, %r1;", {{1, 0, 0, 0x80000000}});
    expect("mov.b64 {%r4, %r5}, %d1;\nmov.b64 %d0, {%r5, %r4};", {{0x1122334455667788, 0, 0, 0x5566778811223344}});
}

TEST(PtxArithmetic, FloatingPointInEachRounding)
{
    const float third = 1.0f / 3, tiny = 0x1p-30f;
    const float up = std::nextafter(1.0f, 2.0f), down = std::nextafter(1.0f, 0.0f);
    expect_word("add.rn.f32 %r0, %r1, %r2;", {{bits(1.0f), bits(tiny), 0, bits(1.0f)}});
    expect_word("add.rp.f32 %r0, %r1, %r2;", {{bits(1.0f), bits(tiny), 0, bits(up)}});
    expect_word("sub.rz.f32 %r0, %r1, %r2;", {{bits(1.0f), bits(tiny), 0, bits(down)}});
    expect_word("sub.rm.f32 %r0, %r1, %r2;", {{bits(-1.0f), bits(tiny), 0, bits(-up)}});
    expect_word("fma.rn.f32 %r0, %r1, %r2, %r3;",
                {{bits(third), bits(3.0f), bits(-1.0f), bits(std::fma(third, 3.0f, -1.0f))}});
    expect_word("fma.rm.f32 %r0, %r1, %r2, %r3;", {{bits(1.0f), bits(1.0f), bits(-tiny), bits(down)}});
    expect_word("div.rz.f32 %r0, %r1, %r2;", {{bits(1.0f), bits(3.0f), 0, bits(std::nextafter(third, 0.0f))}});
    expect_word("mul.ftz.f32 %r0, %r1, %r2;", {{bits(0x1p-100f), bits(0x1p-40f), 0, 0}, {1, bits(2.0f), 0, 0}});
    expect_word("mul.rn.f32 %r0, %r1, %r2;", {{1, bits(2.0f), 0, 2}});
    expect_word("add.sat.f32 %r0, %r1, %r2;", {{bits(1.0f), bits(3.0f), 0, bits(1.0f)}, {bits(NAN), 0, 0, 0}});
    expect_word("max.f32 %r0, %r1, %r2;", {{bits(NAN), bits(3.0f), 0, bits(3.0f)}, {bits(-0.0f), bits(0.0f), 0, 0}});
    expect_word("min.NaN.f32 %r0, %r1, %r2;", {{bits(NAN), bits(3.0f), 0, 0x7fc00000}});
    expect("sqrt.rn.f64 %d0, %d1;", {{bits(2.0), 0, 0, bits(std::sqrt(2.0))}});
    expect_word("set.lt.u32.f32 %r0, %r1, %r2;", {{bits(1.0f), bits(2.0f), 0, ~0u}, {bits(NAN), 0, 0, 0}});
    expect_word("setp.ltu.f32 %p1, %r1, %r2;\nselp.u32 %r0, 7, 8, %p1;", {{bits(NAN), 0, 0, 7}, {bits(2.0f), 0, 0, 8}});
}

TEST(PtxArithmetic, Conversions)
{
    expect_word("cvt.rni.s32.f32 %r0, %r1;",
                {{bits(2.5f), 0, 0, 2}, {bits(3.5f), 0, 0, 4}, {bits(3e9f), 0, 0, 0x7fffffff}, {bits(NAN), 0, 0, 0}});
    expect_word("cvt.rzi.u32.f32 %r0, %r1;", {{bits(-2.5f), 0, 0, 0}, {bits(2.9f), 0, 0, 2}});
    expect_word("cvt.rn.f32.u32 %r0, %r1;",
                {{0xffffffff, 0, 0, bits(4294967296.0f)}, {16777217, 0, 0, bits(16777216.0f)}});
    expect_word("cvt.rp.f32.u32 %r0, %r1;", {{16777217, 0, 0, bits(16777218.0f)}});
    expect_word("cvt.rz.f32.f64 %r0, %d1;", {{bits(0.1), 0, 0, bits(std::nextafter(0.1f, 0.0f))}});
    expect_word("cvt.rna.tf32.f32 %r0, %r1;", {{0x3f801000, 0, 0, 0x3f802000}, {0x3f800fff, 0, 0, 0x3f800000}});
    expect_word("cvt.rn.f16x2.f32 %r0, %r1, %r2;", {{bits(1.0f), bits(-2.0f), 0, 0x3c00c000}});
    expect_word("cvt.rn.bf16x2.f32 %r0, %r1, %r2;", {{bits(1.0f), bits(-2.0f), 0, 0x3f80c000}});
    expect_word("cvt.sat.u8.s32 %r0, %r1;", {{300, 0, 0, 255}, {0xffffffff, 0, 0, 0}});
    expect("cvt.s64.s8 %d0, %r1;", {{0x80, 0, 0, 0xffffffffffffff80}});
    expect_word("cvt.rmi.f32.f32 %r0, %r1;", {{bits(-1.5f), 0, 0, bits(-2.0f)}});
    // Tests every half, and compares the conversion of floats with the ladder's own rounding.
    std::mt19937 random(3);
    std::vector<Case> narrow, wide;
    for (int i = 0; i < 32; ++i) {
        const auto any = static_cast<uint32_t>(random() << 31 | (90 + random() % 60) << 23 | (random() & 0x7fffff));
        const float value = std::bit_cast<float>(any);
        narrow.push_back({any, 0, 0, kernels::to_half(value).bits});
        const uint16_t half = static_cast<uint16_t>(random() & 0xfbff);
        wide.push_back({half, 0, 0, bits(kernels::to_float(Half{half}))});
    }
    expect("cvt.rn.f16.f32 %h0, %r1;\ncvt.u64.u16 %d0, %h0;", narrow);
    expect_word("cvt.f32.f16 %r0, %h1;", wide);
}

// Compares 16-bit results with exact arithmetic, rounded once.
TEST(PtxArithmetic, Halves)
{
    std::mt19937 random(5);
    std::vector<Case> cases;
    for (int i = 0; i < 32; ++i) {
        const auto half = [&] { return static_cast<uint16_t>((random() & 0x83ff) | (5 + random() % 20) << 10); };
        const uint16_t a = half(), b = half(), c = half();
        const auto value = [](uint16_t one) { return static_cast<long double>(kernels::to_float(Half{one})); };
        const long double exact = value(a) * value(b) + value(c); // 64 bits of mantissa are enough for these
        cases.push_back({a, b, c, ptx::encode(static_cast<double>(exact), ptx::half_format)});
    }
    expect("fma.rn.f16 %h0, %h1, %h2, %h3;\ncvt.u64.u16 %d0, %h0;", cases);
    expect_word("add.f16x2 %r0, %r1, %r2;", {{0x3c003c00, 0x40003c00, 0, 0x42004000}});
    expect_word("mul.bf16x2 %r0, %r1, %r2;", {{0x3f803f80, 0x40003f00, 0, 0x40003f00}});
    expect("fma.rn.relu.f16 %h0, %h1, %h2, %h3;\ncvt.u64.u16 %d0, %h0;", {{0x3c00, 0xbc00, 0, 0}});
}

// Tensor cores return one NaN, whatever NaN they receive.
TEST(PtxArithmetic, ANanOfATensorCore)
{
    const std::string zeros = "mov.b32 %f1, 0;\nmov.b32 %f2, 0;\nmov.b32 %f3, 0;\nmov.b32 %f4, 0;\n";
    for (const char* half : {"0x7e017e01", "0xfe01fe01"})
        expect_word(
            fmt::format("{}mov.b32 %r4, {};\nmma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {{%f1, %f2, %f3, "
                        "%f4}}, {{%r4, %r4, %r4, %r4}}, {{%r4, %r4}}, {{%f1, %f2, %f3, %f4}};\nmov.b32 %r0, %f1;",
                        zeros, half),
            std::vector<Case>(32, {.expected = 0x7fffffff}));
}

// Lane 4 g + t has four elements in each register. Only the second register of A is not zero: rows 8 to 15, k below 16.
TEST(PtxArithmetic, BytesOnTensorCores)
{
    // A(8 + g, 4 t + t) = g - 4, all else is 0. B(4 t + j, g) = 10 t + j - g. So the sum of row 8 + g and column c is
    // (g - 4) * ((0 - c) + (11 - c) + (22 - c) + (33 - c)), and the third sum of a lane is that of column 2 t.
    std::vector<Case> lanes(32);
    for (uint32_t lane = 0; lane < 32; ++lane) {
        const uint32_t g = lane / 4, t = lane % 4;
        lanes[lane].a = ((g - 4) & 0xff) << 8 * t;
        for (uint32_t j = 0; j < 4; ++j)
            lanes[lane].b |= ((10 * t + j - g) & 0xff) << 8 * j;
        lanes[lane].expected = (g - 4) * (66 - 8 * t);
    }
    const auto multiply = [](const std::string& first, const char* more, const char* result) {
        return fmt::format("mov.b32 %r4, 0;\nmov.b32 %r5, {};\nmma.sync.aligned.m16n8k32.row.col{}.s32.s8.s8.s32 "
                           "{{%r6, %r7, %r8, %r9}}, {{%r4, %r1, %r4, %r4}}, {{%r2, %r2}}, {{%r5, %r5, %r5, %r5}};\n"
                           "mov.b32 %r0, {};",
                           first, more, result);
    };
    expect_word(multiply("0", "", "%r8"), lanes);
    for (Case& lane : lanes)
        lane.expected = 7; // rows 0 to 7 of A are zero
    expect_word(multiply("7", "", "%r6"), lanes);
    const Case largest{0x01010101, 0x01010101, 0, 0x7fffffff}, around{0x01010101, 0x01010101, 0, 0x8000000f};
    expect_word(multiply("2147483647", ".satfinite", "%r8"), std::vector<Case>(32, largest));
    expect_word(multiply("2147483647", "", "%r8"), std::vector<Case>(32, around));
}

TEST(PtxArithmetic, LanesTogether)
{
    std::vector<Case> lanes(32);
    const auto with = [&](auto expected) {
        for (uint32_t lane = 0; lane < 32; ++lane) {
            lanes[lane].a = lane * 3;
            lanes[lane].expected = static_cast<uint32_t>(expected(lane));
        }
        return lanes;
    };
    expect_word("shfl.sync.down.b32 %r0, %r1, 4, 31, -1;",
                with([](uint32_t lane) { return (lane < 28 ? lane + 4 : lane) * 3; }));
    expect_word("shfl.sync.up.b32 %r0, %r1, 1, 0, -1;",
                with([](uint32_t lane) { return (lane > 0 ? lane - 1 : 0) * 3; }));
    expect_word("shfl.sync.bfly.b32 %r0, %r1, 5, 31, -1;", with([](uint32_t lane) { return (lane ^ 5) * 3; }));
    expect_word("shfl.sync.idx.b32 %r0, %r1, 3, 6175, -1;",
                with([](uint32_t lane) { return (lane / 8 * 8 + 3) * 3; })); // in segments of 8 lanes
    expect_word("setp.gt.u32 %p1, %r1, 60;\nvote.sync.ballot.b32 %r0, %p1, -1;",
                with([](uint32_t) { return 0xffe00000; }));
    expect_word("redux.sync.max.u32 %r0, %r1, -1;", with([](uint32_t) { return 93; }));
    expect_word("and.b32 %r4, %r1, 1;\nmatch.any.sync.b32 %r0, %r4, -1;",
                with([](uint32_t lane) { return lane % 2 == 0 ? 0x55555555u : 0xaaaaaaaau; }));
    // The lanes diverge and converge again.
    expect_word(
        "and.b32 %r4, %r1, 1;\nsetp.eq.u32 %p1, %r4, 0;\n@%p1 bra $L_even;\nmov.u32 %r0, 5;\nactivemask.b32 %r5;\n"
        "bra $L_join;\n$L_even:\nmov.u32 %r0, 7;\nactivemask.b32 %r5;\n$L_join:\nactivemask.b32 %r6;\nadd.u32 %r0, "
        "%r0, %r5;\n"
        "sub.u32 %r0, %r0, %r6;",
        with([](uint32_t lane) { return lane % 2 == 0 ? 7u + 0x55555555u + 1 : 5u + 0xaaaaaaaau + 1; }));
    // Lanes leave the loop at different iterations.
    expect_word("mov.u32 %r0, 0;\nmov.u32 %r4, %r10;\n$L_loop:\nsetp.eq.u32 %p1, %r4, 0;\n@%p1 bra $L_out;\nadd.u32 "
                "%r0, %r0, 2;\n"
                "sub.u32 %r4, %r4, 1;\nbra $L_loop;\n$L_out:\nactivemask.b32 %r5;\nadd.u32 %r0, %r0, %r5;",
                with([](uint32_t lane) { return lane * 2 - 1; }));
}

} // namespace
