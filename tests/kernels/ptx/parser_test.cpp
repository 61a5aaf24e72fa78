// Text that is not PTX, and damaged PTX, is refused with a sentence.
#include "error.h"
#include "ptx/machine.h"
#include "tests/says.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

namespace {

using test::says;

constexpr std::string_view good = R"(
.version 9.0
.target sm_90
.address_size 64
.global .align 4 .b8 table[8] = {1, 0, 0, 0, 2, 0, 0, 0};
.func (.param .b32 func_retval0) twice(.param .b32 twice_param_0)
{
	.reg .b32 %r<3>;
	ld.param.u32 %r1, [twice_param_0];
	shl.b32 %r2, %r1, 1;
	st.param.b32 [func_retval0], %r2;
	ret;
}
.visible .entry kernel(
	.param .u64 kernel_param_0,
	.param .u32 kernel_param_1
)
{
	.reg .pred %p<3>;
	.reg .f32 %f<4>;
	.reg .b16 %rs<2>;
	.reg .b32 %r<12>;
	.reg .b64 %rd<8>;
	.shared .align 4 .b8 tile[128];
	ld.param.u64 %rd1, [kernel_param_0];
	ld.param.u32 %r1, [kernel_param_1];
	mov.u32 %r2, %tid.x;
	setp.ge.u32 %p1, %r2, %r1;
	@%p1 bra $L_end;
	cvta.to.global.u64 %rd2, %rd1;
	mul.wide.u32 %rd3, %r2, 4;
	add.s64 %rd4, %rd2, %rd3;
	ld.global.f32 %f1, [%rd4];
	fma.rn.f32 %f2, %f1, 0f3F800000, 0f40000000;
	shl.b32 %r3, %r2, 2;
	mov.u32 %r4, tile;
	add.s32 %r5, %r4, %r3;
	st.shared.f32 [%r5], %f2;
	bar.sync 0;
	ld.shared.f32 %f3, [%r5];
	{
	.param .b32 param0;
	st.param.b32 [param0], %r2;
	.param .b32 retval0;
	call.uni (retval0), twice, (param0);
	ld.param.b32 %r6, [retval0];
	}
	mov.b32 %r7, %f3;
	shfl.sync.down.b32 %r8|%p2, %r7, 1, 31, -1;
	mov.u64 %rd5, table;
	ld.global.u32 %r9, [%rd5+4];
	st.global.f32 [%rd4], %f3;
$L_end:
	ret;
}
)";

// Returns the error that refuses the text, or an empty text if it ran.
std::string outcome_of(const std::string& text)
{
    try {
        const ptx::Module module = ptx::parse(text, {});
        const ptx::Program program = ptx::make_program(module, "kernel", 1);
        std::vector<ptx::Region> regions(1);
        regions[0] = {"data", std::vector<std::byte>(128)};
        for (ptx::Region& region : ptx::variable_regions(program))
            regions.push_back(std::move(region));
        ptx::MachineLaunch launch{.extent = {.grid = {1, 1, 1}, .block = {32, 1, 1}}, .most_steps = 20000};
        launch.arguments.resize(std::max<std::size_t>(program.parameter_bytes, 16));
        const uint64_t address = ptx::global_address(0);
        const uint32_t count = 32;
        std::memcpy(launch.arguments.data(), &address, sizeof address);
        std::memcpy(launch.arguments.data() + 8, &count, sizeof count);
        ptx::run(program, launch, regions, {});
        return "";
    } catch (const kernels::Error& refused) {
        return refused.what();
    }
}

TEST(PtxParser, RunsWhatIsGood)
{
    EXPECT_EQ(outcome_of(std::string(good)), "");
}

TEST(PtxParser, SaysWhatIsWrongAndWhere)
{
    const auto with = [](std::string_view before, std::string_view after) {
        std::string text(good);
        return outcome_of(text.replace(text.find(before), before.size(), after));
    };
    EXPECT_TRUE(says(with("bar.sync 0;", "bar.sync 0"), "PTX cannot be read"));
    EXPECT_TRUE(
        says(with("bar.sync 0;", "tcgen05.fence::before_thread_sync;"), "does not know the instruction tcgen05.fence"));
    EXPECT_TRUE(says(with("bar.sync 0;", "wgmma.wait_group.sync.aligned 0;"), "is in no whole warpgroup"));
    EXPECT_TRUE(says(with("bar.sync 0;", "frobnicate.u32 %r1, %r2;"), "does not know the instruction frobnicate.u32"));
    EXPECT_TRUE(says(with("%f2, %f1, 0f", "%f2, %f9, 0f"), "has no %f9"));
    EXPECT_TRUE(says(with("bra $L_end", "bra $L_start"), "there is no label $L_start"));
    EXPECT_TRUE(says(with("%tid.x", "%pm0"), "has no %pm0"));
    EXPECT_TRUE(says(with("bar.sync 0;", "multimem.red.relaxed.sys.global.add.u32 [%rd5], %r1;"),
                     "does not know the instruction multimem"));
    EXPECT_TRUE(says(with("%tid.x", "%envreg3"), "has no %envreg3"));
    EXPECT_TRUE(says(with("twice, (param0)", "malloc, (param0)"), "has no heap"));
    EXPECT_TRUE(says(with("[%rd5+4]", "[%rd5+400]"), "at byte 400 of table, which has 8"));
    EXPECT_TRUE(says(with("st.global.f32 [%rd4]", "st.global.f32 [%rd4+2]"), "which is no multiple of 4"));
    EXPECT_TRUE(says(with("setp.ge.u32 %p1, %r2, %r1", "setp.ge.u32 %p1, %r2, 9"), "only 9 of the 32 threads"));
    EXPECT_TRUE(says(with("$L_end:\n", "$L_end:\nbra $L_end;\n"), "The kernel does not end"));
    EXPECT_TRUE(says(with(".visible .entry kernel(", "/* .visible .entry kernel("), "a comment that does not end"));
    EXPECT_TRUE(says(with("twice, (param0)", "thrice, (param0)"), "the function thrice is not in the file"));
    EXPECT_TRUE(
        says(with("shl.b32 %r2, %r1, 1;\n\tst.param", "call.uni (func_retval0), twice, (twice_param_0);\n\tst.param"),
             "calls itself"));
    EXPECT_TRUE(says(outcome_of("nothing"), "begins nothing that is known here"));
    EXPECT_TRUE(says(outcome_of(""), "has no kernel"));
}

// Each of thousands of damaged texts must either run or be refused.
TEST(PtxParser, TakesAnyText)
{
    std::mt19937 random(7); // deterministic
    const std::string marks = "{}[]();,:@!|+-<>.%$0123456789abdfrstu \n\"/*";
    int refused = 0;
    for (int i = 0; i < 4000; ++i) {
        std::string text(good);
        for (std::size_t changes = 1 + random() % 4; changes > 0; --changes) {
            const std::size_t at = random() % text.size();
            switch (random() % 5) {
            case 0: text[at] = marks[random() % marks.size()]; break;
            case 1: text.erase(at, 1 + random() % 12); break;
            case 2: text.insert(at, 1, marks[random() % marks.size()]); break;
            case 3: { // a piece of it at another position
                const std::string piece = text.substr(random() % text.size(), random() % 30);
                text.insert(at, piece);
                break;
            }
            default: text.resize(at); break;
            }
            if (text.empty())
                break;
        }
        refused += !outcome_of(text).empty();
    }
    EXPECT_GT(refused, 1000);
    EXPECT_LT(refused, 4000);
}

} // namespace
