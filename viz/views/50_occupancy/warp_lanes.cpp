#include "viz/views/50_occupancy/warp_lanes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace viz {

namespace {

// Parts thinner than a pixel are gathered, and the pixel is drawn in their colours mixed.
class RowPainter {
public:
    RowPainter(ImDrawList* list, const Theme& theme, float top, float bottom)
        : list_(list), theme_(theme), top_(top), bottom_(bottom)
    {
    }
    ~RowPainter() { flush(); }
    RowPainter(const RowPainter&) = delete;
    RowPainter& operator=(const RowPainter&) = delete;

    void add(float left, float right, WarpDoing doing)
    {
        if (right - left >= 1) {
            flush();
            list_->AddRectFilled({left, top_}, {right, bottom_}, doing_colour(theme_, doing));
            return;
        }
        if (const float pixel = std::floor(left); pixel != pixel_) {
            flush();
            pixel_ = pixel;
        }
        gathered_[static_cast<std::size_t>(doing)] += right - left;
    }

private:
    void flush()
    {
        float sum = 0;
        Colour colour = 0;
        for (std::size_t i = 0; i < doing_count; ++i) {
            if (gathered_[i] <= 0)
                continue;
            sum += gathered_[i];
            const Colour own = doing_colour(theme_, static_cast<WarpDoing>(i));
            colour = sum == gathered_[i] ? own : mix(colour, own, gathered_[i] / sum);
        }
        if (sum > 0)
            list_->AddRectFilled({pixel_, top_}, {pixel_ + 1, bottom_}, colour);
        gathered_.fill(0);
    }

    ImDrawList* list_;
    const Theme& theme_;
    float top_, bottom_, pixel_ = -1;
    std::array<float, doing_count> gathered_{};
};

class LanesDrawer {
public:
    LanesDrawer(const WarpLanes& what, const draw::Box& box)
        : lanes_(what), theme_(what.theme), list_(ImGui::GetWindowDrawList()), box_(box),
          left_(box.min.x + lanes_label_room(what.theme)), mouse_(ImGui::GetMousePos()),
          hovers_(ImGui::IsWindowHovered() && box.holds(mouse_) && mouse_.x >= left_)
    {
    }

    std::optional<WarpLanesHit> draw()
    {
        const float gap = theme_.px(3), strip = theme_.px(4);
        const auto groups = static_cast<float>(recording::schedulers_per_sm);
        const float rows = static_cast<float>(std::max<std::size_t>(lanes_.picture.row_count(), 1));
        const float row = std::max((box_.height() - groups * (strip + gap)) / rows, 1.0f);
        float y = box_.min.y;
        for (uint32_t i = 0; i < recording::schedulers_per_sm; ++i) {
            const float top = y;
            draw_strip(i, y, y + strip);
            y += strip;
            for (const SlotRow& one : lanes_.picture.rows[i]) {
                draw_row(i, one, y, y + row - (row > theme_.px(4) ? 1.0f : 0.0f));
                y += row;
            }
            name_scheduler(i, top, y);
            mark(lanes_.marks, fmt::format("scheduler:{}:{}", lanes_.name, i), {left_, top}, {box_.max.x, y});
            y += gap;
        }
        return hit_;
    }

private:
    float x(uint64_t cycle) const
    {
        const double share = (static_cast<double>(cycle) - lanes_.time.from) / lanes_.time.span();
        return left_ + static_cast<float>(std::clamp(share, 0.0, 1.0)) * (box_.max.x - left_);
    }
    uint64_t cycle_at(float at) const
    {
        const double share = (at - left_) / std::max(1.0f, box_.max.x - left_);
        return static_cast<uint64_t>(std::max(0.0, lanes_.time.from + share * lanes_.time.span()));
    }
    bool seen(const WarpInterval& one) const
    {
        return static_cast<double>(one.until) > lanes_.time.from && static_cast<double>(one.from) < lanes_.time.until;
    }
    bool mouse_between(float top, float bottom) const { return hovers_ && mouse_.y >= top && mouse_.y < bottom; }

    // Amber: none of its warps can go on.
    void draw_strip(uint32_t scheduler, float top, float bottom)
    {
        list_->AddRectFilled({left_, top}, {box_.max.x, bottom}, draw::empty_colour(theme_));
        const SchedulerTime& time = lanes_.picture.schedulers[scheduler];
        for (const WarpInterval& stall : time.stalls)
            if (seen(stall)) {
                const float from = x(stall.from);
                list_->AddRectFilled({from, top}, {std::max(x(stall.until), from + 0.5f), bottom}, theme_.warning);
            }
        if (!mouse_between(top, bottom))
            return;
        hit_ = WarpLanesHit{.scheduler = scheduler};
        const uint64_t now = cycle_at(mouse_.x);
        for (const WarpInterval& stall : time.stalls)
            if (stall.from <= now && now < stall.until)
                hit_->interval = &stall;
    }

    void draw_row(uint32_t scheduler, const SlotRow& row, float top, float bottom)
    {
        list_->AddRectFilled({left_, top}, {box_.max.x, bottom}, draw::empty_colour(theme_));
        RowPainter painter(list_, theme_, top, bottom);
        for (const std::size_t number : row.lanes) {
            const WarpLane& lane = lanes_.picture.lanes[number];
            const auto cycle = static_cast<uint64_t>(std::max(0.0, lanes_.time.from));
            for (auto one = std::ranges::upper_bound(lane.intervals, cycle, {}, &WarpInterval::until);
                 one != lane.intervals.end() && seen(*one); ++one)
                painter.add(x(one->from), x(one->until), one->doing);
            const recording::TimedWarp& warp = lanes_.picture.times->warps[lane.warp];
            if (!mouse_between(top, bottom))
                continue;
            if (const WarpInterval* under = interval_at(lane, cycle_at(mouse_.x)))
                hit_ = WarpLanesHit{scheduler, &warp, under};
        }
        mark(lanes_.marks, fmt::format("warp:{}:{}", lanes_.name, row.slot), {left_, top}, {box_.max.x, bottom});
    }

    void name_scheduler(uint32_t scheduler, float top, float bottom)
    {
        const std::string words = std::to_string(scheduler);
        const ImVec2 size = draw::measure(theme_.mono, words);
        draw::text(list_, theme_.mono, {left_ - size.x - theme_.px(6), (top + bottom - size.y) / 2}, theme_.ink_quiet,
                   words);
    }

    const WarpLanes& lanes_;
    const Theme& theme_;
    ImDrawList* list_;
    draw::Box box_;
    float left_;
    ImVec2 mouse_;
    bool hovers_;
    std::optional<WarpLanesHit> hit_;
};

} // namespace

Colour doing_colour(const Theme& theme, WarpDoing doing)
{
    switch (doing) {
    case WarpDoing::running: return theme.compute;
    case WarpDoing::memory: return theme.load;
    case WarpDoing::barrier: return mix(theme.panel, theme.ink, 0.65f); // an empty slot is a quiet grey
    case WarpDoing::probe: break;
    }
    return theme.background; // no time of the kernel's
}

float lanes_label_room(const Theme& theme)
{
    return std::ceil(draw::measure(theme.mono, "0").x + theme.px(12));
}

std::optional<WarpLanesHit> draw_warp_lanes(const WarpLanes& lanes, const draw::Box& box)
{
    return LanesDrawer(lanes, box).draw();
}

} // namespace viz
