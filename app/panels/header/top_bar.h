// The top row of the window: groups of views, the views of a group, sizes with alpha and beta, the device, and help.
#pragma once

#include "app/panels/state.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace app {

// Chooses the worker that runs the kernels, and its GPU: this program or one of the workers in the settings.

class Workers {
public:
    // Draws the button with the device's name and the list that it opens.
    void draw(const Snapshot& snapshot, Session& session, State& state, const std::string& device, ImVec2 below);

private:
    // A line of the list: a worker, or one of its GPUs.
    struct Entry {
        std::string name;
        WorkerAt at;
        std::optional<std::size_t> remembered; // index in the settings
    };
    static std::vector<Entry> entries(const Snapshot& snapshot, const Session& session, const State& state);
    static void add_gpus(const Entry& worker, const Snapshot& snapshot, const Session& session, std::vector<Entry>& to);
    static void draw_list(const Snapshot& snapshot, Session& session, State& state);
    void draw_form(Session& session, State& state);

    std::string name_, command_; // as typed
};

class TopBar {
public:
    void draw(const Snapshot& snapshot, Session& session, State& state, const Area& area);
    bool has_stages_row() const { return has_stages_row_; } // whether it had room in the last frame

private:
    struct Form { // form content as typed
        std::string recorded, timed, threads, elements, timed_elements, alpha, beta;
        recording::Inputs inputs = recording::Inputs::random;
        std::string error;
    };
    struct Labels {
        std::string sizes, sizes_help, device, people;
        bool few = false; // a narrow window has room only for the buttons that a finger needs
    };

    static Labels labels(const Snapshot& snapshot);
    static void label_timed(const Snapshot& snapshot, std::optional<std::size_t> stage,
                            const recording::Problem& problem, Labels& labels);
    static float tabs_width(const State& state, bool named);
    static float buttons_width(const State& state, const Labels& labels);
    float draw_tabs(State& state, const Area& area, float right);      // returns the right end of the tabs
    float draw_view_list(State& state, const Area& area, float right); // used if the tabs do not fit
    void draw_buttons(const Snapshot& snapshot, Session& session, State& state, const Area& area, const Labels& labels);
    void draw_form(const Snapshot& snapshot, State& state, float right, float top);
    bool draw_fields(const Snapshot& snapshot, const State& state); // true: Enter was pressed
    void draw_inputs(const viz::Theme& theme);
    static void draw_tiny(const Snapshot& snapshot, State& state);
    void fill_form(const Snapshot& snapshot);
    void take_tiny(const Snapshot& snapshot, std::size_t stage, Sizes& sizes) const;
    void apply(const Snapshot& snapshot, State& state);

    Form form_;
    Workers workers_;
    bool has_stages_row_ = false;
    bool chose_view_ = false;                          // in this frame
    std::array<std::size_t, viz::view_groups> last_{}; // last shown view of each group
};

} // namespace app
