// The GPU: its SMs and what is inside one, its memory levels with size, latency and bandwidth, where the stage's data lives, and
// a calculator of peak, bandwidth and ridge.
#include "viz/view.h"

#include "viz/analysis/ownership.h"
#include "viz/draw/prose.h"
#include "viz/text/figures.h"
#include "viz/text/known.h"
#include "viz/text/templates.h"
#include "viz/views/06_gpu/gpu_pictures.h"
#include "viz/views/06_gpu/level_pictures.h"
#include "viz/views/06_gpu/measured_pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace viz {

std::unique_ptr<View> make_gpu_view();

namespace {

// What a stage keeps in registers, shared memory and L2. What is not known of it goes to the inspector.
void add_kept(std::vector<LevelContents>& kept, const ViewFrame& frame, const recording::GpuProperties& gpu,
              const StageColumn& stage)
{
    const recording::Recording& recording = *stage.recording;
    const RungFigures* rung = frame.board.find(recording.stage);
    const recording::Problem problem = rung != nullptr && rung->speed ? rung->speed->problem
                                       : adds_vectors(recording)      ? recording.problem
                                                                      : frame.board.timed;
    const StageData data = stage_data(recording, problem);
    const auto add = [&](std::string level, double room, std::vector<LevelContents::Part> parts, Message message) {
        kept.push_back(
            {std::move(level), room, std::move(parts), frame.theme.accent(stage.number), std::move(message)});
    };
    std::vector<LevelContents::Part> matrices, tiles, blocks;
    const auto l2 = static_cast<double>(gpu.l2_bytes);
    if (multiplies(recording)) {
        for (const auto& [name, bytes] : {std::pair{"A", data.A}, std::pair{"B", data.B}, std::pair{"C", data.C}})
            if (bytes > 0)
                matrices.push_back({name, static_cast<double>(bytes)});
        add("L2", l2, std::move(matrices),
            {"device.matrices",
             {{"stage", stage.slug},
              {"size", size_words(problem)},
              {"bytes", bytes(static_cast<double>(data.operands()))},
              {"room", bytes(l2)}}});
    } else {
        double all = 0;
        for (const recording::Array& array : recording.arrays)
            if (array.space == recording::Space::global && uint64_t{array.rows} * array.cols > 0) {
                matrices.push_back({array.name, static_cast<double>(array.bytes)});
                all += static_cast<double>(array.bytes);
            }
        add("L2", l2, std::move(matrices),
            {"device.buffers", {{"stage", stage.slug}, {"bytes", bytes(all)}, {"room", bytes(l2)}}});
    }
    for (uint32_t i = 0; i < data.blocks; ++i) {
        tiles.push_back({fmt::format("block {}", i), static_cast<double>(data.shared_of_block)});
        blocks.push_back({fmt::format("block {}", i), 4.0 * data.registers_of_block});
    }
    if (data.tile_bytes > 0)
        add("shared memory", gpu.shared_bytes_per_sm, std::move(tiles),
            {"device.tiles",
             {{"stage", stage.slug},
              {"bytes", bytes(static_cast<double>(data.shared_of_block) * data.blocks)},
              {"beside", bytes(static_cast<double>(data.shared_of_block - data.tile_bytes))},
              {"room", bytes(gpu.shared_bytes_per_sm)}}});
    else
        frame.explain({{"device.no_tiles", {{"stage", stage.slug}}}});
    if (data.registers > 0)
        add("registers", 4.0 * gpu.registers_per_sm, std::move(blocks),
            {"device.registers",
             {{"stage", stage.slug},
              {"bytes", bytes(static_cast<double>(data.register_bytes()))},
              {"room", bytes(4.0 * gpu.registers_per_sm)},
              {"registers", data.registers},
              {"sums", rounded(data.sums)}}});
    else
        frame.explain({{"device.registers_unknown", {{"stage", stage.slug}}}});
}

class GpuView final : public View {
public:
    std::string_view name() const override { return "gpu"; }
    std::string_view title() const override { return "The GPU"; }
    ViewGroup group() const override { return ViewGroup::inside; }
    std::vector<Numbers> numbers() const override
    {
        return {{Numbers::How::gpu, "latencies, bandwidths, peaks"},
                {Numbers::How::recorded, "resources of a block"},
                {Numbers::How::derived, "shares of an SM"}};
    }
    ViewCommands commands() override
    {
        return {{"u", "measure the GPU, or stop measuring", toggle_measuring},
                {"g", "the next GPU in the calculator", [this](const ViewScene&) { choose_next(); }}};
    }
    void draw(ViewFrame& frame) override;

private:
    void draw_calculator(ViewFrame& frame, const recording::GpuProperties& gpu);
    float draw_headline(ViewFrame& frame, const draw::Box& box) const;
    static void draw_measuring(ViewFrame& frame, const GpuState& state);
    void choose_next();
    static void toggle_measuring(const ViewScene& scene);

