#include "app/learn/quiz.h"

#include "viz/analysis/fragments.h"
#include "viz/analysis/hierarchy.h"
#include "viz/analysis/ownership.h"
#include "viz/analysis/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace app {

namespace {

viz::Message thread_label(uint32_t thread)
{
    return {"quiz.thread",
            {{"thread", viz::index(thread)}, {"warp", viz::index(thread / 32)}, {"lane", viz::index(thread % 32)}}};
}

viz::Message element_label(uint32_t row, uint32_t col)
{
    return {"quiz.element", {{"row", viz::index(row)}, {"col", viz::index(col)}}};
}

constexpr std::array owning = {"naive",          "coalesced",      "register_tile_2x2", "shared_tile",
                               "thread_tile_1d", "thread_tile_2d", "vectorized",        "warp_tile"};

// Asks which thread computes an element.
std::optional<QuizQuestion> owner(QuestionContext& context)
{
    Patch place = placed(context.one_of(owning), "threads");
    const RecordingPtr recording = context.examples().of(place);
    const auto cells = viz::cells_of_block(*recording, 0);
    if (cells.empty())
        return {};
    const viz::OwnedCell& owned = context.one_of(cells);
    const auto [row, col] = owned.cell;
    place.c = {row, col};
    QuizQuestion question = question_about("grid_block_thread", place);
    question.asked.c.reset();
    const recording::Index3 block = recording->launch.block;
    question.ask = {{"quiz.owner",
                     {{"stage", place.stage()},
                      {"block", viz::typed_text(block)},
                      {"row", viz::index(row)},
                      {"col", viz::index(col)}}}};
    const uint32_t threads = recording->launch.threads_per_block();
    Answers answers(thread_label(owned.thread), {{"quiz.owner_why", {{"thread", viz::index(owned.thread)}}}});
    const auto other = [&](uint32_t thread, viz::Message explains) {
        if (thread < threads)
            answers.wrong(thread_label(thread), std::move(explains));
    };
    if (block.y > 1) {
        const recording::Index3 index = viz::index_of(owned.thread, block);
        other(index.x * block.y + index.y, {"quiz.owner_turned"});
    }
    other(row * block.x + col, {"quiz.owner_cells"});
    other(col * block.x + row, {"quiz.owner_swapped"});
    for (const uint32_t by : {1u, 32u, 8u})
        other((owned.thread + by) % threads, {"quiz.owner_other"});
    return answers.into(std::move(question), context);
}

// Asks which element a thread computes. Clicking in C answers too.
std::optional<QuizQuestion> element(QuestionContext& context)
{
    Patch place = placed(context.one_of(owning), "threads");
    const RecordingPtr recording = context.examples().of(place);
    const uint32_t thread = context.below(recording->launch.threads_per_block());
    const auto cells = viz::cells_of_block(*recording, 0);
    place.warp = thread / 32, place.lane = thread % 32;
    QuizQuestion question = question_about(context.below(2) == 0 ? "grid_block_thread" : "thread_tile", place);
    std::vector<std::pair<uint32_t, uint32_t>> others;
    for (const viz::OwnedCell& one : cells)
        (one.thread == thread ? question.elements : others).emplace_back(one.cell.row, one.cell.col);
    if (question.elements.empty() || others.empty())
        return {};
    question.asked.warp = question.asked.lane = 0;
    question.shown.c = question.elements.front();
    question.ask = {{"quiz.owns",
                     {{"stage", place.stage()},
                      {"block", viz::typed_text(recording->launch.block)},
                      {"thread", viz::index(thread)},
                      {"results", question.elements.size()}}}};
    const auto& right = context.one_of(question.elements);
    Answers answers(element_label(right.first, right.second),
                    {{"quiz.owns_why", {{"thread", viz::index(thread)}, {"results", question.elements.size()}}}});
    const auto wrong = [&](uint32_t row, uint32_t col, viz::Message explains) {
        if (std::ranges::find(others, std::pair{row, col}) != others.end())
            answers.wrong(element_label(row, col), std::move(explains));
    };
    wrong(right.second, right.first, {"quiz.owns_swapped"});
    wrong(0, thread, {"quiz.owns_row"});
    wrong(thread, 0, {"quiz.owns_column"});
    for (int i = 0; i < 3; ++i) {
        const auto& one = context.one_of(others);
        answers.wrong(element_label(one.first, one.second), {"quiz.owns_other"});
    }
    return answers.into(std::move(question), context);
}

std::optional<QuizQuestion> surplus(QuestionContext& context)
{
    constexpr std::array sizes = {32, 100, 128, 256};
    const auto threads = static_cast<uint32_t>(context.one_of(sizes));
    const uint32_t elements = 200 + context.below(1300);
    Patch place = placed("vector_add", "hierarchy");
    place.size = fmt::format("{}", elements);
    place.columns[0].parameters = {{"threads", fmt::format("{}", threads)}};
    const uint64_t right = viz::idle_threads(*context.examples().of(place)).total;
    const uint64_t blocks = (elements + threads - 1) / threads;
    QuizQuestion question = question_about("dispatch_1d", place);
    question.ask = {{"quiz.surplus", {{"elements", elements}, {"threads", threads}}}};
    Answers answers(right,
                    {{"quiz.surplus_why",
                      {{"blocks", blocks}, {"launched", blocks * threads}, {"elements", elements}, {"n", right}}}});
    answers.wrong(elements % threads, {"quiz.surplus_rest", {{"n", elements % threads}}});
    answers.wrong(0, {"quiz.surplus_none", {{"threads", threads}}});
    return answers.wrong((32 - elements % 32) % 32, {"quiz.surplus_warp"})
        .fill(right)
        .into(std::move(question), context);
}

struct BlockShape {
    uint32_t width, height;
};
constexpr std::array shapes = {BlockShape{8, 8}, BlockShape{16, 16}, BlockShape{32, 4}, BlockShape{5, 7}};

Patch coords(const BlockShape& shape)
{
    Patch place = placed("thread_coords", "hierarchy");
    place.columns[0].parameters = {{"width", fmt::format("{}", shape.width)},
                                   {"height", fmt::format("{}", shape.height)}};
    return place;
}

std::optional<QuizQuestion> number(QuestionContext& context)
{
    const BlockShape& shape = context.one_of(shapes);
    const recording::Index3 at{context.below(shape.width), 1 + context.below(shape.height - 1), 0};
    const uint32_t right = viz::linear_of(at, {shape.width, shape.height, 1});
    QuizQuestion question = question_about("dispatch_2d", coords(shape));
    question.shown.lane = right % 32, question.shown.warp = right / 32;
    question.ask = {
        {"quiz.number",
         {{"width", shape.width}, {"height", shape.height}, {"x", viz::index(at.x)}, {"y", viz::index(at.y)}}}};
    Answers answers(
        right,
        {{"quiz.number_why",
          {{"x", viz::index(at.x)}, {"y", viz::index(at.y)}, {"width", shape.width}, {"n", viz::index(right)}}}});
    answers.wrong(uint64_t{at.x} * shape.height + at.y, {"quiz.number_turned"});
    answers.wrong(uint64_t{at.y} * shape.height + at.x, {"quiz.number_height"});
    return answers.wrong(uint64_t{at.x} + at.y, {"quiz.number_sum"}).fill(right).into(std::move(question), context);
}

std::optional<QuizQuestion> warp(QuestionContext& context)
{
    const uint32_t width = 1 + context.below(40), height = 1 + context.below(24);
    const uint32_t threads = width * height;
    const uint64_t right = (threads + 31) / 32;
    QuizQuestion question = question_about("warp", placed("thread_coords", "hierarchy"));
    question.ask = {{"quiz.warp", {{"width", width}, {"height", height}}}};
    Answers answers(right,
                    {{"quiz.warp_why", {{"threads", threads}, {"warps", right}, {"empty", right * 32 - threads}}}});
    answers.wrong(threads / 32, {"quiz.warp_down", {{"rest", threads % 32}}});
    answers.wrong(uint64_t{height} * ((width + 31) / 32), {"quiz.warp_rows"});
    return answers.wrong(threads, {"quiz.warp_threads"}).fill(right).into(std::move(question), context);
}

// Asks about the edge of a matrix that is no multiple of the block size.
std::optional<QuizQuestion> edges(QuestionContext& context)
{
    Patch place = placed("coalesced", "tiling");
    const uint32_t rows = 33 + context.below(60), cols = 33 + context.below(60);
    place.size = fmt::format("{}x{}x16", rows, cols);
    const RecordingPtr recording = context.examples().of(place);
    const uint64_t launched = recording->launch.grid.volume() * recording->launch.threads_per_block();
    const uint64_t right = launched - uint64_t{rows} * cols;
    if (right == 0)
        return {};
    place.block = {recording->launch.grid.x - 1, 0, 0};
    QuizQuestion question = question_about(context.below(2) == 0 ? "edges" : "divergence", place);
    question.ask = {{"quiz.edges",
                     {{"rows", rows},
                      {"cols", cols},
                      {"blocks", recording->launch.grid.volume()},
                      {"block", viz::typed_text(recording->launch.block)}}}};
    Answers answers(right,
                    {{"quiz.edges_why", {{"launched", launched}, {"results", uint64_t{rows} * cols}, {"n", right}}}});
    answers.wrong(0, {"quiz.edges_none"});
    answers.wrong(uint64_t{32 - rows % 32} * (32 - cols % 32), {"quiz.edges_corner"});
    answers.wrong(uint64_t{rows % 32} * (cols % 32), {"quiz.edges_inside"}).fill(right);
    return answers.into(std::move(question), context);
}

// Asks about a partial sum of integers.
std::optional<QuizQuestion> dot_product(QuestionContext& context)
{
    constexpr std::array rungs = {"naive", "coalesced", "shared_tile"};
    Patch place = placed(context.one_of(rungs), "threads");
    place.tiny = true;
    const RecordingPtr recording = context.examples().of(place);
    const viz::Cell c{context.below(recording->problem.M), context.below(recording->problem.N)};
    const uint32_t end = 2 + context.below(recording->problem.K - 1);
    place.c = {c.row, c.col};
    const auto sum = [&](uint32_t first, uint32_t last) {
        return static_cast<uint64_t>(viz::partial_sum(*recording, c, first, last).value_or(0));
    };
    viz::Value::List a, b;
    for (uint32_t k = 0; k < recording->problem.K; ++k) {
        a.emplace_back(static_cast<uint32_t>(viz::value_of(*recording, 0, {c.row, k}).value_or(0)));
        b.emplace_back(static_cast<uint32_t>(viz::value_of(*recording, 1, {k, c.col}).value_or(0)));
    }
    QuizQuestion question = question_about(context.below(2) == 0 ? "dot_product" : "values", place);
    question.asked.c.reset();
    question.ask = {{"quiz.dot_product",
                     {{"row", viz::index(c.row)}, {"col", viz::index(c.col)}, {"a", a}, {"b", b}, {"terms", end}}}};
    const uint64_t right = sum(0, end);
    Answers answers(right, {{"quiz.dot_product_why", {{"terms", end}, {"sum", right}}}});
    answers.wrong(sum(0, end - 1), {"quiz.dot_product_less"});
    answers.wrong(sum(0, end + 1), {"quiz.dot_product_more"});
    return answers.wrong(sum(end - 1, end), {"quiz.dot_product_one"}).fill(right).into(std::move(question), context);
}

// Asks which lane a shuffle reads from.
std::optional<QuizQuestion> shuffle(QuestionContext& context)
{
    Patch place = placed("warp_shuffle", "registers");
    const RecordingPtr recording = context.examples().of(place);
    const auto& accesses = recording->blocks.at(0).warps.at(0).accesses;
    std::vector<std::size_t> steps;
    for (std::size_t i = 0; i < accesses.size(); ++i)
        if (accesses[i].op == recording::Op::shuffle)
            steps.push_back(i);
    if (steps.empty())
        return {};
    const std::size_t step = context.one_of(steps);
    const recording::Access& access = accesses[step];
    const viz::ShuffleFacts facts = viz::shuffle_facts(access);
    place.step = step;
    QuizQuestion question = question_about("shuffles", place);
    viz::Value::List asked;
    for (const uint32_t source : facts.sources)
        asked.emplace_back(viz::index(source));
    question.ask = {{"quiz.shuffle", {{"line", viz::index(access.line)}, {"sources", asked}}}};
    const uint32_t right = facts.most_asked;
    Answers answers(right, {{"quiz.shuffle_why", {{"sources", facts.sources.size()}, {"most", right}}}});
    answers.wrong(1, {"quiz.shuffle_one"});
    answers.wrong(32, {"quiz.shuffle_all"});
    return answers.wrong(facts.sources.size(), {"quiz.shuffle_sources"}).fill(right).into(std::move(question), context);
}

// Asks which tile of C a block computes.
std::optional<QuizQuestion> block_order(QuestionContext& context)
{
    constexpr std::array rungs = {"coalesced", "naive"};
    const Patch place = placed(context.one_of(rungs), "threads");
    const RecordingPtr recording = context.examples().of(place);
    const uint32_t block = 1 + context.below(recording->launch.grid.volume() - 1);
    const auto cells = viz::cells_of_block(*recording, block);
    if (cells.empty())
        return {};
    const viz::Cell corner = cells.front().cell;
    QuizQuestion question = question_about("block_order", place);
    question.shown.c = {corner.row, corner.col};
    question.ask = {
        {"quiz.block_order",
         {{"stage", place.stage()}, {"grid", viz::typed_text(recording->launch.grid)}, {"block", viz::index(block)}}}};
    Answers answers(element_label(corner.row, corner.col), {{"quiz.block_order_why", {{"block", viz::index(block)}}}});
    answers.wrong(element_label(corner.col, corner.row), {"quiz.block_order_turned"});
    answers.wrong(element_label(0, block * 32), {"quiz.block_order_row"});
    answers.wrong(element_label(corner.row + 32, corner.col), {"quiz.block_order_next"});
    answers.wrong(element_label(corner.row, corner.col + 32), {"quiz.block_order_next"});
    return answers.into(std::move(question), context);
}

// Asks which lane holds an element of a fragment of the result.
std::optional<QuizQuestion> fragment(QuestionContext& context)
{
    Patch place = placed("mma_ldmatrix", "registers");
    const RecordingPtr recording = context.examples().of(place);
    const auto cells = viz::cells_of_block(*recording, 0);
    if (cells.empty())
        return {};
    std::vector<viz::OwnedCell> first; // of warp 0, in the first 16 x 8 tile of C
    for (const viz::OwnedCell& one : cells)
        if (one.thread < 32 && one.cell.row < 16 && one.cell.col < 8)
            first.push_back(one);
    if (first.empty())
        return {};
    const viz::OwnedCell& owned = context.one_of(first);
    const uint32_t row = owned.cell.row, col = owned.cell.col;
    place.c = {row, col};
    QuizQuestion question = question_about("tensor_cores", place);
    question.asked.c.reset();
    question.ask = {{"quiz.fragment", {{"row", viz::index(row)}, {"col", viz::index(col)}}}};
    Answers answers(owned.thread, {{"quiz.fragment_why", {{"lane", viz::index(owned.thread)}}}});
    answers.wrong((row * 8 + col) % 32, {"quiz.fragment_rows"});
    answers.wrong(row * 2 % 32, {"quiz.fragment_halves"});
    answers.wrong(col * 4 + row / 4, {"quiz.fragment_columns"}).fill(owned.thread + 1, 32);
    return answers.into(std::move(question), context);
}

// Asks for the shape of the weights of a linear layer.
std::optional<QuizQuestion> linear_layer(QuestionContext& context)
{
    constexpr std::array inputs = {32, 64, 256}, features = {128, 512, 1024}, outputs = {16, 384, 2048};
    const auto m = static_cast<uint64_t>(context.one_of(inputs)), k = static_cast<uint64_t>(context.one_of(features)),
               n = static_cast<uint64_t>(context.one_of(outputs));
    Patch place = placed("coalesced", "threads");
    place.arranged = "network";
    QuizQuestion question = question_about("linear_layer", place);
    question.asked.arranged.clear();
    question.ask = {{"quiz.linear_layer", {{"m", m}, {"k", k}, {"n", n}}}};
    const auto shape = [](uint64_t rows, uint64_t cols) {
        return viz::Message{"quiz.shape", {{"rows", rows}, {"cols", cols}}};
    };
    Answers answers(shape(k, n), {{"quiz.linear_layer_why", {{"k", k}, {"n", n}}}});
    answers.wrong(shape(n, k), {"quiz.linear_layer_turned"});
    answers.wrong(shape(m, k), {"quiz.linear_layer_a"});
    answers.wrong(shape(m, n), {"quiz.linear_layer_c"});
    return answers.into(std::move(question), context);
}

// Asks what a host timer measures that is read right after a launch, or after a synchronization.
std::optional<QuizQuestion> host_code(QuestionContext& context)
{
    const bool waits = context.below(2) == 0;
    QuizQuestion question =
        question_about("host_code", parse_patch("stage=vector_add file=programs/first_program.gscope view=hierarchy"));
    question.ask = {{waits ? "quiz.host_code_wait" : "quiz.host_code"}};
    const viz::Message launch{"quiz.host_code_launch"}, kernel{"quiz.host_code_kernel"};
    Answers answers(waits ? kernel : launch, {{waits ? "quiz.host_code_waited" : "quiz.host_code_returned"}});
    answers.wrong(waits ? launch : kernel, {waits ? "quiz.host_code_waited" : "quiz.host_code_returned"});
    answers.wrong({"quiz.host_code_copies"}, {"quiz.host_code_order"});
    return answers.into(std::move(question), context);
}

} // namespace

std::vector<QuestionKind> thread_questions()
{
    return {
        {"owner", {"grid_block_thread"}, owner, Level::beginner, "hierarchy"},
        {"element", {"grid_block_thread", "thread_tile"}, element, Level::beginner},
        {"surplus", {"dispatch_1d"}, surplus, Level::beginner, "threads"},
        {"number", {"dispatch_2d"}, number, Level::beginner},
        {"warp", {"warp"}, warp, Level::beginner, "hierarchy"},
        {"edges", {"edges", "divergence"}, edges, Level::intermediate, "threads"},
        {"dot_product", {"dot_product", "values"}, dot_product, Level::beginner, "threads"},
        {"linear_layer", {"linear_layer"}, linear_layer, Level::beginner},
        {"host_code", {"host_code"}, host_code, Level::beginner, "threads"},
        {"shuffle", {"shuffles"}, shuffle, Level::advanced, "registers"},
        {"block_order", {"block_order"}, block_order, Level::intermediate, "hierarchy"},
        {"fragment", {"tensor_cores"}, fragment, Level::advanced},
    };
}

} // namespace app
