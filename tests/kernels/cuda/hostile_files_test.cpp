// Files that are written to harm the user who traces them.

#include "cuda/nvcc.h"
#include "temporary_folder.h"
#include "tests/kernels/traced/run_kernel.h"

#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

const std::string kernel = "// gemmscope: grid=1 block=32 args=x buffer=x=128\n"
                           "__global__ void k(int* x)\n{\n    x[threadIdx.x] = 7;\n}\n";

// The folder in which the test runs. TMPDIR is the same folder.
class HostileFiles : public testing::Test {
protected:
    HostileFiles()
    {
        const char* before = std::getenv("TMPDIR");
        had_ = before != nullptr;
        temporary_ = had_ ? before : "";
        fs::current_path(folder_.path());
    }
    ~HostileFiles() override
    {
        fs::current_path(here_);
        had_ ? setenv("TMPDIR", temporary_.c_str(), 1) : unsetenv("TMPDIR");
    }

    traced::Request written(const fs::path& name, const std::string& text) const
    {
        const fs::path file = folder_.path() / name;
        fs::create_directories(file.parent_path());
        std::ofstream(file) << text;
        return {.file = file};
    }

    // Returns the files that a command created in this folder or below.
    std::vector<std::string> made() const
    {
        std::vector<std::string> names;
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder_.path()))
            if (const std::string name = entry.path().filename().string(); name.starts_with("made_"))
                names.push_back(name);
        return names;
    }

    const fs::path here_ = fs::current_path();
    const kernels::TemporaryFolder folder_;
    bool had_ = false;
    std::string temporary_;
};

using None = std::vector<std::string>;

TEST_F(HostileFiles, NoCommandInADefineOrAnIncludeRuns)
{
    const std::string text = test::text_of(test::data("hostile/define_with_command.cu"));
    const traced::Request request = written("$(touch made_by_a_folder)/`touch made_by_ticks`/k.cu", text);
    fs::create_directory(request.file.parent_path() / "$(touch made_by_an_include)");
    if (!cuda::Nvcc().found())
        GTEST_SKIP() << "nvcc is not installed";
    const ptx::Traced traced = test::run(text, request);
    EXPECT_EQ(made(), None{});
    EXPECT_EQ(test::values<int>(traced.after, "out")[3], 7 + 33) << "the other macro is defined";
}

TEST_F(HostileFiles, NoCommandInTheNameOfATemporaryFolderRuns)
{
    if (!cuda::Nvcc().found())
        GTEST_SKIP() << "nvcc is not installed";
    fs::create_directory("t$(touch made_by_TMPDIR)\"");
    setenv("TMPDIR", (folder_ / "t$(touch made_by_TMPDIR)\"").c_str(), 1);
    const std::string text = "#include <cerrno>\n#include <vector>\n" + kernel +
                             "__device__ int no = EDOM;\nint main() { std::vector<int> a; k<<<1, 32>>>(nullptr); }\n";
    EXPECT_EQ(test::why_refused(text, written("k.cu", text)), "");
    EXPECT_EQ(made(), None{});
}

TEST_F(HostileFiles, AnyNameOfAFileCompiles)
{
    for (const char* name : {"a\"b.cu", "a\\nb.cu", "$(touch made_by_a_name).cu", "a b.cu", "-a.cu", "\xc3\xa4.cu"}) {
        ptx::Traced traced;
        SKIP_WHERE_UNAVAILABLE(traced = test::run(kernel, written(name, kernel)));
        EXPECT_EQ(traced.recording.source().name, name);
        ASSERT_FALSE(traced.recording.lines.empty()) << name;
        EXPECT_EQ(traced.recording.lines[0].line, 4u) << name;
    }
    EXPECT_EQ(made(), None{});
    const std::string wrong = "\n__global__ void k(int* x) { x[0] = missing; }\n";
    EXPECT_TRUE(
        test::says(test::why_refused(wrong, {.file = "a\"b.cu", .grid = "1", .block = "1"}), "a\"b.cu(2): error"));
}

TEST_F(HostileFiles, AnyNameCompilesByNvccToo)
{
    if (!cuda::Nvcc().found())
        GTEST_SKIP() << "nvcc is not installed";
    const std::string text =
        "#include <cerrno>\n#include \"beside.h\"\n#include <vector>\n" + kernel +
        "__device__ int no = EDOM + BESIDE;\nint main() { std::vector<int> a; k<<<1, 32>>>(nullptr); }\n";
    written("in \"here\"/beside.h", "#define BESIDE 1\n");
    const ptx::Traced traced = test::run(text, written("in \"here\"/a\"$(touch made_by_a_name).cu", text));
    ASSERT_FALSE(traced.recording.lines.empty());
    EXPECT_EQ(traced.recording.lines[0].line, 7u);
    EXPECT_EQ(made(), None{});
}

// A compiler that opens a pipe blocks until another process writes to it.
TEST_F(HostileFiles, NoCompilerOpensAPipe)
{
    ASSERT_EQ(mkfifo("pipe.h", 0600), 0);
    fs::create_symlink("/dev/zero", "zero.h");
    for (const char* directive :
         {"#include \"pipe.h\"\n", "#define FILE \"pipe.h\"\n#include FILE\n", "#include \"zero.h\"\n",
          "#include \\\n\"pipe.h\"\n", "%:include \"pipe.h\"\n", "/* */ #include \"pipe.h\"\n",
          "#define FILE \"pip\\\ne.h\"\n#include FILE\n", "#define S(x) #x\n#define T(x) S(x)\n#include T(pipe.h)\n",
          "#if __has_include(\"pipe.h\")\n#endif\n", "#include \"/dev/zero\"\n",
          "#include \"../../../../../../../../../../dev/zero\"\n"}) {
        const std::string text = directive + kernel;
        std::string said;
        SKIP_WHERE_UNAVAILABLE(said = test::why_refused(text, written("k.cu", text)));
        EXPECT_EQ(said, "") << directive;
    }
}

} // namespace
