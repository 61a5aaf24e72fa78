#include "app/tables/of_wish.h"

#include "app/session/counter_table.h"
#include "app/state/navigation.h"
#include "app/tables/of_launch.h"
#include "app/tables/of_view.h"
#include "app/workspace/state_file.h"

#include "viz/text/templates.h"

#include "error.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <numeric>

namespace app {

namespace {

using Json = nlohmann::json;

std::string text_of_counters(const Snapshot& snapshot, const State& state, bool json)
{
    const Catalogue& catalogue = *snapshot.catalogue;
    const std::vector<uint32_t> sides = counted_sides(catalogue, snapshot.ladder());
    if (sides.empty())
        throw kernels::Error(viz::plain(viz::in_sentences(catalogue.counters.missing)));
    const bool chosen = std::ranges::find(sides, state.counters.side) != sides.end();
    std::vector<std::size_t> columns(counter_columns().size());
    std::iota(columns.begin(), columns.end(), std::size_t{0});
    const Table table =
        table_of(counter_table(catalogue, snapshot.ladder(), chosen ? state.counters.side : sides.back()), columns);
    return json ? Json(table.rows).dump(2) + "\n" : csv_of(table);
}

const char* name_of(kernels::Candidate::State state)
{
    switch (state) {
    case kernels::Candidate::State::waiting: return "waiting";
    case kernels::Candidate::State::right: return "right";
    case kernels::Candidate::State::wrong: return "wrong";
    case kernels::Candidate::State::failed: return "failed";
    }
    return "";
}

Table table_of_search(const SearchState& search)
{
    std::string columns;
    for (const kernels::ParameterSpec& parameter : search.stage->parameters)
        columns += std::string(parameter.name) + " | ";
    Table table("candidates", columns + "state | gflops | median_ms | error | why_not");
    for (const kernels::Candidate& one : search.ranked) {
        std::vector<Json> row(one.parameters.begin(), one.parameters.end());
        const bool right = one.state == kernels::Candidate::State::right;
        row.insert(row.end(),
                   {name_of(one.state), right ? Json(one.gflops) : Json(), right ? Json(one.timing.median_ms) : Json(),
                    right ? Json(one.error) : Json(), one.failure.empty() ? Json() : Json(one.failure)});
        table.add(std::move(row));
    }
    return table;
}

} // namespace

std::string table_shown(const Snapshot& snapshot, const State& state)
{
    if (state.at.page == Page::counters || state.at.page == Page::accuracy)
        return "counters";
    return snapshot.search() != nullptr ? "candidates" : "view";
}

std::string name_of_table(const Snapshot& snapshot, const State& state, const State::TableWish& wish)
{
    if (wish.of == "view")
        return name_of(saved_state(snapshot, state));
    const SearchState* search = wish.of == "candidates" ? snapshot.search() : nullptr;
    return search == nullptr ? wish.of : std::string(search->stage->slug) + "_candidates";
}

std::string text_of_table(const Snapshot& snapshot, const State& state, const State::TableWish& wish)
{
    if (wish.of == "counters")
        return text_of_counters(snapshot, state, wish.json);
    const SearchState* search = wish.of == "candidates" ? snapshot.search() : nullptr;
    const Table table = search != nullptr     ? table_of_search(*search)
                        : wish.of == "ladder" ? speeds_of_ladder(snapshot)
                                              : table_of_view(snapshot, state);
    return wish.json ? json_of(table) : csv_of(table);
}

} // namespace app
