// Roofline: which limit of the GPU is nearest to each stage, and how long the multiplication must take at least.
#include "viz/view.h"
#include "viz/view_options.h"

#include "viz/analysis/step_cost.h"
#include "viz/draw/columns.h"
#include "viz/draw/heading.h"
#include "viz/draw/prose.h"
#include "viz/text/figures.h"
#include "viz/text/known.h"
#include "viz/views/55_roofline/floor_bars.h"
#include "viz/views/55_roofline/random_shapes_chart.h"
#include "viz/views/55_roofline/random_shapes_messages.h"
#include "viz/views/55_roofline/roofline_chart.h"
#include "viz/views/55_roofline/roofline_messages.h"
#include "viz/views/55_roofline/shapes_chart.h"
#include "viz/views/55_roofline/speeds_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

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

std::string intensity_column(const RungFigures& rung)
{
    if (!rung.speed)
        return "-";
    const auto intensity = intensity_of(rung.traffic.value(), rung.tile, rung.speed->problem);
    if (!intensity)
        return "-";
    return thousands(intensity->value);
}

// FLOP per byte of shared memory.
std::optional<double> shared_intensity_of(const StageColumn& stage, const RungFigures* rung)
{
    if (!stage.recording || stage.recording->blocks.empty())
        return {};
    const recording::BlockTrace& block = stage.recording->blocks[0];
    const ComparedRung compared{stage.slug, *stage.recording, stage.memo<figures_of>(block, Per::multiplications), {}};
    return shared_intensity({compared, largest_counted(rung), stage.memo<recorded_work>(block)});
}

enum class Plotted : uint8_t { roofline, sizes, shapes, random };
constexpr std::string_view plots[] = {"roofline", "sizes", "shapes", "random"};

struct RooflineOptions {
    Plotted plotted = Plotted::roofline;
    bool list = false; // all rungs, beside the plot
};

void fields(auto& visit, kernels::Like<RooflineOptions> auto& options)
{
    visit("chart", options.plotted, OneOf{plots});
    visit("list", options.list);
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
    ViewCommands commands() override
    {
        return {{"g",
                 "GFLOPS over the size of the matrices, over their shape, share of cuBLAS at random shapes, or "
                 "the roofline",
                 [this](const ViewScene&) { plot_next(); }},
                {"l", "all rungs as a list", [this](const ViewScene&) { toggle_list(); }}};
    }
    void draw(ViewFrame& frame) override;
    std::string options() const override { return text_of_options(chosen); }
    void set_options(std::string_view text) override { chosen = options_of<RooflineOptions>(text); }

private:
    float draw_headings(ViewFrame& frame, const Ceilings& ceilings);
    void draw_switch(ViewFrame& frame, const draw::Box& chart);
    void draw_list(ViewFrame& frame, const Ceilings& ceilings, const draw::Box& box);
    float draw_row(ViewFrame& frame, const RungFigures& rung, const Ceilings& ceilings, const draw::Box& box);
    void point_at(ViewFrame& frame, const RungFigures& rung, bool chosen);

    void plot_next()
    {
        chosen.plotted = static_cast<Plotted>((static_cast<std::size_t>(chosen.plotted) + 1) % std::size(plots));
    }
    void toggle_list() { chosen.list = !chosen.list; }
    void draw_plot(ViewFrame& frame, const Ceilings& ceilings, const draw::Box& box);
    Emphasis emphasis_of(const ViewFrame& frame) const;
    std::vector<RooflinePoint> points_with_shared(const ViewFrame& frame, const Emphasis& emphasis) const;

    std::optional<double> shared[3]; // FLOP per byte of shared memory

    RooflineOptions chosen;
    float lowest_arrow = 0;                 // in this frame
    std::optional<Provenance> counted_from; // what the last frame showed
    std::string pointed, pointed_before;    // slugs: in this frame, in the last one
};

void RooflineView::point_at(ViewFrame& frame, const RungFigures& rung, bool chosen)
{
    pointed = rung.slug;
    Messages choose;
    if (!rung.library)
        choose.push_back({"roofline.choose"});
    const Message speed =
        rung.speed ? Message{"roofline.speed",
                             {{"gflops", number(rung.speed->gflops)}, {"size", size_words(rung.speed->problem)}}}
                   : Message{"roofline.without_speed", {{"why", in_short(rung.speed.missing())}}};
    frame.point_out(
        {"roofline.point",
         {{"stage", rung.slug}, {"intensity", intensity_column(rung)}, {"speed", speed}, {"choose", choose}}});
    if (chosen && !rung.library)
        frame.requests.stage = rung.slug;
}

