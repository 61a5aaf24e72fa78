#include "app/panels/timeline/timeline.h"

#include "app/panels/widgets.h"
#include "app/shell/format.h"
#include "app/shell/position.h"

#include <fmt/format.h>

#include <algorithm>

namespace app {

namespace {

enum class Icon { to_start, phase_back, back, play, pause, forward, phase_forward, to_end };

void draw_icon(Icon icon, ImVec2 centre, float size, viz::Colour colour)
{
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const auto triangle = [&](float x, float direction) {
        list.AddTriangleFilled({centre.x + x - direction * size / 2, centre.y - size},
                               {centre.x + x - direction * size / 2, centre.y + size},
                               {centre.x + x + direction * size / 2, centre.y}, colour);
    };
    const auto bar = [&](float x) {
        list.AddRectFilled({centre.x + x - size * 0.16f, centre.y - size},
                           {centre.x + x + size * 0.16f, centre.y + size}, colour);
    };
    switch (icon) {
    case Icon::to_start: bar(-size * 0.8f), triangle(size * 0.2f, -1); break;
    case Icon::to_end: bar(size * 0.8f), triangle(-size * 0.2f, 1); break;
    case Icon::phase_back: triangle(-size * 0.5f, -1), triangle(size * 0.5f, -1); break;
    case Icon::phase_forward: triangle(-size * 0.5f, 1), triangle(size * 0.5f, 1); break;
    case Icon::back: triangle(0, -1); break;
    case Icon::forward: triangle(0, 1); break;
    case Icon::play: triangle(0, 1.5f); break;
    case Icon::pause: bar(-size * 0.45f), bar(size * 0.45f); break;
    }
}

bool icon_button(State& state, const char* id, Icon icon, const char* help)
{
    const viz::Theme& theme = state.theme;
    const bool pressed = ImGui::InvisibleButton(id, {theme.px(27), theme.px(24)});
    viz::mark_item(state.marks, id);
    const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
    const bool hovered = ImGui::IsItemHovered();
    if (hovered) {
        ImGui::GetWindowDrawList()->AddRectFilled(min, max, faded(theme.border, 0.7f), theme.px(3));
        state.hint = help;
    }
    draw_icon(icon, {(min.x + max.x) / 2, (min.y + max.y) / 2}, theme.px(5), hovered ? theme.ink : theme.ink_quiet);
    ImGui::SameLine(0, 0);
    return pressed;
}

void draw_transport(State& state)
{
    std::size_t& step = state.selection.step;
    const std::size_t count = state.first.steps();
    const auto& phases = state.first.phases();
    if (icon_button(state, "start", Icon::to_start, "To the first access · Home"))
        step = 0;
    if (icon_button(state, "phase back", Icon::phase_back, "One phase back · Shift+←"))
        step = previous_phase(phases, step);
    if (icon_button(state, "back", Icon::back, "One access back · ←"))
        step = moved(step, -1, count);
    const bool playing = state.playback.playing();
    if (icon_button(state, "play", playing ? Icon::pause : Icon::play, playing ? "Pause · Space" : "Play · Space"))
        toggle_playing(state);
    if (icon_button(state, "forward", Icon::forward, "One access forward · →"))
        step = moved(step, 1, count);
    if (icon_button(state, "phase forward", Icon::phase_forward, "One phase forward · Shift+→"))
        step = next_phase(phases, step);
    if (icon_button(state, "end", Icon::to_end, "To the last access · End"))
        step = moved(step, static_cast<long>(count), count);
}

// "‹ warp 0 of 8 ›"; what was pressed: -1, 0 or 1.
int draw_stepper(State& state, const char* id, const std::string& label, const char* help)
{
    const viz::Theme& theme = state.theme;
    ImGui::PushID(id);
    int pressed = 0;
    pressed -= icon_button(state, "less", Icon::back, help) ? 1 : 0;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw_text(theme.text, {at.x, at.y + theme.px(3)}, theme.ink, label);
    ImGui::SetCursorScreenPos({at.x + text_width(theme.text, label), at.y});
    pressed += icon_button(state, "more", Icon::forward, help) ? 1 : 0;
    ImGui::PopID();
    return pressed;
}

float stepper_width(const viz::Theme& theme, const std::string& label)
{
    return text_width(theme.text, label) + theme.px(54);
}

// Block and warp at the right; returns where they begin.
float draw_choosers(const Snapshot& snapshot, Session& session, State& state, const Area& area, float y)
{
    const viz::Theme& theme = state.theme;
    const recording::Recording* recording = state.first.recording();
    if (recording == nullptr || state.first.block() == nullptr)
        return area.right();
    const recording::Index3& grid = recording->launch.grid;
    std::string block = "block " + block_text(state.first.block()->block);
    block += grid.volume() == 1 ? " of 1" : fmt::format(" of {}", extent_text(grid));
    const std::string warp = fmt::format("warp {} of {}", state.selection.warp, recording->launch.warps_per_block());
    const float left = area.right() - stepper_width(theme, block) - stepper_width(theme, warp) - theme.px(10);
    ImGui::SetCursorScreenPos({left, y});
    const bool only_these = snapshot.choice.file || snapshot.shows_shipped(Slot::first);
    if (const int by = draw_stepper(state, "block", block,
                                    only_these ? "Another of the blocks that were recorded in full · b, B"
                                               : "Another block: it is recorded when it was not yet · b, B"))
        move_block(session, state, by);
    if (const int by = draw_stepper(state, "warp", warp, "Another warp of the block · w, W"))
        move_warp(state, by);
    return left;
}

viz::Colour phase_colour(viz::PhaseKind kind, const viz::Theme& theme)
{
    switch (kind) {
    case viz::PhaseKind::load: return theme.load;
    case viz::PhaseKind::wait:
    case viz::PhaseKind::barrier: return theme.barrier;
    case viz::PhaseKind::compute: return theme.compute;
    case viz::PhaseKind::store: break;
    }
    return theme.store;
}

std::string phase_label(const Track& track, const viz::Phase& phase)
{
    if (phase.kind == viz::PhaseKind::store)
        return "store C";
    const bool only_loads = track.k_tiles() == 0 && phase.fetched >= 0; // for other warps
    if (track.k_tiles() <= 1 && !only_loads)                            // nothing to count
        return std::string(phase_name(phase.kind));
    const bool ahead = phase.kind == viz::PhaseKind::load && phase.fetched >= 0;
    return fmt::format("{} {}", phase_name(phase.kind), (ahead ? phase.fetched : phase.k_tile) + 1);
}

struct Bar {
    float left, width, top, bottom;
    double first, per_pixel; // steps
    float x(double step) const { return left + static_cast<float>((step - first) / per_pixel); }
};

void draw_phases(const State& state, const Bar& bar, const Track& track, bool labels)
{
    const viz::Theme& theme = state.theme;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.PushClipRect({bar.left, bar.top}, {bar.left + bar.width, bar.bottom}, true);
    const float gap = 1;
    for (const viz::Phase& phase : track.phases()) {
        const float from = bar.x(static_cast<double>(phase.first));
        const float to = bar.x(static_cast<double>(phase.first + phase.count));
        if (to < bar.left || from > bar.left + bar.width)
            continue;
        const viz::Colour colour = phase_colour(phase.kind, theme);
        list.AddRectFilled({from, bar.top},
                           {std::max(to - (to - from > 3 ? gap : 0), from + theme.px(1.5f)), bar.bottom}, colour);
        if (!labels || to - from < theme.px(20))
            continue;
        const std::string label = phase_label(track, phase);
        const float visible = std::max(from, bar.left);
        if (text_width(theme.text, label) + theme.px(10) < to - visible)
            draw_text(theme.text, {visible + theme.px(5), (bar.top + bar.bottom - line_height(theme.text)) / 2},
                      viz::ink_on(colour), label);
    }
    list.PopClipRect();
}

void draw_position_mark(const State& state, const Bar& bar)
{
    const viz::Theme& theme = state.theme;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const double step = static_cast<double>(std::min(state.selection.step, state.first.steps() - 1));
    const float from = bar.x(step), to = std::max(bar.x(step + 1), from + theme.px(2));
    list.AddRectFilled({from, bar.top - theme.px(3)}, {to, bar.bottom + theme.px(3)},
                       faded(theme.ink, to - from > theme.px(8) ? 0.35f : 1.0f));
    list.AddRect({from, bar.top - theme.px(3)}, {to, bar.bottom + theme.px(3)}, theme.ink);
}

// Dragging sets the position, the wheel zooms around the mouse.
void scrub(State& state, const Bar& bar)
{
    const std::size_t steps = state.first.steps();
    const ImGuiIO& io = ImGui::GetIO();
    const double under = bar.first + (io.MousePos.x - bar.left) * bar.per_pixel;
    const auto step = static_cast<std::size_t>(std::clamp(under, 0.0, static_cast<double>(steps - 1)));
    if (ImGui::IsItemActive()) {
        state.playback.stop();
        state.selection.step = step;
    }
    if (!ImGui::IsItemHovered())
        return;
    if (io.MouseWheel != 0)
        state.zoom.around((io.MousePos.x - bar.left) / bar.width, io.MouseWheel > 0 ? 1.25 : 0.8, steps);
    const viz::Phase& phase = viz::phase_at(state.first.phases(), step);
    state.hint = fmt::format("{}: steps {}–{}, one per access · drag to move, wheel to zoom",
                             phase_label(state.first, phase), phase.first, phase.first + phase.count - 1);
}

void draw_bar(State& state, const Area& area)
{
    const viz::Theme& theme = state.theme;
    const std::size_t steps = state.first.steps();
    if (steps == 0)
        return;
    const bool comparing = state.second.steps() > 0;
    Bar bar{area.x + theme.px(10), area.width - theme.px(20), area.y, area.y + theme.px(24), 0, 1};
    bar.first = state.zoom.first;
    bar.per_pixel = state.zoom.shown(steps) / bar.width;
    ImGui::SetCursorScreenPos({bar.left, bar.top - theme.px(3)});
    ImGui::InvisibleButton("bar", {bar.width, theme.px(comparing ? 44.0f : 30.0f)});
    draw_phases(state, bar, state.first, true);
    Bar whole = bar;
    if (comparing) {
        whole.bottom = bar.bottom + theme.px(14);
        Bar second = bar;
        second.top = bar.bottom + theme.px(3);
        second.bottom = whole.bottom;
        draw_phases(state, second, state.second, false);
        ImDrawList& list = *ImGui::GetWindowDrawList();
        list.AddRectFilled({bar.left - theme.px(6), bar.top}, {bar.left - theme.px(3), bar.bottom}, theme.first);
        list.AddRectFilled({bar.left - theme.px(6), second.top}, {bar.left - theme.px(3), second.bottom}, theme.second);
    }
    scrub(state, bar);
    draw_position_mark(state, whole);
}

} // namespace

void draw_timeline(const Snapshot& snapshot, Session& session, State& state, const Area& area)
{
    const viz::Theme& theme = state.theme;
    begin_place("##time", area, theme.panel, false);
    ImGui::GetWindowDrawList()->AddLine({area.x, area.y}, {area.right(), area.y}, theme.border);
    const float y = area.y + theme.px(5);
    ImGui::SetCursorScreenPos({area.x + theme.px(4), y});
    draw_transport(state);
    float x = ImGui::GetCursorScreenPos().x + theme.px(12);
    const float right = draw_choosers(snapshot, session, state, area, y) - theme.px(8);
    const std::string speed = fmt::format("{:g} per s", state.playback.speed());
    const std::vector<std::string> positions = position_texts(state.first, state.selection.step);
    if (!positions.empty()) {
        const float speed_width = text_width(theme.text, "256 per s") + theme.px(18);
        if (text_width(theme.mono, positions.front()) + speed_width < right - x) {
            draw_text(theme.text, {x, y + theme.px(3)}, theme.ink_faint, speed);
            x += speed_width;
        }
        const auto fitting = std::find_if(positions.begin(), positions.end(), [&](const std::string& position) {
            return text_width(theme.mono, position) < right - x;
        });
        if (fitting != positions.end())
            draw_text(theme.mono, {x, y + theme.px(4)}, theme.ink, *fitting);
    }
    draw_bar(state, {area.x, area.y + theme.px(36), area.width, area.height - theme.px(36)});
    ImGui::End();
}

} // namespace app
