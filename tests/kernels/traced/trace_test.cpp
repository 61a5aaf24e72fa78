// Tests kernels of any CUDA file: they are compiled, run without a GPU and recorded, or refused with an error.
#include "error.h"
#include "model/access_cost.h"
#include "ptx/trace.h"
#include "recording/file.h"
#include "recording/inputs.h"
#include "temporary_folder.h"
#include "tests/kernels/traced/run_kernel.h"
#include "traced/expression.h"
#include "traced/launch.h"
#include "traced/source_text.h"
#include "traced/struct_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <random>

namespace {

using traced::Request;
using test::says;
using test::why_refused;
using test::run;
using test::run_file;

// Checks the wavefronts of each column that the transpose reads.
void expect_transposed(const char* kernel, int wavefronts)
{
    const ptx::Traced traced = run_file("transpose.cu", Request{.kernel = kernel});
    int reads = 0;
    for (const recording::WarpTrace& warp : traced.recording.blocks.at(0).warps)
        for (const recording::Access& access : warp.accesses)
            if (access.op == recording::Op::shared_load) {
                model::Pattern pattern{.width = access.width, .mask = access.mask, .offset = {}};
                for (int lane = 0; lane < 32; ++lane)
                    pattern.offset[lane] = access.offset[lane];
                EXPECT_EQ(model::shared_access(access.op, pattern).wavefronts, wavefronts);
                ++reads;
            }
    EXPECT_EQ(reads, 32);
    const recording::Totals totals = traced.recording.totals();
    EXPECT_EQ(totals.shared_load.wavefronts, totals.shared_load.instructions * static_cast<uint64_t>(wavefronts));
}

TEST(CompiledKernel, RunsOnTheGpuThatItWasCompiledForAndElsewhereIfItMay)
{
    const traced::CompiledKernel by_nvrtc{.ptx = ".version 8.7\n.target sm_90a\n.address_size 64\n"};
    const traced::CompiledKernel by_nvcc{.ptx = ".version 8.7\n.target sm_90\n.address_size 64\n"};
    EXPECT_TRUE(by_nvrtc.runs_on(90));
    EXPECT_FALSE(by_nvrtc.runs_on(80));
    EXPECT_FALSE(by_nvrtc.runs_on(100));
    EXPECT_TRUE(by_nvcc.runs_on(90));
    EXPECT_FALSE(by_nvcc.runs_on(89));
    EXPECT_TRUE(by_nvcc.runs_on(100));
}

TEST(Trace, TransposeWithAndWithoutPadding)
{
    SKIP_WHERE_UNAVAILABLE(expect_transposed("transpose<32>", 32));
    expect_transposed("transpose<33>", 1);
    const recording::Recording recording = run_file("transpose.cu", Request{.kernel = "transpose<33>"}).recording;
    EXPECT_EQ(recording.stage, "transpose<33>");
    EXPECT_EQ(recording.arrays[2].name, "out");
    EXPECT_EQ(recording.arrays[4].name, "tile");
    EXPECT_EQ(recording.arrays[4].cols, 33u);
    EXPECT_EQ(recording.source().name, "transpose.cu");
    EXPECT_EQ(recording::from_file_bytes(recording::to_file_bytes(recording)).executed, recording.executed);
    ASSERT_TRUE(recording.resources);
    EXPECT_GE(recording.resources->registers_per_thread, 8u);
    EXPECT_LE(recording.resources->registers_per_thread, 64u);
    EXPECT_EQ(recording.resources->shared_bytes_per_block, 33u * 32 * 4);
    EXPECT_EQ(recording.resources->blocks_per_sm, 2u); // blocks of 1024 threads
    // The thread that has (c, r) of `in` writes element (r, c) of `out`.
    EXPECT_EQ(recording.owner[5 * 128 + 3], 5u * 32 + 3);
}

TEST(Trace, GemmIsCompared)
{
    ptx::Traced traced;
    SKIP_WHERE_UNAVAILABLE(traced = run_file("sgemm.cu"));
    ASSERT_TRUE(traced.check);
    EXPECT_TRUE(traced.check->ok) << traced.check->error;
    EXPECT_TRUE(traced.recording.executed->multiplies);
    EXPECT_EQ(traced.recording.problem.K, 128u);
    EXPECT_TRUE(run_file("sgemm_vectorized.cu").check->ok);
    std::string wrong = test::cuda_text("sgemm.cu");
    wrong.replace(wrong.find("alpha * sums[j]"), 15, "0.4f * sums[j] ");
    EXPECT_FALSE(run(wrong).check->ok);
    std::string transposed = test::cuda_text("sgemm.cu");
    transposed.replace(transposed.find("B[row * N + col]"), 16, "B[col * K + row]");
    transposed.replace(transposed.find("B += blockIdx.x * BN;"), 21, "B += blockIdx.x * BN * K;");
    transposed.replace(transposed.find("B += BK * N;"), 12, "B += BK;");
    EXPECT_FALSE(run(transposed).check->ok);
    transposed.replace(transposed.find(",B,beta"), 7, ",BT,beta");
    EXPECT_TRUE(run(transposed).check->ok);
}

// Returns an element of a buffer with one row.
double at(const std::vector<traced::Buffer>& buffers, const std::string& name, uint64_t i)
{
    for (const traced::Buffer& buffer : buffers)
        if (buffer.name == name)
            return traced::element(buffer, i / buffer.cols, i % buffer.cols);
    ADD_FAILURE() << name;
    return 0;
}

TEST(Trace, ReduceAndScan)
{
    ptx::Traced reduce;
    SKIP_WHERE_UNAVAILABLE(reduce = run_file("reduce.cu"));
    EXPECT_EQ(reduce.recording.arrays[2].name, "out");
    EXPECT_EQ(reduce.recording.totals().shared_store.instructions, 64u);
    double sum = 0;
    for (uint64_t i = 0; i < 10000; ++i)
        sum += at(reduce.before, "in", i);
    EXPECT_NEAR(at(reduce.after, "out", 0), sum, 1e-3);
    const ptx::Traced scan = run_file("scan.cu");
    for (uint64_t i = 0; i < 256; ++i)
        ASSERT_EQ(at(scan.after, "data", i), static_cast<double>(i * (i + 1) / 2));
}

TEST(Trace, StencilAndSoftmax)
{
    ptx::Traced stencil;
    SKIP_WHERE_UNAVAILABLE(stencil = run_file("stencil.cu"));
    EXPECT_EQ(stencil.recording.launch.grid.z, 2u);
    const auto in = [&](uint64_t row, uint64_t col) { return at(stencil.before, "in", 3000 + row * 60 + col); };
    EXPECT_EQ(at(stencil.after, "out", 3000 + 17 * 60 + 31),
              (in(17, 31) + in(16, 31) + in(18, 31) + in(17, 30) + in(17, 32)) / 5.0);
    const ptx::Traced softmax = run_file("softmax.cu");
    EXPECT_EQ(softmax.recording.arrays[2].rows, 9u);
    double sum = 0;
    for (uint64_t col = 0; col < 200; ++col)
        sum += std::exp(at(softmax.before, "in", 600 + col));
    for (uint64_t col = 0; col < 200; ++col)
        ASSERT_NEAR(at(softmax.after, "out", 600 + col), std::exp(at(softmax.before, "in", 600 + col)) / sum, 1e-8);
    ASSERT_FALSE(softmax.recording.executed->notes.empty());
    EXPECT_TRUE(says(softmax.recording.executed->notes.at(1), "PTX leaves the last bits of ex2.approx"));
}

TEST(Trace, ValuesOfEachBufferBeforeAndAfterAndWhatTheOrderOfBlocksChanges)
{
    using recording::Moment;
    ptx::Traced traced;
    SKIP_WHERE_UNAVAILABLE(traced =
                               run(R"(// gemmscope: grid=3 block=4 args=in,out buffer=in=2*12:iota buffer=out=4*13:-1
__global__ void k(const short* in, float* out)
{
    int i = blockIdx.x * 4 + threadIdx.x;
    out[i] = in[i] + 0.5f;
    if (threadIdx.x == 0) out[12] = blockIdx.x;
}
)"));
    const recording::Recording& r = traced.recording;
    const auto at = [&](std::size_t array, Moment moment, uint64_t byte) {
        const recording::Values* const values = recording::values_of(r, array);
        return values == nullptr ? std::nullopt : recording::value_at(r, *values, moment, byte);
    };
    ASSERT_EQ(r.arrays.at(3).name, "in");
    EXPECT_EQ(at(3, Moment::before, 22), 11);
    EXPECT_EQ(at(3, Moment::after, 22), 11);
    EXPECT_EQ(at(2, Moment::before, 0), -1);
    EXPECT_EQ(at(2, Moment::after, 4 * 11), 11.5);
    EXPECT_EQ(at(2, Moment::again, 4 * 11), 11.5);
    EXPECT_EQ(at(2, Moment::after, 4 * 12), 2);
    EXPECT_EQ(at(2, Moment::again, 4 * 12), 0) << "the first block was the last one";
    EXPECT_EQ(at(2, Moment::after, 4 * 13), std::nullopt) << "beyond its end";
    EXPECT_TRUE(std::ranges::any_of(r.executed->notes, [](const std::string& note) {
        return note.starts_with("A second run with the blocks in reverse order leaves other values in out");
    }));
}

TEST(Trace, ASquareBufferWhoseSideTheKernelIsGivenIsGuessedToBeOne)
{
    ptx::Traced traced;
    SKIP_WHERE_UNAVAILABLE(traced = run(R"(// gemmscope: grid=1 block=16 args=in,out,4 buffer=in=4*15 buffer=out=4*16
__global__ void k(const int* in, int* out, int n) { out[threadIdx.x] = in[threadIdx.x % 15] + n; }
)"));
    const recording::Recording& r = traced.recording;
    EXPECT_EQ(r.arrays[2].rows, 4u);
    EXPECT_EQ(r.arrays[3].rows, 1u);
    EXPECT_EQ(r.executed->guessed, std::vector<uint8_t>{2});
    EXPECT_TRUE(std::ranges::find(r.executed->notes,
                                  "The rows of out are guessed: 4 x 4 elements, as the kernel is given 4.") !=
                r.executed->notes.end());
}

TEST(Trace, AFileWithDynamicParallelismRunsTheKernelThatLaunchesNothing)
{
    if (!traced::can_build_host_programs())
        GTEST_SKIP() << "nvcc is not installed";
    const std::string text = "// gemmscope: grid=1 block=32 args=x buffer=x=128:iota\n"
                             "__global__ void child(float* x) { x[threadIdx.x] += 1; }\n"
                             "__global__ void parent(float* x)\n{\n"
                             "    if (threadIdx.x == 0) child<<<1, 32>>>(x);\n}\n";
    EXPECT_EQ(at(run(text, Request{.kernel = "child"}).after, "x", 5), 6);
    EXPECT_TRUE(says(why_refused(text, Request{.kernel = "parent"}), "Line 5"));
    EXPECT_TRUE(says(why_refused(text, Request{.kernel = "parent"}), "dynamic parallelism"));
}

// nvcc must find the toolkit's headers before any replacements of host headers.
TEST(Trace, HeadersOfThrustAreCompiledByNvcc)
{
    const std::string text = "// gemmscope: grid=1 block=32 args=x buffer=x=128:iota\n"
                             "#include <iosfwd>\n#include <thrust/pair.h>\n"
                             "__global__ void k(float* x)\n{\n"
                             "    thrust::pair<float, int> p(x[threadIdx.x], 2);\n"
                             "    x[threadIdx.x] = p.first * p.second;\n}\n";
    if (!traced::can_build_host_programs()) {
        EXPECT_TRUE(says(why_refused(text), "includes thrust/pair.h, which only nvcc compiles. Install nvcc"));
        return;
    }
    const kernels::TemporaryFolder folder; // nvcc reads the file on disk
    std::ofstream(folder / "kernel.cu") << text;
    const ptx::Traced traced = run(text, Request{.file = folder / "kernel.cu"});
    EXPECT_TRUE(traced.recording.device.toolkit.starts_with("nvcc"));
    EXPECT_EQ(at(traced.after, "x", 5), 10);
}

TEST(Trace, AnOverloadedKernelIsChosenByItsTypes)
{
    const std::string text = "// gemmscope: grid=1 block=4 args=x,2 buffer=x=16:iota\n"
                             "__global__ void scale(float* x, int by);\n"
                             "__global__ void scale(float* x, int by) { x[threadIdx.x] *= by; }\n"
                             "__global__ void scale(int* x, int by) { x[threadIdx.x] += by; }\n";
    ptx::Traced traced;
    SKIP_WHERE_UNAVAILABLE(traced = run(text, Request{.kernel = "scale(int*, int)"}));
    EXPECT_EQ(traced.recording.stage, "scale(int*, int)");
    EXPECT_EQ(at(traced.after, "x", 3), 5);
    EXPECT_EQ(traced::kernels_in(text).size(), 2u) << "a declaration is not a second kernel";
    EXPECT_TRUE(says(why_refused(text, Request{.kernel = "scale(double*, int)"}),
                     "no kernel scale(double*, int); it has scale(float*, int), scale(int*, int)"));
}

TEST(Trace, HistogramByAtomics)
{
    ptx::Traced histogram;
    SKIP_WHERE_UNAVAILABLE(histogram = run_file("histogram.cu"));
    EXPECT_EQ(histogram.recording.arrays[2].name, "bins");
    std::vector<double> bins(256);
    for (uint64_t i = 0; i < 5000; ++i)
        bins[static_cast<std::size_t>(at(histogram.before, "text", i))] += 1;
    for (uint64_t bin = 0; bin < 256; ++bin)
        ASSERT_EQ(at(histogram.after, "bins", bin), bins[bin]) << bin;
    uint64_t atomics = 0;
    for (const recording::Access& access : histogram.recording.blocks[0].warps[0].accesses)
        atomics += access.op == recording::Op::shared_atomic;
    EXPECT_EQ(atomics, 1u);
}

constexpr const char* one_kernel =
    "// gemmscope: grid=1 block=64 args=out,N buffer=out=4*N size=64\n"
    "__global__ void k(float* out, int n)\n{\n    __shared__ float s[64];\n    BODY\n}\n";

std::string with_body(const std::string& body)
{
    std::string text = one_kernel;
    return text.replace(text.find("BODY"), 4, body);
}

TEST(Trace, WhatAKernelMayNotDo)
{
    SKIP_WHERE_UNAVAILABLE(run(with_body("out[threadIdx.x] = 1;")));
    EXPECT_TRUE(says(why_refused(with_body("out[threadIdx.x + 1] = 1;")),
                     "thread (63,0,0) of block (0,0,0) writes 4 bytes at byte 256 of out, which has 256"));
    EXPECT_TRUE(says(why_refused(with_body("out[threadIdx.x + 1] = 1;")), "Line 5 ("));
    EXPECT_TRUE(says(why_refused(with_body("out[int(threadIdx.x) - 1] = 1;")), "at byte -4 of out"));
    EXPECT_TRUE(says(why_refused(with_body("*(float*)(threadIdx.x * 4ull) = 1;")), "a null pointer"));
    EXPECT_TRUE(says(why_refused(with_body("*(float4*)(out + 1) = float4();")), "which is no multiple of 16"));
    EXPECT_TRUE(says(
        why_refused(with_body("s[n * 5 + threadIdx.x] = 1; __syncthreads(); out[threadIdx.x] = s[63 - threadIdx.x];")),
        "of shared memory, of which the block has 256"));
    EXPECT_TRUE(says(why_refused(with_body("if (threadIdx.x < 9) { __syncthreads(); } out[threadIdx.x] = 1;")),
                     "only 9 of the 32 threads of warp 0"));
    EXPECT_TRUE(says(why_refused(with_body("for (volatile int i = 0; i < 1; i *= 1) {} out[threadIdx.x] = 1;")),
                     "The kernel does not end"));
    EXPECT_TRUE(says(
        why_refused(
            with_body("if (threadIdx.x >= 32) __syncthreads(); else { volatile float* v = s; while (v[0] != 3) {} }")),
        "The kernel does not end"));
    EXPECT_TRUE(says(why_refused(with_body("__trap();")), "ends the kernel with a trap"));
    const std::vector<std::string> race =
        run(with_body("s[threadIdx.x] = n; out[threadIdx.x] = s[63 - threadIdx.x];")).warnings;
    ASSERT_EQ(race.size(), 1u);
    EXPECT_TRUE(says(race[0], "A race on shared memory: at line 5 thread"));
    EXPECT_TRUE(run(with_body("s[threadIdx.x] = n; __syncthreads(); out[threadIdx.x] = s[63 - threadIdx.x];"))
                    .warnings.empty());
}

TEST(Trace, WhatIsWrongWithARequest)
{
    const std::string text = with_body("out[threadIdx.x] = n;");
    SKIP_WHERE_UNAVAILABLE(run(text));
    const std::string bare = text.substr(text.find('\n') + 1);
    EXPECT_TRUE(
        says(why_refused(bare + bare + "__global__ void other() {}"), "The file has 2 kernels: k, other. Say which"));
    EXPECT_TRUE(says(why_refused("int x;"), "no function in it is marked __global__"));
    EXPECT_TRUE(says(why_refused(text, {.kernel = "j"}), "has no kernel j; it has k"));
    EXPECT_TRUE(says(why_refused(bare, {.block = "64"}), "How large is the grid?"));
    EXPECT_TRUE(says(why_refused(text, {.grid = "N/48"}), "64/48 leaves a rest of 16"));
    EXPECT_EQ(why_refused(text, {.grid = "ceil(N/48)-1"}), "");
    EXPECT_TRUE(says(why_refused(text, {.block = "2048"}), "larger than the 1024"));
    EXPECT_TRUE(says(why_refused(text, {.arguments = {"out"}}),
                     "k has 2 parameters (float* out, int n), and --args has 1: Parameter 2, "
                     "'int n', has no argument. For example: --args out,N"));
    EXPECT_TRUE(says(why_refused(text, {.arguments = {"out", "N", "M"}}), "'M' is one too many"));
    EXPECT_TRUE(says(why_refused(text, {.arguments = {"N", "out"}}),
                     "Parameter 1, 'float* out', is a pointer, and N is no buffer"));
    EXPECT_TRUE(says(why_refused(text, {.arguments = {"N", "N"}}), "such as --buffer N=4*N:random"));
    EXPECT_TRUE(says(why_refused(text, {.arguments = {"out", "out"}}),
                     "Parameter 2, 'int n', is no pointer, and out is a buffer"));
    EXPECT_TRUE(says(why_refused(text, {.arguments = {"out", "alpha"}}), "is a whole number, and alpha is none"));
    EXPECT_TRUE(says(why_refused(text, {.arguments = {"out", "P"}}), "nothing is called P"));
    EXPECT_TRUE(says(why_refused(text, {.arguments = {"A", "N"}}), "The buffer out is among no arguments"));
    EXPECT_TRUE(says(why_refused(text, {.buffers = {"out"}}), "--buffer out has no size"));
    EXPECT_TRUE(says(why_refused(text, {.buffers = {"out=256:/no/such/file"}}), "/no/such/file"));
    EXPECT_TRUE(says(why_refused(text, {.shared = "300000"}), "--shared 300000 is not between"));
    EXPECT_TRUE(says(why_refused(text, {.check = "gemm"}), "--check gemm needs A, B and C"));
    EXPECT_TRUE(says(why_refused(with_body("out[threadIdx.x] = missing;")),
                     "kernel.cu(5): error: identifier \"missing\" is undefined"));
    EXPECT_TRUE(says(why_refused("// gemmscope: gird=1\n" + bare), "has gird=, which it does not take"));
    EXPECT_TRUE(
        says(why_refused("template <int T> __global__ void k(float* out) {}\n"), "The kernel k<T> is a template"));
}

TEST(Trace, StructsByValue)
{
    const std::string text = R"(// gemmscope: grid=M/16,N/16 block=16,16 check=gemm
// gemmscope: args={M,{K,1},A},{K,{N,2},B},{M,N,3,C}
struct Extent { short stride; char kind; };
struct Matrix { int rows; Extent extent; float* elements;
    __device__ float& at(int row, int col) const { return elements[row * extent.stride + col]; } };
__global__ void product(Matrix A, Matrix B, const Matrix C)
{
    const int row = blockIdx.x * 16 + threadIdx.y, col = blockIdx.y * 16 + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < B.rows; ++k)
        sum += A.at(row, k) * B.at(k, col);
    if (A.extent.kind == 1 && B.extent.kind == 2 && C.extent.kind == 3)
        C.at(row, col) = sum;
}
)";
    ptx::Traced traced;
    SKIP_WHERE_UNAVAILABLE(traced = run(text, {.size = "48x64x80"}));
    ASSERT_TRUE(traced.check);
    EXPECT_TRUE(traced.check->ok) << traced.check->error;
    EXPECT_TRUE(
        says(why_refused(text, {.arguments = {"A", "B", "C"}}),
             "Parameter 1, 'Matrix A', is a struct. Give its 4 members between braces: {int rows, short extent.stride, "
             "char extent.kind, float* elements}."));
    EXPECT_TRUE(says(why_refused(text, {.arguments = {"{M,K,A}", "B", "C"}}), "and {M,K,A} has 3"));
    EXPECT_TRUE(says(why_refused(text, {.arguments = {"{M,K,1,K}", "B", "C"}}),
                     "Member elements of Parameter 1, 'Matrix A', is a pointer, and K is no buffer"));
    EXPECT_TRUE(says(why_refused(with_body("out[threadIdx.x] = n;"), {.arguments = {"out", "{1}"}}),
                     "the file declares no such struct"));
}

TEST(SourceText, LaysStructsOutAsCxxDoes)
{
    const auto layout = traced::struct_in(R"(constexpr int PARTS = 3;
struct __align__(4) Inner { char c; short s[2]; };
typedef struct { Inner inner[PARTS]; double d = 0; float4 v; dim3 size; static int none; int f() const { return 1; } } Outer;
)",
                                          "Outer");
    ASSERT_TRUE(layout);
    EXPECT_EQ(layout->bytes, 64u); // 3 x 6, a gap of 6, 8, 16, 12, and 4 for the alignment of 16
    EXPECT_EQ(layout->alignment, 16u);
    ASSERT_EQ(layout->members.size(), 9u + 1 + 4 + 3);
    EXPECT_EQ(layout->members[4].name, "inner[1].s[0]");
    EXPECT_EQ(layout->members[4].first, 8u);
    EXPECT_EQ(layout->members[9].first, 24u);
    EXPECT_EQ(layout->members[16].name, "size.z");
    EXPECT_EQ(layout->members[16].first, 56u);
    EXPECT_FALSE(traced::struct_in("struct Other { Unknown x; };", "Other"));
    EXPECT_FALSE(traced::struct_in("struct Other;", "Other"));
    EXPECT_EQ(traced::constants_in("const int A = 32, B = A / 4;\n").at("B"), 8);
}

