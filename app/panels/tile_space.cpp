#include "app/panels/tile_space.h"

#include "viz/draw/draw.h"
#include "viz/text/figures.h"
#include "viz/text/rich.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

namespace app {

namespace {

using kernels::Candidate;
using kernels::ParameterValues;
using kernels::Stage;

constexpr std::size_t most_sets = 20'000, most_rows = 12, most_cols = 40;

const std::vector<int>& values_of(const Stage& stage, std::size_t parameter)
{
    return stage.candidates.empty() ? stage.parameters[parameter].choices : stage.candidates[parameter];
}

// Returns an axis with as many of the next parameters as fit into `most` places. Removes them from `open`.
TileSpace::Axis take_axis(const Stage& stage, std::vector<std::size_t>& open, std::size_t most)
{
    TileSpace::Axis axis{.places = {{}}};
    while (!open.empty() && axis.places.size() * values_of(stage, open.front()).size() <= most) {
        std::vector<ParameterValues> places;
        for (const ParameterValues& place : axis.places)
            for (const int value : values_of(stage, open.front())) {
                places.push_back(place);
                places.back().push_back(value);
            }
        axis.parameters.push_back(open.front());
        axis.places = std::move(places);
        open.erase(open.begin());
    }
    return axis;
}

// The smallest and the largest of some numbers.
struct Bounds {
    uint64_t least = UINT64_MAX, most = 0;
    void add(uint64_t value)
    {
        least = std::min(least, value);
        most = std::max(most, value);
    }
};

// The results per thread and the warps per block.
struct Work {
    uint64_t results = 0, warps = 0;
};

class Space {
public:
    Space(const Stage& of, const recording::Problem& size, std::span<const Candidate> some)
        : stage(of), problem(size), ranked(some)
    {
        for (const Candidate& one : ranked)
            known.emplace(one.parameters, &one);
    }

    std::optional<TileSpace> make()
    {
        std::vector<std::size_t> open;
        std::size_t all = 1;
        for (std::size_t i = 0; i < stage.parameters.size(); ++i)
            if (stage.parameters[i].name != "TYPE" && values_of(stage, i).size() > 1) {
                open.push_back(i);
                all *= values_of(stage, i).size();
                if (all > most_sets)
                    return {};
            }
        if (open.size() < 2)
            return {};
        space.rows = take_axis(stage, open, most_rows);
        space.cols = take_axis(stage, open, most_cols);
        space.rest = open;
        if (space.rows.parameters.empty() || space.cols.parameters.empty())
            return {};
        const TileSpace::Axis inner = take_axis(stage, open, all);
        find_tried(inner);
        for (const ParameterValues& row : space.rows.places)
            for (const ParameterValues& col : space.cols.places)
                add_cell(row, col, inner);
        sort_reasons();
        return std::move(space);
    }

private:
    ParameterValues set_of(const ParameterValues& row, const ParameterValues& col, const TileSpace::Axis& inner,
                           std::size_t at) const
    {
        ParameterValues set = ranked.front().parameters;
        const auto put = [&](const std::vector<std::size_t>& parameters, const ParameterValues& values) {
            for (std::size_t i = 0; i < parameters.size(); ++i)
                set[parameters[i]] = values[i];
        };
        put(space.rows.parameters, row);
        put(space.cols.parameters, col);
        put(inner.parameters, inner.places[at]);
        return set;
    }

    Work work_of(const ParameterValues& set) const
    {
        const recording::Launch launch = stage.launch(set, problem);
        const uint64_t threads = launch.threads_per_block();
        const uint64_t elements = uint64_t{problem.M} * problem.N;
        return {elements / std::max<uint64_t>(1, launch.grid.volume() * threads), (threads + 31) / 32};
    }

    bool worth_trying(const ParameterValues& set) const { return !stage.worth_trying || stage.worth_trying(set); }

    // Finds the smallest and the largest work per thread and block among the sets that are worth trying.
    void find_tried(const TileSpace::Axis& inner)
    {
        for (const ParameterValues& row : space.rows.places)
            for (const ParameterValues& col : space.cols.places)
                for (std::size_t i = 0; i < inner.places.size(); ++i)
                    if (const ParameterValues set = set_of(row, col, inner, i);
                        stage.refusal(set).empty() && worth_trying(set)) {
                        const Work work = work_of(set);
                        results.add(work.results);
                        warps.add(work.warps);
                    }
    }

