#include "viz/views/70_faster/mix_picture.h"

#include "viz/analysis/instruction_mix.h"
#include "viz/draw/prose.h"
#include "viz/text/figures.h"
#include "viz/text/known.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace viz {

namespace {

// The longest that has room.
const char* title(MixKind kind, const Theme& theme, float room)
{
    constexpr const char* by_class[] = {"warp instructions executed, per 1,000 multiplications",
                                        "instructions per 1,000 products", "instructions"};
    constexpr const char* by_pipe[] = {"warp instructions by pipe, per 1,000 multiplications",
                                       "by pipe, per 1,000 products", "by pipe"};
    const auto& all = kind == MixKind::by_class ? by_class : by_pipe;
    for (const char* one : all)
        if (draw::measure(theme.text, one).x <= room)
            return one;
    return all[2];
}

// Arithmetic in the rung's own colour; what serves it, the quieter the further from it.
Colour colour_of(const Theme& theme, const MixPart& part, Colour accent)
{
    return draw::mix(accent, theme.panel, static_cast<float>(part.quieter));
}

class MixPainter {
public:
    MixPainter(const MixPicture& what, const draw::Box& place)
        : picture(what), theme(what.frame.theme), list(ImGui::GetWindowDrawList()), box(place)
    {
        for (const MixOfLaunch& mix : picture.mixes)
            most = std::max(most, per_thousand(mix.total(), mix.problem));
        numbers = draw::measure(theme.mono_bold, "000.0").x + theme.px(8);
    }

    void draw()
    {
        const float label = std::ceil(draw::measure(theme.text, "0").y + theme.px(2));
        const char* const words = title(picture.kind, theme, box.width() - picture.beside - theme.px(20));
        draw::text(list, theme.text, box.min, theme.ink_faint, words);
        draw_origin(*list, NumberOrigin::counter,
                    {box.min.x + draw::measure(theme.text, words).x + theme.px(10), box.min.y + label / 2},
                    theme.px(3.5f), theme.ink_faint);
        const float height = std::min((box.height() - 2 * label - theme.px(4)) / 2, theme.px(36));
        for (std::size_t side = 0; side < picture.mixes.size(); ++side) {
            const float top = box.min.y + label + (height + theme.px(2)) * static_cast<float>(side);
            draw_bar(side, {{box.min.x + theme.px(6), top}, {box.max.x, top + height}});
        }
        Prose callout(theme);
        callout.write(callout_message());
        if (callout.width() <= box.width())
            callout.draw(list, {box.min.x + theme.px(6), box.min.y + label + 2 * height + theme.px(5)}, box.width());
    }

private:
    Message callout_message() const
    {
        const MixDifference one = largest_difference(picture.mixes[0], picture.mixes[1]);
        constexpr double alike = 0.02; // of all that the longer one executes
        if (std::abs(one.first - one.second) < alike * most)
            return {"faster.mix_alike"};
        return {"faster.mix",
                {{"class", one.of},
                 {"first", Value(Quantity{one.first, Unit::rounded}).as(Meaning::first)},
                 {"second", Value(Quantity{one.second, Unit::rounded}).as(Meaning::second)}}};
    }

    void draw_bar(std::size_t side, const draw::Box& row)
    {
        const Accent accent = side == 0 ? Accent::first : Accent::second;
        const float room = row.width() - numbers;
        double sum = 0;
        const auto at = [&](double value) {
            return row.min.x + (most > 0 ? room * static_cast<float>(value / most) : 0);
        };
        for (const MixPart& one : picture.mixes[side].parts) {
            const double part = picture.mixes[side].per_thousand(one);
            const draw::Box cell{{at(sum), row.min.y}, {at(sum + part), row.max.y}};
            sum += part;
            if (part > 0)
                draw_part(side, one, cell, colour_of(theme, one, theme.accent(accent)));
        }
        draw::text(list, theme.mono_bold,
                   {at(sum) + theme.px(6), (row.min.y + row.max.y - draw::measure(theme.mono_bold, "0").y) / 2},
                   theme.ink, fmt::format("{:.1f}", sum));
    }

    void draw_part(std::size_t side, const MixPart& one, const draw::Box& cell, Colour colour)
    {
        const float gap = cell.width() > 3 ? 1.0f : 0.0f;
        list->AddRectFilled(cell.min, {cell.max.x - gap, cell.max.y}, colour);
        const MixOfLaunch& mix = picture.mixes[side];
        const double share = mix.share(one);
        if (!draw::text_in(list, theme.text, cell, ink_on(colour), fmt::format("{} {}", one.name, percent(share))) &&
            !draw::text_in(list, theme.text, cell, ink_on(colour), one.name))
            draw::text_in(list, theme.text, cell, ink_on(colour), percent(share));
        mark(picture.frame.marks, fmt::format("mix:{} {}", one.name, side == 0 ? "first" : "second"), cell.min,
             cell.max);
        if (!ImGui::IsWindowHovered() || !cell.holds(ImGui::GetMousePos()))
            return;
        picture.frame.point_out({picture.kind == MixKind::by_class ? "faster.mix_part" : "faster.mix_pipe",
                                 {{"stage", picture.slugs[side]},
                                  {"class", one.name},
                                  {"share", Quantity{share, Unit::share}},
                                  {"count", one.executed},
                                  {"each", Quantity{mix.per_thousand(one), Unit::rounded}},
                                  {"origin", how_had(mix.from)}}});
    }

    const MixPicture& picture;
    const Theme& theme;
    ImDrawList* list;
    draw::Box box;
    double most = 0;
    float numbers = 0;
};

} // namespace

float mix_height(const Theme& theme)
{
    return std::ceil(2 * (draw::measure(theme.text, "0").y + theme.px(2)) + theme.px(44));
}

void draw_mix(const MixPicture& picture, const draw::Box& box)
{
    MixPainter(picture, box).draw();
}

} // namespace viz
