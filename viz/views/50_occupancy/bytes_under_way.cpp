#include "viz/views/50_occupancy/bytes_under_way.h"

#include "viz/text/figures.h"
#include "viz/text/prose.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace viz {

namespace {

struct UnderWay {
    double has = 0, needed = 0; // bytes, of one SM
};

float draw_bars(ImDrawList* list, const Theme& theme, const WaitingCase& waiting, const UnderWay& bytes,
                const draw::Box& box)
{
    const float row = std::ceil(draw::measure(theme.text, "0").y + theme.px(4));
    const float names = draw::measure(theme.text, "keep DRAM busy").x + theme.px(16);
    const double most = std::max(bytes.has, bytes.needed);
    float y = box.min.y;
    for (const auto& [name, value, of_stage] :
         {std::tuple{"under way", bytes.has, true}, {"keep DRAM busy", bytes.needed, false}}) {
        const std::string words = counted(static_cast<uint64_t>(std::lround(value)), "byte");
        const float left = box.min.x + names;
        const float right = box.max.x - draw::measure(theme.mono, "1,000,000 bytes").x - theme.px(10);
        const ImVec2 min{left, y + theme.px(4)};
        const ImVec2 max{left + std::max((right - left) * static_cast<float>(value / most), 1.0f),
                         y + row - theme.px(4)};
        draw::text(list, theme.text, {box.min.x + theme.px(4), y}, theme.ink_quiet, name);
        list->AddRectFilled(min, max, of_stage ? theme.accent(waiting.one.subject->accent) : theme.barrier);
        mark(waiting.marks, of_stage ? "waiting:has" : "waiting:needed", min, max);
        draw::text_right(list, theme.mono_bold, {box.max.x - theme.px(4), y}, theme.ink, words);
        y += row;
    }
    return y - box.min.y;
}

Message counted_message(const WaitingCase& waiting)
{
    const HardwareFigures* figures = issue_figures(waiting.board, *waiting.one.subject);
    if (figures == nullptr)
        return {"occupancy.not_counted"};
    Messages resident;
    if (figures->occupancy)
        resident.push_back({"occupancy.resident", {{"share", share(*figures->occupancy)}}});
    return {"occupancy.issued",
            {{"size", size_words(figures->problem)},
             {"issued", with_decimals(*figures->issued_per_cycle, 2)},
             {"resident", resident},
             {"counted", counted_words(figures->from)}}};
}

// Of all resident warps; 0 where the recording does not tell, or DRAM was not measured.
UnderWay bytes_under_way(const WaitingCase& waiting)
{
    const std::optional<DramNeeds> needs = dram_needs(waiting.board);
    if (!needs || !waiting.together || waiting.one.now.warps == 0)
        return {};
    return {static_cast<double>(waiting.together->bytes) * waiting.one.now.warps, needs->bytes_per_sm};
}

} // namespace

Messages waiting_messages(const WaitingCase& waiting)
{
    Messages messages{{"occupancy.hiding"}};
    if (const auto needs = dram_needs(waiting.board))
        messages.push_back({"occupancy.dram",
                            {{"latency", nanoseconds(needs->latency_ns)},
                             {"bandwidth", number(needs->gbps)},
                             {"bytes", number(needs->bytes_per_sm)},
                             {"origin", waiting.board->gpu.origin}}});
    else
        messages.push_back({"occupancy.dram_unknown"});
    if (waiting.together)
        messages.push_back({"occupancy.loads",
                            {{"loads", waiting.together->loads},
                             {"bytes", waiting.together->bytes},
                             {"warps", waiting.one.now.warps},
                             {"all", waiting.together->bytes * waiting.one.now.warps}}});
    else
        messages.push_back({"occupancy.loads_unknown"});
    if (const UnderWay bytes = bytes_under_way(waiting); bytes.needed > 0)
        messages.push_back(bytes.has >= bytes.needed ? Message{"occupancy.enough"} : Message{"occupancy.not_enough"});
    messages.push_back(counted_message(waiting));
    return messages;
}

float draw_waiting(ImDrawList* list, const Theme& theme, const WaitingCase& waiting, const draw::Box& box)
{
    float height = Prose(theme).write(waiting_messages(waiting)).draw(list, box.min, box.width()) + theme.px(4);
    if (const UnderWay bytes = bytes_under_way(waiting); bytes.needed > 0)
        height += draw_bars(list, theme, waiting, bytes, {{box.min.x, box.min.y + height}, box.max});
    return height;
}

} // namespace viz
