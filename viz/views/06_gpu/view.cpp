// The GPU: its SMs, its memory levels with size, latency and bandwidth, and where the stage's data lives.
#include "viz/view.h"

#include "viz/draw/focus.h"
#include "viz/text/figures.h"
#include "viz/views/06_gpu/gpu_pictures.h"

#include <fmt/format.h>

#include <algorithm>

namespace viz {

std::unique_ptr<View> make_gpu_view();

namespace {

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
    std::vector<std::pair<std::string, std::string>> keys() const override
    {
        return {{"u", "measure the GPU, or stop measuring"}};
    }
    void draw(ViewFrame& frame) override;

private:
    void draw_measuring(ViewFrame& frame, const GpuState& state) const;
    float draw_sms(const ViewFrame& frame, const GpuPicture& picture, const draw::Box& box) const;
    float draw_stage(const ViewFrame& frame, const GpuPicture& picture, const Subject& subject,
                     const draw::Box& box) const;
};

void GpuView::draw_measuring(ViewFrame& frame, const GpuState& state) const
{
    const Theme& theme = frame.theme;
    if (state.here) {
        const char* label = state.measuring ? "stop measuring" : "measure this GPU";
        const bool pressed = draw::choice(theme, {label, state.measuring, {}}, frame.hint) || draw::typed('u');
        mark_item(frame.marks, "measure");
        if (pressed && frame.wishes)
            (state.measuring ? frame.wishes->stop_measuring : frame.wishes->measure_gpu) = true;
    }
    Prose words(theme);
    if (state.measuring)
        words.say("Measuring ")
            .figure(fmt::format("{} of {}", state.done + 1, std::max<std::size_t>(state.steps, 1)))
            .say(": " + state.step + " … ");
    else if (!state.error.empty())
        words.strong(state.error + " ");
    if (state.measured)
        words.say(fmt::format("Latencies, bandwidths and peaks: {}, with the small kernels of "
                              "kernels/device/microbenchmarks.h. ",
                              state.origin));
    else if (state.properties && state.here)
        words.say("Nothing is measured yet: u measures it, in some seconds. ");
    if (!state.here && !state.missing.empty())
        words.faint(state.missing);
    words.draw(ImGui::GetContentRegionAvail().x);
}

float GpuView::draw_sms(const ViewFrame& frame, const GpuPicture& picture, const draw::Box& box) const
{
    const Theme& theme = frame.theme;
    const recording::GpuProperties& gpu = picture.gpu;
    const std::vector<SmGroup> groups = sm_groups(gpu, picture.measured);
    Prose words(theme);
    words.heading(gpu.name).gap();
    words.figure(counted(gpu.sm_count, "SM")).say(" at up to ");
    words.figure(fmt::format("{:.0f} MHz", gpu.clock_khz * 1e-3));
    words.say(", each with 4 schedulers, ")
        .figure(thousands(uint64_t{gpu.registers_per_sm}))
        .say(" registers, at most ");
    words.figure(std::to_string(gpu.threads_per_sm / 32)).say(" warps and ");
    words.figure(std::to_string(gpu.blocks_per_sm)).say(" blocks. ");
    if (!groups.empty()) {
        const auto known = static_cast<std::size_t>(std::ranges::count(groups, true, &SmGroup::known));
        words.say("The driver tells neither GPCs nor TPCs. Blocks of one cluster always share a GPC, so clusters were "
                  "run and watched: SMs of one colour ran some together, ");
        words.figure(counted(known, "group")).say(". ");
        if (known < groups.size())
            words.say(fmt::format("To the grey ones no cluster came. "));
    } else {
        words.say("The driver tells neither GPCs nor TPCs, so the SMs stand in the order of their numbers.");
    }
    float y = box.min.y + words.draw(ImGui::GetWindowDrawList(), box.min, box.width()) + theme.px(6);
    y += draw_sm_map(picture, {{box.min.x, y}, box.max});
    return y - box.min.y;
}

float GpuView::draw_stage(const ViewFrame& frame, const GpuPicture& picture, const Subject& subject,
                          const draw::Box& box) const
{
    const Theme& theme = frame.theme;
    ImDrawList* list = ImGui::GetWindowDrawList();
    float y = box.min.y + stage_heading(theme, subject).draw(list, box.min, box.width()) + theme.px(2);
    const RungFacts* rung = frame.board->find(subject.recording->stage);
    const recording::Problem problem = rung != nullptr && rung->speed     ? rung->speed->problem
                                       : adds_vectors(*subject.recording) ? subject.recording->problem
                                                                          : frame.board->timed;
    const StageData data = stage_data(*subject.recording, problem);
    const Colour colour = theme.accent(subject.accent);
    const auto share = [&](const std::string& title, const std::vector<Segment>& segments, double room) {
        if (room > 0)
            y += draw_share(picture, title, segments, room, colour, {{box.min.x, y}, box.max});
    };
    std::vector<Segment> matrices;
    for (const auto& [name, bytes] : {std::pair{"A", data.A}, std::pair{"B", data.B}, std::pair{"C", data.C}})
        if (bytes > 0)
            matrices.push_back({name, static_cast<double>(bytes)});
    share(fmt::format("Matrices at {} against L2", size_words(problem)), matrices,
          static_cast<double>(picture.gpu.l2_bytes));
    if (data.tile_bytes > 0) {
        std::vector<Segment> tiles;
        for (uint32_t i = 0; i < data.blocks; ++i)
            tiles.push_back({data.blocks == 1 ? "tiles of a block" : fmt::format("block {}", i + 1),
                             static_cast<double>(data.tile_bytes)});
        share("Tiles in an SM's shared memory", tiles, picture.gpu.shared_bytes_per_sm);
    } else {
        y += Prose(theme).say("It keeps no tiles in shared memory.").draw(list, {box.min.x, y}, box.width()) +
             theme.px(6);
    }
    if (data.registers > 0) {
        std::vector<Segment> blocks;
        for (uint32_t i = 0; i < data.blocks; ++i)
            blocks.push_back({fmt::format("block {}: {} registers x {} threads", i + 1, data.registers, data.threads),
                              4.0 * data.registers * data.threads});
        share("Registers of an SM", blocks, 4.0 * picture.gpu.registers_per_sm);
        if (data.sums >= 1)
            y += Prose(theme)
                     .say("Of its ")
                     .figure(std::to_string(data.registers))
                     .say(" registers a thread keeps ")
                     .figure(fmt::format("{:.4g}", data.sums))
                     .say(data.sums == 1 ? " sum of C." : " sums of C.")
                     .draw(list, {box.min.x, y}, box.width());
    } else {
        y += Prose(theme)
                 .faint("How many registers it takes is known only of a recording made on a GPU.")
                 .draw(list, {box.min.x, y}, box.width());
    }
    return y - box.min.y;
}

void GpuView::draw(ViewFrame& frame)
{
    ImGui::BeginChild("gpu view", {0, 0}, false);
    if (frame.board == nullptr || !frame.first.recording) {
        ImGui::EndChild();
        return;
    }
    const Theme& theme = frame.theme;
    const GpuState& state = frame.board->gpu;
    draw_measuring(frame, state);
    if (state.properties) {
        const GpuPicture picture{*state.properties, state.measured ? &*state.measured : nullptr, theme, frame.marks,
                                 frame.hint};
        const ImVec2 corner = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
        const float width = room.x - theme.px(14), gap = theme.px(12); // a scrollbar fits beside it
        float y = corner.y + theme.px(4);
        y += draw_sms(frame, picture, {{corner.x, y}, {corner.x + width, y}}) + gap;
        y += draw_levels(picture, {{corner.x, y}, {corner.x + width, y}}) + gap;
        if (state.measured) {
            draw_latency(picture, {{corner.x, y}, {corner.x + width, y + theme.px(190)}});
            y += theme.px(190) + gap;
        }
        for (const Subject* subject : {&frame.first, frame.second})
            if (subject != nullptr && subject->recording)
                y += draw_stage(frame, picture, *subject, {{corner.x, y}, {corner.x + width, y}}) + gap;
        ImGui::SetCursorScreenPos({corner.x, y - gap - 1});
        ImGui::Dummy({1, 1});
    }
    ImGui::EndChild();
}

} // namespace

std::unique_ptr<View> make_gpu_view()
{
    return std::make_unique<GpuView>();
}

} // namespace viz
