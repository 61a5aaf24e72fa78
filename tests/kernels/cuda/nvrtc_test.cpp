// Checks NVRTC's output for the stages. NVRTC needs no GPU, so these tests run wherever it is installed.
#include "stage.h"
#include "tests/ladder.h"
#include "tests/paths.h"
#include "tests/says.h"

#include <gtest/gtest.h>

#include "cuda/access_patterns.h"
#include "cuda/compiler.h"
#include "cuda/program.h"
#include "error.h"
#include "machine_code/cubin.h"
#include "machine_code/elf.h"
#include "temporary_folder.h"

#include <fmt/format.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

namespace {

// Returns the number of instructions of each kind: those that move data to and from global, shared and local memory,
// with their width in bits ("LDG.128", "STS.32"), and FP32 arithmetic ("FFMA", "FMUL", "FADD").
std::map<std::string, int> instruction_counts(const cuda::Compiled& compiled)
{
    std::map<std::string, int> counts;
    for (const kernels::Instruction& instruction : cuda::instructions(compiled.image, compiled.lowered_name)) {
        const std::string name = instruction.name.substr(0, instruction.name.find('.'));
        if (name == "FFMA" || name == "FMUL" || name == "FADD")
            ++counts[name];
        for (const char* moves : {"LDG", "STG", "LDS", "STS", "LDL", "STL"})
            if (name == moves)
                ++counts[fmt::format("{}.{}", name, 8 * instruction.width)];
    }
    return counts;
}

using kernels::ProbeKind;
using test::says;

constexpr ProbeKind all_probes[] = {ProbeKind::none, ProbeKind::count, ProbeKind::record, ProbeKind::place};

class NvrtcTest : public testing::Test {
protected:
    void SetUp() override
    {
        SKIP_WHERE_UNAVAILABLE(nvrtc.emplace());
        options = nvrtc->options_for(90);
        compiler.emplace(cuda::Nvrtc(), 90);
    }

    // Uses the cache, so that the tests of machine code find these results.
    cuda::Compiled compile(const kernels::Stage& stage, const cuda::KernelName& name) const
    {
        return compiler->compile(stage, name);
    }

