// The top place: the views' tabs, the sizes, alpha and beta, the device, help.
#pragma once

#include "app/shell/state.h"

#include <string>
#include <vector>

namespace app {

class TopBar {
public:
    // How many rows it needs at this width (1 or 2): tabs and buttons beside or below each other.
    int rows(const Session& session, const State& state, float width) const;
    void draw(Session& session, State& state, const Area& area);

private:
    struct Form { // as typed
        char recorded[48] = "", timed[48] = "", threads[48] = "", elements[24] = "", timed_elements[24] = "";
        char alpha[16] = "", beta[16] = "";
        std::string error;
    };
    struct Labels {
        std::string recorded, timed, timed_help, factors, device;
    };

    static Labels labels(const Session& session);
    static void label_timed(const Session& session, std::optional<std::size_t> stage, const recording::Problem& problem,
                            Labels& labels);
    static float tabs_width(const State& state, bool named);
    static float buttons_width(const Session& session, const State& state);
    void draw_tabs(State& state, const Area& area) const;
    void draw_buttons(Session& session, State& state, const Area& area);
    void draw_form(Session& session, const State& state, float right, float top);
    bool draw_fields(const Session& session, const State& state); // true: Enter was pressed
    void fill_form(const Sizes& sizes);
    void apply(Session& session);

    Form form_;
};

} // namespace app
