// What is chosen: its changes, undone and redone, and what is recorded here instead of what is shipped.
#include "app/session/session.h"

#include "viz/text/templates.h"

#include <algorithm>
#include <utility>

namespace app {

void Session::change(const std::function<void(Choice&)>& edit)
{
    Choice next = history_.now();
    edit(next);
    history_.change(std::move(next), joins_);
    apply();
}

void Session::amend(const std::function<void(Choice&)>& edit)
{
    Choice next = history_.now();
    edit(next);
    history_.amend(std::move(next));
    apply();
}

void Session::undo()
{
    if (!history_.undo())
        notice_ = viz::plain({"session.nothing_to_undo"});
    apply();
}

void Session::redo()
{
    if (!history_.redo())
        notice_ = viz::plain({"session.nothing_to_redo"});
    apply();
}

void Session::change_parameters(std::size_t column, const kernels::ParameterValues& values)
{
    const Choice& now = history_.now();
    const std::optional<std::size_t> stage = now.columns[column].rung;
    const kernels::ParameterValues old = parameters_of(column);
    if (!stage || values == old)
        return;
    if (column == 1 && now.columns[1].parameters)
        return change([&](Choice& choice) { choice.columns[1].parameters = values; });
    const bool keep = column == 0 && !now.columns[0].file && (!now.comparing() || now.columns[1].parameters);
    set_parameters(*stage, values);
    if (keep) // of the same change, which is undone at once
        amend([&](Choice& choice) {
            choice.compare(stage);
            choice.columns[1].parameters = old;
        });
}

kernels::ParameterValues Session::parameters_of(std::size_t column) const
{
    const Choice& choice = history_.now();
    const std::optional<std::size_t> stage = choice.columns[column].rung;
    if (!stage)
        return {};
    return column == 1 && choice.columns[1].parameters ? *choice.columns[1].parameters
                                                       : parameters(choice, *ladder_, *stage, in_use_[*stage]);
}

// Of those that are shown as they are shipped. What cannot run here is told.
std::vector<std::size_t> Session::recordable_here()
{
    std::vector<std::size_t> here;
    for (std::size_t column = 0; column < viz::most_columns; ++column) {
        const std::optional<std::size_t> stage = history_.now().columns[column].rung;
        if (!stage || !recordings_.shown(column).shipped || !machine_)
            continue;
        if (std::string why_not = why_not_on(*machine_, (*ladder_)[*stage]); !why_not.empty())
            notice_ = std::move(why_not);
        else
            here.push_back(*stage);
    }
    return here;
}

void Session::record_again()
{
    const std::vector<std::size_t> here = recordable_here();
    recordings_.forget();
    change([&](Choice& choice) { choice.recorded_here.insert(here.begin(), here.end()); });
}

void Session::record_block(const recording::Index3& block)
{
    const std::vector<std::size_t> here = recordable_here();
    const std::optional<std::size_t> first = history_.now().columns[0].rung;
    if (recordings_.shown(0).shipped && std::ranges::find(here, first) == here.end())
        return snapshot_.reset(); // which has the reason
    change([&](Choice& choice) {
        choice.recorded_here.insert(here.begin(), here.end());
        choice.block = block;
    });
}

} // namespace app