TEST(Trace, HostHeadersResolveToNothing)
{
    const std::string text = "#include <cuda_runtime.h>\n#include <iostream>\n#include <vector>\n#include <cstdint>\n" +
                             with_body("out[threadIdx.x] = uint32_t(n);");
    SKIP_WHERE_UNAVAILABLE(run(text));
}

TEST(SourceText, FindsKernelsAndTheirParameters)
{
    const auto kernels = traced::kernels_in(
        "// __global__ void no()\n#include <x>\ntemplate <typename T, const int BM = 3>\n"
        "__global__ __launch_bounds__(256, 2) void k(const T* __restrict__ a, int n = f(1, 2),\n"
        "                 float (&x)[2], unsigned long long) {}\nextern \"C\" __global__ void\nl(void) {}");
    ASSERT_EQ(kernels.size(), 2u);
    EXPECT_EQ(kernels[0].name, "k");
    EXPECT_EQ(kernels[0].template_parameters, (std::vector<std::string>{"T", "BM"}));
    ASSERT_EQ(kernels[0].parameters.size(), 4u);
    EXPECT_EQ(kernels[0].parameters[0].name, "a");
    EXPECT_EQ(kernels[0].parameters[1].name, "n");
    EXPECT_EQ(kernels[1].name, "l");
    EXPECT_TRUE(kernels[1].parameters.empty());
    const auto shared =
        traced::shared_arrays_in("__shared__ float As[BM][BK + 1], Bs[8];\nextern __shared__ char d[];");
    EXPECT_EQ(shared.at("As").extents, (std::vector<std::string>{"BM", "BK + 1"}));
    EXPECT_EQ(shared.at("Bs").type, "float");
    EXPECT_EQ(shared.at("d").extents, std::vector<std::string>{""});
    const char* const two = "__shared__ int t[1];\n__shared__ int t[2];\n__shared__ int t[3], u[4];\n";
    EXPECT_EQ(traced::shared_arrays_in(two).at("t").extents.front(), "1");
    EXPECT_EQ(traced::shared_arrays_in(two, 2).at("t").extents.front(), "2")
        << "the array of the kernel that begins there";
    EXPECT_EQ(traced::shared_arrays_in(two, 4).at("u").extents.front(), "4")
        << "the array of a function before the kernel";
    EXPECT_EQ(traced::constants_in("#define A 4\nconstexpr int B = A * 2;\n").at("B"), 8);
}

