#include "app/learn/quiz.h"

#include "viz/analysis/occupancy.h"
#include "viz/analysis/reuse.h"

#include <array>
#include <cmath>
#include <utility>

namespace app {

namespace {

constexpr std::array block_sizes = {64, 128, 256, 512, 1024};

viz::KernelNeeds needs_by_lot(QuestionContext& context)
{
    return {.threads = static_cast<uint32_t>(context.one_of(block_sizes)),
            .registers = 24 + 8 * context.below(18),
            .shared_bytes = 1024 * 4 * context.below(20)};
}

viz::Message ask_needs(const viz::KernelNeeds& needs)
{
    return {"quiz.needs",
            {{"threads", needs.threads}, {"registers", needs.registers}, {"shared", viz::bytes(needs.shared_bytes)}}};
}

viz::Message limit_name(viz::Limit limit)
{
    switch (limit) {
    case viz::Limit::registers: return {"quiz.limit_registers"};
    case viz::Limit::shared: return {"quiz.limit_shared"};
    case viz::Limit::warps: return {"quiz.limit_warps"};
    case viz::Limit::blocks: break;
    }
    return {"quiz.limit_blocks"};
}
constexpr std::array all_limits = {viz::Limit::registers, viz::Limit::shared, viz::Limit::warps, viz::Limit::blocks};

QuizQuestion about_occupancy(std::string topic)
{
    return question_about(std::move(topic), placed("vectorized", "occupancy"));
}

std::optional<QuizQuestion> blocks_fit(QuestionContext& context)
{
    const viz::SmLimits sm = context.examples().limits();
    const viz::KernelNeeds needs = needs_by_lot(context);
    const viz::Residency fits = viz::residency(sm, needs);
    if (fits.refusal)
        return {};
    QuizQuestion question = about_occupancy("occupancy");
    question.ask = {ask_needs(needs), {"quiz.blocks_fit", {{"gpu", context.examples().gpu().name}}}};
    Answers answers(fits.blocks, {{"quiz.blocks_fit_why",
                                   {{"registers", fits.allowed[0]},
                                    {"shared", fits.allowed[1]},
                                    {"warps", fits.allowed[2]},
                                    {"blocks", fits.allowed[3]}}}});
    for (const viz::Limit limit : all_limits)
        answers.wrong(fits.allowed[static_cast<std::size_t>(limit)],
                      {"quiz.blocks_fit_one", {{"limit", limit_name(limit)}, {"n", fits.blocks}}});
    return answers.fill(fits.blocks, sm.blocks + 1).into(std::move(question), context);
}

std::optional<QuizQuestion> limit(QuestionContext& context)
{
    const viz::KernelNeeds needs = needs_by_lot(context);
    const viz::Residency fits = viz::residency(context.examples().limits(), needs);
    std::vector<viz::Limit> limiting;
    for (const viz::Limit one : all_limits)
        if (fits.limited_by(one))
            limiting.push_back(one);
    if (fits.refusal || limiting.size() != 1)
        return {};
    QuizQuestion question = about_occupancy("occupancy");
    question.ask = {ask_needs(needs), {"quiz.limit"}};
    Answers answers(limit_name(limiting.front()), {{"quiz.limit_why", {{"n", fits.blocks}}}});
    for (const viz::Limit one : all_limits)
        answers.wrong(
            limit_name(one),
            {"quiz.limit_other", {{"allowed", fits.allowed[static_cast<std::size_t>(one)]}, {"n", fits.blocks}}});
    return answers.into(std::move(question), context);
}

std::optional<QuizQuestion> next_register(QuestionContext& context)
{
    const viz::SmLimits sm = context.examples().limits();
    viz::KernelNeeds needs = needs_by_lot(context);
    needs.shared_bytes = 0;
    const auto lost = viz::registers_to_lose_a_block(sm, needs);
    if (!lost)
        return {};
    QuizQuestion question = about_occupancy(context.below(2) == 0 ? "occupancy_steps" : "register_pressure");
    question.ask = {ask_needs(needs), {"quiz.next_register"}};
    const uint32_t per_thread = sm.registers / needs.threads;
    Answers answers(*lost, {{"quiz.next_register_why", {{"unit", sm.register_unit / 32}, {"n", *lost}}}});
    answers.wrong(1, {"quiz.next_register_one", {{"unit", sm.register_unit / 32}}});
    answers.wrong(per_thread > needs.registers ? per_thread - needs.registers : 32, {"quiz.next_register_all"});
    answers.wrong(sm.register_unit / 32, {"quiz.next_register_unit"}).fill(*lost);
    return answers.into(std::move(question), context);
}

std::optional<QuizQuestion> registers_left(QuestionContext& context)
{
    const viz::SmLimits sm = context.examples().limits();
    const auto threads = static_cast<uint32_t>(context.one_of(block_sizes));
    const auto fits = [&](uint32_t registers) {
        return viz::residency(sm, {.threads = threads, .registers = registers}).blocks > 0;
    };
    uint64_t right = viz::most_registers;
    while (right > 1 && !fits(static_cast<uint32_t>(right)))
        --right;
    QuizQuestion question = about_occupancy(context.below(2) == 0 ? "local_memory" : "register_pressure");
    question.ask = {{"quiz.registers_left", {{"threads", threads}}}};
    Answers answers(right,
                    {{"quiz.registers_left_why",
                      {{"all", sm.registers}, {"threads", threads}, {"most", viz::most_registers}, {"n", right}}}});
    answers.wrong(sm.registers / threads, {"quiz.registers_left_all", {{"most", viz::most_registers}}});
    answers.wrong(viz::most_registers, {"quiz.registers_left_most", {{"all", sm.registers}}});
    answers.wrong(sm.registers / threads / 4, {"quiz.registers_left_parts"}).fill(right);
    return answers.into(std::move(question), context);
}

struct SmFill {
    uint32_t sms, resident, blocks;
    uint32_t at_once() const { return sms * resident; }
};

SmFill fill_by_lot(QuestionContext& context)
{
    SmFill fill{context.examples().gpu().sm_count, 1 + context.below(4), 0};
    fill.blocks = fill.at_once() / 2 + context.below(fill.at_once() * 4);
    return fill;
}

std::optional<QuizQuestion> waves(QuestionContext& context)
{
    const SmFill fill = fill_by_lot(context);
    const uint64_t right = (fill.blocks + fill.at_once() - 1) / fill.at_once();
    QuizQuestion question = question_about("placement", placed("shared_tile", "placement"));
    question.ask = {{"quiz.waves", {{"sms", fill.sms}, {"resident", fill.resident}, {"blocks", fill.blocks}}}};
    Answers answers(right, {{"quiz.waves_why", {{"at_once", fill.at_once()}, {"blocks", fill.blocks}, {"n", right}}}});
    answers.wrong(fill.blocks / fill.at_once(), {"quiz.waves_down"});
    answers.wrong((fill.blocks + fill.sms - 1) / fill.sms, {"quiz.waves_one_each"});
    answers.wrong((fill.blocks + fill.resident - 1) / fill.resident, {"quiz.waves_one_sm"}).fill(right);
    return answers.into(std::move(question), context);
}

std::optional<QuizQuestion> last_wave(QuestionContext& context)
{
    const SmFill fill = fill_by_lot(context);
    const uint32_t last = fill.blocks % fill.at_once();
    if (last == 0 || fill.blocks < fill.at_once())
        return {};
    QuizQuestion question = question_about("last_wave", placed("shared_tile", "placement"));
    question.ask = {{"quiz.last_wave", {{"sms", fill.sms}, {"resident", fill.resident}, {"blocks", fill.blocks}}}};
    const uint64_t right = fill.at_once() - last;
    Answers answers(right, {{"quiz.last_wave_why", {{"at_once", fill.at_once()}, {"last", last}, {"n", right}}}});
    answers.wrong(last, {"quiz.last_wave_used"});
    answers.wrong(0, {"quiz.last_wave_none"});
    return answers.wrong(fill.blocks % fill.sms, {"quiz.last_wave_sms"}).fill(right).into(std::move(question), context);
}

std::optional<QuizQuestion> split(QuestionContext& context)
{
    const uint32_t side = 128 * (1 + context.below(6)), parts = 2 + context.below(7);
    const uint64_t tiles = uint64_t{side / 128} * (side / 128), right = tiles * parts;
    QuizQuestion question = question_about("split_k", placed("split_k", "placement"));
    question.ask = {
        {"quiz.split", {{"side", viz::index(side)}, {"parts", parts}, {"sms", context.examples().gpu().sm_count}}}};
    Answers answers(right, {{"quiz.split_why", {{"tiles", tiles}, {"parts", parts}, {"n", right}}}});
    answers.wrong(tiles, {"quiz.split_tiles"});
    answers.wrong(parts, {"quiz.split_parts"});
    return answers.wrong(tiles * parts * parts, {"quiz.split_both"}).fill(right).into(std::move(question), context);
}

// Returns the levels with a measured latency.
std::vector<viz::MemoryLevel> known_levels(QuestionContext& context)
{
    std::vector<viz::MemoryLevel> levels = context.examples().memory_levels();
    std::erase_if(levels, [](const viz::MemoryLevel& level) { return !level.latency; });
    return levels;
}

// Asks how many warps must take turns to hide a load.
std::optional<QuizQuestion> hide(QuestionContext& context)
{
    const std::vector<viz::MemoryLevel> known = known_levels(context);
    if (known.empty())
        return {};
    const viz::MemoryLevel& level = context.one_of(known);
    const uint32_t between = 2u << context.below(5);
    const auto cycles = std::lround(level.latency->cycles);
    const long right = (cycles + between - 1) / between;
    if (right < 2 || right > context.examples().limits().warps)
        return {}; // one warp suffices, or an SM does not hold enough
    constexpr std::array topics = {"latency_hiding", "warps_over_time", "stalls"};
    QuizQuestion question = about_occupancy(context.one_of(topics));
    question.ask = {{"quiz.hide", {{"level", level.name}, {"cycles", cycles}, {"between", between}}}};
    Answers answers(right, {{"quiz.hide_why", {{"cycles", cycles}, {"between", between}, {"n", right}}}});
    answers.wrong(1, {"quiz.hide_one"});
    answers.wrong(cycles, {"quiz.hide_cycles"});
    return answers.wrong(64, {"quiz.hide_all"}).fill(right).into(std::move(question), context);
}

std::optional<QuizQuestion> scheduler(QuestionContext& context)
{
    const viz::SmLimits sm = context.examples().limits();
    const viz::KernelNeeds needs = needs_by_lot(context);
    const viz::Residency fits = viz::residency(sm, needs);
    if (fits.refusal || fits.warps % viz::sm_parts != 0)
        return {};
    QuizQuestion question = about_occupancy(context.below(2) == 0 ? "warps_over_time" : "gpu_parts");
    question.ask = {ask_needs(needs), {"quiz.scheduler", {{"blocks", fits.blocks}}}};
    const uint64_t right = fits.warps / viz::sm_parts;
    Answers answers(right, {{"quiz.scheduler_why", {{"warps", fits.warps}, {"n", right}}}});
    answers.wrong(fits.warps, {"quiz.scheduler_all"});
    answers.wrong(uint64_t{fits.blocks} * needs.threads / 4, {"quiz.scheduler_threads"});
    return answers.wrong(sm.warps / 4, {"quiz.scheduler_most"}).fill(right).into(std::move(question), context);
}

// Asks which memory level answers within a given number of cycles.
std::optional<QuizQuestion> level(QuestionContext& context)
{
    const auto& facts = context.examples().catalogue().gpu.facts;
    if (!facts || !facts->measured)
        return {};
    const std::vector<viz::MemoryLevel> known = known_levels(context);
    if (known.size() < 3)
        return {};
    const std::size_t which = context.below(known.size());
    const auto cycles = std::lround(known[which].latency->cycles);
    QuizQuestion question = question_about("memory_levels", placed("vectorized", "gpu"));
    question.ask = {{"quiz.level", {{"gpu", facts->properties.name}, {"level", known[which].name}}}};
    Answers answers(cycles, {{"quiz.level_why", {{"cycles", cycles}}}});
    for (const viz::MemoryLevel& one : known)
        answers.wrong(std::lround(one.latency->cycles), {"quiz.level_other", {{"other", one.name}}});
    return answers.fill(cycles).into(std::move(question), context);
}

std::optional<QuizQuestion> reuse(QuestionContext& context)
{
    constexpr std::array rungs = {"shared_tile", "thread_tile_1d",    "thread_tile_2d", "vectorized",
                                  "warp_tile",   "register_tile_2x2", "coalesced"};
    const Patch place = placed(context.one_of(rungs), "reuse");
    const RecordingPtr recording = context.examples().of(place);
    const auto found = viz::reuse_of(*recording, recording->blocks.at(0));
    if (!found)
        return {};
    const auto right = std::lround(found->uses(found->operands[0]));
    QuizQuestion question = question_about("reuse", place);
    question.ask = {
        {"quiz.reuse", {{"stage", place.stage()}, {"rows", found->block_tile.rows}, {"cols", found->block_tile.cols}}}};
    Answers answers(right, {{"quiz.reuse_why", {{"n", right}}}});
    answers.wrong(uint64_t{found->block_tile.rows} * found->block_tile.cols, {"quiz.reuse_all"});
    answers.wrong(1, {"quiz.reuse_once"});
    answers.wrong(recording->problem.K == right ? 8 : recording->problem.K, {"quiz.reuse_k"}).fill(right);
    return answers.into(std::move(question), context);
}

std::optional<QuizQuestion> working_set(QuestionContext& context)
{
    constexpr std::array rungs = {"shared_tile", "thread_tile_1d", "thread_tile_2d", "vectorized", "warp_tile"};
    const Patch place = placed(context.one_of(rungs), "reuse");
    const RecordingPtr recording = context.examples().of(place);
    const auto found = viz::reuse_of(*recording, recording->blocks.at(0));
    if (!found || found->working_set.k == 0)
        return {};
    const uint64_t right = found->working_set.block;
    const uint64_t rows = found->block_tile.rows, cols = found->block_tile.cols, k = found->working_set.k;
    QuizQuestion question = question_about("working_set", place);
    question.ask = {{"quiz.working_set", {{"stage", place.stage()}, {"rows", rows}, {"cols", cols}, {"k", k}}}};
    Answers answers(right, {{"quiz.working_set_why", {{"elements", (rows + cols) * k}, {"n", right}}}});
    answers.wrong((rows + cols) * k, {"quiz.working_set_elements"});
    answers.wrong(rows * cols * 4, {"quiz.working_set_c"});
    return answers.wrong(rows * k * 4, {"quiz.working_set_a"}).fill(right).into(std::move(question), context);
}

} // namespace

std::vector<QuestionKind> sm_questions()
{
    return {
        {"blocks_fit", {"occupancy"}, blocks_fit, Level::intermediate, "occupancy"},
        {"limit", {"occupancy"}, limit, Level::intermediate, "occupancy"},
        {"next_register", {"occupancy_steps", "register_pressure"}, next_register, Level::advanced, "occupancy"},
        {"registers_left", {"local_memory", "register_pressure"}, registers_left, Level::intermediate, "occupancy"},
        {"waves", {"placement"}, waves, Level::beginner, "placement"},
        {"last_wave", {"last_wave"}, last_wave, Level::intermediate, "placement"},
        {"split", {"split_k"}, split, Level::intermediate, "placement"},
        {"hide", {"latency_hiding", "warps_over_time", "stalls"}, hide, Level::advanced, "occupancy"},
        {"scheduler", {"warps_over_time", "gpu_parts"}, scheduler, Level::advanced, "occupancy"},
        {"level", {"memory_levels"}, level, Level::beginner},
        {"reuse", {"reuse"}, reuse, Level::beginner, "tiling"},
        {"working_set", {"working_set"}, working_set, Level::advanced, "tiling"},
    };
}

} // namespace app
