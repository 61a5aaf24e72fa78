#include "viz/views/50_occupancy/bytes_under_way.h"

#include "viz/draw/draw.h"
#include "viz/text/figures.h"
#include "viz/text/known.h"
#include "viz/text/templates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace viz {

namespace {

constexpr float between_rows = 4; // pixels at scale 1

// Fewer than fit, where the launch has too few blocks to fill all places.
Messages few_blocks(const WaitingCase& waiting, const HardwareFigures& figures)
{
    const GpuState& gpu = waiting.board.gpu;
    if (!gpu.properties || !figures.occupancy)
        return {};
    const uint64_t blocks = blocks_at(*waiting.of.stage->recording, figures.problem);
    const uint64_t places = uint64_t{gpu.properties->sm_count} * waiting.of.now.blocks;
    if (blocks >= places || *figures.occupancy >= waiting.of.now.share)
        return {};
    return {{"occupancy.few_blocks",
             {{"blocks", blocks},
              {"places", places},
              {"sms", gpu.properties->sm_count},
              {"share", share(waiting.of.now.share)}}}};
}

Message counted_message(const WaitingCase& waiting)
{
    const HardwareFigures* figures = issue_figures(waiting.board, *waiting.of.stage);
    if (figures == nullptr)
        return {"occupancy.not_counted"};
    Messages resident;
    if (figures->occupancy)
        resident.push_back(
            {"occupancy.resident", {{"share", share(*figures->occupancy)}, {"few", few_blocks(waiting, *figures)}}});
    return {"occupancy.issued",
            {{"size", size_words(figures->problem)},
             {"issued", with_decimals(*figures->issued_per_cycle, 2)},
             {"resident", resident},
             {"counted", how_had(figures->from)}}};
}

// What is measured and counted is of the GPU at hand or of the shipped one, and says nothing of one that was only chosen.
Message other_gpu_message(const WaitingCase& waiting)
{
    return {"occupancy.other_gpu",
            {{"gpu", waiting.board.gpu.properties->name}, {"chosen", fmt::format("sm_{}", waiting.elsewhere)}}};
}

// The next that was measured, so that what lies between is not taken for the lower one.
Messages more_streamed(const StreamedRate& rate)
{
    if (rate.more_bytes <= 0)
        return {};
    return {{"occupancy.more_measured",
             {{"kib", rounded(rate.more_bytes / 1024)}, {"share", Value(share(rate.more_gbps / rate.most))}}}};
}

// `whole`: with what a stream reached.
Message answer(const WaitingCase& waiting, const UnderWay& bytes, bool whole)
{
    if (waiting.of.unknown())
        return {"occupancy.unknown_warps"};
    if (!bytes.has)
        return {"occupancy.unknown_under_way"};
    if (*bytes.has >= bytes.needed) {
        Messages measured;
        if (const auto rate = streamed_with(*waiting.board.gpu.measured, *bytes.has); rate && whole)
            measured.push_back({"occupancy.enough_measured",
                                {{"kib", rounded(rate->bytes / 1024)},
                                 {"share", Value(share(rate->gbps / rate->most))},
                                 {"more", more_streamed(*rate)}}});
        return {"occupancy.enough", {{"measured", measured}}};
    }
    return {"occupancy.not_enough", {{"share", Value(share(*bytes.has / bytes.needed)).as(Meaning::conflict)}}};
}

} // namespace

UnderWay bytes_under_way(const WaitingCase& waiting)
{
    UnderWay bytes;
    if (const auto needs = dram_needs(waiting.board); needs && waiting.elsewhere == 0)
        bytes.needed = needs->bytes_per_sm;
    if (waiting.together && waiting.of.now.warps > 0 && !waiting.of.unknown())
        bytes.has = static_cast<double>(waiting.together->bytes) * waiting.of.now.warps;
    return bytes;
}

Messages waiting_messages(const WaitingCase& waiting)
{
    if (waiting.elsewhere != 0)
        return {{"occupancy.hiding"}, other_gpu_message(waiting)};
    Messages messages{{"occupancy.hiding"}};
    if (const auto needs = dram_needs(waiting.board))
        messages.push_back({"occupancy.dram",
                            {{"latency", nanoseconds(needs->latency_ns)},
                             {"bandwidth", number(needs->gbps)},
                             {"bytes", number(needs->bytes_per_sm)},
                             {"origin", how_had(waiting.board.gpu.measured.from())}}});
    else
        messages.push_back({"occupancy.dram_unknown"});
    if (waiting.of.unknown())
        messages.push_back({"occupancy.unknown_warps"});
    else if (waiting.together)
        messages.push_back({"occupancy.loads",
                            {{"loads", waiting.together->loads},
                             {"bytes", waiting.together->bytes},
                             {"warps", waiting.of.now.warps},
                             {"all", waiting.together->bytes * waiting.of.now.warps}}});
    else
        messages.push_back({"occupancy.loads_unknown"});
    if (const UnderWay bytes = bytes_under_way(waiting); bytes.needed > 0 && bytes.has)
        messages.push_back(*bytes.has >= bytes.needed ? Message{"occupancy.while_under_way"}
                                                      : Message{"occupancy.how_to_hide_more"});
    messages.push_back(counted_message(waiting));
    return messages;
}

float waiting_height(const Theme& theme)
{
    return 3 * draw::row_height(theme, between_rows);
}

Panel waiting_panel(const Theme& theme, const WaitingCase& waiting, double most, const Box& box)
{
    Panel panel{.id = waiting.named && waiting.elsewhere != 0 ? "waiting:elsewhere"
                                                              : "bytes under way of " + waiting.of.stage->slug,
                .box = box};
    if (waiting.elsewhere != 0) {
        panel.layers.emplace_back(ProseLayer{rich(other_gpu_message(waiting))});
        return panel;
    }
    const UnderWay bytes = bytes_under_way(waiting);
    BarLayer bars{.most = most, .on_ground = false};
    const auto add = [&](const char* name, const char* id, std::optional<double> value, Colour colour) {
        BarLayer::Bar bar{
            .name = name,
            .parts = {{"", value, value ? thousands(static_cast<uint64_t>(std::lround(*value))) + " B" : "", colour}}};
        bar.id = waiting.named ? id : std::string(id) + " " + waiting.of.stage->slug;
        Messages said = waiting_messages(waiting);
        said.resize(std::min<std::size_t>(said.size(), 3)); // why bytes must be under way, how many, how many are
        bar.tip = [said] { return rich(said); };
        bars.bars.push_back(std::move(bar));
    };
    add("under way", "waiting:has", bytes.has, theme.accent(waiting.of.stage->number));
    add("needs at least", "waiting:needed", bytes.needed, theme.barrier);
    const std::string whole = plain(answer(waiting, bytes, true));
    panel.title = draw::measure(theme.text, whole).x <= box.width() ? whole : plain(answer(waiting, bytes, false));
    panel.layers.emplace_back(std::move(bars));
    return panel;
}

} // namespace viz
