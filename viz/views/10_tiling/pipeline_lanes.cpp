#include "viz/views/10_tiling/pipeline_lanes.h"

#include "viz/text/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace viz {

namespace {

using Bar = PipelineBar;

std::string tiles_text(const std::vector<int>& tiles)
{
    std::string text = tiles.size() == 1 ? "k-tile " : "k-tiles ";
    for (std::size_t i = 0; i < tiles.size(); ++i)
        text += fmt::format("{}{}", i == 0 ? "" : i + 1 == tiles.size() ? " and " : ", ", tiles[i] + 1);
    return text;
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

std::string words_of(const Bar& bar, const PipelineRole& role)
{
    const std::string warp = fmt::format("warp {}, line {}", role.shown, bar.line);
    switch (bar.kind) {
    case Bar::Kind::copy:
        return fmt::format("k-tile {}: its copy is under way from step {} of {}{}", bar.k_tile + 1, bar.step, warp,
                           bar.awaited ? " until somebody has waited for it" : "; nobody waits for it");
    case Bar::Kind::compute:
        return fmt::format("k-tile {} is computed: {}, from step {}", bar.k_tile + 1, warp, bar.step);
    case Bar::Kind::store: return fmt::format("C is stored: {}, from step {}", warp, bar.step);
    case Bar::Kind::wait: return fmt::format("a wait for copies: {}, step {}", warp, bar.step);
    case Bar::Kind::barrier: break;
    }
    return fmt::format("__syncthreads(): {}, step {}", warp, bar.step);
}

// "warps 4-11 compute only"
std::string role_text(const PipelineRole& role)
{
    const auto computes = [](const Bar& bar) { return bar.kind == Bar::Kind::compute; };
    const bool works = std::any_of(role.work.begin(), role.work.end(), computes);
    const char* only = !works ? " only copy" : role.copies.empty() ? " only compute" : "";
    const char* only_one = !works ? " only copies" : role.copies.empty() ? " only computes" : "";
    return warps_text(role.warps) + (role.warps.size() == 1 ? only_one : only);
}

class Painter {
public:
    Painter(const PipelineLanes& what, const draw::Box& place)
        : lanes(what), theme(what.theme), list(ImGui::GetWindowDrawList()), box(place)
    {
        row = std::ceil(draw::measure(theme.text, "0").y + theme.px(1));
        left = box.min.x + draw::measure(theme.text, "compute").x + theme.px(10);
        // As many k-tiles as have room for their number.
        const auto ticks = static_cast<double>(std::max<std::size_t>(1, lanes.pipeline.ticks));
        const double fitting = (box.max.x - left) / theme.px(64), tiles = std::max(1, lanes.pipeline.k_tiles);
        shown = fitting >= tiles ? ticks : ticks * fitting / tiles;
        const auto at = static_cast<double>(now());
        if (at < lanes.first || at + 1 > lanes.first + shown)
            lanes.first = at - shown / 3;
        lanes.first = first = std::clamp(lanes.first, 0.0, ticks - shown);
    }

    std::optional<std::size_t> draw(std::string& hint)
    {
        ImGui::SetCursorScreenPos({left, box.min.y});
        ImGui::InvisibleButton("pipeline", {std::max(1.0f, box.max.x - left), pipeline_height(lanes)});
        hovered = ImGui::IsItemHovered();
        active = ImGui::IsItemActive();
        list->PushClipRect(box.min, {box.max.x, box.min.y + pipeline_height(lanes)}, true);
        float y = box.min.y;
        for (const PipelineRole& role : lanes.pipeline.roles) {
            if (lanes.pipeline.roles.size() > 1) {
                draw::text(list, theme.text, {box.min.x, y}, theme.ink, role_text(role));
                y += row;
            }
            for (const std::vector<Bar>& copies : role.copies)
                y = draw_row(role, &copies == &role.copies.front() ? "copies" : "", copies, y, hint);
            if (!role.waits.empty())
                y = draw_row(role, "waits", role.waits, y, hint);
            if (!role.work.empty())
                y = draw_row(role, "compute", role.work, y, hint);
            y += theme.px(4);
        }
        const float from = x_of(now()), to = std::max(x_of(now() + 1), from + theme.px(2));
        list->AddRectFilled({from, box.min.y}, {to, y - theme.px(4)}, draw::with_alpha(theme.ink, 0.5f));
        mark(lanes.marks, "now", {from, box.min.y}, {to, y - theme.px(4)});
        list->PopClipRect();
        return active ? step_at(ImGui::GetMousePos().x) : std::nullopt;
    }

private:
    std::size_t now() const { return lanes.order.tick(lanes.warp, lanes.step); }
    float x_of(std::size_t tick) const
    {
        return left + static_cast<float>((static_cast<double>(tick) - first) / shown) * (box.max.x - left);
    }

    float draw_row(const PipelineRole& role, const char* name, const std::vector<Bar>& bars, float y, std::string& hint)
    {
        draw::text(list, theme.text, {box.min.x, y}, theme.ink_quiet, name);
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
                hint = words_of(bar, role);
        }
        list->PopClipRect();
        return y + row;
    }

    void draw_bar(const Bar& bar, const draw::Box& place)
    {
        const Colour colour = colour_of(theme, bar);
        const float right = std::max(place.max.x - (place.width() > 3 ? 1.0f : 0.0f), place.min.x + theme.px(1.5f));
        list->AddRectFilled(place.min, {right, place.max.y}, colour);
        if (bar.k_tile < 0)
            return;
        const std::string number = fmt::format("{}", bar.k_tile + 1);
        const float visible = std::max(place.min.x, left) + theme.px(4);
        if (visible + draw::measure(theme.text, number).x + theme.px(2) < std::min(right, box.max.x))
            draw::text(list, theme.text, {visible, place.min.y - theme.px(1)}, ink_on(colour), number);
        if (place.min.x >= left && right <= box.max.x)
            mark(lanes.marks,
                 fmt::format("{} of k-tile {}", bar.kind == Bar::Kind::copy ? "copy" : "compute", bar.k_tile + 1),
                 place.min, {right, place.max.y});
    }

    std::optional<std::size_t> step_at(float x) const
    {
        const double tick = first + static_cast<double>((x - left) / std::max(1.0f, box.max.x - left)) * shown;
        for (std::size_t back =
                 static_cast<std::size_t>(std::clamp(tick, 0.0, static_cast<double>(lanes.pipeline.ticks) - 1)) + 1;
             back-- > 0;)
            if (const auto step = lanes.order.step_at(lanes.warp, back))
                return step;
        return 0;
    }

    const PipelineLanes& lanes;
    const Theme& theme;
    ImDrawList* list;
    draw::Box box;
    float row = 0, left = 0;
    double first = 0, shown = 1; // ticks
    bool hovered = false, active = false;
};

} // namespace