// Of the stages shown, as far as they multiply and have a speed.
std::vector<TimedFloor> floors_of(const ViewFrame& frame, const Ceilings& ceilings)
{
    std::vector<TimedFloor> floors;
    for (std::size_t i = 0; i < frame.columns.size(); ++i) {
        const RungFigures* rung = frame.board.find(frame.columns[i].slug);
        if (rung == nullptr || !rung->speed || (rung->traffic && rung->traffic->flops == 0))
            continue;
        const Floor floor = floor_of_rung(*rung, rung->speed->problem, ceilings);
        if (floor.flops > 0)
            floors.push_back({rung, floor});
    }
    return floors;
}

// At the right above the plot, beside the name of its axis.
void RooflineView::draw_switch(ViewFrame& frame, const draw::Box& chart)
{
    const float gap = frame.theme.px(4);
    float width = 0;
    for (const char* words : {"roofline", "sizes", "shapes", "at random", "list"})
        width += draw::button_width(words) + gap;
    ImGui::SetCursorScreenPos({chart.max.x - width, chart.min.y});
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ImGui::GetStyle().FramePadding.x, frame.theme.px(1)});
    const auto offer = [&](const char* words, Plotted which, const char* name) {
        if (draw::choice(frame.theme, {words, chosen.plotted == which, {}}, frame.hint))
            chosen.plotted = which;
        mark_item(frame.marks, name);
        ImGui::SameLine(0, gap);
    };
    offer("roofline", Plotted::roofline, "show roofline");
    offer("sizes", Plotted::sizes, "show speeds");
    offer("shapes", Plotted::shapes, "show shapes");
    offer("at random", Plotted::random, "show random shapes");
    if (draw::choice(frame.theme, {"list", chosen.list, {}}, frame.hint))
        toggle_list();
    mark_item(frame.marks, "show list");
    ImGui::PopStyleVar();
}

// The heading of each stage beside the other's; what is known of it goes to the inspector.
float RooflineView::draw_headings(ViewFrame& frame, const Ceilings& ceilings)
{
    float height = 0;
    std::vector<const RandomSeries*> explained; // two stages that were not timed show the same one
    const std::vector<draw::Box> boxes = draw::columns(frame.theme, frame.columns.size());
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        const StageColumn& stage = frame.columns[i];
        const RungFigures* rung = frame.board.find(stage.recording ? stage.recording->stage : stage.slug);
        const Message headline = rung == nullptr                       ? Message{"roofline.unknown_stage"}
                                 : chosen.plotted == Plotted::roofline ? nearest_roof(*rung, ceilings, shared[i])
                                 : chosen.plotted == Plotted::sizes    ? Message{"roofline.speeds"}
                                 : chosen.plotted == Plotted::shapes
                                     ? Message{"roofline.speeds_by_shape"}
                                     : random_headline(frame.board, rung->slug, frame.comparing());
        height = std::max(height, draw::stage_headline(frame, stage, headline, boxes[i]));
        if (rung != nullptr && chosen.plotted == Plotted::random)
            if (const RandomSeries* series = random_series_of(frame.board, rung->slug);
                series != nullptr && std::ranges::find(explained, series) == explained.end()) {
                frame.explain(random_messages(frame.board, *series));
                explained.push_back(series);
            }
        if (rung == nullptr || chosen.plotted == Plotted::shapes || chosen.plotted == Plotted::random)
            continue;
        const recording::Problem size = rung->speed ? rung->speed->problem : frame.board.timed;
        frame.explain(place_messages(*rung, ceilings, shared[i]));
        frame.explain(intensity_messages(*rung, size));
        frame.explain(floor_messages(*rung, size, ceilings));
        frame.explain(origin_messages(*rung, frame.board.gpu));
    }
    if (chosen.plotted == Plotted::roofline)
        frame.explain({{"roofline.marks"}});
    if (chosen.plotted == Plotted::shapes && has_shapes(frame.board)) // else they stand where the plot would be
        frame.explain(shapes_messages(frame.board));
    return height;
}

float RooflineView::draw_row(ViewFrame& frame, const RungFigures& rung, const Ceilings& ceilings, const draw::Box& box)
{
    const Theme& theme = frame.theme;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float height = draw::line_height(theme.text) + theme.px(3);
    const Emphasis emphasis = emphasis_of(frame);
    const bool hovered = draw::item(rung.slug.c_str(), {box.min, {box.max.x, box.min.y + height}});
    mark_shown_item(frame.marks, "row:" + rung.slug);
    if (hovered)
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
    const float heading = 2 * draw::line_height(theme.text) + theme.px(4);
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
    for (const RungFigures& rung : frame.board.rungs)
        y += draw_row(frame, rung, ceilings, {{corner.x, y}, {corner.x + ImGui::GetContentRegionAvail().x, y}});
    ImGui::EndChild();
}

Emphasis RooflineView::emphasis_of(const ViewFrame& frame) const
{
    return {frame.columns.front().slug, frame.comparing() ? frame.columns[1].slug : "",
            frame.columns.size() > 2 ? frame.columns[2].slug : "", pointed_before};
}

