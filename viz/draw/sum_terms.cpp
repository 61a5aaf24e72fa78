#include "viz/draw/sum_terms.h"

#include "viz/analysis/values.h"
#include "viz/draw/numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace viz::draw {

namespace {

std::string term_text(Cell element, uint32_t k)
{
    return fmt::format("{}A({},{})B({},{})", k == 0 ? ' ' : '+', element.row, k, k, element.col);
}

// Returns " = 3·5", or an empty string if the values are not known.
std::string value_text(const SumTerms& what, uint32_t k)
{
    const auto a = value_of(what.recording, 0, {what.element.row, k});
    const auto b = value_of(what.recording, 1, {k, what.element.col});
    return a && b ? fmt::format(" = {}·{}", short_value(what.recording, *a), short_value(what.recording, *b)) : "";
}

class Columns {
public:
    Columns(const Theme& colours, const Box& place, const SumTerms& about)
        : theme(colours), box(place), what(about), terms(about.recording.arrays[0].cols),
          line(std::ceil(measure(colours.mono, "0").y + colours.px(2)))
    {
        const std::string last = term_text(what.element, terms - 1);
        const std::string widest = value_text(what, terms - 1).empty() ? "" : " = -0.00·-0.00";
        const float gap = theme.px(14);
        valued = measure(theme.mono, last + widest).x <= box.width();
        width = measure(theme.mono, valued ? last + widest : last).x + gap;
        columns = static_cast<uint32_t>(std::max(1.0f, (box.width() + gap) / width));
        lines = static_cast<uint32_t>(std::max(1.0f, box.height() / line));
    }

    std::vector<Label> labels()
    {
        const uint32_t room = lines * columns;
        if (room >= terms) {
            for (uint32_t k = 0; k < terms; ++k)
                term(k);
            if (room > terms)
                result();
        } else if (room >= 3) {
            // Terms around the highlighted term are shown, otherwise terms from the first one on.
            const uint32_t shown = room - (room >= 4 ? 3 : 2);
            const uint32_t pointed = what.pointed.value_or(0);
            const uint32_t from = std::min(pointed - std::min(pointed, shown / 2), terms - shown - 1);
            for (uint32_t k = from; k < from + shown; ++k)
                term(k);
            next(with_alpha(what.ink, 0.6f), "  ...");
            term(terms - 1);
            if (room >= 4)
                result();
        }
        return std::move(written);
    }

private:
    void term(uint32_t k)
    {
        next(what.pointed == k ? what.lit : with_alpha(what.ink, 0.8f),
             term_text(what.element, k) + (valued ? value_text(what, k) : ""));
    }

    void result()
    {
        if (const auto all = partial_sum(what.recording, what.element, 0, terms)) {
            next(what.ink, " = " + short_value(what.recording, *all));
            written.back().name = "sum";
        }
    }

    void next(Colour ink, const std::string& words)
    {
        const std::size_t at = written.size();
        written.push_back({.words = words,
                           .at = {box.min.x + width * static_cast<float>(at / lines),
                                  box.min.y + line * (static_cast<float>(at % lines) + 0.5f)},
                           .distance = 0,
                           .colour = ink,
                           .side = Label::Side::right,
                           .mono = true});
    }

    const Theme& theme;
    const Box& box;
    const SumTerms& what;
    uint32_t terms;
    float line, width = 1;
    bool valued = false;
    uint32_t columns = 1, lines = 1;
    std::vector<Label> written;
};

} // namespace

float longest_term(const Theme& theme, const recording::Recording& recording)
{
    const recording::Array &a = recording.arrays[0], &b = recording.arrays[1];
    return measure(theme.mono,
                   term_text({std::max(1u, a.rows) - 1, std::max(1u, b.cols) - 1}, std::max(2u, a.cols) - 1))
        .x;
}

std::vector<Label> sum_terms(const Theme& theme, const Box& box, const SumTerms& what)
{
    if (what.recording.arrays.size() < 3 || what.recording.arrays[0].cols == 0)
        return {};
    return Columns(theme, box, what).labels();
}

} // namespace viz::draw
