#include "app/workspace/history.h"

#include <utility>

namespace app {

void History::change(Choice& now, const ChoiceEdit& edit)
{
    Choice before = now;
    edit(now);
    if (now == before)
        return;
    after_.clear();
    if (joins_ && !before_.empty())
        return;
    before_.push_back(std::move(before));
    if (before_.size() > most_kept)
        before_.erase(before_.begin());
}

bool History::go(Choice& now, std::vector<Choice>& from, std::vector<Choice>& to)
{
    if (from.empty())
        return false;
    to.push_back(std::exchange(now, std::move(from.back())));
    from.pop_back();
    return true;
}

void Visits::note(const Workspace& where, double seconds)
{
    if (places_.empty()) {
        places_.push_back(where);
        changed_ = seconds;
        return;
    }
    Workspace& now = places_[at_];
    const bool arrived = std::exchange(moved_, false);
    if (now.is_where(where))
        return;
    const bool same_picture = now.choice == where.choice && now.view == where.view;
    const bool soon = seconds - std::exchange(changed_, seconds) <= pause;
    if (arrived || (same_picture && soon)) {
        now = where;
        return;
    }
    places_.resize(at_ + 1);
    places_.push_back(where);
    if (places_.size() > most)
        places_.erase(places_.begin());
    at_ = places_.size() - 1;
}

std::optional<Workspace> Visits::go(std::size_t place)
{
    moved_ = true;
    at_ = place;
    return places_[at_];
}

} // namespace app
