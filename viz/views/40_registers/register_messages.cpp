#include "viz/views/40_registers/register_messages.h"
#include "viz/text/known.h"

#include "viz/analysis/occupancy.h"
#include "viz/analysis/tiling.h"

#include <fmt/format.h>

#include <algorithm>

namespace viz {

namespace {

// "A(24..31, 11)": neighbours in a column or row joined.
std::string cells_text(const std::string& matrix, const std::vector<Cell>& cells)
{
    std::string text;
    for (std::size_t i = 0; i < cells.size();) {
        std::size_t down = i + 1, across = i + 1;
        while (down < cells.size() && cells[down] == Cell{cells[down - 1].row + 1, cells[i].col})
            ++down;
        while (across < cells.size() && cells[across] == Cell{cells[i].row, cells[across - 1].col + 1})
            ++across;
        const auto range = [](uint32_t first, uint32_t last) {
            return first == last ? std::to_string(first) : fmt::format("{}..{}", first, last);
        };
        const std::size_t end = std::max(down, across);
        text += text.empty() ? "" : ", ";
        text += fmt::format("{}({}, {})", matrix, range(cells[i].row, cells[end - 1].row),
                            range(cells[i].col, cells[end - 1].col));
        i = end;
    }
    return text;
}

Message fragments_message(const ShownStep& shown)
{
    if (!shown.fragments)
        return {"registers.no_operands"};
    const Fragments& fragments = *shown.fragments;
    const LaneFragment& mine = fragments.lanes[shown.lane];
    const std::size_t a = mine.a.size(), b = mine.b.size();
    if (a * b == 0)
        return {"registers.outside", {{"k", index(fragments.k)}, {"lane", index(shown.lane)}}};
    if (shown.stored())
        return {"registers.stored",
                {{"lane", index(shown.lane)},
                 {"sums", a * b},
                 {"k", index(fragments.k)},
                 {"a", cells_text("A", mine.a)},
                 {"b", cells_text("B", mine.b)}}};
    Messages kind{a * b > 1 ? Message{"registers.outer_product", {{"values", 2 * a * b}}}
                            : Message{"registers.inner_product"}};
    if (shown.elsewhere)
        kind.push_back({"registers.product_elsewhere"});
    return {"registers.fragments",
            {{"k", index(fragments.k)},
             {"lane", index(shown.lane)},
             {"held", fragments.complete},
             {"a", cells_text("A", mine.a)},
             {"b", cells_text("B", mine.b)},
             {"a_count", a},
             {"b_count", b},
             {"products", a * b},
             {"kind", kind},
             {"loads", fragments.loads},
             {"bytes", fragments.bytes}}};
}

Messages shuffle_messages(const ShownStep& shown)
{
    const recording::Access& access = shown.access();
    const ShuffleFacts facts = shuffle_facts(access);
    Messages messages{{"registers.shuffle", {{"lanes", facts.lanes}, {"sources", facts.sources.size()}}}};
    if (facts.most_asked > 1)
        messages.push_back({"registers.broadcast", {{"most", facts.most_asked}}});
    if (!takes_part(access, shown.lane))
        return messages;
    const auto held = held_for_shuffles(shown.recording, shown.warp, shown.phases, shown.step);
    const uint32_t from = access.offset[shown.lane];
    if (from < held.size() && !held[from].a.empty())
        messages.push_back({"registers.shuffled_held",
                            {{"lane", index(shown.lane)},
                             {"from", index(from)},
                             {"a", cells_text("A", held[from].a)},
                             {"b", cells_text("B", held[from].b)}}});
    else
        messages.push_back({"registers.shuffled", {{"lane", index(shown.lane)}, {"from", index(from)}}});
    return messages;
}

Message neighbours_message(recording::Transposed transposed)
{
    switch (transposed) {
    case recording::Transposed::yes: return {"registers.transposed"};
    case recording::Transposed::no: return {"registers.not_transposed"};
    default: return {"registers.transposed_unknown"};
    }
}

Message product_message(const ShownStep& shown)
{
    if (is_wmma(shown.warp))
        return {"registers.wmma"};
    if (!knows_operands(shown.recording))
        return {"registers.product_unknown"};
    const MmaShape shape = shape_of(shown.recording);
    return {"registers.mma",
            {{"depth", index(shape.depth)},
             {"lane", index(shown.lane)},
             {"a", cells_text("A", held_by_lane(shape, MmaPart::a, shown.lane))},
             {"b", cells_text("B", held_by_lane(shape, MmaPart::b, shown.lane))},
             {"sums", cells_text("D", held_by_lane(shape, MmaPart::sums, shown.lane))}}};
}

Message group_product_message(const ShownStep& shown)
{
    const auto operands = group_operands(shown.recording, shown.warp, shown.step);
    if (!operands)
        return {"registers.wgmma_unknown"};
    const auto corner = [&](uint8_t array, const CellRect& cells) {
        return fmt::format("{} x {} of {} from ({}, {})", cells.rows, cells.cols, shown.recording.arrays[array].name,
                           cells.row, cells.col);
    };
    const uint32_t columns = operands->columns;
    const Message sums = operands->turned
                             ? Message{"registers.wgmma_turned_sums", {{"rows", columns}, {"registers", columns / 2}}}
                             : Message{"registers.wgmma_sums", {{"cols", columns}, {"registers", columns / 2}}};
    return {
        "registers.wgmma",
        {{"a", corner(operands->a, operands->a_cells)}, {"b", corner(operands->b, operands->b_cells)}, {"sums", sums}}};
}

} // namespace

MmaShape shape_of(const recording::Recording& recording)
{
    return mma_shape(recording.arrays.empty() ? 2 : recording.arrays[0].element_bytes);
}

Messages step_messages(const ShownStep& shown)
{
    Messages messages{
        {"registers.step",
         {{"step", index(shown.step)}, {"steps", shown.warp.accesses.size()}, {"warp", index(shown.warp_index)}}}};
    switch (register_step(shown.access())) {
    case RegisterStep::shuffle:
        for (Message& message : shuffle_messages(shown))
            messages.push_back(std::move(message));
        break;
    case RegisterStep::matrix_load:
        messages.push_back({"registers.ldmatrix",
                            {{"neighbours", neighbours_message(shown.access().transposed)},
                             {"lane", index(shown.lane)},
                             {"row", index(shown.lane % 8)},
                             {"matrix", index(shown.lane / 8)}}});
        break;
    case RegisterStep::product: messages.push_back(product_message(shown)); break;
    case RegisterStep::group_product: messages.push_back(group_product_message(shown)); break;
    case RegisterStep::fragments: messages.push_back(fragments_message(shown)); break;
    }
    return messages;
}

Message headline(const ShownStep& shown)
{
    switch (register_step(shown.access())) {
    case RegisterStep::shuffle: {
        const ShuffleFacts facts = shuffle_facts(shown.access());
        return {"registers.headline_shuffle", {{"lanes", facts.lanes}, {"sources", facts.sources.size()}}};
    }
    case RegisterStep::matrix_load: return {"registers.headline_ldmatrix"};
    case RegisterStep::product:
        if (is_wmma(shown.warp))
            return {"registers.headline_wmma"};
        if (!knows_operands(shown.recording))
            return {"registers.headline_product"};
        return {"registers.headline_mma", {{"depth", index(shape_of(shown.recording).depth)}}};
    case RegisterStep::group_product: return {"registers.headline_wgmma"};
    case RegisterStep::fragments: break;
    }
    if (!shown.fragments)
        return is_wmma(shown.warp) ? Message{"registers.headline_wmma"} : Message{"registers.headline_nothing"};
    const LaneFragment &mine = shown.fragments->lanes[shown.lane], held = shown.fragments->held_by(shown.lane);
    const std::size_t values = mine.a.size() + mine.b.size(), here = held.a.size() + held.b.size();
    const std::size_t products = mine.a.size() * mine.b.size();
    if (shown.stored() && products > 0)
        return {"registers.headline_stored", {{"lane", index(shown.lane)}, {"sums", products}}};
    if (here < values)
        return {"registers.headline_partly",
                {{"lane", index(shown.lane)},
                 {"here", here},
                 {"values", values},
                 {"local", shown.elsewhere},
                 {"products", products}}};
    return {"registers.headline_fragments",
            {{"lane", index(shown.lane)}, {"values", values}, {"local", shown.elsewhere}, {"products", products}}};
}

Messages use_messages(const RegisterUse& use)
{
    const Message holds =
        use.results == 0 ? Message{"registers.no_results"}
        : use.fragments > 0 && !use.elsewhere()
            ? Message{"registers.results_and_fragments", {{"results", use.results}, {"fragments", use.fragments}}}
            : Message{"registers.results", {{"results", use.results}}};
    Messages messages;
    if (use.registers)
        messages.push_back(
            {"registers.used", {{"registers", *use.registers}, {"most", most_registers}, {"holds", holds}}});
    else
        messages.push_back({"registers.used_unknown", {{"why", in_short(use.registers.missing())}, {"holds", holds}}});
    if (const uint32_t known = use.results + (use.elsewhere() ? 0 : use.fragments);
        use.registers && *use.registers >= known)
        messages.push_back({"registers.other", {{"other", *use.registers - known}}});
    if (use.moved)
        messages.push_back({"registers.moved"});
    if (use.local && *use.local > 0 && use.registers_left) {
        Messages alike;
        if (use.fragments > 0 && *use.local == 4 * use.fragments)
            alike.push_back({"registers.local_like_fragments", {{"fragments", use.fragments}}});
        messages.push_back({"registers.local",
                            {{"bytes", Value(*use.local).as(Meaning::conflict)},
                             {"left", most_registers - use.registers.value().value_or(0)},
                             {"alike", alike}}});
    } else if (use.local && *use.local > 0)
        messages.push_back({"registers.spilled", {{"bytes", Value(*use.local).as(Meaning::conflict)}}});
    else if (use.local)
        messages.push_back({"registers.nothing_local"});
    return messages;
}

} // namespace viz
