// Roofline: which limit of the GPU is nearest to each stage, and how long the multiplication must take at least.
#include "viz/view.h"

#include "viz/draw/focus.h"
#include "viz/text/figures.h"
#include "viz/text/prose.h"
#include "viz/text/templates.h"
#include "viz/views/55_roofline/roofline_chart.h"
#include "viz/views/55_roofline/roofline_messages.h"
#include "viz/views/55_roofline/shapes_chart.h"
#include "viz/views/55_roofline/speeds_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace viz {

std::unique_ptr<View> make_roofline_view();

namespace {

// What recordings say of the GPU, where nothing else does.
recording::GpuProperties properties_of(const recording::Device& device)
{
    return {.name = device.name,
            .compute_capability = device.compute_capability,
            .sm_count = device.sm_count,
            .clock_khz = device.clock_khz,
            .fp32_gflops = device.peak_gflops};
}

std::string intensity_column(const RungFacts& rung)
{
    if (!rung.speed)
        return "-";
    const auto intensity = intensity_of(rung.traffic, rung.tile, rung.speed->problem);
    if (!intensity)
        return "-";
    return thousands(intensity->value);
}

class RooflineView final : public View {
public:
    std::string_view name() const override { return "roofline"; }
    std::string_view title() const override { return "Roofline"; }
    ViewGroup group() const override { return ViewGroup::speed; }
    std::vector<Numbers> numbers() const override
    {
        std::vector<Numbers> all = {
            {Numbers::How::derived, "FLOP per byte"}, {Numbers::How::timed, "GFLOPS"}, {Numbers::How::gpu, "roofs"}};
        if (counted_from)
            all.push_back({Numbers::How::counted, "caches, DRAM", counted_from});
        return all;
    }
    std::vector<std::pair<std::string, std::string>> keys() const override
    {
        return {{"g", "GFLOPS over the size of the matrices, over their shape, or the roofline"}};
    }
    void draw(ViewFrame& frame) override;

private:
    float draw_words(const ViewFrame& frame, const Ceilings& ceilings, ImDrawList* list, const draw::Box& box) const;
    void draw_switch(ViewFrame& frame);
    void draw_list(ViewFrame& frame, const Ceilings& ceilings, const draw::Box& box);
    float draw_row(ViewFrame& frame, const RungFacts& rung, const Ceilings& ceilings, const draw::Box& box);
    void point_at(ViewFrame& frame, const RungFacts& rung, bool chosen);

    enum class Plotted : uint8_t { roofline, sizes, shapes };
    static constexpr int plotted_count = 3;
    void draw_plot(ViewFrame& frame, const Ceilings& ceilings, const draw::Box& box);

