#include "viz/analysis/tile_work.h"

#include "viz/analysis/launches.h"
#include "viz/analysis/parameters.h"
#include "viz/analysis/recorded_parts.h"
#include "viz/analysis/values.h"

#include "model/work_split.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <string_view>
#include <utility>

namespace viz {

using recording::Recording;

namespace {

constexpr uint64_t most_work = uint64_t{1} << 31; // in k-tiles, as model::work_split requires
constexpr uint64_t most_parts = uint64_t{1} << 22;
constexpr uint32_t most_places = uint32_t{1} << 16; // slots for blocks, each of which is a lane

uint64_t ceil_div(uint64_t a, uint64_t b)
{
    return (a + b - 1) / b;
}

// Returns 0 if the parameter is missing or negative.
uint32_t parameter_value(const Recording& recording, std::string_view name)
{
    return static_cast<uint32_t>(std::max(0, parameter_of(recording.parameters, name).value_or(0)));
}

// How clusters take tiles. The tiles of a cluster are adjacent. Clusters take groups of tiles in the order in which
// single blocks take tiles in other stages.
struct TileRaster {
    uint32_t group = 1, above = 1, beside = 1;
};

void place_tiles(TileWork& work, const TileRaster& raster)
{
    const uint32_t rows = work.rows / raster.above, cols = work.cols / raster.beside;
    work.numbers.resize(std::size_t{work.rows} * work.cols);
    for (uint32_t number = 0; number < rows * cols; ++number) {
        const model::TilePlace first = model::tile_place(number, rows, cols, raster.group);
        for (uint32_t rank = 0; rank < work.cluster; ++rank) {
            const Cell place{first.row * raster.above + rank / raster.beside,
                             first.col * raster.beside + rank % raster.beside};
            work.numbers[std::size_t{place.row} * work.cols + place.col] = work.tiles();
            work.places.push_back(place);
        }
    }
}

// Distributes the work to clusters. If `clusters` is not 0, only so many are launched, and a cluster continues with a
// later share when it is done.
void deal(TileWork& work, uint32_t wave, uint32_t clusters)
{
    work.wave = wave * work.cluster;
    const auto shares = model::work_split(work.tiles() / work.cluster, work.k_tiles, wave);
    for (const model::WorkShare& share : shares)
        for (uint32_t rank = 0; rank < work.cluster; ++rank)
            work.parts.push_back({(clusters == 0 ? share.block : share.block % clusters) * work.cluster + rank,
                                  share.tile * work.cluster + rank, share.first, share.count});
    std::ranges::stable_sort(work.parts, {}, &WorkPart::block);
}

// Slice z gets every n-th k-tile, starting with number z.
void deal_slices(TileWork& work, uint32_t slices)
{
    work.slices = slices;
    for (uint32_t slice = 0; slice < slices; ++slice)
        for (uint32_t tile = 0; tile < work.tiles(); ++tile)
            for (uint32_t k = slice; k < work.k_tiles; k += slices)
                work.parts.push_back({slice * work.tiles() + tile, tile, k, 1});
}

// Each block of a cluster gets one part of K of the cluster's tile.
void deal_depth(TileWork& work, uint32_t depth)
{
    work.depth = depth;
    const auto begin = [&](uint32_t rank) { return static_cast<uint32_t>(uint64_t{work.k_tiles} * rank / depth); };
    for (uint32_t tile = 0; tile < work.tiles(); ++tile)
        for (uint32_t rank = 0; rank < depth; ++rank)
            if (const uint32_t first = begin(rank), end = begin(rank + 1); first < end)
                work.parts.push_back({tile * depth + rank, tile, first, end - first});
}

// Returns the tiles of C from the parameters, without assigning them to blocks.
Told<TileWork> tiles_of(const Recording& recording)
{
    const auto tile = tile_in(recording.parameters);
    const recording::Problem& problem = recording.problem;
    if (!tile || !tile->depth || problem.M == 0 || problem.N == 0 || problem.K == 0)
        return NoWork::no_tile;
    const TileRaster raster{std::max(1u, parameter_value(recording, "GROUP")),
                            std::max(1u, parameter_value(recording, "ABOVE")),
                            std::max(1u, parameter_value(recording, "BESIDE"))};
    TileWork work{.BM = tile->rows, .BN = tile->cols, .BK = *tile->depth};
    const uint64_t rows = ceil_div(problem.M, uint64_t{work.BM} * raster.above) * raster.above;
    const uint64_t cols = ceil_div(problem.N, uint64_t{work.BN} * raster.beside) * raster.beside;
    const uint64_t k_tiles = ceil_div(problem.K, work.BK);
    const recording::Index3& grid = recording.launch.grid;
    if (rows > most_parts || cols > most_parts || rows * cols * (grid.z > 1 ? k_tiles : 1) > most_parts ||
        rows * cols * k_tiles >= most_work || grid.volume() > most_parts)
        return NoWork::too_large;
    work.rows = static_cast<uint32_t>(rows);
    work.cols = static_cast<uint32_t>(cols);
    work.k_tiles = static_cast<uint32_t>(k_tiles);
    work.cluster = raster.above * raster.beside;
    place_tiles(work, raster);
    return work;
}

// Assigns the tiles to blocks by the rule of the parameters. Returns false if the launch has another number of blocks.
bool deal_by_parameters(TileWork& work, const Recording& recording, uint32_t wave)
{
    const uint64_t blocks = recording.launch.grid.volume(), tiles = work.tiles();
    if (const uint32_t depth = parameter_value(recording, "DEPTH"); depth > 1) {
        if (work.cluster > 1 || parameter_value(recording, "CUT") != 0 || tiles * depth != blocks)
            return false;
        deal_depth(work, depth);
        return true; // if K is short, the last blocks have no work
    }
    if (parameter_value(recording, "ABOVE") > 0) { // each block computes several tiles in sequence
        work.at_once = static_cast<uint32_t>(blocks);
        deal(work, wave / work.cluster, std::max(1u, work.at_once / work.cluster));
    } else if (const uint32_t slices = recording.launch.grid.z; slices > 1) {
        if (tiles * slices != blocks)
            return false;
        deal_slices(work, slices);
        return true; // if K is short, the last slices have no work
    } else {
        deal(work, wave, 0);
        work.at_once = work.wave;
    }
    return uint64_t{work.parts.back().block} + 1 == blocks;
}

// Derives the work from the parameters alone.
Told<TileWork> by_parameters(const Recording& recording)
{
    Told<TileWork> work = tiles_of(recording);
    if (!work)
        return work;
    const bool clustered = parameter_value(recording, "ABOVE") > 0;
    const uint32_t wave = !clustered                               ? parameter_value(recording, "WAVE")
                          : parameter_value(recording, "CUT") != 0 ? parameter_value(recording, "BLOCKS")
                                                                   : 0;
    if (wave > most_places)
        return NoWork::too_large;
    return deal_by_parameters(*work, recording, wave) ? work : NoWork::other_blocks;
}

// Merges consecutive k-tiles of one tile, so that lists can be compared.
std::vector<WorkPart> joined(std::vector<WorkPart> parts)
{
    std::vector<WorkPart> all;
    for (const WorkPart& part : parts)
        if (!all.empty() && all.back().tile == part.tile && all.back().first + all.back().count == part.first)
            all.back().count += part.count;
        else
            all.push_back(part);
    for (WorkPart& part : all)
        part.recorded = false;
    return all;
}

// Marks the parts that blocks read according to the recording. Returns false if a recorded block has read something
// else.
bool take_recorded(TileWork& work, const Recording& recording)
{
    for (const recording::BlockTrace& trace : recording.blocks) {
        const auto read = recorded_parts(recording, trace, work);
        if (!read)
            continue;
        std::vector<WorkPart> by_rule;
        for (const std::size_t i : parts_of_block(work, linear_of(trace.block, recording.launch.grid))) {
            by_rule.push_back(work.parts[i]);
            work.parts[i].recorded = true;
        }
        if (joined(*read) != joined(std::move(by_rule)))
            return false;
    }
    return true;
}

// Marks whole tiles whose results one block wrote according to the recording. Returns false if another block wrote
// them.
bool take_owners(TileWork& work, const Recording& recording)
{
    const Cell extent = extent_of_c(recording);
    const uint32_t threads = recording.launch.threads_per_block();
    if (extent.row == 0 || threads == 0)
        return true;
    for (WorkPart& part : work.parts) {
        const Cell place = work.places[part.tile];
        const uint64_t row = uint64_t{place.row} * work.BM, col = uint64_t{place.col} * work.BN;
        if (part.count != work.k_tiles || row >= extent.row || col >= extent.col)
            continue;
        const uint32_t owner = recording.owner[row * extent.col + col];
        if (owner == recording::no_owner)
            continue;
        if (owner / threads != part.block)
            return false;
        part.recorded = true;
    }
    return true;
}

} // namespace

std::optional<uint32_t> TileWork::tile_at(Cell place) const
{
    return place.row < rows && place.col < cols ? std::optional(numbers[std::size_t{place.row} * cols + place.col])
                                                : std::nullopt;
}

Told<TileWork> tile_work(const Recording& recording)
{
    Told<TileWork> work = by_parameters(recording);
    if (work && !(take_recorded(*work, recording) && take_owners(*work, recording)))
        return NoWork::contradicted;
    return work;
}

std::ranges::iota_view<std::size_t, std::size_t> parts_of_block(const TileWork& work, uint32_t block)
{
    const auto own = std::ranges::equal_range(work.parts, block, {}, &WorkPart::block);
    return {static_cast<std::size_t>(own.begin() - work.parts.begin()),
            static_cast<std::size_t>(own.end() - work.parts.begin())};
}

TileWork dealt_out(const TileWork& work, uint32_t wave)
{
    TileWork result = work;
    result.parts.clear();
    result.slices = result.depth = 1;
    deal(result, wave / work.cluster, 0);
    return result;
}

PartsOfTiles parts_of_tiles(const TileWork& work)
{
    PartsOfTiles result;
    result.parts.resize(work.parts.size());
    std::iota(result.parts.begin(), result.parts.end(), std::size_t{0});
    std::ranges::sort(result.parts, {},
                      [&](std::size_t i) { return std::pair(work.parts[i].tile, work.parts[i].first); });
    result.first.assign(work.tiles() + 1, 0);
    for (const WorkPart& part : work.parts)
        ++result.first[part.tile + 1];
    std::partial_sum(result.first.begin(), result.first.end(), result.first.begin());
    for (uint32_t tile = 0; tile < work.tiles(); ++tile)
        if (result.first[tile + 1] > result.first[tile] &&
            work.parts[result.parts[result.first[tile]]].block !=
                work.parts[result.parts[result.first[tile + 1] - 1]].block)
            result.cut.push_back(tile);
    return result;
}

uint64_t WorkLanes::end_of(std::size_t lane, const TileWork& work) const
{
    return lanes[lane].empty() ? 0 : lanes[lane].back().from + work.parts[lanes[lane].back().part].count;
}

double WorkLanes::idle() const
{
    const auto whole = static_cast<double>(length) * static_cast<double>(lanes.size());
    return whole == 0 ? 0 : 1 - static_cast<double>(work) / whole;
}

namespace {

// Appends a part to a lane, and returns the new end of the lane.
uint64_t append(WorkLanes& lanes, std::size_t lane, uint64_t from, const TileWork& work, std::size_t part)
{
    lanes.lanes[lane].push_back({part, from});
    lanes.work += work.parts[part].count;
    const uint64_t end = from + work.parts[part].count;
    lanes.length = std::max(lanes.length, end);
    return end;
}

// Schedules the blocks on the recorded SMs. Blocks that ran on an SM at the same time are placed one after another.
WorkLanes lanes_on_sms(const TileWork& work, const PlacementPicture& picture)
{
    WorkLanes lanes;
    lanes.lanes.resize(picture.sms);
    for (uint32_t sm = 0; sm < picture.sms; ++sm) {
        uint64_t from = 0;
        for (std::size_t i = picture.first[sm]; i < picture.first[sm + 1]; ++i)
            for (const std::size_t part : parts_of_block(work, picture.blocks[i].block))
                from = append(lanes, sm, from, work, part);
    }
    return lanes;
}

} // namespace

WorkLanes lanes_of(const TileWork& work, uint32_t places)
{
    using Free = std::pair<uint64_t, uint32_t>; // the time from which a lane is free, and its index
    std::priority_queue<Free, std::vector<Free>, std::greater<>> free;
    for (uint32_t i = 0; i < places; ++i)
        free.push({0, i});
    WorkLanes lanes;
    lanes.lanes.resize(places);
    for (std::size_t i = 0; i < work.parts.size() && places > 0;) {
        auto [from, lane] = free.top();
        free.pop();
        for (const uint32_t block = work.parts[i].block; i < work.parts.size() && work.parts[i].block == block; ++i)
            from = append(lanes, lane, from, work, i);
        free.push({from, lane});
    }
    return lanes;
}

std::optional<WorkPlaces> own_places(const TileWork& work, const PlacementPicture* picture)
{
    if (picture != nullptr)
        return WorkPlaces{picture->sms, true};
    return work.at_once == 0 ? std::nullopt : std::optional(WorkPlaces{work.at_once, false});
}

Told<WorkFacts> work_facts(TileWork launched, const PlacementPicture* picture, const WorkPlaces& others)
{
    const WorkPlaces places = own_places(launched, picture).value_or(others);
    if (places.count == 0)
        return NoWork::no_places;
    if (places.count > most_places)
        return NoWork::too_large;
    WorkFacts facts{.launched_cut = launched.wave > 0 || launched.slices > 1 || launched.depth > 1,
                    .places = places.count,
                    .on_sms = places.sms,
                    .placed = picture != nullptr};
    WorkCase& own = facts.launched_cut ? facts.cut : facts.whole;
    WorkCase& other = facts.launched_cut ? facts.whole : facts.cut;
    own.lanes = facts.placed ? lanes_on_sms(launched, *picture) : lanes_of(launched, facts.places);
    other.work = dealt_out(launched, facts.launched_cut ? 0 : facts.places);
    other.lanes = lanes_of(other.work, facts.places);
    own.work = std::move(launched);
    for (WorkCase* one : {&own, &other}) {
        one->by_tile = parts_of_tiles(one->work);
        one->longest = std::ranges::max(one->work.parts, {}, &WorkPart::count).count;
        one->recorded = static_cast<std::size_t>(std::ranges::count(one->work.parts, true, &WorkPart::recorded));
    }
    return facts;
}

std::vector<ReductionStep> reduction_steps(const recording::Recording& recording, const TileWork& work, uint32_t tile,
                                           Cell element)
{
    std::vector<ReductionStep> steps;
    if (work.slices < 2)
        return steps;
    for (const WorkPart& part : work.parts) { // in the order of blocks, which is that of their slices
        if (part.tile != tile)
            continue;
        if (steps.empty() || steps.back().block != part.block)
            steps.push_back({.block = part.block, .slice = 0.0});
        ReductionStep& step = steps.back();
        step.k_tiles += part.count;
        const uint32_t first = part.first * work.BK, end = std::min(first + part.count * work.BK, recording.problem.K);
        const auto sum = partial_sum(recording, element, first, end);
        step.slice = step.slice && sum ? std::optional(*step.slice + *sum) : std::nullopt;
    }
    std::optional<double> total = 0.0;
    for (ReductionStep& step : steps)
        step.total = total = total && step.slice ? std::optional(*total + *step.slice) : std::nullopt;
    return steps;
}

} // namespace viz
