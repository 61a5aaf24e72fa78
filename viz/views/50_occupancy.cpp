// Occupancy: how many blocks an SM holds at once, what limits them, and the steps in which it changes.
#include "viz/view.h"

#include "viz/analysis/figures.h"
#include "viz/analysis/occupancy.h"
#include "viz/views/focus.h"
#include "viz/views/step_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace viz {

std::unique_ptr<View> make_occupancy_view();

namespace {

constexpr uint32_t usual_registers = 32; // where nobody was asked: somewhere to start from
constexpr const char* limit_names[limit_count] = {"registers", "shared memory", "warps per SM", "blocks per SM"};

// A stage on the curves.
struct Case {
    const Subject* subject = nullptr;
    RecordedNeeds recorded;
    KernelNeeds needs; // of the first: as changed by hand
    Residency now;
};

class OccupancyView final : public View {
public:
    std::string_view name() const override { return "occupancy"; }
    std::string_view title() const override { return "Occupancy"; }
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
    Case case_of(const Subject& subject, bool first) const;
    Prose words_of(const Theme& theme, const Case& one, bool first) const;
    float draw_limits(const ViewFrame& frame, const Case& one, const draw::Box& box) const;
    void draw_charts(ViewFrame& frame, const std::vector<Case>& cases, const draw::Box& box);