std::vector<RooflinePoint> RooflineView::points_with_shared(const ViewFrame& frame, const Emphasis& emphasis) const
{
    std::vector<RooflinePoint> points = points_of(frame.board, emphasis);
    for (RooflinePoint& point : points) {
        for (std::size_t i = 0; i < frame.columns.size() && !point.shared_intensity; ++i)
            if (point.rung->slug == frame.columns[i].slug)
                point.shared_intensity = shared[i];
    }
    return points;
}

void RooflineView::draw_plot(ViewFrame& frame, const Ceilings& ceilings, const draw::Box& box)
{
    const Emphasis emphasis = emphasis_of(frame);
    const ChartFrame what{frame.board, ceilings, emphasis, frame.theme, frame.marks};
    std::optional<std::string> hit;
    std::optional<Message> words;
    const auto write = [&](const Messages& missing) { Prose(frame.theme).write(missing).draw(box.min, box.width()); };
    if (chosen.plotted == Plotted::random) {
        if (!has_random_shapes(frame.board))
            write(random_missing(frame.board));
        else
            words = draw_random_shapes(what, box);
    } else if (chosen.plotted == Plotted::shapes) {
        if (!has_shapes(frame.board))
            write(shapes_messages(frame.board));
        else if (auto shape = draw_shapes(what, box)) {
            hit = std::move(shape->slug);
            words = shape->words;
        }
    } else {
        if (chosen.plotted == Plotted::sizes)
            hit = draw_speeds(what, box);
        else {
            RooflineDrawn drawn = draw_roofline(what, points_with_shared(frame, emphasis), box);
            lowest_arrow = drawn.lowest_arrow;
            if (drawn.pointed && drawn.pointed->slug)
                hit = std::move(drawn.pointed->slug);
            else if (drawn.pointed)
                words = std::move(drawn.pointed->words);
        }
    }
    if (const RungFigures* rung = hit ? frame.board.find(*hit) : nullptr)
        point_at(frame, *rung, ImGui::IsItemClicked());
    if (words)
        frame.point_out(*words);
}

void RooflineView::draw(ViewFrame& frame)
{
    ImGui::BeginChild("roofline view", {0, 0}, false);
    const Theme& theme = frame.theme;
    const GpuState& gpu = frame.board.gpu;
    const HardwareFigures* const counted = largest_counted(frame.board.find(frame.columns.front().slug));
    const bool shows_counted = chosen.plotted == Plotted::roofline || chosen.plotted == Plotted::sizes;
    counted_from = shows_counted && counted != nullptr ? std::optional(counted->from) : std::nullopt;
    const recording::GpuProperties properties =
        gpu.properties ? *gpu.properties
                       : properties_of(frame.columns.front().recording ? frame.columns.front().recording->device
                                                                       : recording::Device());
    const Ceilings ceilings = ceilings_of(properties, gpu.measured ? &*gpu.measured : nullptr);
    pointed_before = pointed;
    pointed.clear();
    for (std::size_t i = 0; i < frame.columns.size(); ++i)
        shared[i] = shared_intensity_of(frame.columns[i], frame.board.find(frame.columns[i].slug));
    const Emphasis emphasis = emphasis_of(frame);
    const float headings = draw_headings(frame, ceilings);
    const ImVec2 corner = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const float list_width = theme.px(340), gap = theme.px(14);
    const bool shows_list = chosen.list; // in all of this frame
    const draw::Box chart{{corner.x, corner.y + headings},
                          {corner.x + room.x - (shows_list ? list_width + gap : 0), corner.y + room.y - 1}};
    if (chosen.plotted == Plotted::roofline && !ceilings.l1 && !ceilings.dram)
        Prose(theme).write({"roofline.no_roofs"}).draw(chart.min, chart.width());
    draw_plot(frame, ceilings, chart);
    if (chosen.plotted == Plotted::roofline) {
        // At the foot of the plot, or above an arrow that ends there.
        const std::vector<TimedFloor> floors = floors_of(frame, ceilings);
        float foot = chart.max.y - 2 * ImGui::GetTextLineHeight() - theme.px(12);
        if (const float high = floor_bars_height(theme, floors); lowest_arrow > foot - high && lowest_arrow < foot)
            foot = lowest_arrow - theme.px(10);
        draw_floor_bars({frame.board, ceilings, emphasis, theme, frame.marks}, floors,
                        {chart.min, {chart.max.x, foot}});
    }
    draw_switch(frame, chart);
    mark_picture(frame.marks, "chart", chart);
    if (shows_list)
        draw_list(frame, ceilings, {{chart.max.x + gap, chart.min.y}, {corner.x + room.x, chart.max.y}});
    ImGui::EndChild();
}

} // namespace

std::unique_ptr<View> make_roofline_view()
{
    return std::make_unique<RooflineView>();
}

} // namespace viz