// Damaged texts are searched as well; the result does not matter.
TEST(SourceText, TakesAnyText)
{
    std::mt19937 random(11);
    const std::string marks = "{}[]();<>,\"'/*#=_ \n\\";
    for (const char* file : {"sgemm.cu", "transpose.cu", "softmax.cu"})
        for (int i = 0; i < 700; ++i) {
            std::string text = test::cuda_text(file);
            for (std::size_t changes = 1 + random() % 6; changes > 0; --changes) {
                const std::size_t place = random() % text.size();
                if (random() % 2 == 0)
                    text[place] = marks[random() % marks.size()];
                else
                    text.erase(place, random() % 40);
            }
            if (random() % 3 == 0)
                text.resize(random() % text.size());
            traced::kernels_in(text);
            traced::shared_arrays_in(text);
            traced::constants_in(text);
            traced::has_host_code(text);
            traced::shown_text(text);
            try {
                traced::facts_in(text);
            } catch (const kernels::Error&) {
            }
        }
}

TEST(Expression, WholeNumbers)
{
    const traced::Names names = {{"M", 100}, {"N", 64}};
    EXPECT_EQ(traced::evaluate("4*(M+N) - N/32 % 3", names, "x"), 654);
    EXPECT_EQ(traced::evaluate("ceil(M/32)", names, "x"), 4);
    EXPECT_EQ(traced::evaluate("(1000+255)/256", names, "x"), 4) << "division as in C";
    EXPECT_EQ(traced::evaluate("0x400 + 2*0X1f + 256u + 1UL", names, "x"), 1024 + 62 + 257);
    EXPECT_EQ(traced::evaluate("true + false + true", names, "x"), 2);
    EXPECT_THROW(traced::evaluate("1000/256", names, "x"), kernels::Error) << "the last blocks would be missing";
    EXPECT_THROW(traced::evaluate("0x", names, "x"), kernels::Error);
    for (const char* wrong :
         {"M/32", "", "M+", "(M", "2**3", "M/0", "Q", "99999999999999999999", "M M", "ceil(", "1 << 2"})
        EXPECT_THROW(traced::evaluate(wrong, names, "x"), kernels::Error) << wrong;
}

} // namespace
