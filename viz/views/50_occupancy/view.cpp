// Occupancy: how many blocks an SM holds at once, what limits them, and the steps in which it changes.
#include "viz/view.h"

#include "viz/draw/focus.h"
#include "viz/text/templates.h"
#include "viz/views/50_occupancy/bytes_under_way.h"
#include "viz/views/50_occupancy/limits_table.h"
#include "viz/views/50_occupancy/step_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace viz {

std::unique_ptr<View> make_occupancy_view();

namespace {

// Kept while the recording stays: all its accesses are looked through.
struct KeptLoads {
    std::shared_ptr<const recording::Recording> recording;
    std::optional<LoadsTogether> together;

    const std::optional<LoadsTogether>& of(const std::shared_ptr<const recording::Recording>& wanted)
    {
        if (wanted != recording) {
            recording = wanted;
            together = most_loads_together(*wanted);
        }
        return together;
    }
};

class OccupancyView final : public View {
public:
    std::string_view name() const override { return "occupancy"; }
    std::string_view title() const override { return "Occupancy"; }
    ViewGroup group() const override { return ViewGroup::inside; }
    std::vector<Numbers> numbers() const override
    {
        std::vector<Numbers> all = {{Numbers::How::recorded, "resources of a block"},
                                    {Numbers::How::derived, "occupancy"}};
        if (shows_measured)
            all.push_back({Numbers::How::gpu, "latency and bandwidth of DRAM"});
        if (counted_from)
            all.push_back({Numbers::How::counted, "issued and resident warps", counted_from});
        return all;
    }
    std::vector<std::pair<std::string, std::string>> keys() const override
    {
        return {{"p and P", "one register more or less"},    {"u and U", "1 KiB of shared memory more or less"},
                {"f and F", "32 threads more or fewer"},     {"e", "back to the stage's own values"},
                {"g and G", "the next or the previous GPU"}, {"i", "type values"}};
    }
    void draw(ViewFrame& frame) override;

private:
    void take_stage(const ViewFrame& frame);
    void draw_controls(ViewFrame& frame);
    void use_keys();
    OccupancyCase case_of(const Subject& subject, bool first) const;
    float draw_charts(ViewFrame& frame, const std::vector<OccupancyCase>& cases, const draw::Box& box);