    // Returns why a set is no candidate; empty if it is one.
    std::string why_not(const ParameterValues& set) const
    {
        if (std::string refusal = stage.refusal(set); !refusal.empty())
            return refusal;
        if (!worth_trying(set)) {
            const Work work = work_of(set);
            return work.results > results.most
                       ? fmt::format("Not tried: more than {} results per thread need too many registers", results.most)
                   : work.results < results.least
                       ? fmt::format("Not tried: fewer than {} results per thread", results.least)
                   : work.warps > warps.most  ? fmt::format("Not tried: more than {} warps", warps.most)
                   : work.warps < warps.least ? fmt::format("Not tried: fewer than {} warps", warps.least)
                                              : std::string("Not tried");
        }
        const auto candidate = known.find(set);
        if (candidate == known.end())
            return {};
        switch (candidate->second->state) {
        case Candidate::State::failed: return "It failed when it ran";
        case Candidate::State::wrong: return "Its result was wrong";
        case Candidate::State::waiting:
        case Candidate::State::right: break;
        }
        return {};
    }

    void add_cell(const ParameterValues& row, const ParameterValues& col, const TileSpace::Axis& inner)
    {
        TileSpace::Cell cell{.sets = inner.places.size()};
        std::map<std::size_t, std::size_t> counts; // sets by reason
        for (std::size_t i = 0; i < inner.places.size(); ++i) {
            const ParameterValues set = set_of(row, col, inner, i);
            if (const std::string why = why_not(set); !why.empty()) {
                ++counts[reason_of(why)];
                continue;
            }
            ++cell.possible;
            if (const auto one = known.find(set); one != known.end())
                cell.best = std::max(cell.best, one->second->gflops);
        }
        for (const auto& [reason, count] : counts)
            if (!cell.reason || count > counts.at(*cell.reason))
                cell.reason = reason;
        space.sets += cell.sets;
        space.possible += cell.possible;
        space.cells.push_back(cell);
    }

    std::size_t reason_of(const std::string& words)
    {
        auto found = std::ranges::find(space.reasons, words, &TileSpace::Reason::words);
        if (found == space.reasons.end())
            found = space.reasons.insert(found, {words, 0});
        ++found->sets;
        return static_cast<std::size_t>(found - space.reasons.begin());
    }

    void sort_reasons()
    {
        std::vector<std::size_t> order(space.reasons.size()), place(space.reasons.size());
        for (std::size_t i = 0; i < order.size(); ++i)
            order[i] = i;
        std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t i) { return space.reasons[i].sets; });
        std::vector<TileSpace::Reason> sorted;
        for (std::size_t i = 0; i < order.size(); ++i) {
            place[order[i]] = i;
            sorted.push_back(space.reasons[order[i]]);
        }
        space.reasons = std::move(sorted);
        for (TileSpace::Cell& cell : space.cells)
            if (cell.reason)
                cell.reason = place[*cell.reason];
    }

    const Stage& stage;
    const recording::Problem& problem;
    std::span<const Candidate> ranked;
    std::map<ParameterValues, const Candidate*> known;
    Bounds results, warps; // of sets that are worth trying
    TileSpace space;
};

std::string place_words(const Stage& stage, const TileSpace::Axis& axis, std::size_t place)
{
    std::string words;
    for (std::size_t i = 0; i < axis.parameters.size(); ++i) {
        const std::string& name = stage.parameters[axis.parameters[i]].name;
        words += fmt::format("{}{} {}", i == 0 ? "" : ", ", name, kernels::value_text(name, axis.places[place][i]));
    }
    return words;
}

// Names the values of an axis. Each parameter has a line or column of names, each name above the places with its value.
class Names {
public:
    Names(const viz::Theme& with, const Stage& of) : theme(with), stage(of) {}

    // `box_of` returns the box for the name of a run of places, by parameter, first place and end.
    void add(const TileSpace::Axis& axis, const std::function<viz::Box(std::size_t, std::size_t, std::size_t)>& box_of)
    {
        for (std::size_t level = 0; level < axis.parameters.size(); ++level) {
            std::size_t first = 0;
            for (std::size_t i = 1; i <= axis.places.size(); ++i) {
                if (i < axis.places.size() && same(axis.places[i], axis.places[first], level))
                    continue;
                add_name(axis.parameters[level], axis.places[first][level], box_of(level, first, i), first == 0);
                first = i;
            }
        }
    }
    viz::LabelLayer take() { return {std::move(labels)}; }

private:
    static bool same(const ParameterValues& a, const ParameterValues& b, std::size_t level)
    {
        return std::equal(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(level) + 1, b.begin());
    }

