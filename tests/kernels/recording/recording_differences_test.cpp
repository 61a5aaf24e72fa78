// Tests the sentences of differences() about two recordings.
#include "recording/file.h"
#include "tests/kernels/recording/sample_recording.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace {

using recording::Recording;
using Sentences = std::vector<std::string>;

// Compares the sample with a changed sample, and returns the sentences.
Sentences after(const std::function<void(Recording&)>& change, size_t limit = 20)
{
    Recording changed = sample::recording();
    change(changed);
    return recording::differences(sample::recording(), changed, limit);
}

recording::Access& access(Recording& r, size_t index)
{
    return r.blocks[1].warps[0].accesses[index];
}

TEST(RecordingDifferences, EqualRecordings)
{
    EXPECT_EQ(after([](Recording&) {}), Sentences{});
}

TEST(RecordingDifferences, WhereItRanIsNotCompared)
{
    EXPECT_EQ(after([](Recording& r) {
                  r.device = {};
                  r.recorded_at.clear();
                  r.placements.clear();
                  r.resources.reset();
                  r.placed.reset();
                  r.sources = {{}};
                  r.body = 0;
                  std::swap(r.blocks[0], r.blocks[1]);
                  std::swap(r.parameters[0], r.parameters[1]);
              }),
              Sentences{});
    Recording nan = sample::recording();
    nan.problem.alpha = std::nanf("");
    EXPECT_EQ(recording::differences(nan, nan), Sentences{});
}

TEST(RecordingDifferences, StageParametersAndLaunch)
{
    EXPECT_EQ(after([](Recording& r) { r.stage = "naive"; }), Sentences{"stage: shared_tile vs naive"});
    EXPECT_EQ(after([](Recording& r) { r.parameters[0].value = 7; }), Sentences{"parameter BM, value: 6 vs 7"});
    EXPECT_EQ(after([](Recording& r) { r.parameters[0].name = "BN"; }),
              (Sentences{"parameter BM: only in the first recording", "parameter BN: only in the second recording"}));
    EXPECT_EQ(after([](Recording& r) { r.problem.K = 21; }), Sentences{"problem, K: 20 vs 21"});
    EXPECT_EQ(after([](Recording& r) { r.problem.alpha = 2; }), Sentences{"problem, alpha: 0.5 vs 2"});
    EXPECT_EQ(after([](Recording& r) { r.problem.beta = 0; }), Sentences{"problem, beta: -0 vs 0"});
    EXPECT_EQ(after([](Recording& r) { r.launch.grid.z = 2; }), Sentences{"launch, grid: (2,3,1) vs (2,3,2)"});
    EXPECT_EQ(after([](Recording& r) { r.launch.block.x = 9; }), Sentences{"launch, block: (8,6,1) vs (9,6,1)"});
}

TEST(RecordingDifferences, Arrays)
{
    EXPECT_EQ(after([](Recording& r) { r.arrays.pop_back(); }), Sentences{"array Bs: only in the first recording"});
    EXPECT_EQ(after([](Recording& r) { r.arrays[4].name = "Xs"; }), Sentences{"array number 4, name: Bs vs Xs"});
    EXPECT_EQ(after([](Recording& r) { r.arrays[4].space = recording::Space::global; }),
              Sentences{"array Bs, space: shared vs global"});
    EXPECT_EQ(after([](Recording& r) { r.arrays[3].rows = 17; }), Sentences{"array As, rows: 16 vs 17"});
    EXPECT_EQ(after([](Recording& r) { r.arrays[3].element_bytes = 2; }),
              Sentences{"array As, bytes per element: 4 vs 2"});
    EXPECT_EQ(after([](Recording& r) { r.arrays[3].bytes = 1000; }), Sentences{"array As, bytes: 832 vs 1000"});
    EXPECT_EQ(after([](Recording& r) { r.arrays[3].layout[14] = 8; }),
              Sentences{"array As, layout: 1 of 192 elements differ, the first is (1,2): byte 60 vs byte 8"});
    EXPECT_EQ(after([](Recording& r) { r.arrays[3].layout.clear(); }),
              Sentences{"array As, layout: only in the first recording"});
}

TEST(RecordingDifferences, TotalsPerLine)
{
    EXPECT_EQ(after([](Recording& r) {
                  r.lines[0].totals.global_load = {13, 49};
                  r.lines[1].totals.shared_store.conflicts = 0;
                  r.lines[2].totals.shared_load = {1, 2, 3};
                  r.lines[3].totals.global_store.sectors = 1;
              }),
              (Sentences{"line 4, global load, requests: 12 vs 13", "line 4, global load, sectors: 48 vs 49",
                         "line 5, shared store, conflicts: 12 vs 0", "line 7, shared load, instructions: 12 vs 1",
                         "line 7, shared load, wavefronts: 48 vs 2", "line 8, global store, sectors: 36 vs 1"}));
    EXPECT_EQ(after([](Recording& r) { r.lines.erase(r.lines.begin() + 1); }),
              Sentences{"line 5: only in the first recording"});
    EXPECT_EQ(after([](Recording& r) { r.lines.back().line = 9; }),
              (Sentences{"line 8: only in the first recording", "line 9: only in the second recording"}));
}

