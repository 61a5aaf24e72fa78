// The search for the toolkit's libraries and programs.
#include "cuda/disassembler.h"
#include "cuda/library.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>

namespace {

class ToolkitPaths : public testing::Test {
protected:
    ~ToolkitPaths() override { restore(); }

    std::vector<std::filesystem::path> homes(const char* value)
    {
        setenv("CUDA_HOME", value, 1);
        return cuda::toolkit_homes();
    }

private:
    void restore()
    {
        if (was_set)
            setenv("CUDA_HOME", before.c_str(), 1);
        else
            unsetenv("CUDA_HOME");
    }
    const bool was_set = std::getenv("CUDA_HOME") != nullptr;
    const std::string before = was_set ? std::getenv("CUDA_HOME") : "";
};

TEST_F(ToolkitPaths, AreAbsolute)
{
    EXPECT_EQ(homes("/somewhere/cuda").front(), "/somewhere/cuda");
    for (const char* value : {"", ".", "cuda", "../cuda"})
        EXPECT_TRUE(std::ranges::all_of(homes(value), &std::filesystem::path::is_absolute)) << value;
}

TEST(Disassembler, WithoutATemporaryFolderHasNoTexts)
{
    const char* before = std::getenv("TMPDIR");
    const std::string kept = before == nullptr ? "" : before;
    setenv("TMPDIR", "/nonexistent", 1);
    EXPECT_TRUE(cuda::Disassembler().texts("no cubin", "kernel").empty());
    before == nullptr ? unsetenv("TMPDIR") : setenv("TMPDIR", kept.c_str(), 1);
}

} // namespace