    TypedGpu typed;
    std::vector<TypedGpu> offered; // the GPU shown, which `typed` began with, and others
};

// Only where there is a GPU.
void GpuView::toggle_measuring(const ViewScene& scene)
{
    const GpuState& state = scene.board.gpu;
    if (state.here)
        (state.measuring ? scene.requests.stop_measuring : scene.requests.measure_gpu) = true;
}

void GpuView::draw_measuring(ViewFrame& frame, const GpuState& state)
{
    const Theme& theme = frame.theme;
    if (state.here) {
        const char* label = state.measuring ? "stop measuring" : "measure this GPU";
        if (draw::choice(theme, {label, state.measuring, {}}, frame.hint))
            toggle_measuring(frame);
        mark_item(frame.marks, "measure");
    }
    Prose words(theme);
    if (state.measuring)
        words.write(
            {"device.measuring",
             {{"step", state.done + 1}, {"steps", std::max<std::size_t>(state.steps, 1)}, {"what", state.step}}});
    else if (!state.failed.empty())
        words.write({"device.failed", {{"error", in_sentences(state.failed)}}});
    else if (!state.properties)
        words.write({"device.unknown", {{"why", in_sentences(state.not_here)}}});
    else if (!state.measured && state.here)
        words.write({"device.not_measured"});
    if (words.width() > 0)
        words.draw(ImGui::GetContentRegionAvail().x);
}

void GpuView::choose_next()
{
    const auto now = std::ranges::find(offered, typed.name, &TypedGpu::name);
    if (!offered.empty())
        typed = now == offered.end() || now + 1 == offered.end() ? offered.front() : *(now + 1);
}

// The factors, each to be typed, and what they make.
void GpuView::draw_calculator(ViewFrame& frame, const recording::GpuProperties& gpu)
{
    const Theme& theme = frame.theme;
    const TypedGpu own = typed_of(gpu);
    if (offered.empty() || offered.front() != own) {
        if (offered.empty() || offered.front().name != own.name)
            typed = own;
        offered = {own};
        offered.insert(offered.end(), known_gpus().begin(), known_gpus().end());
    }
    constexpr const char* by_hand = "typed by hand"; // in the box, beside its arrow
    ImGui::SetNextItemWidth(std::max(theme.px(118), ImGui::CalcTextSize(by_hand).x + ImGui::GetFrameHeight() +
                                                        2 * ImGui::GetStyle().FramePadding.x));
    if (ImGui::BeginCombo("##gpu", std::ranges::find(offered, typed) != offered.end() ? typed.name.c_str() : by_hand)) {
        for (const TypedGpu& one : offered)
            if (ImGui::Selectable(one.name.c_str(), one.name == typed.name))
                typed = one;
        ImGui::EndCombo();
    }
    mark_item(frame.marks, "gpu");
    const auto field = [&](const char* name, uint32_t& value, const char* after) {
        draw::flow(theme.px(44) + ImGui::CalcTextSize(after).x);
        ImGui::SetNextItemWidth(theme.px(44));
        ImGui::PushFont(theme.mono);
        ImGui::InputScalar(fmt::format("##{}", name).c_str(), ImGuiDataType_U32, &value);
        ImGui::PopFont();
        mark_field(frame.marks, name);
        ImGui::SameLine(0, theme.px(4));
        ImGui::AlignTextToFramePadding();
        ImGui::TextUnformatted(after);
    };
    field("SMs", typed.sms, "SMs ×");
    field("lanes", typed.lanes, "lanes × 2 ×");
    field("MHz", typed.clock_mhz, "MHz,");
    field("bits", typed.bus_bits, "bits / 8 × 2 ×");
    field("memory MHz", typed.memory_mhz, "MHz");
}

float GpuView::draw_headline(ViewFrame& frame, const draw::Box& box) const
{
    const Quantity tflops = number(typed.gflops() * 1e-3);
    const Message headline = typed.ridge() > 0 ? Message{"device.headline",
                                                         {{"tflops", tflops},
                                                          {"mhz", typed.clock_mhz},
                                                          {"bandwidth", number(typed.gbps() * 1e-3)},
                                                          {"ridge", Value(number(typed.ridge())).as(of_column(0))}}}
                                               : Message{"device.no_bandwidth", {{"tflops", tflops}}};
    Prose words(frame.theme);
    words.write_large(headline);
    const float height = words.draw(ImGui::GetWindowDrawList(), box.min, box.width());
    mark(frame.marks, "headline:" + plain(headline), box.min, {box.max.x, box.min.y + height});
    return height + frame.theme.px(3);
}

void explain(ViewFrame& frame, const GpuState& state)
{
    const recording::GpuProperties& gpu = *state.properties;
    const std::vector<SmGroup> groups = sm_groups(gpu, state.measured ? &*state.measured : nullptr);
    const auto of_known = static_cast<std::size_t>(std::ranges::count(groups, true, &SmGroup::known));
    frame.explain({{"device.sm",
                    {{"name", gpu.name},
                     {"sms", gpu.sm_count},
                     {"mhz", gpu.clock_khz / 1000},
                     {"registers", gpu.registers_per_sm},
                     {"warps", gpu.threads_per_sm / 32},
                     {"blocks", gpu.blocks_per_sm}}},
                   groups.empty()
                       ? Message{"device.no_groups"}
                       : Message{"device.groups", {{"groups", of_known}, {"grey", of_known < groups.size()}}}});
    frame.explain({{"device.levels"}});
    if (state.measured)
        frame.explain({{"device.origin", {{"origin", how_had(state.measured.from())}}}});
    if (!state.not_here.empty())
        frame.explain({{"device.unknown", {{"why", in_sentences(state.not_here)}}}});
}

// Side by side as far as they are wide enough to be read: latency, the cost of a conflict, the ridge.
void draw_charts(const GpuPicture& picture, const draw::Box& box)
{
    const float gap = picture.frame.theme.px(6);
    float from = box.min.x;
    const auto next = [&](float share) {
        const float left = from;
        from += std::floor(box.width() * share);
        return draw::Box{{left, box.min.y}, {from - gap, box.max.y}};
    };
    if (const recording::GpuMeasurement* const measured = picture.measured) {
        const bool conflicts = !measured->conflict_latency.empty() && box.width() > picture.frame.theme.px(480);
        draw_latency(picture, next(conflicts ? 0.38f : 0.56f));
        if (conflicts)
            draw_conflicts(picture, next(0.28f));
    }
    draw_ridge(picture, {{from, box.min.y}, box.max});
}

void GpuView::draw(ViewFrame& frame)
{
    ImGui::BeginChild("gpu view", {0, 0}, false);
    const Theme& theme = frame.theme;
    draw_measuring(frame, frame.board.gpu);
    const GpuState& state = frame.board.gpu;
    if (!state.properties) {
        ImGui::EndChild();
        return;
    }
    draw_calculator(frame, *state.properties);
    explain(frame, state);
    const GpuPicture picture{frame, *state.properties, state.measured ? &*state.measured : nullptr, typed,
                             typed != typed_of(*state.properties)};
    const ImVec2 corner = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    draw::Box box{{corner.x, corner.y + theme.px(2)}, {corner.x + room.x, corner.y + room.y - 1}};
    box.min.y += draw_headline(frame, box);
    const float gap = theme.px(16), half = std::floor((box.width() - gap) * 0.47f);
    const float middle = box.min.y + std::floor(box.height() * 0.46f);
    draw_sm_map(picture, {box.min, {box.min.x + half, middle}});
    draw_sm_inside(picture, {{box.min.x, middle + theme.px(6)}, {box.min.x + half, box.max.y}});
    std::vector<LevelContents> kept;
    for (const StageColumn* stage : {&frame.columns.front(), frame.comparing() ? &frame.columns[1] : nullptr})
        if (stage != nullptr)
            add_kept(kept, frame, *state.properties, *stage);
    const draw::Box right{{box.min.x + half + gap, box.min.y}, box.max};
    // In a low window the levels alone.
    const float charts = right.height() < theme.px(280) ? 0 : std::min(right.height() * 0.36f, theme.px(300));
    const float chains =
        right.height() < theme.px(520) ? 0 : chain_table_height(picture); // as measured, where there is room
    const float levels_end = right.max.y - charts - (chains > 0 ? chains + theme.px(10) : 0);
    draw_levels(picture, kept, {right.min, {right.max.x, levels_end}});
    if (chains > 0)
        draw_chain_table(picture, {{right.min.x, levels_end + theme.px(6)}, {right.max.x, right.max.y - charts}});
    const draw::Box below{{right.min.x, right.max.y - charts + theme.px(4)}, right.max};
    if (charts > 0)
        draw_charts(picture, below);
    mark_picture(frame.marks, "gpu", box);
    ImGui::EndChild();
}

} // namespace

std::unique_ptr<View> make_gpu_view()
{
    return std::make_unique<GpuView>();
}

} // namespace viz
