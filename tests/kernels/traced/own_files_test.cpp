// Tests files as users write them: with headers of samples, with their own headers, and with kernels in included files.
#include "run_kernel.h"
#include "tests/says.h"

#include "temporary_folder.h"
#include "traced/own_files.h"

#include <algorithm>
#include <filesystem>

namespace {

using test::says;

class OwnFiles : public testing::Test {
protected:
    void write(const std::string& name, const std::string& text) const
    {
        const std::filesystem::path path = folder_.path() / name;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path) << text;
    }
    ptx::Traced run(const std::string& text, traced::Request request = {}) const
    {
        request.file = folder_.path() / "main.cu";
        write("main.cu", text);
        return test::run(text, request);
    }
    std::string why_refused(const std::string& text, traced::Request request = {}) const
    {
        request.file = folder_.path() / "main.cu";
        return test::why_refused(text, request);
    }

    const kernels::TemporaryFolder folder_;
};

#define RUN_HERE(traced, ...) \
    ptx::Traced traced;       \
    SKIP_WHERE_UNAVAILABLE(traced = run(__VA_ARGS__))

const std::string scale = R"(__global__ void scale(float* x, float a)
{
    x[threadIdx.x] *= a;
}
)";
const std::string launched = "// gemmscope: grid=1 block=64 args=x,2 buffer=x=256:iota\n";

TEST_F(OwnFiles, AreFoundOnceEach)
{
    write("a/one.h", "#pragma once\n  #  include \"two.h\" // beside it\n#include <vector>\n");
    write("a/two.h", "#include \"one.h\"\n");
    write("else/three.h", "// #include \"a/two.h\"\n");
    const std::string text = "#include \"a/one.h\"\n#include <three.h>\n#include \"a/two.h\"\n#include <cstdio>\n";
    const std::vector<traced::OwnFile> files =
        traced::own_files(folder_.path() / "main.cu", text, {(folder_.path() / "else").string()});
    std::vector<std::string> names;
    for (const traced::OwnFile& one : files)
        names.push_back(one.name);
    EXPECT_EQ(names, (std::vector<std::string>{"main.cu", "a/one.h", "three.h", "a/two.h", "two.h", "one.h"}));
    EXPECT_EQ(files[4].text, "#include \"a/two.h\"\n") << "one text under two names";
    EXPECT_EQ(traced::includes_in("/*\n#include <a>\n*/\n#include MACRO\n#include <b>\n"),
              std::vector<std::string>{"b"});
}

TEST_F(OwnFiles, HeadersOfSamplesResolveToNothing)
{
    RUN_HERE(traced, launched + R"(#include <stdio.h>
#include <sys/types.h>
#include <helper_string.h>
#include <helper_image.h>
#include <helper_cuda.h>
#include <helper_functions.h>
#include <helper_timer.h>
#include "exception.h"
#include "reduction.h"
StopWatchInterface *timer;
const char *sSDKsample = "scale";
std::vector<float> values;
)" + scale + R"(
int main(int argc, char** argv)
{
    sdkCreateTimer(&timer);
    checkCudaErrors(cudaGetLastError());
    scale<<<1, 64>>>(nullptr, 2);
    printf("%s\n", sSDKsample);
}
)");
    EXPECT_TRUE(traced.recording.resources) << "NVRTC compiled it";
    EXPECT_EQ(test::values<float>(traced.after, "x")[5], 10);
}

