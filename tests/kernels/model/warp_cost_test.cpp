// Compares kernels/device/warp_cost.h, which CountProbe runs on the GPU, with the measured table. Here the lanes of a
// warp run one after another. A lane runs until it needs the other lanes' values. When all lanes have reached that
// point, each starts again with the values.
#include "device/platform.h"
#include "model/pattern_file.h"
#include "tests/paths.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstdint>
#include <random>
#include <vector>

namespace {

struct Waiting {};

// The values of the lanes of a warp at a collective operation.
struct Meeting {
    uint32_t present = 0;
    std::array<uint32_t, 32> value{};
};

struct Warp {
    std::vector<Meeting> meetings;
    std::size_t complete = 0, next = 0; // collectives that all lanes have reached; the next collective of this lane
    uint32_t lane = 0;

    const Meeting& meet(uint32_t value)
    {
        if (next < complete)
            return meetings[next++];
        meetings.resize(complete + 1);
        meetings.back().present |= 1u << lane;
        meetings.back().value[lane] = value;
        throw Waiting{};
    }
};

Warp warp; // the state of the functions below, which have the names of CUDA's functions

int __popc(uint32_t bits)
{
    return std::popcount(bits);
}

int __ffs(uint32_t bits)
{
    return bits == 0 ? 0 : std::countr_zero(bits) + 1;
}

template <class Matches>
uint32_t lanes_where(const Meeting& meeting, Matches matches)
{
    uint32_t result = 0;
    for (uint32_t lane = 0; lane < 32; ++lane)
        if ((meeting.present >> lane & 1) != 0 && matches(meeting.value[lane]))
            result |= 1u << lane;
    return result;
}

uint32_t __ballot_sync(uint32_t, bool vote)
{
    return lanes_where(warp.meet(vote), [](uint32_t value) { return value != 0; });
}

bool __all_sync(uint32_t, bool vote)
{
    return lanes_where(warp.meet(vote), [](uint32_t value) { return value == 0; }) == 0;
}

uint32_t __match_any_sync(uint32_t, uint32_t mine)
{
    return lanes_where(warp.meet(mine), [mine](uint32_t value) { return value == mine; });
}

uint32_t __shfl_sync(uint32_t, uint32_t mine, uint32_t lane)
{
    return warp.meet(mine).value[lane];
}

uint32_t __shfl_xor_sync(uint32_t, uint32_t mine, int distance)
{
    return warp.meet(mine).value[warp.lane ^ distance];
}

uint32_t __shfl_up_sync(uint32_t, uint32_t mine, uint32_t distance)
{
    return warp.meet(mine).value[warp.lane < distance ? warp.lane : warp.lane - distance];
}

#include "device/warp_cost.h"

// Runs `body(lane)` for the lanes of a warp that have not returned. All must return the same result.
template <class Body>
auto run_warp(uint32_t running, Body body)
{
    warp = {};
    decltype(body(0u)) answer{};
    for (uint32_t finished = 0; finished != running;) {
        warp.complete = warp.meetings.size();
        for (uint32_t lane = 0; lane < 32; ++lane) {
            if (!(running >> lane & 1))
                continue;
            warp.lane = lane;
            warp.next = 0;
            try {
                const auto mine = body(lane);
                EXPECT_TRUE(finished == 0 || mine == answer) << "lane " << lane;
                answer = mine;
                finished |= 1u << lane;
            } catch (const Waiting&) {
            }
        }
    }
    return answer;
}

struct Case {
    model::Pattern pattern;
    bool store = false;
    uint32_t running = ~0u; // the other lanes have returned
};

model::SharedCost shared_by_warp(const Case& c)
{
    const auto pair = run_warp(c.running, [&c](uint32_t lane) {
        const warp_cost::Shared cost = warp_cost::shared(
            ~0u, lane, c.pattern.mask, static_cast<uint32_t>(c.pattern.offset[lane]), c.pattern.width, c.store);
        return std::pair(cost.wavefronts, cost.conflicts);
    });
    return {static_cast<int>(pair.first), static_cast<int>(pair.second)};
}

int sectors_by_warp(const Case& c)
{
    return static_cast<int>(run_warp(c.running, [&c](uint32_t lane) {
        return warp_cost::sectors(~0u, lane, c.pattern.mask, c.pattern.offset[lane]);
    }));
}

TEST(WarpCost, AgreesWithEveryMeasuredPattern)
{
    int shared = 0, global = 0;
    for (const model::PatternRow& row : model::read_patterns(test::data("h200_access_patterns.csv"))) {
        const Case c{.pattern = row.pattern, .store = row.op.starts_with("st")};
        ASSERT_TRUE(row.measured) << "line " << row.line;
        if (row.op.ends_with("global")) {
            EXPECT_EQ(sectors_by_warp(c), row.measured->a) << "line " << row.line;
            ++global;
        } else {
            const model::SharedCost cost = shared_by_warp(c);
            EXPECT_EQ(cost.wavefronts, row.measured->a) << "line " << row.line;
            EXPECT_EQ(cost.conflicts, row.measured->b) << "line " << row.line;
            ++shared;
        }
    }
    EXPECT_EQ(shared, 648);
    EXPECT_EQ(global, 216);
}

// Counts copies that bypass L1, like CountProbe.
TEST(WarpCost, AgreesWithEveryMeasuredCopyPastL1)
{
    int copies = 0;
    for (const model::PatternRow& row : model::read_patterns(test::data("h200_copy_patterns.csv"))) {
        if (row.op != "cp.cg.global" || row.pattern.mask == 0)
            continue;
        const auto sectors = run_warp(~0u, [&row](uint32_t lane) {
            const uint64_t from = row.pattern.offset[lane];
            return warp_cost::copied_sectors(~0u, lane, row.pattern.mask,
                                             static_cast<uint32_t>(from / 32) | (from % 32 >= 16 ? 1u << 31 : 0),
                                             static_cast<uint32_t>(row.other[lane]));
        });
        EXPECT_EQ(static_cast<int>(sectors), row.measured->a) << "line " << row.line;
        ++copies;
    }
    EXPECT_GE(copies, 100);
}

// Lanes have returned, or the addresses are random, uniform, neighboring or descending.
TEST(WarpCost, AgreesWithTheModelOnRandomPatterns)
{
    std::mt19937 engine(11);
    const auto random = [&engine] { return static_cast<uint32_t>(engine()); };
    for (int i = 0; i < 2000; ++i) {
        Case c;
        c.pattern.width = 4 << random() % 3;
        c.store = random() % 2 != 0;
        c.running = random() % 2 != 0 ? ~0u : random() | 1;
        c.pattern.mask = c.running & (random() % 2 != 0 ? ~0u : random());
        if (c.pattern.mask == 0)
            continue; // CountProbe stops earlier
        const uint32_t first = random() % 64, range = 1u << random() % 9;
        const int step = static_cast<int>(random() % 5) - 2;
        const bool straight = random() % 2 != 0;
        for (int lane = 0; lane < 32; ++lane)
            c.pattern.offset[lane] = c.pattern.width * uint64_t{straight ? first + 64 + step * lane : random() % range};
        const model::SharedCost shared =
            model::shared_access(c.store ? recording::Op::shared_store : recording::Op::shared_load, c.pattern);
        EXPECT_EQ(shared_by_warp(c), shared) << "pattern " << i;
        EXPECT_EQ(sectors_by_warp(c), model::global_access(c.pattern).sectors) << "pattern " << i;
    }
}

// A warp repeats, shifts and changes its pattern. A cached pattern must never be mistaken for a different one.
TEST(WarpCost, KnownPatternsCostTheSame)
{
    std::mt19937 engine(12);
    const auto random = [&engine](uint32_t below) { return static_cast<uint32_t>(engine()) % below; };
    std::array<KnownPattern, 32> known{};
    Case c;
    c.pattern.mask = ~0u;
    uint64_t looked_up = 0;
    for (int i = 0; i < 5000; ++i) {
        const auto move = [&c](uint64_t bytes) {
            for (uint64_t& offset : c.pattern.offset)
                offset += bytes;
        };
        switch (random(8)) {
        case 0: // another pattern of another width
            c.pattern.width = 4 << random(3);
            c.store = random(2) != 0;
            for (uint64_t& offset : c.pattern.offset)
                offset = c.pattern.width * uint64_t{random(64)};
            break;
        case 1: c.pattern.mask = 1u << random(32) | static_cast<uint32_t>(engine()); break;
        case 2: c.store = !c.store; break;
        case 3: c.pattern.offset[random(32)] += c.pattern.width; break; // one lane diverges
        default: move(c.pattern.width * uint64_t{random(100)});
        }
        std::array<KnownPattern, 32> next = known;
        const auto cost = run_warp(~0u, [&](uint32_t lane) {
            next[lane] = known[lane];
            const warp_cost::Shared one =
                warp_cost::shared(~0u, lane, c.pattern.mask, static_cast<uint32_t>(c.pattern.offset[lane]),
                                  c.pattern.width, c.store, next[lane]);
            return std::pair(one.wavefronts, one.conflicts);
        });
        looked_up += warp.meetings.size() == 2; // the first lane's address, and the vote
        known = next;
        const model::SharedCost right =
            model::shared_access(c.store ? recording::Op::shared_store : recording::Op::shared_load, c.pattern);
        ASSERT_EQ(static_cast<int>(cost.first), right.wavefronts) << "step " << i;
        ASSERT_EQ(static_cast<int>(cost.second), right.conflicts) << "step " << i;
    }
    EXPECT_GT(looked_up, 2000u);
    EXPECT_LT(looked_up, 3500u);
}

} // namespace
