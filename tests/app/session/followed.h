// A session together with its choice and the history of that, which the window's state holds otherwise.
#pragma once

#include "app/session/session.h"

#include <utility>

namespace test {

class Session : public app::Session {
public:
    explicit Session(app::SessionOptions options)
        : app::Session(std::move(options)), choice(app::Session::snapshot()->choice)
    {
    }
    app::SnapshotPtr snapshot()
    {
        follow(choice, history);
        return app::Session::snapshot();
    }
    bool poll() // as in each frame
    {
        const bool news = app::Session::poll();
        snapshot();
        return news;
    }
    void change(const app::ChoiceEdit& edit)
    {
        snapshot(); // applies the session's own changes first
        history.change(choice, edit);
    }
    void change_parameters(std::size_t column, const kernels::ParameterValues& values)
    {
        const app::SnapshotPtr now = snapshot();
        const std::size_t stage = now->choice.columns[column].rung.value();
        change([&](app::Choice& next) {
            next.change_parameters(column, values, now->details[column].parameters, now->standard[stage],
                                   now->is_tiny(stage));
        });
    }
    bool undo() { return snapshot(), history.undo(choice); }
    bool redo() { return snapshot(), history.redo(choice); }

    app::Choice choice;
    app::History history;
};

} // namespace test