    // Writes "BM 64", or the value alone, in the middle of the box; nothing if neither fits.
    void add_name(std::size_t parameter, int value, const viz::Box& box, bool first)
    {
        const std::string& name = stage.parameters[parameter].name;
        const std::string number = kernels::value_text(name, value);
        const std::string whole = name + " " + number;
        const bool named = viz::draw::measure(theme.mono, whole).x <= box.width();
        viz::Label label{.words = named ? whole : number, .colour = first ? theme.ink : theme.ink_quiet, .mono = true};
        label.within = box;
        labels.push_back(std::move(label));
    }

    const viz::Theme& theme;
    const Stage& stage;
    std::vector<viz::Label> labels;
};

float name_line(const viz::Theme& theme)
{
    return viz::draw::row_height(theme, 1, theme.mono);
}

} // namespace

std::optional<TileSpace> tile_space(const Stage& stage, const recording::Problem& problem,
                                    std::span<const Candidate> ranked)
{
    return ranked.empty() ? std::nullopt : Space(stage, problem, ranked).make();
}

viz::Colour reason_colour(const viz::Theme& theme, std::size_t reason)
{
    return viz::mix(theme.panel, viz::category_colour(theme, static_cast<uint32_t>(reason) + 1), 0.6f);
}

float space_height(const viz::Theme& theme, const TileSpace& space)
{
    return name_line(theme) * static_cast<float>(space.rows.places.size() + space.cols.parameters.size()) + theme.px(4);
}

viz::Panel space_panel(const viz::Theme& theme, const Stage& stage, const TileSpace& space, const viz::Box& box)
{
    const float line = name_line(theme), each = viz::draw::measure(theme.mono, "WNITER 000").x;
    const ImVec2 corner{box.min.x + each * static_cast<float>(space.rows.parameters.size()),
                        box.min.y + line * static_cast<float>(space.cols.parameters.size())};
    const auto rows = static_cast<float>(space.rows.places.size()), cols = static_cast<float>(space.cols.places.size());
    const float high = (box.max.y - corner.y) / rows, wide = (box.max.x - corner.x) / cols;
    double fastest = 0;
    for (const TileSpace::Cell& cell : space.cells)
        fastest = std::max(fastest, cell.best);
    viz::CellLayer cells{.name = "space",
                         .rows = static_cast<uint32_t>(space.rows.places.size()),
                         .cols = static_cast<uint32_t>(space.cols.places.size())};
    cells.box = viz::Box{corner, box.max};
    cells.colour = [&theme, &space, fastest](uint32_t row, uint32_t col) {
        const TileSpace::Cell& cell = space.at(row, col);
        if (cell.possible == 0)
            return reason_colour(theme, cell.reason.value_or(0));
        const double share = fastest > 0 ? cell.best / fastest : 1;
        return viz::mix(theme.panel, theme.accent(), static_cast<float>(0.25 + 0.75 * share * share));
    };
    cells.value = [&space](uint32_t row, uint32_t col) { return static_cast<double>(space.at(row, col).possible); };
    cells.words = [&space](uint32_t row, uint32_t col) {
        const std::size_t possible = space.at(row, col).possible;
        return possible > 0 ? std::to_string(possible) : std::string();
    };
    cells.widest = std::to_string(space.cells.front().sets);
    cells.tip = [&stage, &space](uint32_t row, uint32_t col) {
        const TileSpace::Cell& cell = space.at(row, col);
        const std::string place = place_words(stage, space.rows, row) + ", " + place_words(stage, space.cols, col);
        const std::string why = cell.reason ? space.reasons[*cell.reason].words + "." : std::string();
        if (cell.best > 0)
            return viz::rich("{}: **{}** of {} sets can run; the fastest makes **{}** GFLOPS. {}", place, cell.possible,
                             cell.sets, viz::number(cell.best), why);
        return viz::rich("{}: **{}** of {} sets can run. {}", place, cell.possible, cell.sets, why);
    };
    Names names(theme, stage);
    names.add(space.rows, [&](std::size_t level, std::size_t first, std::size_t end) {
        const float left = box.min.x + each * static_cast<float>(level);
        return viz::Box{{left, corner.y + high * static_cast<float>(first)},
                        {left + each - theme.px(4), corner.y + high * static_cast<float>(end)}};
    });
    names.add(space.cols, [&](std::size_t level, std::size_t first, std::size_t end) {
        const float top = box.min.y + line * static_cast<float>(level);
        return viz::Box{{corner.x + wide * static_cast<float>(first), top},
                        {corner.x + wide * static_cast<float>(end), top + line}};
    });
    return {.id = "space", .box = box, .layers = {std::move(cells), names.take()}};
}

} // namespace app
