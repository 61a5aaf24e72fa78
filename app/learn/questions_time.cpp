#include "app/learn/quiz.h"

#include "viz/analysis/barriers.h"
#include "viz/analysis/bulk_copy.h"
#include "viz/analysis/parameters.h"
#include "viz/analysis/tiling.h"
#include "viz/analysis/timeline.h"

#include <algorithm>
#include <array>
#include <utility>

namespace app {

namespace {

using recording::Op;

constexpr std::array tiled = {"shared_tile", "thread_tile_1d", "thread_tile_2d", "vectorized",
                              "swizzled",    "warp_tile",      "async_copy",     "prefetched"};

// Asks how many phases a block needs along K.
std::optional<QuizQuestion> k_tiles(QuestionContext& context)
{
    Patch place = placed(context.one_of(tiled), "tiling");
    const uint32_t k = 64 * (1 + context.below(4)) + 8 * context.below(2);
    place.size = "128x128x" + std::to_string(k);
    const RecordingPtr recording = context.examples().of(place);
    const auto phases = viz::phases(*recording, recording->blocks.at(0).warps.at(0));
    const auto right = viz::k_tiles_of(phases);
    const char* const depth = place.columns[0].stage == "shared_tile" ? "block" : "BK";
    const int bk = viz::parameter_of(recording->parameters, depth).value_or(0);
    if (right == 0 || bk == 0)
        return {};
    QuizQuestion question = question_about("tiling", place);
    question.ask = {{"quiz.k_tiles", {{"stage", place.stage()}, {"k", k}, {"bk", bk}}}};
    Answers answers(right, {{"quiz.k_tiles_why", {{"k", k}, {"bk", bk}, {"n", right}}}});
    answers.wrong(k, {"quiz.k_tiles_each"});
    answers.wrong(static_cast<int>(k) / bk, {"quiz.k_tiles_down"});
    answers.wrong(128 / bk, {"quiz.k_tiles_rows"}).fill(right);
    return answers.into(std::move(question), context);
}

viz::Message outcome(bool reads, bool overwrites)
{
    return reads && overwrites ? viz::Message{"quiz.barrier_both"}
           : reads             ? viz::Message{"quiz.barrier_reads"}
           : overwrites        ? viz::Message{"quiz.barrier_overwrites"}
                               : viz::Message{"quiz.barrier_nothing"};
}

// Asks what would fail without a barrier.
std::optional<QuizQuestion> barrier(QuestionContext& context)
{
    constexpr std::array rungs = {"shared_tile", "thread_tile_1d", "vectorized", "swizzled", "prefetched", "warp_tile"};
    Patch place = placed(context.one_of(rungs), "tiling");
    const RecordingPtr recording = context.examples().of(place);
    const recording::BlockTrace& block = recording->blocks.at(0);
    const viz::BlockBarriers barriers(*recording, block);
    if (barriers.missing() || barriers.count() == 0)
        return {};
    const std::size_t which = context.below(barriers.count());
    const viz::BarrierRaces races = barriers.races(which, 0);
    const auto& accesses = block.warps[0].accesses;
    for (std::size_t i = 0; i < accesses.size(); ++i)
        if (barriers.at(0, i) == which)
            place.step = i;
    if (!place.step)
        return {};
    const bool reads = races.read.accesses > 0, overwrites = races.overwrite.accesses > 0;
    QuizQuestion question = question_about("barriers", place);
    question.ask = {{"quiz.barrier",
                     {{"stage", place.stage()},
                      {"n", viz::index(which + 1)},
                      {"all", barriers.count()},
                      {"line", viz::index(accesses[*place.step].line)}}}};
    const viz::Message why{"quiz.barrier_why",
                           {{"reads", races.read.accesses}, {"overwrites", races.overwrite.accesses}}};
    Answers answers(outcome(reads, overwrites), {why});
    for (const auto& [a, b] :
         {std::pair{true, false}, std::pair{false, true}, std::pair{false, false}, std::pair{true, true}})
        answers.wrong(outcome(a, b), {"quiz.not_so", {{"why", why}}});
    return answers.into(std::move(question), context);
}

// Asks what is loaded while another tile is being computed.
std::optional<QuizQuestion> ahead(QuestionContext& context)
{
    constexpr std::array rungs = {"prefetched", "async_copy", "shared_tile", "vectorized", "warp_tile"};
    Patch place = placed(context.one_of(rungs), "tiling");
    const RecordingPtr recording = context.examples().of(place);
    const auto phases = viz::phases(*recording, recording->blocks.at(0).warps.at(0));
    std::vector<viz::Phase> loads;
    for (const viz::Phase& phase : phases)
        if (phase.kind == viz::PhaseKind::load && phase.fetched > 0)
            loads.push_back(phase);
    if (loads.empty())
        return {};
    const viz::Phase& load = context.one_of(loads);
    // The k-tile that was computed last before these loads start.
    int computed = -1;
    for (const viz::Phase& phase : phases)
        if (phase.kind == viz::PhaseKind::compute && phase.first < load.first)
            computed = phase.k_tile;
    const auto right = 1 + load.fetched;
    place.step = load.first;
    QuizQuestion question = question_about(place.columns[0].stage == "async_copy" ? "async_copy" : "prefetch", place);
    question.ask = {{"quiz.ahead",
                     {{"stage", place.stage()},
                      {"computed", viz::index(computed + 1)},
                      {"line", viz::index(recording->blocks[0].warps[0].accesses[load.first].line)}}}};
    Answers answers(right, {{"quiz.ahead_why",
                             {{"fetched", viz::index(load.fetched + 1)}, {"computed", viz::index(computed + 1)}}}});
    answers.wrong(1 + computed, {"quiz.ahead_same"});
    answers.wrong(2 + computed, {"quiz.ahead_next"});
    answers.wrong(3 + computed, {"quiz.ahead_two"}).fill(right);
    return answers.into(std::move(question), context);
}

// Asks about one instruction of one lane.
std::optional<QuizQuestion> bulk(QuestionContext& context)
{
    Patch place = placed("wgmma_tma", "tiling");
    const RecordingPtr recording = context.examples().of(place);
    for (uint32_t warp = 0; warp < recording->blocks.at(0).warps.size(); ++warp) {
        const auto copies = viz::bulk_copies(*recording, recording->blocks[0].warps[warp]);
        if (copies.empty())
            continue;
        const viz::BulkCopy& copy = context.one_of(copies);
        const recording::Array& tile = recording->arrays.at(copy.to);
        const uint64_t right = uint64_t{copy.target.rows} * copy.target.cols * tile.element_bytes;
        place.warp = warp, place.step = copy.step;
        QuizQuestion question = question_about("tma_wgmma", place);
        question.asked.view = "threads";
        question.ask = {{"quiz.bulk",
                         {{"rows", copy.target.rows},
                          {"cols", copy.target.cols},
                          {"bytes", tile.element_bytes},
                          {"tile", tile.name}}}};
        Answers answers(right, {{"quiz.bulk_why", {{"n", right}}}});
        answers.wrong(512, {"quiz.bulk_warp"});
        answers.wrong(16, {"quiz.bulk_lane"});
        answers.wrong(right / tile.element_bytes, {"quiz.bulk_elements"}).fill(right);
        return answers.into(std::move(question), context);
    }
    return {};
}

// Asks about the loads per k of inner and outer products.
std::optional<QuizQuestion> loads(QuestionContext& context)
{
    constexpr std::array sides = {1, 2, 4, 8, 16};
    const auto rows = static_cast<uint32_t>(context.one_of(sides)), cols = static_cast<uint32_t>(context.one_of(sides));
    if (rows * cols == 1)
        return {};
    const viz::ThreadProduct product{.rows = rows, .cols = cols};
    QuizQuestion question = question_about(context.below(2) == 0 ? "outer_product" : "instruction_mix",
                                           placed("thread_tile_2d_registers", "registers"));
    question.ask = {{"quiz.loads", {{"rows", rows}, {"cols", cols}}}};
    const uint64_t right = product.outer_reads();
    Answers answers(
        right, {{"quiz.loads_why", {{"rows", rows}, {"cols", cols}, {"products", product.results()}, {"n", right}}}});
    answers.wrong(product.inner_reads(), {"quiz.loads_inner"});
    answers.wrong(product.results(), {"quiz.loads_results"});
    return answers.wrong(2, {"quiz.loads_two"}).fill(right).into(std::move(question), context);
}

// Asks what a warp's tile reads from shared memory.
std::optional<QuizQuestion> warp_reads(QuestionContext& context)
{
    constexpr std::array sides = {16, 32, 64, 128};
    const auto rows = static_cast<uint32_t>(context.one_of(sides)), cols = static_cast<uint32_t>(context.one_of(sides));
    QuizQuestion question = question_about("warp_tile", placed("warp_tile", "tiling"));
    question.ask = {{"quiz.warp_reads", {{"rows", rows}, {"cols", cols}}}};
    const uint64_t right = rows + cols;
    Answers answers(right, {{"quiz.warp_reads_why", {{"rows", rows}, {"cols", cols}, {"n", right}}}});
    answers.wrong(uint64_t{rows} * cols, {"quiz.warp_reads_product"});
    answers.wrong(32 * 2, {"quiz.warp_reads_lanes"});
    return answers.wrong(std::max(rows, cols), {"quiz.warp_reads_side"}).fill(right).into(std::move(question), context);
}

} // namespace

std::vector<QuestionKind> time_questions()
{
    return {
        {"k_tiles", {"tiling"}, k_tiles, Level::beginner, "threads"},
        {"barrier", {"barriers"}, barrier, Level::intermediate, "flow"},
        {"ahead", {"prefetch", "async_copy"}, ahead, Level::advanced, "registers"},
        {"bulk", {"tma_wgmma"}, bulk, Level::advanced, "threads"},
        {"loads", {"outer_product", "instruction_mix"}, loads, Level::intermediate, "registers"},
        {"warp_reads", {"warp_tile"}, warp_reads, Level::advanced, "tiling"},
    };
}

} // namespace app
