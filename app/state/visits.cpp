#include "app/state/visits.h"

#include <utility>

namespace app {

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

std::optional<Workspace> Visits::back()
{
    if (places_.empty() || at_ == 0)
        return {};
    moved_ = true;
    return places_[--at_];
}

std::optional<Workspace> Visits::forward()
{
    if (at_ + 1 >= places_.size())
        return {};
    moved_ = true;
    return places_[++at_];
}

} // namespace app