    Plotted plotted = Plotted::roofline;
    std::optional<Provenance> counted_from; // what the last frame showed
    std::string pointed, pointed_before;    // slugs: in this frame, in the last one
};

void RooflineView::point_at(ViewFrame& frame, const RungFacts& rung, bool chosen)
{
    pointed = rung.slug;
    Messages choose;
    if (!rung.library)
        choose.push_back({"roofline.choose"});
    const Message speed =
        rung.speed ? Message{"roofline.speed",
                             {{"gflops", number(rung.speed->gflops)}, {"size", size_words(rung.speed->problem)}}}
                   : Message{"roofline.without_speed", {{"why", rung.why_no_speed}}};
    frame.hint = plain(
        Message{"roofline.point",
                {{"stage", rung.slug}, {"intensity", intensity_column(rung)}, {"speed", speed}, {"choose", choose}}});
    if (chosen && !rung.library && frame.wishes != nullptr)
        frame.wishes->stage = rung.slug;
}

void RooflineView::draw_switch(ViewFrame& frame)
{
    const auto offer = [&](const char* words, Plotted which, const char* name) {
        draw::flow(draw::button_width(words));
        if (draw::choice(frame.theme, {words, plotted == which, {}}, frame.hint))
            plotted = which;
        mark_item(frame.marks, name);
    };
    if (draw::choice(frame.theme, {"Roofline", plotted == Plotted::roofline, {}}, frame.hint))
        plotted = Plotted::roofline;
    mark_item(frame.marks, "show roofline");
    offer("GFLOPS over size", Plotted::sizes, "show speeds");
    offer("over shape", Plotted::shapes, "show shapes");
    if (draw::typed('g'))
        plotted = static_cast<Plotted>((static_cast<int>(plotted) + 1) % plotted_count);
}

// Returns the height; draws nothing without a list.
float RooflineView::draw_words(const ViewFrame& frame, const Ceilings& ceilings, ImDrawList* list,
                               const draw::Box& box) const
{
    const Theme& theme = frame.theme;
    float y = box.min.y;
    if (plotted == Plotted::shapes) {
        if (!has_shapes(*frame.board)) // they stand where the plot would be
            return 0;
        Prose prose(theme);
        prose.write(shapes_messages(*frame.board));
        return list ? prose.draw(list, box.min, box.width()) : prose.height(box.width());
    }
    const auto put = [&](const auto& messages, float space) {
        Prose prose(theme);
        prose.write(messages);
        y += (list ? prose.draw(list, {box.min.x, y}, box.width()) : prose.height(box.width())) + theme.px(space);
    };
    for (const Subject* subject : {&frame.first, frame.second}) {
        if (subject == nullptr)
            continue;
        const Prose heading = stage_heading(theme, *subject);
        y += (list ? heading.draw(list, {box.min.x, y}, box.width()) : heading.height(box.width())) + theme.px(2);
        const RungFacts* rung = frame.board->find(subject->recording ? subject->recording->stage : subject->slug);
        if (rung == nullptr) {
            put(Message{"roofline.unknown_stage"}, 2);
            continue;
        }
        const recording::Problem size = rung->speed ? rung->speed->problem : frame.board->timed;
        put(intensity_messages(*rung, size), 2);
        put(floor_messages(*rung, size, ceilings), 2);
        put(place_messages(*rung, ceilings), 2);
        put(origin_messages(*rung, frame.board->gpu), 8);
    }
    return y - box.min.y;
}

float RooflineView::draw_row(ViewFrame& frame, const RungFacts& rung, const Ceilings& ceilings, const draw::Box& box)
{
    const Theme& theme = frame.theme;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float height = draw::measure(theme.text, "0").y + theme.px(3);
    const Emphasis emphasis{frame.first.slug, frame.second ? frame.second->slug : "", pointed_before};
    ImGui::SetCursorScreenPos(box.min);
    ImGui::InvisibleButton(rung.slug.c_str(), {box.width(), height});
    mark_shown_item(frame.marks, "row:" + rung.slug);
    if (ImGui::IsItemHovered())
        point_at(frame, rung, ImGui::IsItemClicked());
    const Colour accent = emphasis.colour(theme, rung.slug);
    if (accent != 0)
        list->AddRectFilled(box.min, {box.max.x, box.min.y + height}, draw::with_alpha(accent, 0.14f));
    const Colour ink = accent != 0 ? theme.ink : rung.library ? theme.good : theme.ink_quiet;
    draw::text(list, theme.text, {box.min.x + theme.px(4), box.min.y + theme.px(1)}, ink, rung.slug);
    const auto right = [&](float from_right, const std::string& words) {
        draw::text_right(list, theme.mono, {box.max.x - theme.px(from_right), box.min.y + theme.px(1)}, ink, words);
    };
    const Ceiling* peak = ceilings.of_type(rung.type);
    right(134, rung.library ? "" : intensity_column(rung));
    right(56, rung.speed ? thousands(rung.speed->gflops) : "-");
    right(4, rung.speed && peak ? fmt::format("{:.1f}%", 100 * rung.speed->gflops / peak->value) : "-");
    return height;
}

void RooflineView::draw_list(ViewFrame& frame, const Ceilings& ceilings, const draw::Box& box)
{
    const Theme& theme = frame.theme;
    const float heading = 2 * draw::measure(theme.text, "0").y + theme.px(4);
    ImDrawList* list = ImGui::GetWindowDrawList();
    const auto right = [&](float from_right, float line, const char* words) {
        const float y = box.min.y + line * draw::measure(theme.text, words).y;
        draw::text_right(list, theme.text, {box.max.x - theme.px(from_right), y}, theme.ink_faint, words);
    };
    right(134, 0, "FLOP");
    right(134, 1, "per byte");
    right(56, 1, "GFLOPS");
    right(4, 0, "of");
    right(4, 1, "peak");
    ImGui::SetCursorScreenPos({box.min.x, box.min.y + heading});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::BeginChild("stages of the roofline", {box.width(), std::max(1.0f, box.height() - heading)}, false);
    ImGui::PopStyleVar();
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    float y = corner.y;
    for (const RungFacts& rung : frame.board->rungs)
        y += draw_row(frame, rung, ceilings, {{corner.x, y}, {corner.x + ImGui::GetContentRegionAvail().x, y}});
    ImGui::EndChild();
}

void RooflineView::draw_plot(ViewFrame& frame, const Ceilings& ceilings, const draw::Box& box)
{
    const Emphasis emphasis{frame.first.slug, frame.second ? frame.second->slug : "", pointed_before};
    const ChartFrame what{*frame.board, ceilings, emphasis, frame.theme, frame.marks};
    std::optional<std::string> hit, words;
    if (plotted == Plotted::shapes) {
        if (!has_shapes(*frame.board))
            Prose(frame.theme)
                .write(shapes_messages(*frame.board))
                .draw(ImGui::GetWindowDrawList(), box.min, box.width());
        else if (auto shape = draw_shapes(what, box)) {
            hit = std::move(shape->slug);
            words = std::move(shape->words);
        }
    } else {
        hit = plotted == Plotted::sizes ? draw_speeds(what, box)
                                        : draw_roofline(what, points_of(*frame.board, emphasis), box);
    }
    if (const RungFacts* rung = hit ? frame.board->find(*hit) : nullptr)
        point_at(frame, *rung, ImGui::IsItemClicked());
    if (words)
        frame.hint = *words;
}

void RooflineView::draw(ViewFrame& frame)
{
    ImGui::BeginChild("roofline view", {0, 0}, false);
    const Theme& theme = frame.theme;
    if (frame.board == nullptr) {
        ImGui::EndChild();
        return;
    }
    const GpuState& gpu = frame.board->gpu;
    const RungFacts* chosen = frame.board->find(frame.first.slug);
    counted_from = plotted != Plotted::shapes && chosen != nullptr && !chosen->counted.empty()
                       ? std::optional(chosen->counted.back().from)
                       : std::nullopt;
    const recording::GpuProperties properties =
        gpu.properties ? *gpu.properties
                       : properties_of(frame.first.recording ? frame.first.recording->device : recording::Device());
    const Ceilings ceilings = ceilings_of(properties, gpu.measured ? &*gpu.measured : nullptr);
    pointed_before = pointed;
    pointed.clear();
    draw_switch(frame);
    const ImVec2 corner = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const float list_width = theme.px(352), gap = theme.px(14);
    const bool beside = room.x > list_width + theme.px(330);
    // The picture first: in a low window the words below it can be scrolled to.
    Prose legend(theme);
    if (plotted == Plotted::roofline)
        for (const Message& message : roof_legend(theme, ceilings))
            legend.write(message).gap();
    const float top = corner.y + legend.draw(ImGui::GetWindowDrawList(), corner, room.x);
    const float words = draw_words(frame, ceilings, nullptr, {corner, {corner.x + room.x, corner.y}});
    const float height = std::max(theme.px(300), corner.y + room.y - top - words - gap - theme.px(8));
    const draw::Box chart{{corner.x, top}, {corner.x + room.x - (beside ? list_width + gap : 0), top + height}};
    draw_plot(frame, ceilings, chart);
    float y = chart.max.y + gap;
    if (beside)
        draw_list(frame, ceilings, {{chart.max.x + gap, top}, {corner.x + room.x, chart.max.y}});
    y += draw_words(frame, ceilings, ImGui::GetWindowDrawList(), {{corner.x, y}, {corner.x + room.x, y}});
    if (!beside) {
        draw_list(frame, ceilings, {{corner.x, y}, {corner.x + room.x, y + theme.px(300)}});
        y += theme.px(300);
    }
    ImGui::SetCursorScreenPos({corner.x, y - 1});
    ImGui::Dummy({1, 1});
    ImGui::EndChild();
}

} // namespace

std::unique_ptr<View> make_roofline_view()
{
    return std::make_unique<RooflineView>();
}

} // namespace viz
