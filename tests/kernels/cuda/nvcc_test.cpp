// Files that NVRTC does not accept, compiled by nvcc.
#include "cuda/nvcc.h"
#include "tests/says.h"

#include "machine_code/elf.h"
#include "temporary_folder.h"

#include <gtest/gtest.h>

#include <fstream>

namespace {

using test::says;

TEST(Nvcc, FindsAnInstantiationByAnySpellingOfItsArguments)
{
    const cuda::Nvcc nvcc;
    if (!nvcc.found())
        GTEST_SKIP() << "nvcc is not installed";
    const kernels::TemporaryFolder folder;
    const std::string text = "#include <vector>\n"
                             "enum class Kind { first, second };\n"
                             "template <typename T, unsigned BLOCK, bool WIDE, Kind kind>\n"
                             "__global__ void reduce(const T* in, T* out) { out[0] = in[0] + BLOCK + WIDE; }\n"
                             "int main() {\n"
                             "    reduce<float, 256, true, Kind::second><<<1, 1>>>(nullptr, (float*)nullptr);\n"
                             "    reduce<float, 256, false, Kind::second><<<1, 1>>>(nullptr, (float*)nullptr);\n"
                             "    reduce<unsigned, 128, true, Kind::first><<<1, 1>>>(nullptr, (unsigned*)nullptr);\n"
                             "}\n";
    traced::UserKernel kernel{
        .file = folder.path() / "reduce.cu", .text = text, .kernel = {}, .include_folders = {}, .defines = {}};
    std::ofstream(kernel.file) << text;
    const auto named = [&](const char* name) {
        kernel.kernel = name;
        const cuda::Nvcc::Output output = nvcc.compile(kernel, {});
        EXPECT_TRUE(output.good) << output.log;
        EXPECT_TRUE(says(output.ptx, ".entry " + output.entry));
        EXPECT_FALSE(says(output.ptx, "gemmscope_names")) << "the mark is removed from the PTX";
        return kernels::readable_name(output.entry.c_str());
    };
    EXPECT_EQ(named("reduce<float, 2 * 128, 1, Kind::second>"),
              "void reduce<float, 256u, true, (Kind)1>(float const*, float*)");
    EXPECT_EQ(named("reduce<unsigned,128,true,Kind::first>"),
              "void reduce<unsigned int, 128u, true, (Kind)0>(unsigned int const*, unsigned int*)");
}

TEST(Nvcc, CompilesTextsInsteadOfFiles)
{
    const cuda::Nvcc nvcc;
    if (!nvcc.found())
        GTEST_SKIP() << "nvcc is not installed";
    const traced::UserKernel kernel{
        .file = "/nowhere/k.cu", .text = "", .kernel = "k<3>", .include_folders = {}, .defines = {}};
    const std::vector<traced::OwnFile> files = {
        {"k.cu",
         {},
         "#include <vector>\n#include \"own/part.h\"\ntemplate <int N> __global__ void k(int* p) { p[0] = part(N); "
         "}\n"},
        {"own/part.h", {}, "#include \"missing.h\"\n__device__ int part(int n) { return n / 2; }\n"},
        {"missing.h", {}, ""}};
    const cuda::Nvcc::Output output = nvcc.compile(kernel, files);
    EXPECT_TRUE(output.good) << output.log;
    EXPECT_EQ(kernels::readable_name(output.entry.c_str()), "void k<3>(int*)");
}

} // namespace
