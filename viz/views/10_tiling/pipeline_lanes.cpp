#include "viz/views/10_tiling/pipeline_lanes.h"

#include "viz/text/figures.h"
#include "viz/text/templates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace viz {

namespace {

using Bar = PipelineBar;

Value::List counted_from_1(const std::vector<int>& tiles)
{
    Value::List numbers;
    for (const int tile : tiles)
        numbers.emplace_back(tile + 1);
    return numbers;
}

Colour colour_of(const Theme& theme, const Bar& bar)
{
    switch (bar.kind) {
    case Bar::Kind::copy: return theme.load;
    case Bar::Kind::compute: return theme.compute;
    case Bar::Kind::store: return theme.store;
    case Bar::Kind::wait:
    case Bar::Kind::barrier: break;
    }
    return theme.barrier;
}

Message message_of(const TilingPart& part, const Bar& bar, const PipelineRole& role)
{
    const Value product = multiplies(part.recording());
    const Value warp = role.shown, line = index(bar.line), tile = bar.k_tile + 1, step = bar.step;
    switch (bar.kind) {
    case Bar::Kind::copy:
        return {bar.awaited ? "tiling.bar_copy" : "tiling.bar_copy_unawaited",
                {{"product", product}, {"tile", tile}, {"warp", warp}, {"line", line}, {"step", step}}};
    case Bar::Kind::compute:
        return {"tiling.bar_compute",
                {{"product", product},
                 {"computes", part.facts.computes},
                 {"tile", tile},
                 {"warp", warp},
                 {"line", line},
                 {"step", step}}};
    case Bar::Kind::store:
        return {"tiling.bar_store",
                {{"output", part.recording().arrays[array_C].name}, {"warp", warp}, {"line", line}, {"step", step}}};
    case Bar::Kind::wait: return {"tiling.bar_wait", {{"warp", warp}, {"line", line}, {"step", step}}};
    case Bar::Kind::barrier: break;
    }
    return {"tiling.bar_barrier", {{"warp", warp}, {"line", line}, {"step", step}}};
}

// "warps 4-11 only compute"
std::string role_text(const TilingPart& part, const PipelineRole& role)
{
    if (!multiplies(part.recording()))
        return warps_text(role.warps);
    const auto computes = [](const Bar& bar) { return bar.kind == Bar::Kind::compute; };
    const Value warps = warps_text(role.warps), one = role.warps.size() == 1;
    if (std::ranges::none_of(role.work, computes))
        return plain(Message{"tiling.role_copies", {{"warps", warps}, {"one", one}}});
    if (role.copies.empty())
        return plain(Message{"tiling.role_computes", {{"warps", warps}, {"one", one}}});
    return warps_text(role.warps);
}

std::size_t rows_of(const Pipeline& pipeline)
{
    std::size_t rows = 0;
    for (const PipelineRole& role : pipeline.roles)
        rows += role.copies.size() + (role.waits.empty() ? 0 : 1) + (role.work.empty() ? 0 : 1) +
                (pipeline.roles.size() > 1 ? 1 : 0);
    return rows;
}

class LanePainter {
public:
    LanePainter(const PipelineLanes& what, const draw::Box& place)
        : lanes(what), part(what.part), pipeline(part.facts.pipeline), order(part.facts.tiling.contents().order()),
          theme(part.theme()), list(ImGui::GetWindowDrawList()), box(place), row(what.row)
    {
        written = row >= std::floor(draw::line_height(theme.text) * 0.8f);
        left = box.min.x + draw::measure(theme.text, "compute").x + theme.px(10);
        // As many k-tiles as have room for their number.
        const auto ticks = static_cast<double>(std::max<std::size_t>(1, pipeline.ticks));
        const double fitting = (box.max.x - left) / theme.px(22), tiles = std::max(1, pipeline.k_tiles);
        shown = fitting >= tiles ? ticks : ticks * fitting / tiles;
        // It follows the step when that leaves the picture.
        const auto at = static_cast<double>(now());
        double& kept = part.pipeline_first;
        if (at < kept || at + 1 > kept + shown)
            kept = at - shown / 3;
        kept = first = std::clamp(kept, 0.0, ticks - shown);
    }

    PipelinePointed draw()
    {
        hovered = draw::item("pipeline", {{left, box.min.y}, {box.max.x, box.min.y + pipeline_height(lanes)}});
        active = ImGui::IsItemActive();
        list->PushClipRect(box.min, {box.max.x, box.min.y + pipeline_height(lanes)}, true);
        float y = box.min.y;
        for (const PipelineRole& role : pipeline.roles) {
            if (pipeline.roles.size() > 1) {
                name_row(y, theme.ink, role_text(part, role));
                y += row;
            }
            for (const std::vector<Bar>& copies : role.copies)
                y = draw_row(role, &copies == &role.copies.front() ? "copies" : "", copies, y);
            if (!role.waits.empty())
                y = draw_row(role, "waits", role.waits, y);
            if (!role.work.empty())
                y = draw_row(role, part.facts.computes ? "compute" : "reads", role.work, y);
            y += theme.px(4);
        }
        const float from = x_of(now()), to = std::max(x_of(now() + 1), from + theme.px(2));
        list->AddRectFilled({from, box.min.y}, {to, y - theme.px(4)}, draw::with_alpha(theme.ink, 0.5f));
        mark(part.marks(), "now", {from, box.min.y}, {to, y - theme.px(4)});
        list->PopClipRect();
        return {active ? step_at(ImGui::GetMousePos().x) : std::nullopt, over};
    }

private:
    std::size_t now() const { return order.tick(part.focus.warp_index, part.focus.step); }
    float x_of(std::size_t tick) const
    {
        return left + static_cast<float>((static_cast<double>(tick) - first) / shown) * (box.max.x - left);
    }

