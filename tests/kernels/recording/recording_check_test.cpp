// Tests contents that are well-formed but inconsistent, one for each rule of docs/recording-format.md.
#include "tests/kernels/recording/recording_file_support.h"

#include <cmath>
#include <functional>
#include <limits>

namespace {

using namespace file_support;
using recording::Access;
using recording::Op;
using recording::Recording;

struct Rule {
    const char* reason; // part of the sentence
    std::function<void(Recording&)> breaks;
};

// Changes the sample and encodes it without any check, in a correct container.
void expect_refused(const std::vector<Rule>& rules)
{
    for (const Rule& rule : rules) {
        Recording recording = sample::recording();
        rule.breaks(recording);
        const std::string reason = refusal(wrap(content_of(recording)));
        EXPECT_TRUE(says(reason, std::string("is not a valid recording: ") + rule.reason));
    }
}

Access& load_of_a(Recording& r)
{
    return r.blocks[1].warps[1].accesses[0];
}

Access& barrier(Recording& r)
{
    return r.blocks[1].warps[1].accesses[2];
}

TEST(RecordingCheck, Strings)
{
    expect_refused({
        {"it names no stage", [](Recording& r) { r.stage.clear(); }},
        {"its stage is not UTF-8", [](Recording& r) { r.stage = "a\xff"; }},
        {"its stage is not UTF-8", [](Recording& r) { r.stage = "\xc0\x80"; }},
        {"its stage is not UTF-8", [](Recording& r) { r.stage = "\xed\xa0\x80"; }},
        {"its stage is not UTF-8", [](Recording& r) { r.stage = "\xf4\x90\x80\x80"; }},
        {"its stage is not UTF-8", [](Recording& r) { r.stage = "a\xe2\x82"; }},
        {"its stage has control characters", [](Recording& r) { r.stage = "\x1b[2J"; }},
        {"its stage is 5000 bytes long", [](Recording& r) { r.stage.assign(5000, 'x'); }},
        {"its parameter's name has control", [](Recording& r) { r.parameters[1].name = "BM\n"; }},
        {"it has 65 parameters, more than the 64", [](Recording& r) { r.parameters.resize(65); }},
        {"its source text is not UTF-8", [](Recording& r) { r.sources[2].text = "\x80"; }},
        {"its source file's name is not UTF-8", [](Recording& r) { r.sources[0].name = "a\x80"; }},
        {"its source text is not UTF-8", [](Recording& r) { r.sources[0].text += "a\x80"; }},
        {"its source text has control", [](Recording& r) { r.sources[2].text = "\xc2\x9b"; }},
        {"its source text is 4194305 bytes long, more than 4194304",
         [](Recording& r) { r.sources[0].text.assign((4 << 20) + 1, 'x'); }},
        {"its parameter BM is there twice",
         [](Recording& r) {
             r.parameters.push_back({"BM", 7});
         }},
        {"one of its arrays has no name", [](Recording& r) { r.arrays[4].name.clear(); }},
        {"its device has 1025 SMs, more than 1024", [](Recording& r) { r.device.sm_count = 1025; }},
        {"its device has 8193 threads on an SM", [](Recording& r) { r.device.max_threads_per_sm = 8193; }},
        {"it uses 1025 registers per thread", [](Recording& r) { r.resources->registers_per_thread = 1025; }},
        {"it uses 262145 bytes of shared memory", [](Recording& r) { r.resources->shared_bytes_per_block = 262145; }},
        {"it uses 1048577 bytes of local memory", [](Recording& r) { r.resources->local_bytes_per_thread = 1048577; }},
        {"65 of its blocks fit an SM, more than 64", [](Recording& r) { r.resources->blocks_per_sm = 65; }},
        {"it uses 1025 registers per thread", [](Recording& r) { r.placed->resources.registers_per_thread = 1025; }},
        {"the time of the launch that placed its blocks is not a number",
         [](Recording& r) { r.placed->plain_ms = -1; }},
        {"the time of the launch that placed its blocks is not a number",
         [](Recording& r) { r.placed->placed_ms = std::numeric_limits<double>::infinity(); }},
        {"array Bs has 262145 bytes, more than the 262144 of a block",
         [](Recording& r) { r.arrays[4].bytes = 262145; }},
        {"block number 0 ran on SM 1024, more than 1023", [](Recording& r) { r.placements[0].sm = 1024; }},
        {"its grid has 1048577 blocks, of which neither owners",
         [](Recording& r) {
             r.launch = {{1048577, 1, 1}, {1, 1, 1}};
             r.placements.clear();
             r.blocks.clear();
             r.owner.assign(r.owner.size(), 0);
         }},
        {"its source text has control", [](Recording& r) { r.sources[0].text += '\0'; }},
        {"its backend is not UTF-8", [](Recording& r) { r.device.backend = "a\x80"; }},
        {"its device is not UTF-8", [](Recording& r) { r.device.name = "a\x80"; }},
        {"its toolkit is not UTF-8", [](Recording& r) { r.device.toolkit = "a\x80"; }},
        {"its time is not UTF-8", [](Recording& r) { r.recorded_at = "a\x80"; }},
        {"the device's peak is not", [](Recording& r) { r.device.peak_gflops = std::nan(""); }},
        {"the device's peak is not", [](Recording& r) { r.device.peak_gflops = -1; }},
    });
}

TEST(RecordingCheck, Launch)
{
    expect_refused({
        {"its problem 0 x 12 x 20 is empty", [](Recording& r) { r.problem.M = 0; }},
        {"its problem 10 x 0 x 20 is empty", [](Recording& r) { r.problem.N = 0; }},
        {"its problem 10 x 12 x 0 is empty", [](Recording& r) { r.problem.K = 0; }},
        {"its grid (0,3,1) is empty", [](Recording& r) { r.launch.grid.x = 0; }},
        {"its grid (2,3,0) is empty", [](Recording& r) { r.launch.grid.z = 0; }},
        {"its grid (2,65536,1) is too large", [](Recording& r) { r.launch.grid.y = 65536; }},
        {"its blocks of (8,0,1) threads are empty", [](Recording& r) { r.launch.block.y = 0; }},
        {"its blocks of (8,200,1) threads are too large", [](Recording& r) { r.launch.block.y = 200; }},
        {"its blocks of (4294967295,4294967295,4294967295) threads are too large",
         [](Recording& r) {
             r.launch.block = {~0u, ~0u, ~0u};
         }},
        {"its launch has 2^32 threads or more",
         [](Recording& r) {
             r.launch.grid = {0x7fffffff, 0xffff, 0xffff};
         }},
        {"its launch has 2^32 threads or more",
         [](Recording& r) {
             r.launch = {{1 << 22, 1, 1}, {1024, 1, 1}};
         }},
    });
}

TEST(RecordingCheck, Arrays)
{
    expect_refused({
        {"it has 2 arrays where A, B and C", [](Recording& r) { r.arrays.resize(2); }},
        {"it has 257 arrays, more than the 256", [](Recording& r) { r.arrays.resize(257, r.arrays[4]); }},
        {"its array's name is not UTF-8", [](Recording& r) { r.arrays[3].name = "a\x80"; }},
        {"array As is in an unknown space", [](Recording& r) { r.arrays[3].space = recording::Space{2}; }},
        {"array A is not in global memory", [](Recording& r) { r.arrays[0].space = recording::Space::shared; }},
        {"array B is empty", [](Recording& r) { r.arrays[1].rows = 0; }},
        {"array B is empty", [](Recording& r) { r.arrays[1].cols = 0; }},
        {"array B is empty", [](Recording& r) { r.arrays[1].rows = r.arrays[1].cols = 0; }},
        {"array Bs is empty",
         [](Recording& r) {
             r.arrays[4].rows = r.arrays[4].cols = 0;
             r.arrays[4].bytes = 0;
         }},
        {"array B has elements of 0 bytes", [](Recording& r) { r.arrays[1].element_bytes = 0; }},
        {"array B has elements of 17 bytes", [](Recording& r) { r.arrays[1].element_bytes = 17; }},
        {"array B has 4294967297 bytes", [](Recording& r) { r.arrays[1].bytes = (uint64_t{1} << 32) + 1; }},
        {"array B has 240 elements but 959 bytes", [](Recording& r) { --r.arrays[1].bytes; }},
        {"array B has 18446744065119617025 elements but 960 bytes",
         [](Recording& r) { r.arrays[1].rows = r.arrays[1].cols = ~0u; }},
        {"array B has 4611686018427387904 elements but 960 bytes", // times 4 bytes is 2^64
         [](Recording& r) { r.arrays[1].rows = r.arrays[1].cols = 1u << 31; }},
        {"array B has rows of 48 bytes, 47 apart", [](Recording& r) { r.arrays[1].pitch = 47; }},
        {"array B has 240 elements but 960 bytes", [](Recording& r) { r.arrays[1].pitch = 52; }},
        {"array As has both a layout and a pitch", [](Recording& r) { r.arrays[3].pitch = 52; }},
        {"array As has 192 elements but 191 in its layout", [](Recording& r) { r.arrays[3].layout.pop_back(); }},
        {"array As has 832 bytes but an element at byte 829", [](Recording& r) { r.arrays[3].layout[7] = 829; }},
        {"array As has 832 bytes but an element at byte 4294967295", [](Recording& r) { r.arrays[3].layout[7] = ~0u; }},
        {"C is 10 x 12 but the problem 11 x 12", [](Recording& r) { r.problem.M = 11; }},
        {"C is 12 x 10 but the problem 10 x 12", [](Recording& r) { std::swap(r.arrays[2].rows, r.arrays[2].cols); }},
    });
}

TEST(RecordingCheck, LinesOwnersAndPlacements)
{
    expect_refused({
        {"its totals are not in the order of their lines: 0", [](Recording& r) { r.lines[0].line = 0; }},
        {"its totals are not in the order of their lines: 5", [](Recording& r) { r.lines[2].line = 5; }},
        {"it has totals for line 9 of a source of 8", [](Recording& r) { r.lines[3].line = 9; }},
        {"line 4 has costs of more atomic operations",
         [](Recording& r) {
             r.lines[0].totals.global_atomic_cost = {9, 9};
         }},
        {"line 4 has costs of atomic operations that contradict",
         [](Recording& r) {
             r.lines[0].totals.shared_atomic = {2, 64, 2};
             r.lines[0].totals.shared_atomic_cost = {2, 4, 5};
         }},
        {"it has 65537 lines", [](Recording& r) { r.lines.resize(65537); }},
        {"its owner map has 119 elements but C has 120", [](Recording& r) { r.owner.pop_back(); }},
        {"its owner map names thread 288 of 288", [](Recording& r) { r.owner[5] = 288; }},
        {"its owner map names thread 4294967294", [](Recording& r) { r.owner[5] = recording::no_owner - 1; }},
        {"it places 5 blocks of 6", [](Recording& r) { r.placements.pop_back(); }},
        {"block number 3 ended before it started", [](Recording& r) { r.placements[3].end_ns = 2; }},
    });
}

TEST(RecordingCheck, Traces)
{
    expect_refused({
        {"block (2,0,0) is not in its grid", [](Recording& r) { r.blocks[0].block.x = 2; }},
        {"block (0,3,0) is not in its grid", [](Recording& r) { r.blocks[0].block.y = 3; }},
        {"block (0,0,1) is not in its grid", [](Recording& r) { r.blocks[0].block.z = 1; }},
        {"block (1,2,0) is in it twice",
         [](Recording& r) {
             r.blocks[0].block = {1, 2, 0};
         }},
        {"block (0,0,0) has 1 warps instead of 2", [](Recording& r) { r.blocks[0].warps.pop_back(); }},
        {"block (0,0,0) has 3 warps instead of 2", [](Recording& r) { r.blocks[0].warps.emplace_back(); }},
        {"it traces more than the 1048576 warps", [](Recording& r) { r.blocks[0].warps.resize((1 << 20) + 1); }},
    });
}

TEST(RecordingCheck, Accesses)
{
    expect_refused({
        {"in block (1,2,0), warp 1, access 0 is of unknown kind 21", [](Recording& r) { load_of_a(r).op = Op{21}; }},
        {"in block (1,2,0), warp 1, access 0 is in line 0", [](Recording& r) { load_of_a(r).line = 0; }},
        {"in block (1,2,0), warp 1, access 0 is in line 9 of 8", [](Recording& r) { load_of_a(r).line = 9; }},
        {"in block (1,2,0), warp 1, access 0 has lanes of threads that",
         [](Recording& r) { load_of_a(r).mask |= 1 << 16; }},
        {"in block (1,2,0), warp 1, access 0 is to array 5 of 5", [](Recording& r) { load_of_a(r).array = 5; }},
        {"in block (1,2,0), warp 1, access 0 is to array As in the wrong space",
         [](Recording& r) { load_of_a(r).array = 3; }},
        {"in block (1,2,0), warp 1, access 0 is 0 bytes wide", [](Recording& r) { load_of_a(r).width = 0; }},
        {"in block (1,2,0), warp 1, access 0 is 32 bytes wide", [](Recording& r) { load_of_a(r).width = 32; }},
        {"in block (1,2,0), warp 1, access 0 leaves array A in lane 3",
         [](Recording& r) { load_of_a(r).offset[3] = 800; }},
        {"in block (1,2,0), warp 1, access 0 leaves array A in lane 3",
         [](Recording& r) { load_of_a(r).offset[3] = ~0u; }},
        {"in block (1,2,0), warp 1, access 0 is not aligned to its 4 bytes in lane 2",
         [](Recording& r) { load_of_a(r).offset[2] = 18; }},
        {"in block (1,2,0), warp 1, access 0 has an address for lane 20",
         [](Recording& r) { load_of_a(r).offset[20] = 4; }},
        {"in block (1,2,0), warp 1, access 2 is a barrier with", [](Recording& r) { barrier(r).width = 4; }},
        {"in block (1,2,0), warp 1, access 2 is a barrier with", [](Recording& r) { barrier(r).array = 1; }},
        {"in block (1,2,0), warp 1, access 2 is a barrier with", [](Recording& r) { barrier(r).offset[3] = 4; }},
    });
}

// Finds a step in the first warp of sample::with_every_kind(), which has one step of each kind.
Access& step_of(Recording& r, Op op)
{
    for (Access& access : r.blocks[0].warps[0].accesses)
        if (access.op == op)
            return access;
    throw std::out_of_range("no such step");
}

TEST(RecordingCheck, EveryKindOfStep)
{
    const std::vector<Rule> rules = {
        {"access 5 has 32 in lane 3, more than 31", [](Recording& r) { step_of(r, Op::shuffle).offset[3] = 32; }},
        {"access 5 is a shuffle with a width", [](Recording& r) { step_of(r, Op::shuffle).width = 4; }},
        {"access 5 is a shuffle with an array", [](Recording& r) { step_of(r, Op::shuffle).array = 1; }},
        {"access 5 has an address for lane 1", [](Recording& r) { step_of(r, Op::shuffle).mask = 1; }},
        {"access 6 is a matrix load of 8 bytes", [](Recording& r) { step_of(r, Op::matrix_load).width = 8; }},
        {"access 6 is to array B in the wrong space", [](Recording& r) { step_of(r, Op::matrix_load).array = 1; }},
        {"access 6 is not aligned to its 16", [](Recording& r) { step_of(r, Op::matrix_load).offset[9] += 8; }},
        {"access 7 is to array Bs in the wrong space", [](Recording& r) { step_of(r, Op::async_load).array = 4; }},
        {"access 7 leaves array B in lane 2", [](Recording& r) { step_of(r, Op::async_load).offset[2] = 640; }},
        {"access 8 is to array B in the wrong space", [](Recording& r) { step_of(r, Op::async_store).array = 1; }},
        {"access 8 is 2 bytes wide", [](Recording& r) { step_of(r, Op::async_store).width = 2; }},
        {"access 9 is a commit of copies with a width", [](Recording& r) { step_of(r, Op::async_commit).width = 1; }},
        {"access 9 is a commit of copies with an address",
         [](Recording& r) { step_of(r, Op::async_commit).offset[0] = 1; }},
        {"access 10 is a wait for copies with an address",
         [](Recording& r) { step_of(r, Op::async_wait).offset[0] = 1; }},
        {"access 11 is a matrix multiplication with an address",
         [](Recording& r) { step_of(r, Op::matrix_multiply).offset[0] = 4; }},
        {"access 11 is to array B in the wrong space", [](Recording& r) { step_of(r, Op::matrix_multiply).array = 1; }},
        {"access 13 is 0 bytes wide", [](Recording& r) { step_of(r, Op::tile_load).width = 0; }},
        {"access 13 leaves array Bs in lane 15", [](Recording& r) { step_of(r, Op::tile_load).offset[15] = 1000; }},
        {"access 13 is not aligned to its 2 bytes", [](Recording& r) { step_of(r, Op::tile_load).offset[0] = 1; }},
        {"access 14 leaves array C in lane 9", [](Recording& r) { step_of(r, Op::tile_store).width = 64; }},
        {"access 15 is a bulk copy's load of several lanes", [](Recording& r) { step_of(r, Op::bulk_load).mask = 3; }},
        {"access 15 is to array As in the wrong space", [](Recording& r) { step_of(r, Op::bulk_load).array = 3; }},
        {"access 15 is to array B in the wrong space", [](Recording& r) { step_of(r, Op::bulk_store).array = 1; }},
        {"access 16 leaves array Bs", [](Recording& r) { step_of(r, Op::bulk_store).offset[0] = 1024; }},
        {"access 17 has 256 in lane 0, more than 255", [](Recording& r) { step_of(r, Op::arrive).offset[0] = 256; }},
        {"access 18 is a wait at a barrier with an array", [](Recording& r) { step_of(r, Op::wait).array = 1; }},
        {"access 5 says 1 of its transposition",
         [](Recording& r) { step_of(r, Op::shuffle).transposed = recording::Transposed::no; }},
        {"access 6 says 3 of its transposition",
         [](Recording& r) { step_of(r, Op::matrix_load).transposed = recording::Transposed{3}; }},
        {"access 18 is to array 9 of 5",
         [](Recording& r) {
             Access& access = step_of(r, Op::wait);
             access = {.op = Op::tile_load, .array = 9, .width = 4, .line = access.line};
         }},
    };
    for (const Rule& rule : rules) {
        Recording recording = sample::with_every_kind();
        ASSERT_EQ(refusal(wrap(content_of(recording))), "");
        rule.breaks(recording);
        const std::string reason = refusal(wrap(content_of(recording)));
        EXPECT_TRUE(says(reason, std::string("in block (0,0,0), warp 0, ") + rule.reason));
    }
}

TEST(RecordingCheck, AcceptsTheLimits)
{
    Recording recording = sample::recording();
    recording.sources[1].text.clear(); // then any line is valid
    recording.lines.back().line = UINT32_MAX;
    load_of_a(recording).line = UINT32_MAX;
    load_of_a(recording).offset[3] = 796; // the last element
    load_of_a(recording).mask = 0;
    load_of_a(recording).offset = {};
    recording.owner[0] = 287;
    recording.sources[0].name = "\xf4\x8f\xbf\xbf\xed\x9f\xbf\xe0\xa0\x80"; // the ends of UTF-8's ranges
    EXPECT_EQ(refusal(wrap(content_of(recording))), "");
    recording.sources[1].text = "1\n2\n3\n4\n5\n6\n7\n8"; // the last line has no line break
    recording.lines.back().line = 8;
    load_of_a(recording).line = 8;
    EXPECT_EQ(refusal(wrap(content_of(recording))), "");
}

TEST(RecordingCheck, AcceptsAnOperandThatTheKernelDoesNotHave)
{
    Recording recording = sample::recording();
    recording.arrays[1].rows = recording.arrays[1].cols = 0;
    recording.arrays[1].bytes = 0;
    EXPECT_EQ(refusal(wrap(content_of(recording))), "");
}

// write() must apply decode()'s limits to recordings of any size.
TEST(RecordingCheck, LimitsHoldBeforeEncodingToo)
{
    const std::vector<Rule> rules = {
        {"it has 65 parameters, more than the 64", [](Recording& r) { r.parameters.resize(65); }},
        {"it has 257 arrays, more than the 256", [](Recording& r) { r.arrays.resize(257, r.arrays[4]); }},
        {"it has 65537 lines, more than the 65536", [](Recording& r) { r.lines.resize(65537); }},
        {"its lines are in source file 3 of 3", [](Recording& r) { r.body = 3; }},
        {"it has 0 source files", [](Recording& r) { r.sources.clear(); }},
        {"it has 17 source files", [](Recording& r) { r.sources.resize(17); }},
        {"it traces 1048578 warps, more than 1048576", [](Recording& r) { r.blocks.resize((1 << 19) + 1); }},
    };
    const Folder folder;
    for (const Rule& rule : rules) {
        Recording recording = sample::recording();
        rule.breaks(recording);
        const std::string said = test::refusal([&] { recording::write(recording, folder / "x.gscope"); });
        EXPECT_TRUE(says(said, rule.reason));
    }
}

TEST(RecordingCheck, DecodeRefusesMoreThanTheLimitUnseen)
{
    const std::byte one{};
    EXPECT_EQ(test::refusal([&] {
                  recording::decode({&one, recording::content_limit + 1});
              }),
              "its content is too large");
}

} // namespace