TEST_F(OwnFiles, OfAHeaderOfOnesOwnTheHostCodeIsLeftOut)
{
    write("common/check.h", R"(#pragma once
#include <iostream>
#include <stdlib.h>
#define CHECK(call) check((call), __FILE__, __LINE__)
inline void check(cudaError_t code, const char* file, int line)
{
    if (code != cudaSuccess) { std::cerr << file << line; exit(1); }
}
static FILE* log_file = fopen("log", "w");
struct Timer { struct timeval begin; void start() { gettimeofday(&begin, nullptr); } };
float* make_random(int n) { float* p = (float*)malloc(n); for (int i = 0; i < n; ++i) p[i] = rand(); return p; }
__device__ float twice(float x) { return 2 * x; }
)");
    RUN_HERE(traced, launched + R"(#include "common/check.h"
Timer timer;
__global__ void scale(float* x, float a)
{
    x[threadIdx.x] = twice(x[threadIdx.x]) * a;
}
int main() { float* p = make_random(64); CHECK(cudaMalloc(&p, 64)); scale<<<1, 64>>>(p, 1); std::cout << p[0]; }
)");
    EXPECT_TRUE(traced.recording.resources) << "NVRTC compiled it";
    EXPECT_EQ(test::values<float>(traced.after, "x")[5], 20);
}

TEST_F(OwnFiles, WhatElseACompilerDoesNotKnowGoesWithItsLine)
{
    RUN_HERE(traced, launched + R"(#include <windowing/window.h>
struct Window { WindowHandle handle; int width; };
typedef SomeTable<int> Table;
)" + scale);
    EXPECT_TRUE(traced.recording.resources) << "NVRTC compiled it";
    EXPECT_EQ(test::values<float>(traced.after, "x")[5], 10);
}

TEST_F(OwnFiles, AKernelMayBeInAFileThatIsIncluded)
{
    write("kernels/all.cuh", "#pragma once\n#include \"1_scale.cuh\"\n#include \"2_other.cuh\"\n");
    write("kernels/1_scale.cuh", "#pragma once\n#define WIDTH 64\n" + scale);
    write("kernels/2_other.cuh", "#pragma once\ntemplate <int N> __global__ void other(int* y) { y[0] = N; }\n");
    const std::string text = "#include \"kernels/all.cuh\"\n#include <iostream>\n"
                             "int main() { scale<<<1, WIDTH>>>(nullptr, 2); std::cout << 1; }\n";
    RUN_HERE(traced, text,
             {.kernel = "scale", .grid = "1", .block = "WIDTH", .arguments = {"x", "2"}, .buffers = {"x=256:iota"}});
    EXPECT_EQ(test::values<float>(traced.after, "x")[5], 10);
    EXPECT_EQ(traced.recording.source().name, "1_scale.cuh");
    ASSERT_FALSE(traced.recording.lines.empty());
    EXPECT_EQ(traced.recording.lines[0].line, 5u) << "a line of the kernel's file";
    EXPECT_TRUE(says(why_refused(text), "The file has 2 kernels: scale, other<N>. Say which with --kernel."));
    EXPECT_TRUE(says(why_refused(text, {.kernel = "third"}), "The file has no kernel third; it has scale, other<N>."));
    EXPECT_TRUE(says(why_refused("#include <iostream>\nint main() {}\n"), "The file has no kernel"));
}

TEST_F(OwnFiles, AMacroMayStandForGlobal)
{
    RUN_HERE(traced, launched + R"(#define KERNEL __global__ void
#define DEVICE __device__ __forceinline__
#include <optional>
std::optional<int> chosen;
DEVICE float twice(float x) { return x + x; }
KERNEL scale(float* x, float a) { x[threadIdx.x] = twice(x[threadIdx.x]) * a / 2; }
)");
    EXPECT_EQ(test::values<float>(traced.after, "x")[5], 10);
}

TEST_F(OwnFiles, NamesOfTheSystemsTypesAreKnownWithoutAHeader)
{
    RUN_HERE(traced, R"(// gemmscope: grid=1 block=32 args=x buffer=x=128
__global__ void k(u_int* x)
{
    const u_char a = 250; const u_short b = 2; const u_long c = 3; const uint d = 4; const ushort e = 5; const ulong f = 6;
    x[threadIdx.x] = a + b + c + d + e + f;
}
)");
    EXPECT_EQ(test::values<uint32_t>(traced.after, "x")[5], 270u);
}

