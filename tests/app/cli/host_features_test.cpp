// Programs with their own host code that use rarer parts of CUDA, run without a GPU: blocks that wait for the whole grid,
// textures and surfaces, code of the GPU that is linked, properties as CUDA 12 has them.
#include "tests/app/cli/host_program_run.h"
#include "tests/says.h"

#include "error.h"
#include "recording/recording.h"

#include <gtest/gtest.h>

#include <fstream>

namespace {

using test::Ran;
using test::says;

class HostFeature : public test::HostProgramRun {
protected:
    // Returns what was said first, whether something was recorded or not.
    std::string refusal_of(const std::string& text, const app::HostProgramTask& task) const
    {
        try {
            const Ran ran = run(text, task);
            return ran.said.empty() ? "" : ran.said.front();
        } catch (const kernels::Error& error) {
            return error.what();
        }
    }
};

constexpr const char* sum_of_grid =
    "#include <cooperative_groups.h>\n"
    "__global__ void sum(int* parts, int* out) {\n"
    "    auto grid = cooperative_groups::this_grid();\n"
    "    if (threadIdx.x == 0) parts[blockIdx.x] = blockIdx.x + 1;\n"
    "    if (LEAVES && blockIdx.x == 2) return;\n"
    "    grid.sync();\n"
    "    if (grid.thread_rank() < gridDim.x) atomicAdd(&out[0], parts[gridDim.x - 1 - grid.thread_rank()]);\n"
    "    grid.sync();\n"
    "    if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 0) out[1] = 10 * out[0];\n"
    "}\n"
    "int main() {\n"
    "    int *parts, *out, host[2] = {}, blocks = BLOCKS; cudaMalloc(&parts, 65536); cudaMalloc(&out, 8);\n"
    "    cudaMemset(out, 0, 8); void* arguments[] = {&parts, &out};\n"
    "    int error = COOPERATIVE ? cudaLaunchCooperativeKernel((void*)sum, blocks, 64, arguments, 0, 0)\n"
    "                            : cudaLaunchKernel((void*)sum, blocks, 64, arguments, 0, 0);\n"
    "    int copied = cudaMemcpy(host, out, 8, cudaMemcpyDeviceToHost);\n"
    "    printf(\"%d %d %d %d\\n\", error, copied, host[0], host[1]);\n"
    "}\n";

TEST_F(HostFeature, BlocksOfACooperativeLaunchWaitForTheGrid)
{
    app::HostProgramTask task;
    task.request.defines = {"BLOCKS=5", "LEAVES=0", "COOPERATIVE=1"};
    const Ran ran = run(sum_of_grid, task);
    EXPECT_EQ(ran.printed, "0 0 15 150\n");
    EXPECT_EQ(ran.recording().totals().global_atomic.instructions, 1u) << "those of the barrier are not among them";
    EXPECT_TRUE(std::ranges::any_of(ran.recording().executed->notes, [](const std::string& note) {
        return says(note, "All blocks of the grid run together");
    }));
}

TEST_F(HostFeature, AGridThatWaitsForEverIsToldSo)
{
    app::HostProgramTask task;
    task.request.defines = {"BLOCKS=5", "LEAVES=1", "COOPERATIVE=1"};
    EXPECT_TRUE(says(refusal_of(sum_of_grid, task), "1 of 5 have ended"));
    task.request.defines = {"BLOCKS=5000", "LEAVES=0", "COOPERATIVE=1"};
    EXPECT_TRUE(says(refusal_of(sum_of_grid, task), "A cooperative launch of 5000 blocks is refused"));
}

TEST_F(HostFeature, AGridsBarrierNeedsACooperativeLaunch)
{
    app::HostProgramTask task;
    task.request.defines = {"BLOCKS=5", "LEAVES=0", "COOPERATIVE=0"};
    EXPECT_TRUE(says(refusal_of(sum_of_grid, task), "trap"));
}

// The values follow from CUDA's programming guide. The row is 0, 10, 20, 30.
TEST_F(HostFeature, TexturesReadAsTheGuideSays)
{
    const Ran ran = run(
        "__global__ void read(cudaTextureObject_t t, float* out) { out[threadIdx.x] = tex2D<float>(t, AT(threadIdx.x), "
        "0.5f); }\n"
        "__global__ void units(cudaTextureObject_t t, float* out) { out[threadIdx.x] = tex2D<float>(t, "
        "(AT(threadIdx.x)) / 4, 0.5f); }\n"
        "int main() {\n"
        "    float row[4] = {0, 10, 20, 30}, host[6], *out; cudaMalloc(&out, sizeof host);\n"
        "    cudaArray_t array; auto desc = cudaCreateChannelDesc<float>(); cudaMallocArray(&array, &desc, 4, 1);\n"
        "    cudaMemcpy2DToArray(array, 0, 0, row, 16, 16, 1, cudaMemcpyHostToDevice);\n"
        "    cudaResourceDesc from = {}; from.resType = cudaResourceTypeArray; from.res.array.array = array;\n"
        "    for (int filter : {0, 1}) for (int beyond : {0, 1, 2, 3}) {\n"
        "        cudaTextureDesc how = {}; how.filterMode = (cudaTextureFilterMode)filter;\n"
        "        how.addressMode[0] = (cudaTextureAddressMode)beyond; how.addressMode[1] = cudaAddressModeClamp;\n"
        "        how.borderColor[0] = 7; how.normalizedCoords = beyond == 0 || beyond == 2; cudaTextureObject_t t;\n"
        "        int error = cudaCreateTextureObject(&t, &from, &how, nullptr);\n"
        "        if (how.normalizedCoords) units<<<1, 6>>>(t, out); else read<<<1, 6>>>(t, out);\n"
        "        cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost); cudaDestroyTextureObject(t);\n"
        "        printf(\"%d:\", error); for (float v : host) printf(\" %g\", v); printf(\"\\n\");\n"
        "    }\n"
        "}\n",
        [] {
            app::HostProgramTask task;
            task.request.defines = {"AT(i)=i-0.75f"}; // -0.75, 0.25, 1.25, 2.25, 3.25, 4.25
            return task;
        }());
    EXPECT_EQ(ran.printed, "0: 30 0 10 20 30 0\n"            // wrapped
                           "0: 0 0 10 20 30 30\n"            // clamped
                           "0: 0 0 10 20 30 30\n"            // mirrored
                           "0: 7 0 10 20 30 7\n"             // border
                           "0: 27.5 7.5 7.5 17.5 27.5 7.5\n" // a quarter of the left neighbour
                           "0: 0 0 7.5 17.5 27.5 30\n"
                           "0: 2.5 0 7.5 17.5 27.5 30\n"
                           "0: 7 1.75 7.5 17.5 27.5 12.75\n");
}

TEST_F(HostFeature, IntegersLinearMemoryAndSurfaces)
{
    const Ran ran =
        run("__global__ void fetch(cudaTextureObject_t t, int4* out) { out[threadIdx.x] = tex1Dfetch<int4>(t, "
            "(int)threadIdx.x - 1); }\n"
            "__global__ void unit(cudaTextureObject_t t, float* out) { out[threadIdx.x] = tex2D<float>(t, threadIdx.x "
            "+ 0.5f, 1.5f); }\n"
            "__global__ void turn(cudaSurfaceObject_t s) {\n"
            "    short2 v; surf2Dread(&v, s, threadIdx.x * sizeof v, 0);\n"
            "    surf2Dwrite(make_short2(v.y, v.x), s, (3 - threadIdx.x) * sizeof v, 1);\n"
            "}\n"
            "int main() {\n"
            "    int4 words[2] = {{1, 2, 3, 4}, {-5, 6, 7, 8}}, got[4]; void *d, *out; cudaMalloc(&d, 512); "
            "cudaMalloc(&out, 64);\n"
            "    cudaMemcpy(d, words, 32, cudaMemcpyHostToDevice); cudaTextureObject_t t; cudaTextureDesc how = {};\n"
            "    cudaResourceDesc from = {}; from.resType = cudaResourceTypeLinear; from.res.linear.devPtr = d;\n"
            "    from.res.linear.desc = cudaCreateChannelDesc<int4>(); from.res.linear.sizeInBytes = 32;\n"
            "    cudaCreateTextureObject(&t, &from, &how, nullptr); fetch<<<1, 4>>>(t, (int4*)out);\n"
            "    cudaMemcpy(got, out, 64, cudaMemcpyDeviceToHost);\n"
            "    printf(\"%d %d %d %d\\n\", got[0].x, got[1].w, got[2].x, got[3].y);\n"
            "    unsigned char pixels[2][2] = {{1, 2}, {51, 255}}; float unit_of[2]; size_t pitch = 256;\n"
            "    cudaMemcpy2D(d, pitch, pixels, 2, 2, 2, cudaMemcpyHostToDevice);\n"
            "    from = {}; from.resType = cudaResourceTypePitch2D; from.res.pitch2D = {d, "
            "cudaCreateChannelDesc<unsigned char>(), 2, 2, pitch};\n"
            "    how.readMode = cudaReadModeNormalizedFloat; how.addressMode[0] = how.addressMode[1] = "
            "cudaAddressModeClamp;\n"
            "    cudaCreateTextureObject(&t, &from, &how, nullptr); unit<<<1, 2>>>(t, (float*)out);\n"
            "    cudaMemcpy(unit_of, out, 8, cudaMemcpyDeviceToHost); printf(\"%g %g\\n\", unit_of[0], unit_of[1]);\n"
            "    short2 pairs[2][4] = {{{1, 2}, {3, 4}, {5, 6}, {7, 8}}}; cudaArray_t array; auto desc = "
            "cudaCreateChannelDesc<short2>();\n"
            "    cudaMallocArray(&array, &desc, 4, 2, cudaArraySurfaceLoadStore); cudaSurfaceObject_t s;\n"
            "    cudaMemcpy2DToArray(array, 0, 0, pairs, 16, 16, 2, cudaMemcpyHostToDevice);\n"
            "    from = {}; from.resType = cudaResourceTypeArray; from.res.array.array = array; "
            "cudaCreateSurfaceObject(&s, &from);\n"
            "    turn<<<1, 4>>>(s); cudaMemcpy2DFromArray(pairs, 16, array, 0, 0, 16, 2, cudaMemcpyDeviceToHost);\n"
            "    printf(\"%d %d %d\\n\", pairs[0][1].x, pairs[1][0].x, pairs[1][3].y);\n"
            "    turn<<<1, 5>>>(s); printf(\"%d\\n\", cudaDeviceSynchronize());\n"
            "}\n",
            kernel("turn"));
    EXPECT_EQ(ran.printed, "0 4 -5 0\n0.2 1\n3 8 1\n700\n");
    ASSERT_FALSE(ran.said.empty());
    EXPECT_TRUE(says(ran.said.front(), "a surface of 4 x 2 x 1 elements at byte 16 of row 0, which is outside"))
        << ran.said.front();
}

TEST_F(HostFeature, CodeOfTheGpuIsLinked)
{
    const std::string text =
        "extern __device__ int calls; extern __device__ int twice(int);\n"
        "__device__ int calls = 7;\n"
        "__global__ void k(int* x) { x[threadIdx.x] = twice(threadIdx.x); atomicAdd(&calls, 1); }\n"
        "int main() {\n"
        "    int *x, host[32], n; cudaMalloc(&x, 128); k<<<1, 32>>>(x);\n"
        "    cudaMemcpy(host, x, 128, cudaMemcpyDeviceToHost); cudaMemcpyFromSymbol(&n, calls, 4);\n"
        "    printf(\"%d %d\\n\", host[31], n);\n"
        "}\n";
    const Ran one = run(text + "__device__ int twice(int i) { return 2 * i; }\n");
    EXPECT_EQ(one.printed, "62 39\n");
    EXPECT_TRUE(recording::is_as_executed(one.recording())) << one.recording().executed->notes.front();
    std::ofstream(folder_ / "twice.cu") << "__device__ int factor = 2;\n"
                                           "__device__ int twice(int i) { return factor * i; }\n";
    const Ran two = run(text);
    EXPECT_EQ(two.printed, "62 39\n");
    EXPECT_EQ(two.recording().totals().global_store.requests, 1u);
    EXPECT_FALSE(recording::is_as_executed(two.recording())) << "two texts have no machine code in common";
}

TEST_F(HostFeature, AKernelBesideOnesThatLaunchKernelsRuns)
{
    const std::string text = "__global__ void leaf(int* x) { x[threadIdx.x] = threadIdx.x + 1; }\n"
                             "__global__ void parent(int* x) { leaf<<<1, 32>>>(x); }\n"
                             "int main(int count, char**) {\n"
                             "    int *x, host[32] = {}; cudaMalloc(&x, 128);\n"
                             "    if (count > 1) parent<<<1, 1>>>(x); else leaf<<<1, 32>>>(x);\n"
                             "    cudaMemcpy(host, x, 128, cudaMemcpyDeviceToHost); printf(\"%d\\n\", host[31]);\n"
                             "}\n";
    EXPECT_EQ(run(text).printed, "32\n");
    app::HostProgramTask task;
    task.command = {"parent"};
    const std::string why = refusal_of(text, task);
    EXPECT_TRUE(says(why, "dynamic parallelism")) << why;
    EXPECT_TRUE(says(why, "Line 3")) << why;
}

// Offsets in cudaDeviceProp as CUDA 12's headers have it.
TEST_F(HostFeature, PropertiesOfCuda12)
{
    const Ran ran = run("extern \"C\" cudaError_t cudaGetDeviceProperties_v2(void*, int);\n"
                        "__global__ void k(int* x) { x[threadIdx.x] = 1; }\n"
                        "int main() {\n"
                        "    int* x; cudaMalloc(&x, 128); k<<<1, 32>>>(x); char p[1032 + 8] = {}; p[1032] = 42;\n"
                        "    const auto at = [&](int offset) { return *(int*)(p + offset); };\n"
                        "    printf(\"%d %s %d\\n\", cudaGetDeviceProperties_v2(p, 0), p, p[1032]);\n"
                        "    printf(\"%d %d %d %d %d\\n\", at(308), at(320), at(348), at(360), at(388));\n"
                        "    printf(\"%d %d %d %zu\\n\", at(608), at(616), at(624), *(size_t*)(p + 640));\n"
                        "}\n");
    EXPECT_EQ(ran.printed, "0 NVIDIA H200 42\n32 1024 1980000 9 132\n3201000 62914560 2048 233472\n");
}

} // namespace