    void name_row(float y, Colour ink, std::string_view name) const
    {
        if (written)
            draw::text(list, theme.text, {box.min.x, y}, ink, name);
    }

    float draw_row(const PipelineRole& role, const char* name, const std::vector<Bar>& bars, float y)
    {
        name_row(y, theme.ink_quiet, name);
        list->AddRectFilled({left, y + row - 1}, {box.max.x, y + row}, draw::with_alpha(theme.border, 0.5f));
        list->PushClipRect({left, box.min.y}, {box.max.x, y + row}, true);
        for (const Bar& bar : bars) {
            const draw::Box place{{std::round(x_of(bar.from)), y + 1}, {std::round(x_of(bar.end)), y + row - 2}};
            if (place.max.x < left || place.min.x > box.max.x)
                continue;
            draw_bar(bar, place);
            const ImVec2 mouse = ImGui::GetMousePos();
            if (hovered && mouse.y >= y && mouse.y < y + row && mouse.x >= place.min.x &&
                mouse.x < std::max(place.max.x, place.min.x + 2))
                over = message_of(part, bar, role);
        }
        list->PopClipRect();
        return y + row;
    }

    void draw_bar(const Bar& bar, const draw::Box& place)
    {
        const Colour colour = colour_of(theme, bar);
        const float right = std::max(place.max.x - (place.width() > 3 ? 1.0f : 0.0f), place.min.x + theme.px(1.5f));
        list->AddRectFilled(place.min, {right, place.max.y}, colour);
        if (bar.k_tile < 0 || !written)
            return mark_bar(bar, place, right);
        const std::string number = fmt::format("{}", bar.k_tile + 1);
        const float visible = std::max(place.min.x, left) + theme.px(2);
        if (visible + draw::measure(theme.text, number).x < std::min(right, box.max.x))
            draw::text(list, theme.text, {visible, place.min.y - theme.px(1)}, ink_on(colour), number);
        mark_bar(bar, place, right);
    }

    void mark_bar(const Bar& bar, const draw::Box& place, float right) const
    {
        if (bar.k_tile >= 0 && place.min.x >= left && right <= box.max.x)
            mark(part.marks(),
                 fmt::format("{} of k-tile {}", bar.kind == Bar::Kind::copy ? "copy" : "compute", bar.k_tile + 1),
                 place.min, {right, place.max.y});
    }

    std::optional<std::size_t> step_at(float x) const
    {
        const double tick = first + static_cast<double>((x - left) / std::max(1.0f, box.max.x - left)) * shown;
        for (std::size_t back =
                 static_cast<std::size_t>(std::clamp(tick, 0.0, static_cast<double>(pipeline.ticks) - 1)) + 1;
             back-- > 0;)
            if (const auto step = order.step_at(part.focus.warp_index, back))
                return step;
        return 0;
    }

    const PipelineLanes& lanes;
    const TilingPart& part;
    const Pipeline& pipeline;
    const BlockOrder& order;
    const Theme& theme;
    ImDrawList* list;
    draw::Box box;
    float row = 0, left = 0;
    double first = 0, shown = 1; // ticks
    bool hovered = false, active = false, written = true;
    std::optional<Message> over;
};

} // namespace

Messages pipeline_messages(const TilingPart& part)
{
    const Pipeline& pipeline = part.facts.pipeline;
    const bool product = multiplies(part.recording()), computes = part.facts.computes;
    const std::size_t tick = part.facts.tiling.contents().order().tick(part.focus.warp_index, part.focus.step);
    const std::vector<int> copied = copied_at(pipeline, tick), computed = computed_at(pipeline, tick);
    Messages messages;
    const auto kind_of = [&](const std::vector<int>& tiles) {
        return Message{product ? "tiling.k_tiles" : "tiling.rounds", {{"tiles", counted_from_1(tiles)}}};
    };
    if (pipeline.overlapped == 0)
        messages.push_back({"tiling.overlap_none", {{"computes", computes}}});
    else
        messages.push_back({"tiling.overlap",
                            {{"overlapped", pipeline.overlapped},
                             {"tiles", pipeline.k_tiles},
                             {"product", product},
                             {"computes", computes}}});
    if (!copied.empty())
        messages.push_back({"tiling.copied_now", {{"kind", kind_of(copied)}, {"tiles", counted_from_1(copied)}}});
    if (!computed.empty())
        messages.push_back(
            {"tiling.computed_now",
             {{"computes", computes}, {"kind", kind_of(computed)}, {"tiles", counted_from_1(computed)}}});
    messages.push_back({"tiling.lengths"});
    return messages;
}

float pipeline_row(const Pipeline& pipeline, const Theme& theme, float room)
{
    const float gaps = theme.px(4) * static_cast<float>(pipeline.roles.size());
    const float line = draw::row_height(theme, 1);
    const auto rows = static_cast<float>(std::max<std::size_t>(1, rows_of(pipeline)));
    return std::min(line, std::max(theme.px(5), std::floor((room - gaps) / rows)));
}

float pipeline_height(const PipelineLanes& lanes)
{
    const float gaps = lanes.part.theme().px(4) * static_cast<float>(lanes.part.facts.pipeline.roles.size());
    return lanes.row * static_cast<float>(rows_of(lanes.part.facts.pipeline)) + gaps;
}

PipelinePointed draw_pipeline(const PipelineLanes& lanes, const draw::Box& box)
{
    return LanePainter(lanes, box).draw();
}

} // namespace viz
