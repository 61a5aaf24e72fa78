
#include "app/engine/launch_file.h"
#include "tests/says.h"

#include "temporary_folder.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

namespace {

const std::string two_kernels =
    "// gemmscope: buffer=y=4*N\n"
    "template <typename T> __global__ void scale(const T* x, T* y, T by, int n) { y[n] = x[n] * by; }\n"
    "__global__ void other(int* x) { x[0] = 1; }\n"
    "void run(float* x, float* y) { scale<float><<<4, 64>>>(x, y, 2.0f, 256); }\n";

TEST(LaunchForm, HasWhatIsKnown)
{
    const app::LaunchForm form = app::form_of({.kernel = "scale<float>"}, two_kernels);
    EXPECT_EQ(form.kernels, (std::vector<std::string>{"scale<float>", "other"}));
    EXPECT_EQ(form.grid + " " + form.block + " " + form.shared, "4 64 ");
    ASSERT_EQ(form.parameters.size(), 4u);
    EXPECT_EQ(form.parameters[0], (app::FormParameter{"const T*", "x", true, "x", "auto", "random"}));
    EXPECT_EQ(form.parameters[1], (app::FormParameter{"T*", "y", true, "y", "4*N", "zeros"}));
    EXPECT_EQ(form.parameters[2], (app::FormParameter{"T", "by", false, "2.0f", "", ""}));
    EXPECT_EQ(form.parameters[3], (app::FormParameter{"int", "n", false, "256", "", ""}));
    EXPECT_EQ(app::form_of({}, two_kernels).missing.size(), 1u) << "the form does not know which kernel";
}

TEST(LaunchForm, IsTheRequestThatItWasMadeOf)
{
    app::LaunchForm form = app::form_of({.kernel = "scale<float>"}, two_kernels);
    form.grid = "(1000+255)/256";
    form.parameters[0].fill = "-inf";
    form.parameters[3].value = "0x400";
    const traced::Request request = app::request_of(form, {.size = "64"});
    EXPECT_EQ(request.grid, "(1000+255)/256");
    EXPECT_EQ(request.arguments, (std::vector<std::string>{"x", "y", "2.0f", "0x400"}));
    EXPECT_EQ(request.buffers, (std::vector<std::string>{"x=auto:-inf", "y=4*N:zeros"}));
    EXPECT_EQ(request.size, "64");
    EXPECT_EQ(app::form_of(request, two_kernels), form);
}

// The kernel is in an included file, and its launch is in the file itself.
TEST(CompletedRequest, SaysAllThatIsMissingWithAWholeCommand)
{
    const kernels::TemporaryFolder folder;
    std::ofstream(folder / "kernel.cuh") << "__global__ void scale(float* x, float by) { x[threadIdx.x] *= by; }\n";
    const std::string host = "#include \"kernel.cuh\"\n\nvoid run(float* x) { scale<<<1, WIDTH>>>(x, 3.0f); }\n";
    const traced::Request asked{.file = folder / "host program.cu"};
    const std::string why = test::refusal([&] { app::completed_request(asked, host); });
    EXPECT_TRUE(test::says(why, "--block, of which line 3 says scale<<<1, WIDTH>>>"));
    EXPECT_TRUE(
        test::says(why, "host program.cu' --kernel scale --grid 1 --block 256 --args x,3.0f --buffer x=auto:random"));
    const traced::Request done = app::completed_request(asked, "#define WIDTH 64\n" + host);
    EXPECT_EQ(done.kernel + " " + done.grid + " " + done.block, "scale 1 WIDTH");
}

} // namespace