TEST(RecordingDifferences, Owners)
{
    EXPECT_EQ(after([](Recording& r) {
                  r.owner[13] = 50;
                  r.owner[14] = recording::no_owner;
              }),
              Sentences{"owners: 2 of 120 elements differ, the first is (1,1): nobody vs thread 2 of block 1"});
    EXPECT_EQ(after([](Recording& r) { r.owner.clear(); }), Sentences{"owners: of 120 elements vs 0"});
}

TEST(RecordingDifferences, Accesses)
{
    EXPECT_EQ(after([](Recording& r) { access(r, 1).line = 6; }),
              Sentences{"block (1,2,0), warp 0, access 1 (shared store in line 5, array As), line: 5 vs 6"});
    EXPECT_EQ(after([](Recording& r) { access(r, 1).offset[3] = 64; }),
              Sentences{"block (1,2,0), warp 0, access 1 (shared store in line 5, array As), lane 3: byte 60 vs 64"});
    EXPECT_EQ(
        after([](Recording& r) { access(r, 0).mask = 0x7fff; }),
        Sentences{"block (1,2,0), warp 0, access 0 (global load in line 4, array A), mask: 0000ffff vs 00007fff"});
    EXPECT_EQ(after([](Recording& r) { access(r, 3).width = 4; }),
              Sentences{"block (1,2,0), warp 0, access 3 (shared load in line 7, array Bs), bytes per lane: 16 vs 4"});
    EXPECT_EQ(
        after([](Recording& r) {
            access(r, 4).op = recording::Op::global_load;
            access(r, 4).array = 9;
        }),
        (Sentences{
            "block (1,2,0), warp 0, access 4 (global store in line 8, array C), operation: global store vs global load",
            "block (1,2,0), warp 0, access 4 (global store in line 8, array C), array: C vs number 9"}));
    EXPECT_EQ(after([](Recording& r) { access(r, 2).instruction = 9; }),
              Sentences{"block (1,2,0), warp 0, access 2 (barrier in line 6), machine instruction: 0 vs 9"});
    EXPECT_EQ(after([](Recording& r) { access(r, 2).mask = 1; }),
              Sentences{"block (1,2,0), warp 0, access 2 (barrier in line 6), mask: ffffffff vs 00000001"});
}

TEST(RecordingDifferences, StepsWithoutAddresses)
{
    const Recording a = sample::with_every_kind();
    const auto changed = [&a](size_t step, const std::function<void(recording::Access&)>& change) {
        Recording b = a;
        change(b.blocks[0].warps[0].accesses[step]);
        return recording::differences(a, b);
    };
    EXPECT_EQ(changed(5, [](recording::Access& x) { x.offset[3] = 7; }),
              Sentences{"block (0,0,0), warp 0, access 5 (shuffle in line 4), lane 3: lane 28 vs 7"});
    EXPECT_EQ(changed(10, [](recording::Access& x) { x.width = 1; }),
              Sentences{"block (0,0,0), warp 0, access 10 (wait for copies in line 4), groups: 2 vs 1"});
    EXPECT_EQ(changed(17, [](recording::Access& x) { x.offset[0] = 6; }),
              Sentences{"block (0,0,0), warp 0, access 17 (arrival at a barrier in line 4), lane 0: barrier 5 vs 6"});
    Recording b = a;
    b.arrays[1].pitch = 24;
    EXPECT_EQ(recording::differences(a, b), Sentences{"array B, bytes from row to row: 32 vs 24"});
    b.arrays[1].pitch = 0; // has the same meaning
    EXPECT_EQ(recording::differences(a, b), Sentences{"array B, bytes from row to row: 32 vs 24"});
}

TEST(RecordingDifferences, TranspositionWhereBothKnowIt)
{
    const Recording a = sample::with_every_kind();
    const auto changed = [&a](recording::Transposed to) {
        Recording b = a;
        b.blocks[0].warps[0].accesses[20].transposed = to;
        return recording::differences(a, b);
    };
    EXPECT_EQ(changed(recording::Transposed::no),
              Sentences{"block (0,0,0), warp 0, access 20 (matrix load in line 4, array Bs), transposed: yes vs no"});
    EXPECT_EQ(changed(recording::Transposed::unknown), Sentences{});
}

TEST(RecordingDifferences, LengthsOfTraces)
{
    EXPECT_EQ(after([](Recording& r) { r.blocks[1].warps[1].accesses.pop_back(); }),
              Sentences{"block (1,2,0), warp 1, accesses: 5 vs 4"});
    EXPECT_EQ(after([](Recording& r) { r.blocks[0].warps.pop_back(); }), Sentences{"block (0,0,0), warps: 2 vs 1"});
    EXPECT_EQ(after([](Recording& r) {
                  r.blocks[0].block = {1, 1, 0};
              }),
              (Sentences{"block (0,0,0): only in the first recording", "block (1,1,0): only in the second recording"}));
}

TEST(RecordingDifferences, LimitCountsTheRest)
{
    const auto change = [](Recording& r) {
        for (recording::Access& a : r.blocks[0].warps[0].accesses)
            a.line += 1;
    };
    EXPECT_EQ(after(change, 5).size(), 5u);
    const Sentences cut = after(change, 2);
    ASSERT_EQ(cut.size(), 3u);
    EXPECT_EQ(cut[1], "block (0,0,0), warp 0, access 1 (shared store in line 5, array As), line: 5 vs 6");
    EXPECT_EQ(cut[2], "... and 3 more");
    EXPECT_EQ(after(change, 0), Sentences{"... and 5 more"});
}

} // namespace