TEST_F(OwnFiles, WhatKernelsUseOfTheStandardLibraryIsThere)
{
    write("again.h", "#include <algorithm>\n#include <cmath>\n#include <cstdint>\n");
    RUN_HERE(traced, R"(// gemmscope: kernel=k<float> grid=1 block=1 args=x,y buffer=x=32:iota buffer=y=20
#include <algorithm>
#include <cfloat>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>
#include "again.h"
template <typename T> __global__ void k(const T* x, T* y)
{
    T most = std::is_same<T, float>::value ? -std::numeric_limits<T>::infinity() : T(-FLT_MAX);
    for (int i = 0; i < 8; ++i) most = std::max(most, x[i]);
    y[0] = most;
    y[1] = std::sqrt(x[4]) + std::abs(x[1] - x[3]) + std::exp(x[0]) + std::fabs(-x[5]);
    T a = x[1], b = x[2];
    std::swap(a, b);
    y[2] = a;
}
int main() { k<float><<<1, 1>>>(nullptr, (float*)nullptr); return std::isfinite(1.0); }
)");
    const auto y = test::values<float>(traced.after, "y");
    EXPECT_TRUE(traced.recording.resources) << "NVRTC compiled it";
    EXPECT_EQ(y[0], 7);
    EXPECT_EQ(y[1], 2 + 2 + 1 + 5);
    EXPECT_EQ(y[2], 2);
}

TEST_F(OwnFiles, AHeaderThatIsMissingIsSaid)
{
    const std::string text =
        launched + "#include <helper_math.h>\n__global__ void k(float3* x, float a)\n{\n    x[0] = x[0] * a;\n}\n";
    std::string said;
    SKIP_WHERE_UNAVAILABLE(said = why_refused(text));
    EXPECT_TRUE(says(said, "main.cu(5): error: no operator \"*\""));
    EXPECT_TRUE(
        says(said, "Not found, and taken to be empty: helper_math.h. Where the kernel needs what is in there, name the "
                   "folder that has it by -I."));
    write("inc/helper_math.h",
          "inline __host__ __device__ float3 operator*(float3 v, float s) { return {v.x * s, v.y, v.z}; }\n");
    EXPECT_EQ(why_refused(text, {.include_folders = {(folder_.path() / "inc").string()}}), "");
}

TEST_F(OwnFiles, TilesOfWmmaInGlobalMemoryAreSaidToBeUncounted)
{
    RUN_HERE(traced, R"(// gemmscope: grid=1 block=32 args=A,B,C size=16 check=gemm
#include <mma.h>
using namespace nvcuda::wmma;
__global__ void k(const half* a, const half* b, float* c)
{
    __shared__ half tile[256];
    fragment<matrix_a, 16, 16, 16, half, row_major> x;
    fragment<matrix_b, 16, 16, 16, half, row_major> y;
    fragment<accumulator, 16, 16, 16, float> z;
    fill_fragment(z, 0.0f);
    load_matrix_sync(x, a, 16);
    for (int i = threadIdx.x; i < 256; i += 32) tile[i] = b[i];
    __syncwarp();
    load_matrix_sync(y, tile, 16);
    mma_sync(z, x, y, z);
    store_matrix_sync(c, z, 16, mem_row_major);
}
)");
    EXPECT_TRUE(traced.check->ok);
    const std::vector<std::string>& notes = traced.recording.executed->notes;
    const auto has = [&](const char* sentence) {
        return std::ranges::any_of(notes,
                                   [&](const std::string& note) { return note.find(sentence) != std::string::npos; });
    };
    // 16 rows of 32 bytes are read, and 16 rows of 64 bytes are written.
    EXPECT_TRUE(has("WMMA moves tiles of global memory by 1 loads and 1 stores of warps."));
    EXPECT_TRUE(has("the rows of the tiles lie in 48 sectors."));
    EXPECT_TRUE(has("WMMA moves tiles of shared memory by 1 loads and 0 stores of warps."));
}

} // namespace
