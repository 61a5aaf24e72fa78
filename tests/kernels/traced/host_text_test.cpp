// What is left of a file without its host program.
#include "traced/host_text.h"

#include <gtest/gtest.h>

namespace {

TEST(HostText, ADefaultArgumentMakesNoVariable)
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
    EXPECT_EQ(left.find("check"), std::string::npos);
    EXPECT_EQ(left.find("main"), std::string::npos);
    EXPECT_EQ(left.find("return"), std::string::npos);
    const std::size_t kernel = text.find("template"), end = text.find("int main");
    EXPECT_EQ(left.substr(kernel, end - kernel), text.substr(kernel, end - kernel));
}

TEST(HostText, AVariableEndsWithItsInitializer)
{
    const std::string text = "__constant__ int table[2] = {1, 2};\n"
                             "auto on_error = [](int) { return cudaSuccess; };\n"
                             "struct S { S& operator=(const S&); };\n"
                             "__device__ S& S::operator=(const S&) { return *this; }\n"
                             "__global__ void k() {}\n";
    const std::string left = traced::without_host_code(text);
    EXPECT_EQ(left.find("on_error"), std::string::npos);
    for (const char* kept : {"table[2] = {1, 2};", "operator=(const S&) { return *this; }", "__global__ void k() {}"})
        EXPECT_NE(left.find(kept), std::string::npos) << kept;
}

} // namespace
