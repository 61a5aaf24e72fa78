#include "app/tables/of_warp.h"

#include "viz/analysis/access.h"
#include "viz/analysis/bank_picture.h"
#include "viz/analysis/heatmap.h"
#include "viz/analysis/sectors.h"

#include <nlohmann/json.hpp>

#include <bit>
#include <string>

namespace app {

namespace {

using Json = nlohmann::json;

struct ComparedWarp {
    std::string slug;
    const WarpTrack* track;
    std::size_t step;
};

// The stages shown of which a warp was recorded, each at its step.
std::vector<ComparedWarp> sides(const Snapshot& snapshot, const State& state)
{
    std::vector<ComparedWarp> result;
    for (const viz::StageColumn& column : snapshot.columns)
        if (const WarpTrack& track = state.tracks[column.number]; track.warp() != nullptr)
            result.push_back({column.slug, &track, state.at.selection.step_of(column.number)});
    return result;
}

std::string array_name(const recording::Recording& recording, const recording::Access& access)
{
    const bool has = viz::is_global(access.op) || viz::touches_shared(access.op);
    return has && access.array < recording.arrays.size() ? recording.arrays[access.array].name : "";
}

} // namespace

Table steps_of_warp(const Snapshot& snapshot, const State& state)
{
    Table table("steps", "stage | step | line | operation | array | bytes_per_lane | lanes | wavefronts | conflicts | "
                         "requests | sectors");
    for (const ComparedWarp& side : sides(snapshot, state)) {
        const auto& accesses = side.track->warp()->accesses;
        for (std::size_t i = 0; i < accesses.size(); ++i) {
            const recording::Access& access = accesses[i];
            const recording::Access* next = i + 1 < accesses.size() ? &accesses[i + 1] : nullptr;
            const model::SharedCost shared = viz::shared_cost(access);
            const model::GlobalCost global = viz::global_cost(access, next);
            const bool is_shared = viz::is_shared(access.op), is_global = global.requests > 0;
            table.add({side.slug, i, access.line, std::string(recording::name(access.op)),
                       array_name(*side.track->recording(), access), access.width, std::popcount(access.mask),
                       is_shared ? Json(shared.wavefronts) : Json(), is_shared ? Json(shared.conflicts) : Json(),
                       is_global ? Json(global.requests) : Json(), is_global ? Json(global.sectors) : Json()});
        }
    }
    return table;
}

Table banks_of_step(const Snapshot& snapshot, const State& state)
{
    Table table("banks", "stage | step | line | operation | array | wavefront | bank | word | lane");
    for (const ComparedWarp& side : sides(snapshot, state)) {
        const auto step = viz::nearest_step(*side.track->warp(), side.step, [&](std::size_t at) {
            return viz::is_shared(side.track->warp()->accesses[at].op);
        });
        if (!step)
            continue;
        const recording::Access& access = side.track->warp()->accesses[*step];
        const viz::BankPicture picture = viz::bank_picture(access.op, viz::pattern_of(access));
        for (const viz::BankSpan& span : picture.spans)
            for (int i = 0; i < span.banks; ++i)
                for (uint32_t lane = 0; lane < recording::warp_size; ++lane)
                    if ((span.lanes >> lane & 1u) != 0)
                        table.add({side.slug, *step, access.line, std::string(recording::name(access.op)),
                                   array_name(*side.track->recording(), access), span.wavefront + 1, span.bank + i,
                                   span.word + static_cast<uint64_t>(i), lane});
    }
    return table;
}

Table costs_of_lines(const Snapshot& snapshot, const State& state)
{
    Table table("shared memory by line", "stage | line | operation | array | instructions | wavefronts | conflicts");
    for (const ComparedWarp& side : sides(snapshot, state)) {
        const recording::Recording& recording = *side.track->recording();
        for (const viz::HeatRow& row : viz::heatmap(*side.track->block()).rows)
            table.add({side.slug, row.line, std::string(recording::name(row.op)), recording.arrays.at(row.array).name,
                       row.totals.instructions, row.totals.wavefronts, row.totals.conflicts});
    }
    return table;
}

Table sectors_of_lines(const Snapshot& snapshot, const State& state)
{
    Table table("global memory by line", "stage | line | operation | array | requests | sectors | used_bytes | "
                                         "used_share | requests_of_launch | sectors_of_launch");
    for (const ComparedWarp& side : sides(snapshot, state)) {
        const recording::Recording& recording = *side.track->recording();
        for (const viz::GlobalUse& use : viz::global_use(recording, *side.track->block()))
            table.add({side.slug, use.line, use.store ? "store" : "load", recording.arrays.at(use.array).name,
                       use.requests, use.sectors, use.used_bytes, use.used_share(), use.launch.requests,
                       use.launch.sectors});
    }
    return table;
}

} // namespace app
