#include "app/learn/facts.h"

#include "error.h"

#include "viz/analysis/access.h"
#include "viz/analysis/access_pattern.h"
#include "viz/analysis/bank_picture.h"
#include "viz/analysis/barriers.h"
#include "viz/analysis/fragments.h"
#include "viz/analysis/mapping.h"
#include "viz/analysis/ownership.h"
#include "viz/analysis/sectors.h"
#include "viz/analysis/values.h"

#include <bit>

namespace app {

namespace {

viz::SectorPicture sectors_of(const FactContext& shown)
{
    if (!viz::has_global_cost(shown.access()))
        throw kernels::Error("the step does not touch global memory");
    return viz::sector_picture(shown.access(), shown.array());
}

model::SharedCost cost_of(const FactContext& shown)
{
    if (!viz::touches_shared(shown.access().op) && !viz::has_shared_cost(shown.access()))
        throw kernels::Error("the step does not touch shared memory");
    return viz::shared_cost(shown.access());
}

uint32_t offset_of(const FactContext& shown, uint32_t lane)
{
    if (!viz::takes_part(shown.access(), lane))
        throw kernels::Error("the lane does not take part");
    return shown.access().offset[lane];
}

uint32_t offset_of(const FactContext& shown)
{
    return offset_of(shown, shown.place.lane);
}

viz::Value element_of(const FactContext& shown, bool all, uint32_t lane)
{
    const recording::Array& array = shown.array();
    auto cells = viz::cells_of_lane(shown.access(), viz::Elements(array), array.element_bytes, lane);
    if (!all && cells.size() > 1)
        cells.resize(1);
    return viz::element_name(array.name, cells);
}

// The lane's first element, its recorded position, and its position if rows followed one another without gaps.
struct Lying {
    viz::Cell cell;
    uint32_t cols = 0, word = 0; // counted in floats
    uint32_t plain() const { return cell.row * cols + cell.col; }
    uint32_t swizzled_col() const { return word - cell.row * cols; }
};

Lying lying_of(const FactContext& shown)
{
    const recording::Array& array = shown.array();
    const auto cells = viz::cells_of_lane(shown.access(), viz::Elements(array), array.element_bytes, shown.place.lane);
    if (cells.empty())
        throw kernels::Error("the lane touches no element");
    return {cells.front(), array.cols, offset_of(shown) / 4};
}

viz::Mapping mapping_of(const FactContext& shown)
{
    const auto mapping = viz::recorded_mapping(shown.array());
    if (!mapping)
        throw kernels::Error("no formula says where its elements lie");
    return *mapping;
}

viz::BarrierRaces races_of(const FactContext& shown)
{
    const viz::BlockBarriers barriers(*shown.recording, shown.block());
    const auto barrier = shown.step ? barriers.at(shown.place.warp, *shown.step) : std::nullopt;
    if (barriers.missing() || !barrier)
        throw kernels::Error("the step is no barrier of a block with shared tiles");
    return barriers.races(*barrier, shown.place.warp);
}

viz::Owner owner_of(const FactContext& shown)
{
    const auto owner =
        shown.place.c ? viz::owner_of(*shown.recording, shown.place.c->first, shown.place.c->second) : std::nullopt;
    if (!owner)
        throw kernels::Error("the place names no element of C that somebody wrote");
    return *owner;
}

uint32_t lanes_off(const FactContext& shown)
{
    const uint32_t threads = shown.recording->launch.threads_per_block();
    const uint32_t lanes = std::min(32u, threads - shown.place.warp * 32);
    return lanes - static_cast<uint32_t>(std::popcount(shown.access().mask));
}

viz::Value sum_of(const FactContext& shown, bool first_alone)
{
    if (!shown.place.c)
        throw kernels::Error("the place names no element of C");
    const auto sum = viz::partial_sum(*shown.recording, {shown.place.c->first, shown.place.c->second}, 0,
                                      first_alone ? 1 : shown.recording->problem.K);
    if (!sum)
        throw kernels::Error("its values are not known");
    return viz::rounded(*sum);
}

// Returns the pattern that the step shows in the view of access patterns. Throws if it shows another view.
viz::AccessPattern made_up_pattern(const FactContext& shown)
{
    if (shown.place.view != "patterns")
        throw kernels::Error("the step does not show the view of patterns");
    return viz::options_of<viz::AccessPattern>(shown.place.arranged);
}

void add_pattern_facts(Facts& facts)
{
    using viz::cost_of;
    facts.add("pattern_lanes", "lanes of the pattern, and as many banks",
              [](const FactContext& s) { return made_up_pattern(s).lanes(); });
    facts.add("pattern_formula", "the word that each lane of the pattern asks for",
              [](const FactContext& s) { return viz::formula_of(made_up_pattern(s)); });
    facts.add("pattern_cost", "wavefronts of the pattern, or sectors",
              [](const FactContext& s) { return cost_of(made_up_pattern(s)).figure; });
    facts.add("pattern_waiting", "lanes of the pattern that wait", [](const FactContext& s) {
        int lanes = 0;
        for (const viz::PatternWord& word : cost_of(made_up_pattern(s)).words)
            lanes += word.waits ? std::popcount(word.lanes) : 0;
        return lanes;
    });
    facts.add("pattern_used", "bytes that lanes of the pattern ask for",
              [](const FactContext& s) { return cost_of(made_up_pattern(s)).used_bytes; });
    facts.add("pattern_moved", "bytes of its sectors",
              [](const FactContext& s) { return cost_of(made_up_pattern(s)).figure * model::sector_bytes; });
}

} // namespace

void add_access_facts(Facts& facts)
{
    add_pattern_facts(facts);
    const auto add_word = [&](const char* name, const char* meaning, uint32_t lane) {
        facts.add(name, meaning, [lane](const FactContext& s) { return viz::index(offset_of(s, lane) / 4); });
    };
    facts.add("line", "number of the source line", [](const FactContext& s) { return viz::index(s.access().line); });
    facts.add("array", "the array that is touched", [](const FactContext& s) { return s.array().name; });
    facts.add("lane", "the lane that is selected", [](const FactContext& s) { return viz::index(s.place.lane); });
    facts.add("lanes", "lanes that take part", [](const FactContext& s) { return std::popcount(s.access().mask); });
    facts.add("lanes_off", "lanes that do not", [](const FactContext& s) { return lanes_off(s); });
    facts.add("bytes_each", "bytes that each lane moves", [](const FactContext& s) { return s.access().width; });
    facts.add("bytes_wanted", "bytes that all lanes want, each for itself",
              [](const FactContext& s) { return std::popcount(s.access().mask) * s.access().width; });
    facts.add("element", "the lane's first element",
              [](const FactContext& s) { return element_of(s, false, s.place.lane); });
    facts.add("elements", "the lane's elements",
              [](const FactContext& s) { return element_of(s, true, s.place.lane); });
    facts.add("byte", "where the lane's first byte lies in the array",
              [](const FactContext& s) { return offset_of(s); });
    facts.add("word", "the same in words", [](const FactContext& s) { return viz::index(offset_of(s) / 4); });
    add_word("lane0_word", "the word of lane 0", 0);
    add_word("lane1_word", "of lane 1", 1);
    add_word("lane2_word", "of lane 2", 2);
    add_word("lane4_word", "of lane 4", 4);
    facts.add("lane0_element", "the first element of lane 0",
              [](const FactContext& s) { return element_of(s, false, 0); });
    facts.add("bank", "the lane's first bank",
              [](const FactContext& s) { return viz::index(model::bank_of(offset_of(s))); });
    facts.add("row", "row of the lane's first element",
              [](const FactContext& s) { return viz::index(lying_of(s).cell.row); });
    facts.add("col", "column of it", [](const FactContext& s) { return viz::index(lying_of(s).cell.col); });
    facts.add("row_words", "elements of a row of the array", [](const FactContext& s) { return lying_of(s).cols; });
    facts.add("formula", "where elements of the array lie",
              [](const FactContext& s) { return viz::formula_of(mapping_of(s)); });
    facts.add("plain_word", "the word without a swizzle",
              [](const FactContext& s) { return viz::index(lying_of(s).plain()); });
    facts.add("plain_bank", "its bank",
              [](const FactContext& s) { return viz::index(lying_of(s).plain() % model::banks); });
    facts.add("flip", "what XOR takes the column with",
              [](const FactContext& s) { return lying_of(s).swizzled_col() ^ lying_of(s).cell.col; });
    facts.add("flip_steps", "the same step by step", [](const FactContext& s) {
        const viz::Cell cell = lying_of(s).cell;
        return viz::flip_steps(mapping_of(s), cell.row, cell.col);
    });
    facts.add("swizzled_col", "the column that comes of it",
              [](const FactContext& s) { return viz::index(lying_of(s).swizzled_col()); });
    facts.add("wavefronts", "wavefronts of the access", [](const FactContext& s) { return cost_of(s).wavefronts; });
    facts.add("conflicts", "conflicts of the access", [](const FactContext& s) { return cost_of(s).conflicts; });
    facts.add("groups", "groups of lanes that are served together", [](const FactContext& s) {
        return viz::bank_picture(s.access().op, viz::pattern_of(s.access())).groups.size();
    });
    facts.add("row_bytes", "bytes from row to row of the array",
              [](const FactContext& s) { return s.array().row_bytes(); });
    facts.add("sectors", "sectors of the request", [](const FactContext& s) { return sectors_of(s).sectors; });
    facts.add("lines", "lines of 128 bytes of the request",
              [](const FactContext& s) { return sectors_of(s).lines.size(); });
    facts.add("used", "bytes that lanes want, each once",
              [](const FactContext& s) { return sectors_of(s).used_bytes; });
    facts.add("moved", "bytes that its sectors have", [](const FactContext& s) { return sectors_of(s).moved_bytes(); });
    facts.add("early_reads", "reads that need the barrier",
              [](const FactContext& s) { return races_of(s).read.accesses; });
    facts.add("early_stores", "stores that need the barrier",
              [](const FactContext& s) { return races_of(s).overwrite.accesses; });
    facts.add("sources", "lanes that a shuffle asks",
              [](const FactContext& s) { return viz::shuffle_facts(s.access()).sources.size(); });
    facts.add("most_asked", "lanes that ask the busiest of them",
              [](const FactContext& s) { return viz::shuffle_facts(s.access()).most_asked; });
    facts.add("c_row", "row of the element of C",
              [](const FactContext& s) { return viz::index(s.place.c ? s.place.c->first : 0); });
    facts.add("c_col", "column of the element of C",
              [](const FactContext& s) { return viz::index(s.place.c ? s.place.c->second : 0); });
    facts.add("c_block", "block that writes the element of C",
              [](const FactContext& s) { return viz::index(owner_of(s).block); });
    facts.add("c_thread", "thread that writes the element of C",
              [](const FactContext& s) { return viz::index(owner_of(s).thread); });
    facts.add("c_warp", "its warp", [](const FactContext& s) { return viz::index(owner_of(s).warp); });
    facts.add("c_lane", "its lane", [](const FactContext& s) { return viz::index(owner_of(s).lane); });
    facts.add("c_first", "the first product of that element", [](const FactContext& s) { return sum_of(s, true); });
    facts.add("c_sum", "the sum of all its products", [](const FactContext& s) { return sum_of(s, false); });
}

} // namespace app
