// The form that asks how what is shown shall be written to a file, and the progress of what is being written.
#pragma once

#include "app/pictures/wish.h"
#include "app/state/state.h"

#include <optional>
#include <string>

namespace app {

class ExportDialog {
public:
    void ask() { asked_ = true; } // in the next frame
    // `shown`: where the view is, whose size the picture has.
    void draw(const Snapshot& snapshot, State& state, const Area& shown);

    // What was asked for, once; whoever writes it says how far it is.
    std::optional<ExportWish> take();
    void show_progress(std::optional<double> share) { share_ = share; } // none: nothing is being written
    bool gives_up() const { return gives_up_; }                         // what is being written
    bool writes() const { return share_.has_value(); }

private:
    void fill_form(const Snapshot& snapshot, const State& state);
    void draw_form(const State& state, const Area& shown);
    void draw_formats(const State& state);
    void draw_looks(const State& state);
    void draw_steps(const State& state);
    void draw_progress(const State& state);
    void choose(PictureFormat format);
    ExportWish wish(const State& state, const Area& shown) const;

    bool asked_ = false, gives_up_ = false;
    std::optional<double> share_;
    std::optional<ExportWish> wanted_;

    // As typed and chosen; kept until the next time.
    PictureFormat format_ = PictureFormat::png;
    int scale_ = 2;
    bool light_ = true, transparent_ = false, plays_ = true;
    int from_ = 0, to_ = 0;
    std::string file_;
};

} // namespace app
