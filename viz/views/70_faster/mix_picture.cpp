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

constexpr const char* title = "warp instructions executed, per 1,000 multiplications";

// Arithmetic in the rung's own colour; what serves it, the quieter the further from it.
Colour colour_of(const Theme& theme, InstructionClass one, Colour accent)
{
    constexpr float quieter[class_count] = {0, 0, 0.3f, 0.42f, 0.42f, 0.55f, 0.64f, 0.72f, 0.8f, 0.88f};
    return draw::mix(accent, theme.panel, quieter[static_cast<std::size_t>(one)]);
}

class Painter {
public:
    Painter(const MixPicture& what, const draw::Box& place)
        : picture(what), theme(what.frame.theme), list(ImGui::GetWindowDrawList()), box(place)
    {
        for (std::size_t i = 0; i < mixes.size(); ++i) {
            mixes[i] = mix_of(*picture.runs[i]->run);
            most = std::max(most, per_thousand(mixes[i].total(), picture.runs[i]->problem));
        }
        numbers = draw::measure(theme.mono_bold, "000.0").x + theme.px(8);
    }

    void draw()
    {
        const float label = std::ceil(draw::measure(theme.text, "0").y + theme.px(2));
        draw::text(list, theme.text, box.min, theme.ink_faint, title);
        draw_origin(*list, NumberOrigin::counter,
                    {box.min.x + draw::measure(theme.text, title).x + theme.px(10), box.min.y + label / 2},
                    theme.px(3.5f), theme.ink_faint);
        const float height = std::min((box.height() - 2 * label - theme.px(4)) / 2, theme.px(36));
        for (std::size_t side = 0; side < mixes.size(); ++side) {
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
        const MixDifference one =
            largest_difference(mixes[0], picture.runs[0]->problem, mixes[1], picture.runs[1]->problem);
        constexpr double alike = 0.02; // of all that the longer one executes
        if (std::abs(one.first - one.second) < alike * most)
            return {"faster.mix_alike"};
        return {"faster.mix",
                {{"class", class_name(one.of)},
                 {"first", Value(Quantity{one.first, Unit::rounded}).as(Meaning::first)},
                 {"second", Value(Quantity{one.second, Unit::rounded}).as(Meaning::second)}}};
    }

    void draw_bar(std::size_t side, const draw::Box& row)
    {
        const Accent accent = side == 0 ? Accent::first : Accent::second;
        const recording::Problem& problem = picture.runs[side]->problem;
        const float room = row.width() - numbers;
        double sum = 0;
        const auto at = [&](double value) {
            return row.min.x + (most > 0 ? room * static_cast<float>(value / most) : 0);
        };
        for (std::size_t i = 0; i < class_count; ++i) {
            const auto one = static_cast<InstructionClass>(i);
            const double part = per_thousand(mixes[side][one], problem);
            const draw::Box cell{{at(sum), row.min.y}, {at(sum + part), row.max.y}};
            sum += part;
            if (part > 0)
                draw_part(side, one, cell, colour_of(theme, one, theme.accent(accent)));
        }
        draw::text(list, theme.mono_bold,
                   {at(sum) + theme.px(6), (row.min.y + row.max.y - draw::measure(theme.mono_bold, "0").y) / 2},
                   theme.ink, fmt::format("{:.1f}", sum));
    }

    void draw_part(std::size_t side, InstructionClass one, const draw::Box& cell, Colour colour)
    {
        const float gap = cell.width() > 3 ? 1.0f : 0.0f;
        list->AddRectFilled(cell.min, {cell.max.x - gap, cell.max.y}, colour);
        const double share = mixes[side].share(one);
        if (!draw::text_in(list, theme.text, cell, ink_on(colour),
                           fmt::format("{} {}", class_name(one), percent(share))) &&
            !draw::text_in(list, theme.text, cell, ink_on(colour), std::string(class_name(one))))
            draw::text_in(list, theme.text, cell, ink_on(colour), percent(share));
        mark(picture.frame.marks, fmt::format("mix:{} {}", class_name(one), side == 0 ? "first" : "second"), cell.min,
             cell.max);
        if (!ImGui::IsWindowHovered() || !cell.holds(ImGui::GetMousePos()))
            return;
        const CountedRun& run = *picture.runs[side];
        picture.frame.point_out({"faster.mix_part",
                                 {{"stage", picture.slugs[side]},
                                  {"class", class_name(one)},
                                  {"share", Quantity{share, Unit::share}},
                                  {"count", mixes[side][one]},
                                  {"each", Quantity{per_thousand(mixes[side][one], run.problem), Unit::rounded}},
                                  {"origin", how_had(run.from)}}});
    }

    const MixPicture& picture;
    const Theme& theme;
    ImDrawList* list;
    draw::Box box;
    std::array<InstructionMix, 2> mixes;
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
    Painter(picture, box).draw();
}

} // namespace viz
