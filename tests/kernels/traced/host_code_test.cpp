// Tests the text that remains of a file without its host program.
#include "tests/says.h"
#include "traced/host_code.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

using test::says;

TEST(HostCodeLeftOut, ADefaultArgumentMakesNoVariable)
{
    const std::string text = "void check(cudaError_t e, const char* what = \"\")\n"
                             "{\n"
                             "    if (e != cudaSuccess) throw 1;\n"
                             "}\n"
                             "template <int N = 32> __global__ void k(int* a)\n"
                             "{\n"
                             "    a[N] = 1;\n"
                             "}\n"
                             "int main() { int x; return 0; }\n";
    const std::string left = traced::without_host_code(text);
    EXPECT_EQ(left.size(), text.size()) << "every line stays where it is";
    EXPECT_FALSE(says(left, "check"));
    EXPECT_FALSE(says(left, "main"));
    EXPECT_FALSE(says(left, "return"));
    const std::size_t kernel = text.find("template"), end = text.find("int main");
    EXPECT_EQ(left.substr(kernel, end - kernel), text.substr(kernel, end - kernel));
}

TEST(HostCodeLeftOut, AVariableEndsWithItsInitializer)
{
    const std::string text = "__constant__ int table[2] = {1, 2};\n"
                             "auto on_error = [](int) { return cudaSuccess; };\n"
                             "struct S { S& operator=(const S&); };\n"
                             "__device__ S& S::operator=(const S&) { return *this; }\n"
                             "__global__ void k() {}\n";
    const std::string left = traced::without_host_code(text);
    EXPECT_FALSE(says(left, "on_error"));
    for (const char* kept : {"table[2] = {1, 2};", "operator=(const S&) { return *this; }", "__global__ void k() {}"})
        EXPECT_TRUE(says(left, kept));
}

// Checks for each line alone whether it remains.
void expect_kept(const std::string& line, bool kept, const traced::HostCodeHints& hints = {})
{
    const std::string left = traced::without_host_code(line + "\n", hints);
    EXPECT_EQ(left, kept ? line + "\n" : std::string(line.size(), ' ') + "\n") << line;
}

TEST(HostCodeLeftOut, VariablesAndFunctionsOfTheHostGo)
{
    for (const char* host :
         {"StopWatchInterface *timer;", "StopWatchInterface *timer = NULL;", "std::vector<float> x;",
          "const char *sample = \"x\";", "static int *pArgc = NULL;", "int MUL_FACTOR = TILE_DIM;",
          "dim3 grid(32, 32);", "float h_data[64];", "float h_table[] = {1, 2};", "extern FILE *log_file;",
          "vector<int> reference(256);", "static const char *names[] = {\"a\", \"b\"};",
          "int (*compare)(const void *, const void *) = nullptr;", "bool isPow2(unsigned int x);",
          "extern \"C\" void initScan(void);", "template void reduce<int>(int n, int *d);",
          "template <class T> bool runTest(int argc, char **argv);", "auto launch = [](int n) { k<<<1, n>>>(); };",
          "template <int N = (1 << 2)> void run() { k<N><<<1, 1>>>(); }"})
        expect_kept(host, false);
    for (const char* kept :
         {"const int N = 32;", "static const unsigned M{4};", "constexpr float pi = 3.14f;", "__constant__ float c[3];",
          "const float table[] = {1, 2};", "typedef unsigned int word;", "using Real = float;", "struct Pair;",
          "enum Kind { one, two };", "static_assert(sizeof(int) == 4, \"four\");", "namespace cg = cooperative_groups;",
          "struct Pair { float a, b; };", "DECLARE(x);", "template <> __device__ int f<int>(int x) { return x; }",
          "extern \"C\" __global__ void k(float *x);", "template __global__ void k<32>(float *x);",
          "template <int N = (1 << 2)> struct Vec { float x[N]; };", "texture<float, 2> image;"})
        expect_kept(kept, true);
}

TEST(HostCodeLeftOut, AClassKeepsWhatIsForTheDevice)
{
    const std::string text = "class Matrix {\n"
                             "public:\n"
                             "    Matrix(int n) : n_(n) { cudaMalloc(&p_, n); }\n"
                             "    __host__ __device__ float& at(int i) { return p_[i]; }\n"
                             "    static std::string name();\n"
                             "private:\n"
                             "    void print() const { std::cout << n_; }\n"
                             "    float* p_ = nullptr;\n"
                             "    int n_{0};\n"
                             "};\n"
                             "class OfHost { std::string name; };\n";
    const std::string left = traced::without_host_code(text);
    for (const char* gone : {"cudaMalloc", "name();", "cout", "OfHost"})
        EXPECT_FALSE(says(left, gone));
    for (const char* kept :
         {"public:", "private:", "at(int i) { return p_[i]; }", "float* p_ = nullptr;", "int n_{0};"})
        EXPECT_TRUE(says(left, kept));
}

TEST(HostCodeLeftOut, AMacroCanSayThatSomethingIsForTheDevice)
{
    traced::HostCodeHints hints;
    hints.device_macros = traced::device_macros("#define DEVICE __device__ __forceinline__\n"
                                                "#  define KERNEL \\\n    __global__ void\n"
                                                "#define BOTH __host__ DEVICE\n"
                                                "#define HOST __host__\n");
    EXPECT_EQ(hints.device_macros, (std::vector<std::string>{"DEVICE", "KERNEL", "BOTH"}));
    for (const char* kept : {"DEVICE int f() { return 1; }", "KERNEL k(int* p) { p[0] = 1; }", "BOTH int g();"})
        expect_kept(kept, true, hints);
    expect_kept("HOST int h() { return 1; }", false, hints);
}

TEST(HostCodeLeftOut, WhatACompilerStumblesOverGoesUnlessItIsForTheDevice)
{
    expect_kept("struct Window { GLuint buffer; };", true);
    expect_kept("struct Window { GLuint buffer; };", false, {.wrong_lines = {1}});
    expect_kept("constexpr int f() { return strlen(x); }", false, {.wrong_lines = {1}});
    expect_kept("__device__ int f() { return wrong; }", true, {.wrong_lines = {1}});
    expect_kept("struct Window { GLuint buffer; };", true, {.wrong_lines = {2}});
}

} // namespace
