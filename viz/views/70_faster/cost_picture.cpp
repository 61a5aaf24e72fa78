#include "viz/views/70_faster/cost_picture.h"

#include "viz/text/figures.h"
#include "viz/text/known.h"
#include "viz/text/templates.h"

#include <fmt/format.h>

#include <algorithm>

namespace viz {

namespace {

constexpr const char* names_of_work[work_count] = {"time", "instructions issued", "shared-memory wavefronts",
                                                   "global-memory lines"};

NumberOrigin origin_of(const CostPicture& picture, const WorkPair& pair)
{
    if (pair.work == Work::time)
        return picture.first.speed.here() ? NumberOrigin::measured : NumberOrigin::shipped;
    return pair.executed ? NumberOrigin::counter : NumberOrigin::derived;
}

Message tip(const CostPicture& picture, const WorkPair& pair)
{
    const auto value = [](std::optional<double> figure) {
        return figure ? Value(number(*figure)) : Value("not known");
    };
    if (pair.work == Work::time)
        return {"faster.time_tip",
                {{"value", value(pair.first)},
                 {"first", picture.first.slug},
                 {"other", value(pair.second)},
                 {"second", picture.second.slug},
                 {"origin", how_had(picture.first.speed.gflops.from())}}};
    Messages counted_at, note;
    if (pair.executed && picture.counted_at)
        counted_at.push_back({"faster.counted_at", {{"size", size_words(*picture.counted_at)}}});
    if (pair.work == Work::instructions)
        note.push_back({"faster.issued_note"});
    return {"faster.work_tip",
            {{"what", names_of_work[static_cast<int>(pair.work)]},
             {"value", value(pair.first)},
             {"first", picture.first.slug},
             {"other", value(pair.second)},
             {"second", picture.second.slug},
             {"executed", pair.executed},
             {"counted_at", counted_at},
             {"note", note},
             {"rate", per_cycle(pair.work) > 1}}};
}

class CostPainter {
public:
    CostPainter(const CostPicture& what, const draw::Box& place)
        : picture(what), theme(what.frame.theme), list(ImGui::GetWindowDrawList()), box(place)
    {
        numbers = draw::measure(theme.mono_bold, "00.0 cycles (000 ÷ 4)").x + theme.px(8);
        for (const WorkPair& pair : picture.pairs)
            for (std::size_t i = 0; i < sides(); ++i)
                most = std::max(most, pair.cycles(value_of(pair, i).value_or(0)));
        cause = main_cause(picture.pairs);
    }

    void draw()
    {
        const float label = draw::row_height(theme, 2);
        draw::text(list, theme.text, box.min, theme.ink_faint,
                   plain({picture.per == Per::launch ? "faster.cycles_of_launch" : "faster.cycles"}));
        const float row = (box.height() - label) / static_cast<float>(std::max<std::size_t>(1, picture.pairs.size()));
        float y = box.min.y + label;
        for (const WorkPair& pair : picture.pairs) {
            draw_pair(pair, {{box.min.x, y}, {box.max.x, y + row}}, label);
            y += row;
        }
    }

private:
    std::size_t sides() const { return picture.further ? 3 : 2; }

    std::string how_counted(const WorkPair& pair) const
    {
        if (pair.work == Work::time)
            return {};
        if (pair.executed)
            return picture.counted_at ? ", counted at " + size_words(*picture.counted_at) : std::string(", counted");
        return traced() ? ", as executed" : ", as written";
    }

    // Neither is recorded as its source says it.
    bool traced() const { return picture.first.recording.executed && picture.second.recording.executed; }

    std::optional<double> value_of(const WorkPair& pair, std::size_t side) const
    {
        if (side < 2)
            return side == 0 ? pair.first : pair.second;
        const auto found = std::ranges::find(*picture.further, pair.work, &WorkPair::work);
        return found == picture.further->end() ? std::nullopt : found->second;
    }

    void draw_pair(const WorkPair& pair, const draw::Box& row, float label)
    {
        const bool is_cause = cause && *cause == pair.work;
        const Colour ink = is_cause ? theme.ink : theme.ink_quiet;
        if (is_cause)
            list->AddRectFilled(row.min, {row.max.x, row.max.y - theme.px(2)}, mix(theme.background, theme.panel, 0.9f),
                                theme.px(4));
        const float x = row.min.x + theme.px(6);
        std::string name = names_of_work[static_cast<int>(pair.work)] + how_counted(pair);
        if (x + draw::measure(theme.text, name).x + theme.px(16) > row.max.x) // the tooltip says it, too
            name = names_of_work[static_cast<int>(pair.work)];
        draw::text(list, theme.text, {x, row.min.y + theme.px(1)}, ink, name);
        draw_origin(*list, origin_of(picture, pair),
                    {x + draw::measure(theme.text, name).x + theme.px(10), row.min.y + label / 2}, theme.px(3.5f),
                    theme.ink_faint);
        const float height = std::min((row.height() - label - theme.px(8)) / static_cast<float>(sides()), theme.px(60));
        for (std::size_t side = 0; side < sides(); ++side) {
            const float top = row.min.y + label + (height + theme.px(1)) * static_cast<float>(side);
            draw_bar(pair, side, {{x, top}, {row.max.x, top + height}}, ink);
        }
        if (draw::pointed_at(row))
            picture.frame.point_out(tip(picture, pair));
    }

    void draw_bar(const WorkPair& pair, std::size_t side, const draw::Box& place, Colour ink)
    {
        const std::optional<double> value = value_of(pair, side);
        const float room = place.width() - numbers;
        const float length = most > 0 ? room * static_cast<float>(pair.cycles(value.value_or(0)) / most) : 0;
        const ImVec2 end{place.min.x + std::max(length, 1.0f), place.max.y};
        const float middle = (place.min.y + place.max.y - draw::line_height(theme.mono_bold)) / 2;
        const auto write = [&](ImFont* font, Colour colour, const std::string& words) {
            draw::text(list, font, {end.x + theme.px(6), middle}, colour, words);
        };
        if (!value)
            return write(theme.text, theme.ink_faint, "not known");
        list->AddRectFilled(place.min, {place.min.x + room * whole_run(side), place.max.y}, draw::empty_colour(theme));
        list->AddRectFilled(place.min, end, theme.accent(side));
        write(theme.mono_bold, ink, cycle_words(pair, *value));
        mark(picture.frame.marks, fmt::format("work:{} {}", names_of_work[static_cast<int>(pair.work)], side),
             place.min, end);
    }

    // The time that the stage takes, as part of the longest bar: what a unit is not busy for, it waits.
    float whole_run(std::size_t side) const
    {
        const auto time = std::ranges::find(picture.pairs, Work::time, &WorkPair::work);
        const auto value = time == picture.pairs.end() ? std::nullopt : value_of(*time, side);
        return value && most > 0 ? static_cast<float>(time->cycles(*value) / most) : 0;
    }

    const CostPicture& picture;
    const Theme& theme;
    ImDrawList* list;
    draw::Box box;
    float numbers = 0;
    double most = 0;
    std::optional<Work> cause;
};

} // namespace

std::string cycle_words(const WorkPair& pair, double count)
{
    const auto digits = [](double one) { return one == 0 ? std::string("0") : thousands(one); };
    const double rate = per_cycle(pair.work);
    const std::string cycles = digits(pair.cycles(count)) + " cycles";
    return rate == 1 ? cycles : fmt::format("{} ({} ÷ {:.0f})", cycles, digits(count), rate);
}

void draw_costs(const CostPicture& picture, const draw::Box& box)
{
    CostPainter(picture, box).draw();
}

} // namespace viz
