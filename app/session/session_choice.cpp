// Applies the choice, and records stages here instead of showing shipped recordings.
#include "app/session/session.h"

#include "viz/text/templates.h"

#include <algorithm>
#include <utility>

namespace app {

void Session::propose(ChoiceEdit edit, bool undoable)
{
    proposed_.push_back({std::move(edit), undoable});
    changed();
}

void Session::follow(Choice& choice, History& history)
{
    do {
        const std::vector<Proposal> proposed = std::exchange(proposed_, {});
        for (const Proposal& one : proposed)
            one.undoable ? history.change(choice, one.edit) : one.edit(choice);
        if (proposed.empty() && choice == choice_)
            return;
        if (shows_forbidden_file(choice)) {
            choice = choice_; // which a visitor may look at
            refuse_visitor();
        }
        choice_ = choice;
        turn();
    } while (!proposed_.empty()); // a text that ran before adds its version at once
}

bool Session::shows_forbidden_file(const Choice& choice) const
{
    return options_.visit && std::ranges::any_of(choice.columns, [&](const ChosenStage& column) {
               return column.file && !options_.visit->may_show(*column.file);
           });
}

bool Session::refuse_visitor()
{
    if (options_.visit) {
        notice_ = not_for_visitors;
        changed();
    }
    return options_.visit != nullptr;
}

kernels::ParameterValues Session::parameters_of(std::size_t column) const
{
    const std::optional<std::size_t> stage = choice_.columns[column].rung;
    if (!stage)
        return {};
    return column == 1 && choice_.columns[1].parameters ? *choice_.columns[1].parameters
                                                        : parameters(choice_, *ladder_, *stage, in_use_[*stage]);
}

// Returns the stages whose shown recordings are shipped. Sets a notice for a stage that cannot run here.
std::vector<std::size_t> Session::recordable_here()
{
    std::vector<std::size_t> here;
    for (std::size_t column = 0; column < viz::most_columns; ++column) {
        const std::optional<std::size_t> stage = choice_.columns[column].rung;
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
    propose([here](Choice& choice) { choice.recorded_here.insert(here.begin(), here.end()); });
}

void Session::record_block(const recording::Index3& block)
{
    const std::vector<std::size_t> here = recordable_here();
    const std::optional<std::size_t> first = choice_.columns[0].rung;
    if (recordings_.shown(0).shipped && std::ranges::find(here, first) == here.end())
        return changed(); // the notice has the reason
    propose([here, block](Choice& choice) {
        choice.recorded_here.insert(here.begin(), here.end());
        choice.block = block;
    });
}

} // namespace app
