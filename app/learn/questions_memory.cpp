#include "app/learn/quiz.h"

#include "error.h"

#include "viz/analysis/access.h"
#include "viz/analysis/access_pattern.h"
#include "viz/analysis/bank_picture.h"
#include "viz/analysis/sectors.h"
#include "viz/analysis/tile_use.h"
#include "viz/text/figures.h"

#include <algorithm>
#include <array>
#include <bit>
#include <set>
#include <utility>

namespace app {

namespace {

using recording::Op;

constexpr std::array shared_stages = {"shared_tile", "thread_tile_1d", "thread_tile_2d", "thread_tile_2d_registers",
                                      "vectorized",  "linearized_b",   "padded_b",       "padded_a",
                                      "swizzled",    "swizzled_reads", "warp_tile"};
constexpr std::array global_stages = {"naive",       "strided_b",    "coalesced",      "register_tile_2x2",
                                      "shared_tile", "warp_shuffle", "thread_tile_1d", "vectorized"};

bool plain_shared(const recording::Access& access)
{
    return access.op == Op::shared_load || access.op == Op::shared_store;
}

std::optional<QuizQuestion> bank(QuestionContext& context)
{
    const auto chosen = choose_access(context, placed(context.one_of(shared_stages), "banks"), plain_shared);
    if (!chosen)
        return {};
    QuizQuestion question = question_about("banks", chosen->place);
    const uint32_t lane = choose_lane(context, chosen->access->mask);
    question.shown.lane = question.asked.lane = lane;
    const uint32_t offset = chosen->access->offset[lane];
    const int right = model::bank_of(offset);
    question.ask = {{"quiz.bank",
                     {{"where", chosen->line()},
                      {"lane", viz::index(lane)},
                      {"store", viz::is_store(chosen->access->op)},
                      {"element", chosen->element_of(lane)},
                      {"array", chosen->array->name},
                      {"bytes", offset}}}};
    Answers answers(right, {{"quiz.bank_why", {{"bytes", offset}, {"word", offset / 4}, {"bank", right}}}});
    const auto cells = viz::cells_of_lane(*chosen->access, viz::Elements(*chosen->array), 4, lane);
    answers.wrong(offset % 32, {"quiz.bank_bytes", {{"bytes", offset}}});
    if (!cells.empty()) {
        answers.wrong(cells.front().row % 32, {"quiz.bank_row", {{"row", viz::index(cells.front().row)}}});
        answers.wrong(cells.front().col % 32, {"quiz.bank_col", {{"col", viz::index(cells.front().col)}}});
    }
    answers.wrong(lane, {"quiz.bank_lane"}).fill(right, 32);
    return answers.into(std::move(question), context);
}

viz::Messages why_wavefronts(const viz::BankPicture& picture)
{
    viz::Messages groups;
    if (picture.groups.size() > 1)
        groups.push_back({"quiz.in_groups", {{"groups", picture.groups.size()}}});
    return {{"quiz.wavefronts_why",
             {{"wavefronts", picture.cost.wavefronts},
              {"conflicts", picture.cost.conflicts},
              {"reason", picture.reason},
              {"groups", groups}}}};
}

uint32_t groups_of(const recording::Access& access)
{
    return static_cast<uint32_t>(viz::bank_picture(access.op, viz::pattern_of(access)).groups.size());
}

std::optional<QuizQuestion> wavefronts(QuestionContext& context)
{
    const auto chosen = choose_access(context, placed(context.one_of(shared_stages), "banks"), plain_shared);
    if (!chosen)
        return {};
    const recording::Access& access = *chosen->access;
    const model::SharedCost cost = viz::shared_cost(access);
    QuizQuestion question = question_about(access.width == 4       ? "banks"
                                           : context.below(2) == 0 ? "bank_width"
                                                                   : "vector_access",
                                           chosen->place);
    const viz::BankPicture picture = viz::bank_picture(access.op, viz::pattern_of(access));
    const std::optional<viz::Message> layout = chosen->layout();
    if (!layout)
        return {};
    question.ask = {{"quiz.wavefronts",
                     {{"where", chosen->line()},
                      {"lanes", std::popcount(access.mask)},
                      {"store", viz::is_store(access.op)},
                      {"bytes", access.width},
                      {"layout", *layout},
                      {"all", chosen->lists_all()},
                      {"each", chosen->lanes()}}}};
    Answers answers(cost.wavefronts, why_wavefronts(picture));
    const auto right = cost.wavefronts;
    answers.wrong(1, {"quiz.wavefronts_one", {{"bytes", 32 * uint32_t{access.width}}}});
    answers.wrong(std::popcount(access.mask), {"quiz.wavefronts_lanes"});
    if (cost.conflicts > 0) {
        answers.wrong(groups_of(access), {"quiz.wavefronts_groups", {{"conflicts", cost.conflicts}}});
        answers.wrong(cost.conflicts, {"quiz.wavefronts_conflicts", {{"n", cost.conflicts}}});
    } else {
        answers.wrong(right * 2, {"quiz.wavefronts_double"});
    }
    return answers.fill(right).into(std::move(question), context);
}

// Returns the lanes of the same group that access another word of the same bank.
uint32_t partners_of(const recording::Access& access, uint32_t lane)
{
    const std::vector<model::Word> words = model::schedule(access.op, viz::pattern_of(access));
    uint32_t partners = 0;
    for (const model::Word& own : words)
        for (const model::Word& other : words)
            if (own.lane == lane && other.lane != lane && own.bank == other.bank && own.group == other.group &&
                own.word != other.word)
                partners |= 1u << other.lane;
    return partners;
}

std::optional<QuizQuestion> partner(QuestionContext& context)
{
    constexpr std::array conflicting = {"vectorized", "thread_tile_2d_registers", "padded_b",
                                        "padded_a",   "swizzled_reads",           "linearized_b"};
    const auto chosen =
        choose_access(context, placed(context.one_of(conflicting), "banks"), [](const recording::Access& access) {
            return plain_shared(access) && viz::shared_cost(access).conflicts > 0;
        });
    if (!chosen)
        return {};
    const uint32_t lane = choose_lane(context, chosen->access->mask);
    const uint32_t partners = partners_of(*chosen->access, lane);
    if (partners == 0)
        return {};
    QuizQuestion question = question_about("banks", chosen->place);
    question.lanes = partners;
    question.asked.view = "registers";                // a view in which lanes can be clicked
    question.shown.lane = question.asked.lane = lane; // the user answers by clicking another lane of the warp
    question.ask = {{"quiz.partner",
                     {{"where", chosen->line()},
                      {"lane", viz::index(lane)},
                      {"store", viz::is_store(chosen->access->op)},
                      {"element", chosen->element_of(lane)},
                      {"bytes", chosen->access->offset[lane]}}}};
    const auto name = [&](uint32_t one) {
        return viz::Message{
            "quiz.lane",
            {{"lane", viz::index(one)}, {"element", chosen->element_of(one)}, {"bytes", chosen->access->offset[one]}}};
    };
    Answers answers(name(choose_lane(context, partners)),
                    {{"quiz.partner_why", {{"lanes", viz::lane_list(partners)}}}});
    std::set<uint64_t> offered; // offsets in the tile: lanes with the same offset count as one answer
    for (const uint32_t other : {(lane + 1) % 32, (lane + 31) % 32, (lane + 16) % 32, (lane + 8) % 32, (lane + 5) % 32})
        if (viz::takes_part(*chosen->access, other) && (partners >> other & 1u) == 0 &&
            offered.insert(chosen->access->offset[other]).second)
            answers.wrong(name(other), chosen->access->offset[other] == chosen->access->offset[lane]
                                           ? viz::Message{"quiz.partner_same", {{"other", viz::index(other)}}}
                                           : viz::Message{"quiz.partner_free",
                                                          {{"other", viz::index(other)},
                                                           {"bank", model::bank_of(chosen->access->offset[other])}}});
    return answers.into(std::move(question), context);
}

// Asks about lanes with a stride of some floats, which any user's kernel may have.
std::optional<QuizQuestion> stride(QuestionContext& context)
{
    const uint32_t step = 1 + context.below(40);
    const viz::AccessPattern pattern{.machine = viz::AccessPattern::Machine::whole, .stride = static_cast<int>(step)};
    const auto right = static_cast<uint64_t>(viz::cost_of(pattern).figure);
    constexpr std::array topics = {"conflict_cost", "own_kernel", "patterns"};
    QuizQuestion question = question_about(context.one_of(topics), placed("shared_tile", "patterns"));
    question.asked.arranged = question.shown.arranged = viz::text_of_options(pattern);
    question.ask = {{"quiz.stride", {{"step", step}}}};
    const viz::Message odd{"quiz.stride_odd", {{"lanes", right}}};
    const viz::Message even{"quiz.stride_even", {{"step", step}, {"lanes", right}, {"banks", 32 / right}}};
    Answers answers(right, {step % 2 == 1 ? odd : even});
    answers.wrong(step > 1 ? step : 32, {"quiz.stride_step", {{"step", step}}});
    answers.wrong(right == 1 ? 32 : 1, {"quiz.stride_parity", {{"wavefronts", right}}});
    answers.wrong(std::min<uint64_t>(32, right * 4), {"quiz.stride_bytes"});
    return answers.fill(right).into(std::move(question), context);
}

// A pattern on the small machine of eight lanes and eight banks.
std::optional<QuizQuestion> pattern(QuestionContext& context)
{
    viz::AccessPattern shown{.stride = 1 + static_cast<int>(context.below(12))};
    const int banks = shown.banks();
    if (const uint32_t kind = context.below(3); kind > 0) { // a column of a tile with padding or with an XOR
        shown.stride = banks;
        (kind == 1 ? shown.padding : shown.xor_bits) =
            kind == 1 ? 1 + static_cast<int>(context.below(4)) : (2 << context.below(3)) - 1;
    }
    const viz::PatternCost cost = viz::cost_of(shown);
    std::set<int> met;
    for (const viz::PatternWord& word : cost.words)
        met.insert(word.column);
    QuizQuestion question = question_about("patterns", placed("shared_tile", "patterns"));
    question.asked.arranged = question.shown.arranged = viz::text_of_options(shown);
    question.ask = {{"quiz.pattern", {{"banks", banks}, {"formula", viz::formula_of(shown)}}}};
    const int right = cost.figure;
    Answers answers(right, {{"quiz.pattern_why", {{"met", met.size()}, {"wavefronts", right}}}});
    answers.wrong(right == 1 ? banks : 1, {"quiz.pattern_other", {{"met", met.size()}}});
    answers.wrong(met.size(), {"quiz.pattern_met", {{"met", met.size()}}});
    return answers.fill(right, static_cast<uint64_t>(banks) + 1).into(std::move(question), context);
}

viz::Message why_sectors(const recording::Access& access, const viz::SectorPicture& picture)
{
    return {"quiz.sectors_why",
            {{"sectors", picture.sectors},
             {"lanes", std::popcount(access.mask)},
             {"used", viz::bytes(static_cast<double>(picture.used_bytes))}}};
}

std::optional<QuizQuestion> sectors(QuestionContext& context)
{
    const auto chosen =
        choose_access(context, placed(context.one_of(global_stages), "global"), [](const recording::Access& access) {
            return access.op == Op::global_load || access.op == Op::global_store;
        });
    if (!chosen)
        return {};
    const recording::Access& access = *chosen->access;
    const viz::SectorPicture picture = viz::sector_picture(access, *chosen->array);
    const bool same = picture.used_bytes <= access.width && std::popcount(access.mask) > 1;
    QuizQuestion question = question_about(same ? "broadcast" : "coalescing", chosen->place);
    question.ask = {{"quiz.sectors",
                     {{"where", chosen->line()},
                      {"lanes", std::popcount(access.mask)},
                      {"store", viz::is_store(access.op)},
                      {"bytes", access.width},
                      {"first", chosen->element_of(static_cast<uint32_t>(std::countr_zero(access.mask)))},
                      {"last", chosen->element_of(31 - static_cast<uint32_t>(std::countl_zero(access.mask)))},
                      {"array", chosen->array->name},
                      {"row", chosen->array->row_bytes()}}}};
    Answers answers(picture.sectors, {why_sectors(access, picture)});
    answers.wrong(std::popcount(access.mask), {"quiz.sectors_lanes"});
    answers.wrong(1, {"quiz.sectors_one"});
    answers.wrong(picture.lines.size(), {"quiz.sectors_lines"});
    answers.wrong(std::popcount(access.mask) * access.width / 32, {"quiz.sectors_packed"});
    return answers.fill(picture.sectors).into(std::move(question), context);
}

// Asks about the effect of padding on the stores that transpose A.
std::optional<QuizQuestion> padding(QuestionContext& context)
{
    const Patch place = placed("vectorized", "layout");
    const RecordingPtr recording = context.examples().of(place);
    const auto tile = std::ranges::find(recording->arrays, "As", &recording::Array::name);
    const auto array = static_cast<uint8_t>(tile - recording->arrays.begin());
    constexpr std::array paddings = {1, 2, 3, 4, 5, 8, 12, 16, 32};
    viz::Mapping mapping{.kind = viz::Mapping::Kind::padded, .padding = context.one_of(paddings)};
    const viz::TileUse use = viz::tile_use(*recording, recording->blocks[0], array);
    const viz::TileCost cost = viz::cost_of(use, *tile, viz::places_of(*tile, mapping));
    QuizQuestion question = question_about("padding", place);
    question.asked.operation = question.shown.operation = "shared store";
    question.shown.arranged = "tile=As;places=padded;padding=" + std::to_string(mapping.padding);
    question.ask = {{"quiz.padding", {{"padding", mapping.padding}, {"cols", tile->cols}}}};
    const viz::Message torn{"quiz.padding_torn_label"};
    uint64_t wavefronts = 0;
    for (const viz::LineCost& line : cost.lines)
        if (line.store)
            wavefronts = line.totals.wavefronts / std::max<uint64_t>(line.totals.instructions, 1);
    const auto label = [](uint64_t n) { return viz::Message{"quiz.padding_label", {{"n", n}}}; };
    Answers answers =
        cost.refusal
            ? Answers(torn, {{"quiz.padding_torn", {{"padding", mapping.padding}, {"bytes", mapping.padding * 4}}}})
            : Answers(label(wavefronts),
                      {{"quiz.padding_why", {{"banks", mapping.padding * 4 % 32}, {"n", wavefronts}}}});
    if (cost.refusal)
        answers.wrong(label(1), {"quiz.padding_odd"});
    else
        answers.wrong(torn, {"quiz.padding_whole", {{"bytes", mapping.padding * 4}}});
    for (const uint64_t n : {1, 2, 4, 8})
        answers.wrong(label(n), {"quiz.padding_other", {{"banks", mapping.padding * 4 % 32}}});
    return answers.into(std::move(question), context);
}

uint64_t wavefronts_of(const recording::Recording& recording)
{
    return viz::shared_totals(recording.totals()).wavefronts;
}

uint64_t conflicts_of(const recording::Recording& recording)
{
    return viz::shared_totals(recording.totals()).conflicts;
}

// Asks which of two stages with different layouts needs fewer wavefronts. The lessons compare these pairs or lead to
// them.
std::optional<QuizQuestion> layouts(QuestionContext& context)
{
    struct Pair {
        const char *first, *second, *topic;
    };
    constexpr std::array pairs = {
        Pair{"vectorized", "padded_a", "cures_that_fail"}, Pair{"linearized_b", "vectorized", "cures_that_fail"},
        Pair{"padded_b", "vectorized", "cures_that_fail"}, Pair{"vectorized", "swizzled", "swizzle"},
        Pair{"swizzled", "swizzled_reads", "swizzle"},     Pair{"padded_a", "swizzled", "swizzle"},
        Pair{"swizzled", "padded_b", "swizzle"},           Pair{"vectorized", "swizzled_reads", "cures_that_fail"}};
    const Pair& pair = context.one_of(pairs);
    Patch place = placed(pair.first, "banks");
    place.columns[1].stage = pair.second;
    const RecordingPtr first = context.examples().of(place), second = context.examples().of(place, true);
    const uint64_t a = wavefronts_of(*first), b = wavefronts_of(*second);
    QuizQuestion question = question_about(pair.topic, place);
    const auto idea = [&](const char* slug) {
        return std::string(kernels::find_stage(context.examples().ladder(), slug).idea);
    };
    question.ask = {{"quiz.layouts",
                     {{"first", place.stage()},
                      {"second", place.columns[1].stage},
                      {"idea", idea(pair.first)},
                      {"second_idea", idea(pair.second)},
                      {"size", viz::size_words(first->problem)}}}};
    const auto ahead = [&](const std::string& stage) { return viz::Message{"quiz.layouts_label", {{"stage", stage}}}; };
    const viz::Message alike{"quiz.layouts_alike"};
    const viz::Message why{"quiz.layouts_why",
                           {{"first", place.stage()},
                            {"second", place.columns[1].stage},
                            {"a", a},
                            {"b", b},
                            {"conflicts", conflicts_of(*first)},
                            {"second_conflicts", conflicts_of(*second)}}};
    const viz::Message right = a == b ? alike : ahead(a < b ? place.stage() : place.columns[1].stage);
    Answers answers(right, {why});
    if (a != b)
        answers.wrong(alike, {"quiz.layouts_not_alike"});
    answers.wrong(ahead(place.stage()), {"quiz.layouts_other"})
        .wrong(ahead(place.columns[1].stage), {"quiz.layouts_other"});
    return answers.into(std::move(question), context);
}

std::optional<QuizQuestion> swizzled_bank(QuestionContext& context)
{
    const auto chosen = choose_access(context, placed("swizzled", "layout"), plain_shared);
    if (!chosen)
        return {};
    const uint32_t lane = choose_lane(context, chosen->access->mask);
    const auto cells = viz::cells_of_lane(*chosen->access, viz::Elements(*chosen->array), 4, lane);
    if (cells.empty())
        return {};
    const viz::Cell cell = cells.front();
    const auto mapping = viz::recorded_mapping(*chosen->array);
    const int right = model::bank_of(chosen->array->offset_of(cell.row, cell.col));
    if (!mapping)
        return {};
    QuizQuestion question = question_about("swizzle", chosen->place);
    question.shown.lane = question.asked.lane = lane;
    const std::string formula = viz::formula_of(*mapping);
    question.ask = {{"quiz.swizzled_bank",
                     {{"formula", formula}, {"element", chosen->element_of(lane)}, {"cols", chosen->array->cols}}}};
    Answers answers(right, {{"quiz.swizzled_bank_why",
                             {{"steps", viz::flip_steps(*mapping, cell.row, cell.col)},
                              {"col", viz::index(cell.col)},
                              {"flip", viz::flipped_bits(*mapping, cell.row, cell.col).flipped},
                              {"word", chosen->array->offset_of(cell.row, cell.col) / 4},
                              {"bank", right}}}});
    answers.wrong((uint64_t{cell.row} * chosen->array->cols + cell.col) % 32, {"quiz.swizzled_bank_plain"});
    answers.wrong((cell.row ^ cell.col) % 32, {"quiz.swizzled_bank_all"});
    answers.wrong(cell.row % 32, {"quiz.bank_row", {{"row", viz::index(cell.row)}}});
    return answers.fill(right, 32).into(std::move(question), context);
}

uint64_t per_store_of_a(const recording::Recording& recording)
{
    for (const recording::LineTotals& line : recording.lines)
        if (line.totals.shared_store.instructions > 0 &&
            viz::source_line(recording, line.line).find("As.store(") != std::string::npos)
            return line.totals.shared_store.wavefronts / line.totals.shared_store.instructions;
    return 0;
}

// Asks about another BK, for the stores that transpose A.
std::optional<QuizQuestion> what_if_bk(QuestionContext& context)
{
    constexpr std::array rungs = {"vectorized", "swizzled"};
    const Patch standard = placed(context.one_of(rungs), "banks");
    Patch changed = standard;
    constexpr std::array sets = {std::pair{"BM", "128"}, std::pair{"BM", "64"}};
    const auto& [name, value] = context.one_of(sets);
    const bool large = std::string_view(value) == "128";
    changed.columns[0].parameters = {
        {name, value}, {"BN", value}, {"BK", "16"}, {"TM", large ? "8" : "4"}, {"TN", large ? "8" : "4"}};
    const uint64_t before = per_store_of_a(*context.examples().of(standard)),
                   after = per_store_of_a(*context.examples().of(changed));
    if (before == 0 || after == 0)
        return {};
    QuizQuestion question = question_about("transposing", changed);
    question.asked = standard;
    question.shown.at = question.asked.at = "As.store(";
    question.ask = {{"quiz.what_if_bk", {{"stage", standard.stage()}, {"bm", value}, {"before", before}}}};
    Answers answers(after, {{"quiz.what_if_bk_why", {{"after", after}, {"groups", 4}}}});
    answers.wrong(before, {"quiz.what_if_bk_same", {{"after", after}}});
    answers.wrong(before * 2, {"quiz.what_if_bk_double", {{"after", after}}});
    return answers.wrong(16, {"quiz.what_if_bk_all", {{"after", after}}})
        .fill(after)
        .into(std::move(question), context);
}

// Asks what the library's own traced kernel requires from shared memory.
std::optional<QuizQuestion> library(QuestionContext& context)
{
    Patch place = placed("fastest", "banks");
    place.columns[0].file = "programs/cublas_sgemm_512.gscope";
    const auto chosen = choose_access(context, place, [](const recording::Access& access) {
        return access.op == Op::shared_load && access.width == 16 && std::popcount(access.mask) == 32 &&
               viz::shared_cost(access).conflicts == 0;
    });
    if (!chosen)
        return {};
    const viz::BankPicture picture = viz::bank_picture(chosen->access->op, viz::pattern_of(*chosen->access));
    const std::set<uint32_t> places(chosen->access->offset.begin(), chosen->access->offset.end());
    QuizQuestion question = question_about("library_kernel", chosen->place);
    question.ask = {
        {"quiz.library", {{"where", chosen->line()}, {"bytes", 16 * places.size()}, {"each", chosen->lanes()}}}};
    const auto right = picture.cost.wavefronts;
    Answers answers(right, why_wavefronts(picture));
    answers.wrong(1, {"quiz.wavefronts_one", {{"bytes", 16 * places.size()}}});
    answers.wrong(right == 2 ? 4 : 2, {"quiz.library_groups"});
    return answers.wrong(32, {"quiz.wavefronts_lanes"}).fill(right).into(std::move(question), context);
}

// Asks how many wavefronts a 16-byte load takes with one of two keys of the swizzle.
std::optional<QuizQuestion> key(QuestionContext& context)
{
    Patch place = placed("swizzled_reads", "banks");
    constexpr std::array keys = {"2", "4"};
    place.columns[0].parameters = {{"KEY", context.one_of(keys)}};
    const auto chosen = choose_access(context, place, [](const recording::Access& access) {
        return access.op == Op::shared_load && access.width == 16 && std::popcount(access.mask) == 32;
    });
    if (!chosen || chosen->array->name != "Bs")
        return {};
    const model::SharedCost cost = viz::shared_cost(*chosen->access);
    QuizQuestion question = question_about("swizzle_and_warps", chosen->place);
    question.ask = {{"quiz.key", {{"where", chosen->line()}, {"bit", place.columns[0].parameters[0].second}}}};
    Answers answers(cost.wavefronts, {{"quiz.key_why", {{"n", cost.wavefronts}, {"conflicts", cost.conflicts}}}});
    answers.wrong(cost.conflicts > 0 ? 4 : 8, {"quiz.key_other", {{"n", cost.wavefronts}}});
    answers.wrong(1, {"quiz.wavefronts_one", {{"bytes", 512}}});
    return answers.fill(cost.wavefronts).into(std::move(question), context);
}

} // namespace

std::vector<QuestionKind> memory_questions()
{
    return {
        {"bank", {"banks"}, bank, Level::beginner, "tiling"},
        {"wavefronts", {"banks", "bank_width", "vector_access"}, wavefronts, Level::intermediate, "tiling"},
        {"partner", {"banks"}, partner, Level::intermediate},
        {"stride", {"conflict_cost", "own_kernel", "patterns"}, stride, Level::beginner},
        {"pattern", {"patterns"}, pattern, Level::beginner},
        {"sectors", {"coalescing", "broadcast"}, sectors, Level::beginner, "tiling"},
        {"padding", {"padding"}, padding, Level::intermediate, "layout"},
        {"layouts", {"swizzle", "cures_that_fail"}, layouts, Level::advanced, "tiling"},
        {"swizzled_bank", {"swizzle"}, swizzled_bank, Level::advanced, "tiling"},
        {"what_if_bk", {"transposing"}, what_if_bk, Level::advanced, "tiling"},
        {"key", {"swizzle_and_warps"}, key, Level::advanced, "tiling"},
        {"library", {"library_kernel"}, library, Level::advanced, "threads"},
    };
}

} // namespace app