Prose pipeline_sentence(const PipelineLanes& lanes)
{
    const Pipeline& pipeline = lanes.pipeline;
    const std::size_t tick = lanes.order.tick(lanes.warp, lanes.step);
    const std::vector<int> copied = copied_at(pipeline, tick), computed = computed_at(pipeline, tick);
    Prose prose(lanes.theme);
    prose.strong("What overlaps: ");
    if (pipeline.overlapped == 0)
        prose.say("nothing is on its way while the block computes. ");
    else
        prose.say("a later k-tile is on its way during the computation of ")
            .figure(fmt::format("{} of {}", pipeline.overlapped, pipeline.k_tiles))
            .say(" k-tiles. ");
    if (!copied.empty())
        prose.say("Now ").figure(tiles_text(copied)).say(copied.size() == 1 ? " is on its way" : " are on their way");
    if (!computed.empty())
        prose.say(copied.empty() ? "Now " : ", ").figure(tiles_text(computed)).say(" is computed");
    if (!copied.empty() || !computed.empty())
        prose.say(". ");
    prose.faint("Lengths are steps, not time.");
    return prose;
}

float pipeline_height(const PipelineLanes& lanes)
{
    const Theme& theme = lanes.theme;
    const float row = std::ceil(draw::measure(theme.text, "0").y + theme.px(1));
    float height = 0;
    for (const PipelineRole& role : lanes.pipeline.roles) {
        const std::size_t rows = role.copies.size() + (role.waits.empty() ? 0 : 1) + (role.work.empty() ? 0 : 1) +
                                 (lanes.pipeline.roles.size() > 1 ? 1 : 0);
        height += row * static_cast<float>(rows) + theme.px(4);
    }
    return height;
}

std::optional<std::size_t> draw_pipeline(const PipelineLanes& lanes, const draw::Box& box, std::string& hint)
{
    return Painter(lanes, box).draw(hint);
}

} // namespace viz