    std::shared_ptr<const recording::Recording> recording; // that the values were taken from
    KernelNeeds needs;
    bool changed = false, focus_field = false;
    SmLimits limits;
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
        mark_item(frame.marks, fmt::format("{}:{}", ImGui::IsItemActive() ? "typing" : "field", label));
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

Case OccupancyView::case_of(const Subject& subject, bool first) const
{
    Case one;
    one.subject = &subject;
    one.recorded = needs_of(*subject.recording);
    one.needs = one.recorded.needs;
    if (first)
        one.needs = needs;
    else if (!one.recorded.registers_known)
        one.needs.registers = usual_registers;
    one.now = residency(limits, one.needs);
    return one;
}

Prose OccupancyView::words_of(const Theme& theme, const Case& one, bool first) const
{
    Prose prose(theme);
    if (!one.now.refusal.empty())
        return prose.figure("Cannot be launched:", theme.warning).say(" " + one.now.refusal);
    prose.say("An SM holds ").figure(counted(one.now.blocks, "block")).say(" at once: ");
    prose.figure(counted(one.now.warps, "warp")).say(fmt::format(" of {}, ", limits.warps));
    prose.figure(fmt::format("{:.0f}%", 100 * one.now.share)).say(". What limits it: ");
    std::string names;
    for (int i = 0; i < limit_count; ++i)
        if (one.now.limited_by(static_cast<Limit>(i)))
            names += (names.empty() ? "" : " and ") + std::string(limit_names[i]);
    prose.figure(names, theme.warning).say(". ");
    if (const auto more = registers_to_lose_a_block(limits, one.needs))
        prose.figure(counted(*more, "register")).say(" more per thread would cost a whole block; ");
    if (const auto fewer = registers_to_gain_a_block(limits, one.needs))
        prose.figure(counted(*fewer, "register")).say(" fewer would give one more. ");
    else
        prose.say("fewer would give none more. ");
    if (!one.recorded.registers_known)
        prose.say(first && changed ? "The values are typed. "
                                   : fmt::format("The registers are not known, as this was recorded on the CPU: {} are "
                                                 "assumed; type others. ",
                                                 one.needs.registers));
    else if (first && changed)
        prose.say("The values are typed, not the stage's. ");
    else if (one.subject->recording->device.compute_capability == limits.compute_capability) {
        const uint32_t driver = one.subject->recording->resources->blocks_per_sm;
        if (driver == one.now.blocks)
            prose.say("The driver says the same. ");
        else
            prose.figure(fmt::format("The driver says {}.", driver), theme.warning);
    }
    return prose;
}

// What each limit alone would allow, with the arithmetic.
float OccupancyView::draw_limits(const ViewFrame& frame, const Case& one, const draw::Box& box) const
{
    const Theme& theme = frame.theme;
    ImDrawList* list = ImGui::GetWindowDrawList();
    if (!one.now.refusal.empty())
        return 0;
    const uint32_t warps = (one.needs.threads + recording::warp_size - 1) / recording::warp_size;
    const uint32_t of_warp = registers_of_warp(limits, one.needs.registers);
    const uint32_t per_part = limits.registers / sm_parts / of_warp;
    const uint32_t shared = one.needs.shared_bytes + limits.shared_reserved;
    const uint32_t fit = per_part * sm_parts;
    // In full where there is room, else in short.
    const std::pair<std::string, std::string> sums[limit_count] = {
        {fmt::format("4 x ({} / {}) = {} warps, / {}", thousands(uint64_t{limits.registers / sm_parts}),
                     thousands(uint64_t{of_warp}), fit, warps),
         fmt::format("{} warps / {}", fit, warps)},
        {shared == 0
             ? "none is used"
             : fmt::format("{} / ({} + {}) bytes", thousands(uint64_t{limits.shared_bytes}),
                           thousands(uint64_t{one.needs.shared_bytes}), thousands(uint64_t{limits.shared_reserved})),
         fmt::format("{} / {} KiB", limits.shared_bytes / 1024, (shared + 1023) / 1024)},
        {fmt::format("{} warps / {}", limits.warps, warps), ""},
        {"fixed", ""}};
    const float row = std::ceil(draw::measure(theme.text, "0").y + theme.px(6));
    const float names = draw::measure(theme.text, "shared memory").x + theme.px(16);
    float y = box.min.y;
    for (int i = 0; i < limit_count; ++i, y += row) {
        const bool least = one.now.limited_by(static_cast<Limit>(i));
        if (least)
            list->AddRectFilled({box.min.x, y}, {box.max.x, y + row - theme.px(1)},
                                draw::mix(theme.panel, theme.warning, 0.25f));
        draw::text(list, theme.text, {box.min.x + theme.px(4), y + theme.px(2)}, theme.ink, limit_names[i]);
        const std::string blocks = counted(one.now.allowed[static_cast<std::size_t>(i)], "block");
        const float room = box.width() - names - draw::measure(theme.mono_bold, blocks).x - theme.px(16);
        const bool whole = draw::measure(theme.mono, sums[i].first).x <= room;
        draw::text(list, theme.mono, {box.min.x + names, y + theme.px(2)}, theme.ink_quiet,
                   whole ? sums[i].first : sums[i].second);
        draw::text(list, theme.mono_bold,
                   {box.max.x - draw::measure(theme.mono_bold, blocks).x - theme.px(4), y + theme.px(2)}, theme.ink,
                   blocks);
    }
    return y - box.min.y;
}

void OccupancyView::draw_charts(ViewFrame& frame, const std::vector<Case>& cases, const draw::Box& box)
{
    const Theme& theme = frame.theme;
    struct Axis {
        std::string title;
        uint32_t KernelNeeds::*member;
        uint32_t least, most, step, tick;
    };
    const Axis axes[] = {{"registers per thread", &KernelNeeds::registers, 1, most_registers, 1, 32},
                         {"KiB of shared memory per block", &KernelNeeds::shared_bytes, 0,
                          limits.most_shared_per_block(), 1024, 32 * 1024},
                         {"threads per block", &KernelNeeds::threads, 32, most_threads, 32, 128}};
    const bool beside = box.width() > theme.px(620);
    const float gap = theme.px(16), count = 3;
    const float width = beside ? (box.width() - gap * (count - 1)) / count : box.width();
    const float whole = beside ? box.height() : (box.height() - gap * (count - 1)) / count;
    const float height = std::clamp(whole, theme.px(130), theme.px(260));
    for (int i = 0; i < 3; ++i) {
        const Axis& axis = axes[i];
        const bool kib = axis.member == &KernelNeeds::shared_bytes;
        StepChart chart{axis.title,   axis.least,
                        axis.most,    axis.step,
                        axis.tick,    [kib](uint32_t value) { return std::to_string(kib ? value / 1024 : value); },
                        limits.warps, {},
                        theme,        frame.marks};
        for (const Case& one : cases)
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
        frame.hint = fmt::format("{} {}: {} of {} warps{}. Click to try it.",
                                 thousands(uint64_t{kib ? hit->value / 1024 : hit->value}), axis.title, there.warps,
                                 limits.warps, there.refusal.empty() ? "" : ", it cannot be launched");
        if (hit->chosen && needs.*axis.member != hit->value) {
            needs.*axis.member = hit->value;
            changed = true;
        }
    }
    ImGui::SetCursorScreenPos({box.min.x, box.min.y + (beside ? height : (height + gap) * count) - 1});
    ImGui::Dummy({1, 1});
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
    std::vector<Case> cases{case_of(frame.first, true)};
    if (frame.second && frame.second->recording)
        cases.push_back(case_of(*frame.second, false));
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
    section([&](const Case& one,
                const draw::Box& box) { return stage_heading(theme, *one.subject).draw(list, box.min, box.width()); },
            2);
    section(
        [&](const Case& one, const draw::Box& box) {
            return words_of(theme, one, &one == &cases.front()).draw(list, box.min, box.width());
        },
        6);
    section([&](const Case& one, const draw::Box& box) { return draw_limits(frame, one, box); }, 10);
    y += Prose(theme)
             .strong("Resident warps")
             .say(" when one of the three changes and the others stay. Each step is a block that no longer fits. More "
                  "warps hide more waiting, but are not speed by themselves: a kernel that keeps more in registers can "
                  "be faster with fewer.")
             .draw(list, {corner.x, y}, room.x) +
         theme.px(6);
    draw_charts(frame, cases, {{corner.x, y}, {corner.x + room.x, corner.y + room.y}});
    ImGui::EndChild();
}

} // namespace

std::unique_ptr<View> make_occupancy_view()
{
    return std::make_unique<OccupancyView>();
}

} // namespace viz
