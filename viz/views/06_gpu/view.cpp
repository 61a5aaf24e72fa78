// The GPU view: its SMs and the inside of one SM; the size, latency and bandwidth of its memory levels; where the
// stage's data are; and a calculator of peak, bandwidth and ridge.
#include "viz/analysis/ownership.h"
#include "viz/draw/rich_text.h"
#include "viz/figure/draw_figure.h"
#include "viz/figure/layout.h"
#include "viz/text/figures.h"
#include "viz/text/known.h"
#include "viz/views/06_gpu/pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace viz {

std::unique_ptr<View> make_gpu_view();

namespace {

using Parts = std::vector<LevelContents::Part>;

// The data of a stage in L2, in shared memory and in registers, and the reasons for unknown ones.
struct StageContents {
    std::vector<LevelContents> kept;
    std::vector<Rich> unknown;
};

LevelContents in_l2(const StageColumn& stage, const recording::GpuProperties& gpu, const StageData& data,
                    const recording::Problem& problem)
{
    const auto room = static_cast<double>(gpu.l2_bytes);
    Parts parts;
    double all = 0;
    const auto add = [&](const std::string& name, uint64_t bytes) {
        if (bytes > 0)
            parts.push_back({name, static_cast<double>(bytes)});
        all += static_cast<double>(bytes);
    };
    if (multiplies(*stage.recording)) {
        add("A", data.A);
        add("B", data.B);
        add("C", data.C);
        return {"L2",
                room,
                std::move(parts),
                {},
                rich("{}'s matrices at {}: {}; L2 has {}", stage.slug, size_words(problem), bytes(all), bytes(room))};
    }
    for (const recording::Array& array : stage.recording->arrays)
        if (array.space == recording::Space::global && uint64_t{array.rows} * array.cols > 0)
            add(array.name, array.bytes);
    return {"L2",
            room,
            std::move(parts),
            {},
            rich("{}'s buffers, as recorded: {}; L2 has {}", stage.slug, bytes(all), bytes(room))};
}

StageContents contents_of(const ViewFrame& frame, const recording::GpuProperties& gpu, const StageColumn& stage)
{
    const recording::Recording& recording = *stage.recording;
    const StageFacts* rung = frame.ladder_facts.find(recording.stage);
    const recording::Problem problem = rung != nullptr && rung->speed ? rung->speed->problem
                                       : adds_vectors(recording)      ? recording.problem
                                                                      : frame.ladder_facts.timed;
    const StageData data = stage_data(recording, problem);
    StageContents all{{in_l2(stage, gpu, data, problem)}, {}};
    const auto per_block = [&](double bytes) {
        Parts parts;
        for (uint32_t i = 0; i < data.blocks; ++i)
            parts.push_back({fmt::format("block {}", i), bytes});
        return parts;
    };
    if (data.tile_bytes > 0)
        all.kept.push_back(
            {"shared memory",
             static_cast<double>(gpu.shared_bytes_per_sm),
             per_block(static_cast<double>(data.shared_of_block)),
             {},
             rich("{}'s tiles: {} of an SM's {} of shared memory, {} of each block for the system and by rounding up",
                  stage.slug, bytes(static_cast<double>(data.shared_of_block) * data.blocks),
                  bytes(gpu.shared_bytes_per_sm), bytes(static_cast<double>(data.shared_of_block - data.tile_bytes)))});
    else
        all.unknown.push_back(rich("{} keeps no tiles in shared memory.", stage.slug));
    const double room = 4.0 * gpu.registers_per_sm;
    if (data.registers > 0)
        all.kept.push_back(
            {"registers",
             room,
             per_block(4.0 * data.registers_of_block),
             {},
             rich("{}'s blocks: {} of an SM's {} of registers; a thread has {}, {} of them sums of C, and whole warps "
                  "get them in units of 8",
                  stage.slug, bytes(static_cast<double>(data.register_bytes())), bytes(room), data.registers,
                  rounded(data.sums))});
    else
        all.unknown.push_back(
            rich("How many registers {} takes is known only of a recording made on a GPU.", stage.slug));
    for (LevelContents& one : all.kept)
        one.colour = frame.theme.accent(stage.number);
    return all;
}

constexpr const char* by_hand = "typed by hand"; // beside the arrow of the calculator's box

class GpuView final : public View {
public:
    std::string_view name() const override { return "gpu"; }
    std::string_view title() const override { return "The GPU"; }
    ViewGroup group() const override { return ViewGroup::inside; }
    ViewCommands commands() override
    {
        return {{"u", "measure the GPU, or stop measuring", toggle_measuring},
                {"g", "the next GPU in the calculator", [this](const ViewScene&) { choose_next(); }}};
    }
    Figure figure(const ViewFrame& frame, const Box& box) override;
    void draw_controls(ViewFrame& frame) override;

private:
    void offer(const recording::GpuProperties& gpu);
    void draw_calculator(ViewFrame& frame);
    Rich headline() const;
    bool is_offered() const { return std::ranges::find(offered, typed) != offered.end(); }
    void choose_next();
    static void toggle_measuring(const ViewScene& scene);