    std::shared_ptr<const recording::Recording> recording; // that the values were taken from
    KernelNeeds needs;
    bool changed = false, focus_field = false;
    SmLimits limits;
    KeptLoads together[2];
    bool shows_measured = false;            // in the last frame
    std::optional<Provenance> counted_from; // likewise
};

void OccupancyView::take_stage(const ViewFrame& frame)
{
    if (recording == frame.first.recording)
        return;
    recording = frame.first.recording;
    changed = false;
    const RecordedNeeds own = needs_of(*recording);
    needs = own.needs;
    if (!own.registers_known)
        needs.registers = usual_registers;
    if (const auto known = limits_of(recording->device.compute_capability))
        limits = *known;
}

void OccupancyView::use_keys()
{
    const auto by = [](char key, char shifted) { return (draw::typed(key) ? 1 : 0) - (draw::typed(shifted) ? 1 : 0); };
    const auto move = [this](uint32_t& value, int64_t step, int64_t least, int64_t most) {
        if (step == 0)
            return;
        value = static_cast<uint32_t>(std::clamp(static_cast<int64_t>(value) + step, least, most));
        changed = true;
    };
    move(needs.registers, by('p', 'P'), 1, most_registers);
    move(needs.shared_bytes, int64_t{1024} * by('u', 'U'), 0, limits.most_shared_per_block());
    move(needs.threads, int64_t{32} * by('f', 'F'), 32, most_threads);
    if (const int step = by('g', 'G'); step != 0) {
        const auto sms = known_sms();
        const auto count = static_cast<int>(sms.size());
        int place = 0;
        while (sms[static_cast<std::size_t>(place)].compute_capability != limits.compute_capability)
            ++place;
        limits = sms[static_cast<std::size_t>((place + step + count) % count)];
    }
}

void OccupancyView::draw_controls(ViewFrame& frame)
{
    const Theme& theme = frame.theme;
    const auto field = [&](const char* label, uint32_t& value) {
        const float width = theme.px(70);
        if (label != std::string_view("threads per block"))
            draw::flow(ImGui::CalcTextSize(label).x + width + theme.px(16));
        ImGui::AlignTextToFramePadding();
        ImGui::TextUnformatted(label);
        ImGui::SameLine();
        if (label == std::string_view("threads per block") && (std::exchange(focus_field, false) || draw::typed('i')))
            ImGui::SetKeyboardFocusHere();
        ImGui::SetNextItemWidth(width);
        ImGui::PushFont(theme.mono);
        changed |= ImGui::InputScalar(fmt::format("##{}", label).c_str(), ImGuiDataType_U32, &value);
        ImGui::PopFont();
        mark_field(frame.marks, label);
    };
    field("threads per block", needs.threads);
    field("registers per thread", needs.registers);
    field("shared bytes per block", needs.shared_bytes);
    draw::flow(draw::button_width("the stage's own"));
    if (draw::choice(theme, {"the stage's own", !changed, {}}, frame.hint) || draw::typed('e'))
        recording.reset();
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted("GPU of compute capability");
    for (const SmLimits& sm : known_sms()) {
        const std::string name = fmt::format("{}.{}", sm.compute_capability / 10, sm.compute_capability % 10);
        draw::flow(draw::button_width(name.c_str()));
        if (draw::choice(theme, {name.c_str(), sm.compute_capability == limits.compute_capability, {}}, frame.hint))
            limits = sm;
    }
}

OccupancyCase OccupancyView::case_of(const Subject& subject, bool first) const
{
    OccupancyCase one;
    one.subject = &subject;
    one.recorded = needs_of(*subject.recording);
    one.needs = one.recorded.needs;
    if (first)
        one.needs = needs;
    else if (!one.recorded.registers_known)
        one.needs.registers = usual_registers;
    one.now = residency(limits, one.needs);
    one.typed = first && changed;
    return one;
}

float OccupancyView::draw_charts(ViewFrame& frame, const std::vector<OccupancyCase>& cases, const draw::Box& box)
{
    const Theme& theme = frame.theme;
    struct Need {
        std::string title;
        uint32_t KernelNeeds::*member;
        uint32_t least, most, step, tick;
    };
    const Need axes[] = {{"registers per thread", &KernelNeeds::registers, 1, most_registers, 1, 32},
                         {"KiB of shared memory per block", &KernelNeeds::shared_bytes, 0,
                          limits.most_shared_per_block(), 1024, 32 * 1024},
                         {"threads per block", &KernelNeeds::threads, 32, most_threads, 32, 128}};
    const bool beside = box.width() > theme.px(620);
    const float gap = theme.px(16), count = 3;
    const float width = beside ? (box.width() - gap * (count - 1)) / count : box.width();
    const float whole = beside ? box.height() : (box.height() - gap * (count - 1)) / count;
    const float height = std::clamp(whole, theme.px(130), theme.px(260));
    for (int i = 0; i < 3; ++i) {
        const Need& axis = axes[i];
        const bool kib = axis.member == &KernelNeeds::shared_bytes;
        StepChart chart{.title = axis.title,
                        .least = axis.least,
                        .most = axis.most,
                        .step = axis.step,
                        .tick = axis.tick,
                        .scale = kib ? 1024u : 1u,
                        .most_warps = limits.warps,
                        .curves = {},
                        .theme = theme,
                        .marks = frame.marks};
        for (const OccupancyCase& one : cases)
            chart.curves.push_back({theme.accent(one.subject->accent),
                                    [this, &axis, &one](uint32_t value) {
                                        KernelNeeds moved = one.needs;
                                        moved.*axis.member = value;
                                        return residency(limits, moved).warps;
                                    },
                                    one.needs.*axis.member});
        const float x = box.min.x + (beside ? (width + gap) * static_cast<float>(i) : 0);
        const float y = box.min.y + (beside ? 0 : (height + gap) * static_cast<float>(i));
        const auto hit = draw_step_chart(chart, {{x, y}, {x + width, y + height}});
        if (!hit)
            continue;
        KernelNeeds moved = cases.front().needs;
        moved.*axis.member = hit->value;
        const Residency there = residency(limits, moved);
        frame.hint = plain(Message{"occupancy.chart_hint",
                                   {{"value", kib ? hit->value / 1024 : hit->value},
                                    {"unit", axis.title},
                                    {"warps", there.warps},
                                    {"most", limits.warps},
                                    {"refused", !there.refusal.empty()}}});
        if (hit->chosen && needs.*axis.member != hit->value) {
            needs.*axis.member = hit->value;
            changed = true;
        }
    }
    return beside ? height : (height + gap) * count;
}

void OccupancyView::draw(ViewFrame& frame)
{
    ImGui::BeginChild("occupancy view", {0, 0}, false);
    const Theme& theme = frame.theme;
    ImDrawList* list = ImGui::GetWindowDrawList();
    take_stage(frame);
    use_keys();
    draw_controls(frame);
    take_stage(frame);
    std::vector<OccupancyCase> cases{case_of(frame.first, true)};
    if (frame.second && frame.second->recording)
        cases.push_back(case_of(*frame.second, false));
    shows_measured = dram_needs(frame.board).has_value();
    const HardwareFigures* const issued = issue_figures(frame.board, frame.first);
    counted_from = issued ? std::optional(issued->from) : std::nullopt;
    const ImVec2 corner = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const float gap = theme.px(28), columns = static_cast<float>(cases.size());
    const float width = std::floor((room.x - gap * (columns - 1)) / columns);
    float y = corner.y + theme.px(4), height = 0;
    const auto section = [&](auto&& draw_one, float space) {
        height = 0;
        for (std::size_t i = 0; i < cases.size(); ++i) {
            const float x = corner.x + static_cast<float>(i) * (width + gap);
            height = std::max(height, draw_one(cases[i], draw::Box{{x, y}, {x + width, y}}));
        }
        y += height + theme.px(space);
    };
    section([&](const OccupancyCase& one,
                const draw::Box& box) { return stage_heading(theme, *one.subject).draw(list, box.min, box.width()); },
            2);
    section(
        [&](const OccupancyCase& one, const draw::Box& box) {
            return Prose(theme).write(residency_messages(limits, one)).draw(list, box.min, box.width());
        },
        6);
    section([&](const OccupancyCase& one, const draw::Box& box) { return draw_limits(list, theme, limits, one, box); },
            10);
    y += Prose(theme).write({"occupancy.charts"}).draw(list, {corner.x, y}, room.x) + theme.px(6);
    const float charts = draw_charts(frame, cases, {{corner.x, y}, {corner.x + room.x, corner.y + room.y}});
    y += charts + theme.px(12);
    section(
        [&](const OccupancyCase& one, const draw::Box& box) {
            const bool first = &one == &cases.front();
            return draw_waiting(
                list, theme,
                {one, together[first ? 0 : 1].of(one.subject->recording), frame.board, first ? frame.marks : nullptr},
                box);
        },
        4);
    ImGui::SetCursorScreenPos({corner.x, y - 1});
    ImGui::Dummy({1, 1});
    ImGui::EndChild();
}

} // namespace

std::unique_ptr<View> make_occupancy_view()
{
    return std::make_unique<OccupancyView>();
}

} // namespace viz