    std::optional<cuda::Nvrtc> nvrtc;
    std::optional<cuda::Compiler> compiler;
    std::vector<std::string> options;
};

class NvrtcStage : public NvrtcTest, public testing::WithParamInterface<std::string> {};

INSTANTIATE_TEST_SUITE_P(Ladder, NvrtcStage, testing::ValuesIn(test::slugs()),
                         [](const auto& stage) { return stage.param; });

// Compiles the default parameters, and those for a small C with a long K. With the latter a stage may split K. Only
// then does its second kernel, which adds the partial sums, store anything. CountProbe is compiled with the defaults
// only, because other parameters would add no code beyond that of RecordProbe. Compiles in parallel, like
// CudaBackend::prepare.
TEST_P(NvrtcStage, CompilesWithEveryProbe)
{
    const recording::Problem tall{.M = 256, .N = 256, .K = 65536};
    const kernels::Stage& stage = test::stage(GetParam());
    const kernels::ParameterValues standard = stage.standard_parameters();
    std::array<std::atomic<std::size_t>, std::size(all_probes)>
        instructions{}; // for the first kernel with the default parameters
    const auto compile_all = [&](const kernels::ParameterValues& parameters, ProbeKind probe) {
        const std::vector<cuda::KernelName> names = cuda::kernels_for(stage, parameters, probe);
        for (std::size_t i = 0; i < names.size(); ++i) {
            const cuda::KernelName& name = names[i];
            cuda::Compiled compiled;
            ASSERT_NO_THROW(compiled = compile(stage, name)) << name.expression;
            // In an instrumented kernel ptxas may add fences around WGMMA, and it reports them.
            const bool mentions = probe != ProbeKind::none && compiled.log.starts_with("ptxas info");
            EXPECT_TRUE(compiled.log.empty() || mentions) << name.expression << ": " << compiled.log;
            const auto counts = instruction_counts(compiled);
            if (i == 0 && parameters == standard)
                instructions.at(static_cast<std::size_t>(probe)) =
                    cuda::instructions(compiled.image, compiled.lowered_name).size();
            const bool launched = i == 0 || kernels::second_launch(stage, parameters, tall).grid.volume() > 0;
            const std::size_t kinds =
                counts.contains("STG.32") + counts.contains("STG.64") + counts.contains("STG.128");
            EXPECT_EQ(kinds > 0, launched) << name.expression;
            // Without a probe, only swizzled_reads_indexed uses local memory: it indexes an array at run time.
            const std::size_t local = counts.count("LDL.32") + counts.count("LDL.64") + counts.count("LDL.128");
            const bool shows_it = stage.slug == "swizzled_reads_indexed";
            EXPECT_TRUE(probe != ProbeKind::none || (local > 0) == shows_it) << name.expression;
        }
    };
    {
        std::vector<std::jthread> threads;
        for (const ProbeKind probe : all_probes)
            threads.emplace_back(compile_all, standard, probe);
        if (const auto suited = stage.suited == nullptr ? standard : stage.suited(tall, 132); suited != standard)
            for (const ProbeKind probe : {ProbeKind::none, ProbeKind::record})
                threads.emplace_back(compile_all, suited, probe);
    }
    // A traced kernel has a call for each access, and ptxas is slow with hundreds of them. With four times the
    // instructions of the timed kernel, the largest kernel took a minute (tile of 128 x 256, 2026-11-23).
    if (stage.slug == "wgmma_tma") {
        const auto of = [&](ProbeKind probe) { return instructions.at(static_cast<std::size_t>(probe)).load(); };
        EXPECT_GT(of(ProbeKind::none), 0u);
        EXPECT_LT(of(ProbeKind::record), 2 * of(ProbeKind::none));
        EXPECT_LT(of(ProbeKind::count), 2 * of(ProbeKind::none));
    }
}

// The compiler reports nothing while it runs. A cache hit needs no sign.
TEST_F(NvrtcTest, SignsOfLifeAreGivenWhileItCompiles)
{
    const kernels::TemporaryFolder folder;
    cuda::Compiler compiler(cuda::Nvrtc(), 90, cuda::CubinCache(folder.path()));
    std::atomic<int> signs = 0;
    compiler.give_signs([&] { ++signs; });
    const cuda::Program program{.text = "extern \"C\" __global__ void nothing() {}", .headers = {}};
    compiler.compile(program, "nothing");
    EXPECT_GE(signs, 1);
    const int then = signs;
    compiler.compile(program, "nothing");
    EXPECT_EQ(signs, then) << "it was compiled again";
}

TEST_F(NvrtcTest, ViewsCostNothing)
{
    const std::string text = test::text_of(test::source_tree() / "tests/gpu/vectorized_by_hand.cu");
    const cuda::Compiled by_hand = nvrtc->compile({.text = text, .headers = {}}, "vectorized_by_hand", options);
    const kernels::Stage& stage = test::stage("vectorized");
    const auto names = cuda::kernels_for(stage, stage.standard_parameters(), ProbeKind::none);
    const cuda::Compiled with_views = compile(stage, names.at(0));

    const auto expected = instruction_counts(by_hand);
    EXPECT_EQ(instruction_counts(with_views), expected);
    // The kernel has two bodies, one of them for blocks inside the matrices. For each of the 8 values of k in a tile,
    // each body loads two vectors of A and two of B.
    EXPECT_EQ(expected.at("LDS.128"), 2 * 32);
    EXPECT_GE(expected.at("FFMA"), 2 * 512);
}

// GPUs of compute capability 8.x have less shared memory than an H200, and the same number of registers. A block must
// fit on them in each type. TF32 has three stages, because four take 128 KiB.
TEST_F(NvrtcTest, MmaLdmatrixFitsGpusBeforeHopper)
{
    constexpr uint32_t registers = 65536;
    struct Gpu {
        int capability;
        uint32_t shared; // maximum bytes per block
    };
    const kernels::Stage& stage = test::stage("mma_ldmatrix");
    for (const auto& [capability, shared] : {Gpu{80, 163 * 1024}, {86, 99 * 1024}, {89, 99 * 1024}})
        for (const std::vector<std::string>& assignments :
             std::vector<std::vector<std::string>>{{}, {"TYPE=bf16"}, {"TYPE=tf32", "BN=128", "WN=32", "STAGES=3"}}) {
            const kernels::ParameterValues parameters = kernels::parse_parameters(stage, assignments);
            const cuda::KernelName name = cuda::kernels_for(stage, parameters, ProbeKind::none).at(0);
            const cuda::Compiled compiled =
                nvrtc->compile(cuda::program_for(stage, name.probe), name.expression, nvrtc->options_for(capability));
            const auto resources = cuda::thread_resources(compiled.image, compiled.lowered_name);
            ASSERT_TRUE(resources) << capability;
            EXPECT_EQ(resources->local_bytes, 0u) << capability << ' ' << name.expression;
            const uint32_t threads = stage.launch(parameters, {.M = 512, .N = 512, .K = 512}).threads_per_block();
            EXPECT_LE(threads * resources->registers, registers) << capability << ' ' << name.expression;
            EXPECT_LE(name.dynamic_shared, shared) << capability << ' ' << name.expression;
        }
}

// If the compiler removed work, the measurement would still count it.
TEST_F(NvrtcTest, MicrobenchmarksKeepTheirWork)
{
    const cuda::Program program = cuda::program_for_file(cuda::microbenchmarks_file);
    std::map<std::string, std::map<std::string, std::size_t>> counts;
    for (const std::string& expression : cuda::microbenchmark_kernels(90)) {
        const cuda::Compiled compiled = nvrtc->compile(program, expression, options);
        EXPECT_EQ(compiled.log, "") << expression;
        for (const auto& [instruction, count] : instruction_counts(compiled))
            counts[expression][instruction] = count;
    }
    EXPECT_EQ(counts.size(), 29u);
    EXPECT_GE(counts["microbenchmarks::chase"]["LDG.64"], 17u) << "one of the warm-up, 16 that are timed";
    EXPECT_GE(counts["microbenchmarks::chase_shared"]["LDS.32"], 16u);
    EXPECT_GE(counts["microbenchmarks::chase_conflicts"]["LDS.32"], 16u);
    EXPECT_EQ(counts["microbenchmarks::stream<4>"]["LDG.32"], 1u);
    EXPECT_EQ(counts["microbenchmarks::stream<8>"]["LDG.64"], 1u);
    EXPECT_EQ(counts["microbenchmarks::stream<16>"]["LDG.128"], 1u);
    EXPECT_EQ(counts["microbenchmarks::read_past_l1"]["LDG.128"], 4u);
    EXPECT_EQ(counts["microbenchmarks::read_l1"]["LDG.128"], 4u);
    EXPECT_GE(counts["microbenchmarks::read_shared"]["LDS.128"], 4u);
    EXPECT_GE(counts["microbenchmarks::multiply_add"]["FFMA"], 64u);
    EXPECT_GE(counts["microbenchmarks::dependent_chain<1>"]["LDG.64"], 1u + 8);
    EXPECT_GE(counts["microbenchmarks::dependent_chain<4>"]["LDG.64"], 1u + 16);
    EXPECT_GE(counts["microbenchmarks::dependent_chain<4>"]["STG.64"], 8u);
    EXPECT_EQ(counts["microbenchmarks::dependent_chain<3>"]["STG.64"],
              counts["microbenchmarks::dependent_chain<2>"]["STG.64"]);
    EXPECT_GE(counts["microbenchmarks::loads_at_once<3>"]["LDG.64"], 2u + 16);
    EXPECT_GE(counts["microbenchmarks::loads_at_once<4>"]["STG.64"], 8u);
}

// The compiler must keep the timed accesses: 16 unrolled loads of a dependent chain and 8 unrolled loads of a stream,
// or 8 unrolled stores. In addition each lane stores its own address.
TEST_F(NvrtcTest, KernelsThatTimeAPatternKeepTheirAccesses)
{
    const cuda::Program program = cuda::program_for_file(cuda::access_patterns_file);
    for (const int width : {4, 8, 16})
        for (const bool loads : {true, false}) {
            model::PatternRow row;
            row.op = loads ? "ld.shared" : "st.shared";
            row.pattern.width = width;
            const cuda::Compiled compiled = nvrtc->compile(program, cuda::timing_kernel(row), options);
            EXPECT_EQ(compiled.log, "");
            int kept_loads = 0, kept_stores = 0;
            for (const kernels::Instruction& one : cuda::instructions(compiled.image, compiled.lowered_name)) {
                kept_loads += one.name.starts_with("LDS");
                kept_stores += one.name.starts_with("STS");
            }
            EXPECT_GE(kept_loads, loads ? 16 + 8 : 0) << width;
            EXPECT_GE(kept_stores, loads ? 1 : 1 + 8) << width;
        }
    model::PatternRow global;
    global.op = "ld.global";
    EXPECT_EQ(cuda::timing_kernel(global), "");
}

// Each kernel makes exactly one access, so that a launch's counters are the cost of that access.
TEST_F(NvrtcTest, KernelsOfAccessPatternsMakeOneAccess)
{
    const cuda::Program program = cuda::program_for_file(cuda::access_patterns_file);
    const auto accesses = [&](const std::string& op, int width) {
        model::PatternRow row;
        row.op = op;
        row.pattern.width = width;
        const cuda::Compiled compiled = nvrtc->compile(program, cuda::pattern_kernel(row), options);
        EXPECT_EQ(compiled.log, "") << op;
        const bool global = model::is_global(row) && !model::is_copy(row);
        std::map<std::string, int> kept;
        for (const kernels::Instruction& one : cuda::instructions(compiled.image, compiled.lowered_name))
            for (const char* beginning :
                 {"LDS", "STS", "ATOM", "RED", "LDGSTS", global ? "LDG" : "LDS", global ? "STG" : "STS"})
                if (one.name.starts_with(beginning) && !(global && one.name == "STS")) {
                    ++kept[one.name];
                    break;
                }
        return kept;
    };
    using Counts = std::map<std::string, int>;
    EXPECT_EQ(accesses("cp.cg.global", 16), (Counts{{"LDGSTS.128", 1}}));
    EXPECT_EQ(accesses("cp.ca.shared", 16), (Counts{{"LDGSTS.128", 1}}));
    EXPECT_EQ(accesses("cp.ca.shared", 8), (Counts{{"LDGSTS.64", 1}}));
    EXPECT_EQ(accesses("cp.ca.global", 4), (Counts{{"LDGSTS", 1}}));
    for (const auto& [width, suffix] : {std::pair(4, ""), std::pair(8, ".64"), std::pair(16, ".128")}) {
        EXPECT_EQ(accesses("ld.shared", width), (Counts{{fmt::format("LDS{}", suffix), 1}}));
        EXPECT_EQ(accesses("st.shared", width), (Counts{{fmt::format("STS{}", suffix), 1}}));
        EXPECT_EQ(accesses("ld.global", width), (Counts{{fmt::format("LDG{}", suffix), 1}}));
        EXPECT_EQ(accesses("st.global", width), (Counts{{fmt::format("STG{}", suffix), 1}}));
    }
    for (const auto& [matrices, suffix] : {std::pair(1, ""), std::pair(2, ".2"), std::pair(4, ".4")}) {
        EXPECT_EQ(accesses(fmt::format("stmatrix.x{}", matrices), 16),
                  (Counts{{fmt::format("STSM.16.M88{}", suffix), 1}}));
        EXPECT_EQ(accesses(fmt::format("stmatrix.x{}.trans", matrices), 16),
                  (Counts{{fmt::format("STSM.16.MT88{}", suffix), 1}}));
    }
    EXPECT_EQ(accesses("atom.add.u32", 4), (Counts{{"ATOMS.ADD", 1}}));
    EXPECT_EQ(accesses("red.add.u32", 4), (Counts{{"ATOMS.ADD", 1}}));
    EXPECT_EQ(accesses("atom.cas.b32", 4), (Counts{{"ATOMS.CAS", 1}}));
    EXPECT_EQ(accesses("red.add.f32", 4), (Counts{{"LDS", 1}, {"ATOMS.CAST.SPIN", 1}})) << "in a loop";
}

TEST(KernelNames, OnlyTheFirstKernelIsTraced)
{
    const auto probes = [](std::string_view slug, ProbeKind probe) {
        const kernels::Stage& stage = test::stage(slug);
        std::vector<ProbeKind> result;
        for (const cuda::KernelName& name : cuda::kernels_for(stage, stage.standard_parameters(), probe))
            result.push_back(name.probe);
        return result;
    };
    using Probes = std::vector<ProbeKind>;
    EXPECT_EQ(probes("warp_tile", ProbeKind::record), Probes{ProbeKind::record});
    EXPECT_EQ(probes("split_k", ProbeKind::none), (Probes{ProbeKind::none, ProbeKind::none}));
    EXPECT_EQ(probes("split_k", ProbeKind::count), (Probes{ProbeKind::count, ProbeKind::count}));
    EXPECT_EQ(probes("split_k", ProbeKind::record), (Probes{ProbeKind::record, ProbeKind::none}));
    EXPECT_EQ(probes("split_k", ProbeKind::place), (Probes{ProbeKind::place, ProbeKind::none}));
}

TEST_F(NvrtcTest, ErrorHasTheCompilersLog)
{
    const cuda::Program program{.text = "#include \"part.h\"\n",
                                .headers = {{"part.h", "__global__ void k() { unknown(); }"}}};
    const std::string said = test::refusal([&] { nvrtc->compile(program, "k", options); });
    EXPECT_TRUE(said.starts_with("The kernel k does not compile (")) << said;
    EXPECT_TRUE(says(said, "part.h(1): error: identifier \"unknown\" is undefined"));
}

TEST_F(NvrtcTest, ArchitectureIsTheNearestThatTheCompilerKnows)
{
    EXPECT_EQ(options.at(0), "--gpu-architecture=sm_90a");         // with features of Hopper only
    EXPECT_TRUE(says(nvrtc->options_for(999).at(0), "=compute_")); // a GPU of the future: PTX
    EXPECT_THROW(nvrtc->options_for(20), kernels::Unavailable);
}

TEST_F(NvrtcTest, RefusesToCompileForADriverThatIsOlder)
{
    EXPECT_TRUE(says(test::refusal<kernels::Unavailable>([&] { const cuda::Nvrtc too_new(11); }), "cuda-nvrtc-12"));
}

class CubinCacheTest : public testing::Test {
protected:
    const kernels::TemporaryFolder temporary;
    const std::filesystem::path folder = temporary / "new"; // does not exist yet
    cuda::CubinCache cache{folder};
    const cuda::Compiled compiled{.image = std::string("\x7f"
                                                       "ELF\0\n12",
                                                       8),
                                  .lowered_name = "_Z1k",
                                  .log = "a\nb"};
};

TEST_F(CubinCacheTest, GivesBackWhatWasStored)
{
    EXPECT_FALSE(cache.find("key"));
    cache.store("key", compiled);
    const auto found = cache.find("key");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->image, compiled.image);
    EXPECT_EQ(found->lowered_name, compiled.lowered_name);
    EXPECT_EQ(found->log, compiled.log);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1); // no temporary file remains
}