    Box controls_place{};
    float controls_height = 0; // in the last frame; 0 before the first
    TypedGpu typed;
    std::vector<TypedGpu> offered; // the GPU shown, whose values are `typed` at first, and others
};

// Has no effect without a GPU.
void GpuView::toggle_measuring(const ViewScene& scene)
{
    const GpuState& state = scene.ladder_facts.gpu;
    if (state.here)
        (state.measuring ? scene.requests.stop_measuring : scene.requests.measure_gpu) = true;
}

// Describes what is being measured, or why nothing is. Empty if everything was measured.
Rich state_words(const GpuState& state)
{
    if (state.measuring)
        return rich("Measuring **{}** of {}: {} …", state.done + 1, std::max<std::size_t>(state.steps, 1), state.step);
    if (!state.failed.empty())
        return rich(in_sentences(state.failed));
    if (!state.properties)
        return rich(in_sentences(state.not_here));
    if (!state.measured && state.here)
        return rich("Nothing is measured yet: `u` measures it, in some seconds.");
    return {};
}

void GpuView::choose_next()
{
    const auto now = std::ranges::find(offered, typed.name, &TypedGpu::name);
    if (!offered.empty())
        typed = now == offered.end() || now + 1 == offered.end() ? offered.front() : *(now + 1);
}

// Offers the calculator the GPU shown and others.
void GpuView::offer(const recording::GpuProperties& gpu)
{
    const TypedGpu own = typed_of(gpu);
    if (!offered.empty() && offered.front() == own)
        return;
    if (offered.empty() || offered.front().name != own.name)
        typed = own;
    offered = {own};
    offered.insert(offered.end(), known_gpus().begin(), known_gpus().end());
}

// Draws a field for each factor.
void GpuView::draw_calculator(ViewFrame& frame)
{
    const Theme& theme = frame.theme;
    ImGui::SetNextItemWidth(std::max(theme.px(118), ImGui::CalcTextSize(by_hand).x + ImGui::GetFrameHeight() +
                                                        2 * ImGui::GetStyle().FramePadding.x));
    if (ImGui::BeginCombo("##gpu", is_offered() ? typed.name.c_str() : by_hand)) {
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

void GpuView::draw_controls(ViewFrame& frame)
{
    const GpuState& state = frame.ladder_facts.gpu;
    ImGui::SetCursorScreenPos(controls_place.min);
    ImGui::BeginGroup();
    if (state.here) {
        if (draw::choice(frame.theme, {state.measuring ? "stop measuring" : "measure this GPU", state.measuring, {}},
                         frame.hint))
            toggle_measuring(frame);
        mark_item(frame.marks, "measure");
    }
    if (state.properties)
        draw_calculator(frame);
    ImGui::EndGroup();
    controls_height = ImGui::GetItemRectSize().y;
}

Rich GpuView::headline() const
{
    const Quantity tflops = number(typed.gflops() * 1e-3);
    if (typed.ridge() <= 0)
        return rich("peak **{}** TFLOPS", tflops);
    return rich("peak **{}** TFLOPS at {} MHz, **{}** TB/s: ridge **{}** FLOP per byte", tflops, typed.clock_mhz,
                number(typed.gbps() * 1e-3), Value(number(typed.ridge())).as(of_column(0)));
}

void explain(Figure& figure, const GpuState& state)
{
    const recording::GpuProperties& gpu = *state.properties;
    const std::vector<SmGroup> groups = sm_groups(gpu, state.measured ? &*state.measured : nullptr);
    const auto of_known = static_cast<std::size_t>(std::ranges::count(groups, true, &SmGroup::known));
    figure.said.push_back(joined(
        {rich("*{}:* **{}** at up to {} MHz, each with 4 schedulers, **{}** registers, at most **{}** warps and **{}** "
              "blocks.",
              gpu.name, counted(gpu.sm_count, "SM"), gpu.clock_khz / 1000, gpu.registers_per_sm,
              gpu.threads_per_sm / 32, gpu.blocks_per_sm),
         rich("The driver tells neither GPCs nor TPCs."),
         groups.empty() ? rich("So the SMs stand in the order of their numbers.")
                        : rich("SMs that stand together ran blocks of one cluster, which always share a GPC: **{}**.",
                               counted(of_known, "group")),
         of_known < groups.size() ? rich("To the last ones no cluster came.") : Rich()}));
    figure.said.push_back(
        rich("*Latency:* one load that waits for the one before. An asterisk marks a bandwidth by clock and width, not "
             "measured. The size of L1 with shared memory is NVIDIA's: the driver does not tell it."));
    if (state.measured)
        figure.said.push_back(rich("Latencies, bandwidths and peaks: {}, with the small kernels of "
                                   "`kernels/device/microbenchmarks.h`.",
                                   how_had(state.measured.from())));
    if (!state.not_here.empty())
        figure.said.push_back(rich(in_sentences(state.not_here)));
}

// Adds the levels, the table of chains and the charts. A low window shows only the levels.
void add_memory(Figure& figure, const GpuPicture& picture, const std::vector<LevelContents>& kept, const Box& box)
{
    const Theme& theme = picture.theme;
    const float charts = box.height() < theme.px(280) ? 0 : std::min(box.height() * 0.36f, theme.px(300));
    const float chains = box.height() < theme.px(520) ? 0 : chain_table_height(picture);
    std::vector<Track> rooms{share_of_rest()};
    for (const float height : {chains, charts})
        if (height > 0)
            rooms.push_back(pixels(height));
    const std::vector<Box> parts = rows(box, rooms, theme.px(6));
    add_levels(figure, picture, kept, parts.front());
    if (chains > 0)
        add_chain_table(figure, picture, parts[1]);
    if (charts > 0)
        add_charts(figure, picture, parts.back());
}

Figure GpuView::figure(const ViewFrame& frame, const Box& box)
{
    const Theme& theme = frame.theme;
    const GpuState& state = frame.ladder_facts.gpu;
    Figure shown{.numbers = {{Numbers::How::gpu, "latencies, bandwidths, peaks"},
                             {Numbers::How::recorded, "resources of a block"},
                             {Numbers::How::derived, "shares of an SM"}}};
    const Rich words = state_words(state);
    const float saying = words.empty() ? 0 : RichText(theme).write(words).height(box.width());
    const bool controls = state.here || state.properties;
    const float buttons = controls ? std::max(controls_height, ImGui::GetFrameHeight()) : 0;
    const std::vector<Box> parts =
        rows({box.min, {box.max.x, box.max.y - 1}}, {pixels(saying), pixels(buttons), share_of_rest()}, theme.px(2));
    controls_place = parts[1];
    if (saying > 0)
        shown.panels.push_back(words_panel("measuring", parts[0], words));
    if (!state.properties)
        return shown;
    offer(*state.properties);
    explain(shown, state);
    Heading heading{.name = {{.words = is_offered() ? typed.name : by_hand, .style = Style::heading}},
                    .headline = headline(),
                    .box = parts[2]};
    heading.box.max.y = heading.box.min.y + heading_height(theme, heading, heading.box.width());
    const Box below{{box.min.x, heading.box.max.y}, parts[2].max};
    shown.headings.push_back(std::move(heading));
    const GpuPicture picture{theme, *state.properties, state.measured ? &*state.measured : nullptr, typed,
                             typed != typed_of(*state.properties)};
    const std::vector<Box> halves = columns(below, {share_of_rest(0.47f), share_of_rest(0.53f)}, theme.px(16));
    const std::vector<Box> left = rows(halves[0], {share_of_rest(0.46f), share_of_rest(0.54f)}, theme.px(6));
    add_sm_map(shown, picture, left[0]);
    add_sm_inside(shown, picture, left[1]);
    std::vector<LevelContents> kept;
    for (const StageColumn& stage : frame.columns.first(frame.comparing() ? 2 : 1)) {
        StageContents contents = contents_of(frame, *state.properties, stage);
        std::ranges::move(contents.kept, std::back_inserter(kept));
        std::ranges::move(contents.unknown, std::back_inserter(shown.said));
    }
    add_memory(shown, picture, kept, halves[1]);
    return shown;
}

} // namespace

std::unique_ptr<View> make_gpu_view()
{
    return std::make_unique<GpuView>();
}

} // namespace viz
