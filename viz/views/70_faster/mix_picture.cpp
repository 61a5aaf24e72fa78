#include "viz/views/70_faster/mix_picture.h"

#include "viz/draw/prose.h"
#include "viz/text/figures.h"
#include "viz/text/known.h"
#include "viz/text/templates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace viz {

namespace {

// The longest that has room. Where they were counted at one size, with that: what is issued stands above, counted at another.
std::string picture_title(const MixPicture& picture, float room)
{
    const recording::Problem &a = picture.mixes[0].problem, &b = picture.mixes[1].problem;
    const std::string size = same_sides(a, b) ? " at " + size_words(a) : std::string();
    const bool pipes = picture.kind == MixKind::by_pipe;
    const std::string all[] = {plain({"faster.mix_title", {{"pipes", pipes}, {"size", size}}}),
                               plain({"faster.mix_title_short", {{"pipes", pipes}, {"size", size}}}),
                               plain({"faster.mix_title_shortest", {{"pipes", pipes}, {"size", size}}})};
    return draw::first_fitting(picture.frame.theme.text, room, all);
}

// Arithmetic in the rung's own colour; what serves it, the quieter the further from it.
Colour colour_of(const Theme& theme, const MixPart& part, Colour accent)
{
    return mix(accent, theme.panel, static_cast<float>(part.quieter));
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
        const float label = draw::row_height(theme, 2);
        const std::string words = picture_title(picture, box.width() - picture.beside - theme.px(20));
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
        const ImVec2 below{box.min.x + theme.px(6), box.min.y + label + 2 * height + theme.px(5)};
        if (callout.width() > box.width())
            return;
        callout.draw(below, box.width());
        name_below({below.x + callout.width() + theme.px(14), below.y});
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
                 {"first", Value(Quantity{one.first, Unit::rounded}).as(of_column(0))},
                 {"second", Value(Quantity{one.second, Unit::rounded}).as(of_column(1))}}};
    }

    void draw_bar(std::size_t side, const draw::Box& row)
    {
        const float room = row.width() - numbers;
        double sum = 0;
        std::vector<const MixPart*> unnamed; // for whose names the bar had no room
        const auto at = [&](double value) {
            return row.min.x + (most > 0 ? room * static_cast<float>(value / most) : 0);
        };
        for (const MixPart& one : picture.mixes[side].parts) {
            const double part = picture.mixes[side].per_thousand(one);
            const draw::Box cell{{at(sum), row.min.y}, {at(sum + part), row.max.y}};
            sum += part;
            if (part > 0 && !draw_part(side, one, cell, colour_of(theme, one, theme.accent(side))))
                unnamed.push_back(&one);
        }
        const float middle = (row.min.y + row.max.y - draw::line_height(theme.mono_bold)) / 2;
        draw::text(list, theme.mono_bold, {at(sum) + theme.px(6), middle}, theme.ink, fmt::format("{:.1f}", sum));
        name_beside(side, unnamed, {{at(sum) + numbers, middle}, row.max});
    }

    // What is named in or beside neither bar, by the colours of both; those that take most first.
    void name_below(ImVec2 at) const
    {
        const float line = draw::line_height(theme.text), square = theme.px(8), top = at.y + line * 0.3f;
        std::vector<std::pair<const MixPart*, const MixPart*>> unnamed;
        for (std::size_t i = 0; i < picture.mixes[0].parts.size(); ++i) {
            const std::pair both{&picture.mixes[0].parts[i], &picture.mixes[1].parts[i]};
            if (std::ranges::find(named, both.first->name) == named.end() &&
                both.first->executed + both.second->executed > 0)
                unnamed.push_back(both);
        }
        std::ranges::stable_sort(unnamed, std::greater<>(), [&](const auto& both) {
            return picture.mixes[0].per_thousand(*both.first) + picture.mixes[1].per_thousand(*both.second);
        });
        for (const auto& [first, second] : unnamed) {
            const float wide = draw::measure(theme.text, first->name).x;
            if (at.x + 2 * square + theme.px(4) + wide > box.max.x)
                return;
            for (const auto& [part, accent] : {std::pair{first, std::size_t{0}}, {second, std::size_t{1}}}) {
                list->AddRectFilled({at.x, top}, {at.x + square, top + square},
                                    colour_of(theme, *part, theme.accent(accent)));
                at.x += square;
            }
            draw::text(list, theme.text, {at.x + theme.px(4), at.y}, theme.ink_quiet, first->name);
            at.x += theme.px(16) + wide;
        }
    }

    // Those that take most first, as far as they have room.
    void name_beside(std::size_t side, std::vector<const MixPart*> unnamed, const draw::Box& room)
    {
        const MixOfLaunch& mix = picture.mixes[side];
        std::ranges::stable_sort(unnamed, std::greater<>(), &MixPart::executed);
        float x = room.min.x + theme.px(8);
        for (const MixPart* one : unnamed) {
            const std::string words = fmt::format("{} {}", one->name, percent(mix.share(*one)));
            const float wide = draw::measure(theme.text, words).x, line = draw::line_height(theme.text);
            if (x + theme.px(12) + wide > room.max.x)
                return;
            const Colour accent = theme.accent(side);
            list->AddRectFilled({x, room.min.y + line * 0.3f},
                                {x + theme.px(8), room.min.y + line * 0.3f + theme.px(8)},
                                colour_of(theme, *one, accent));
            draw::text(list, theme.text, {x + theme.px(12), room.min.y}, theme.ink_quiet, words);
            mark(picture.frame.marks, fmt::format("mix name:{} {}", one->name, side), {x, room.min.y},
                 {x + theme.px(12) + wide, room.min.y + line});
            named.push_back(one->name);
            x += theme.px(12) + wide + theme.px(12);
        }
    }

    // Whether it has its name.
    bool draw_part(std::size_t side, const MixPart& one, const draw::Box& cell, Colour colour)
    {
        const float gap = cell.width() > 3 ? 1.0f : 0.0f;
        list->AddRectFilled(cell.min, {cell.max.x - gap, cell.max.y}, colour);
        const MixOfLaunch& mix = picture.mixes[side];
        const double share = mix.share(one);
        const bool has_name =
            draw::text_in(list, theme.text, cell, ink_on(colour), fmt::format("{} {}", one.name, percent(share))) ||
            draw::text_in(list, theme.text, cell, ink_on(colour), one.name);
        if (has_name)
            named.push_back(one.name);
        mark(picture.frame.marks, fmt::format("mix:{} {}", one.name, side), cell);
        if (!draw::pointed_at(cell))
            return has_name;
        picture.frame.point_out({picture.kind == MixKind::by_class ? "faster.mix_part" : "faster.mix_pipe",
                                 {{"stage", picture.slugs[side]},
                                  {"class", one.name},
                                  {"share", Quantity{share, Unit::share}},
                                  {"count", one.executed},
                                  {"each", Quantity{mix.per_thousand(one), Unit::rounded}},
                                  {"size", size_words(mix.problem)},
                                  {"origin", how_had(mix.from)}}});
        return has_name;
    }

    const MixPicture& picture;
    const Theme& theme;
    ImDrawList* list;
    draw::Box box;
    double most = 0;
    float numbers = 0;
    std::vector<std::string> named; // parts, in or beside a bar
};

} // namespace

float mix_height(const Theme& theme)
{
    return std::ceil(2 * (draw::line_height(theme.text) + theme.px(2)) + theme.px(44));
}

void draw_mix(const MixPicture& picture, const draw::Box& box)
{
    MixPainter(picture, box).draw();
}

} // namespace viz