TEST_F(CubinCacheTest, DamagedEntriesAreNotThere)
{
    cache.store("key", compiled);
    const std::filesystem::path path = folder / "key.cubin";
    const std::string whole = test::text_of(path);
    for (std::size_t i = 0; i < whole.size(); ++i) {
        std::string damaged = whole;
        damaged[i] = static_cast<char>(damaged[i] ^ 1);
        std::ofstream(path, std::ios::binary) << damaged;
        EXPECT_FALSE(cache.find("key")) << "byte " << i;
        std::ofstream(path, std::ios::binary) << whole.substr(0, i);
        EXPECT_FALSE(cache.find("key")) << "cut at " << i;
    }
    std::ofstream(path, std::ios::binary) << whole;
    EXPECT_TRUE(cache.find("key"));
}

TEST_F(CubinCacheTest, AnEntryLargerThanAnyKernelIsNotRead)
{
    cache.store("key", compiled);
    std::filesystem::resize_file(folder / "key.cubin", uint64_t{1} << 30); // sparse: it takes no space
    rusage before{}, after{};
    getrusage(RUSAGE_SELF, &before);
    EXPECT_FALSE(cache.find("key"));
    getrusage(RUSAGE_SELF, &after);
    EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 100'000) << "KiB";
}

TEST_F(CubinCacheTest, AnUnwritableFolderIsNoError)
{
    const cuda::CubinCache nowhere("/proc/no/such/folder");
    EXPECT_NO_THROW(nowhere.store("key", compiled));
    EXPECT_FALSE(nowhere.find("key"));
}

TEST_F(CubinCacheTest, KeyDependsOnEverything)
{
    const cuda::Program program{.text = "text", .headers = {{"name", "body"}}};
    const std::string key = cuda::CubinCache::key(program, "k", {"-o"}, "13.0");
    EXPECT_EQ(cuda::CubinCache::key(program, "k", {"-o"}, "13.0"), key);
    EXPECT_NE(cuda::CubinCache::key({.text = "texT", .headers = program.headers}, "k", {"-o"}, "13.0"), key);
    EXPECT_NE(cuda::CubinCache::key({.text = "text", .headers = {{"name", "Body"}}}, "k", {"-o"}, "13.0"), key);
    EXPECT_NE(cuda::CubinCache::key(program, "j", {"-o"}, "13.0"), key);
    EXPECT_NE(cuda::CubinCache::key(program, "k", {"-p"}, "13.0"), key);
    EXPECT_NE(cuda::CubinCache::key(program, "k", {"-o"}, "12.9"), key);
}

} // namespace
