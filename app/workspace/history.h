// What was chosen and looked at before: undo and redo of choices, back and forward among places. Both leave the one workspace to
// its owner.
#pragma once

#include "app/workspace/workspace.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace app {

using ChoiceEdit = std::function<void(Choice&)>;

// The choices before and after the one in force.
class History {
public:
    // Applies the edit, which undo() takes back; together with the one before while changes are joined. An edit that changes
    // nothing is not noted.
    void change(Choice& now, const ChoiceEdit& edit);
    void join_changes(bool joins) { joins_ = joins; } // a key is held down
    // False: there is nothing before, or after.
    bool undo(Choice& now) { return go(now, before_, after_); }
    bool redo(Choice& now) { return go(now, after_, before_); }

private:
    static bool go(Choice& now, std::vector<Choice>& from, std::vector<Choice>& to);

    static constexpr std::size_t most_kept = 1000;

    std::vector<Choice> before_, after_; // the nearest last
    bool joins_ = false;
};

// The workspaces that a person looked at.
class Visits {
public:
    // What is shown, each frame. Another choice or view is another place; steps, lanes and elements of one picture are one place
    // as long as no more than `pause` lies between them.
    void note(const Workspace& where, double seconds);

    // Where to go; none: there is no such place. What is shown then is no new place.
    std::optional<Workspace> back() { return at_ > 0 ? go(at_ - 1) : std::nullopt; }
    std::optional<Workspace> forward() { return at_ + 1 < places_.size() ? go(at_ + 1) : std::nullopt; }

    std::size_t size() const { return places_.size(); }

    static constexpr double pause = 3; // seconds
    static constexpr std::size_t most = 200;

private:
    std::optional<Workspace> go(std::size_t place);

    std::vector<Workspace> places_; // oldest first
    std::size_t at_ = 0;
    double changed_ = 0;
    bool moved_ = false; // back or forward, and what is shown has not been noted since
};

} // namespace app
